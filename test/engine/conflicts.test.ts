import { expect, test } from 'vitest';
import { predict } from '../../src/commands/predict/predict.ts';
import { steady } from '../../src/commands/steady/steady.ts';
import { compile } from '../../src/engine/compile.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { exponential } from '../../src/net/builder/distributions.ts';
import type { Net, Transition } from '../../src/net/net.ts';
import { INT, inhibit, netOf, num, put, read, take, x } from '../reference/nets.ts';

/** The pairs that are reported, each once, in the order of the first report. */
function conflictsOf(net: Net): string[] {
  const found = new Set<string>();
  compile(net, { conflicts: (one, other) => found.add(`${one} ${other}`) })
    .start()
    .run(1000);
  return [...found];
}

const fields = [{ name: 'k', colour: INT }];
const two = (t: Partial<Transition>, u: Partial<Transition>, tokens = 1): Net =>
  netOf({ places: { p: { tokens }, q: { tokens: 1 }, out: {} }, transitions: { t, u } });
const coloured = (t: number, u: number): Net =>
  netOf({
    places: { p: { fields, tokens: [[1], [2]] } },
    transitions: { t: { inputs: [take('p', { k: num(t) })] }, u: { inputs: [take('p', { k: num(u) })] } },
  });

test.each<readonly [string, Net, readonly string[]]>([
  ['one token for two', two({ inputs: [take('p')] }, { inputs: [take('p')] }), ['t u']],
  // The last token is for one of them: with an odd number they compete.
  ['tokens for both, again and again', two({ inputs: [take('p')] }, { inputs: [take('p')] }, 2), ['t u']],
  [
    'tokens for both, once',
    two({ inputs: [take('p'), take('q')] }, { inputs: [take('p'), take('out')], outputs: [put('out')] }, 2),
    [],
  ],
  ['a reader of the last token', two({ inputs: [take('p')] }, { inputs: [read('p'), take('q')] }), ['t u']],
  ['weights', two({ inputs: [take('p')], weight: num(1) }, { inputs: [take('p')] }), []],
  ['different priorities', two({ inputs: [take('p')], priority: 1 }, { inputs: [take('p')] }), []],
  ['one of them is inhibited', two({ inputs: [take('p')] }, { inputs: [take('p'), inhibit('q')] }), []],
  ['holding transitions', two({ inputs: [take('p')], delay: num(1) }, { inputs: [take('p')], delay: num(2) }), ['t u']],
  ['the same colour', coloured(1, 1), ['t u']],
  ['different colours', coloured(1, 2), []],
  [
    'never both enabled',
    netOf({
      places: { p: { tokens: 1 }, a: { tokens: 1 }, b: {} },
      transitions: { t: { inputs: [take('p'), take('a')] }, u: { inputs: [take('p'), take('b')] } },
    }),
    [],
  ],
  [
    'one transition with itself',
    netOf({
      places: { p: { fields, tokens: [[1], [2]] }, q: { tokens: 1 } },
      transitions: { t: { inputs: [take('p', { k: x('k') }), take('q')] } },
    }),
    [],
  ],
])('conflicts that ages decide: %s', (_, net, expected) => {
  expect(conflictsOf(net)).toEqual(expected);
});

/** A router without weights; with `tokens` above 1 it may find several at once. */
function router(weight?: number, delay = exponential(1)): Net {
  const n = new NetBuilder('router');
  const from = n.place('from', {}, { initial: 2 });
  const [chosen, a, b] = [n.place('chosen', {}), n.place('a', {}), n.place('b', {})] as const;
  n.transition('come', (t) => {
    t.take(from);
    t.put(chosen, {});
    t.race({ delay });
  });
  for (const [name, to] of [
    ['left', a],
    ['right', b],
  ] as const)
    n.transition(name, (t) => {
      t.take(chosen);
      t.put(to, {});
      if (weight !== undefined) t.weight(weight);
    });
  return n.build();
}

test('predict notes each pair once, of nets with random delays (APP052)', () => {
  const notes = (net: Net): string[] =>
    predict(net)
      .warnings.filter(({ code }) => code === 'APP052')
      .map(({ message }) => message);
  expect(notes(router())).toEqual([
    '"left" and "right" competed for tokens and have neither weights nor different priorities: the one enabled longest starts, by the ages of tokens. A Markov chain has no ages: for a random choice give them weights',
  ]);
  expect(notes(router(2))).toEqual([]);
  expect(notes(two({ inputs: [take('p')] }, { inputs: [take('p')] }))).toEqual([]);
});

test('simulated figures of the long run come with a warning for each pair', () => {
  const warnings = (net: Net): readonly string[] =>
    steady(net, { method: 'simulate', precision: '20%', maxFirings: 2e4 }).warnings;
  expect(warnings(router())).toEqual([expect.stringMatching(/^"left" and "right" competed for tokens/)]);
  expect(warnings(router(2))).toEqual([]);
});

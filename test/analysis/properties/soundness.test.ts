import { expect, test } from 'vitest';
import type { InputError } from '../../../src/base/problem.ts';
import type { PropertyResult } from '../../../src/commands/verify/net/verification.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';
import { type Arcs, sound, workflow } from './workflow-nets.ts';

const fired = (result: PropertyResult): string[] | undefined => result.witness?.steps.map((s) => s.node);

test('a fork with its join is sound, with and without time', () => {
  const arcs: Arcs = { fork: ['i', 'ab'], b: ['b', 'c'], join: ['ac', 'o'] };
  for (const net of [workflow('iabco', arcs), workflow('iabco', arcs, 2)])
    expect(sound(net)).toMatchObject({ verdict: true, certificate: { kind: 'complete space' } });
});

test('a choice before a join deadlocks', () => {
  const result = sound(workflow('iabo', { left: ['i', 'a'], right: ['i', 'b'], join: ['ab', 'o'] }));
  expect(result).toMatchObject({
    verdict: false,
    failing: ['option to complete', 'transition "join" is never possible'],
    witness: { shows: 'from here on, tokens(o) = 1 & tokens(i, a, b) = 0 never holds again' },
  });
  expect(fired(result)).toEqual(['left']);
});

test('a fork without a join completes improperly, and what is left is unbounded in the short-circuited net', () => {
  const result = sound(workflow('iabo', { fork: ['i', 'ab'], a: ['a', 'o'], b: ['b', 'o'] }));
  expect(result.failing).toEqual([
    'proper completion: tokens(b) = 1 when the sink is marked, and grows without bound in the short-circuited net',
  ]);
  expect(fired(result)).toEqual(['fork', 'a']);
});

test('a timed firing in progress is not completed', () => {
  const timed = new NetBuilder('timed');
  const [i, a, b, o] = ['i', 'a', 'b', 'o'].map((p) => timed.place(p, {}, { initial: p === 'i' ? 1 : 0 }));
  timed.transition('fork', (t) => {
    t.take(i!);
    t.put(a!, {});
    t.put(b!, {});
  });
  timed.transition('quick', (t) => {
    t.take(a!);
    t.put(o!, {});
  });
  timed.transition('slow', (t) => {
    t.take(b!);
    t.put(o!, {});
    t.delay(5);
  });
  expect(sound(timed.build())).toMatchObject({ verdict: false, witness: { shortest: false } });
});

test('a transition that never fires is dead', () => {
  const arcs: Arcs = { begin: ['i', 'a'], end: ['a', 'o'], never: ['bi', 'o'], back: ['bi', 'ab'] };
  expect(sound(workflow('iabo', arcs)).failing).toEqual([
    'transition "never" is never possible',
    'transition "back" is never possible',
  ]);
});

test('a livelock has no option to complete', () => {
  const arcs: Arcs = { s: ['i', 'a'], on: ['a', 'b'], back: ['b', 'a'], end: ['ab', 'o'], other: ['i', 'o'] };
  const result = sound(workflow('iabo', arcs));
  expect(result.failing).toEqual(['option to complete', 'transition "end" is never possible']);
  expect(fired(result)).toEqual(['s']);
});

test('an unbounded place is reported, with a loop that adds tokens', () => {
  const result = sound(workflow('iabco', { s: ['i', 'a'], more: ['a', 'ab'], u: ['ib', 'c'], e: ['c', 'o'] }));
  expect(result).toMatchObject({
    verdict: false,
    certificate: {
      because:
        'place b is unbounded: after s, more can be repeated forever, and adds 1 token each time. It is so in the short-circuited net, too, and a sound net is bounded',
    },
    witness: { loop: 1, shows: 'each iteration adds 1 to b' },
  });
  expect(fired(result)).toEqual(['s', 'more']);
});

test('nets that are no workflow nets are refused with the reason', () => {
  const message = (net: Net): string => {
    try {
      return String(sound(net).verdict);
    } catch (e) {
      const [problem] = (e as InputError).problems;
      return `${problem!.code} ${problem!.message.replace('sound is a property of workflow nets: ', '')}`;
    }
  };
  const cases: readonly (readonly [string, Arcs, string])[] = [
    ['iop', { t: ['i', 'op'] }, 'PROP011 expected one sink place (no transition takes from it), got 2: "o", "p"'],
    ['ijo', { t: ['ij', 'o'] }, 'PROP011 expected one source place (no transition puts into it), got 2: "i", "j"'],
    ['io', { t: ['i', 'i'] }, 'PROP011 place "o" is both the only source and the only sink'],
    ['ioab', { t: ['i', 'o'], u: ['a', 'b'], v: ['b', 'a'] }, 'PROP011 place "a" is on no path from the source "i"'],
    ['ioa', { t: ['i', 'oa'], u: ['a', 'a'] }, 'PROP011 place "a" is on no path to the sink "o"'],
    ['xo', { t: ['x', 'o'] }, 'PROP011 initially place "x" must hold 1, but holds 0'],
  ];
  for (const [places, arcs, expected] of cases) expect(message(workflow(places, arcs))).toBe(expected);
});

test('live, quasi-live and home of parts', () => {
  const net = workflow('iabo', { s: ['i', 'a'], on: ['a', 'b'], back: ['b', 'a'], e: ['b', 'o'] });
  const asked = [
    'live(on)',
    'quasi-live(on, e)',
    'home(tokens(o) = 1)',
    'home(tokens(a) = 1)',
    'home(#o = 1 | #a = 1)',
  ];
  expect(verify(net, asked).properties.map((p) => [p.property, p.verdict])).toEqual([
    ['live(on)', false],
    ['quasi-live(on, e)', true],
    ['home(tokens(o) = 1)', true],
    ['home(tokens(a) = 1)', false],
    ['home(tokens(o) = 1 | tokens(a) = 1)', true],
  ]);
  expect(() => verify(net, ['home(EF dead)'])).toThrow('home expects a formula without path operators');
  expect(() => verify(net, ['live(no)'])).toThrow('PROP003');
});

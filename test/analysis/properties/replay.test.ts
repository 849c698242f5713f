import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coloursOf, valueText } from '../../../src/analysis/properties/colours.ts';
import { type Change, replay } from '../../../src/analysis/properties/replay.ts';
import { type NamedStep, namedStep } from '../../../src/analysis/properties/steps.ts';
import { exploration } from '../../../src/analysis/space/explore.ts';
import type { MarkingView, StateSpace } from '../../../src/analysis/space/state-space.ts';
import { InputError } from '../../../src/base/problem.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { arbitraryNet } from '../../engine/random-net.ts';
import { philosophers } from '../../net/contest-nets.ts';
import { finiteNet } from '../../net/random-finite-net.ts';
import { explore as plainly } from '../../net/untimed-explorer.ts';

const RUNS = effort(120);

/** Explores part of the space; `undefined` for nets that fail. */
function partOf(net: Net, states: number): StateSpace | undefined {
  try {
    const running = exploration(net, { maxStates: states });
    while (running.advance(states));
    return running.space;
  } catch (e) {
    if (e instanceof InputError) return undefined;
    throw e;
  }
}

/** Token counts of a marking in the format of a replay. */
function tokensOf(net: Net, { places }: MarkingView): Map<string, number> {
  const found = new Map<string, number>();
  for (const { place, tokens } of places)
    for (const { values, count } of tokens) {
      const { name } = net.places[place]!;
      const words = values.map((v, k) => valueText(coloursOf(net).columns(name)[k], v));
      const key = `${name}[${words.join()}]`;
      found.set(key, (found.get(key) ?? 0) + count);
    }
  return found;
}

const told = (marking: readonly Change[]): Map<string, number> =>
  new Map(marking.map(({ place, colour, by }) => [`${place}[${colour.join()}]`, by]));

test('paths through the spaces of random nets with every feature replay to the same markings', () => {
  let steps = 0;
  const kinds = new Set<string>();
  fc.assert(
    fc.property(arbitraryNet, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), (net, choices) => {
      const space = partOf(net, 150);
      if (space === undefined) return;
      const walk: NamedStep[] = [];
      let state = 0;
      for (const choice of choices) {
        const ways = space.firings(state).filter((f) => f.target >= 0);
        if (ways.length === 0) break;
        const step = ways[choice % ways.length]!;
        walk.push(namedStep(net, step));
        kinds.add(step.kind);
        state = step.target;
        steps++;
      }
      const { marking, changes } = replay(net, walk);
      expect(changes).toHaveLength(walk.length);
      expect(told(marking)).toEqual(tokensOf(net, space.marking(state)));
    }),
    { numRuns: RUNS },
  );
  expect(steps).toBeGreaterThan(atFullEffort(2 * RUNS));
  expect([...kinds].sort()).toEqual(['end', 'fire', 'serve', 'start']);
});

test('impossible steps are rejected', () => {
  let refused = 0;
  fc.assert(
    // Without priorities and times, which a replay ignores.
    fc.property(finiteNet.map(plain), fc.nat(), (net, choice) => {
      const space = partOf(net, 100);
      if (space === undefined) return;
      // Steps that are possible in another state, but not in the initial one.
      const possible = new Set(space.firings(0).map((f) => JSON.stringify(namedStep(net, f))));
      const later = Array.from({ length: space.states }, (_, s) => space.firings(s)).flat();
      const foreign = later.map((f) => namedStep(net, f)).filter((f) => !possible.has(JSON.stringify(f)));
      if (foreign.length === 0) return;
      refused++;
      expect(() => replay(net, [foreign[choice % foreign.length]!])).toThrow('PROP030');
    }),
    { numRuns: RUNS },
  );
  expect(refused).toBeGreaterThan(atFullEffort(RUNS / 10));
});

test('invalid steps are rejected with their number', () => {
  const net = philosophers(3);
  const first: NamedStep = { kind: 'fire', node: 'FF1a', binding: { x: 0 } };
  const cases: readonly (readonly [NamedStep, string])[] = [
    [first, 'step 2: fire FF1a: is not possible: the tokens that it takes or reads are missing'],
    [{ ...first, node: 'FF1' }, 'unknown transition "FF1". Did you mean "FF1a"?'],
    [{ kind: 'serve', node: 'Frok', binding: {} }, 'unknown place "Frok". Did you mean "Fork"?'],
    [{ kind: 'serve', node: 'Fork', binding: { x: 0 } }, 'no such token is in service'],
    [{ ...first, binding: {} }, 'its binding lacks x'],
    [{ ...first, binding: { x: 'red' } }, '"red" is not a value of "x"'],
    [{ ...first, kind: 'start' }, 'it has no delay'],
    [{ ...first, kind: 'end' }, 'no such firing is in progress'],
  ];
  for (const [step, message] of cases) expect(() => replay(net, [first, step])).toThrow(message);
});

/** The net without times and priorities and with bags, as the plain explorer requires. */
function plain(net: Net): Net {
  return {
    ...net,
    places: net.places.map(({ service: _, priority: __, ...p }) => ({ ...p, order: 'bag', key: [] })),
    transitions: net.transitions.map(
      ({ delay: _, weight: __, timing: ___, servers: ____, priority: _____, ...t }) => t,
    ),
  };
}

describe('sequences to states found', () => {
  const total = (marking: string, place: string): number =>
    marking
      .split(' ')
      .map((part) => /^(.*?)(?:\[.*\])?:(\d+)$/.exec(part))
      .reduce((sum, m) => sum + (m?.[1] === place ? Number(m[2]) : 0), 0);

  test('are shortest, compared with plain breadth-first search', () => {
    let found = 0;
    let longest = 0;
    fc.assert(
      fc.property(finiteNet, fc.nat({ max: 5 }), fc.integer({ min: 1, max: 8 }), (random, k, least) => {
        const net = plain(random);
        const part = partOf(net, 1500);
        if (part === undefined) return;
        const place = net.places[k % net.places.length]!.name;
        const plainSpace = plainly(net, 8, 1500);
        // Distances of markings; the map is ordered by level.
        const distance = new Map<string, number>([[plainSpace.keys().next().value!, 0]]);
        for (const [marking, firings] of plainSpace)
          for (const firing of firings) {
            const target = firing.slice(firing.indexOf(' → ') + 3);
            if (!distance.has(target)) distance.set(target, distance.get(marking)! + 1);
          }
        const wanted = [...distance].find(([marking]) => total(marking, place) >= least)?.[1];
        const [result] = verify(net, [`EF(tokens(${JSON.stringify(place)}) >= ${least})`], {
          maxStates: 1500,
        }).properties;
        const { witness } = result!;
        if (wanted !== undefined && part.complete) expect(witness?.steps.length).toBe(wanted);
        if (witness === undefined || wanted === undefined) return;
        found++;
        longest = Math.max(longest, wanted);
        expect(witness.steps.length).toBe(wanted);
        expect(witness.shortest).toBe(true);
        const { marking } = replay(net, witness.steps);
        expect(marking.filter((m) => m.place === place).reduce((sum, m) => sum + m.by, 0)).toBeGreaterThanOrEqual(
          least,
        );
      }),
      { numRuns: RUNS },
    );
    expect(found).toBeGreaterThan(atFullEffort(RUNS / 10));
    expect(longest).toBeGreaterThan(atFullEffort(1));
  });

  test('of a net with several priorities are reported with their changes', () => {
    const [result] = verify(philosophers(3), ['deadlock-free']).properties;
    const { steps } = result!.witness!;
    // Each philosopher takes the fork on one side, in any order.
    expect(steps.map((s) => `${s.node} ${s.binding['x']}`).sort()).toEqual(['FF1a 0', 'FF1a 1', 'FF1a 2']);
    const x = Number(steps[0]!.binding['x']);
    expect(steps[0]!.changes).toEqual([
      { place: 'Think', colour: [x], by: -1 },
      { place: 'Fork', colour: [(x + 2) % 3], by: -1 },
      { place: 'Catch1', colour: [x], by: 1 },
    ]);
  });
});

describe('an order forced on a timed net', () => {
  /** Two concurrent workers with the given delays. */
  const race = (first: number, second: number, together = true): Net => {
    const n = new NetBuilder('workers');
    const a = n.place('a', {}, { initial: 1 });
    const b = n.place('b', {}, { initial: 1 });
    const [doneA, doneB] = [n.place('doneA', {}), n.place('doneB', {})];
    n.transition('first', (t) => {
      t.take(a);
      t.delay(first);
      t.put(doneA, {});
    });
    n.transition('second', (t) => {
      t.take(b);
      if (!together) t.read(doneA);
      t.delay(second);
      t.put(doneB, {});
    });
    return n.build();
  };
  const delays = (net: Net, property: string) => verify(net, [property]).properties[0]!.witness!.delays!;

  test.each([
    ['the faster one first', race(1, 2), 'EF(tokens(doneA) = 1 & tokens(doneB) = 0)', 'no', 'a transition is enabled'],
    ['the slower one first', race(3, 2), 'EF(tokens(doneA) = 1)', 'no', 'a transition is enabled'],
    [
      'both under way, the slower one first',
      race(3, 2),
      'EF(tokens(doneA) = 1 & tokens(b) = 0 & tokens(doneB) = 0)',
      'no',
      'already have ended, at 2 s',
    ],
    [
      'both under way, the faster one first',
      race(1, 2),
      'EF(tokens(doneA) = 1 & tokens(b) = 0 & tokens(doneB) = 0)',
      'yes',
      'the last one at 1 s',
    ],
    ['one after the other', race(1, 2, false), 'EF(tokens(doneB) = 1)', 'yes', 'the last one at 3 s'],
  ] as const)('the delays of a net are compared with an order: %s', (_, net, property, permitted, reason) => {
    const found = delays(net, property);
    expect(found).toMatchObject({ permitted, reason: expect.stringContaining(reason) });
    expect(found.times === undefined).toBe(permitted !== 'yes');
  });

  test.each([
    ['firings that overlap', race(1, 2), 'EF(tokens(doneA) = 1 & tokens(b) = 0 & tokens(doneB) = 0)', [0, 0, 1]],
    ['firings one after the other', race(1, 2, false), 'EF(tokens(doneB) = 1)', [0, 1, 1, 3]],
  ] as const)('the steps of %s have their earliest times', (_, net, property, times) => {
    expect(delays(net, property).times).toEqual(times);
  });

  test('is undecided if delays are random', async () => {
    const { exponential } = await import('../../../src/net/builder/distributions.ts');
    const n = new NetBuilder('drawn');
    const p = n.place('p', {}, { initial: 1 });
    const q = n.place('q', {});
    n.transition('t', (t) => {
      t.take(p);
      t.delay(exponential(1));
      t.put(q, {});
    });
    expect(delays(n.build(), 'EF(tokens(q) = 1)')).toEqual({
      permitted: 'unknown',
      reason: 'the delay of t is random',
    });
  });

  test('is not checked for a net without time', () => {
    expect(verify(philosophers(2), ['deadlock-free']).properties[0]!.witness!.delays).toBe(undefined);
  });
});

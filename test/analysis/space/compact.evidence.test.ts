import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flatten } from '../../../src/analysis/petri/flatten.ts';
import type { Petri } from '../../../src/analysis/petri/petri.ts';
import { CompactExploration } from '../../../src/analysis/space/compact/compact-exploration.ts';
import { omissionOf } from '../../../src/analysis/space/compact/omission.ts';
import { Predecessors } from '../../../src/analysis/space/compact/predecessors.ts';
import { exploration } from '../../../src/analysis/space/explore.ts';
import { happen } from '../../../src/analysis/space/packed/groups.ts';
import { unpack } from '../../../src/analysis/space/packed/layout.ts';
import type { StateSpace } from '../../../src/analysis/space/state-space.ts';
import { InputError } from '../../../src/base/problem.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort, FULL_EFFORT } from '../../effort.ts';
import { philosophers } from '../../net/contest-nets.ts';
import { finiteNet } from '../../net/random-finite-net.ts';
import { exploreReference } from '../../reference/explorer.ts';
import { netOf, put, take } from '../../reference/nets.ts';
import { markings } from './texts.ts';

const RUNS = effort(400);
const SEED = process.env['FORETOKEN_SEED'] === undefined ? 31 : Number(process.env['FORETOKEN_SEED']);

/** The unfolded net; undefined if the net cannot be unfolded. */
function flat(net: Net): Petri | undefined {
  try {
    return flatten(net);
  } catch (e) {
    if (e instanceof InputError) return undefined;
    throw e;
  }
}

/** Explores in steps of `slice` states and collects of each state all that is asked while it is held. */
function collected(running: CompactExploration, slice: number) {
  const { space } = running;
  const { net } = space;
  const all = [...net.transitions.keys()];
  const texts: string[] = [];
  const counts: string[] = [];
  const degrees: number[] = [];
  const enabled: number[] = all.map(() => 0);
  const look = (): void => {
    const [from, to] = [texts.length, space.states];
    for (let s = from; s < to; s++) {
      texts.push(sorted(markings(shifted(space, s), 1)[0]!));
      counts.push(countsIn(running, s).join());
    }
    degrees.push(...space.outDegree(from, to));
    for (const t of all) enabled[t]! += space.enabled([t], from, to).reduce((a, b) => a + b, 0);
    void space.maxTokensInPlace;
  };
  look();
  for (let more = true; more; ) {
    more = running.advance(slice);
    look();
  }
  return { texts, counts, degrees, enabled };
}

/** A marking as a string, the tokens of a place sorted: a net without colours does not know the order of a place's colours. */
function sorted(marking: string): string {
  const parts = marking.split('; ').map((part) => {
    const [name = '', tokens = ''] = part.split(': ');
    return `${name}: ${tokens.replaceAll('served (', 'served(').split(' ').sort().join(' ')}`;
  });
  return parts.join('; ');
}

function countsIn({ layout, memory, runs, petri }: CompactExploration, state: number): Float64Array {
  const counts = new Float64Array(petri.places.length);
  unpack(layout, memory.ints, memory.arenaAt / 4 + runs.slotOf(state) * layout.words, counts);
  return counts;
}

/** A space that begins with state `first`. */
const shifted = (space: StateSpace, first: number): StateSpace =>
  ({ net: space.net, marking: (s: number) => space.marking(first + s) }) as StateSpace;

const slices = fc.constantFrom(1, 7, 64, 4096);

describe.each([
  ['compiled steps', Number.POSITIVE_INFINITY],
  ['steps from a table', 1],
])('with 62 bits and %s', (_, manySteps) => {
  test('finds what the reference finds: markings by distance, steps, dead markings, maxima', {
    timeout: 600_000,
  }, () => {
    const seen = { complete: 0, timed: 0, dead: 0, resets: 0, states: 0 };
    fc.assert(
      fc.property(finiteNet, slices, fc.nat(1e6), (net, slice, seed) => {
        const petri = flat(net);
        fc.pre(petri !== undefined);
        const expected = exploreReference(net, 300);
        fc.pre(expected.complete && expected.failures.size === 0);
        const running = new CompactExploration(petri!, { seed }, { manySteps });
        const { texts, degrees, enabled } = collected(running, slice);
        const { space } = running;
        const steps = new Map([...expected.steps].map(([text, list]) => [sorted(text), list.length]));
        const levels = space.levels.map((from, k) => texts.slice(from, space.levels[k + 1]).sort());
        expect(levels).toEqual(expected.levels.map((level) => level.map(sorted).sort()));
        expect(degrees).toEqual(texts.map((text) => steps.get(text)));
        expect(space.edges).toBe([...expected.steps.values()].reduce((sum, list) => sum + list.length, 0));
        expect([space.maxTokensPerMarking, space.maxTokensInPlace]).toEqual([
          expected.maxTokensPerMarking,
          expected.maxTokensInPlace,
        ]);
        const general = exploration(net, { engine: 'general' });
        while (general.advance(1e5));
        expect(enabled).toEqual(
          net.transitions.map((_, t) => general.space.enabled([t], 0, general.space.states).reduce((a, b) => a + b, 0)),
        );
        expect([space.complete, space.exhausted, space.truncation]).toEqual([false, true, undefined]);
        expect(space.omission).toEqual(omissionOf(texts.length, space.omission.bits));
        seen.complete++;
        seen.states += texts.length;
        if (degrees.includes(0)) seen.dead++;
        if (net.transitions.some((t) => t.delay !== undefined)) seen.timed++;
        if (petri!.transitions.some((t) => t.resets.length > 0)) seen.resets++;
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(seen.complete).toBeGreaterThan(atFullEffort(RUNS / 4));
    expect(Math.min(seen.dead, seen.timed, seen.resets)).toBeGreaterThan(atFullEffort(20));
  });
});

test('paths to states replay, and are as long as the distance', { timeout: 600_000 }, () => {
  let paths = 0;
  fc.assert(
    fc.property(
      finiteNet,
      slices,
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1 }),
      (net, slice, at) => {
        const petri = flat(net);
        fc.pre(petri !== undefined);
        const running = new CompactExploration(petri!, { maxStates: 2000 });
        const { counts: texts } = collected(running, slice);
        const { states, edges, levels, truncation } = running.space;
        const goals = at.map((x) => Math.floor(x * states));
        const found = running.sequences(goals, () => false)!;
        for (const [k, path] of found.entries()) {
          const counts = Float64Array.from(petri!.places, (p) => p.initial);
          for (const t of path) happen(petri!.transitions[t]!, counts);
          expect(path.length).toBe(levels.findLastIndex((first) => first <= goals[k]!));
          expect(counts.join()).toBe(texts[goals[k]!]);
          paths++;
        }
        expect([running.states, running.edges, running.truncation]).toEqual([states, edges, truncation]);
        expect(running.sequences(goals, () => false)).toEqual(found);
      },
    ),
    { numRuns: RUNS, seed: SEED + 1 },
  );
  expect(paths).toBeGreaterThan(atFullEffort(RUNS));
});

/** A counter that outgrows its field again and again: rows are packed anew, hashes stay. */
test('wider fields neither lose nor repeat states', () => {
  const counters = netOf({
    places: { a: { tokens: 1 }, b: {} },
    transitions: { more: { inputs: [take('a')], outputs: [put('a'), put('b')] } },
  });
  const running = new CompactExploration(flatten(counters), { maxStates: 100_000 });
  for (let more = true; more; void running.space.maxTokensInPlace) more = running.advance(1000);
  expect([running.states, running.truncation, running.space.maxTokensInPlace]).toEqual([100_000, 'states', 99_999]);
});

test('a table is doubled in place without losing a hash', { timeout: 120_000 }, () => {
  // The philosophers of the Model Checking Contest have 3ⁿ markings.
  const running = new CompactExploration(flatten(philosophers(12)), {});
  while (running.advance(1 << 15));
  expect([running.states, running.memory.entries]).toEqual([3 ** 12, 2 ** 20]);
});

/**
 * The bound says: a search omits a state and states a bound of at most α with a probability of at most α, over the seeds. Small
 * primes make this frequent enough to be counted.
 */
test('few bits omit states, within the stated bound', { timeout: 600_000 }, () => {
  const seeds = effort(4000);
  let omitted = 0;
  for (const [net, states] of [
    [philosophers(3), 27],
    [philosophers(4), 81],
    [philosophers(5), 243],
  ] as const)
    for (const prime of [61, 127, 251]) {
      const petri = flatten(net);
      const stated: number[] = [];
      for (let seed = 1; seed <= seeds / 9; seed++) {
        const running = new CompactExploration(petri, { seed }, { prime });
        while (running.advance(4096));
        expect(running.states).toBeLessThanOrEqual(states);
        expect(running.space.complete).toBe(false);
        if (running.states < states) stated.push(running.space.omission.probability);
      }
      omitted += stated.length;
      const runs = Math.floor(seeds / 9);
      for (const alpha of [0.01, 0.05, 0.1, 0.3, 0.6]) {
        const within = stated.filter((bound) => bound <= alpha).length;
        // Five standard deviations.
        if (FULL_EFFORT) expect(within).toBeLessThanOrEqual(alpha * runs + 5 * Math.sqrt(alpha * (1 - alpha) * runs));
      }
    }
  expect(omitted).toBeGreaterThan(atFullEffort(100));
});

test('another seed gives other hashes, the same seed the same search', () => {
  const petri = flatten(philosophers(5));
  const found = (seed: number): string => {
    const running = new CompactExploration(petri, { seed }, { prime: 61 });
    while (running.advance(64));
    return `${running.states} ${running.edges}`;
  };
  const all = Array.from({ length: 20 }, (_, seed) => found(seed));
  expect(new Set(all).size).toBeGreaterThan(3);
  expect(Array.from({ length: 20 }, (_, seed) => found(seed))).toEqual(all);
});

test('the bound of the probability of an omission', () => {
  expect(omissionOf(1, 62)).toEqual({ probability: 2 ** -62, bits: 62 });
  expect(omissionOf(1e8, 62).probability).toBeCloseTo(5e15 / 2 ** 62, 10);
  expect(omissionOf(1000, 8)).toEqual({ probability: 1, bits: 8 });
});

test('predecessors of two bits per state', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3), { maxLength: 300 }), fc.nat(), (children, pick) => {
      const from: number[] = [0];
      const noted = new Predecessors();
      for (const [state, count] of children.entries())
        if (state < from.length)
          for (let k = 0; k < count; k++) {
            from.push(state);
            noted.add(state);
          }
      const goal = pick % from.length;
      const path = [goal];
      while (path[0] !== 0) path.unshift(from[path[0]!]!);
      expect(noted.paths([goal, 0, goal])).toEqual([path, [0], path]);
    }),
  );
});

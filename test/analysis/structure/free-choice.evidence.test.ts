import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { degrees } from '../../../src/analysis/space/degrees.ts';
import { explore } from '../../../src/analysis/space/explore.ts';
import { findings } from '../../../src/analysis/space/findings.ts';
import { type FreeChoice, freeChoice } from '../../../src/analysis/structure/free-choice/free-choice.ts';
import { rankOf } from '../../../src/analysis/structure/free-choice/matrix-rank.ts';
import { wellFormed } from '../../../src/analysis/structure/free-choice/well-formed.ts';
import { petriOf } from '../../../src/analysis/structure/plain-petri.ts';
import { arcsOf } from '../../../src/analysis/structure/siphons.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { effort } from '../../effort.ts';
import {
  type Draft,
  joinedChoice,
  freeChoice as liveAndSafe,
  mergedFork,
  netOf,
  refined,
  unmarkedSiphon,
} from './large-nets.ts';

const MAX_STATES = 3000;

/** Random clusters: places that only transitions with all of them as input share. */
const clusters = fc.integer({ min: 2, max: 6 }).chain((places) =>
  fc.record({
    tokens: fc.array(fc.constantFrom(0, 0, 1, 1, 2), { minLength: places, maxLength: places }),
    // Places with the same number here are a cluster; most clusters have one place.
    cluster: fc.array(fc.nat(Math.max(1, places - 2)), { minLength: places, maxLength: places }),
    outputs: fc.array(
      fc.array(fc.uniqueArray(fc.nat(places - 1), { minLength: 0, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      { minLength: places, maxLength: places },
    ),
  }),
);
const random = clusters.map(({ tokens, cluster, outputs }): Draft => {
  const net: Draft = { tokens, takes: [], puts: [] };
  for (const c of new Set(cluster)) {
    const members = cluster.flatMap((own, p) => (own === c ? [p] : []));
    for (const puts of outputs[c]!) {
      net.takes.push(members);
      net.puts.push(puts);
    }
  }
  return net;
});

/**
 * Rings that share transitions, and alternatives between places of a ring: many are live and bounded, and few can be reduced
 * to one place.
 */
const woven = fc
  .record({
    transitions: fc.integer({ min: 2, max: 5 }),
    rings: fc.array(fc.tuple(fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 4 }), fc.nat(3)), {
      minLength: 1,
      maxLength: 4,
    }),
    jumps: fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 3 }),
  })
  .map(({ transitions, rings, jumps }): Draft => {
    const net: Draft = {
      tokens: [],
      takes: Array.from({ length: transitions }, () => []),
      puts: Array.from({ length: transitions }, () => []),
    };
    for (const [all, marked] of rings) {
      const ring = all.filter((t) => t < transitions);
      ring.forEach((t, k) => {
        const p = net.tokens.push(k === marked % ring.length ? 1 : 0) - 1;
        net.puts[t]!.push(p);
        net.takes[ring[(k + 1) % ring.length]!]!.push(p);
      });
    }
    const alone = net.tokens.flatMap((_, p) => (net.takes.every((l) => !l.includes(p) || l.length === 1) ? [p] : []));
    if (alone.length > 0)
      for (const [from, to] of jumps) {
        net.takes.push([alone[from % alone.length]!]);
        net.puts.push([alone[to % alone.length]!]);
      }
    return net;
  })
  .filter((net) => net.takes.every((list) => list.length > 0));

const block = fc.record({
  size: fc.integer({ min: 4, max: 5 }),
  edges: fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { maxLength: 4 }),
});

/** A fork and a join with a random state machine in each of two branches, which local rules cannot reduce to a place. */
const blocks = fc.tuple(fc.array(block, { minLength: 2, maxLength: 2 }), fc.nat(3)).map(([branches, fault]): Draft => {
  const net: Draft = { tokens: [1], takes: [[0], []], puts: [[], [0]] };
  for (const { size, edges } of branches) {
    const first = net.tokens.length;
    for (let k = 0; k < size; k++) net.tokens.push(0);
    const end = net.tokens.push(0) - 1;
    net.puts[0]!.push(first);
    net.takes[1]!.push(end);
    net.takes.push([end - 1]);
    // In some nets an alternative leads back to the fork without its other branch.
    net.puts.push([fault === 0 ? 0 : end]);
    if (fault === 0) {
      net.takes.push([end - 1]);
      net.puts.push([end]);
    }
    const all = [...edges, ...Array.from({ length: 2 * size }, (_, k) => [k, k + 1 + Math.floor(k / size)] as const)];
    for (const [from, to] of all) {
      net.takes.push([first + (from % size)]);
      net.puts.push([first + (to % size)]);
    }
  }
  return net;
});

const larger = fc
  .tuple(fc.oneof(random, woven), fc.nat(8), fc.nat(1000))
  .map(([net, more, seed]) => refined(net, net.tokens.length + net.takes.length + more, seed + 1));

function decided(net: Draft): FreeChoice | undefined {
  const petri = petriOf(netOf(net));
  return freeChoice(petri, arcsOf(petri));
}

describe('verdicts on free-choice nets', () => {
  test('agree with the explored markings, and live bounded nets are proved', () => {
    const seen = { live: 0, dead: 0, between: 0, byRank: 0 };
    fc.assert(
      fc.property(fc.oneof(random, woven, blocks, larger), (draft) => {
        const found = decided(draft)!;
        expect(found).toBeDefined();
        const space = explore(netOf(draft), { maxStates: MAX_STATES });
        const dead = degrees(space, undefined, undefined, () => false)!.dead;
        if (dead > 0) expect(found.deadlockFree).not.toBe(true);
        if (!space.complete) return;
        const isLive = findings(space).verdicts.live.value;
        seen[dead > 0 ? 'dead' : isLive ? 'live' : 'between']++;
        if (found.because.includes('rank theorem')) seen.byRank++;
        if (found.deadlockFree !== undefined) expect(found.deadlockFree).toBe(dead === 0);
        if (found.live !== undefined) expect(found.live).toBe(isLive);
        if (isLive) expect([found.live, found.deadlockFree]).toEqual([true, true]);
        // Parts are small: nothing stays open.
        expect(found.deadlockFree).toBeDefined();
      }),
      { numRuns: Math.max(400, effort(750)) },
    );
    expect(Math.min(seen.live, seen.dead, seen.between, seen.byRank)).toBeGreaterThan(5);
  });

  test.each([
    ['live and safe', liveAndSafe, true, true],
    ['a choice that ends in a join', joinedChoice, false, false],
    ['a fork that ends in a merge', mergedFork, true, true],
    ['an unmarked siphon', unmarkedSiphon, false, false],
  ])('hold for refined nets: %s', (_, make, deadlockFree, live) => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.integer({ min: 5, max: 300 }), (seed, nodes) => {
        expect(decided(make(nodes, seed + 1))).toMatchObject({ deadlockFree, live });
      }),
      { numRuns: Math.max(10, effort(150)) },
    );
  });

  test('are not given for other nets', () => {
    const n = new NetBuilder('asymmetric');
    const [a, b] = [n.place('a', {}, { initial: 1 }), n.place('b', {}, { initial: 1 })];
    n.transition('both', (t) => {
      t.take(a);
      t.take(b);
    });
    n.transition('one', (t) => t.take(a));
    const petri = petriOf(n.build());
    expect(freeChoice(petri, arcsOf(petri))).toBeUndefined();
  });
});

/** Numbers by row. */
const matrix = fc.array(fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 5, maxLength: 5 }), { maxLength: 6 });

test('the rank is that of an elimination with fractions', () => {
  fc.assert(
    fc.property(matrix, (rows) => {
      const sparse = rows.map((row) => new Map(row.flatMap((n, c) => (n === 0 ? [] : [[c, n] as const]))));
      expect(rankOf(sparse, 5, { left: 1e6, stop: () => false })).toBe(denseRank(rows));
    }),
  );
});

/** Bareiss' elimination: divisions are exact. */
function denseRank(given: readonly (readonly number[])[]): number {
  const rows = given.map((row) => [...row]);
  let rank = 0;
  let last = 1;
  for (let c = 0; c < 5; c++) {
    const pivot = rows.findIndex((row, r) => r >= rank && row[c] !== 0);
    if (pivot < 0) continue;
    [rows[rank], rows[pivot]] = [rows[pivot]!, rows[rank]!];
    const by = rows[rank]!;
    for (let r = rank + 1; r < rows.length; r++) {
      const row = rows[r]!;
      rows[r] = row.map((n, k) => (n * by[c]! - row[c]! * by[k]!) / last);
    }
    last = by[c]!;
    rank++;
  }
  return rank;
}

test('well-formed nets without local reductions are recognised', () => {
  // Two rings of places 0 1 and 2 3 that share transition 0, with an alternative to each other transition.
  const net = {
    places: 4,
    before: [[5], [4], [6], [4], [0, 2], [1], [3], [1], [3]],
    after: [[4], [5, 7], [4], [6, 8], [1, 3], [0], [2], [0], [2]],
  };
  const before = net.before.map((l) => [...l]);
  before[0]!.push(7);
  before[2]!.push(8);
  const work = { left: 1e6, stop: () => false };
  expect(wellFormed({ ...net, before }, work)).toEqual({ covered: true, value: true });
  // Alternatives that change places between the rings keep the sums of tokens, but not what the rings wait for.
  const after = net.after.map((l) => [...l]);
  after[7] = [2];
  after[8] = [0];
  const crossed = before.map((l) => [...l]);
  crossed[0] = [5, 8];
  crossed[2] = [6, 7];
  expect(wellFormed({ places: 4, before: crossed, after }, work).value).not.toBe(true);
  expect(wellFormed({ ...net, before }, { ...work, left: 1 })).toEqual({ covered: false, value: undefined });
});

describe('nets of 100,000 places and transitions', () => {
  test.each([
    ['live and safe', liveAndSafe, true, true],
    ['a choice that ends in a join', joinedChoice, false, false],
    ['a fork that ends in a merge', mergedFork, true, true],
    ['an unmarked siphon', unmarkedSiphon, false, false],
  ])('are decided in a number of steps proportional to their size: %s', (_, make, deadlockFree, live) => {
    for (const nodes of [10_000, 100_000]) {
      const found = decided(make(nodes, 7))!;
      expect(found).toMatchObject({ deadlockFree, live });
      expect(found.left).toBeLessThan(10);
      // Each arc is added once at the beginning, and a node is merged into a larger one.
      expect(found.work).toBeLessThan(6 * nodes);
    }
  });

  test('of chains behind a hub are merged in almost linear time', () => {
    const nodes = 20_000;
    // A choice of many alternatives, their merge, and a long sequence behind it, which would move the hub at each step.
    const net: Draft = { tokens: [1, 0], takes: [], puts: [] };
    for (let k = 0; k < nodes; k++) {
      net.takes.push([0]);
      net.puts.push([1, net.tokens.push(0) - 1]);
      net.takes.push([net.tokens.length - 1]);
      net.puts.push([]);
    }
    for (let k = 0; k < nodes; k++) {
      net.takes.push([k === 0 ? 1 : net.tokens.length - 1]);
      net.puts.push([k === nodes - 1 ? 0 : net.tokens.push(0) - 1]);
    }
    const found = decided(net)!;
    expect(found.live).toBe(true);
    expect(found.work).toBeLessThan(20 * nodes);
  });

  test('of many state machines between forks and joins need few components for the rank theorem', () => {
    const work = [320, 3200].map((rounds) => {
      const found = decided(ringOfBlocks(rounds))!;
      expect([found.live, found.deadlockFree]).toEqual([true, true]);
      expect(found.because).toContain('rank theorem');
      return found.work;
    });
    expect(work[1]!).toBeLessThan(12 * work[0]!);
  });

  test('end soon after a stop', () => {
    const petri = petriOf(netOf(liveAndSafe(100_000)));
    let calls = 0;
    expect(freeChoice(petri, arcsOf(petri), { stop: () => ++calls > 3 })).toBeUndefined();
    expect(calls).toBeLessThan(8);
  });
});

/** A ring of forks and joins with a state machine of four places in each branch: 31 nodes a round, few of which rules remove. */
function ringOfBlocks(rounds: number): Draft {
  const net: Draft = { tokens: Array.from({ length: rounds }, (_, k) => (k === 0 ? 1 : 0)), takes: [], puts: [] };
  const transition = (takes: number[], puts: number[]): void => {
    net.takes.push(takes);
    net.puts.push(puts);
  };
  for (let k = 0; k < rounds; k++) {
    const firsts = [0, 1].map(() => {
      const first = net.tokens.push(0, 0, 0, 0, 0) - 5;
      for (let i = 0; i < 4; i++) for (const by of [1, 2]) transition([first + i], [first + ((i + by) % 4)]);
      transition([first + 3], [first + 4]);
      return first;
    });
    transition([k], firsts);
    transition(
      firsts.map((first) => first + 4),
      [(k + 1) % rounds],
    );
  }
  return net;
}

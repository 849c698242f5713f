import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeSemiflows } from '../../../src/analysis/flows/place-flows.ts';
import { degrees } from '../../../src/analysis/space/degrees.ts';
import { explore } from '../../../src/analysis/space/explore.ts';
import { findings } from '../../../src/analysis/space/findings.ts';
import { isLiveMarkedGraph } from '../../../src/analysis/structure/linear-proofs.ts';
import { petriOf } from '../../../src/analysis/structure/plain-petri.ts';
import { quickProofs } from '../../../src/analysis/structure/quick-proofs.ts';
import { arcsOf } from '../../../src/analysis/structure/siphons.ts';
import { structureOf } from '../../../src/analysis/structure/structure.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';
import { netOf as netOfParts, put, reset, take } from '../../reference/nets.ts';

/** A net of places with tokens and transitions with input and output places, weights 1. */
function netOf(tokens: readonly number[], transitions: readonly (readonly [number[], number[]])[]): Net {
  const n = new NetBuilder('random');
  const places = tokens.map((initial, p) => n.place(`p${p}`, {}, { initial }));
  transitions.forEach(([takes, puts], t) => {
    n.transition(`t${t}`, (b) => {
      for (const p of takes) b.take(places[p]!);
      for (const p of puts) b.put(places[p]!, {});
    });
  });
  return n.build();
}

const placesOf = (min: number) => fc.uniqueArray(fc.nat(3), { minLength: min, maxLength: 2 });
const small = fc
  .tuple(
    fc.array(fc.nat(1), { minLength: 4, maxLength: 4 }),
    fc.array(fc.tuple(placesOf(1), placesOf(0)), { minLength: 1, maxLength: 6 }),
  )
  .map(([tokens, transitions]) => netOf(tokens, transitions));

/** A marked graph: each place leads from one transition to another. */
const markedGraph = fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.nat(1)), { minLength: 4, maxLength: 8 }).map((arcs) => {
  // Each transition gets an input place: a ring through all of them.
  const all = [...arcs, ...[0, 1, 2, 3].map((t): [number, number, number] => [t, (t + 1) % 4, t === 0 ? 1 : 0])];
  const of = (end: 0 | 1, t: number): number[] => all.flatMap((arc, p) => (arc[end] === t ? [p] : []));
  return netOf(
    all.map(([, , tokens]) => tokens),
    [0, 1, 2, 3].map((t): [number[], number[]] => [of(1, t), of(0, t)]),
  );
});

describe('proofs in linear time', () => {
  test('of deadlock freedom agree with the explored markings', () => {
    let proved = 0;
    fc.assert(
      fc.property(fc.oneof(small, markedGraph), (net) => {
        const petri = petriOf(net);
        const arcs = arcsOf(petri);
        if (quickProofs(petri, arcs).deadlockFree?.value !== true) return;
        proved++;
        const space = explore(net, { maxStates: 500 });
        expect(degrees(space, undefined, undefined, () => false)!.dead).toBe(0);
      }),
      { numRuns: Math.max(300, effort(2500)) },
    );
    expect(proved).toBeGreaterThan(20);
  });

  test('of the liveness of marked graphs are exact', () => {
    const seen = { live: 0, other: 0 };
    fc.assert(
      fc.property(markedGraph, (net) => {
        const petri = petriOf(net);
        const space = explore(net, { maxStates: 5000 });
        fc.pre(space.complete);
        const isLive = isLiveMarkedGraph(petri, arcsOf(petri));
        seen[isLive ? 'live' : 'other']++;
        expect(isLive).toBe(findings(space).verdicts.live.value);
      }),
      { numRuns: Math.max(100, effort(1000)) },
    );
    expect(Math.min(seen.live, seen.other)).toBeGreaterThan(5);
  });
});

test('connected places conserve their tokens where the search for semiflows gives up', () => {
  const n = 300;
  const transitions = Array.from({ length: 3 * n }, (_, k): [number[], number[]] => [
    [k % n],
    [(k * 7919 + Math.floor(k / n) * 101 + 1) % n],
  ]);
  const net = netOf(
    Array.from({ length: n }, (_, p) => (p === 0 ? 1 : 0)),
    transitions,
  );
  // The components of a state machine are all its semiflows.
  const { flows, complete } = placeSemiflows(petriOf(net), 10);
  expect([flows.length, complete]).toEqual([1, true]);
  const paired = netOf(
    Array.from({ length: n }, (_, p) => (p === 0 ? 1 : 0)),
    [
      ...transitions,
      [
        [0, 1],
        [2, 3],
      ],
    ],
  );
  expect(placeSemiflows(petriOf(paired), 10).complete).toBe(false);
  const { proofs, verdicts } = structureOf(paired, { effort: 10 });
  expect(proofs.every((proof) => proof?.bound === 1)).toBe(true);
  expect(verdicts.deadlockFree.value).toBe(true);
});

test.each(['a', 'b'])('places connected with a reset place %s conserve nothing', (place) => {
  const petri = petriOf(
    netOfParts({
      places: { a: { tokens: 1 }, b: {}, c: { tokens: 1 }, d: { tokens: 1 }, e: {} },
      transitions: {
        back: { inputs: [take('b')], outputs: [put('a')] },
        forth: { inputs: [take('a')], outputs: [put('b')] },
        reset: { inputs: [take('c'), reset(place)] },
        other: { inputs: [take('d')], outputs: [put('e')] },
      },
    }),
  );
  // The search gives up at once, or it finds all.
  for (const effort of [0, 1000]) {
    const { flows, complete } = placeSemiflows(petri, effort);
    expect(flows.map((flow) => [...flow.keys()])).toEqual([[3, 4]]);
    expect(complete).toBe(effort > 0);
  }
});

test('a search for siphons that gives up does so soon and claims no completeness', () => {
  const n = 3000;
  const ring = netOf(
    Array.from({ length: n }, (_, p) => (p === 0 ? 1 : 0)),
    Array.from({ length: n }, (_, p): [number[], number[]] => [[p], [(p + 1) % n]]),
  );
  const { siphons, verdicts } = structureOf(ring);
  expect(siphons.siphons.complete).toBe(false);
  expect(verdicts.live.value).toBe(true);
});

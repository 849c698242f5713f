import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Petri } from '../../../src/analysis/petri/petri.ts';
import { petriOf } from '../../../src/analysis/structure/plain-petri.ts';
import {
  arcsOf,
  largestClosed,
  listed,
  minimalClosed,
  siphonsOf,
  trapsOf,
} from '../../../src/analysis/structure/siphons.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { philosophers } from '../../net/contest-nets.ts';
import { netOf, put, reset, take } from '../../reference/nets.ts';
import { plainNets } from './random-plain-net.ts';

const NETS = plainNets({ all: true });

/** Definition of a siphon: every transition that adds tokens to it also takes or reads tokens of it. */
function isSiphon({ transitions }: Petri, set: ReadonlySet<number>): boolean {
  return transitions.every(({ needs, change, resets }) => {
    const brings =
      change.some(([p, n]) => n > 0 && set.has(p)) || needs.some(([p]) => set.has(p) && !resets.includes(p));
    return !brings || needs.some(([p]) => set.has(p));
  });
}

/** Definition of a trap: every transition that takes tokens from it or resets a place of it also leaves tokens in it. */
function isTrap({ transitions }: Petri, set: ReadonlySet<number>): boolean {
  return transitions.every(({ needs, change, resets }) => {
    const by = new Map(change);
    const left = (p: number, needed: number): boolean => (resets.includes(p) ? 0 : needed) + (by.get(p) ?? 0) > 0;
    const takes = needs.some(([p]) => set.has(p)) || resets.some((p) => set.has(p));
    return (
      !takes ||
      needs.some(([p, n]) => set.has(p) && left(p, n)) ||
      change.some(([p]) => set.has(p) && left(p, needs.find(([q]) => q === p)?.[1] ?? 0))
    );
  });
}

/** Minimal sets by brute force over all sets of places. */
function minimalSets(places: number, holds: (set: ReadonlySet<number>) => boolean): number[][] {
  const found: number[][] = [];
  const sets = Array.from({ length: (1 << places) - 1 }, (_, k) =>
    Array.from({ length: places }, (_, p) => p).filter((p) => ((k + 1) >> p) & 1),
  ).sort((a, b) => a.length - b.length);
  for (const set of sets)
    if (holds(new Set(set)) && !found.some((other) => other.every((p) => set.includes(p)))) found.push(set);
  return found;
}

const sorted = (sets: readonly (readonly number[])[]): string[] => sets.map((s) => s.join()).sort();

describe('minimal siphons and traps', () => {
  test('agree with the definition', () => {
    let several = 0;
    fc.assert(
      fc.property(NETS, (net) => {
        const petri = petriOf(net);
        const arcs = arcsOf(petri);
        const n = petri.places.length;
        const siphons = minimalClosed(siphonsOf(arcs));
        const traps = minimalClosed(trapsOf(arcs));
        expect([siphons.complete, traps.complete]).toEqual([true, true]);
        expect(sorted(siphons.sets)).toEqual(sorted(minimalSets(n, (set) => isSiphon(petri, set))));
        expect(sorted(traps.sets)).toEqual(sorted(minimalSets(n, (set) => isTrap(petri, set))));
        several += Number(siphons.sets.length > 1) + Number(traps.sets.length > 1);
      }),
      { numRuns: effort(400) },
    );
    expect(several).toBeGreaterThan(atFullEffort(150));
  });

  test('the largest inside a set is the union of all inside it', () => {
    fc.assert(
      fc.property(NETS, fc.nat(), (net, mask) => {
        const petri = petriOf(net);
        const inside = petri.places.flatMap((_, p) => ((mask >> p) & 1 ? [p] : []));
        const all = minimalSets(petri.places.length, (set) => isSiphon(petri, set));
        const largest = listed(
          largestClosed(
            siphonsOf(arcsOf(petri)),
            Uint8Array.from(petri.places, (_, p) => (mask >> p) & 1),
          ),
        );
        expect(largest.length === 0 || isSiphon(petri, new Set(largest))).toBe(true);
        for (const set of all.filter((s) => s.every((p) => inside.includes(p))))
          expect(set.every((p) => largest.includes(p))).toBe(true);
        expect(largest.every((p) => inside.includes(p))).toBe(true);
      }),
    );
  });

  test('a place that is reset without being refilled is in no trap of its own', () => {
    const net = netOf({
      places: { p: { tokens: 1 }, q: {}, s: { tokens: 1 } },
      transitions: { t: { inputs: [take('s'), reset('p')], outputs: [put('q')] } },
    });
    expect(minimalClosed(trapsOf(arcsOf(petriOf(net)))).sets).toEqual([[1]]);
  });

  test('of five dining philosophers', () => {
    const petri = petriOf(philosophers(5));
    const { sets, complete } = minimalClosed(siphonsOf(arcsOf(petri)));
    expect({ siphons: sets.length, complete }).toEqual({ siphons: 26, complete: true });
    expect(minimalClosed(trapsOf(arcsOf(petri))).sets.length).toBe(10);
  });

  test('are truncated by limits', () => {
    const closure = siphonsOf(arcsOf(petriOf(philosophers(5))));
    expect(minimalClosed(closure, { sets: 3 })).toMatchObject({ complete: false, sets: { length: 3 } });
    expect(minimalClosed(closure, { effort: 10 }).complete).toBe(false);
  });
});

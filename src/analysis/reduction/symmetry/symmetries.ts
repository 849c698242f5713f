import type { AtMost, Petri, PetriTransition, Weighted } from '../../space/petri.ts';
import type { Condition } from '../condition.ts';
import { type AutomorphismOptions, automorphisms, type Permutation } from './automorphisms.ts';
import { colouredGraph } from './coloured-graph.ts';

/** Permutations of a net's places and transitions under which it, its initial marking and a condition stay the same. */
export interface Symmetries {
  /**
   * Each product of one permutation (or none) of every layer is one. Those of a layer take its place `base` to others, and
   * leave those of the layers before where they are.
   */
  readonly layers: readonly { readonly base: number; readonly ways: readonly Symmetry[] }[];
  /** How many products there are; Infinity beyond what a number can be. */
  readonly order: number;
}

/** Where each place goes, and each transition. */
export interface Symmetry {
  readonly places: Permutation;
  readonly transitions: Permutation;
}

export type SymmetryOptions = Omit<AutomorphismOptions, 'accept'>;

/**
 * The symmetries of a net: found in its structure, whatever its colours are called, as layers (`automorphisms`). Every one
 * that generates others was checked on every transition, the initial marking and the condition ({@link isSymmetry}). There
 * may be more than are found where a limit is reached.
 *
 * @param condition what is asked of markings, if anything is
 */
export function symmetriesOf(
  petri: Petri,
  condition: Condition | undefined,
  options: SymmetryOptions = {},
): Symmetries {
  const { places, transitions } = petri;
  const parts = (p: Permutation): Symmetry => ({
    places: p.slice(0, places.length),
    transitions: p.slice(places.length, places.length + transitions.length).map((v) => v - places.length),
  });
  const found = automorphisms(colouredGraph(petri, condition), {
    ...options,
    accept: (p) => isSymmetry(petri, condition, parts(p)),
  });
  const layers = found.map(({ base, ways }) => ({ base, ways: [...ways.values()].map(parts) }));
  return {
    // The others have transitions that do the same change places; markings do not tell.
    layers: layers.filter(({ base }) => base < places.length),
    order: layers.reduce((product, { ways }) => product * (ways.length + 1), 1),
  };
}

/** Whether a permutation keeps every transition, the initial marking and a condition. O(size of the net). */
export function isSymmetry(petri: Petri, condition: Condition | undefined, s: Symmetry): boolean {
  const { places, transitions } = petri;
  const to = (p: number): number => s.places[p]!;
  return (
    isPermutation(s.places) &&
    isPermutation(s.transitions) &&
    places.every((p, k) => places[to(k)]!.initial === p.initial) &&
    transitions.every((t, k) => {
      const other = transitions[s.transitions[k]!]!;
      if (other === t && placesOf(t).every((p) => to(p) === p)) return true;
      return (
        t.level === other.level &&
        same(t.needs, other.needs, to) &&
        same(t.change, other.change, to) &&
        t.resets.map(to).sort().join() === [...other.resets].sort().join() &&
        limits(t.limits, to) === limits(other.limits, (p) => p)
      );
    }) &&
    (condition === undefined || text(condition, to) === text(condition, (p) => p))
  );
}

function placesOf({ needs, change, limits, resets }: PetriTransition): number[] {
  const sums = limits.length === 0 ? [] : limits.flatMap(({ sum }) => sum);
  return [...needs, ...change, ...sums].map(([p]) => p).concat(resets);
}

function isPermutation(p: Permutation): boolean {
  return new Set(p).size === p.length && p.every((v) => v >= 0 && v < p.length);
}

function same(a: readonly Weighted[], b: readonly Weighted[], to: (p: number) => number): boolean {
  return sumText(a, to) === sumText(b, (p) => p);
}

function sumText(sum: readonly Weighted[], to: (p: number) => number): string {
  return sum
    .map(([p, n]) => `${to(p)}*${n}`)
    .sort()
    .join('+');
}

function limits(all: readonly AtMost[], to: (p: number) => number): string {
  return all
    .map(({ sum, most }) => `${sumText(sum, to)}<=${most}`)
    .sort()
    .join();
}

/** A condition of which the order of parts does not tell. */
function text(c: Condition, to: (p: number) => number): string {
  if (c.op === 'sum') return `${sumText(c.sum, to)} ${c.relation} ${c.than}`;
  if (!('of' in c)) return c.op;
  const parts = c.of.map((part) => text(part, to)).sort();
  return `${c.op}(${parts.join('; ')})`;
}

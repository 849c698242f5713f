import type { AtMost, Petri, PetriTransition, Weighted } from '../../petri/petri.ts';
import type { Condition } from '../condition.ts';
import { type AutomorphismOptions, automorphisms, type Permutation } from './automorphisms.ts';
import { colouredGraph } from './coloured-graph.ts';

/** Permutations of places and transitions that preserve the net, its initial marking and a condition. */
export interface Symmetries {
  /**
   * Each product of at most one permutation of every layer is a symmetry. The permutations of a layer move its place `base` and
   * fix the bases of earlier layers.
   */
  readonly layers: readonly { readonly base: number; readonly transversal: readonly Symmetry[] }[];
  /** Number of such products; Infinity if it exceeds the range of a double. */
  readonly order: number;
}

/** The images of all places and of all transitions. */
export interface Symmetry {
  readonly places: Permutation;
  readonly transitions: Permutation;
}

export type SymmetryOptions = Omit<AutomorphismOptions, 'accept'>;

/**
 * The symmetries of a net as layers, found in its structure; names and colours are irrelevant. Every generator is checked on
 * all transitions, the initial marking and the condition ({@link isSymmetry}). If a limit is reached, symmetries may be missing.
 *
 * @param condition the queried condition on markings, if any
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
  const layers = found.map(({ base, transversal }) => ({ base, transversal: [...transversal.values()].map(parts) }));
  return {
    // The remaining layers only swap equivalent transitions, which does not affect markings.
    layers: layers.filter(({ base }) => base < places.length),
    order: layers.reduce((product, { transversal }) => product * (transversal.length + 1), 1),
  };
}

/** True if a permutation preserves every transition, the initial marking and a condition. O(size of the net). */
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
    (condition === undefined || conditionKey(condition, to) === conditionKey(condition, (p) => p))
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
  return sumKey(a, to) === sumKey(b, (p) => p);
}

function sumKey(sum: readonly Weighted[], to: (p: number) => number): string {
  return sum
    .map(([p, n]) => `${to(p)}*${n}`)
    .sort()
    .join('+');
}

function limits(all: readonly AtMost[], to: (p: number) => number): string {
  return all
    .map(({ sum, most }) => `${sumKey(sum, to)}<=${most}`)
    .sort()
    .join();
}

/** Canonical string of a condition, independent of the order of its parts. */
function conditionKey(c: Condition, to: (p: number) => number): string {
  if (c.op === 'sum') return `${sumKey(c.sum, to)} ${c.relation} ${c.than}`;
  if (!('of' in c)) return c.op;
  const parts = c.of.map((part) => conditionKey(part, to)).sort();
  return `${c.op}(${parts.join('; ')})`;
}

import type { Petri, PetriTransition, Weighted } from '../space/petri.ts';

/** The arcs of an unfolded net. A transition that only reads a token has an input and an output arc for it. */
export interface Arcs {
  readonly places: number;
  /** By transition: pairs of place and weight. */
  readonly inputs: readonly (readonly Weighted[])[];
  readonly outputs: readonly (readonly Weighted[])[];
  /** By transition: the places that it empties. */
  readonly resets: readonly (readonly number[])[];
  /** By place: transitions that add tokens. */
  readonly producers: readonly (readonly number[])[];
  /** By place: transitions that need tokens. */
  readonly consumers: readonly (readonly number[])[];
}

/** The arcs of an unfolded net. O(size of the net). */
export function arcsOf({ places, transitions }: Pick<Petri, 'places' | 'transitions'>): Arcs {
  const outputs = transitions.map(outputsOf);
  const producers = places.map((): number[] => []);
  const consumers = places.map((): number[] => []);
  transitions.forEach(({ needs }, t) => {
    for (const [p] of needs) consumers[p]!.push(t);
    for (const [p] of outputs[t]!) producers[p]!.push(t);
  });
  return {
    places: places.length,
    inputs: transitions.map((t) => t.needs),
    outputs,
    resets: transitions.map((t) => t.resets),
    producers,
    consumers,
  };
}

function outputsOf({ needs, change, resets }: PetriTransition): Weighted[] {
  const out = new Map<number, number>();
  for (const [p, n] of needs) if (!resets.includes(p)) out.set(p, n);
  for (const [p, n] of change) out.set(p, (out.get(p) ?? 0) + n);
  return [...out].filter(([, n]) => n > 0).sort(([a], [b]) => a - b);
}

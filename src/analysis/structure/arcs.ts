import type { Petri, PetriTransition, Weighted } from '../space/petri.ts';

/** The arcs of a net without colours: a token that is only read has one there and one back. */
export interface Arcs {
  readonly places: number;
  /** By transition: places and weights. */
  readonly inputs: readonly (readonly Weighted[])[];
  readonly outputs: readonly (readonly Weighted[])[];
  /** Places that a transition empties, whatever they hold. */
  readonly resets: readonly (readonly number[])[];
  /** By place: transitions. */
  readonly producers: readonly (readonly number[])[];
  readonly consumers: readonly (readonly number[])[];
}

/** O(size of the net). */
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

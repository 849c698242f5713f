import type { StateGraph, StateSpace } from './state-space.ts';

/** Out-degrees (number of enabled steps) of the states found, and the dead states. */
export interface Degrees {
  /** Minimum out-degree. */
  readonly least: number;
  /** Maximum out-degree. */
  readonly most: number;
  readonly mean: number;
  /** Number of dead states. */
  readonly dead: number;
  /** The first of the dead states, at most {@link FIRST_DEAD}. */
  readonly firstDead: readonly number[];
  /** Number of dead states that are not final; all dead states if no final markings are given. */
  readonly stuck: number;
  /** The first of these, at most {@link FIRST_DEAD}. */
  readonly firstStuck: readonly number[];
}

/** A marking is final if these places together hold exactly `tokens` tokens. */
export interface FinalMarking {
  readonly places: readonly number[];
  readonly tokens: number;
}

/** Final markings: one condition, or alternatives, each a list of conditions that must all hold. */
export type FinalMarkings = FinalMarking | readonly (readonly FinalMarking[])[];

/** For the states from … to − 1: 1 if the marking is final. O(states × places of the conditions). */
export function finalStates(space: StateSpace, final: FinalMarkings, from: number, to: number): Uint8Array {
  const markings = 'places' in final ? [[final]] : final;
  const found = new Uint8Array(to - from);
  for (const conditions of markings) {
    const holds = new Uint8Array(to - from).fill(1);
    for (const { places, tokens } of conditions) {
      const sums = space.tokens(places, from, to);
      for (let k = 0; k < holds.length; k++) if (sums[k] !== tokens) holds[k] = 0;
    }
    for (let k = 0; k < holds.length; k++) found[k]! |= holds[k]!;
  }
  return found;
}

const CHUNK = 1 << 16;
/** Maximum number of dead states listed. */
export const FIRST_DEAD = 5;

/**
 * Out-degrees of all states found, or of those from number `first` on, from the graph of a complete space, otherwise from the space. Undefined if `stop` ended it.
 * O(states), or O(states × cost of the steps of a marking).
 */
export function degrees(
  space: StateSpace,
  graph: StateGraph | undefined,
  final: FinalMarkings | undefined,
  stop: () => boolean,
  first = 0,
): Degrees | undefined {
  const firstDead: number[] = [];
  const firstStuck: number[] = [];
  let [min, max, sum, dead, stuck] = [Number.POSITIVE_INFINITY, 0, 0, 0, 0];
  for (let from = first; from < space.states; from += CHUNK) {
    if (stop()) return undefined;
    const to = Math.min(space.states, from + CHUNK);
    const steps = space.complete && graph !== undefined ? rowLengths(graph, from, to) : space.outDegree(from, to);
    let ended: Uint8Array | undefined;
    for (let k = 0; k < to - from; k++) {
      const degree = steps[k]!;
      sum += degree;
      if (degree > max) max = degree;
      if (degree < min) min = degree;
      if (degree > 0) continue;
      if (dead++ < FIRST_DEAD) firstDead.push(from + k);
      if (final !== undefined) {
        ended ??= finalStates(space, final, from, to);
        if (ended[k] === 1) continue;
      }
      if (stuck++ < FIRST_DEAD) firstStuck.push(from + k);
    }
  }
  return { least: min, most: max, mean: sum / (space.states - first), dead, firstDead, stuck, firstStuck };
}

function rowLengths({ start }: StateGraph, from: number, to: number): Int32Array {
  const lengths = new Int32Array(to - from);
  for (let s = from; s < to; s++) lengths[s - from] = start[s + 1]! - start[s]!;
  return lengths;
}

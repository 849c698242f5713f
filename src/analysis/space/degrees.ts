import type { StateGraph, StateSpace } from './state-space.ts';

/** How many steps are possible in the states that were found, and in which of them none is. */
export interface Degrees {
  readonly least: number;
  readonly most: number;
  readonly mean: number;
  /** Dead states: all of them, and the first few by their numbers. */
  readonly dead: number;
  readonly firstDead: readonly number[];
  /** Dead states that are not final, where it is said what is final; otherwise all dead ones. */
  readonly stuck: number;
  readonly firstStuck: readonly number[];
}

/** A marking is final where these places hold exactly so many tokens. */
export interface FinalMarking {
  readonly places: readonly number[];
  readonly tokens: number;
}

const CHUNK = 1 << 16;
/** Dead states that are named. */
export const FIRST_DEAD = 5;

/**
 * Looks at the number of steps of every state that was found: from the graph of a complete space, or else by asking the space.
 * Undefined where `stop` ended it. O(states), or states × the cost of a marking's steps.
 */
export function degrees(
  space: StateSpace,
  graph: StateGraph | undefined,
  final: FinalMarking | undefined,
  stop: () => boolean,
): Degrees | undefined {
  const firstDead: number[] = [];
  const firstStuck: number[] = [];
  let [least, most, sum, dead, stuck] = [Number.POSITIVE_INFINITY, 0, 0, 0, 0];
  for (let from = 0; from < space.states; from += CHUNK) {
    if (stop()) return undefined;
    const to = Math.min(space.states, from + CHUNK);
    const steps = space.complete && graph !== undefined ? rowLengths(graph, from, to) : space.outDegree(from, to);
    let ended: Int32Array | undefined;
    for (let k = 0; k < to - from; k++) {
      const degree = steps[k]!;
      sum += degree;
      if (degree > most) most = degree;
      if (degree < least) least = degree;
      if (degree > 0) continue;
      if (dead++ < FIRST_DEAD) firstDead.push(from + k);
      if (final !== undefined) {
        ended ??= space.tokens(final.places, from, to);
        if (ended[k] === final.tokens) continue;
      }
      if (stuck++ < FIRST_DEAD) firstStuck.push(from + k);
    }
  }
  return { least, most, mean: sum / space.states, dead, firstDead, stuck, firstStuck };
}

function rowLengths({ start }: StateGraph, from: number, to: number): Int32Array {
  const lengths = new Int32Array(to - from);
  for (let s = from; s < to; s++) lengths[s - from] = start[s + 1]! - start[s]!;
  return lengths;
}

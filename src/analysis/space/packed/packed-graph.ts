import type { StateGraph } from '../state-space.ts';
import { OUT_INTS } from './packed-memory.ts';
import type { PackedStore } from './packed-states.ts';

/** States per kernel call. */
const SLICE = 4096;

/**
 * The edges of the first `expanded` of `states` states, found in a second pass that looks up every successor again. Undefined
 * if `stop` ended it.
 */
export function packedGraph(
  store: PackedStore,
  states: number,
  expanded: number,
  edges: number,
  stop: () => boolean = () => false,
): StateGraph | undefined {
  const { kernel, memory, runs } = store;
  const start = edges < 2 ** 32 ? new Uint32Array(states + 1) : new Float64Array(states + 1);
  const targets = new Int32Array(edges);
  const out = memory.outAt / 4;
  const room = OUT_INTS - SLICE;
  let filled = 0;
  const stateOf = runs.states();
  let state = 0;
  for (const [first, end] of runs.ranges(0, expanded, SLICE))
    for (let slot = first; slot < end; ) {
      if (stop()) return undefined;
      const done = kernel.call['link']!(slot, end, room);
      let at = out;
      for (let k = 0; k < done - slot; k++) {
        start[state++] = filled;
        const last = at + memory.ints[out + room + k]!;
        for (; at < last; at++) {
          const target = memory.ints[at]!;
          if (target >= 0) targets[filled++] = stateOf === undefined ? target : stateOf[target]!;
        }
      }
      slot = done;
    }
  start.fill(filled, expanded);
  return { states, edges: filled, start, target: (edge) => targets[edge]! };
}

/** Size of the graph in bytes. */
export const graphBytes = (states: number, edges: number): number =>
  4 * edges + (edges < 2 ** 32 ? 4 : 8) * (states + 1);

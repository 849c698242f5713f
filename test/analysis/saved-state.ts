import { dataOfSaved } from '../../src/base/saved-bytes.ts';
import type { CompiledNet } from '../../src/engine/compile.ts';
import type { QueueState } from '../../src/engine/event-queue.ts';

/**
 * What saved bytes say. An event has room for as many numbers as any event needs: those that it does not use are what was
 * there before, and count for nothing; here they are 0.
 */
export function savedState(bytes: Uint8Array, compiled: CompiledNet): unknown {
  const { game, ...rest } = dataOfSaved(bytes) as { game: Uint8Array };
  const state = dataOfSaved(game) as { queue: QueueState };
  const { width, kinds, values } = state.queue;
  const used = Array.from(kinds, (kind) => numbersOf(kind, compiled));
  const meant = values.map((v, k) => (k % width < used[Math.floor(k / width)]! ? v : 0));
  return { ...rest, game: { ...state, queue: { ...state.queue, values: meant } } };
}

/** How many numbers an event of a kind uses: the variables of a firing, a token and its flow, a token, a clock. */
function numbersOf(kind: number, { transitions, variables, net }: CompiledNet): number {
  if (kind < transitions.length) return variables(transitions[kind]!).length;
  const served = net.places.filter((p) => p.service !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
  const service = served[kind - transitions.length]?.service?.kind;
  return service === 'max-min' || service === 'ps' ? 2 : 1;
}

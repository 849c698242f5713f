import type { MessagePassingMachine } from '../models/message-passing-parts.ts';
import type { Machine } from './machine.ts';
import { mapMessagePassing } from './map-message-passing.ts';
import { messageGap } from './message-gap.ts';
import type { NetworkModel } from './network-model.ts';
import type { Platform } from './platform.ts';
import { rankMemory } from './rank-memory.ts';

/** A machine to run on: a platform, and the description that it was made of, if that is one of the product's own. */
export interface MappedMachine {
  readonly platform: Platform;
  readonly model: NetworkModel;
  readonly description?: Machine;
}

/**
 * Maps the ranks of a message-passing program onto a machine: what {@link mapMessagePassing} takes from the platform,
 * and from the description memory, overhead, noise and the gap between messages. What costs nothing is left out, so that nothing is modelled of
 * it: an overhead of 0, memory that is not known. A platform of SimGrid has none of these.
 * O(ranks + nodes + pairs × route length).
 *
 * @param placement the host (node) of each rank
 * @param pairs the (sender, receiver) that communicate
 */
export function mapMachine(
  machine: MappedMachine,
  placement: Int32Array,
  pairs: { readonly from: Int32Array; readonly to: Int32Array },
): MessagePassingMachine {
  const mapped = mapNetwork(machine, placement, pairs);
  const { description } = machine;
  if (description === undefined) return mapped;
  const { overhead, noise, memoryAccess, storage } = description;
  const memory = rankMemory(description, placement);
  return {
    ...mapped,
    ...(memory === undefined ? {} : { memory, overlapped: memoryAccess === 'overlapped' }),
    ...(overhead.send > 0 || overhead.receive > 0 || overhead.perByte > 0 ? { overhead } : {}),
    ...(noise === undefined ? {} : { noise }),
    ...(storage === undefined ? {} : { storage }),
  };
}

/** As {@link mapMachine}, without what ranks do besides computing and exchanging messages: all that a trace tells of. */
export function mapNetwork(
  { platform, model, description }: MappedMachine,
  placement: Int32Array,
  pairs: { readonly from: Int32Array; readonly to: Int32Array },
): MessagePassingMachine {
  const mapped = mapMessagePassing(platform, model, placement, pairs);
  const gap = messageGap(description?.gap ?? 0, placement, pairs);
  return gap === undefined ? mapped : { ...mapped, gap };
}

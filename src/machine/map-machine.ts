import type { MessagePassingMachine } from '../models/message-passing-parts.ts';
import type { Machine } from './machine.ts';
import { mapMessagePassing } from './map-message-passing.ts';
import { messageGap } from './message-gap.ts';
import type { NetworkModel } from './network-model.ts';
import type { Platform } from './platform.ts';
import { rankMemory } from './rank-memory.ts';

/** The target of a mapping: a platform, its network model and, for a foretoken machine, the description it was made from. */
export interface MappedMachine {
  readonly platform: Platform;
  readonly model: NetworkModel;
  readonly description?: Machine;
}

/**
 * Maps the ranks of a message-passing program onto a machine: the tables of {@link mapMessagePassing}, plus memory,
 * overhead, noise, storage and message gap from the description. Parts without cost, such as an overhead of 0 or an
 * unknown memory, are omitted so that the net does not model them. SimGrid platforms have none of these parts. O(ranks
 * + nodes + pairs × route length).
 *
 * @param placement host (node) of each rank
 * @param pairs the communicating pairs (sender, receiver)
 */
export function mapMachine(
  machine: MappedMachine,
  placement: Int32Array,
  pairs: { readonly from: Int32Array; readonly to: Int32Array },
): MessagePassingMachine {
  const mapped = mapNetwork(machine, placement, pairs);
  const { description } = machine;
  if (description === undefined) return mapped;
  const { overhead, noise, memoryAccess, storage, threads } = description;
  const memory = rankMemory(description, placement);
  return {
    ...mapped,
    ...(memory === undefined ? {} : { memory, overlapped: memoryAccess === 'overlapped' }),
    ...(overhead.send > 0 || overhead.receive > 0 || overhead.perByte > 0 ? { overhead } : {}),
    ...(noise === undefined ? {} : { noise }),
    ...(storage === undefined ? {} : { storage }),
    ...(threads === undefined ? {} : { threadCosts: threads }),
  };
}

/** As {@link mapMachine}, restricted to computation and communication, the only activities recorded in a trace. */
export function mapNetwork(
  { platform, model, description }: MappedMachine,
  placement: Int32Array,
  pairs: { readonly from: Int32Array; readonly to: Int32Array },
): MessagePassingMachine {
  const mapped = mapMessagePassing(platform, model, placement, pairs);
  const gap = messageGap(description?.gap ?? 0, placement, pairs);
  return gap === undefined ? mapped : { ...mapped, gap };
}

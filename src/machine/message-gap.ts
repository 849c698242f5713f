import type { MessageGap } from '../models/message-gap.ts';

/**
 * The interfaces that keep messages apart: one for each node that exchanges messages with another. A message within a
 * node crosses none. O(pairs).
 *
 * @param seconds g of LogGP
 * @param placement the node of each rank
 * @returns undefined where no message is kept apart from another
 */
export function messageGap(
  seconds: number,
  placement: Int32Array,
  pairs: { readonly from: Int32Array; readonly to: Int32Array },
): MessageGap | undefined {
  if (seconds === 0) return undefined;
  const interfaces = new Map<number, number>();
  const interfaceOf = (node: number): number => {
    const known = interfaces.get(node);
    if (known === undefined) interfaces.set(node, interfaces.size);
    return known ?? interfaces.size - 1;
  };
  const from = new Int32Array(pairs.from.length).fill(-1);
  const to = from.slice();
  for (let k = 0; k < from.length; k++) {
    const [source, destination] = [placement[pairs.from[k]!]!, placement[pairs.to[k]!]!];
    if (source === destination) continue;
    from[k] = interfaceOf(source);
    to[k] = interfaceOf(destination);
  }
  return interfaces.size === 0 ? undefined : { interfaces: interfaces.size, seconds, from, to };
}

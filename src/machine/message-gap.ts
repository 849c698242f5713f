import type { MessageGap } from '../models/message-gap.ts';

/**
 * Network interfaces that enforce a minimum gap between messages: one for each node that exchanges messages with
 * another node. Messages within a node cross no interface. O(pairs).
 *
 * @param seconds g of LogGP
 * @param placement node of each rank
 * @returns undefined if the gap is 0 or no pair communicates across nodes
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

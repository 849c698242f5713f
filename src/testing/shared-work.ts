import type { Net } from '../net/net.ts';
import { netHash } from '../net/net-hash.ts';

/** Number of nets per model whose results are kept; the least recently used are dropped. */
const MAX_NETS = 4;

const known = new WeakMap<object, Map<string, Map<string, unknown>>>();

/** Returns the result of a piece of work by name; runs it on first use. */
export type Shared = <T>(work: string, make: () => T) => T;

/**
 * A cache of results shared by the matchers of one model. Keyed by the content of the net, which every matcher builds anew,
 * because data that the model uses may have changed in between. Nets with functions of the host language are not cached:
 * their content does not determine their behaviour. Results live as long as the model, for its 4 most recently used nets.
 */
export function sharedWork(model: object, net: Net): Shared {
  if ((net.functions ?? []).length > 0) return (_, make) => make();
  const nets = known.get(model) ?? new Map<string, Map<string, unknown>>();
  known.set(model, nets);
  const hash = netHash(net);
  const results = nets.get(hash) ?? new Map<string, unknown>();
  // Move to the end of the map: the first entry is the least recently used.
  nets.delete(hash);
  nets.set(hash, results);
  if (nets.size > MAX_NETS) nets.delete(nets.keys().next().value!);
  return <T>(work: string, make: () => T): T => {
    if (!results.has(work)) results.set(work, make());
    return results.get(work) as T;
  };
}

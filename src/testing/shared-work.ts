import type { Net } from '../net/net.ts';
import { netHash } from '../net/net-hash.ts';

/** Nets of one model whose results are kept: those asked about last. */
const MAX_NETS = 4;

const known = new WeakMap<object, Map<string, Map<string, unknown>>>();

/** Gives the result of a piece of work by its name, doing it only where it was not done before. */
export type Shared = <T>(work: string, make: () => T) => T;

/**
 * Results that matchers of one model share. They are kept by the content of the net, which is built anew for every matcher,
 * and not by identity of the model alone: what a model is made of may have changed. Nets that call functions of the host
 * language share nothing, since their content does not show what these do. Results go with the model; of each the last 4
 * nets count.
 */
export function sharedWork(model: object, net: Net): Shared {
  if ((net.functions ?? []).length > 0) return (_, make) => make();
  const nets = known.get(model) ?? new Map<string, Map<string, unknown>>();
  known.set(model, nets);
  const hash = netHash(net);
  const results = nets.get(hash) ?? new Map<string, unknown>();
  // Moved to the end: the first one goes.
  nets.delete(hash);
  nets.set(hash, results);
  if (nets.size > MAX_NETS) nets.delete(nets.keys().next().value!);
  return <T>(work: string, make: () => T): T => {
    if (!results.has(work)) results.set(work, make());
    return results.get(work) as T;
  };
}

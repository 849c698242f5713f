import type { Petri, PetriTransition } from '../petri/petri.ts';
import type { Demand } from './demands.ts';

/** Limits of {@link coverable}. */
export interface BackwardOptions {
  /** Maximum number of demands kept; default 20 000. */
  readonly maxDemands?: number;
  readonly cancelled?: () => boolean;
}

/** Result of {@link coverable}. */
export interface Covered {
  /** True if a reachable marking meets one of the demands; undefined: the search was given up. */
  readonly covered: boolean | undefined;
  /** Transitions from the initial marking to a marking that meets a demand. */
  readonly path?: readonly number[];
  /** Number of minimal demands found, the targets included: a marking that meets one of them can reach a target. */
  readonly demands: number;
}

interface Item {
  readonly demand: Demand;
  readonly by: number;
  readonly after: Item | undefined;
}

const MAX_DEMANDS = 20_000;

/**
 * Decides whether some reachable marking meets one of the demands. Backward search: keeps the minimal demands that lead to a
 * target, and ends when the initial marking meets one or no new demand appears (Abdulla, Čerāns, Jonsson & Tsay 1996;
 * terminates by Dickson's lemma). The net must have no limits and no priorities. Resets are allowed: any number of tokens may
 * precede a reset, and only the tokens that the transition itself produces remain after it. The path returned has the fewest
 * steps. O(demands² × places + demands × arcs).
 */
export function coverable(petri: Petri, targets: readonly Demand[], options: BackwardOptions = {}): Covered {
  const { maxDemands = MAX_DEMANDS, cancelled } = options;
  const queue: Item[] = [];
  const kept: Demand[] = [];
  const add = (item: Item): void => {
    if (kept.some((k) => meets((p) => item.demand.get(p) ?? 0, k))) return;
    kept.push(item.demand);
    queue.push(item);
  };
  const change = petri.transitions.map((t) => new Map(t.change));
  for (const demand of targets) add({ demand, by: -1, after: undefined });
  for (let at = 0; at < queue.length; at++) {
    const item = queue[at]!;
    if (meets((p) => petri.places[p]!.initial, item.demand))
      return { covered: true, path: pathOf(item), demands: kept.length };
    if (kept.length > maxDemands || cancelled?.() === true) return { covered: undefined, demands: kept.length };
    for (const [k, t] of petri.transitions.entries()) {
      const demand = before(t, change[k]!, item.demand);
      if (demand !== undefined && [...demand.values()].some((n) => n > Number.MAX_SAFE_INTEGER))
        return { covered: undefined, demands: kept.length };
      if (demand !== undefined) add({ demand, by: k, after: item });
    }
  }
  return { covered: false, demands: kept.length };
}

function meets(tokens: (place: number) => number, demand: Demand): boolean {
  for (const [p, n] of demand) if (tokens(p) < n) return false;
  return true;
}

/** The minimal demand whose markings meet `after` once `t` has fired; undefined if firing `t` can never meet `after`. */
function before(t: PetriTransition, change: ReadonlyMap<number, number>, after: Demand): Demand | undefined {
  const demand = new Map<number, number>();
  for (const [p, n] of after) {
    const by = change.get(p) ?? 0;
    if (t.resets.includes(p)) {
      if (by < n) return undefined;
    } else if (n > by) demand.set(p, n - by);
  }
  for (const [p, n] of t.needs) demand.set(p, Math.max(demand.get(p) ?? 0, n));
  return demand;
}

function pathOf(item: Item): number[] {
  const path: number[] = [];
  for (let at: Item | undefined = item; at.after !== undefined; at = at.after) path.push(at.by);
  return path;
}

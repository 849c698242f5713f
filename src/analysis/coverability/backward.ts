import type { Petri, PetriTransition } from '../space/petri.ts';
import type { Demand } from './demands.ts';

export interface BackwardOptions {
  /** Most demands to keep; default 20 000. */
  readonly maxDemands?: number;
  readonly cancelled?: () => boolean;
}

/** Whether a demand can be met. */
export interface Covered {
  /** Undefined: given up. */
  readonly covered: boolean | undefined;
  /** The transitions that lead to where it is met. */
  readonly way?: readonly number[];
  /** Least demands from which one is met, as far as they were found. */
  readonly demands: number;
}

interface Item {
  readonly demand: Demand;
  readonly by: number;
  readonly after: Item | undefined;
}

const MOST_DEMANDS = 20_000;

/**
 * Whether a marking can be reached that meets one of the demands: goes back from them, keeping the least demands from which
 * one is met, until the initial marking meets one or nothing new comes (Abdulla, Čerāns, Jonsson & Tsay 1996; ends by
 * Dickson's lemma). The net has no limits and no priorities; resets are allowed: before a reset any number will do, behind
 * it there is what the transition brings. The way is one with the fewest steps. O(demands² × places + demands × arcs).
 */
export function coverable(petri: Petri, targets: readonly Demand[], options: BackwardOptions = {}): Covered {
  const { maxDemands = MOST_DEMANDS, cancelled } = options;
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
      return { covered: true, way: wayOf(item), demands: kept.length };
    if (kept.length > maxDemands || cancelled?.() === true) return { covered: undefined, demands: kept.length };
    for (const [k, t] of petri.transitions.entries()) {
      const demand = before(t, change[k]!, item.demand);
      if (demand !== undefined) add({ demand, by: k, after: item });
    }
  }
  return { covered: false, demands: kept.length };
}

function meets(tokens: (place: number) => number, demand: Demand): boolean {
  for (const [p, n] of demand) if (tokens(p) < n) return false;
  return true;
}

/** The least demand from which a transition leads to where another one is met; undefined where none does. */
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

function wayOf(item: Item): number[] {
  const way: number[] = [];
  for (let at: Item | undefined = item; at.after !== undefined; at = at.after) way.push(at.by);
  return way;
}

import type { PredictionDocument, RankFigures } from './prediction.ts';

/** How the ranks spend their time, as shares of rank time (number of ranks × run time). */
export interface Shares {
  readonly computing: number;
  /** Loading and storing, of a model whose machine has a memory; else 0. */
  readonly memory: number;
  /** Computing and memory together: what a rank does by itself. */
  readonly active: number;
  /** Blocked while a transfer is under way, or before the partner is there; null where a net does not tell which. */
  readonly communicating: number | null;
  readonly waiting: number | null;
  /** Communicating and waiting together. */
  readonly blocked: number;
  readonly idle: number;
}

/** Where the rank time goes in which ranks are not active, each as a share of it; they add up to 1 − active. */
export interface Losses {
  readonly shares: Shares;
  /** What the other ranks lose because some are active longer in all: (max − mean) / run time. */
  readonly imbalance: number;
  /** Transfers under way, as far as the rank that is active longest has time for them beside. */
  readonly transfer: number;
  /** The rest: ranks out of step although their sums agree, sleep, ends at different times. */
  readonly order: number;
  /** Ranks that are active within 1 % of the longest, ascending. */
  readonly heaviest: readonly number[];
  readonly meanActive: number;
  readonly maxActive: number;
  /** Ranks that are never active while others are, such as a master that only serves messages; ascending. */
  readonly inactive: readonly number[];
  /** The part of `imbalance` that those ranks lose; the rest is uneven work among the ranks that are active. */
  readonly inactiveLoss: number;
  /** Mean over the ranks that are active at all. */
  readonly meanWorking: number;
}

/**
 * Splits the ranks' lost time into causes, after the multiplicative model of parallel efficiency (Casas, Badia, Labarta:
 * Automatic phase detection and structure extraction of MPI applications, 2010; POP centre of excellence), in additive
 * form. With C the mean and M the largest time that a rank is active (computes, or loads and stores) and T the run time,
 * the loss 1 − C/T is
 *
 * - imbalance (M − C)/T: even with a perfect network the ranks with less work would lose it; the share of the ranks that
 *   are never active is known separately,
 * - and 1 − M/T, what the rank with most work is not active: up to the mean share of communicating it is transfer,
 *   the rest is order.
 *
 * These are shares of what was predicted, not what would be gained by removing a cause: then the order of events changes.
 * Undefined where there are no ranks or no time passes.
 */
export function lossesOf({ ranks, figures }: PredictionDocument): Losses | undefined {
  const time = figures.runTime.value;
  const count = ranks.length;
  if (count === 0 || !(time > 0)) return undefined;
  const all = count * time;
  let computing = 0;
  let memory = 0;
  let communicating: number | null = 0;
  let waiting: number | null = 0;
  let idle = 0;
  let max = 0;
  for (const rank of ranks) {
    computing += rank.computing;
    memory += rank.memory ?? 0;
    communicating = add(communicating, rank.communicating);
    waiting = add(waiting, rank.waiting);
    idle += rank.idle;
    max = Math.max(max, activeSeconds(rank));
  }
  const shares: Shares = {
    computing: computing / all,
    memory: memory / all,
    active: (computing + memory) / all,
    communicating: communicating === null ? null : communicating / all,
    waiting: waiting === null ? null : waiting / all,
    blocked: Math.max(0, 1 - (computing + memory + idle) / all),
    idle: idle / all,
  };
  const mean = (computing + memory) / count;
  const imbalance = (max - mean) / time;
  const rest = Math.max(0, 1 - max / time);
  const inactive = max > 0 ? ranks.filter((rank) => activeSeconds(rank) === 0).map((rank) => rank.rank) : [];
  const transfer = Math.min(rest, shares.communicating ?? 0);
  return {
    shares,
    imbalance,
    transfer,
    order: rest - transfer,
    heaviest: ranks.filter((rank) => max > 0 && activeSeconds(rank) >= 0.99 * max).map((rank) => rank.rank),
    meanActive: mean,
    maxActive: max,
    inactive,
    inactiveLoss: (inactive.length * max) / all,
    meanWorking: inactive.length === count ? 0 : (computing + memory) / (count - inactive.length),
  };
}

/** How long a rank computes, loads and stores. */
export function activeSeconds({ computing, memory = 0 }: RankFigures): number {
  return computing + memory;
}

function add(sum: number | null, value: number | null): number | null {
  return sum === null || value === null ? null : sum + value;
}

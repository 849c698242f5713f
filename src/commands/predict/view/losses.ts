import type { PredictionDocument, RankFigures } from '../prediction.ts';

/** Time of the ranks by state, as shares of rank time (number of ranks × run time). */
export interface Shares {
  readonly computing: number;
  /** Loading and storing, for models whose machine has a memory; else 0. */
  readonly memory: number;
  /** Computing and memory together. */
  readonly active: number;
  /** Blocked while a transfer is under way, or before the partner is there; null if the net does not distinguish the two. */
  readonly communicating: number | null;
  readonly waiting: number | null;
  /** Communicating and waiting together. */
  readonly blocked: number;
  readonly idle: number;
}

/** Causes of the rank time in which ranks are not active, each as a share of rank time; they add up to 1 − `shares.active`. */
export interface Losses {
  readonly shares: Shares;
  /** Loss of the other ranks because some are active longer in total: (max − mean) / run time. */
  readonly imbalance: number;
  /** Transfers under way, at most the share in which the most active rank is not active. */
  readonly transfer: number;
  /** The rest: dependencies between ranks with equal sums, sleep, different end times. */
  readonly order: number;
  /** Ranks whose active time is within 1 % of the maximum, ascending. */
  readonly heaviest: readonly number[];
  readonly meanActive: number;
  readonly maxActive: number;
  /** Ranks that are never active while others are, such as a master that only serves messages; ascending. */
  readonly inactive: readonly number[];
  /** The part of `imbalance` due to `inactive` ranks; the rest is uneven work among the active ranks. */
  readonly inactiveLoss: number;
  /** Mean over the ranks that are active at all. */
  readonly meanWorking: number;
}

/**
 * Splits the ranks' lost time into causes, following the multiplicative model of parallel efficiency (Casas, Badia, Labarta:
 * Automatic phase detection and structure extraction of MPI applications, 2010; POP centre of excellence), in additive form.
 * Let C be the mean and M the maximum time that a rank is active (computes, or loads and stores), and T the run time. The
 * loss 1 − C/T is the sum of
 *
 * - imbalance (M − C)/T: lost by the ranks with less work even on a perfect network; the part of the ranks that are never
 *   active is also given separately
 * - 1 − M/T, the share in which the rank with most work is not active: transfer up to the mean share of communicating, the
 *   rest is order
 *
 * These shares describe the predicted run. Removing a cause gains a different amount, because the order of events then
 * changes. Undefined if there are no ranks or the run time is 0.
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

/** Seconds in which a rank computes, loads and stores. */
export function activeSeconds({ computing, memory = 0 }: RankFigures): number {
  return computing + memory;
}

function add(sum: number | null, value: number | null): number | null {
  return sum === null || value === null ? null : sum + value;
}

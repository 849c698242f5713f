import type { KnownLoss, SlowHost } from '../../analysis/diagnosis/known-losses.ts';
import type { RegionFigures } from '../../analysis/diagnosis/region-figures.ts';
import type { MeasuredRegion } from '../../analysis/diagnosis/worker-meter.ts';
import { formatAmount } from '../../report/units.ts';
import { slowerNodes } from '../../trace/run/host-speeds.ts';
import { ACTIVITIES } from '../../trace/workers/worker-states.ts';

const COMPUTING = ACTIVITIES.indexOf('computing');

/** Hosts of ranks, and the rank of each worker. */
export interface WorkersOnHosts {
  readonly names: readonly string[];
  /** Mean speed of a core of each host over the run, in flop/s, while all cores compute. */
  readonly speeds: readonly number[];
  readonly hostOf: ArrayLike<number>;
  readonly rankOf: (worker: number) => number;
}

/**
 * The idle time of a region that follows from slower hosts: with the speed of the fastest host everywhere, the rank that computes
 * longest would compute for a shorter time, and all workers would wait less for it. Empty if all hosts are equally fast, or if the
 * slower ones end first.
 */
export function slowerHostLosses(
  { workers }: MeasuredRegion,
  { activities, workerSeconds }: RegionFigures,
  { names, speeds, hostOf, rankOf }: WorkersOnHosts,
): KnownLoss[] {
  /** Seconds of computing of a worker of each rank: sum and number of workers. */
  const ranks = new Map<number, { seconds: number; workers: number }>();
  for (const [worker, totals] of workers) {
    const rank = rankOf(worker);
    const one = ranks.get(rank) ?? { seconds: 0, workers: 0 };
    ranks.set(rank, one);
    one.seconds += totals.activities[COMPUTING]!;
    one.workers++;
  }
  const found = slowerNodes(
    [...ranks.keys()].map((rank) => hostOf[rank]!),
    (host) => speeds[host]!,
  );
  if (found === undefined) return [];
  const { slow, fastest } = found;
  const longest = (of: (rank: number) => number): number =>
    [...ranks].reduce((most, [rank, one]) => Math.max(most, (one.seconds / one.workers) * of(rank)), 0);
  const shorter = longest(() => 1) - longest((rank) => speeds[hostOf[rank]!]! / fastest);
  const seconds = Math.min(activities.idle, shorter * workers.size);
  if (!(seconds > 0)) return [];
  return [
    {
      cause: 'slower-host',
      hosts: slow.map((h): SlowHost => ({ name: names[h]!, speed: speeds[h]!, others: fastest })),
      seconds,
      base: workerSeconds,
      count: slow.length,
      explains: { idle: seconds },
      isInactive: true,
    },
  ];
}

/** `speed of node3: 1.00 Gflop/s → 2.00 Gflop/s, as the others`. */
export function fasterText(hosts: readonly SlowHost[]): string {
  const [first, ...more] = hosts;
  const others = more.length === 0 ? '' : ` and ${more.length} other ${more.length === 1 ? 'host' : 'hosts'}`;
  return `speed of ${first!.name}${others}: ${speedText(first!.speed)} → ${speedText(first!.others)}, as the fastest host`;
}

/** Speed of a core. */
export const speedText = (speed: number): string => formatAmount(speed, 'flop/s');

import type { KnownLoss, SlowHost } from '../../analysis/diagnosis/known-losses.ts';
import type { RegionFigures } from '../../analysis/diagnosis/region-figures.ts';
import type { MeasuredRegion } from '../../analysis/diagnosis/worker-meter.ts';
import type { Host } from '../../machine/platform.ts';
import { meanFullSpeed } from '../../machine/profile.ts';
import { formatAmount } from '../../report/units.ts';
import { ACTIVITIES } from '../../trace/workers/worker-states.ts';

/** A host is slower than the fastest one from this share of its speed on. */
const SLOWER = 0.02;
const COMPUTING = ACTIVITIES.indexOf('computing');

/** Hosts of ranks, and the rank of each worker. */
export interface WorkersOnHosts {
  readonly hosts: readonly Host[];
  readonly hostOf: Int32Array;
  readonly rankOf: (worker: number) => number;
  /** Run time in seconds: speeds of hosts that change are means over it. */
  readonly time: number;
}

/** Mean speed of a core, in flop/s, while all cores compute. */
const speedOf = (host: Host, time: number): number => meanFullSpeed(host, time) / host.cores;

/**
 * The idle time of a region that follows from slower hosts: with the speed of the fastest host everywhere, the rank that computes
 * longest would compute for a shorter time, and all workers would wait less for it. Empty if all hosts are equally fast, or if the
 * slower ones end first.
 */
export function slowerHostLosses(
  { workers }: MeasuredRegion,
  { activities, workerSeconds }: RegionFigures,
  { hosts, hostOf, rankOf, time }: WorkersOnHosts,
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
  const used = [...new Set([...ranks.keys()].map((rank) => hostOf[rank]!))];
  const speeds = new Map(used.map((h) => [h, speedOf(hosts[h]!, time)]));
  const fastest = [...speeds.values()].reduce((a, b) => Math.max(a, b), 0);
  const slow = used
    .filter((h) => speeds.get(h)! < fastest * (1 - SLOWER))
    .sort((a, b) => speeds.get(a)! - speeds.get(b)! || a - b);
  if (slow.length === 0) return [];
  const longest = (of: (rank: number) => number): number =>
    [...ranks].reduce((most, [rank, one]) => Math.max(most, (one.seconds / one.workers) * of(rank)), 0);
  const shorter = longest(() => 1) - longest((rank) => speeds.get(hostOf[rank]!)! / fastest);
  const seconds = Math.min(activities.idle, shorter * workers.size);
  if (!(seconds > 0)) return [];
  return [
    {
      cause: 'slower-host',
      hosts: slow.map((h): SlowHost => ({ name: hosts[h]!.name, speed: speeds.get(h)!, others: fastest })),
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

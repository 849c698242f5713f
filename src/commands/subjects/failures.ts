import type { NetworkModel } from '../../machine/network-model.ts';
import type { Platform } from '../../machine/platform.ts';
import { failsAt } from '../../machine/profile.ts';
import type { BlockedRank, Failure } from '../inputs/document-parts.ts';

/** The sender and the receiver of a message. */
type Pair = readonly [from: number, to: number];

/** A finished run, with the data that identify the failures that stopped it. */
interface StoppedRun {
  readonly platform: Platform;
  readonly model: NetworkModel;
  /** Host of each rank. */
  readonly placement: Int32Array;
  /** End of each rank in seconds, NaN if it has not ended. */
  readonly ended: Float64Array;
  /** End of the run, in seconds. */
  readonly time: number;
  /** Messages that are left in the network: nothing but a failure keeps them there. */
  readonly lost: readonly Pair[];
}

/**
 * The failures of hosts and links that affected a run, and its blocked ranks, including those that stopped on a failed host. A rank stops when its host
 * fails, and messages that cross a failed link, or begin or end at a failed host, are lost. Failures that concern no rank are left out.
 * O(ranks + lost messages × route length).
 */
export function withFailures(
  blocked: readonly BlockedRank[],
  run: StoppedRun,
): { readonly deadlock: readonly BlockedRank[]; readonly failures?: readonly Failure[] } {
  const { platform, placement, ended, time } = run;
  const { hosts } = platform;
  const failures: { -readonly [K in keyof Failure]: Failure[K] }[] = [];
  const stopped = new Map<number, Failure>();
  for (const h of [...new Set(placement)].sort((a, b) => a - b)) {
    const at = failsAt(hosts[h]!.profiles?.state, time);
    if (at === undefined) continue;
    const ranks = [...placement.keys()].filter((rank) => placement[rank] === h && !(ended[rank]! < at));
    if (ranks.length === 0) continue;
    const failure = { kind: 'host' as const, name: hosts[h]!.name, time: at, ranks };
    failures.push(failure);
    for (const rank of ranks) stopped.set(rank, failure);
  }
  failures.push(...failedLinks(run, stopped));
  if (failures.length === 0) return { deadlock: blocked };
  const known = new Set(blocked.map(({ rank }) => rank));
  const all = blocked.map((one): BlockedRank => {
    const failure = stopped.get(one.rank);
    if (failure === undefined) return one;
    return { ...one, waitsFor: [], since: failure.time, failed: failure.name };
  });
  // A rank that was asleep on a failed host ends in the net, but not on the machine.
  for (const [rank, { name, time: since }] of stopped)
    if (!known.has(rank)) all.push({ rank, operation: 'end', file: '', line: 0, waitsFor: [], since, failed: name });
  return { deadlock: all.sort((a, b) => a.rank - b.rank), failures };
}

/** The time at which the host of a rank fails, or the end of the run; undefined if no host fails. */
export function stopsOf(
  { hosts }: Platform,
  placement: Int32Array,
  time: number,
): ((rank: number) => number) | undefined {
  if (hosts.every(({ profiles }) => profiles?.state === undefined)) return undefined;
  return (rank) => failsAt(hosts[placement[rank]!]!.profiles?.state, time) ?? time;
}

/** The failed links on the routes of lost messages whose sender and receiver have not failed. */
function failedLinks(
  { platform, model, placement, time, lost }: StoppedRun,
  stopped: ReadonlyMap<number, Failure>,
): Failure[] {
  const found = new Map<number, { readonly time: number; readonly ranks: Set<number> }>();
  for (const [from, to] of lost) {
    if (stopped.has(from) || stopped.has(to)) continue;
    const [source, target] = [placement[from]!, placement[to]!];
    const crossed = [
      ...platform.route(source, target).links,
      ...(model.crossTraffic > 0 ? platform.route(target, source).links : []),
    ];
    for (const link of new Set(crossed)) {
      const at = failsAt(platform.links[link]!.profiles?.state, time);
      if (at === undefined) continue;
      const { ranks } = found.get(link) ?? { ranks: new Set() };
      found.set(link, { time: at, ranks: ranks.add(from).add(to) });
    }
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([link, { time: at, ranks }]) => ({
      kind: 'link',
      name: platform.links[link]!.name,
      time: at,
      ranks: [...ranks].sort((a, b) => a - b),
    }));
}

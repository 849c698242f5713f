import type { SharedCores } from '../models/message-passing-parts.ts';
import type { ServiceLink } from '../net/net.ts';
import { type Host, largest, type Platform, socketSpeeds, type Turbo } from './platform.ts';
import { changes, changingCores } from './profile.ts';

/**
 * The cores of hosts as links, where ranks or threads share them or slow each other down; undefined if they do so on no host. A host
 * is one link, unless the speed of its cores depends on the number of busy ones: then each of its sockets is one. There the ranks
 * occupy the cores in the order of their numbers, each as many as it has threads, and thus one socket after the other; beyond the last core they start
 * again from the first, as in `rankMemory`.
 *
 * @param threadsOn threads of all ranks on each host
 * @param threads threads of each rank. Default: one
 * @complexity linear in the ranks, hosts and sockets
 */
export function sharedCores(
  { hosts }: Platform,
  placement: Int32Array,
  threadsOn: Int32Array,
  threads?: Int32Array,
): SharedCores | undefined {
  const shares = (host: Host, h: number): boolean =>
    threadsOn[h]! > host.cores || slowsDown(host, threadsOn[h]!) || (threadsOn[h]! > 0 && changes(host));
  if (!hosts.some(shares)) return undefined;
  const links: ServiceLink[] = [];
  const hostOf: number[] = [];
  const first = hosts.map((host, h) => {
    const own = linksOf(host);
    for (const link of own) {
      links.push(link);
      hostOf.push(h);
    }
    return links.length - own.length;
  });
  const usedOn = new Int32Array(hosts.length);
  const firstCore = placement.map((h, rank) => {
    const core = usedOn[h]!;
    usedOn[h]! += threads?.[rank] ?? 1;
    return core;
  });
  const ofThread = (rank: number, thread: number): number => {
    const h = placement[rank]!;
    const { cores, turbo } = hosts[h]!;
    return first[h]! + Math.floor((((firstCore[rank]! + thread) % cores) * (turbo?.sockets ?? 1)) / cores);
  };
  const bySpeed = hosts.some((host, h) => (host.turbo !== undefined || changes(host)) && threadsOn[h]! > 0);
  const faster = placement.some((h) => largest(hosts[h]!.profiles?.speed, 1) > 1);
  return {
    links,
    hostOf: Int32Array.from(hostOf),
    ofRank: placement.map((_, rank) => ofThread(rank, 0)),
    ofThread,
    bySpeed,
    ...(faster
      ? { fastest: Float64Array.from(placement, (h) => hosts[h]!.speed * largest(hosts[h]!.profiles?.speed, 1)) }
      : {}),
  };
}

/** True if this number of threads on a host slow each other down. The first socket has most of them. */
export function slowsDown({ cores, turbo }: Host, threads: number): boolean {
  if (turbo === undefined || threads === 0) return false;
  const { sockets, factors } = turbo;
  return factors[Math.min(threads, cores / sockets, factors.length) - 1]! < 1;
}

function linksOf(given: Host): ServiceLink[] {
  const { profiles: _, ...host } = given;
  const { turbo, cores } = host;
  if (turbo !== undefined) return changingCores(given, socketLinks({ ...host, turbo }));
  // Each computation has at most the present speed of a core.
  if (changes(given)) return changingCores(given, socketLinks({ ...host, turbo: { sockets: 1, factors: [1] } }));
  return [{ name: host.name, capacity: cores * host.speed, fatpipe: false }];
}

/** The sockets of a host whose cores are slower the more of them compute. */
export function socketLinks({
  name,
  cores,
  speed,
  turbo: { sockets, factors },
}: Host & { readonly turbo: Turbo }): ServiceLink[] {
  const byTokens = socketSpeeds(cores / sockets, speed, factors);
  return Array.from({ length: sockets }, (_, s) => ({
    name: sockets === 1 ? name : `${name}.socket${s}`,
    capacity: Math.max(...byTokens),
    fatpipe: false,
    byTokens,
  }));
}

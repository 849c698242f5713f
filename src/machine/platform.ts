import { listing } from '../base/listing.ts';
import { didYouMean, fail, knownText, nearest, type Problem, quote } from '../base/problem.ts';
import type { CallCost } from './network-model.ts';
import type { NetworkSettings } from './network-settings.ts';
import type { FatTreeShape } from './topology/fat-tree-shape.ts';

/** Maximum numbers of hosts and links of a platform. */
export const MAX_HOSTS: number = 2 ** 18;
export const MAX_LINKS: number = 2 ** 21;

/** Latency (s) and bandwidth (byte/s) of a connection. */
export interface Transport {
  /** Latency in seconds. */
  readonly latency: number;
  /** Bandwidth in bytes per second. */
  readonly bandwidth: number;
}

/** A computer with `cores` cores of `speed` flop/s each, while no other one computes. */
export interface Host {
  readonly name: string;
  /** Speed of one core, in flop/s. */
  readonly speed: number;
  readonly cores: number;
  /** Sockets whose cores slow each other down. Absent: cores are always as fast as `speed`. */
  readonly turbo?: Turbo;
  /** Power that it takes. Absent: unknown. */
  readonly power?: HostPower;
  /** Times of calls of the ranks on this host, instead of those of the network model. */
  readonly calls?: HostCalls;
  /** Absent: it does not change. */
  readonly profiles?: HostProfiles;
}

/** Values that hold from given times on. */
export interface Profile {
  /** Seconds from 0 on, ascending. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** The list is repeated after this many seconds, at least the last time. Absent: the last value remains. */
  readonly period?: number;
}

/** Quantities of a host that change over time. */
export interface HostProfiles {
  /** Factors on the speed of its cores. */
  readonly speed?: Profile;
  /** 0: it fails, and with it its ranks; otherwise 1. */
  readonly state?: Profile;
}

/** Quantities of a link that change over time. */
export interface LinkProfiles {
  /** In byte/s. */
  readonly bandwidth?: Profile;
  /** In seconds. */
  readonly latency?: Profile;
  /** 0: it fails, and the messages on it are lost; otherwise 1. */
  readonly state?: Profile;
}

/** The largest value of a profile, whose value before its first time is `initial`. */
export function largest(profile: Profile | undefined, initial: number): number {
  if (profile === undefined) return initial;
  return profile.values.reduce((most, v) => Math.max(most, v), profile.times[0]! > 0 ? initial : 0);
}

/** Power of a host in watts: while no core computes, while hardly anything does, while all cores compute, and while it has failed. */
export interface HostPower {
  readonly idle: number;
  readonly busy: number;
  readonly full: number;
  /** Default 0. */
  readonly off?: number;
}

/**
 * Energy of a host in joules, linear in its busy cores while at least one is busy, as in SimGrid's plugin `host_energy`.
 *
 * @param time seconds in all
 * @param busy seconds with at least one busy core
 * @param coreSeconds integral of the number of busy cores
 */
export function hostEnergy(
  power: HostPower,
  cores: number,
  { on, off, busy, coreSeconds }: { readonly [name in 'on' | 'off' | 'busy' | 'coreSeconds']: number },
): number {
  return (
    (power.off ?? 0) * off +
    power.idle * (on - busy) +
    power.busy * busy +
    ((power.full - power.busy) * coreSeconds) / cores
  );
}

/** Speed of cores by the number of busy ones. */
export interface Turbo {
  /** Sockets of the host; each has an equal part of its cores. */
  readonly sockets: number;
  /** Factors on the speed of a core while 1, 2, … cores of its socket compute: 1 first, and never growing. */
  readonly factors: readonly number[];
}

/** The largest speed of all cores of a host together, in flop/s. */
export function fullSpeed({ cores, speed, turbo, profiles }: Host): number {
  const most = largest(profiles?.speed, 1);
  if (turbo === undefined) return cores * speed * most;
  return most * turbo.sockets * Math.max(...socketSpeeds(cores / turbo.sockets, speed, turbo.factors));
}

/** The speed of the cores of a socket together, in flop/s, while 1, 2, … of them compute. */
export function socketSpeeds(cores: number, speed: number, factors: readonly number[]): number[] {
  return Array.from({ length: cores }, (_, k) => (k + 1) * speed * factors[Math.min(k, factors.length - 1)]!);
}

/** Times of calls that a host has instead of those of the network model, as SimGrid's properties of hosts say. */
export interface HostCalls {
  readonly sendCost?: CallCost;
  readonly isendCost?: CallCost;
  readonly receiveCost?: CallCost;
}

/** A network resource. A SPLITDUPLEX link of SimGrid is two links, `NAME_UP` and `NAME_DOWN`. */
export interface Link {
  readonly name: string;
  /** Capacity, in byte/s. */
  readonly bandwidth: number;
  /** Latency, in seconds. */
  readonly latency: number;
  /** True if flows do not share the bandwidth; it only caps the rate of each flow (SimGrid's FATPIPE). */
  readonly fatpipe: boolean;
  /** Absent: it does not change. */
  readonly profiles?: LinkProfiles;
}

/** The route of a message between two hosts. */
export interface Route {
  /** Indexes into {@link Platform.links}, in the order of travel; a link may occur more than once. */
  readonly links: readonly number[];
  /** Sum of the links' latencies and of {@link delay}, in seconds. */
  readonly latency: number;
  /** Latency in seconds beyond that of the links; absent: 0. */
  readonly delay?: number;
  /** The link that SimGrid lists first, for its lazy solver. Absent: the first one of the way. */
  readonly first?: number | undefined;
}

/** A setting `smpi/coll-selector` or `smpi/OPERATION` of a platform's `<config>`. */
export interface CollectiveSetting {
  /** The operation as SimGrid names it; undefined for the selector of all. */
  readonly operation?: string;
  readonly value: string;
  /** The note (PLAT051) if the algorithm is not modelled. */
  readonly note: Problem;
}

/** The topology of a cluster, with the members of the machine's network of this kind; `flat`: one switch. */
export type ClusterShape =
  | { readonly kind: 'flat' }
  | ({ readonly kind: 'fat-tree' } & FatTreeShape)
  | { readonly kind: 'torus'; readonly sizes: readonly number[] }
  | {
      readonly kind: 'dragonfly';
      readonly groups: number;
      readonly chassis: number;
      readonly blades: number;
      readonly perBlade: number;
      readonly wires: readonly number[];
    };

/** A parallel machine: hosts, links, and the route between any two hosts. */
export interface Platform {
  readonly name: string;
  readonly hosts: readonly Host[];
  readonly links: readonly Link[];
  /** The topology, if one cluster of the file has all hosts; otherwise it is given only by the routes. */
  readonly cluster?: ClusterShape;
  /** Settings of the network model in the platform's description; absent if not given. */
  readonly settings?: NetworkSettings;
  /** The settings that the platform was read with, as SimGrid's option `--cfg` has them; absent if none. */
  readonly cfg?: string;
  /** Settings of these; they win over the name of the network model. */
  readonly forced?: readonly (keyof NetworkSettings)[];
  /** Algorithms of collectives that the description selects; absent if none. */
  readonly collectives?: readonly CollectiveSetting[];
  /** Files that the description names and that were read with it: those of profiles. Absent if none. */
  readonly files?: readonly string[];
  /** Warnings about parts of the description that are not used (PLAT050); absent if all of it is used. */
  readonly warnings?: readonly Problem[];
  /** Notes for every result: parts of the description that change times and are not applied (PLAT051). */
  readonly notes?: readonly Problem[];
  /** The index of the host of this name; undefined if it does not exist. O(1). */
  hostIndex(name: string): number | undefined;
  /**
   * The route from host `from` to host `to` (indexes). Computed at each call in time linear in its length and not
   * cached; callers that need a route often should keep it.
   *
   * @throws InputError PLAT020 if the platform has no route between the two hosts
   */
  route(from: number, to: number): Route;
}

/** Parts from which a {@link Platform} is created. */
export interface PlatformParts
  extends Pick<Platform, 'cluster' | 'settings' | 'cfg' | 'forced' | 'collectives' | 'files' | 'warnings' | 'notes'> {
  readonly name: string;
  readonly hosts: readonly Host[];
  readonly links: readonly Link[];
  /** The route between two hosts as indexes into `links`, or a message that explains why there is no route. */
  readonly route: (from: number, to: number) => readonly number[] | Pick<Route, 'links' | 'delay' | 'first'> | string;
}

/** Creates a platform. The names of the hosts must be distinct (not checked). O(hosts). */
export function createPlatform(parts: PlatformParts): Platform {
  const { name, hosts, links, route, cluster, settings, cfg, forced, collectives, files, warnings, notes } = parts;
  const byName = new Map<string, number>();
  for (const [index, host] of hosts.entries()) byName.set(host.name, index);
  const known = (index: number): Host => {
    const host = hosts[index];
    if (host === undefined) throw new RangeError(`host index ${index} of a platform of ${hosts.length} hosts`);
    return host;
  };
  return {
    name,
    hosts,
    links,
    ...(cluster === undefined ? {} : { cluster }),
    ...(settings === undefined ? {} : { settings }),
    ...(cfg === undefined ? {} : { cfg }),
    ...(forced === undefined ? {} : { forced }),
    ...(collectives === undefined ? {} : { collectives }),
    ...(files === undefined ? {} : { files }),
    ...(warnings === undefined ? {} : { warnings }),
    ...(notes === undefined ? {} : { notes }),
    hostIndex: (host) => byName.get(host),
    route(from, to) {
      const source = known(from);
      const target = known(to);
      const found = route(from, to);
      if (typeof found === 'string') {
        fail('PLAT020', `no route from host ${source.name} to host ${target.name}. ${found}`, { file: name });
      }
      const {
        links: crossed,
        delay = 0,
        first,
      }: Pick<Route, 'links' | 'delay' | 'first'> = 'links' in found ? found : { links: found };
      let latency = delay;
      for (const link of crossed) latency += links[link]!.latency;
      return {
        links: crossed,
        latency,
        ...(delay === 0 ? {} : { delay }),
        ...(first === undefined || first === crossed[0] ? {} : { first }),
      };
    },
  };
}

/**
 * A copy of the platform with the same names and routes, but other properties of its hosts or links. `parts` must keep
 * their order. O(hosts).
 */
export function withParts(platform: Platform, parts: Partial<Pick<Platform, 'hosts' | 'links'>>): Platform {
  return createPlatform({ ...platform, ...parts, route: (from, to) => platform.route(from, to) });
}

/** The error message for an unknown host. */
export function unknownHost(platform: Platform, host: string): string {
  const { hosts, name } = platform;
  return `unknown host ${quote(host)} on platform ${name}.${suggest(host, namesOf(hosts), hosts.length)}`;
}

function* namesOf(hosts: readonly Host[]): Generator<string> {
  for (const { name } of hosts) yield name;
}

/** Name of the limit of `predict` that tries hosts as fast as the fastest: no parameter, because each host has a speed of its own. */
export const SLOWER_HOSTS = 'slowerHosts';

/** Message about {@link SLOWER_HOSTS} as a parameter, with the parameters of some slower hosts. */
export function slowerHostsText(slower: readonly string[]): string {
  const instead =
    slower.length === 0 ? 'all hosts are equally fast' : `vary the speed of slower hosts: ${slower.join(', ')}`;
  return `${quote(SLOWER_HOSTS)} is a limit that predict tries, not a parameter; ${instead}`;
}

/** Maximum number of known names for which the nearest one is searched; more would take seconds. */
const MANY = 5000;
const LISTED = 8;

/** `didYouMean`, or, for more than {@link MANY} known names, the first few names and the number of the others in O(1). */
export function suggest(name: string, known: Iterable<string>, size: number): string {
  if (size <= MANY) {
    const all = [...known];
    // `latency` for `link.latency`: the edit distance of a whole path is too large.
    const [ending] = nearest(name, all) === '' ? all.filter((one) => one.endsWith(`.${name}`)) : [];
    return ending === undefined ? didYouMean(name, all) : ` Did you mean ${quote(ending)}?${knownText(all)}`;
  }
  const first: string[] = [];
  for (const one of known) {
    if (first.length === LISTED) break;
    first.push(one);
  }
  return ` Known: ${listing(first, { count: size })}.`;
}

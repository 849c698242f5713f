import { fail, type Problem, quote } from '../base/problem.ts';
import type { NetworkSettings } from './network-settings.ts';
import { suggest } from './suggest.ts';

/** A computer: `cores` cores of `speed` flop/s each. */
export interface Host {
  readonly name: string;
  /** Speed of one core, in flop/s. */
  readonly speed: number;
  readonly cores: number;
}

/** A network resource. A SPLITDUPLEX link of SimGrid is two of these, `NAME_UP` and `NAME_DOWN`. */
export interface Link {
  readonly name: string;
  /** Capacity, in byte/s. */
  readonly bandwidth: number;
  /** Latency, in seconds. */
  readonly latency: number;
  /** True: flows do not compete, the bandwidth only caps each of them (SimGrid's FATPIPE). */
  readonly fatpipe: boolean;
}

/** The way of a message between two hosts. */
export interface Route {
  /** Indexes into {@link Platform.links}, in the order of travel; a link may occur more than once. */
  readonly links: readonly number[];
  /** Sum of the links' latencies, in seconds. */
  readonly latency: number;
}

/** A parallel machine: hosts, links, and the route between any two hosts. */
export interface Platform {
  readonly name: string;
  readonly hosts: readonly Host[];
  readonly links: readonly Link[];
  /** What the platform says of the network model. Absent: nothing. */
  readonly settings?: NetworkSettings;
  /** What of its description is not used (PLAT050). Absent: nothing. */
  readonly warnings?: readonly Problem[];
  /** The index of the host of this name, in O(1). */
  hostIndex(name: string): number | undefined;
  /**
   * The route from host `from` to host `to` (indexes). Computed at each call in time linear in its length and not
   * kept: callers that ask often keep what they need.
   *
   * @throws InputError PLAT020 where the platform describes no route between the two.
   */
  route(from: number, to: number): Route;
}

/** What a {@link Platform} is made of; `links` of a route are indexes into `links`. */
export interface PlatformParts extends Pick<Platform, 'settings' | 'warnings'> {
  readonly name: string;
  readonly hosts: readonly Host[];
  readonly links: readonly Link[];
  /** The links from host to host, or a sentence that says why there is no route. */
  readonly way: (from: number, to: number) => readonly number[] | string;
}

/** A platform from its parts. The names of the hosts are taken to be distinct. O(hosts). */
export function createPlatform(parts: PlatformParts): Platform {
  const { name, hosts, links, way, settings, warnings } = parts;
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
    ...(settings === undefined ? {} : { settings }),
    ...(warnings === undefined ? {} : { warnings }),
    hostIndex: (host) => byName.get(host),
    route(from, to) {
      const source = known(from);
      const target = known(to);
      const found = way(from, to);
      if (typeof found === 'string') {
        fail('PLAT020', `no route from host ${source.name} to host ${target.name}. ${found}`, { file: name });
      }
      let latency = 0;
      for (const link of found) latency += links[link]!.latency;
      return { links: found, latency };
    },
  };
}

/**
 * A platform with the same names and routes, and other numbers of its hosts or links; these are in the same order as in
 * the platform that is given, which stays as it is. O(hosts).
 */
export function withParts(platform: Platform, parts: Partial<Pick<Platform, 'hosts' | 'links'>>): Platform {
  return createPlatform({ ...platform, ...parts, way: (from, to) => platform.route(from, to).links });
}

/** The message for a host that the platform does not have. */
export function unknownHost(platform: Platform, host: string): string {
  const { hosts, name } = platform;
  return `unknown host ${quote(host)} on platform ${name}.${suggest(host, namesOf(hosts), hosts.length)}`;
}

function* namesOf(hosts: readonly Host[]): Generator<string> {
  for (const { name } of hosts) yield name;
}

import { profileMean } from '../net/link-profile.ts';
import type { Follow, LinkProfile, ServiceLink } from '../net/net.ts';
import type { NetworkModel } from './network-model.ts';
import {
  fullSpeed,
  type Host,
  type HostProfiles,
  type Link,
  type LinkProfiles,
  largest,
  type Platform,
  type Profile,
} from './platform.ts';

/** True if a link or host changes over time. */
export const changes = ({ profiles }: { readonly profiles?: HostProfiles | LinkProfiles | undefined }): boolean =>
  profiles !== undefined && Object.values(profiles).some((profile) => profile !== undefined);

/** The first host or link that changes over time, as in `host "n1"`; undefined if none does. O(hosts + links). */
export function changingPart({ hosts, links }: Platform): string | undefined {
  const host = hosts.find(changes);
  if (host !== undefined) return `host ${JSON.stringify(host.name)}`;
  for (const link of links) if (changes(link)) return `link ${JSON.stringify(link.name)}`;
  return undefined;
}

/** The first host that fails or link that changes: either affects messages. Undefined if there is none. O(hosts + links). */
export function changingNetwork({ hosts, links }: Platform): string | undefined {
  const host = hosts.find(({ profiles }) => profiles?.state !== undefined);
  if (host !== undefined) return `host ${JSON.stringify(host.name)}`;
  for (const link of links) if (changes(link)) return `link ${JSON.stringify(link.name)}`;
  return undefined;
}

const startsLater = ({ times }: Profile): boolean => times[0]! > 0;

/** A profile of the capacity of a service link, relative to the largest one. */
function relative(profile: Profile, initial: number): LinkProfile {
  const most = largest(profile, initial);
  return {
    of: 'capacity',
    ...profile,
    values: profile.values.map((value) => value / most),
    ...(startsLater(profile) ? { initial: initial / most } : {}),
  };
}

/** The cores of a host as links, with their profiles: the capacity is that at the largest speed. */
export function changingCores({ profiles = {} }: Host, links: readonly ServiceLink[]): ServiceLink[] {
  const { speed, state } = profiles;
  if (speed === undefined && state === undefined) return [...links];
  const most = largest(speed, 1);
  const all: LinkProfile[] = [
    ...(speed === undefined ? [] : [relative(speed, 1)]),
    ...(state === undefined ? [] : [{ of: 'state' as const, ...state }]),
  ];
  return links.map((link) => ({
    ...link,
    capacity: link.capacity * most,
    ...(link.byTokens === undefined ? {} : { byTokens: link.byTokens.map((c) => c * most) }),
    profiles: all,
  }));
}

/** A link of the network with its profiles. A fatpipe then stops all its flows at one level, as SimGrid's. */
export function changingLink({ name, bandwidth, latency, fatpipe, profiles }: Link, uneven: boolean): ServiceLink {
  const level = fatpipe && (uneven || changes({ profiles })) ? { level: true } : {};
  const link = { name, capacity: bandwidth, fatpipe, ...level };
  if (profiles === undefined || !changes({ profiles })) return link;
  const { bandwidth: over, latency: late, state } = profiles;
  return {
    ...link,
    capacity: largest(over, bandwidth),
    profiles: [
      ...(over === undefined ? [] : [relative(over, bandwidth)]),
      ...(late === undefined
        ? []
        : [{ of: 'latency' as const, ...late, values: late.values.map((seconds) => seconds - latency) }]),
      ...(state === undefined ? [] : [{ of: 'state' as const, ...state }]),
    ],
  };
}

/** Capacity of links that exist only to fail, in byte/s: messages of any other link are slower. */
const UNLIMITED = 1e30;

/** A link that all messages of a host cross, if it may fail: they are lost then. */
export const stateLink = ({ name, profiles }: Host): ServiceLink | undefined =>
  profiles?.state === undefined
    ? undefined
    : { name: `${name}.state`, capacity: UNLIMITED, fatpipe: false, profiles: [{ of: 'state', ...profiles.state }] };

/** True for a link of {@link stateLink}. */
export const isStateLink = ({ capacity, profiles = [] }: ServiceLink): boolean =>
  capacity === UNLIMITED && profiles.some(({ of }) => of === 'state');

/** How flows follow the profiles of their links: those of SimGrid's network models change their weights and bounds. */
export function followOf({ shares, weightS, window }: NetworkModel): Follow {
  return {
    capped: window < Number.POSITIVE_INFINITY,
    weightByLatency: shares === 'by-penalty' ? 1 : 0,
    weightByCapacity: shares === 'by-penalty' ? weightS : 0,
    boundByLatency: window < Number.POSITIVE_INFINITY ? 2 / window : 0,
  };
}

/** The first time at which a host or link fails, up to `end`; undefined if it does not. */
export function failsAt(state: Profile | undefined, end: number): number | undefined {
  const k = state?.values.indexOf(0) ?? -1;
  return k >= 0 && state!.times[k]! <= end ? state!.times[k] : undefined;
}

/** Seconds up to `end` in which a host works. */
export const timeOn = (state: Profile | undefined, end: number): number =>
  state === undefined ? end : profileMean({ of: 'state', ...state }, end) * end;

/** Mean speed of all cores of a host together from 0 to `end`, in flop/s; a host that has failed computes no more. */
export function meanFullSpeed(host: Host, end: number): number {
  const full = fullSpeed(host);
  const { speed, state } = host.profiles ?? {};
  if (!(end > 0)) return full;
  const until = failsAt(state, end) ?? end;
  if (until === 0) return 0;
  const mean = speed === undefined ? 1 : profileMean({ of: 'capacity', ...speed }, until) / largest(speed, 1);
  // Exact for a host that never changes.
  return full * mean * (until / end);
}

import { quote } from '../../base/problem.ts';
import { MAX_HOSTS } from '../platform.ts';
import { bandwidthUnits, type PlatformDraft, speedUnits, timeUnits } from './platform-draft.ts';
import type { XmlElement } from './xml-reader.ts';

/** A `<cluster>` whose attributes have been read and checked; SI units. */
export interface ClusterArguments {
  readonly element: XmlElement;
  readonly id: string;
  readonly radicals: readonly number[];
  readonly speed: number;
  readonly cores: number;
  readonly bandwidth: number;
  readonly latency: number;
  /** True for SPLITDUPLEX and FULLDUPLEX. SHARED and FATPIPE both give one shared link for both directions (SimGrid 3.32). */
  readonly split: boolean;
  readonly limiter: number | undefined;
  readonly loopback: { readonly bandwidth: number; readonly latency: number } | undefined;
}

/** Reads the attributes of a `<cluster>`; undefined after a problem. */
export function readArguments(draft: PlatformDraft, element: XmlElement): ClusterArguments | undefined {
  const { attributes, place } = element;
  const speed = draft.speed(element, speedUnits);
  const cores = draft.count(element, 'core');
  const bandwidth = draft.quantity(element, 'bw', bandwidthUnits, 'positive');
  const latency = draft.quantity(element, 'lat', timeUnits, 'zero');
  const policy = draft.choice(element, 'sharing_policy', ['SPLITDUPLEX', 'FULLDUPLEX', 'SHARED', 'FATPIPE']);
  const limiter = optionalBandwidth(draft, element, 'limiter_link');
  const loopback = linkPair(draft, element, 'loopback_bw', 'loopback_lat');
  const { id = '', radical: text } = attributes;
  if (text === undefined) return undefined;
  const radicals = parseRadical(text, MAX_HOSTS);
  if (typeof radicals === 'string') {
    draft.problems.add('PLAT010', `radical ${quote(text)}: ${radicals}`, place);
    return undefined;
  }
  if (speed === undefined || cores === undefined || bandwidth === undefined || latency === undefined) return undefined;
  const split = policy === 'SPLITDUPLEX' || policy === 'FULLDUPLEX';
  return { element, id, radicals, speed, cores, bandwidth, latency, split, limiter, loopback };
}

/** A bandwidth; undefined if the attribute is absent, empty or zero. */
function optionalBandwidth(draft: PlatformDraft, element: XmlElement, attribute: string): number | undefined {
  if ((element.attributes[attribute] ?? '') === '') return undefined;
  const value = draft.quantity(element, attribute, bandwidthUnits, 'zero');
  return value === 0 ? undefined : value;
}

/** A link of two attributes; undefined if the bandwidth is absent or zero. */
export function linkPair(
  draft: PlatformDraft,
  element: XmlElement,
  bw: string,
  lat: string,
): { bandwidth: number; latency: number } | undefined {
  const bandwidth = optionalBandwidth(draft, element, bw);
  const hasLatency = (element.attributes[lat] ?? '') !== '';
  const latency = hasLatency ? (draft.quantity(element, lat, timeUnits, 'zero') ?? 0) : 0;
  if (bandwidth !== undefined) return { bandwidth, latency };
  if (latency > 0) draft.problems.add('PLAT006', `<cluster> has ${lat} but no ${bw} > 0`, element.place);
  return undefined;
}

/** The name of the host of a number of the radical. */
export function hostName(cluster: ClusterArguments, radical: number): string {
  const { prefix, suffix } = cluster.element.attributes;
  return `${prefix ?? ''}${radical}${suffix ?? ''}`;
}

/**
 * Expands a SimGrid radical: `0-3,7` is 0, 1, 2, 3, 7, in the written order. An interval whose end is less than its
 * start is an error (SimGrid takes it as no hosts).
 *
 * @param limit maximum number of hosts
 * @returns the numbers, at most `limit`, or an error message
 */
export function parseRadical(text: string, limit: number): readonly number[] | string {
  const numbers: number[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*(\d{1,10})\s*(?:-\s*(\d{1,10})\s*)?$/.exec(part);
    if (match === null)
      return `expected a number or an interval such as 0-63, got ${JSON.stringify(part.slice(0, 40))}`;
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Number(match[2]);
    if (last < first) return `the interval ${first}-${last} is empty`;
    if (last > 0x7fffffff) return `${last} is larger than 2147483647`;
    if (numbers.length + (last - first + 1) > limit) return `it names more than ${limit} hosts`;
    for (let i = first; i <= last; i++) numbers.push(i);
  }
  return numbers;
}

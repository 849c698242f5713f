import { amount, count, type Form, fraction } from '../base/form.ts';
import { didYouMean, fail, InputError, type Problem, quote, shown } from '../base/problem.ts';
import { changed, type Measure, measureOf, readChange } from './change.ts';
import { common, type MachineParameter, POWER } from './description/machine-parameters.ts';
import { MAX_POWER } from './description/machine-schema.ts';
import { readForm } from './description/read-form.ts';
import { mapLinks } from './link-list.ts';
import {
  type Host,
  type HostPower,
  type Platform,
  SLOWER_HOSTS,
  slowerHostsText,
  suggest,
  withParts,
} from './platform.ts';

/** A numeric property of every host, or of every link. */
type Parameter = { readonly measure: Measure; readonly form: Form<number> } & (
  | { readonly of: 'hosts'; readonly key: 'cores' | 'speed' | Exclude<keyof HostPower, 'off'> }
  | { readonly of: 'links'; readonly key: 'latency' | 'bandwidth' }
);

/** Maximum number of cores in a platform file. */
const MAX_CORES = 999_999_999;

const PARAMETERS: Readonly<Record<string, Parameter>> = {
  cores: { of: 'hosts', key: 'cores', measure: { dimension: 'count', unit: '1' }, form: count(MAX_CORES, '') },
  speed: {
    of: 'hosts',
    key: 'speed',
    measure: measureOf('speed'),
    form: amount('speed', 'positive', ''),
  },
  'link.latency': {
    of: 'links',
    key: 'latency',
    measure: measureOf('time'),
    form: amount('time', 'zero', ''),
  },
  'link.bandwidth': {
    of: 'links',
    key: 'bandwidth',
    measure: measureOf('rate'),
    form: amount('rate', 'positive', ''),
  },
  ...Object.fromEntries(
    (['idle', 'busy', 'full'] as const).map((key): [string, Parameter] => [
      `power.${key}`,
      { of: 'hosts', key, measure: POWER[`power.${key}`], form: fraction(MAX_POWER, '') },
    ]),
  ),
};

/** Undefined for the power of a host that has none. */
const valueOn = (host: Host, key: 'cores' | 'speed' | Exclude<keyof HostPower, 'off'>): number | undefined =>
  key === 'cores' || key === 'speed' ? host[key] : host.power?.[key];

/** A copy of the host with another value; a host without power keeps none. */
function hostWith(
  host: Host,
  key: 'cores' | 'speed' | Exclude<keyof HostPower, 'off'>,
  value: number | undefined,
): Host {
  if (value === undefined) return host;
  if (key === 'cores' || key === 'speed') return { ...host, [key]: value };
  return { ...host, power: { ...host.power!, [key]: value } };
}

/** The distinct values of a parameter of all hosts, or of all links, in order of first occurrence. */
function valuesOf(platform: Platform, { of, key }: Parameter): number[] {
  const values = new Set<number>();
  if (of === 'hosts')
    for (const host of platform.hosts) {
      const value = valueOn(host, key);
      if (value !== undefined) values.add(value);
    }
  else for (const link of platform.links) values.add(link[key]);
  return [...values];
}

/**
 * The parameters of a platform: `cores` and `speed` of all hosts; `link.latency` and `link.bandwidth` of all links,
 * including links within hosts and switches and SimGrid's loopback link; `power.idle`, `power.busy` and `power.full` of the hosts
 * that have a power, if there are any. A value is undefined if the hosts or links
 * differ in it, or if the platform has none.
 *
 * @complexity linear in the hosts and links
 */
export function platformParameters(platform: Platform): MachineParameter[] {
  const hasPower = platform.hosts.some(({ power }) => power !== undefined);
  const all = Object.entries(PARAMETERS).filter(([path]) => hasPower || !Object.hasOwn(POWER, path));
  return all.map(([path, parameter]) => {
    return { path, unit: parameter.measure.unit, value: common(valuesOf(platform, parameter)) };
  });
}

/** True for a path of {@link platformParameters}. */
export const hasParameter = (path: string): boolean => Object.hasOwn(PARAMETERS, path);

/** Maximum number of problems reported. */
const MAX_PROBLEMS = 100;

/** `hosts.NAME.speed`, `links.NAME.latency`; names may contain dots. */
const OF_ONE = /^(hosts|links)\.(.+)\.(cores|speed|power\.idle|power\.busy|power\.full|latency|bandwidth)$/s;

/** The parameter of a path, and the name of its host or link if it is that of a single one; undefined for unknown paths. */
function parameterAt(
  path: string,
): { readonly shared: string; readonly parameter: Parameter; readonly name?: string } | undefined {
  if (hasParameter(path)) return { shared: path, parameter: PARAMETERS[path]! };
  const [, of, name, key] = OF_ONE.exec(path) ?? [];
  const shared = of === 'links' ? `link.${key}` : String(key);
  const parameter = of !== undefined && hasParameter(shared) ? PARAMETERS[shared] : undefined;
  return parameter === undefined || name === undefined ? undefined : { shared, parameter, name };
}

/** The first two of these paths that set a value of the same host or link, as `speed` and `hosts.h0.speed` do. */
export function sharedOnPlatform(paths: readonly string[]): readonly [string, string] | undefined {
  for (const one of paths) {
    const found = parameterAt(one);
    if (found?.name === undefined) continue;
    if (paths.includes(found.shared)) return [found.shared, one];
  }
  return undefined;
}

/** Maximum number of slower hosts that a message names. */
const MAX_NAMED = 3;

function unknownPath(platform: Platform, path: string): never {
  if (path === SLOWER_HOSTS) {
    const fastest = platform.hosts.reduce((most, { speed }) => Math.max(most, speed), 0);
    const slow = platform.hosts.filter(({ speed }) => speed < fastest).map(({ name }) => quote(`hosts.${name}.speed`));
    fail('MACH030', slowerHostsText(slow.slice(0, MAX_NAMED)));
  }
  const known = [...Object.keys(PARAMETERS), 'hosts.NAME.speed', 'links.NAME.bandwidth'];
  return fail('MACH030', `a platform has no parameter ${quote(String(path))}.${didYouMean(String(path), known)}`);
}

/** The values of a parameter of one host or link. @throws InputError MACH030 */
function valueOfOne({ hosts, links }: Platform, { of, key }: Parameter, name: string, path: string): readonly number[] {
  const all: ReadonlyMap<string, number | undefined> =
    of === 'hosts'
      ? new Map(hosts.map((host) => [host.name, valueOn(host, key)]))
      : new Map(Array.from(links, (link) => [link.name, link[key]]));
  if (!all.has(name))
    fail(
      'MACH030',
      `the platform has no ${of === 'hosts' ? 'host' : 'link'} ${quote(name)}.${suggest(name, all.keys(), all.size)}`,
      {
        part: path,
      },
    );
  const value = all.get(name);
  return value === undefined ? [] : [value];
}

/**
 * A copy of the platform with one parameter of all hosts or links changed, or of one host or link.
 *
 * @param path a path of {@link platformParameters}, or `hosts.NAME.speed`, `links.NAME.latency` and so on
 * @param change a factor (`'x0.5'`), a percentage (`'-5%'`), or, if all values are equal, a new value in SI units or
 * with a unit
 * @throws InputError MACH030 (unknown parameter), MACH031 (not a change), MACH032 (one value for hosts or links that
 * differ, or no links), UNIT001 to UNIT003, MACH008 (number of cores not an integer, or out of range)
 * @complexity linear in the hosts and links
 */
export function changePlatform(platform: Platform, path: string, change: string | number): Platform {
  const { parameter, name } = parameterAt(String(path)) ?? unknownPath(platform, path);
  const { of, key, measure, form } = parameter;
  const read = readChange(measure, change);
  if ('code' in read) fail(read.code, read.message, { part: path });
  const old = name === undefined ? valuesOf(platform, parameter) : valueOfOne(platform, parameter, name, path);
  if (old.length === 0)
    fail(
      'MACH032',
      name === undefined
        ? `the platform has no ${Object.hasOwn(POWER, path) ? 'host whose power is known' : of}`
        : `the power of host ${quote(name)} is not known`,
      { part: path },
    );
  if ('to' in read && common(old) === undefined) {
    const message = `${shown(change)}: the ${of} have different values; give a factor such as "x2" or a percentage such as "+10%"`;
    fail('MACH032', message, { part: path });
  }
  const part = `${path} ${change}`;
  const problems = new Map<string, Problem>();
  const next = new Map<number, number>();
  for (const value of old) {
    const wanted = changed(value, read, measure);
    const checked = readForm(form, wanted, [], (code, message) => {
      if (problems.size < MAX_PROBLEMS) problems.set(message, { code, message, place: { part } });
    });
    next.set(value, checked as number);
  }
  if (problems.size > 0) throw new InputError([...problems.values()]);
  const isMeant = (part: { readonly name: string }): boolean => name === undefined || part.name === name;
  return of === 'hosts'
    ? withParts(platform, {
        hosts: platform.hosts.map((host) =>
          isMeant(host) ? hostWith(host, key, next.get(valueOn(host, key)!)) : host,
        ),
      })
    : withParts(platform, {
        links: mapLinks(platform.links, (link) => (isMeant(link) ? { ...link, [key]: next.get(link[key])! } : link)),
      });
}

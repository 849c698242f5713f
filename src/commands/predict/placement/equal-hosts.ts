import { isDeepStrictEqual } from 'node:util';
import { InputError } from '../../../base/problem.ts';
import type { Link, Platform } from '../../../machine/platform.ts';

/** Maximum number of hosts among which equal ones are looked for: each pair compares all routes. */
const MAX_HOSTS = 128;

/**
 * Classes of hosts that can be exchanged without changing the platform: exchanging two of a class maps each route onto a
 * route of equal links, and all other routes onto themselves. Placements that differ only by such exchanges take equal times.
 *
 * @param kindOf further properties of a host that must be equal
 * @returns the smallest host of the class of each host; all classes have one host if there are more than 128
 * @complexity O(hosts⁴ × length of a route) in the worst case
 */
export function equalHosts(platform: Platform, kindOf: (host: number) => unknown): Int32Array {
  const n = platform.hosts.length;
  const classes = Int32Array.from({ length: n }, (_, h) => h);
  if (n > MAX_HOSTS) return classes;
  const routes = Array.from({ length: n }, (_, from) =>
    Array.from({ length: n }, (_, to) => linksOf(platform, from, to)),
  );
  for (let a = 0; a < n; a++) {
    if (classes[a] !== a) continue;
    for (let b = a + 1; b < n; b++)
      if (classes[b] === b && areAlike(platform, a, b, kindOf) && canExchange(platform, routes, a, b)) classes[b] = a;
  }
  return classes;
}

/** The links of a route with its latency beyond theirs; undefined if there is no route. */
type Crossed = { readonly links: readonly number[]; readonly delay: number } | undefined;

function linksOf(platform: Platform, from: number, to: number): Crossed {
  try {
    const { links, delay = 0 } = platform.route(from, to);
    return { links, delay };
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function areAlike({ hosts }: Platform, a: number, b: number, kindOf: (host: number) => unknown): boolean {
  const [{ name: _, ...one }, { name: __, ...other }] = [hosts[a]!, hosts[b]!];
  return isDeepStrictEqual(one, other) && kindOf(a) === kindOf(b);
}

/** True if a mapping of links exists that turns the routes into those with `a` and `b` exchanged. */
function canExchange({ links }: Platform, routes: readonly (readonly Crossed[])[], a: number, b: number): boolean {
  const image = new Map<number, number>();
  const exchanged = (h: number): number => (h === a ? b : h === b ? a : h);
  for (const [from, row] of routes.entries())
    for (const [to, one] of row.entries()) {
      const other = routes[exchanged(from)]![exchanged(to)];
      if (one === undefined || other === undefined) {
        if (one !== other) return false;
        continue;
      }
      if (one.delay !== other.delay || one.links.length !== other.links.length) return false;
      for (const [k, link] of one.links.entries()) {
        const there = other.links[k]!;
        const known = image.get(link);
        if (known === undefined && isEqualLink(links[link]!, links[there]!)) image.set(link, there);
        else if (known !== there) return false;
      }
    }
  // Exchanging twice changes nothing, so that the mapping is one-to-one.
  for (const [link, there] of image) if (image.get(there) !== link) return false;
  return true;
}

const isEqualLink = (one: Link, other: Link): boolean =>
  one.latency === other.latency && one.bandwidth === other.bandwidth && one.fatpipe === other.fatpipe;

/** A placement with the hosts of each class in the order in which ranks use them: equal for placements that take equal times. */
export function canonicalPlacement(placement: ArrayLike<number>, classes: Int32Array): Int32Array {
  const nameOf = new Int32Array(classes.length).fill(-1);
  const next = new Map<number, number>();
  return Int32Array.from(placement, (host) => {
    if (nameOf[host]! >= 0) return nameOf[host]!;
    const of = classes[host]!;
    let free = next.get(of) ?? of;
    while (classes[free] !== of) free++;
    next.set(of, free + 1);
    nameOf[host] = free;
    return free;
  });
}

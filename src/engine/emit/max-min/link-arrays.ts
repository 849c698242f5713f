/*
 * Sample:
 * const routes = n.routesTable('routes', Int32Array.of(0, 1), Int32Array.of(0), Float64Array.of(1));
 * const links = [{ name: 'cores', capacity: 6, byTokens: [4, 6], fatpipe: false }];
 * place('p', { service: ({ x }) => ({ links, amount: x, weight: 1, bound: 4, routes, route: 0 }) });
 * →
 *   function S0_capacityNow(l: int): num {
 *   if (S0_kinds[l] !== 3) return S0_capacity[l];
 */
import type { KernelArray } from '../../../kernel/kernel.ts';
import type { MaxMinService, ServiceLink } from '../../../net/net.ts';
import { part } from '../part.ts';
import { isChanging, profileArrays } from './profiles.ts';
import type { MaxMinText } from './records.ts';

/** True if the capacity of a link depends on the number of its tokens. */
export const isCounted = (links: readonly ServiceLink[]): boolean => links.some((l) => l.byTokens !== undefined);

/** The arrays of link data that the text of service number k requires. */
export function linkArrays(
  k: number,
  service: Pick<MaxMinService, 'links' | 'follow' | 'solver'>,
): Record<string, KernelArray> {
  const { links } = service;
  return {
    [`S${k}_capacity`]: Float64Array.from(links, (l) => l.capacity),
    [`S${k}_kinds`]: Uint8Array.from(links, (link) => kindOf(link, service.solver === 'lazy')),
    ...(isCounted(links) ? countedArrays(k, links) : {}),
    ...(isChanging(links) ? profileArrays(k, service) : {}),
  };
}

function kindOf({ fatpipe, level, byTokens }: ServiceLink, isLazy: boolean): number {
  if (fatpipe) return level === true || isLazy ? 2 : 1;
  return byTokens === undefined ? 0 : 3;
}

/** The arrays that the code of such links requires: the capacities of all links in a row, and where those of each link begin. */
function countedArrays(k: number, links: readonly ServiceLink[]): Record<string, KernelArray> {
  const from = new Int32Array(links.length + 1);
  links.forEach(({ byTokens = [] }, l) => {
    from[l + 1] = from[l]! + byTokens.length;
  });
  return {
    [`S${k}_from`]: from,
    [`S${k}_byTokens`]: Float64Array.from(links.flatMap(({ byTokens = [] }) => byTokens)),
  };
}

const COUNTED = part(
  { S_: 'name', links: 'number' },
  `
declare const $S_from: ints;
declare const $S_byTokens: nums;
// Crossings of each link whose capacity depends on them.
let $S_on: ints = ints($links);

function $S_capacityNow(l: int): num {
  if ($S_kinds[l] !== 3) return $S_capacity[l];
  return $S_byTokens[Math.min($S_from[l] + $S_on[l], $S_from[l + 1]) - 1];
}
`,
);

/** Code of the present capacity of links; required only if {@link isCounted}. */
export const emitCounted = ({ number, links }: MaxMinText): string => COUNTED({ S_: `S${number}_`, links });

/** Code of the present capacity of a link. */
export const capacityOf =
  ({ number, counted, profiles }: MaxMinText): ((link: string) => string) =>
  (link) => {
    const capacity = counted ? `S${number}_capacityNow(${link})` : `S${number}_capacity[${link}]`;
    return profiles > 0 ? `(S${number}_factor[${link}] * ${capacity})` : capacity;
  };

/** Code of the largest capacity of a link for any number of tokens, at present. */
export const largestOf = (text: MaxMinText): ((link: string) => string) => capacityOf({ ...text, counted: false });

import type { NetworkModel } from './network-model.ts';
import type { Platform } from './platform.ts';

/** Network costs of a flow between two hosts; the same for all messages between them. */
export interface TransferCost {
  /** Latency of the route in seconds, before the model's latency factor. */
  readonly latency: number;
  /** Weight in weighted max-min sharing (1 / SimGrid's penalty, in 1/s; or 1): rates grow in proportion to weights. */
  readonly weight: number;
  /** Upper limit of the flow's rate, in byte/s; Infinity if only the links limit it. */
  readonly bound: number;
  /** The links that the flow uses, each once, in the order of first use. */
  readonly links: readonly number[];
  /**
   * Capacity of `links[i]` that one byte of the flow uses: 1 on the forward route, `crossTraffic` on the return route,
   * or their sum.
   */
  readonly coefficients: readonly number[];
}

/**
 * The cost of a flow between two hosts, for weighted bounded max-min sharing as in SimGrid 3.32.
 *
 * - Penalty: latency + Σ weightS / bandwidth over the links of the route; a repeated link counts each time. The weight
 *   is 1 / penalty. A route of latency 0 has weight 1 whatever weightS is, because SimGrid never sets its penalty; so
 *   have all routes if the model shares links equally.
 * - A message over a route without links takes its latency only, as SimGrid's does in a zone of routing Vivaldi.
 * - Coefficients of a link that occurs more than once are summed if the link is shared; on a FATPIPE the largest is
 *   used.
 * - A FATPIPE in SimGrid is more than a cap on each flow. In progressive filling (level = rate / weight) it saturates
 *   when its heaviest flow (largest coefficient × weight) reaches the bandwidth. All flows on it that are not fixed yet
 *   then stop at that level: a flow with a third of the weight gets a third of the bandwidth.
 *
 * Source: SimGrid's `network_cm02.cpp` (communicate) and `maxmin.cpp`, checked against the installed 3.32.
 *
 * @throws InputError PLAT020 if there is no route, or no return route although the model has cross-traffic
 * @complexity linear in the length of the route and of the return route
 */
export function transferCost(platform: Platform, model: NetworkModel, from: number, to: number): TransferCost {
  const { links: way, latency, first } = platform.route(from, to);
  const links = model.solver === undefined || first === undefined ? way : withFirst(way, first);
  let penalty = latency;
  for (const link of links) penalty += model.weightS / platform.links[link]!.bandwidth;
  const simple = model.crossTraffic === 0 && links.length <= SHORT && areDistinct(links);
  const used = simple ? { links, coefficients: ones(links.length) } : usedLinks(platform, model, from, to, links);
  return {
    latency,
    weight: latency > 0 && model.shares === 'by-penalty' ? 1 / penalty : 1,
    bound: latency > 0 && links.length > 0 ? model.window / (2 * latency) : Number.POSITIVE_INFINITY,
    ...used,
  };
}

/** The links of a route in another order, which only the lazy solver can tell. */
function withFirst(way: readonly number[], first: number): readonly number[] {
  const at = way.indexOf(first);
  return [first, ...way.slice(0, at), ...way.slice(at + 1)];
}

/** Links of a route up to which a list is searched faster than a map is made: programs of many ranks have millions of pairs. */
const SHORT = 32;

function areDistinct(links: readonly number[]): boolean {
  for (let i = 1; i < links.length; i++) if (links.indexOf(links[i]!) < i) return false;
  return true;
}

const ONES: (readonly number[])[] = [];

/** A list of ones, shared by all routes of a length. */
function ones(length: number): readonly number[] {
  ONES[length] ??= new Array<number>(length).fill(1);
  return ONES[length];
}

/** The links of a route and of its return route, each once, with the capacity that a byte uses. */
function usedLinks(
  platform: Platform,
  model: NetworkModel,
  from: number,
  to: number,
  links: readonly number[],
): Pick<TransferCost, 'links' | 'coefficients'> {
  const use = new Map<number, number>();
  const take = (link: number, amount: number): void => {
    const before = use.get(link);
    if (before === undefined) use.set(link, amount);
    else use.set(link, platform.links[link]!.fatpipe ? Math.max(before, amount) : before + amount);
  };
  for (const link of links) take(link, 1);
  if (model.crossTraffic > 0) for (const link of platform.route(to, from).links) take(link, model.crossTraffic);
  return { links: [...use.keys()], coefficients: [...use.values()] };
}

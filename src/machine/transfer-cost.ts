import type { NetworkModel } from './network-model.ts';
import type { Platform } from './platform.ts';

/** What a flow from one host to another asks of the network; the same for all messages between the two. */
export interface TransferCost {
  /** Latency of the route in seconds, before the model's latency factor. */
  readonly latency: number;
  /** Weight in weighted max-min sharing (1 / SimGrid's penalty, in 1/s; or 1): the rate grows in proportion to it. */
  readonly weight: number;
  /** The most that the flow's rate can be, in byte/s; Infinity where only the links bound it. */
  readonly bound: number;
  /** The links that the flow uses, each once, ascending by first use. */
  readonly links: Int32Array;
  /** What one byte of the flow takes of `links[i]`: 1 on the way, `crossTraffic` on the way back, or their sum. */
  readonly coefficients: Float64Array;
}

/**
 * The cost of a flow between two hosts, for weighted bounded max-min sharing as in SimGrid 3.32.
 *
 * penalty = latency + Σ weightS / bandwidth over the links of the route (a repeated link counts each time), weight = 1 / penalty;
 * a route without latency has weight 1 whatever weightS is, because SimGrid never sets its penalty, and so have all
 * routes where the model shares equally. Coefficients of a
 * link that occurs more than once are summed where it is shared; on a FATPIPE the largest counts.
 * FATPIPE in SimGrid is no mere cap on each flow: in its progressive filling (level = rate / weight) such a link
 * saturates when its heaviest flow (largest coefficient × weight) reaches the bandwidth, and then all flows on it
 * that are not fixed yet stop at that level: a flow of a third of the weight gets a third of the bandwidth.
 *
 * Source: SimGrid's `network_cm02.cpp` (communicate) and `maxmin.cpp`, checked against the installed 3.32.
 *
 * @throws InputError PLAT020 where there is no route, or no return route while the model has cross-traffic.
 * @complexity linear in the length of the route and of the return route.
 */
export function transferCost(platform: Platform, model: NetworkModel, from: number, to: number): TransferCost {
  const route = platform.route(from, to);
  const { latency } = route;
  let penalty = latency;
  const use = new Map<number, number>();
  const take = (link: number, amount: number): void => {
    const before = use.get(link);
    if (before === undefined) use.set(link, amount);
    else use.set(link, platform.links[link]!.fatpipe ? Math.max(before, amount) : before + amount);
  };
  for (const link of route.links) {
    penalty += model.weightS / platform.links[link]!.bandwidth;
    take(link, 1);
  }
  if (model.crossTraffic > 0) for (const link of platform.route(to, from).links) take(link, model.crossTraffic);
  return {
    latency,
    weight: latency > 0 && model.shares === 'by-penalty' ? 1 / penalty : 1,
    bound: latency > 0 ? model.window / (2 * latency) : Number.POSITIVE_INFINITY,
    links: Int32Array.from(use.keys()),
    coefficients: Float64Array.from(use.values()),
  };
}

import { GrowingColumn, IntColumn } from '../base/columns.ts';
import type {
  CallCosts,
  CostFunction,
  MessagePassingMachine,
  Protocol,
  RankCosts,
} from '../models/message-passing-parts.ts';
import type { ServiceLink } from '../net/net.ts';
import { type CallCost, FREE_CALL, type NetworkModel, type Steps } from './network-model.ts';
import type { HostCalls, Link, Platform } from './platform.ts';
import { changingLink, followOf, stateLink } from './profile.ts';
import { sharedCores } from './shared-cores.ts';
import { transferCost } from './transfer-cost.ts';

/**
 * Maps the ranks of a message-passing program onto a platform: costs of each rank's core and of each communicating
 * pair. `placement[r]` is the host of rank r; `pairs` are (sender, receiver). If no host has more threads than cores,
 * and none of these slows others down, core sharing is not modelled and every rank computes at the speed of its core. O(ranks + pairs × route length).
 *
 * @param threads threads of each rank. Default: one
 */
export function mapMessagePassing(
  platform: Platform,
  model: NetworkModel,
  placement: Int32Array,
  pairs: { readonly from: Int32Array; readonly to: Int32Array },
  threads?: Int32Array,
): MessagePassingMachine {
  const n = pairs.from.length;
  const latency = new Float64Array(n);
  const weight = new Float64Array(n);
  const bound = new Float64Array(n);
  const start = new Int32Array(n + 1);
  const states = hostStates(platform, placement);
  // Most routes of clusters have two links.
  const link = new IntColumn(2 * n);
  const coefficient = new GrowingColumn(new Float64Array(2 * n));
  const cross = (l: number, use: number): void => {
    link.push(l);
    coefficient.push(use);
  };
  const ranksOn = new Int32Array(platform.hosts.length);
  for (const host of placement) ranksOn[host]!++;
  const threadsOn = threads === undefined ? ranksOn : sumByHost(placement, threads, platform.hosts.length);
  // With at most one rank per host, all pairs of ranks have different pairs of hosts, so that a cache is useless.
  const known = ranksOn.some((ranks) => ranks > 1) ? new Map<number, ReturnType<typeof transferCost>>() : undefined;
  for (let k = 0; k < n; k++) {
    const [from, to] = [placement[pairs.from[k]!]!, placement[pairs.to[k]!]!];
    const key = from * platform.hosts.length + to;
    const cost = known?.get(key) ?? transferCost(platform, model, from, to);
    known?.set(key, cost);
    latency[k] = cost.latency;
    weight[k] = cost.weight;
    bound[k] = cost.bound;
    const { links, coefficients } = cost;
    for (let i = 0; i < links.length; i++) cross(links[i]!, coefficients[i]!);
    for (const host of states.size === 0 ? [] : new Set([from, to])) {
      const own = states.get(host);
      if (own !== undefined) cross(own.index, 1);
    }
    start[k + 1] = link.length;
  }
  const crossed = { start, link: link.finish(), coefficient: coefficient.finish() };
  const own = [...states.values()].map(({ link: service }) => service);
  const uneven = unevenFatpipes((l) => platform.links[l]?.fatpipe === true, { ...crossed, weight });
  const { links: network, numberOf } = linksToModel(platform, crossed.link);
  const links = [...network.map(({ link: l, index }) => changingLink(l, uneven.has(index))), ...own];
  const numberOfAny = (l: number): number =>
    l < platform.links.length ? numberOf(l) : network.length + l - platform.links.length;
  const cores = sharedCores(platform, placement, threadsOn, threads);
  return {
    speed: Float64Array.from(placement, (host) => platform.hosts[host]!.speed),
    ...(cores === undefined ? {} : { cores }),
    links,
    ...(links.some(({ profiles }) => profiles !== undefined) ? { follow: followOf(model) } : {}),
    ...(model.solver === undefined ? {} : { solver: model.solver }),
    latency,
    weight,
    bound,
    routes: { ...crossed, link: crossed.link.map(numberOfAny) },
    ...(model.shares === 'in-order'
      ? { hopLatency: Float64Array.from(crossed.link, (l) => platform.links[l]!.latency) }
      : {}),
    protocol: protocolOf(model),
    ...callCosts(platform, model, placement),
  };
}

/** By host with ranks that may fail: the link that all its messages cross. These are numbered after the links of the platform. */
function hostStates(
  { hosts, links }: Platform,
  placement: Int32Array,
): ReadonlyMap<number, { readonly index: number; readonly link: ServiceLink }> {
  const states = new Map<number, { readonly index: number; readonly link: ServiceLink }>();
  for (const host of new Set(placement)) {
    const link = stateLink(hosts[host]!);
    if (link !== undefined) states.set(host, { index: links.length + states.size, link });
  }
  return states;
}

/** The protocol of a network model. */
export function protocolOf(model: NetworkModel): Protocol {
  return {
    envelope: model.envelope,
    detachedBelow: model.detachedBelow,
    eagerBelow: model.eagerBelow,
    latencyFactor: steps(model.latencyFactor),
    bandwidthFactor: steps(model.bandwidthFactor),
    testSleep: model.testSleep,
  };
}

/** The times of calls of each rank: those of its host, or else of the model. Absent if no call takes time. */
function callCosts(platform: Platform, model: NetworkModel, placement: Int32Array): { readonly calls?: CallCosts } {
  const [send, isend, receive] = (['sendCost', 'isendCost', 'receiveCost'] as const).map((key) =>
    rankCosts(platform, model[key], placement, key),
  );
  if (send === undefined && isend === undefined && receive === undefined) return {};
  return {
    calls: {
      ...(send === undefined ? {} : { send }),
      ...(isend === undefined ? {} : { isend }),
      ...(receive === undefined ? {} : { receive }),
    },
  };
}

function rankCosts(
  { hosts }: Platform,
  cost: CallCost = FREE_CALL,
  placement: Int32Array,
  key: keyof HostCalls,
): RankCosts | undefined {
  const numbers = new Map<string, number>();
  const functions: CostFunction[] = [];
  const ofRank = Int32Array.from(placement, (host) => {
    const own = hosts[host]!.calls?.[key] ?? cost;
    const text = JSON.stringify(own);
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, functions.length);
    return functions.push(costFunction(own)) - 1;
  });
  if (functions.every(({ seconds, perByte }) => [...seconds, ...perByte].every((s) => s === 0))) return undefined;
  return functions.length === 1 ? { functions } : { functions, ofRank };
}

/** The thresholds are those of {@link steps}; the first piece holds for all fewer bytes. */
function costFunction({ above, seconds, perByte }: CallCost): CostFunction {
  const from = Float64Array.from(above, (a, k) => (k === 0 ? Number.NEGATIVE_INFINITY : a + 1));
  return { from, seconds: Float64Array.from(seconds), perByte: Float64Array.from(perByte) };
}

function sumByHost(placement: Int32Array, of: Int32Array, hosts: number): Int32Array {
  const sums = new Int32Array(hosts);
  placement.forEach((host, rank) => {
    sums[host]! += of[rank]!;
  });
  return sums;
}

/** From this number of links on, the model omits links that no route crosses. */
const MANY_LINKS = 1 << 12;

/**
 * The links of the model in the order of the platform, and a function from the platform's index of a link to its number
 * in the model.
 */
function linksToModel(
  platform: Platform,
  crossed: Int32Array,
): { links: readonly { link: Link; index: number }[]; numberOf: (index: number) => number } {
  if (platform.links.length < MANY_LINKS)
    return { links: platform.links.map((link, index) => ({ link, index })), numberOf: (index) => index };
  const numbers = new Int32Array(platform.links.length);
  // Links behind these are states of hosts.
  for (const index of crossed) if (index < numbers.length) numbers[index] = 1;
  const links: { link: Link; index: number }[] = [];
  for (let index = 0; index < numbers.length; index++)
    if (numbers[index] === 1) numbers[index] = links.push({ link: platform.links[index]!, index }) - 1;
  return { links, numberOf: (index) => numbers[index]! };
}

/** Converts thresholds: wire bytes are integers, so "above a" means "from a + 1 on". Below all thresholds the factor is 1. */
function steps({ above, values }: Steps): { from: Float64Array; values: Float64Array } {
  return {
    from: Float64Array.of(Number.NEGATIVE_INFINITY, ...above.map((a) => a + 1)),
    values: Float64Array.of(1, ...values),
  };
}

/**
 * The fatpipes that are crossed by routes of unequal pressure (weight × coefficient). SimGrid stops all flows on a
 * saturated fatpipe at the same level (its solver, `src/kernel/lmm/maxmin.cpp`). With equal pressures this is the same
 * as capping each flow separately, which is cheaper.
 */
export function unevenFatpipes(
  isFatpipe: (link: number) => boolean,
  routes: {
    readonly start: Int32Array;
    readonly link: ArrayLike<number>;
    readonly coefficient: ArrayLike<number>;
    readonly weight: Float64Array;
  },
): Set<number> {
  const pressure = new Map<number, number>();
  const uneven = new Set<number>();
  for (let pair = 0; pair < routes.weight.length; pair++)
    for (let k = routes.start[pair]!; k < routes.start[pair + 1]!; k++) {
      const l = routes.link[k]!;
      if (!isFatpipe(l)) continue;
      const own = routes.weight[pair]! * routes.coefficient[k]!;
      const known = pressure.get(l);
      if (known === undefined) pressure.set(l, own);
      else if (Math.abs(known - own) > 1e-12 * known) uneven.add(l);
    }
  return uneven;
}

import type { StationService } from '../../net/net.ts';
import { decimals, doubleOf, isLess, plus, type Ratio, ratio, times, ZERO } from './exact-ratio.ts';
import { constantDelay, constantOf, type TimedNet, type TimedTransition } from './timed-net.ts';

/** Bounds of the throughput of a transition, in firings per second. */
export interface JobBounds {
  readonly lower: number;
  readonly upper: number;
}

/** Rates are the decimals of doubles, and ends are rounded: both ends move outwards by this share. */
const WIDER = 1e-15;
/** Maximum number of places: elimination takes the cube of it. */
const MAX_PLACES = 60;

/**
 * Balanced job bounds of a closed product-form network with one class (Zahorjan et al. 1982; with delays: Lazowska et
 * al., _Quantitative System Performance_, 1984, table 5.2), by transition. With N tokens, demands Dᵢ of M stations with one server, their
 * sum D and maximum Dmax, and the total Z of delays, all for one visit to the reference place:
 *
 *   N / (D + Z + (N − 1) Dmax / (1 + Z / (N D))) ≤ X ≤ min(1 / Dmax, N / (D + Z + (N − 1) D / M / (1 + Z / D)))
 *
 * In fractions, so exact until the last step. Undefined if the net is no such network.
 */
export function balancedJobs(net: TimedNet): readonly JobBounds[] | undefined {
  const network = networkOf(net);
  if (network === undefined) return undefined;
  const { tokens, stages, chance, from } = network;
  const visits = visitsOf(network);
  if (visits === undefined) return undefined;
  const n = whole(tokens);
  let [queues, total, most, delays] = [0n, ZERO, ZERO, ZERO];
  for (const { place, time, isQueue } of stages) {
    const demand = times(visits[place]!, time);
    if (demand.numerator === 0n) continue;
    if (!isQueue) delays = plus(delays, demand);
    else {
      queues++;
      total = plus(total, demand);
      if (isLess(most, demand)) most = demand;
    }
  }
  const idle = plus(total, delays);
  if (idle.numerator === 0n) return undefined;
  const others = whole(tokens - 1);
  const shared = (a: Ratio, b: Ratio, c: Ratio): Ratio =>
    c.numerator === 0n ? ZERO : over(times(times(others, a), b), c);
  const lower = over(n, plus(idle, shared(most, times(n, total), plus(times(n, total), delays))));
  const balanced = over(
    n,
    plus(idle, shared(queues === 0n ? ZERO : over(total, { numerator: queues, denominator: 1n }), total, idle)),
  );
  const bottleneck = most.numerator === 0n ? balanced : over(whole(1), most);
  const upper = isLess(bottleneck, balanced) ? bottleneck : balanced;
  return net.transitions.map((_, t) => {
    const share = times(visits[from[t]!]!, chance[t]!);
    return {
      lower: doubleOf(times(lower, share)) * (1 - WIDER),
      upper: doubleOf(times(upper, share)) * (1 + WIDER),
    };
  });
}

/** Time that tokens of a place spend at a station of it. */
interface Stage {
  readonly place: number;
  /** Seconds for each visit to the place. */
  readonly time: Ratio;
  /** True for one server in a queue, false for a delay. */
  readonly isQueue: boolean;
}

interface Network {
  readonly tokens: number;
  readonly places: readonly number[];
  readonly stages: readonly Stage[];
  /** By transition: the places that it moves a token from and to, and its probability there. */
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly chance: readonly Ratio[];
}

function networkOf(net: TimedNet): Network | undefined {
  const { places, transitions } = net;
  const servers = serversOf(net);
  const inner = [...places.keys()].filter((p) => !servers.has(p));
  const tokens = inner.reduce((sum, p) => sum + places[p]!.initial, 0);
  if (tokens === 0 || inner.length > MAX_PLACES || inner.some((p) => (places[p]!.capacity ?? tokens) < tokens))
    return undefined;
  const from: number[] = [];
  const to: number[] = [];
  const consumers = places.map((): number[] => []);
  for (const [k, t] of transitions.entries()) {
    const [take, ...moreTakes] = t.takes.filter(([p]) => !servers.has(p));
    const [put, ...morePuts] = t.puts.filter(([p]) => !servers.has(p));
    const isMove = take?.[1] === 1 && put?.[1] === 1 && moreTakes.length === 0 && morePuts.length === 0;
    if (!isMove || t.reads.length + t.inhibits.length + t.resets.length > 0) return undefined;
    from.push(take[0]);
    to.push(put[0]);
    consumers[take[0]]!.push(k);
  }
  const served = new Set(servers.values());
  const chance: Ratio[] = transitions.map(() => ZERO);
  const stages: Stage[] = [];
  for (const p of inner) {
    const own = [
      ...service(places[p]!.service as StationService | undefined),
      ...leaving(consumers[p]!, transitions, served, chance),
    ];
    if (own.includes(undefined)) return undefined;
    for (const stage of own) stages.push({ place: p, ...stage! });
  }
  return { tokens, places: inner, stages, from, to, chance };
}

/** Places of one token that only one holding firing takes, and puts back: its server. By place, the transition. */
function serversOf({ places, transitions }: TimedNet): ReadonlyMap<number, number> {
  const servers = new Map<number, number>();
  places.forEach(({ initial, capacity, service: has }, p) => {
    const takers = [...transitions.keys()].filter((t) => transitions[t]!.takes.some(([q]) => q === p));
    const givers = [...transitions.keys()].filter((t) => transitions[t]!.puts.some(([q]) => q === p));
    const [t] = takers;
    if (t === undefined || takers.length + givers.length !== 2 || givers[0] !== t) return;
    const { isRace, takes } = transitions[t]!;
    const isOnly = takes.length === 2 && transitions[t]!.puts.length === 2;
    const isOne = [...takes, ...transitions[t]!.puts].every(([, n]) => n === 1);
    if (initial === 1 && capacity === undefined && has === undefined && !isRace && isOnly && isOne) servers.set(p, t);
  });
  // Two such places of one transition: neither holds its customers.
  const all = [...servers.values()];
  return new Map([...servers].filter(([, t]) => all.indexOf(t) === all.lastIndexOf(t)));
}

type Time = Omit<Stage, 'place'> | undefined;

function service(station: StationService | undefined): readonly Time[] {
  if (station === undefined) return [];
  const exponential = meanOf(station.time, true);
  const any = meanOf(station.time, false);
  if (station.kind === 'is') return [any && { time: any, isQueue: false }];
  if (station.servers !== 1) return [undefined];
  // Any distribution keeps the product form where the last to come is served at once (Baskett, Chandy, Muntz & Palacios 1975).
  if (station.kind === 'fcfs') return [exponential && { time: exponential, isQueue: true }];
  if (station.kind === 'ps' || station.kind === 'lcfs-pr') return [any && { time: any, isQueue: true }];
  return [undefined];
}

/** Stages of the transitions that take from a place; sets their probabilities. Undefined stages: no product form. */
function leaving(
  own: readonly number[],
  transitions: readonly TimedTransition[],
  served: ReadonlySet<number>,
  chance: Ratio[],
): readonly Time[] {
  const all = own.map((k) => transitions[k]!);
  const [first] = all;
  if (first === undefined || all.some((t) => t.isRace !== first.isRace)) return [undefined];
  if (first.isRace) {
    const isQueue = first.servers === 1;
    // Several servers are neither a queue of one server nor a delay.
    if (all.some((t) => t.servers !== first.servers || !(isQueue || t.servers === Number.POSITIVE_INFINITY)))
      return [undefined];
    const alone = all.length === 1 && !isQueue ? meanOf(first.delay!, false) : undefined;
    if (alone !== undefined) {
      chance[own[0]!] = whole(1);
      return [{ time: alone, isQueue: false }];
    }
    const means = all.map((t) => meanOf(t.delay!, true));
    if (means.includes(undefined)) return [undefined];
    const rates = means.map((mean) => over(whole(1), mean!));
    const rate = rates.reduce(plus);
    for (const [i, k] of own.entries()) chance[k] = over(rates[i]!, rate);
    return [{ time: over(whole(1), rate), isQueue }];
  }
  const isDrawn = all.length === 1 || all.some((t) => t.weight !== undefined);
  const isOpen = all.length > 1 && own.some((k) => served.has(k));
  if (!isDrawn || isOpen || all.some((t) => t.priority !== first.priority)) return [undefined];
  const weights = all.map((t) => exactOf(t.weight ?? 1));
  const sum = weights.reduce(plus);
  return own.flatMap((k, i): Time[] => {
    chance[k] = over(weights[i]!, sum);
    const { delay } = transitions[k]!;
    if (delay === undefined) return [];
    const isQueue = served.has(k);
    const mean = meanOf(delay, isQueue);
    return [mean && { time: times(mean, chance[k]!), isQueue }];
  });
}

/** The mean of an exponential delay or, unless `onlyExponential`, of a constant one. */
function meanOf(delay: NonNullable<TimedTransition['delay']>, onlyExponential: boolean): Ratio | undefined {
  if ('dist' in delay) {
    const rate = delay.dist === 'exponential' ? constantOf(delay.rate) : undefined;
    return rate === undefined ? undefined : over(whole(1), exactOf(rate));
  }
  const seconds = constantDelay(delay);
  return seconds === undefined || onlyExponential ? undefined : exactOf(seconds);
}

/** By place: visits for one to the first place, if all are visited again and again: elimination without subtraction. */
function visitsOf({ places, from, to, chance }: Network): Ratio[] | undefined {
  const position = new Map(places.map((p, k) => [p, k]));
  const n = places.length;
  const flow = Array.from({ length: n }, () => Array.from({ length: n }, () => ZERO));
  from.forEach((p, t) => {
    const [i, j] = [position.get(p)!, position.get(to[t]!)!];
    flow[i]![j] = plus(flow[i]![j]!, chance[t]!);
  });
  const totals: Ratio[] = [];
  for (let k = n - 1; k > 0; k--) {
    const row = flow[k]!;
    const total = row.slice(0, k).reduce(plus, ZERO);
    if (total.numerator === 0n) return undefined;
    totals[k] = total;
    for (let i = 0; i < k; i++) {
      if (flow[i]![k]!.numerator === 0n) continue;
      const factor = over(flow[i]![k]!, total);
      for (let j = 0; j < k; j++) flow[i]![j] = plus(flow[i]![j]!, times(factor, row[j]!));
    }
  }
  const visits: Ratio[] = [whole(1)];
  for (let k = 1; k < n; k++) {
    let sum = ZERO;
    for (let i = 0; i < k; i++) sum = plus(sum, times(visits[i]!, flow[i]![k]!));
    if (sum.numerator === 0n) return undefined;
    visits.push(over(sum, totals[k]!));
  }
  const byPlace: Ratio[] = [];
  for (const [k, p] of places.entries()) byPlace[p] = visits[k]!;
  return byPlace;
}

const whole = (n: number): Ratio => ({ numerator: BigInt(n), denominator: 1n });

const over = (a: Ratio, b: Ratio): Ratio => ratio(a.numerator * b.denominator, a.denominator * b.numerator);

function exactOf(x: number): Ratio {
  const { integers, exponent } = decimals([x]);
  const power = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? ratio(integers[0]!, power) : ratio(integers[0]! * power, 1n);
}

import { fail } from '../../../base/problem.ts';
import type { Net, Place, Transition } from '../../../net/net.ts';
import { clocksOf } from '../../../net/race-timing.ts';
import { provedBounds } from '../../flows/place-proofs.ts';
import { flatten } from '../../petri/flatten.ts';
import { leavesAtOnce, serversOf } from '../../stations.ts';

/** A place without a proved maximum of tokens, whose chain is cut at a capacity. */
export interface OpenPlace {
  /** Index in `net.places`. */
  readonly place: number;
  readonly name: string;
  /** From this number of tokens on, further ones change neither which steps are possible nor their rates, apart from `growth`. */
  readonly threshold: number;
  /** Maximum number of tokens that one firing puts into the place. */
  readonly brought: number;
  /** Growth per token of the rate at which tokens leave one by one to nowhere: the only rate that may depend on every number of them. */
  readonly growth: number;
}

export interface OpenPlaces {
  readonly places: readonly OpenPlace[];
  /** Places without a proved maximum whose tokens leave at once: they are empty whenever time passes. */
  readonly transit: readonly Pick<OpenPlace, 'place' | 'name' | 'brought'>[];
  /** Why rates or steps may depend on every number of tokens; undefined if they do not. */
  readonly obstacle?: string;
}

/**
 * The places of a net that may hold any number of tokens.
 *
 * @throws InputError CTMC004 if firings in progress or tokens that share links may be unbounded, UNF…
 */
export function openPlaces(net: Net): OpenPlaces {
  const petri = flatten(net);
  const bounds = provedBounds(petri);
  const most = net.places.map(() => 0);
  petri.places.forEach(({ kind, node }, k) => {
    if (kind === 'busy') {
      if (bounds[k] === Number.POSITIVE_INFINITY) endless(`transition ${net.transitions[node]!.name}`);
    } else if (net.places[node]!.capacity === undefined) most[node]! += bounds[k]!;
  });
  const unlimited = net.places.flatMap((place, k) => (most[k] === Number.POSITIVE_INFINITY ? [{ place, k }] : []));
  const isTransit = (place: Place): boolean => place.service === undefined && leavesAtOnce(net, place);
  const open = unlimited.filter(({ place }) => !isTransit(place));
  const shared = open.find(({ place }) => place.service?.kind === 'max-min');
  if (shared !== undefined) endless(`place ${shared.place.name}`);
  const boundOf = new Map(net.places.map((p, k) => [p.name, Math.min(most[k]!, p.capacity ?? most[k]!)]));
  let obstacle: string | undefined;
  const refuse = (why: string | undefined): void => {
    obstacle ??= why;
  };
  const places = open.map(({ place, k }): OpenPlace => {
    if (place.fields.length > 0) refuse(`place ${place.name} has colours`);
    if (place.service !== undefined) refuse(obstacleInService(net, place));
    let [threshold, brought, growth] = [serversOf(place) ?? 1, 0, 0];
    for (const t of net.transitions) {
      refuse(obstacleIn(t, place));
      // Arcs see only the tokens that have been served.
      const leaving = place.service === undefined ? leavingRate(t, place) : undefined;
      if (leaving === undefined) threshold = Math.max(threshold, thresholdIn(t, place, boundOf));
      else growth += leaving;
      brought = Math.max(brought, broughtBy(t, place));
    }
    if (threshold === Number.POSITIVE_INFINITY) refuse(growing(place.name));
    return { place: k, name: place.name, threshold, brought, growth };
  });
  const transit = unlimited
    .filter(({ place }) => isTransit(place))
    .map(({ place, k }) => ({
      place: k,
      name: place.name,
      brought: net.transitions.reduce((all, t) => Math.max(all, broughtBy(t, place)), 0),
    }));
  for (const { place } of transit) for (const t of net.transitions) refuse(numberOfOutputs(t, net.places[place]!.name));
  return { places, transit, ...(obstacle === undefined ? {} : { obstacle }) };
}

function endless(part: string): never {
  fail(
    'CTMC004',
    'firings in progress, or tokens in service, have no proved maximum, and a capacity limits only the tokens of places. Estimate the figures by simulation: foretoken steady --method simulate',
    { part },
  );
}

/** The net whose places without a proved maximum have this capacity. Where open places are full, tokens in transit wait. */
export function cappedNet(net: Net, { places, transit }: OpenPlaces, capacity: number): Net {
  const own = new Set([...places, ...transit].map(({ place }) => place));
  return { ...net, places: net.places.map((p, k) => (own.has(k) ? { ...p, capacity } : p)) };
}

/** Rates that grow have a proof only where each firing takes one token and puts nothing. */
const growing = (place: string): string =>
  `rates grow with the tokens of place ${place}, and not only those of exponential races with a clock for each token that take one token and put nothing`;

/** The tokens of a station must be waiting or in service: then its rate depends on their number alone, up to the servers. */
function obstacleInService(net: Net, place: Place): string | undefined {
  if (place.service?.kind === 'is') return growing(place.name);
  return leavesAtOnce(net, place) ? undefined : `served tokens of place ${place.name} may stay there`;
}

function obstacleIn(t: Transition, { name }: Place): string | undefined {
  if (t.inputs.some((arc) => arc.place === name && arc.kind === 'reset')) return `transition ${t.name} empties ${name}`;
  if ((t.counts ?? []).some((c) => c.place === name)) return `transition ${t.name} counts the tokens of ${name}`;
  return numberOfOutputs(t, name);
}

function numberOfOutputs({ name, outputs }: Transition, into: string): string | undefined {
  return outputs.some(({ place, count }) => place === into && count.op !== 'const')
    ? `transition ${name} puts a number of tokens into ${into} that is no constant`
    : undefined;
}

/**
 * The rate of a race with a clock for each token of a place, which takes one and puts nothing: customers of infinitely many servers, or those
 * who lose patience. Undefined for other transitions.
 */
function leavingRate(t: Transition, { name }: Place): number | undefined {
  const { inputs, outputs, delay, timing, speed, guard } = t;
  const [arc, ...others] = inputs;
  const isAlone = others.length === 0 && arc?.kind === 'take' && arc.place === name && arc.count === 1;
  if (!isAlone || outputs.length > 0 || timing !== 'race' || speed !== undefined || guard !== undefined)
    return undefined;
  if (clocksOf(t) !== Number.POSITIVE_INFINITY) return undefined;
  if (delay === undefined || !('dist' in delay) || delay.dist !== 'exponential') return undefined;
  return delay.rate.op === 'const' && delay.rate.value > 0 ? delay.rate.value : undefined;
}

function broughtBy({ outputs }: Transition, { name }: Place): number {
  return outputs.reduce((sum, { place, count }) => sum + (place === name && count.op === 'const' ? count.value : 0), 0);
}

function thresholdIn(t: Transition, { name }: Place, boundOf: ReadonlyMap<string, number>): number {
  const arcs = t.inputs.filter((arc) => arc.place === name);
  if (arcs.length === 0) return 0;
  const needed = arcs.reduce((sum, { count }) => sum + count, 0);
  const taken = arcs.reduce((sum, { kind, count }) => sum + (kind === 'take' ? count : 0), 0);
  if (t.timing !== 'race' || taken === 0) return needed;
  // Servers and tokens of other places limit the number of clocks.
  const clocks = t.inputs.reduce(
    (least, { kind, place, count }) =>
      kind === 'take' && place !== name ? Math.min(least, Math.floor(boundOf.get(place)! / count)) : least,
    clocksOf(t),
  );
  return Math.max(needed, clocks * taken);
}

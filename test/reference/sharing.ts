import { initialOf, nextChange, profileValue } from '../../src/net/link-profile.ts';
import type { Follow, LinkProfile, MaxMinService, Place, ServiceLink } from '../../src/net/net.ts';
import { type Binding, RunError } from './evaluate.ts';
import { type Flow, maxMinRates } from './max-min.ts';
import type { Model } from './model.ts';
import type { Clockwork, Customer, Service } from './service.ts';

/** Relative tolerance within which times are one instant if rates are shared (S12). */
export const SAME = 1e-12;

/** Demand of a token on shared links. */
export interface Demand extends Flow {
  readonly amount: number;
  /** Seconds before the token shares its links, and the factor on what profiles add to them. */
  readonly latency?: number;
  readonly latencyFactor?: number;
}

interface Sharer extends Customer, Demand {
  left: number;
  lost: boolean;
  /** The time of its arrival, the end of its wait, and whether this has come. */
  readonly arrival: number;
  readonly shares: number;
  waits: boolean;
  readonly cap: number;
}

/** Max-min sharing of links; processor sharing is the case of one link (S4, S5). */
export class Sharing implements Service {
  readonly place: Place;
  readonly customers: Sharer[] = [];
  readonly #links: readonly ServiceLink[];
  readonly #model: Model;
  readonly #demand: (columns: Binding, now: number) => Demand;
  readonly #follow: Follow | undefined;
  /** The time for which quantities of links are known. */
  #now = 0;

  constructor(
    place: Place,
    links: readonly ServiceLink[],
    model: Model,
    demand: (columns: Binding, now: number) => Demand,
    follow?: Follow,
  ) {
    this.place = place;
    this.#links = links;
    this.#model = model;
    this.#demand = demand;
    this.#follow = follow;
  }

  enter(values: readonly number[], clock: Clockwork): void {
    this.#now = clock.now;
    const demand = this.#demand(this.#model.columns(this.place, values), clock.now);
    const { amount, crosses, latency = 0, latencyFactor = 1 } = demand;
    const forward = crosses.map((c) => ({ ...c, whole: Math.floor(c.coefficient) })).filter(({ whole }) => whole > 0);
    const late = forward.reduce((sum, { link, whole }) => sum + whole * this.#at(link, 'latency', clock.now), 0);
    const wait = latency + latencyFactor * late;
    const cap = Math.min(Number.POSITIVE_INFINITY, ...forward.map(({ link }) => this.#capacity(link, clock.now)));
    const sharer: Sharer = {
      ...demand,
      values,
      started: clock.nextStart(),
      left: amount,
      lost: crosses.some(({ link }) => this.#at(link, 'state', clock.now) === 0),
      arrival: clock.now,
      shares: clock.now + Math.max(0, wait),
      waits: wait > 0,
      cap: this.#follow?.capped === true ? cap : Number.POSITIVE_INFINITY,
    };
    if (!sharer.waits) this.#begin(sharer);
    this.customers.push(sharer);
  }

  /** A token without any limit to its rate completes at once. */
  #begin(sharer: Sharer): void {
    sharer.waits = false;
    const { bound, crosses } = this.#flow(sharer, this.#now);
    const links = this.#linksAt(this.#now);
    const alone = Math.min(bound, ...crosses.map((c) => links[c.link]!.capacity / c.coefficient));
    if (alone === Number.POSITIVE_INFINITY) sharer.left = 0;
  }

  due(): Customer | undefined {
    return this.customers.filter((c) => !c.lost && !c.waits && c.left === 0).sort((a, b) => a.started! - b.started!)[0];
  }

  leave(customer: Customer): void {
    this.customers.splice(this.customers.indexOf(customer as Sharer), 1);
  }

  #profiles(): LinkProfile[] {
    return this.#links.flatMap(({ profiles = [] }) => profiles);
  }

  #at(link: number, of: LinkProfile['of'], time: number): number {
    const profile = this.#links[link]!.profiles?.find((p) => p.of === of);
    if (profile === undefined) return of === 'latency' ? 0 : 1;
    return profileValue(profile, time * (1 + SAME));
  }

  #capacity(link: number, time: number): number {
    return this.#links[link]!.capacity * this.#at(link, 'capacity', time);
  }

  #linksAt(time: number): ServiceLink[] {
    return this.#links.map((link, l) => {
      const factor = this.#at(l, 'capacity', time);
      const byTokens = link.byTokens === undefined ? {} : { byTokens: link.byTokens.map((c) => c * factor) };
      return { ...link, capacity: link.capacity * factor, ...byTokens };
    });
  }

  /** What a token asks for at a time: weights and bounds follow the links since it shares them. */
  #flow(sharer: Sharer, time: number): Flow {
    const { crosses, cap, shares } = sharer;
    const follow = this.#follow;
    if (follow === undefined) return sharer;
    const first = (link: number, of: LinkProfile['of']): number => {
      const profile = this.#links[link]!.profiles?.find((p) => p.of === of);
      return profile === undefined ? (of === 'latency' ? 0 : 1) : initialOf(profile);
    };
    const later = (link: number, at: number): number => this.#at(link, 'latency', at) - first(link, 'latency');
    const heavy = (link: number, at: number): number =>
      follow.weightByLatency * later(link, at) +
      follow.weightByCapacity *
        (1 / this.#capacity(link, at) - 1 / (this.#links[link]!.capacity * first(link, 'capacity')));
    const slow = (link: number, at: number): number => follow.boundByLatency * later(link, at);
    let penalty = 1 / sharer.weight;
    let slowness = 1 / sharer.bound;
    for (const { link, coefficient } of crosses) {
      const whole = Math.floor(coefficient);
      penalty += whole * heavy(link, shares) + heavy(link, time) - heavy(link, shares);
      slowness += whole * slow(link, shares) + slow(link, time) - slow(link, shares);
    }
    return { crosses, weight: 1 / Math.max(penalty, 1e-12), bound: Math.min(cap, 1 / Math.max(slowness, 0)) };
  }

  #rates(time: number): ReadonlyMap<Sharer, number> {
    const sharing = this.customers.filter((c) => !c.lost && !c.waits);
    const rates = maxMinRates(
      sharing.map((c) => this.#flow(c, time)),
      this.#linksAt(time),
    );
    return new Map(sharing.map((c, k) => [c, rates[k]!]));
  }

  next(now: number): number {
    const rates = this.#rates(now);
    const present = this.customers.filter((c) => !c.lost);
    if (present.length === 0) return Number.POSITIVE_INFINITY;
    const changes = this.#profiles().map((profile) => nextChange(profile, now * (1 + SAME)));
    const ends = present.map((c) => (c.waits ? c.shares : now + c.left / rates.get(c)!));
    return Math.min(Number.POSITIVE_INFINITY, ...changes, ...ends);
  }

  pass(from: number, to: number): void {
    for (const [c, rate] of this.#rates(from)) {
      const finish = from + c.left / rate;
      c.left = finish <= to * (1 + SAME) ? 0 : c.left - rate * (to - from);
    }
    this.#now = to;
    for (const c of this.customers) {
      // A link may also fail and come up at one instant.
      if (c.crosses.some(({ link }) => this.#failed(link, from, to))) c.lost = true;
      if (!c.lost && c.waits && c.shares <= to * (1 + SAME)) this.#begin(c);
    }
  }

  /** Whether a link failed after `from`, up to `to`. */
  #failed(link: number, from: number, to: number): boolean {
    const state = this.#links[link]!.profiles?.find((p) => p.of === 'state');
    if (state === undefined) return false;
    for (let at = nextChange(state, from * (1 + SAME)); at <= to * (1 + SAME); at = nextChange(state, at))
      if (profileValue(state, at) === 0) return true;
    return false;
  }
}

/** Demand of a token on a max-min service (RUN006, RUN007). */
export function demandOf(s: MaxMinService, model: Model, columns: Binding): Demand {
  const routes = model.table(s.routes);
  if (routes.kind !== 'routes') throw new Error('no routes');
  const route = model.value(s.route, columns);
  if (!(Number.isInteger(route) && route >= 0 && route < routes.start.length - 1))
    throw new RunError('RUN007', `route ${route}`);
  const crosses = [];
  for (let k = routes.start[route]!; k < routes.start[route + 1]!; k++)
    crosses.push({ link: routes.link[k]!, coefficient: routes.coefficient[k]! });
  const amount = model.value(s.amount, columns);
  const weight = model.value(s.weight, columns);
  const bound = model.value(s.bound, columns);
  if (
    !(amount >= 0 && amount < Number.POSITIVE_INFINITY && weight > 0 && weight < Number.POSITIVE_INFINITY && bound > 0)
  )
    throw new RunError('RUN006', `amount ${amount}, weight ${weight}, bound ${bound}`);
  const wait = {
    ...(s.latency === undefined ? {} : { latency: model.value(s.latency, columns) }),
    ...(s.latencyFactor === undefined ? {} : { latencyFactor: model.value(s.latencyFactor, columns) }),
  };
  return { amount, weight, bound, crosses, ...wait };
}

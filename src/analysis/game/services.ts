import { fail } from '../../base/problem.ts';
import type { MaxMinService, Place, ServiceLink, StationService } from '../../net/net.ts';
import { checkedSeconds, type GameRules } from './rules.ts';

/** Relative tolerance within which times are one instant where rates are shared (S12). */
export const SAME = 1e-12;

/** A token in service, or waiting for it. Customers are replaced, never changed, so that a list of them can be kept. */
export interface Customer {
  readonly values: readonly number[];
  /** Number of its start among all starts; undefined while it waits. */
  readonly started: number | undefined;
  readonly arrival: number;
  readonly priority: number;
  /** Stations: seconds of service left while it waits, and its end while it is served. Sharing: work left. */
  readonly left: number;
  readonly end: number;
  /** Sharing: how rates grow, their limit, and the links that it crosses. */
  readonly flow?: Flow;
}

interface Flow {
  readonly weight: number;
  readonly bound: number;
  readonly crosses: readonly { readonly link: number; readonly coefficient: number }[];
}

/** Access of a service to the clock and the random numbers of its run. */
export interface ServiceClock {
  readonly now: number;
  /** Services that end by this time are due now. */
  readonly limit: number;
  nextStart(): number;
  draw(place: Place): () => number;
}

/** The tokens in a place with a service (S4, S5). */
export abstract class GameService {
  readonly place: Place;
  readonly number: number;
  customers: readonly Customer[] = [];
  protected readonly rules: GameRules;

  constructor(rules: GameRules, number: number) {
    this.rules = rules;
    this.number = number;
    this.place = rules.net.places[number]!;
  }

  abstract enter(values: readonly number[], clock: ServiceClock): void;
  /** Among the customers that are due, the one whose service was started first. */
  abstract due(clock: ServiceClock): Customer | undefined;
  abstract leave(customer: Customer, clock: ServiceClock): void;
  /** Time of the next end; infinity if nothing is served. */
  abstract next(now: number): number;
  /** Lets time pass. */
  abstract pass(from: number, to: number): void;

  protected replace(old: Customer, by: Customer): void {
    this.customers = this.customers.map((customer) => (customer === old ? by : customer));
  }

  protected firstStarted(due: readonly Customer[]): Customer | undefined {
    return due.reduce<Customer | undefined>(
      (first, customer) => (first === undefined || customer.started! < first.started! ? customer : first),
      undefined,
    );
  }
}

/** The service of each place that has one. */
export function gameServices(rules: GameRules): Map<number, GameService> {
  const services = new Map<number, GameService>();
  rules.net.places.forEach(({ service }, number) => {
    if (service === undefined) return;
    const isShared = service.kind === 'ps' || service.kind === 'max-min';
    services.set(number, isShared ? new SharedService(rules, number) : new StationOfGame(rules, number));
  });
  return services;
}

type Seconds = (values: ArrayLike<number>, draw: () => number) => number;

/** Servers that serve one token each (S4). */
class StationOfGame extends GameService {
  readonly #service: Exclude<StationService, { readonly kind: 'ps' }>;
  readonly #seconds: Seconds;
  readonly #priority: (values: ArrayLike<number>) => number;
  readonly #servers: number;

  constructor(rules: GameRules, number: number) {
    super(rules, number);
    this.#service = this.place.service as Exclude<StationService, { readonly kind: 'ps' }>;
    this.#seconds = rules.secondsOfToken(this.place, this.#service.time);
    const { kind } = this.#service;
    this.#priority = kind === 'priority' ? rules.ofToken(this.place, this.#service.priority) : () => 0;
    this.#servers = kind === 'is' ? Number.POSITIVE_INFINITY : this.#service.servers;
  }

  enter(values: readonly number[], clock: ServiceClock): void {
    const part = `place ${this.place.name}`;
    const left = checkedSeconds(this.#seconds(values, clock.draw(this.place)), clock.now, 'service time', part);
    const priority = this.#priority(values);
    if (Number.isNaN(priority)) fail('RUN014', `a token has the priority ${priority}: expected a number`, { part });
    const arrival = this.customers.reduce((last, customer) => Math.max(last, customer.arrival), -1) + 1;
    const customer: Customer = { values, started: undefined, arrival, priority, left, end: Number.NaN };
    this.customers = [...this.customers, customer];
    const preempts =
      this.#service.kind === 'lcfs-pr' || (this.#service.kind === 'priority' && this.#service.preemptive);
    if (this.#served().length < this.#servers || (preempts && this.#displaces(customer, clock)))
      this.#start(customer, clock);
  }

  due({ limit }: ServiceClock): Customer | undefined {
    return this.firstStarted(this.#served().filter(({ end }) => end <= limit));
  }

  leave(customer: Customer, clock: ServiceClock): void {
    this.customers = this.customers.filter((other) => other !== customer);
    const [next] = this.customers.filter(({ started }) => started === undefined).sort((a, b) => this.#order(a, b));
    if (next !== undefined) this.#start(next, clock);
  }

  next(): number {
    return this.#served().reduce((first, { end }) => Math.min(first, end), Number.POSITIVE_INFINITY);
  }

  pass(): void {
    // Ends are known from the start of a service.
  }

  /** True if a new token takes the server of the last in order of those that are not due. */
  #displaces(customer: Customer, { now, limit }: ServiceClock): boolean {
    const last = this.#served()
      .filter(({ end }) => !(end <= limit))
      .sort((a, b) => this.#order(a, b))
      .at(-1);
    if (last === undefined || this.#order(last, customer) < 0) return false;
    this.replace(last, { ...last, left: last.end - now, started: undefined });
    return true;
  }

  #start(customer: Customer, clock: ServiceClock): void {
    this.replace(customer, { ...customer, started: clock.nextStart(), end: clock.now + customer.left });
  }

  #order(a: Customer, b: Customer): number {
    if (this.#service.kind === 'lcfs-pr') return b.arrival - a.arrival;
    return b.priority - a.priority || a.arrival - b.arrival;
  }

  #served(): readonly Customer[] {
    return this.customers.filter(({ started }) => started !== undefined);
  }
}

/** Tokens that share links by weighted max-min fairness; processor sharing is one link and weight 1 (S4, S5). */
class SharedService extends GameService {
  readonly #links: readonly ServiceLink[];
  readonly #demand: (values: readonly number[], clock: ServiceClock) => Flow & { readonly amount: number };
  #rates: { readonly of: readonly Customer[]; readonly rates: readonly number[] } | undefined;

  constructor(rules: GameRules, number: number) {
    super(rules, number);
    const service = this.place.service!;
    if (service.kind === 'max-min') {
      this.#links = service.links;
      this.#demand = this.#routed(service);
    } else {
      const { servers, time } = service as Extract<StationService, { readonly kind: 'ps' }>;
      const seconds = rules.secondsOfToken(this.place, time);
      const crosses = [{ link: 0, coefficient: 1 }];
      this.#links = [{ name: this.place.name, capacity: servers, fatpipe: false }];
      this.#demand = (values, clock) => ({
        amount: checkedSeconds(
          seconds(values, clock.draw(this.place)),
          clock.now,
          'service time',
          `place ${this.place.name}`,
        ),
        weight: 1,
        bound: 1,
        crosses,
      });
    }
  }

  enter(values: readonly number[], clock: ServiceClock): void {
    const { amount, ...flow } = this.#demand(values, clock);
    const alone = flow.crosses.reduce(
      (least, { link, coefficient }) => Math.min(least, this.#links[link]!.capacity / coefficient),
      flow.bound,
    );
    const left = alone === Number.POSITIVE_INFINITY ? 0 : amount;
    const started = clock.nextStart();
    this.customers = [...this.customers, { values, started, arrival: 0, priority: 0, left, end: Number.NaN, flow }];
  }

  due(): Customer | undefined {
    return this.firstStarted(this.customers.filter(({ left }) => left === 0));
  }

  leave(customer: Customer): void {
    this.customers = this.customers.filter((other) => other !== customer);
  }

  next(now: number): number {
    const rates = this.#current();
    return this.customers.reduce(
      (first, { left }, k) => Math.min(first, now + left / rates[k]!),
      Number.POSITIVE_INFINITY,
    );
  }

  pass(from: number, to: number): void {
    const rates = this.#current();
    const customers = this.customers.map((customer, k) => {
      const ends = from + customer.left / rates[k]! <= to * (1 + SAME);
      return { ...customer, left: ends ? 0 : customer.left - rates[k]! * (to - from) };
    });
    // The rates depend on the customers present, not on their remaining work.
    this.#rates = { of: customers, rates };
    this.customers = customers;
  }

  #current(): readonly number[] {
    if (this.#rates?.of !== this.customers)
      this.#rates = {
        of: this.customers,
        rates: fairRates(
          this.customers.map(({ flow }) => flow!),
          this.#links,
        ),
      };
    return this.#rates.rates;
  }

  /** The demand of a token on routed links. @throws InputError RUN006, RUN007 */
  #routed(service: MaxMinService): (values: readonly number[]) => Flow & { readonly amount: number } {
    const part = `place ${this.place.name}`;
    const { start, link, coefficient } = this.rules.routes(service.routes);
    const [route, amount, weight, bound] = (['route', 'amount', 'weight', 'bound'] as const).map((name) =>
      this.rules.ofToken(this.place, service[name]),
    );
    return (values) => {
      const of = route!(values);
      if (!(Number.isInteger(of) && of >= 0 && of < start.length - 1))
        fail('RUN007', `route ${of} is not in the routes table`, { part });
      const crosses = [];
      for (let k = start[of]!; k < start[of + 1]!; k++) crosses.push({ link: link[k]!, coefficient: coefficient[k]! });
      const demand = { amount: amount!(values), weight: weight!(values), bound: bound!(values), crosses };
      const finite = Number.POSITIVE_INFINITY;
      if (
        !(
          demand.amount >= 0 &&
          demand.amount < finite &&
          demand.weight > 0 &&
          demand.weight < finite &&
          demand.bound > 0
        )
      )
        fail(
          'RUN006',
          `a token demands amount ${demand.amount}, weight ${demand.weight}, bound ${demand.bound}: expected amount >= 0, weight and bound > 0, and rates within the range of a double`,
          { part },
        );
      return demand;
    };
  }
}

/** Weighted bounded max-min rates by progressive filling: all grow by their weights until a link or a bound is reached (S5). */
function fairRates(flows: readonly Flow[], links: readonly ServiceLink[]): number[] {
  const use = flows.map(({ crosses }) => {
    const by = new Map<number, number>();
    for (const { link, coefficient } of crosses) by.set(link, (by.get(link) ?? 0) + coefficient);
    return by;
  });
  const bounds = flows.map(({ bound, crosses }) =>
    crosses.reduce(
      (least, { link, coefficient }) =>
        links[link]!.fatpipe ? Math.min(least, links[link]!.capacity / coefficient) : least,
      bound,
    ),
  );
  const rates = new Array<number>(flows.length).fill(Number.NaN);
  let open = flows.map((_, k) => k);
  const levelOf = ({ capacity, fatpipe, level, byTokens = [] }: ServiceLink, link: number): number => {
    if (fatpipe) {
      if (level !== true) return Number.POSITIVE_INFINITY;
      const most = open.reduce((max, k) => Math.max(max, flows[k]!.weight * (use[k]!.get(link) ?? 0)), 0);
      return most > 0 ? capacity / most : Number.POSITIVE_INFINITY;
    }
    const tokens = flows.reduce((sum, { crosses }) => sum + crosses.filter((c) => c.link === link).length, 0);
    let rest = byTokens[Math.min(tokens, byTokens.length) - 1] ?? capacity;
    let weights = 0;
    flows.forEach(({ weight }, k) => {
      const used = use[k]!.get(link) ?? 0;
      if (Number.isNaN(rates[k]!)) weights += weight * used;
      else rest -= rates[k]! * used;
    });
    return weights > 0 ? Math.max(rest, 0) / weights : Number.POSITIVE_INFINITY;
  };
  while (open.length > 0) {
    const levels = links.map(levelOf);
    const own = open.map((k) => bounds[k]! / flows[k]!.weight);
    const level = [...levels, ...own].reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
    if (level === Number.POSITIVE_INFINITY) {
      for (const k of open) rates[k] = level;
      return rates;
    }
    const top = level * (1 + SAME);
    for (const k of open) {
      if (bounds[k]! / flows[k]!.weight <= top) rates[k] = bounds[k]!;
      else if ([...use[k]!.keys()].some((link) => levels[link]! <= top)) rates[k] = flows[k]!.weight * level;
    }
    open = open.filter((k) => Number.isNaN(rates[k]!));
  }
  return rates;
}

import { fail } from '../../base/problem.ts';
import type { Place, StationService } from '../../net/net.ts';
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

/** The demand of a token on shared links. */
export interface Flow {
  readonly weight: number;
  readonly bound: number;
  readonly crosses: readonly { readonly link: number; readonly coefficient: number }[];
  /** Only where links change (S5a). */
  readonly wait?: FlowWait;
}

/** A token on links that change waits for its latency, and may be lost. */
export interface FlowWait {
  /** The time from which the token shares its links, and whether this is still to come. */
  readonly until: number;
  readonly pending: boolean;
  /** A link of the token has failed: the token remains in service for good. */
  readonly lost: boolean;
  /** Maximum rate by the capacities at its arrival; infinity unless the service is `capped`. */
  readonly cap: number;
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

type Seconds = (values: ArrayLike<number>, draw: () => number) => number;

/** Servers that serve one token each (S4). */
export class StationOfGame extends GameService {
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

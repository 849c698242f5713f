import type { Place, StationService } from '../../src/net/net.ts';
import type { Happened } from './happened.ts';
import type { Model } from './model.ts';
import type { Clockwork, Customer, Service } from './service.ts';

interface Waiting extends Customer {
  readonly arrival: number;
  readonly priority: number;
  /** Remaining service time in seconds; valid while it is not in service. */
  left: number;
  /** Completion time; valid while it is in service. */
  end: number;
}

/** A station whose servers serve one token each: FCFS, LCFS, by priority, or one server per token (S4). */
export class Station implements Service {
  readonly place: Place;
  readonly customers: Waiting[] = [];
  readonly #service: StationService;
  readonly #model: Model;
  readonly #draw: () => number;
  readonly #happened: Happened;
  #arrivals = 0;

  constructor(place: Place, service: StationService, model: Model, draw: () => number, happened: Happened) {
    this.place = place;
    this.#service = service;
    this.#model = model;
    this.#draw = draw;
    this.#happened = happened;
  }

  enter(values: readonly number[], clock: Clockwork): void {
    const s = this.#service;
    const columns = this.#model.columns(this.place, values);
    const left = this.#model.seconds(s.time, columns, this.#draw, clock.now, this.place.name);
    const priority = s.kind === 'priority' ? this.#model.rank(s.priority, columns) : 0;
    const arrival = this.#arrivals++;
    const customer: Waiting = { values, arrival, priority, left, end: Number.NaN, started: undefined };
    this.customers.push(customer);
    const preemptive = s.kind === 'lcfs-pr' || (s.kind === 'priority' && s.preemptive);
    if (this.#inService().length < this.#servers() || (preemptive && this.#displaces(customer, clock)))
      this.#start(customer, clock);
    if (customer.started === undefined) this.#happened.note(`service: ${s.kind} waits`);
  }

  due(clock: Clockwork): Customer | undefined {
    return this.#inService()
      .filter((c) => c.end <= clock.limit)
      .sort((a, b) => a.started! - b.started!)[0];
  }

  leave(customer: Customer, clock: Clockwork): void {
    this.customers.splice(this.customers.indexOf(customer as Waiting), 1);
    const waiting = this.customers.filter((c) => c.started === undefined).sort((a, b) => this.#rank(a, b));
    if (waiting[0] !== undefined) this.#start(waiting[0], clock);
  }

  next(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#inService().map((c) => c.end));
  }

  pass(): void {
    // Completion times are known from the start of service, so there is nothing to update.
  }

  /**
   * True if an arriving token displaces one in service when all servers are busy. The candidate is the last in order among
   * those in service that are not due; it is displaced if it ranks behind the new token.
   */
  #displaces(customer: Waiting, clock: Clockwork): boolean {
    const inService = this.#inService();
    const last = inService
      .filter((c) => !(c.end <= clock.limit))
      .sort((a, b) => this.#rank(a, b))
      .at(-1);
    if (last === undefined || (inService.some((c) => c.end <= clock.limit) && this.#rank(last, customer) < 0))
      this.#happened.note('service: due, so not displaced');
    if (last === undefined || this.#rank(last, customer) < 0) return false;
    last.left = last.end - clock.now;
    last.started = undefined;
    this.#happened.note(`service: ${this.#service.kind} displaced`);
    return true;
  }

  #start(customer: Waiting, clock: Clockwork): void {
    customer.started = clock.nextStart();
    customer.end = clock.now + customer.left;
  }

  /** Negative if `a` is served before `b`. */
  #rank(a: Waiting, b: Waiting): number {
    if (this.#service.kind === 'lcfs-pr') return b.arrival - a.arrival;
    return b.priority - a.priority || a.arrival - b.arrival;
  }

  #inService(): Waiting[] {
    return this.customers.filter((c) => c.started !== undefined);
  }

  #servers(): number {
    return this.#service.kind === 'is' ? Number.POSITIVE_INFINITY : this.#service.servers;
  }
}

import { fail } from '../../base/problem.ts';
import type { MaxMinService, ServiceLink, StationService } from '../../net/net.ts';
import { ChangingLinks } from './changing-links.ts';
import { checkedSeconds, type GameRules } from './rules.ts';
import { type Customer, type Flow, GameService, SAME, type ServiceClock } from './services.ts';

/** A flow with its amount of work; latencies only where links change. */
type Demand = Flow & { readonly amount: number; readonly latency?: number; readonly latencyFactor?: number };

/** Tokens that share links by weighted max-min fairness; processor sharing is one link and weight 1 (S4, S5, S5a). */
export class SharedService extends GameService {
  readonly #changing: ChangingLinks;
  readonly #demand: (values: readonly number[], clock: ServiceClock) => Demand;
  /** Rates of these customers at a time; they depend on the time only where links change. */
  #rates: { readonly of: readonly Customer[]; readonly at: number; readonly rates: readonly number[] } | undefined;

  constructor(rules: GameRules, number: number) {
    super(rules, number);
    const service = this.place.service!;
    if (service.kind === 'max-min') {
      if (service.solver !== undefined)
        fail('RUN018', 'expected a service whose links are all solved, got the lazy solver', {
          part: `place ${this.place.name}`,
        });
      this.#changing = new ChangingLinks(service.links, service.follow);
      this.#demand = this.#routed(service);
    } else {
      const { servers, time } = service as Extract<StationService, { readonly kind: 'ps' }>;
      const seconds = rules.secondsOfToken(this.place, time);
      const crosses = [{ link: 0, coefficient: 1 }];
      this.#changing = new ChangingLinks([{ name: this.place.name, capacity: servers, fatpipe: false }]);
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
    const { amount, latency = 0, latencyFactor = 1, ...demand } = this.#demand(values, clock);
    const wait = this.#changing.change ? this.#changing.arrival(demand, clock.now, latency, latencyFactor) : undefined;
    const flow = wait === undefined ? demand : { ...demand, wait };
    const left = wait?.pending === true ? amount : this.#amount(amount, flow, clock.now);
    const started = clock.nextStart();
    this.customers = [...this.customers, { values, started, arrival: 0, priority: 0, left, end: Number.NaN, flow }];
  }

  /** A token without any limit to its rate completes at once. */
  #amount(amount: number, flow: Flow, now: number): number {
    const links = this.#changing.at(now);
    const { bound, crosses } = this.#changing.demand(flow, now);
    const alone = crosses.reduce(
      (least, { link, coefficient }) => Math.min(least, links[link]!.capacity / coefficient),
      bound,
    );
    return alone === Number.POSITIVE_INFINITY ? 0 : amount;
  }

  due(): Customer | undefined {
    return this.firstStarted(this.customers.filter((customer) => customer.left === 0 && isSharing(customer)));
  }

  leave(customer: Customer): void {
    this.customers = this.customers.filter((other) => other !== customer);
  }

  next(now: number): number {
    const present = this.customers.filter(({ flow }) => flow!.wait?.lost !== true);
    if (present.length === 0) return Number.POSITIVE_INFINITY;
    const rates = this.#current(now);
    const ends = this.customers.map(({ left, flow }, k) => {
      if (flow!.wait?.lost === true) return Number.POSITIVE_INFINITY;
      return flow!.wait?.pending === true ? flow!.wait.until : now + left / rates[k]!;
    });
    return ends.reduce((first, end) => Math.min(first, end), this.#changing.next(now));
  }

  pass(from: number, to: number): void {
    const rates = this.#current(from);
    const customers = this.customers.map((customer, k) => {
      const after = isSharing(customer)
        ? { ...customer, left: leftAfter(customer.left, rates[k]!, from, to) }
        : customer;
      return this.#changing.change ? this.#changed(after, from, to) : after;
    });
    // Without changes, rates depend on the customers present, not on their remaining work.
    if (!this.#changing.change) this.#rates = { of: customers, at: from, rates };
    this.customers = customers;
  }

  /** The token after the changes of its links, and after its wait. */
  #changed(customer: Customer, from: number, to: number): Customer {
    const flow = customer.flow!;
    const wait = flow.wait!;
    const lost = wait.lost || this.#changing.fails(flow, from, to);
    const begins = !lost && wait.pending && wait.until <= to * (1 + SAME);
    if (lost === wait.lost && !begins) return customer;
    const changed = { ...flow, wait: { ...wait, lost, pending: wait.pending && !begins } };
    return { ...customer, flow: changed, left: begins ? this.#amount(customer.left, changed, to) : customer.left };
  }

  /** The rate of each customer; NaN for those that share no links. */
  #current(now: number): readonly number[] {
    const known = this.#rates;
    if (known?.of === this.customers && (known.at === now || !this.#changing.change)) return known.rates;
    const sharing = this.customers.filter(isSharing);
    const found = fairRates(
      sharing.map(({ flow }) => this.#changing.demand(flow!, now)),
      this.#changing.at(now),
    );
    const rateOf = new Map(sharing.map((customer, k) => [customer, found[k]!]));
    const rates = this.customers.map((customer) => rateOf.get(customer) ?? Number.NaN);
    this.#rates = { of: this.customers, at: now, rates };
    return rates;
  }

  /** The demand of a token on routed links. @throws InputError RUN006, RUN007 */
  #routed(service: MaxMinService): (values: readonly number[]) => Demand {
    const part = `place ${this.place.name}`;
    const { start, link, coefficient } = this.rules.routes(service.routes);
    const [route, amount, weight, bound] = (['route', 'amount', 'weight', 'bound'] as const).map((name) =>
      this.rules.ofToken(this.place, service[name]),
    );
    const [latency, latencyFactor] = [service.latency, service.latencyFactor].map((given) =>
      given === undefined ? undefined : this.rules.ofToken(this.place, given),
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
      if (!this.#changing.change) return demand;
      return { ...demand, latency: latency?.(values) ?? 0, latencyFactor: latencyFactor?.(values) ?? 1 };
    };
  }
}

/** True for a token that shares its links now: it does not wait for its latency and is not lost. */
const isSharing = ({ flow }: Customer): boolean => flow!.wait === undefined || !(flow!.wait.pending || flow!.wait.lost);

function leftAfter(left: number, rate: number, from: number, to: number): number {
  const ends = from + left / rate <= to * (1 + SAME);
  return ends ? 0 : left - rate * (to - from);
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

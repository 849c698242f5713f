import type { MaxMinService, Place, ServiceLink } from '../../src/net/net.ts';
import { type Binding, RunError } from './evaluate.ts';
import { type Flow, maxMinRates } from './max-min.ts';
import type { Model } from './model.ts';
import type { Clockwork, Customer, Service } from './service.ts';

/** Relative tolerance within which times are one instant if rates are shared (S12). */
export const SAME = 1e-12;

/** Demand of a token on shared links. */
export interface Demand extends Flow {
  readonly amount: number;
}

interface Sharer extends Customer, Flow {
  left: number;
}

/** Max-min sharing of links; processor sharing is the case of one link (S4, S5). */
export class Sharing implements Service {
  readonly place: Place;
  readonly customers: Sharer[] = [];
  readonly #links: readonly ServiceLink[];
  readonly #model: Model;
  readonly #demand: (columns: Binding, now: number) => Demand;
  /** Rates of the current customers; they depend on nothing else. */
  #rates: readonly number[] | undefined;

  constructor(
    place: Place,
    links: readonly ServiceLink[],
    model: Model,
    demand: (columns: Binding, now: number) => Demand,
  ) {
    this.place = place;
    this.#links = links;
    this.#model = model;
    this.#demand = demand;
  }

  enter(values: readonly number[], clock: Clockwork): void {
    const { amount, weight, bound, crosses } = this.#demand(this.#model.columns(this.place, values), clock.now);
    const alone = Math.min(bound, ...crosses.map((c) => this.#links[c.link]!.capacity / c.coefficient));
    const left = alone === Number.POSITIVE_INFINITY ? 0 : amount;
    this.#rates = undefined;
    this.customers.push({ values, started: clock.nextStart(), left, weight, bound, crosses });
  }

  due(): Customer | undefined {
    return this.customers.filter((c) => c.left === 0).sort((a, b) => a.started! - b.started!)[0];
  }

  leave(customer: Customer): void {
    this.#rates = undefined;
    this.customers.splice(this.customers.indexOf(customer as Sharer), 1);
  }

  #current(): readonly number[] {
    this.#rates ??= maxMinRates(this.customers, this.#links);
    return this.#rates;
  }

  next(now: number): number {
    const rates = this.#current();
    return Math.min(Number.POSITIVE_INFINITY, ...this.customers.map((c, k) => now + c.left / rates[k]!));
  }

  pass(from: number, to: number): void {
    const rates = this.#current();
    this.customers.forEach((c, k) => {
      const finish = from + c.left / rates[k]!;
      c.left = finish <= to * (1 + SAME) ? 0 : c.left - rates[k]! * (to - from);
    });
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
  return { amount, weight, bound, crosses };
}

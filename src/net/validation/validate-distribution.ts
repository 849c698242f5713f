import { type Distribution, isDistribution } from '../distribution.ts';
import { type Demand, NOT_NEGATIVE, type Parameter } from '../distributions/form.ts';
import { faultsOf, formOf } from '../distributions/laws.ts';
import type { Expression } from '../expression.ts';
import type { Delay } from '../net.ts';
import { DISTRIBUTION, kindsOf } from '../net-form.ts';
import { Context } from './validate-context.ts';
import { checkExpression, constantOf, type Types } from './validate-expression.ts';

const KINDS = kindsOf(DISTRIBUTION);

/** Checks a delay. Non-constant parameters are checked when they are evaluated. */
export function checkDelay(ctx: Context, part: string, delay: Delay, types: Types): void {
  if (isDistribution(delay)) new Check(ctx, part, types).distribution(delay);
  else checkExpression(ctx, part, delay, types, 'real');
}

/** Context of an empty net, for distributions without references. */
const NOWHERE = new Context({ name: '', colours: [], tables: [], places: [], transitions: [] }, new Map());

/** The problems of a distribution with constant parameters. */
export function distributionFaults(d: Distribution): string[] {
  NOWHERE.problems.length = 0;
  new Check(NOWHERE, '', new Map()).distribution(d);
  return NOWHERE.problems.map((p) => p.message);
}

class Check {
  readonly #ctx: Context;
  readonly #part: string;
  readonly #types: Types;

  constructor(ctx: Context, part: string, types: Types) {
    this.#ctx = ctx;
    this.#part = part;
    this.#types = types;
  }

  distribution(d: Distribution): void {
    if (!this.#ctx.known(this.#part, 'distribution', d.dist, KINDS)) return;
    const given: Readonly<Record<string, unknown>> = d;
    for (const [name, form] of Object.entries(formOf(d))) {
      const value = given[name];
      if (form.kind === 'parameter') this.#parameter(name, value, form);
      else if (form.kind === 'samples') this.#samples(name, value as readonly number[]);
      else {
        const all = value as readonly Readonly<Record<string, unknown>>[];
        this.#some(name, all.length, 1);
        all.forEach((part, k) => {
          const one = `${form.one} ${k + 1}`;
          for (const [own, p] of Object.entries(form.members))
            this.#parameter(own === form.one ? one : `${own} of ${one}`, part[own], p);
        });
      }
    }
    for (const fault of faultsOf(d, constantOf)) this.#report(fault);
  }

  #parameter(name: string, given: unknown, { demand, known }: Parameter): void {
    const value = known ? (given as number) : constantOf(given as Expression);
    if (value !== undefined) this.#demand(name, value, demand);
    else {
      const type = demand.integer === true ? 'int' : 'real';
      checkExpression(this.#ctx, `${this.#part}, ${name}`, given as Expression, this.#types, type);
    }
  }

  #demand(name: string, value: number, demand: Demand): void {
    if (!demand.holds(value)) this.#report(`${name} is ${value}: expected ${demand.text}`);
  }

  #some(what: string, count: number, min: number): void {
    if (count < min) this.#report(`${what}: expected at least ${min}, got ${count === 0 ? 'none' : count}`);
  }

  /** Reports only the first invalid sample, because samples may be very many. */
  #samples(name: string, all: readonly number[]): void {
    this.#some(name, all.length, 2);
    const k = all.findIndex((v) => !NOT_NEGATIVE.holds(v));
    if (k >= 0) this.#demand(`sample ${k + 1}`, all[k]!, NOT_NEGATIVE);
  }

  #report(message: string): void {
    this.#ctx.report('NET029', this.#part, message);
  }
}

import { type Distribution, isDistribution } from '../distribution.ts';
import { type Expression, expressionText } from '../expression.ts';
import { DISTRIBUTION_MEMBERS, kindsOf } from '../kinds.ts';
import type { Delay } from '../net.ts';
import { Context } from './validate-context.ts';
import { checkExpression, constantOf, type Types } from './validate-expression.ts';

/** A requirement on a parameter: its wording and predicate. */
interface Demand {
  readonly text: string;
  readonly integer?: boolean;
  readonly holds: (value: number) => boolean;
}

const FINITE: Demand = { text: 'a finite number', holds: Number.isFinite };
const NOT_NEGATIVE: Demand = {
  text: 'a finite number >= 0',
  holds: (v) => v >= 0 && v < Number.POSITIVE_INFINITY,
};
const POSITIVE: Demand = { text: 'a positive finite number', holds: (v) => v > 0 && v < Number.POSITIVE_INFINITY };
const PROBABILITY: Demand = { text: 'a number from 0 to 1', holds: (v) => v >= 0 && v <= 1 };
const INTEGER: Demand = {
  text: 'an integer >= 1',
  integer: true,
  holds: (v) => Number.isSafeInteger(v) && v >= 1,
};

const KINDS = kindsOf(DISTRIBUTION_MEMBERS);

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
    switch (d.dist) {
      case 'exponential':
        this.#parameter('rate', d.rate, POSITIVE);
        break;
      case 'erlang':
        this.#parameter('shape', d.shape, INTEGER);
        this.#parameter('rate', d.rate, POSITIVE);
        break;
      case 'hyper-exponential': {
        this.#some('branches', d.branches.length, 1);
        const probabilities = d.branches.map((b, k) => {
          this.#parameter(`rate of branch ${k + 1}`, b.rate, POSITIVE);
          return this.#parameter(`probability of branch ${k + 1}`, b.probability, NOT_NEGATIVE);
        });
        this.#notAllZero('probabilities', probabilities);
        break;
      }
      case 'cox':
        this.#cox(d);
        break;
      case 'uniform':
        this.#ascending({ low: d.low, high: d.high });
        break;
      case 'triangular':
        this.#ascending({ low: d.low, mode: d.mode, high: d.high });
        break;
      case 'normal':
        // Negative draws are repeated: with a mean below zero this could take very long or never end.
        this.#parameter('mean', d.mean, NOT_NEGATIVE);
        this.#parameter('deviation', d.deviation, NOT_NEGATIVE);
        break;
      case 'lognormal':
        this.#parameter('mean', d.mean, FINITE);
        this.#parameter('deviation', d.deviation, NOT_NEGATIVE);
        break;
      case 'weibull':
      case 'gamma':
        this.#parameter('shape', d.shape, POSITIVE);
        this.#parameter('scale', d.scale, POSITIVE);
        break;
      case 'discrete': {
        this.#some('values', d.values.length, 1);
        d.values.forEach(({ value, weight }, k) => {
          this.#demand(`value ${k + 1}`, value, NOT_NEGATIVE);
          this.#demand(`weight of value ${k + 1}`, weight, NOT_NEGATIVE);
        });
        const weights = d.values.map((v) => v.weight);
        this.#notAllZero('weights', weights);
        break;
      }
      case 'empirical':
        this.#some('samples', d.samples.length, 2);
        this.#firstWrong(d.samples);
        break;
    }
  }

  #cox({ phases }: Distribution & { dist: 'cox' }): void {
    this.#some('phases', phases.length, 1);
    phases.forEach((p, k) => {
      this.#parameter(`rate of phase ${k + 1}`, p.rate, POSITIVE);
      const onward = `onward of phase ${k + 1}`;
      const value = this.#parameter(onward, p.onward, PROBABILITY);
      if (k === phases.length - 1 && value !== 0)
        this.#report(`${onward} is ${expressionText(p.onward)}: expected 0, because no phase follows the last`);
    });
  }

  /** Constant parameters must be ≥ 0 and non-decreasing. */
  #ascending(parameters: Readonly<Record<string, Expression>>): void {
    let min = 0;
    let of = '';
    for (const [name, e] of Object.entries(parameters)) {
      const value = this.#parameter(name, e, NOT_NEGATIVE);
      if (value === undefined || Number.isNaN(value)) continue;
      if (of !== '' && value < min) this.#report(`${name} is ${value}: expected a number >= ${of} (${min})`);
      min = value;
      of = name;
    }
  }

  /** Checks a parameter and returns its value if it is constant. */
  #parameter(name: string, e: Expression, demand: Demand): number | undefined {
    const value = constantOf(e);
    if (value === undefined)
      checkExpression(this.#ctx, `${this.#part}, ${name}`, e, this.#types, demand.integer === true ? 'int' : 'real');
    else this.#demand(name, value, demand);
    return value;
  }

  #demand(name: string, value: number, demand: Demand): void {
    if (!demand.holds(value)) this.#report(`${name} is ${value}: expected ${demand.text}`);
  }

  #some(what: string, count: number, min: number): void {
    if (count < min) this.#report(`${what}: expected at least ${min}, got ${count === 0 ? 'none' : count}`);
  }

  #notAllZero(what: string, values: readonly (number | undefined)[]): void {
    if (values.length > 0 && values.every((v) => v === 0))
      this.#report(`${what}: all are 0, expected at least one positive number`);
    // Weights are divided by their sum, which must be finite.
    const sum = values.reduce<number>((total, v) => total + (v ?? 0), 0);
    if (sum === Number.POSITIVE_INFINITY && values.every((v) => v !== Number.POSITIVE_INFINITY))
      this.#report(`${what}: their sum exceeds the range of a double`);
  }

  /** Reports only the first invalid sample, because samples may be very many. */
  #firstWrong(samples: readonly number[]): void {
    const k = samples.findIndex((v) => !NOT_NEGATIVE.holds(v));
    if (k >= 0) this.#demand(`sample ${k + 1}`, samples[k]!, NOT_NEGATIVE);
  }

  #report(message: string): void {
    this.#ctx.report('NET029', this.#part, message);
  }
}

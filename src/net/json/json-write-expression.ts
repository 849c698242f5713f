import { fail } from '../../base/problem.ts';
import type { ScalarSet } from '../colour.ts';
import { type Distribution, isDistribution } from '../distribution.ts';
import { type Expression, operands } from '../expression.ts';
import type { ColourSet, Delay } from '../net.ts';
import { MAX_DEPTH } from './json-format.ts';
import { list, number, object, text } from './json-layout.ts';
import { runsOf } from './json-write-table.ts';

/** Writes values, expressions and distributions. `part` is the location for messages. */
export class ExpressionWriter {
  readonly #colours: ReadonlyMap<string, ColourSet>;

  constructor(colours: ReadonlyMap<string, ColourSet>) {
    this.#colours = colours;
  }

  /** The value of a token column. */
  value(c: ScalarSet, value: number): string {
    if (c.kind === 'bool') return value === 0 ? 'false' : 'true';
    return c.kind === 'enum' ? text(c.values[value]!) : number(value);
  }

  expression(e: Expression, part: string, depth = 1): string {
    if (depth > MAX_DEPTH) fail('NET103', `an expression is nested deeper than ${MAX_DEPTH}`, { part });
    if (e.op === 'var') return text(e.name);
    if (e.op === 'const') {
      if (e.colour !== undefined)
        return `["value", ${text(e.colour)}, ${this.value(this.#colours.get(e.colour) as ScalarSet, e.value)}]`;
      return Number.isFinite(e.value) ? number(e.value) : `["const", ${number(e.value)}]`;
    }
    const parts = operands(e).map((x) => this.expression(x, part, depth + 1));
    return `[${[text(e.op), ...('table' in e ? [text(e.table)] : []), ...parts].join(', ')}]`;
  }

  delay(d: Delay, part: string): string {
    return isDistribution(d) ? this.#distribution(d, part) : this.expression(d, part);
  }

  #distribution(d: Distribution, part: string): string {
    const e = (x: Expression): string => this.expression(x, part);
    const written = (members: Readonly<Record<string, string>>): string => object({ dist: text(d.dist), ...members });
    switch (d.dist) {
      case 'exponential':
        return written({ rate: e(d.rate) });
      case 'erlang':
        return written({ shape: e(d.shape), rate: e(d.rate) });
      case 'hyper-exponential':
        return written({
          branches: list(d.branches, (b) => object({ probability: e(b.probability), rate: e(b.rate) })),
        });
      case 'cox':
        return written({ phases: list(d.phases, (p) => object({ rate: e(p.rate), onward: e(p.onward) })) });
      case 'uniform':
        return written({ low: e(d.low), high: e(d.high) });
      case 'triangular':
        return written({ low: e(d.low), mode: e(d.mode), high: e(d.high) });
      case 'normal':
      case 'lognormal':
        return written({ mean: e(d.mean), deviation: e(d.deviation) });
      case 'weibull':
      case 'gamma':
        return written({ shape: e(d.shape), scale: e(d.scale) });
      case 'discrete':
        return written({
          values: list(d.values, (v) => object({ value: number(v.value), weight: number(v.weight) })),
        });
      case 'empirical':
        return written({ samples: `[${runsOf(d.samples).join(', ')}]` });
    }
  }
}

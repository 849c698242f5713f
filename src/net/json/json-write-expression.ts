import { fail } from '../../base/problem.ts';
import type { ScalarSet } from '../colour.ts';
import { type Distribution, isDistribution } from '../distribution.ts';
import type { Parameter } from '../distributions/form.ts';
import { formOf } from '../distributions/laws.ts';
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
    const parameter = (p: Parameter, value: unknown): string =>
      p.known ? number(value as number) : this.expression(value as Expression, part);
    const given: Readonly<Record<string, unknown>> = d;
    const members = Object.entries(formOf(d)).map(([name, form]) => {
      const value = given[name];
      if (form.kind === 'parameter') return [name, parameter(form, value)];
      if (form.kind === 'samples') return [name, `[${runsOf(value as readonly number[]).join(', ')}]`];
      const inside = (one: Readonly<Record<string, unknown>>): string =>
        object(Object.fromEntries(Object.entries(form.members).map(([own, p]) => [own, parameter(p, one[own])])));
      return [name, list(value as readonly Readonly<Record<string, unknown>>[], inside)];
    });
    return object({ dist: text(d.dist), ...Object.fromEntries(members) });
  }
}

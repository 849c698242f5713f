import { fail } from '../../base/problem.ts';
import type { ScalarSet } from '../colour.ts';
import { type Expression, operands } from '../expression.ts';
import type { ColourSet } from '../net.ts';
import { MAX_DEPTH } from './json-format.ts';
import { number, text } from './json-layout.ts';

/** Writes values and expressions. `part` is the location for messages. */
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
}

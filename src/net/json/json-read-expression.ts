import { didYouMean, type Place as Position, quote } from '../../base/problem.ts';
import type { Column } from '../colour.ts';
import { BINARY, type Binary, type Expression, UNARY, type Unary } from '../expression.ts';
import type { ColourSet, Field } from '../net.ts';
import type { JsonCursor } from './json-cursor.ts';
import { MAX_DEPTH } from './json-format.ts';

/** Work deferred until all colour sets are known. `columns` returns undefined if a colour set is invalid. */
export type Later = (
  columns: (fields: readonly Field[]) => Column[] | undefined,
  colours: ReadonlyMap<string, ColourSet>,
) => void;

/** Placeholder for an expression that could not be read. */
export const NOTHING: Expression = { op: 'const', value: 0 };
/** Number of operands of each operator. */
const ARITY: ReadonlyMap<string, number> = new Map<string, number>([
  ...UNARY.map((op) => [op, 1] as const),
  ...BINARY.map((op) => [op, 2] as const),
  ['if', 3],
  ['at', 2],
  ['step', 2],
  ['value', 2],
  ['const', 1],
]);

const OPERATORS: readonly string[] = [...ARITY.keys()];

/** Reads expressions in prefix form. */
export class ExpressionReader {
  readonly #c: JsonCursor;
  readonly #later: Later[];

  constructor(cursor: JsonCursor, later: Later[]) {
    this.#c = cursor;
    this.#later = later;
  }

  read(depth = 1): Expression {
    const c = this.#c;
    if (depth > MAX_DEPTH) c.fatal('NET103', `an expression is nested deeper than ${MAX_DEPTH}`);
    const place = c.place();
    switch (c.kind()) {
      case 'a number':
        return { op: 'const', value: c.number() ?? 0 };
      case 'a string':
        return { op: 'var', name: c.string()! };
      case 'a list':
        return this.#application(place, depth);
      default:
        c.wrong('an expression (a number, a variable name, or a list of an operator and its operands)');
        return NOTHING;
    }
  }

  #application(place: Position, depth: number): Expression {
    const c = this.#c;
    let op: string | undefined;
    let name: string | undefined;
    let value: number | undefined;
    let text: string | undefined;
    let textPlace = place;
    const parts: Expression[] = [];
    let given = -1;
    c.list((k) => {
      given = k;
      if (k === 0) {
        op = c.kind() === 'a string' ? c.oneOf(OPERATORS, 'NET109') : c.wrong('an operator name');
        return;
      }
      if (op === undefined) c.skip();
      else if (op === 'const' && k === 1) value = c.number();
      else if (op === 'value' && k === 2) {
        textPlace = c.place();
        text = c.string();
      } else if (k === 1 && (op === 'at' || op === 'step' || op === 'value')) name = c.string('a name');
      else parts.push(this.read(depth + 1));
    });
    if (op === undefined) {
      if (given < 0) c.report('NET109', 'missing operator', place);
      return NOTHING;
    }
    const wanted = ARITY.get(op)!;
    if (given !== wanted) {
      c.report('NET109', `"${op}" has ${given} operand${given === 1 ? '' : 's'}, expected ${wanted}`, place);
      return NOTHING;
    }
    switch (op) {
      case 'const':
        return { op, value: value ?? 0 };
      case 'value': {
        if (name === undefined || text === undefined) return NOTHING;
        return this.#enumerated(name, text, textPlace);
      }
      case 'at':
      case 'step':
        return { op, table: name ?? '', index: parts[0]! };
      case 'if':
        return { op, test: parts[0]!, a: parts[1]!, b: parts[2]! };
      default:
        return wanted === 1 ? { op: op as Unary, a: parts[0]! } : { op: op as Binary, a: parts[0]!, b: parts[1]! };
    }
  }

  /** A constant of an enumeration, which may be declared later in the text. */
  #enumerated(colour: string, text: string, place: Position): Expression {
    const e = { op: 'const' as const, value: 0, colour };
    this.#later.push((_, colours) => {
      const set = colours.get(colour);
      if (set?.kind === 'enum') e.value = enumPosition(this.#c, set, text, place);
    });
    return e;
  }
}

/** The position of a string in an enumeration. */
export function enumPosition(c: JsonCursor, colour: ColourSet & { kind: 'enum' }, value: string, at: Position): number {
  const position = colour.values.indexOf(value);
  if (position < 0)
    c.report(
      'NET110',
      `colour set ${quote(colour.name)} has no value ${quote(value)}.${didYouMean(value, colour.values)}`,
      at,
    );
  return Math.max(0, position);
}

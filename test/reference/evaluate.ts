import type { Expression } from '../../src/net/expression.ts';
import type { Column, Integers, NetFunction, Table } from '../../src/net/net.ts';

export type Binding = Readonly<Record<string, number>>;

/** A failure that engine and reference must report with the same code. */
export class RunError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(`${code} ${message}`);
    this.code = code;
  }
}

export function entry(values: Integers | Column<Float64Array>, index: number): number {
  if (!('pages' in values)) return values[index]! + 0;
  const size = 2 ** values.shift;
  const page = Math.floor(index / size);
  return ((values.pages[page] ?? values.load(page))[index % size] ?? 0) + 0;
}

const NO_FUNCTIONS: ReadonlyMap<string, NetFunction> = new Map();

/** Value of an expression (S7), one case per operator. Adding 0 turns −0 into 0. */
export function evaluate(
  e: Expression,
  b: Binding,
  tables: ReadonlyMap<string, Table>,
  functions: ReadonlyMap<string, NetFunction> = NO_FUNCTIONS,
): number {
  const v = (x: Expression): number => evaluate(x, b, tables, functions);
  switch (e.op) {
    case 'const':
      return e.value + 0;
    case 'var':
      return b[e.name]!;
    case 'neg':
      return 0 - v(e.a);
    case 'not':
      return v(e.a) === 0 ? 1 : 0;
    case 'floor':
      return Math.floor(v(e.a)) + 0;
    case 'add':
      return v(e.a) + v(e.b);
    case 'sub':
      return v(e.a) - v(e.b);
    case 'mul':
      return v(e.a) * v(e.b) + 0;
    case 'div':
      return v(e.a) / v(e.b) + 0;
    case 'mod':
      return (v(e.a) % v(e.b)) + 0;
    case 'min':
      return Math.min(v(e.a), v(e.b));
    case 'max':
      return Math.max(v(e.a), v(e.b));
    case 'eq':
      return v(e.a) === v(e.b) ? 1 : 0;
    case 'ne':
      return v(e.a) !== v(e.b) ? 1 : 0;
    case 'lt':
      return v(e.a) < v(e.b) ? 1 : 0;
    case 'le':
      return v(e.a) <= v(e.b) ? 1 : 0;
    case 'gt':
      return v(e.a) > v(e.b) ? 1 : 0;
    case 'ge':
      return v(e.a) >= v(e.b) ? 1 : 0;
    case 'and':
      return v(e.a) !== 0 && v(e.b) !== 0 ? 1 : 0;
    case 'or':
      return v(e.a) !== 0 || v(e.b) !== 0 ? 1 : 0;
    case 'if':
      return v(e.test) !== 0 ? v(e.a) : v(e.b);
    case 'at': {
      const t = tables.get(e.table)!;
      if (t.kind !== 'int' && t.kind !== 'real') throw new Error('no number table');
      const k = v(e.index);
      if (!(Number.isInteger(k) && k >= 0 && k < t.values.length))
        throw new RunError('RUN003', `index ${k} of table ${t.name}`);
      return entry(t.values, k);
    }
    case 'step': {
      const t = tables.get(e.table)!;
      if (t.kind !== 'step') throw new Error('no step table');
      const x = v(e.index);
      let k = 0;
      while (k + 1 < t.from.length && t.from[k + 1]! <= x) k++;
      return t.values[k]! + 0;
    }
    case 'call': {
      const value: unknown = functions.get(e.function)!.apply(...e.args.map(v));
      if (typeof value !== 'number' || Number.isNaN(value)) throw new RunError('RUN009', `${e.function}: ${value}`);
      return value + 0;
    }
  }
}

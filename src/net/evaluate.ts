import type { Code } from '../base/codes.ts';
import { InputError, type Problem } from '../base/problem.ts';
import type { Binary, Expression } from './expression.ts';
import type { Net, NetFunction, Table } from './net.ts';
import { entryOf } from './table-page.ts';

/** Evaluates an expression on the variable values in `slots`. */
export type Evaluate = (slots: ArrayLike<number>) => number;

/** An expression without a value (S7). The code is that of the run error it would cause. */
export class EvaluationFailure extends Error {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

/** The tables and functions that expressions refer to. */
export interface Surroundings {
  readonly tables: ReadonlyMap<string, Table>;
  readonly functions: ReadonlyMap<string, NetFunction>;
}

export function surroundingsOf(net: Net): Surroundings {
  return {
    tables: new Map(net.tables.map((t) => [t.name, t])),
    functions: new Map((net.functions ?? []).map((f) => [f.name, f])),
  };
}

/**
 * Compiles an expression to a function of the variables' slots. Adding 0 turns −0 into 0, as S7 requires. The function
 * throws {@link EvaluationFailure} for an index outside a table or a function result that is not a number.
 */
export function evaluator(e: Expression, slotOf: ReadonlyMap<string, number>, around: Surroundings): Evaluate {
  const sub = (x: Expression): Evaluate => evaluator(x, slotOf, around);
  switch (e.op) {
    case 'const': {
      const value = e.value + 0;
      return () => value;
    }
    case 'var': {
      const slot = slotOf.get(e.name);
      if (slot === undefined) throw new Error(`variable ${e.name} is not bound`);
      return (s) => s[slot]!;
    }
    case 'neg': {
      const a = sub(e.a);
      return (s) => 0 - a(s);
    }
    case 'not': {
      const a = sub(e.a);
      return (s) => (a(s) === 0 ? 1 : 0);
    }
    case 'floor': {
      const a = sub(e.a);
      return (s) => Math.floor(a(s)) + 0;
    }
    case 'if': {
      const [test, a, b] = [sub(e.test), sub(e.a), sub(e.b)];
      return (s) => (test(s) !== 0 ? a(s) : b(s));
    }
    case 'at':
      return entry(e.table, sub(e.index), around);
    case 'step':
      return step(e.table, sub(e.index), around);
    case 'call':
      return call(e.function, e.args.map(sub), around);
    default:
      return operation(e.op, sub(e.a), sub(e.b));
  }
}

function operation(op: Binary, a: Evaluate, b: Evaluate): Evaluate {
  switch (op) {
    case 'add':
      return (s) => a(s) + b(s);
    case 'sub':
      return (s) => a(s) - b(s);
    case 'mul':
      return (s) => a(s) * b(s) + 0;
    case 'div':
      return (s) => a(s) / b(s) + 0;
    case 'mod':
      return (s) => (a(s) % b(s)) + 0;
    case 'min':
      return (s) => Math.min(a(s), b(s));
    case 'max':
      return (s) => Math.max(a(s), b(s));
    case 'eq':
      return (s) => (a(s) === b(s) ? 1 : 0);
    case 'ne':
      return (s) => (a(s) !== b(s) ? 1 : 0);
    case 'lt':
      return (s) => (a(s) < b(s) ? 1 : 0);
    case 'le':
      return (s) => (a(s) <= b(s) ? 1 : 0);
    case 'gt':
      return (s) => (a(s) > b(s) ? 1 : 0);
    case 'ge':
      return (s) => (a(s) >= b(s) ? 1 : 0);
    case 'and':
      return (s) => (a(s) !== 0 && b(s) !== 0 ? 1 : 0);
    case 'or':
      return (s) => (a(s) !== 0 || b(s) !== 0 ? 1 : 0);
  }
}

function entry(name: string, index: Evaluate, around: Surroundings): Evaluate {
  const table = around.tables.get(name);
  if (table?.kind !== 'int' && table?.kind !== 'real') throw new Error(`no number table ${name}`);
  const { values } = table;
  return (s) => {
    const k = index(s);
    if (!(Number.isInteger(k) && k >= 0 && k < values.length))
      throw new EvaluationFailure('RUN003', `index ${k} is outside table ${name} (0 … ${values.length - 1})`);
    return entryOf(table, k);
  };
}

/** Binary search for the largest threshold ≤ x; the first entry if x is below all. */
function step(name: string, index: Evaluate, around: Surroundings): Evaluate {
  const table = around.tables.get(name);
  if (table?.kind !== 'step') throw new Error(`no step table ${name}`);
  const { from, values } = table;
  return (s) => {
    const x = index(s);
    let [low, high] = [0, from.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (from[middle]! <= x) low = middle;
      else high = middle - 1;
    }
    return values[low]! + 0;
  };
}

function call(name: string, args: readonly Evaluate[], around: Surroundings): Evaluate {
  const f = around.functions.get(name);
  if (f === undefined) throw new Error(`no function ${name}`);
  return (s) => {
    const value = called(
      f,
      args.map((a) => a(s)),
    );
    if (typeof value !== 'number' || Number.isNaN(value))
      throw new EvaluationFailure('RUN009', `function ${name} returns ${String(value)}, which is not a number`);
    return value + 0;
  };
}

/**
 * Calls a function. Its InputError becomes an evaluation failure, which is ignored if the guard is false anyway (S8).
 */
function called(f: NetFunction, values: readonly number[]): unknown {
  try {
    return f.apply(...values);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    const [{ code, message, place }] = e.problems as [Problem];
    throw new EvaluationFailure(code, place?.part === undefined ? message : `${place.part}: ${message}`);
  }
}

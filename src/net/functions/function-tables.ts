import type { Binary, Expression } from '../expression.ts';
import type { Table } from '../net.ts';
import type { EnumSet, Value } from '../term.ts';
import type { Variable } from './pure.ts';
import { domainOf, type ReadTree } from './read-tree.ts';

/** Result type of a function: numbers, booleans, or values of an enumeration. */
export type Answers = { readonly kind: 'number' | 'boolean' } | { readonly kind: 'string'; readonly set: EnumSet };

/** A variable read by a function, and its range of values `low` … `low + size − 1`. */
interface Axis {
  readonly term: Expression;
  readonly set: Variable['set'];
  readonly low: number;
  readonly size: number;
}

/**
 * The tables generated from a function, and the expressions that read them. `name` holds results, in blocks over some
 * of the variables (the first one varies slowest); `name.branch` holds block starts and branch numbers.
 */
export class FunctionTables {
  readonly axes: readonly Axis[];
  readonly #answers: Answers;
  readonly #name: string;
  readonly #values: number[] = [];
  readonly #branches: number[] = [];
  readonly #floored: boolean;

  constructor(tree: ReadTree, variables: readonly Variable[], answers: Answers, name: string) {
    this.axes = variables.map((v) => ({ term: v.term, set: v.set, ...domainOf(v) }));
    this.#answers = answers;
    this.#name = name;
    const numbers = answers.kind === 'number' ? leavesOf(tree) : [];
    this.#floored = numbers.some((v) => !isInt32(v as number)) && numbers.every(Number.isInteger);
  }

  /** The non-empty tables. */
  tables(): Table[] {
    return [
      ...(this.#values.length === 0 ? [] : [numberTable(this.#name, this.#values)]),
      ...(this.#branches.length === 0 ? [] : [numberTable(`${this.#name}.branch`, this.#branches)]),
    ];
  }

  /** The number of value combinations of the variables. */
  combinations(variables: readonly number[]): number {
    return variables.reduce((n, v) => n * this.axes[v]!.size, 1);
  }

  /** Approximate number of operators in a lookup by these variables. */
  operators(variables: readonly number[]): number {
    return variables.reduce((n, v) => n + (this.axes[v]!.set?.kind === 'enum' ? 5 * this.axes[v]!.size : 4), 2);
  }

  /** A result as a constant. */
  constant(value: Value): Expression {
    return this.#answers.kind === 'string'
      ? memberAt(this.#answers.set, this.#number(value))
      : number(this.#number(value));
  }

  /** A block with the results of a tree, and the expression that reads it. */
  block(tree: ReadTree, variables: readonly number[]): Expression {
    const possible = new Set<number>();
    const first = this.#append(tree, variables, possible);
    return this.#answer(this.#index(variables, first), possible);
  }

  /** Blocks of several trees over the same variables; `at` makes the lookup, given the start of a block. */
  blocks(
    trees: Iterable<ReadTree>,
    variables: readonly number[],
  ): { readonly starts: ReadonlyMap<ReadTree, number>; readonly first: number; at(start: Expression): Expression } {
    const possible = new Set<number>();
    const first = this.#values.length;
    const starts = new Map<ReadTree, number>();
    for (const tree of trees) starts.set(tree, this.#append(tree, variables, possible));
    return {
      starts,
      first,
      at: (start) =>
        this.#answer(variables.length === 0 ? start : binary('add', start, this.#index(variables, 0)), possible),
    };
  }

  /** Stores one number for each value of a variable; returns the lookup. */
  branch(variable: number, numbers: readonly number[]): Expression {
    const first = this.#branches.length;
    for (const n of numbers) this.#branches.push(n);
    return { op: 'at', table: `${this.#name}.branch`, index: this.#index([variable], first) };
  }

  /** Appends the results for every combination of values; returns their start. */
  #append(tree: ReadTree, variables: readonly number[], possible: Set<number>): number {
    const start = this.#values.length;
    const chosen = new Map<number, number>();
    const go = (depth: number): void => {
      const v = variables[depth];
      if (v !== undefined) {
        for (let k = 0; k < this.axes[v]!.size; k++) {
          chosen.set(v, k);
          go(depth + 1);
        }
        return;
      }
      let at = tree;
      // A variable that is read but irrelevant has no chosen value: all its children give the same results.
      while (at.kind === 'node') at = at.children[chosen.get(at.variable) ?? 0]!;
      const value = this.#number(at.value);
      this.#values.push(value);
      possible.add(value);
    };
    go(0);
    return start;
  }

  /** Row-major position of the variables' values, offset by `first`. */
  #index(variables: readonly number[], first: number): Expression {
    let stride = 1;
    let offset = first;
    let sum: Expression | undefined;
    for (const v of [...variables].reverse()) {
      const { term, set, low, size } = this.axes[v]!;
      const position = set?.kind === 'enum' ? positionOf(term, set) : term;
      const part = stride === 1 ? position : binary('mul', position, number(stride));
      sum = sum === undefined ? part : binary('add', part, sum);
      offset -= low * stride;
      stride *= size;
    }
    if (sum === undefined || offset === 0) return sum ?? number(offset);
    return offset > 0 ? binary('add', sum, number(offset)) : binary('sub', sum, number(-offset));
  }

  /** The lookup converted to the result type; the entry is one of `possible`. */
  #answer(index: Expression, possible: ReadonlySet<number>): Expression {
    const at: Expression = { op: 'at', table: this.#name, index };
    if (this.#answers.kind === 'boolean') return binary('eq', at, number(1));
    if (this.#answers.kind === 'string')
      return memberOf(
        at,
        this.#answers.set,
        [...possible].sort((a, b) => a - b),
      );
    // Integers beyond 32 bits are stored in a real table.
    return this.#floored ? { op: 'floor', a: at } : at;
  }

  #number(value: Value): number {
    return this.#answers.kind === 'string' ? this.#answers.set.values.indexOf(String(value)) : Number(value);
  }
}

/** The distinct results of a tree. O(nodes and their children). */
export function leavesOf(tree: ReadTree): Value[] {
  const seen = new Set<ReadTree>([tree]);
  for (const t of seen) if (t.kind === 'node') for (const child of t.children) seen.add(child);
  return [...seen].flatMap((t) => (t.kind === 'leaf' ? [t.value] : []));
}

export function number(value: number): Expression {
  return { op: 'const', value };
}

export function binary(op: Binary, a: Expression, b: Expression): Expression {
  return { op, a, b };
}

function isInt32(value: number): boolean {
  return value === (value | 0);
}

function numberTable(name: string, values: readonly number[]): Table {
  if (!values.every(isInt32)) return { kind: 'real', name, values: Float64Array.from(values) };
  let low = values[0]!;
  let high = low;
  for (const v of values) {
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  return { kind: 'int', name, values: Int32Array.from(values), low, high };
}

/*
 * Conversions between enumeration values and their positions. Expressions can only compare enumeration values, so both
 * directions are chains of comparisons.
 */

export function memberAt(set: EnumSet, position: number): Expression {
  return { op: 'const', value: position, colour: set.name };
}

/** The position of a term's value. O(values). */
export function positionOf(term: Expression, set: EnumSet): Expression {
  let position: Expression = { op: 'const', value: set.values.length - 1 };
  for (let k = set.values.length - 2; k >= 0; k--)
    position = {
      op: 'if',
      test: { op: 'eq', a: term, b: memberAt(set, k) },
      a: { op: 'const', value: k },
      b: position,
    };
  return position;
}

/**
 * The value at position `e`, which is one of `positions` (ascending). Evaluates O(log positions) of its O(positions)
 * nodes.
 */
export function memberOf(e: Expression, set: EnumSet, positions: readonly number[]): Expression {
  if (positions.length === 1) return memberAt(set, positions[0]!);
  const middle = positions.length >> 1;
  return {
    op: 'if',
    test: { op: 'lt', a: e, b: { op: 'const', value: positions[middle]! } },
    a: memberOf(e, set, positions.slice(0, middle)),
    b: memberOf(e, set, positions.slice(middle)),
  };
}

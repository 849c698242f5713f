import { fail } from '../../base/problem.ts';
import { condition } from '../conditions.ts';
import type { Expression } from '../expression.ts';
import { type Answers, leavesOf, memberOf, positionOf } from '../functions/function-tables.ts';
import { HostFunction, type Shape, type Variable } from '../functions/pure.ts';
import { type ReadTree, readTree, trySamples } from '../functions/read-tree.ts';
import { tabulate } from '../functions/tabulate.ts';
import type { NetFunction, Table } from '../net.ts';
import {
  BOOLEAN,
  coloured,
  colourOf,
  constant,
  type EnumSet,
  isTerm,
  shown,
  unsettled,
  withIntegerForm,
} from '../term.ts';
import { floor } from '../terms.ts';
import type { Block } from './block.ts';
import type { Fn } from './builder-types.ts';

/** Default for the maximum number of entries of a table generated from a function. */
export const TABLE_LIMIT: number = 2 ** 20;

/** The host-language functions of a net under construction. Their tables are added to the net. */
export class Functions {
  readonly #tables: Table[];
  readonly #limit: number;
  readonly #names = new Set<string>();
  /** Functions that could not be tabulated. */
  readonly called: NetFunction[] = [];

  constructor(tables: Table[], limit: number) {
    if (!(Number.isSafeInteger(limit) && limit >= 0 && limit <= 2 ** 26))
      fail('NET049', `tableLimit: expected an integer from 0 to 2^26, got ${shown(limit)}`);
    this.#tables = tables;
    this.#limit = limit;
  }

  /** The `fn` of a transition or place; its functions are named `name.fn1`, `name.fn2` … */
  of(block: Block, name: string): Fn {
    let count = 0;
    const fn = (reads: unknown, f: unknown): Expression => {
      block.assertOpen();
      do count++;
      while (this.#taken(`${name}.fn${count}`));
      this.#names.add(`${name}.fn${count}`);
      return this.#expression(block, count, `${name}.fn${count}`, reads, f);
    };
    return fn as Fn;
  }

  #taken(name: string): boolean {
    return this.#names.has(name) || this.#tables.some((t) => t.name === name || t.name === `${name}.branch`);
  }

  #expression(block: Block, count: number, name: string, reads: unknown, f: unknown): Expression {
    const part = `${block.part}, fn${count}`;
    if (typeof f !== 'function') fail('NET059', `expected a function, got ${shown(f)}`, { part });
    const variables: Variable[] = [];
    const shape = shapeOf(part, reads, '', variables);
    for (const v of variables) block.own(v.term);
    const host = new HostFunction(part, variables, shape, f as (s: never) => unknown);
    const { tree, kind } = host.evaluating(() => {
      const tree = readTree(host, this.#limit);
      return { tree, kind: tree === undefined ? trySamples(host) : kindOf(tree) };
    });
    if (kind !== 'string') {
      const e = this.#settled(host, tree, name, { kind });
      return kind === 'boolean' && e.op !== 'const' ? condition(e) : e;
    }
    const settled = new Map<EnumSet, Expression>();
    return unsettled((set) => {
      let e = settled.get(set);
      if (e === undefined) {
        if (tree !== undefined) assertMembers(part, tree, set);
        e = this.#settled(host, tree, settled.size === 0 ? name : `${name}.${set.name}`, { kind, set });
        settled.set(set, e);
      }
      return e;
    });
  }

  /** The expression of a function whose result type is known. */
  #settled(host: HostFunction, tree: ReadTree | undefined, name: string, answers: Answers): Expression {
    const table = tree === undefined ? undefined : tabulate(tree, host.variables, answers, name, this.#limit);
    if (table !== undefined) {
      this.#tables.push(...table.tables);
      return table.expression;
    }
    const call = this.#call(host, name, (answer) => numberOf(host, answer, answers));
    let whole: Expression | undefined;
    switch (answers.kind) {
      case 'number':
        return withIntegerForm(
          call,
          () => (whole ??= floor(this.#call(host, `${name}.whole`, (answer) => integer(host, answer)))),
        );
      case 'boolean':
        return coloured({ op: 'eq', a: call, b: { op: 'const', value: 1 } }, BOOLEAN);
      case 'string':
        return coloured(memberOf(call, answers.set, [...answers.set.values.keys()]), answers.set);
    }
  }

  #call(host: HostFunction, name: string, toNumber: (answer: unknown) => number): Expression {
    this.called.push({
      name,
      apply: (...values) => host.evaluating(() => toNumber(host.answer((k) => values[k]!))),
    });
    const args = host.variables.map(({ term, set }) => (set?.kind === 'enum' ? positionOf(term, set) : term));
    return { op: 'call', function: name, args };
  }
}

/** Replaces the terms in `reads` by variable positions; appends the variables. */
function shapeOf(part: string, reads: unknown, path: string, variables: Variable[]): Exclude<Shape, number> {
  const inside = (name: string, read: unknown): Shape => {
    if (read === null) return null;
    if (!isTerm(read)) return shapeOf(part, read, `${path}${name}.`, variables);
    return variables.push({ name: `${path}${name}`, term: constant(read), set: colourOf(read) }) - 1;
  };
  if (Array.isArray(reads)) return reads.map((read, k) => inside(String(k), read));
  if (typeof reads !== 'object' || reads === null || isTerm(reads))
    fail('NET059', `${path === '' ? '' : `"${path.slice(0, -1)}": `}expected an object of terms, got ${shown(reads)}`, {
      part,
    });
  return Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, inside(name, read)]));
}

function kindOf(tree: ReadTree): 'number' | 'boolean' | 'string' {
  let at = tree;
  while (at.kind === 'node') at = at.children[0]!;
  return typeof at.value as 'number' | 'boolean' | 'string';
}

function assertMembers(part: string, tree: ReadTree, set: EnumSet): void {
  const wrong = leavesOf(tree).find((value) => !set.values.includes(String(value)));
  if (wrong !== undefined)
    fail(
      'NET003',
      `returns ${shown(wrong)}, which is not a value of enumeration ${set.name}: ${set.values.join(', ')}`,
      {
        part,
      },
    );
}

/**
 * A result at run time as a number.
 *
 * @throws InputError RUN009 if its type differs from that of the samples
 */
function numberOf(host: HostFunction, answer: unknown, answers: Answers): number {
  if (answers.kind === 'string') {
    const position = answers.set.values.indexOf(answer as string);
    return position < 0 ? refused(host, answer, `one of ${answers.set.values.join(', ')}`) : position;
  }
  if (typeof answer === answers.kind && !Number.isNaN(answer)) return Number(answer) + 0;
  return refused(host, answer, answers.kind === 'number' ? 'a number' : 'a boolean');
}

/** As {@link numberOf}, where an integer is required. */
function integer(host: HostFunction, answer: unknown): number {
  return Number.isInteger(answer) ? Number(answer) + 0 : refused(host, answer, 'an integer');
}

function refused(host: HostFunction, answer: unknown, expected: string): never {
  fail('RUN009', `returns ${shown(answer)}${host.where()}: expected ${expected}`, { part: host.part });
}

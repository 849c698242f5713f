/*
 * Sample:
 * const p = place('p'), q = place('q'); fires((t) => t.put(q, { x: mod(add(mul(t.take(p).x, 2), 1), 10) }));
 * →
 *   o0_0 = (((Math.imul(v0, 2) + 1 | 0) | 0) % (10 | 0));
 */
import { assertNever, fail, quote } from '../../base/problem.ts';
import { isDistribution, parametersOf } from '../../net/distribution.ts';
import { type Expression, operands } from '../../net/expression.ts';
import type { Delay, Table } from '../../net/net.ts';
import { type Range, rangeOf } from './bindings/range.ts';
import { type ColumnPlace, elementOf } from './table-rows.ts';

/** The tables and functions of a net, and their identifiers in generated code: a prefix and the position in the net. */
export interface Names {
  readonly tables: ReadonlyMap<string, Table>;
  readonly tableName: (name: string) => string;
  /** Location of a table that shares rows with others; `undefined` for a table with a separate array. */
  readonly columnOf: (name: string) => ColumnPlace | undefined;
  readonly functionName: (name: string) => string;
}

/** The identifiers that the code of an expression may use. */
export interface Scope extends Names {
  /** Identifier of each variable. */
  readonly names: ReadonlyMap<string, string>;
  /** Bounds of each variable. */
  readonly ranges: ReadonlyMap<string, Range>;
  /** Errors are deferred, because another part of the guard may be false (S7). Default false. */
  readonly insideGuard?: boolean;
  /** Identifier of a part that has already been evaluated. */
  readonly nameOf?: (e: Expression) => string | undefined;
}

const INFIX: Partial<Record<Expression['op'], string>> = {
  add: '+',
  sub: '-',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  eq: '===',
  ne: '!==',
};

/**
 * Kernel code for the value of an expression: an int if it is certain to be a 32-bit integer, else a num. Only numbers and
 * generated identifiers enter the code.
 */
export function emitValue(e: Expression, scope: Scope): string {
  const name = scope.nameOf?.(e);
  if (name !== undefined) return name;
  switch (e.op) {
    case 'const':
      return literal(e.value);
    case 'var':
      return scope.names.get(e.name)!;
    case 'neg':
      return areInt32(scope, e, e.a) ? `(0 - ${emitValue(e.a, scope)} | 0)` : `(0 - +${emitValue(e.a, scope)})`;
    case 'floor':
      return rangeOf(e.a, scope.ranges, scope.tables).integer
        ? emitValue(e.a, scope)
        : `(Math.floor(${emitValue(e.a, scope)}) + 0)`;
    case 'add':
    case 'sub':
      return areInt32(scope, e, e.a, e.b)
        ? `(${emitValue(e.a, scope)} ${INFIX[e.op]} ${emitValue(e.b, scope)} | 0)`
        : `(+${emitValue(e.a, scope)} ${INFIX[e.op]} ${emitValue(e.b, scope)})`;
    case 'mul':
      return areInt32(scope, e, e.a, e.b)
        ? `Math.imul(${emitValue(e.a, scope)}, ${emitValue(e.b, scope)})`
        : `(+${emitValue(e.a, scope)} * ${emitValue(e.b, scope)} + 0)`;
    case 'div':
      return `(${emitValue(e.a, scope)} / ${emitValue(e.b, scope)} + 0)`;
    case 'mod':
      return areInt32(scope, e, e.a, e.b)
        ? `((${emitValue(e.a, scope)} | 0) % (${emitValue(e.b, scope)} | 0))`
        : `(+${emitValue(e.a, scope)} % ${emitValue(e.b, scope)} + 0)`;
    case 'min':
    case 'max':
      return `Math.${e.op}(${emitValue(e.a, scope)}, ${emitValue(e.b, scope)})`;
    case 'if':
      return `(${emitBoolean(e.test, scope)} ? ${emitValue(e.a, scope)} : ${emitValue(e.b, scope)})`;
    case 'at':
      return emitLookup(e.table, e.index, scope);
    case 'step':
      return `${scope.tableName(e.table)}(${emitValue(e.index, scope)})`;
    case 'call':
      return `${scope.functionName(e.function)}_${e.args.length}(${e.args.map((a) => emitValue(a, scope)).join(', ')})`;
    case 'not':
    case 'and':
    case 'or':
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return `(${emitBoolean(e, scope)} ? 1 : 0)`;
    default:
      return assertNever(e);
  }
}

/** True if all expressions are certain to be 32-bit integers, for which the machine has faster arithmetic. */
function areInt32(scope: Scope, ...expressions: readonly Expression[]): boolean {
  return expressions.every((x) => {
    const r = rangeOf(x, scope.ranges, scope.tables);
    return r.integer && r.low >= -(2 ** 31) && r.high < 2 ** 31;
  });
}

/** Kernel code for an expression as a condition: true if its value is not 0. */
export function emitBoolean(e: Expression, scope: Scope): string {
  switch (e.op) {
    case 'not':
      return `!${emitBoolean(e.a, scope)}`;
    case 'and':
      return `(${emitBoolean(e.a, scope)} && ${emitBoolean(e.b, scope)})`;
    case 'or':
      return `(${emitBoolean(e.a, scope)} || ${emitBoolean(e.b, scope)})`;
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return `(${emitValue(e.a, scope)} ${INFIX[e.op]} ${emitValue(e.b, scope)})`;
    default:
      return `(${emitValue(e, scope)} !== 0)`;
  }
}

function emitLookup(name: string, index: Expression, scope: Scope): string {
  const table = scope.tables.get(name)!;
  if (table.kind !== 'int' && table.kind !== 'real') throw new Error(`table ${name} holds no numbers`);
  const id = scope.tableName(name);
  const { length } = table.values;
  const at = isSureIndex(name, index, scope)
    ? emitValue(index, scope)
    : `${entryOf(index, length, scope)}(${emitValue(index, scope)}, ${literal(length)}, ${literal(idNumber(id))})`;
  if ('pages' in table.values) return `${id}_at(${at})`;
  const column = scope.columnOf(name);
  return column === undefined ? `${id}[${at}]` : elementOf(column, at);
}

/** Name of the kernel function that checks an index. */
const entryOf = (index: Expression, length: number, scope: Scope): string =>
  scope.insideGuard === true ? 'softEntry' : areInt32(scope, index) && length < 2 ** 31 ? 'intEntry' : 'entry';

const idNumber = (id: string): number => Number(id.replace(/\D/g, ''));

/**
 * A number as code; −0 becomes 0.
 *
 * @throws InputError NET023 for other types, which a net from plain JavaScript may contain: no string may enter the code
 */
export function literal(value: number): string {
  if (typeof value !== 'number') fail('NET023', `expected a number, got ${quote(String(value))}`);
  if (value === Number.POSITIVE_INFINITY) return 'Infinity';
  if (value === Number.NEGATIVE_INFINITY) return '(-Infinity)';
  return value < 0 ? `(${value})` : String(value);
}

/** True if evaluating an expression may fail: by a call, or by an index that may lie outside its table. */
export function mayFail(e: Expression, scope: Pick<Scope, 'ranges' | 'tables'>): boolean {
  if (e.op === 'call') return true;
  if (e.op === 'at' && !isSureIndex(e.table, e.index, scope)) return true;
  return operands(e).some((part) => mayFail(part, scope));
}

function isSureIndex(name: string, index: Expression, scope: Pick<Scope, 'ranges' | 'tables'>): boolean {
  const table = scope.tables.get(name)!;
  if (table.kind !== 'int' && table.kind !== 'real') throw new Error(`table ${name} holds no numbers`);
  const r = rangeOf(index, scope.ranges, scope.tables);
  return r.integer && r.low >= 0 && r.high < table.values.length;
}

/**
 * Code for the value of a delay in seconds: an expression, or a call of `draw` with the drawing process, if any, and the
 * parameters of the distribution in order.
 */
export function emitDelay(delay: Delay, scope: Scope, draw: string, process?: Expression): string {
  if (!isDistribution(delay)) return emitValue(delay, scope);
  const values = [...(process === undefined ? [] : [process]), ...parametersOf(delay)];
  return `${draw}(${values.map((x) => emitValue(x, scope)).join(', ')})`;
}

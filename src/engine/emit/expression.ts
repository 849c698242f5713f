import { assertNever, fail, quote } from '../../base/problem.ts';
import { type Expression, operands } from '../../net/expression.ts';
import type { Table } from '../../net/net.ts';
import { type Range, rangeOf } from './range.ts';
import { type ColumnPlace, elementOf } from './table-rows.ts';

/** The tables and functions of a net, and their identifiers in generated code: a letter and their position in the net. */
export interface Names {
  readonly tables: ReadonlyMap<string, Table>;
  readonly tableName: (name: string) => string;
  /** Where a table that shares rows with others has its numbers. */
  readonly columnOf: (name: string) => ColumnPlace | undefined;
  readonly functionName: (name: string) => string;
}

/** What the code of an expression may refer to. */
export interface Scope extends Names {
  /** The identifier and the bounds of each variable. */
  readonly names: ReadonlyMap<string, string>;
  readonly ranges: ReadonlyMap<string, Range>;
  /** An error says nothing yet: another part of the guard may be false. Default false. */
  readonly amidGuard?: boolean;
  /** The identifier of what has been evaluated already. */
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
 * Kernel code for the value of an expression: an int where it is sure to be a whole number of 32 bits, else a num. Only
 * numbers and our own identifiers enter the code.
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
      return rangeOf(e.a, scope.ranges, scope.tables).whole
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
      return `(${emitTruth(e.test, scope)} ? ${emitValue(e.a, scope)} : ${emitValue(e.b, scope)})`;
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
      return `(${emitTruth(e, scope)} ? 1 : 0)`;
    default:
      return assertNever(e);
  }
}

/** Whether expressions are sure to be whole numbers of 32 bits, for which the machine has faster arithmetic. */
function areInt32(scope: Scope, ...expressions: readonly Expression[]): boolean {
  return expressions.every((x) => {
    const r = rangeOf(x, scope.ranges, scope.tables);
    return r.whole && r.low >= -(2 ** 31) && r.high < 2 ** 31;
  });
}

/** Kernel code for the truth of an expression. */
export function emitTruth(e: Expression, scope: Scope): string {
  switch (e.op) {
    case 'not':
      return `!${emitTruth(e.a, scope)}`;
    case 'and':
      return `(${emitTruth(e.a, scope)} && ${emitTruth(e.b, scope)})`;
    case 'or':
      return `(${emitTruth(e.a, scope)} || ${emitTruth(e.b, scope)})`;
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
  return column === undefined ? `${id}[${at}]` : elementOf(column, table.kind, at);
}

/** The function that checks an index. */
const entryOf = (index: Expression, length: number, scope: Scope): string =>
  scope.amidGuard === true ? 'softEntry' : areInt32(scope, index) && length < 2 ** 31 ? 'intEntry' : 'entry';

const idNumber = (id: string): number => Number(id.replace(/\D/g, ''));

/**
 * A number as code; −0 is 0.
 *
 * @throws InputError NET023 for anything else, which a net from plain JavaScript may hold: no text may enter the code
 */
export function literal(value: number): string {
  if (typeof value !== 'number') fail('NET023', `${quote(String(value))} stands where a number is expected`);
  if (value === Number.POSITIVE_INFINITY) return 'Infinity';
  if (value === Number.NEGATIVE_INFINITY) return '(-Infinity)';
  return value < 0 ? `(${value})` : String(value);
}

/** Whether evaluating an expression may end in an error: a call, or a look-up whose index may lie outside its table. */
export function mayFail(e: Expression, scope: Pick<Scope, 'ranges' | 'tables'>): boolean {
  if (e.op === 'call') return true;
  if (e.op === 'at' && !isSureIndex(e.table, e.index, scope)) return true;
  return operands(e).some((part) => mayFail(part, scope));
}

function isSureIndex(name: string, index: Expression, scope: Pick<Scope, 'ranges' | 'tables'>): boolean {
  const table = scope.tables.get(name)!;
  if (table.kind !== 'int' && table.kind !== 'real') throw new Error(`table ${name} holds no numbers`);
  const r = rangeOf(index, scope.ranges, scope.tables);
  return r.whole && r.low >= 0 && r.high < table.values.length;
}

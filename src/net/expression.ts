/** Operators with one operand. */
export type Unary = 'neg' | 'not' | 'floor';
/**
 * Operators with two operands. Comparisons and logic give 0 or 1; `div` is real division; `mod` has the sign of the
 * dividend.
 */
export type Binary =
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'mod'
  | 'min'
  | 'max'
  | 'eq'
  | 'ne'
  | 'lt'
  | 'le'
  | 'gt'
  | 'ge'
  | 'and'
  | 'or';

/**
 * A pure expression over a binding, as a closed union. Numbers are doubles, a boolean is 0 or 1, an enumeration value
 * is its position. `colour` of a constant names the enumeration it belongs to.
 *
 * - `at`: entry of a number table at an index; evaluating an index outside the table is an error
 * - `step`: value of a step table at `x`: the entry with the largest threshold ≤ x
 * - `call`: value of a host-language function (see `Net.functions`)
 */
export type Expression =
  | { readonly op: 'const'; readonly value: number; readonly colour?: string }
  | { readonly op: 'var'; readonly name: string }
  | { readonly op: Unary; readonly a: Expression }
  | { readonly op: Binary; readonly a: Expression; readonly b: Expression }
  | { readonly op: 'if'; readonly test: Expression; readonly a: Expression; readonly b: Expression }
  | { readonly op: 'at' | 'step'; readonly table: string; readonly index: Expression }
  | { readonly op: 'call'; readonly function: string; readonly args: readonly Expression[] };

export const UNARY: readonly Unary[] = ['neg', 'not', 'floor'];
/** Binary operators from numbers to a number. */
export const ARITHMETIC: readonly Binary[] = ['add', 'sub', 'mul', 'div', 'mod', 'min', 'max'];
export const BINARY: readonly Binary[] = [...ARITHMETIC, 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'and', 'or'];

export function operands(e: Expression): readonly Expression[] {
  switch (e.op) {
    case 'const':
    case 'var':
      return [];
    case 'if':
      return [e.test, e.a, e.b];
    case 'at':
    case 'step':
      return [e.index];
    case 'call':
      return e.args;
    case 'neg':
    case 'not':
    case 'floor':
      return [e.a];
    default:
      return [e.a, e.b];
  }
}

/** The expression with each operand replaced. */
export function withOperands(e: Expression, change: (operand: Expression) => Expression): Expression {
  switch (e.op) {
    case 'const':
    case 'var':
      return e;
    case 'if':
      return { op: 'if', test: change(e.test), a: change(e.a), b: change(e.b) };
    case 'at':
    case 'step':
      return { op: e.op, table: e.table, index: change(e.index) };
    case 'call':
      return { op: 'call', function: e.function, args: e.args.map(change) };
    case 'neg':
    case 'not':
    case 'floor':
      return { op: e.op, a: change(e.a) };
    default:
      return { op: e.op, a: change(e.a), b: change(e.b) };
  }
}

/** The names of the variables of an expression, each once, in order of first occurrence. */
export function variablesOf(e: Expression, into: Set<string> = new Set()): Set<string> {
  if (e.op === 'var') into.add(e.name);
  for (const part of operands(e)) variablesOf(part, into);
  return into;
}

/** The conjuncts of a guard: operands of nested `and`. */
export function conjuncts(e: Expression | undefined): Expression[] {
  if (e === undefined) return [];
  return e.op === 'and' ? [...conjuncts(e.a), ...conjuncts(e.b)] : [e];
}

/** Structural equality. */
export function sameExpression(x: Expression, y: Expression): boolean {
  if (x.op !== y.op) return false;
  if (x.op === 'const') return y.op === 'const' && Object.is(x.value, y.value) && x.colour === y.colour;
  if (x.op === 'var') return y.op === 'var' && x.name === y.name;
  if ((x.op === 'at' || x.op === 'step') && (y.op === 'at' || y.op === 'step') && x.table !== y.table) return false;
  if (x.op === 'call' && y.op === 'call' && x.function !== y.function) return false;
  const a = operands(x);
  const b = operands(y);
  return a.length === b.length && a.every((part, k) => sameExpression(part, b[k]!));
}

const SIGN: Partial<Record<Binary, string>> = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  mod: '%',
  eq: '==',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  and: '&&',
  or: '||',
};

/** The expression in infix notation for display; subexpressions are parenthesised. */
export function expressionText(e: Expression, top = true): string {
  const sub = (x: Expression): string => expressionText(x, false);
  switch (e.op) {
    case 'const':
      return e.colour === undefined ? String(e.value) : `${e.colour}#${e.value}`;
    case 'var':
      return e.name;
    case 'neg':
      return `-${sub(e.a)}`;
    case 'not':
      return `!${sub(e.a)}`;
    case 'floor':
      return `floor(${expressionText(e.a)})`;
    case 'if':
      return top ? `${sub(e.test)} ? ${sub(e.a)} : ${sub(e.b)}` : `(${expressionText(e)})`;
    case 'at':
      return `${e.table}[${expressionText(e.index)}]`;
    case 'step':
      return `${e.table}{${expressionText(e.index)}}`;
    case 'call':
      return `${e.function}(${e.args.map((a) => expressionText(a)).join(', ')})`;
    default: {
      const sign = SIGN[e.op];
      if (sign === undefined) return `${e.op}(${expressionText(e.a)}, ${expressionText(e.b)})`;
      const text = `${sub(e.a)} ${sign} ${sub(e.b)}`;
      return top ? text : `(${text})`;
    }
  }
}

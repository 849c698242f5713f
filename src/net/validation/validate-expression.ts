import type { Code } from '../../base/codes.ts';
import { quote } from '../../base/problem.ts';
import type { ColourSet } from '../colour.ts';
import { BINARY, type Expression, expressionText, operands, UNARY } from '../expression.ts';
import type { Context } from './validate-context.ts';

/** Type of an expression: number, integer, 0 or 1, boolean, or value of an enumeration. */
export type Type = 'real' | 'int' | 'bit' | 'bool' | `enum ${string}`;

/** Variable types; undefined if unknown because of another problem. */
export type Types = ReadonlyMap<string, Type | undefined>;

/**
 * Limits on the nesting depth and number of parts of one expression. Shared parts count each time, because engines and
 * files expand expressions to trees.
 */
export const MAX_EXPRESSION_DEPTH = 1000;
export const MAX_EXPRESSION_PARTS: number = 2 ** 20;

const OPERATORS: ReadonlySet<string> = new Set(['const', 'var', 'if', 'at', 'step', 'call', ...UNARY, ...BINARY]);

/**
 * Checks an expression and, if `want` is given, its type. `part` is the location for messages. O(parts).
 *
 * @returns the type, or undefined if a problem was reported
 */
export function checkExpression(
  ctx: Context,
  part: string,
  e: Expression,
  types: Types,
  want?: Type,
): Type | undefined {
  const check = new Check(ctx, part, types);
  const got = check.type(e, 1);
  // An oversized expression was already reported, and its text would be too long for a message.
  if (got === undefined || want === undefined || check.tooLarge || fits(got, want)) return got;
  ctx.report('NET022', part, `expected ${inWords(want)}, but ${textOf(e)} is ${inWords(got)}`);
  return undefined;
}

/** The type of the values of a scalar colour set. */
export function typeOfColour(c: ColourSet): Type | undefined {
  switch (c.kind) {
    case 'bool':
      return 'bool';
    case 'enum':
      return `enum ${c.name}`;
    case 'range':
    case 'integer':
      return 'int';
    default:
      return undefined;
  }
}

/** The value of a numeric constant, possibly negated; undefined otherwise. */
export function constantOf(e: Expression): number | undefined {
  // `e.a` may be missing; invalid expressions are reported by the type check.
  if (e.op === 'neg' && e.a?.op === 'const') return -e.a.value;
  return e.op === 'const' && e.colour === undefined ? e.value : undefined;
}

class Check {
  readonly #ctx: Context;
  readonly #part: string;
  readonly #types: Types;
  #unbound: Set<string> | undefined;
  #parts = 0;

  constructor(ctx: Context, part: string, types: Types) {
    this.#ctx = ctx;
    this.#part = part;
    this.#types = types;
  }

  /** True if the expression was reported as too large. */
  get tooLarge(): boolean {
    return this.#parts === Number.POSITIVE_INFINITY;
  }

  type(e: Expression, depth: number): Type | undefined {
    if (!OPERATORS.has(e?.op)) {
      this.#report('NET019', `unknown operator "${e?.op}".${this.#ctx.near(String(e?.op), OPERATORS, OPERATORS.size)}`);
      return undefined;
    }
    if (this.#grows(depth)) return undefined;
    if (e.op === 'call' && !Array.isArray(e.args)) {
      this.#report('NET037', 'missing list of arguments "args" of a call');
      return undefined;
    }
    const parts = operands(e);
    const sub = parts.map((x) => this.type(x, depth + 1));
    const need = (want: Type, ...which: number[]): void => {
      for (const k of which) {
        const got = sub[k];
        if (got !== undefined && !this.tooLarge && !fits(got, want))
          this.#report(
            'NET022',
            `operand ${k + 1} of "${e.op}": expected ${inWords(want)}, but ${textOf(parts[k]!)} is ${inWords(got)}`,
          );
      }
    };
    switch (e.op) {
      case 'const':
        if (typeof e.value !== 'number' || Number.isNaN(e.value)) {
          this.#report(
            'NET023',
            `a constant is not a number${typeof e.value === 'number' ? '' : `: its type is ${typeof e.value}`}`,
          );
          return undefined;
        }
        if (e.colour === undefined)
          return e.value === 0 || e.value === 1 ? 'bit' : Number.isInteger(e.value) ? 'int' : 'real';
        return this.#enumerated(e.colour, e.value);
      case 'var':
        return this.#variable(e.name);
      case 'neg':
        need('real', 0);
        return sub[0] === undefined || sub[0] === 'real' ? sub[0] : 'int';
      case 'floor':
        need('real', 0);
        return 'int';
      case 'not':
        need('bool', 0);
        return 'bool';
      case 'and':
      case 'or':
        need('bool', 0, 1);
        return 'bool';
      case 'div':
        need('real', 0, 1);
        return 'real';
      case 'add':
      case 'sub':
      case 'mul':
      case 'mod':
      case 'min':
      case 'max':
        need('real', 0, 1);
        return sub[0] === undefined || sub[1] === undefined ? undefined : sub.includes('real') ? 'real' : 'int';
      case 'lt':
      case 'le':
      case 'gt':
      case 'ge':
        // Values of one enumeration are ordered by position.
        if (sub[0] === undefined || sub[0] !== sub[1] || !sub[0].startsWith('enum ')) need('real', 0, 1);
        return 'bool';
      case 'eq':
      case 'ne':
        this.#alike(e.op, sub[0], sub[1]);
        return 'bool';
      case 'if':
        need('bool', 0);
        this.#alike('if', sub[1], sub[2]);
        return wider(sub[1], sub[2]);
      case 'at':
      case 'step':
        // An enumeration value may be used as an index: its position.
        if (e.op === 'step' || sub[0]?.startsWith('enum ') !== true) need(e.op === 'at' ? 'int' : 'real', 0);
        return this.#table(e.op, e.table);
      case 'call':
        need('real', ...sub.keys());
        return this.#call(e.function);
    }
  }

  #report(code: Code, message: string): void {
    this.#ctx.report(code, this.#part, message);
  }

  /** Counts a part; returns whether the expression is now too large. */
  #grows(depth: number): boolean {
    this.#parts++;
    if (depth <= MAX_EXPRESSION_DEPTH && this.#parts <= MAX_EXPRESSION_PARTS) return false;
    // Reported once for each expression; the rest is not checked.
    if (this.#parts < Number.POSITIVE_INFINITY)
      this.#report(
        'NET026',
        depth > MAX_EXPRESSION_DEPTH
          ? `the expression is nested deeper than ${MAX_EXPRESSION_DEPTH}`
          : `the expression has more than ${MAX_EXPRESSION_PARTS} parts`,
      );
    this.#parts = Number.POSITIVE_INFINITY;
    return true;
  }

  #variable(name: string): Type | undefined {
    if (!this.#types.has(name) && this.#unbound?.has(name) !== true) {
      this.#unbound ??= new Set();
      this.#unbound.add(name);
      this.#report('NET021', `variable "${name}" is not bound.${this.#ctx.nearIn(name, this.#types)}`);
    }
    return this.#types.get(name);
  }

  #enumerated(colour: string, value: number): Type | undefined {
    const c = this.#ctx.colours.get(colour);
    if (c?.kind !== 'enum') {
      const { colours } = this.#ctx;
      this.#report(
        'NET011',
        `unknown enumeration "${colour}".${this.#ctx.near(colour, enumerations(colours), colours.size)}`,
      );
      return undefined;
    }
    if (!(Number.isInteger(value) && value >= 0 && value < c.values.length))
      this.#report('NET024', `${value} is not a value of enumeration "${colour}" (0 … ${c.values.length - 1})`);
    return `enum ${colour}`;
  }

  #alike(op: string, a: Type | undefined, b: Type | undefined): void {
    if (a !== undefined && b !== undefined && !fits(a, b) && !fits(b, a))
      this.#report('NET022', `the two sides of "${op}" differ: ${inWords(a)} and ${inWords(b)}`);
  }

  #table(op: 'at' | 'step', name: string): Type | undefined {
    const t = this.#ctx.tables.get(name);
    if (t === undefined) {
      this.#report('NET016', `unknown table "${name}".${this.#ctx.nearIn(name, this.#ctx.tables)}`);
      return undefined;
    }
    if (op === 'at' ? t.kind !== 'int' && t.kind !== 'real' : t.kind !== 'step') {
      this.#report('NET016', `table "${name}" is of kind ${t.kind} and cannot be looked up by "${op}"`);
      return undefined;
    }
    if (t.kind !== 'int') return 'real';
    return t.colour === undefined ? 'int' : `enum ${t.colour}`;
  }

  #call(name: string): Type | undefined {
    if (this.#ctx.functions.has(name)) return 'real';
    this.#report('NET025', `unknown function "${name}".${this.#ctx.nearIn(name, this.#ctx.functions)}`);
    return undefined;
  }
}

function* enumerations(colours: ReadonlyMap<string, ColourSet>): Generator<string> {
  for (const c of colours.values()) if (c.kind === 'enum') yield c.name;
}

/** The more general of two types; undefined if neither contains the other. */
function wider(a: Type | undefined, b: Type | undefined): Type | undefined {
  if (a === undefined || b === undefined) return undefined;
  return fits(a, b) ? b : fits(b, a) ? a : undefined;
}

/** True if type `got` is allowed where `want` is expected: 0 and 1 are both numbers and booleans. */
function fits(got: Type, want: Type): boolean {
  if (got === want) return true;
  if (want === 'real') return got === 'int' || got === 'bit' || got === 'bool';
  if (want === 'int') return got === 'bit' || got === 'bool';
  return want === 'bool' && got === 'bit';
}

function inWords(type: Type): string {
  switch (type) {
    case 'real':
      return 'a number';
    case 'int':
      return 'an integer';
    case 'bit':
      return '0 or 1';
    case 'bool':
      return 'a boolean';
    default:
      return `a value of enumeration "${type.slice('enum '.length)}"`;
  }
}

function textOf(e: Expression): string {
  return quote(expressionText(e));
}

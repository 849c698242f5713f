import { ownOf } from '../../base/own.ts';
import { quote } from '../../base/problem.ts';
import type { Expression } from '../expression.ts';
import type { Context } from '../pnml/pnml-context.ts';
import type { At } from '../pnml/pnml-document.ts';
import type { PnproElement } from './pnpro-document.ts';

/** Maximum nesting of parentheses and of constants in constants, which protects the stack. */
const MAX_DEPTH = 200;

/** A number, a name, or one character. */
const TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\S))/y;

/** The valid values of an expression. */
export interface Range {
  readonly whole: boolean;
  readonly valid: (value: number) => boolean;
  readonly expected: string;
}

const wholeFrom = (low: number, high = Number.MAX_SAFE_INTEGER): Range => ({
  whole: true,
  valid: (v) => Number.isSafeInteger(v) && v >= low && v <= high,
  expected: `an integer >= ${low}${high < Number.MAX_SAFE_INTEGER ? ` and <= ${high}` : ''}`,
});
export const NOT_NEGATIVE: Range = wholeFrom(0);
export const AT_LEAST_ONE: Range = wholeFrom(1);
/** Tokens that an arc adds: an output arc has at most 10⁶ (S7). */
export const ADDED: Range = wholeFrom(0, 1e6);
export const POSITIVE: Range = { whole: false, valid: (v) => v > 0 && Number.isFinite(v), expected: 'a number > 0' };
const FINITE: Range = { whole: false, valid: Number.isFinite, expected: 'a finite number' };
const INTEGER: Range = { whole: true, valid: Number.isSafeInteger, expected: 'an integer' };

/** Where an expression stands, for messages: `delay of transition "t"`. */
interface Origin extends At {
  readonly what: string;
}

/** A constant or parameter of the net. */
interface Constant extends Origin {
  /** Undefined: a parameter without a value. */
  readonly text: string | undefined;
  readonly range: Range;
  value?: number | undefined;
  state: 'new' | 'evaluating' | 'known';
}

const TYPES: Readonly<Record<string, Range>> = { INTEGER, REAL: FINITE };

/** The constants and parameters of a net, and the values of expressions over them. */
export class Constants {
  readonly #ctx: Context;
  readonly #byName = new Map<string, Constant>();

  /** Reports constants without a name, type or value, with colours, or with invalid expressions. */
  constructor(ctx: Context, constants: readonly PnproElement[], templates: readonly PnproElement[]) {
    this.#ctx = ctx;
    const add = (element: PnproElement, kind: string, type: string, text: string | undefined): void => {
      const { line, column, attributes } = element;
      const name = attributes['name'] ?? '';
      const range = ownOf(TYPES, attributes[type] ?? '');
      const shown = attributes[type] === undefined ? 'no type' : `${type}=${quote(attributes[type])}`;
      if (range === undefined)
        ctx.report('PNPRO004', `${kind} ${quote(name)} has ${shown}: expected INTEGER or REAL`, element);
      if ((attributes['domain'] ?? '') !== '')
        ctx.report('PNPRO009', `${kind} ${quote(name)} has colours, domain=${quote(attributes['domain']!)}`, element);
      else if (!this.#byName.has(name))
        this.#byName.set(name, {
          text,
          range: range ?? FINITE,
          what: `${kind} ${quote(name)}`,
          line,
          column,
          state: 'new',
        });
    };
    for (const c of constants) {
      add(c, 'constant', 'consttype', c.attributes['value']);
      if ((c.attributes['value'] ?? '') === '')
        ctx.report('PNPRO003', `constant ${quote(c.attributes['name'] ?? '')} has no attribute "value"`, c);
    }
    const used: string[] = [];
    for (const t of templates) {
      const text = [t.attributes['value'], t.attributes['last-binding']].find((v) => v !== undefined && v !== '');
      add(t, 'parameter', 'type', text);
      if (text !== undefined) used.push(`${t.attributes['name']} = ${text}`);
    }
    if (used.length > 0)
      ctx.warn(`parameters have the values that they had last in GreatSPN: ${used.slice(0, 12).join(', ')}`);
    for (const [name, { text }] of this.#byName)
      if (text !== undefined && text !== '') ctx.attempt(() => this.#constant(name, 0));
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** The value of an expression in a range; undefined if it has none, which was reported. */
  value(text: string, range: Range, at: At, what: string): number | undefined {
    return this.#ctx.attempt(() => this.#evaluated(text, range, { ...at, what }, 0));
  }

  /** As {@link value}, but the expression may use numbers of tokens, each a variable with the name of its place. */
  term(text: string, range: Range, at: At, what: string, isPlace: (name: string) => boolean): Value | undefined {
    const origin = { ...at, what };
    return this.#ctx.attempt(() => {
      const value = this.#parsed(text, range, origin, 0, isPlace);
      return typeof value === 'number' ? this.#inRange(value, text, range, origin) : value;
    });
  }

  /** @throws GivenUp after a report */
  #evaluated(text: string, range: Range, origin: Origin, depth: number): number {
    return this.#inRange(this.#parsed(text, range, origin, depth) as number, text, range, origin);
  }

  #parsed(text: string, range: Range, origin: Origin, depth: number, isPlace?: (name: string) => boolean): Value {
    return new Evaluation(
      text,
      range.whole,
      depth,
      (name, below) => this.#constant(name, below, origin),
      (problem) => this.#ctx.giveUp('PNPRO005', `${origin.what}, ${quote(text)}: ${problem}`, origin),
      isPlace,
    ).value();
  }

  #inRange(value: number, text: string, range: Range, origin: Origin): number {
    if (range.valid(value)) return value;
    const got = text.trim() === String(value) ? '' : `, which is ${value}`;
    return this.#ctx.giveUp('PNPRO006', `${origin.what}: expected ${range.expected}, got ${quote(text)}${got}`, origin);
  }

  #constant(name: string, depth: number, by?: Origin): number {
    const constant = this.#byName.get(name);
    if (constant === undefined) {
      const near = this.#ctx.near(name, [...this.#byName.keys()]);
      return this.#ctx.giveUp('PNPRO005', `${by!.what}: unknown constant ${quote(name)}.${near}`, by!);
    }
    const { text, range, state, what } = constant;
    if (state === 'evaluating') this.#ctx.giveUp('PNPRO005', `${what} refers to itself`, constant);
    if (text === undefined || text === '')
      this.#ctx.giveUp('PNPRO005', `${by?.what ?? what}: ${what} has no value`, by ?? constant);
    if (state === 'new') {
      constant.state = 'evaluating';
      // A constant is evaluated and its problems are reported once; what uses an invalid one is abandoned.
      constant.value = this.#ctx.attempt(() => this.#evaluated(text, range, constant, depth));
      constant.state = 'known';
    }
    return constant.value ?? this.#ctx.abandon();
  }
}

/** A number, or an expression over numbers of tokens. */
export type Value = number | Expression;

const termOf = (value: Value): Expression => (typeof value === 'number' ? { op: 'const', value } : value);

const ARITHMETIC = {
  add: (a: number, b: number) => a + b,
  sub: (a: number, b: number) => a - b,
  mul: (a: number, b: number) => a * b,
  div: (a: number, b: number) => a / b,
  min: Math.min,
  max: Math.max,
  lt: (a: number, b: number) => Number(a < b),
  le: (a: number, b: number) => Number(a <= b),
  gt: (a: number, b: number) => Number(a > b),
  ge: (a: number, b: number) => Number(a >= b),
  eq: (a: number, b: number) => Number(a === b),
  ne: (a: number, b: number) => Number(a !== b),
  and: (a: number, b: number) => Number(a !== 0 && b !== 0),
  or: (a: number, b: number) => Number(a !== 0 || b !== 0),
} as const;

function applied(op: keyof typeof ARITHMETIC, a: Value, b: Value): Value {
  return typeof a === 'number' && typeof b === 'number' ? ARITHMETIC[op](a, b) : { op, a: termOf(a), b: termOf(b) };
}

const COMPARISONS: Readonly<Record<string, keyof typeof ARITHMETIC>> = {
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
  '==': 'eq',
  '!=': 'ne',
};

/**
 * Evaluates one expression: + − * /, parentheses, numbers, names, `Min[a, b]`, `Max[a, b]`, `If[a > b, c, d]` and, where it may depend
 * on the marking, `#place`. O(length).
 */
class Evaluation {
  readonly #text: string;
  readonly #whole: boolean;
  readonly #constant: (name: string, depth: number) => number;
  readonly #wrong: (problem: string) => never;
  /** Undefined where the value must not depend on the marking. */
  readonly #isPlace: ((name: string) => boolean) | undefined;
  #depth: number;
  #at = 0;
  #number: string | undefined;
  #name: string | undefined;
  #sign: string | undefined;

  constructor(
    text: string,
    whole: boolean,
    depth: number,
    constant: (name: string, depth: number) => number,
    wrong: (problem: string) => never,
    isPlace?: (name: string) => boolean,
  ) {
    this.#text = text;
    this.#whole = whole;
    this.#depth = depth;
    this.#constant = constant;
    this.#wrong = wrong;
    this.#isPlace = isPlace;
  }

  value(): Value {
    this.#next();
    const value = this.#sum();
    if (this.#found() !== undefined) this.#unexpected('an operator');
    return value;
  }

  #sum(): Value {
    if (++this.#depth > MAX_DEPTH) this.#wrong(`is nested deeper than ${MAX_DEPTH}`);
    let value = this.#product();
    while (this.#sign === '+' || this.#sign === '-') {
      const op = this.#sign === '+' ? 'add' : 'sub';
      this.#next();
      value = applied(op, value, this.#product());
    }
    this.#depth--;
    return value;
  }

  #product(): Value {
    let value = this.#factor();
    while (this.#sign === '*' || this.#sign === '/') {
      const divides = this.#sign === '/';
      this.#next();
      const by = this.#factor();
      if (divides && by === 0) this.#wrong('divides by 0');
      // GreatSPN rounds divisions of integers: an inexact one has no meaning that all tools share.
      const result = applied(divides ? 'div' : 'mul', value, by);
      if (divides && this.#whole && !Number.isInteger(result)) this.#wrong(`${value} / ${by} is not an integer`);
      value = result;
    }
    return value;
  }

  #factor(): Value {
    let sign = 1;
    for (; this.#sign === '-'; this.#next()) sign = -sign;
    const value = this.#operand();
    if (typeof value === 'number') return sign * value;
    return sign === 1 ? value : { op: 'neg', a: value };
  }

  #operand(): Value {
    const [number, name] = [this.#number, this.#name];
    if (number !== undefined) {
      this.#next();
      return Number(number);
    }
    if (name !== undefined) {
      this.#next();
      return this.#sign === '[' ? this.#function(name) : this.#constant(name, this.#depth + 1);
    }
    if (this.#sign === '#') return this.#tokens();
    if (this.#sign !== '(') this.#unexpected('a number, a constant or (');
    this.#next();
    const value = this.#sum();
    this.#expect(')');
    return value;
  }

  /** The number of tokens of a place. */
  #tokens(): Value {
    if (this.#isPlace === undefined) this.#wrong('depends on the marking, which is not supported');
    this.#next();
    const name = this.#name ?? this.#unexpected('a place');
    if (!this.#isPlace!(name)) this.#wrong(`unknown place ${quote(name)}`);
    this.#next();
    return { op: 'var', name };
  }

  #function(name: string): Value {
    const kind = name.toLowerCase();
    if (kind !== 'min' && kind !== 'max' && kind !== 'if') this.#wrong(`the function ${quote(name)} is not supported`);
    this.#next();
    const first = kind === 'if' ? this.#condition() : this.#sum();
    this.#expect(',');
    const a = this.#sum();
    if (kind === 'if') this.#expect(',');
    const b = kind === 'if' ? this.#sum() : undefined;
    this.#expect(']');
    if (b === undefined) return applied(kind as 'min' | 'max', first, a);
    if (typeof first === 'number') return first !== 0 ? a : b;
    return { op: 'if', test: first, a: termOf(a), b: termOf(b) };
  }

  /** Comparisons that are joined by `&&`, which binds more tightly, and `||`. */
  #condition(): Value {
    let value = this.#conjunction();
    while (this.#accept('|', '|')) value = applied('or', value, this.#conjunction());
    return value;
  }

  #conjunction(): Value {
    let value = this.#comparison();
    while (this.#accept('&', '&')) value = applied('and', value, this.#comparison());
    return value;
  }

  #comparison(): Value {
    const a = this.#sum();
    let sign = this.#sign ?? '';
    if (!'<>=!'.includes(sign) || sign === '') this.#unexpected('a comparison');
    this.#next();
    if (this.#sign === '=') {
      sign += '=';
      this.#next();
    }
    const op = ownOf(COMPARISONS, sign);
    if (op === undefined) this.#wrong(`expected a comparison, got ${quote(sign)}`);
    return applied(op!, a, this.#sum());
  }

  /** Skips two signs if they come next. */
  #accept(first: string, second: string): boolean {
    if (this.#sign !== first) return false;
    this.#next();
    this.#expect(second);
    return true;
  }

  #expect(sign: string): void {
    if (this.#found() !== sign) this.#unexpected(sign);
    this.#next();
  }

  #next(): void {
    TOKEN.lastIndex = this.#at;
    const found = TOKEN.exec(this.#text);
    this.#at = found === null ? this.#text.length : TOKEN.lastIndex;
    [, this.#number, this.#name, this.#sign] = found ?? [];
  }

  #found(): string | undefined {
    return this.#number ?? this.#name ?? this.#sign;
  }

  #unexpected(expected: string): never {
    const found = this.#found();
    return this.#wrong(`expected ${expected}, got ${found === undefined ? 'the end' : quote(found)}`);
  }
}

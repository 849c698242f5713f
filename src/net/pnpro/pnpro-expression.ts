import { ownOf } from '../../base/own.ts';
import { quote } from '../../base/problem.ts';
import type { Context } from '../pnml/pnml-context.ts';
import type { At } from '../pnml/pnml-document.ts';
import type { PnproElement } from './pnpro-document.ts';

/** Maximum nesting of parentheses and of constants in constants, which protects the stack. */
const MAX_DEPTH = 200;

/** A number, a name, or one character. */
const TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\S))/y;

/** What an expression must yield. */
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

  /** @throws GivenUp after a report */
  #evaluated(text: string, range: Range, origin: Origin, depth: number): number {
    const value = new Evaluation(
      text,
      range.whole,
      depth,
      (name, below) => this.#constant(name, below, origin),
      (problem) => this.#ctx.giveUp('PNPRO005', `${origin.what}, ${quote(text)}: ${problem}`, origin),
    ).value();
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
    if (state === 'evaluating') this.#ctx.giveUp('PNPRO005', `${what} is defined by itself`, constant);
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

/** Evaluates one expression: + − * /, parentheses, numbers and names. O(length). */
class Evaluation {
  readonly #text: string;
  readonly #whole: boolean;
  readonly #constant: (name: string, depth: number) => number;
  readonly #wrong: (problem: string) => never;
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
  ) {
    this.#text = text;
    this.#whole = whole;
    this.#depth = depth;
    this.#constant = constant;
    this.#wrong = wrong;
  }

  value(): number {
    this.#next();
    const value = this.#sum();
    if (this.#found() !== undefined) this.#unexpected('an operator');
    return value;
  }

  #sum(): number {
    if (++this.#depth > MAX_DEPTH) this.#wrong(`is nested deeper than ${MAX_DEPTH}`);
    let value = this.#product();
    while (this.#sign === '+' || this.#sign === '-') {
      const sign = this.#sign === '+' ? 1 : -1;
      this.#next();
      value += sign * this.#product();
    }
    this.#depth--;
    return value;
  }

  #product(): number {
    let value = this.#factor();
    while (this.#sign === '*' || this.#sign === '/') {
      const divides = this.#sign === '/';
      this.#next();
      const by = this.#factor();
      if (divides && by === 0) this.#wrong('divides by 0');
      // GreatSPN rounds divisions of integers: an inexact one has no meaning that all tools share.
      if (divides && this.#whole && !Number.isInteger(value / by)) this.#wrong(`${value} / ${by} is not an integer`);
      value = divides ? value / by : value * by;
    }
    return value;
  }

  #factor(): number {
    let sign = 1;
    for (; this.#sign === '-'; this.#next()) sign = -sign;
    const [number, name] = [this.#number, this.#name];
    if (number !== undefined) {
      this.#next();
      return sign * Number(number);
    }
    if (name !== undefined) {
      this.#next();
      if (this.#sign === '[') this.#wrong(`the function ${quote(name)} is not supported`);
      return sign * this.#constant(name, this.#depth + 1);
    }
    if (this.#sign === '#') this.#wrong('depends on the marking, which is not supported');
    if (this.#sign !== '(') this.#unexpected('a number, a constant or (');
    this.#next();
    const value = this.#sum();
    if (this.#found() !== ')') this.#unexpected(')');
    this.#next();
    return sign * value;
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

import { quote } from '../../../base/problem.ts';
import type { Expression } from '../../expression.ts';
import type { TokenCount } from '../../net.ts';

/** Maximum nesting of parentheses, which protects the stack. */
const MAX_DEPTH = 200;

/** A number of tokens or a capacity with the name of its place; a number; a function; one character. */
const TOKEN =
  /\s*(?:(#|cap)\s*\(\s*([^(),]+?)\s*(?:,\s*([^(),]+?)\s*)?\)|(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|(ceil|floor)(?=\s*\()|(\S))/y;

/** A place whose tokens or capacity a rate may use. */
export interface CountedPlace {
  readonly name: string;
  readonly capacity: number | undefined;
}

/** A rate or weight over numbers of tokens, each a variable with the name of its place; or why the text is not one. */
export type RateExpression =
  | { readonly value: Expression; readonly counts: readonly TokenCount[] }
  | { readonly wrong: string };

/**
 * The rate that PIPE 5 writes as an expression: numbers, `#(PLACE)`, `cap(PLACE)`, `+ - * /`, `ceil(…)`, `floor(…)` and
 * parentheses. O(length).
 */
export function rateExpression(text: string, placeOf: (id: string) => CountedPlace | undefined): RateExpression {
  try {
    const parser = new Parser(text, placeOf);
    const value = parser.whole();
    return { value, counts: [...parser.counted].map((name) => ({ name, place: name, pattern: {} })) };
  } catch (e) {
    if (e instanceof Wrong) return { wrong: e.message };
    throw e;
  }
}

class Wrong extends Error {}

class Parser {
  readonly counted = new Set<string>();
  readonly #text: string;
  readonly #placeOf: (id: string) => CountedPlace | undefined;
  #at = 0;
  #token: RegExpExecArray | null = null;

  constructor(text: string, placeOf: (id: string) => CountedPlace | undefined) {
    this.#text = text;
    this.#placeOf = placeOf;
    this.#next();
  }

  whole(): Expression {
    const value = this.#sum(0);
    if (this.#token !== null) this.#unexpected();
    return value;
  }

  #next(): void {
    TOKEN.lastIndex = this.#at;
    this.#token = TOKEN.exec(this.#text);
    if (this.#token !== null) this.#at = TOKEN.lastIndex;
  }

  #takes(...characters: readonly string[]): string | undefined {
    const found = this.#token?.[6];
    if (found === undefined || !characters.includes(found)) return undefined;
    this.#next();
    return found;
  }

  #sum(depth: number): Expression {
    let a = this.#product(depth);
    for (let sign = this.#takes('+', '-'); sign !== undefined; sign = this.#takes('+', '-'))
      a = { op: sign === '+' ? 'add' : 'sub', a, b: this.#product(depth) };
    return a;
  }

  #product(depth: number): Expression {
    let a = this.#factor(depth);
    for (let sign = this.#takes('*', '/'); sign !== undefined; sign = this.#takes('*', '/'))
      a = { op: sign === '*' ? 'mul' : 'div', a, b: this.#factor(depth) };
    return a;
  }

  #factor(depth: number): Expression {
    if (depth > MAX_DEPTH) throw new Wrong(`has more than ${MAX_DEPTH} parentheses in each other`);
    const [, kind, place, colour, number, rounding] = this.#token ?? [];
    if (kind !== undefined) {
      this.#next();
      return this.#ofPlace(kind, place!, colour);
    }
    if (number !== undefined) {
      this.#next();
      return { op: 'const', value: Number(number) };
    }
    if (rounding !== undefined) this.#next();
    else if (this.#takes('-') !== undefined) return { op: 'neg', a: this.#factor(depth + 1) };
    if (this.#takes('(') === undefined) this.#unexpected();
    const a = this.#sum(depth + 1);
    if (this.#takes(')') === undefined) this.#unexpected();
    if (rounding === undefined) return a;
    if (rounding === 'floor') return { op: 'floor', a };
    return { op: 'neg', a: { op: 'floor', a: { op: 'neg', a } } };
  }

  #ofPlace(kind: string, id: string, colour: string | undefined): Expression {
    if (colour !== undefined) throw new Wrong(`counts tokens of the class ${quote(colour)}: expected #(PLACE)`);
    const place = this.#placeOf(id);
    if (place === undefined) throw new Wrong(`names the unknown place ${quote(id)}`);
    if (kind === 'cap') {
      if (place.capacity === undefined) throw new Wrong(`uses the capacity of place ${quote(id)}, which has none`);
      return { op: 'const', value: place.capacity };
    }
    this.counted.add(place.name);
    return { op: 'var', name: place.name };
  }

  #unexpected(): never {
    const rest = this.#token === null ? 'its end' : quote(this.#token[0].trim());
    throw new Wrong(`has ${rest} where a number, #(PLACE), cap(PLACE), an operator or a parenthesis was expected`);
  }
}

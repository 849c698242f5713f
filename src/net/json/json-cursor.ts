import type { Code } from '../../base/codes.ts';
import { didYouMean, InputError, type Place, type Problem, quote } from '../../base/problem.ts';
import { MAX_DEPTH } from './json-format.ts';

/** Number of problems after which reading stops. */
const MAX_PROBLEMS = 100;

const WORDS = ['true', 'false', 'null'] as const;
/** Maximum path steps shown in a message. */
const LONGEST_PATH = 12;

/** The type of a JSON value, from its first character. */
type Kind = 'an object' | 'a list' | 'a string' | 'a number' | 'a boolean' | 'null';

/**
 * A streaming JSON (RFC 8259) reader. The caller requests each value by expected type; the cursor tracks line, column
 * and path. Syntax errors throw at once. A value of the wrong type adds a problem, is skipped, and gives undefined.
 * O(length) time; recursion is limited to {@link MAX_DEPTH}.
 */
export class JsonCursor {
  readonly problems: Problem[] = [];
  readonly #text: string;
  readonly #file: string | undefined;
  readonly #path: (string | number)[] = [];
  #at = 0;
  /** Offset of the last number read. */
  #number = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string, file?: string) {
    this.#text = text;
    this.#file = file;
    if (text.startsWith('\ufeff')) this.#at = this.#lineStart = 1;
  }

  /** Position of the next value. */
  place(): Place {
    this.#space();
    return this.#here();
  }

  /** Adds a problem of the value at `place` (default: the next value). */
  report(code: Code, message: string, place: Place = this.place()): void {
    const steps = this.#path.slice(0, LONGEST_PATH).map((x) => (typeof x === 'number' ? `[${x}]` : `.${shown(x)}`));
    const part = steps.join('').replace(/^\./, '') + (this.#path.length > LONGEST_PATH ? '…' : '');
    this.problems.push({ code, message, place: part === '' ? place : { ...place, part } });
    if (this.problems.length >= MAX_PROBLEMS) this.stop();
  }

  /** Throws the problems found so far. */
  stop(): never {
    throw new InputError(this.problems);
  }

  /** Adds a problem and stops reading. */
  fatal(code: Code, message: string, place?: Place): never {
    this.report(code, message, place);
    return this.stop();
  }

  kind(): Kind {
    this.#space();
    const c = this.#text[this.#at] ?? '';
    if (c === '{') return 'an object';
    if (c === '[') return 'a list';
    if (c === '"') return 'a string';
    if (c === '-' || (c >= '0' && c <= '9')) return 'a number';
    const word = WORDS.find((w) => this.#text.startsWith(w, this.#at));
    if (word === undefined) return this.#unexpected('a value');
    return word === 'null' ? 'null' : 'a boolean';
  }

  /** Reports that the next value has the wrong type, and skips it. */
  wrong(wanted: string): undefined {
    this.report('NET104', `expected ${wanted}, got ${this.kind()}`);
    this.skip();
  }

  string(wanted = 'a string'): string | undefined {
    return this.kind() === 'a string' ? this.#string() : this.wrong(wanted);
  }

  /** A string that must be one of `known`. */
  oneOf<const T extends string>(known: readonly T[], code: Code = 'NET110'): T | undefined {
    const place = this.place();
    const s = this.string();
    if (s === undefined) return undefined;
    const found = known.find((k) => k === s);
    if (found === undefined) this.report(code, `unknown value ${quote(s)}.${didYouMean(s, known)}`, place);
    return found;
  }

  boolean(): boolean | undefined {
    if (this.kind() !== 'a boolean') return this.wrong('a boolean');
    const value = this.#text[this.#at] === 't';
    this.#at += value ? 4 : 5;
    return value;
  }

  /** A number. The strings "Infinity" and "-Infinity" are accepted, because JSON has no infinity. */
  number(): number | undefined {
    const place = this.place();
    const kind = this.kind();
    if (kind === 'a string') {
      const text = this.#string();
      if (text === 'Infinity') return Number.POSITIVE_INFINITY;
      if (text === '-Infinity') return Number.NEGATIVE_INFINITY;
      this.report('NET104', `expected a number, "Infinity" or "-Infinity", got the string ${quote(text)}`, place);
      return undefined;
    }
    if (kind !== 'a number') return this.wrong('a number');
    const value = this.#numeral();
    if (Number.isFinite(value)) return value;
    this.report('NET108', 'number exceeds the range of a double', place);
    return undefined;
  }

  /** A safe integer. */
  integer(): number | undefined {
    const place = this.place();
    const value = this.number();
    if (value === undefined || Number.isSafeInteger(value)) return value;
    this.report('NET108', `expected an integer below 2^53, got ${value}`, place);
    return undefined;
  }

  /** Reads a list; calls `each` at every item. */
  list(each: (k: number) => void, wanted = 'a list'): boolean {
    if (this.kind() !== 'a list') {
      this.wrong(wanted);
      return false;
    }
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === ']') {
      this.#at++;
      return true;
    }
    for (let k = 0; ; k++) {
      this.#path.push(k);
      each(k);
      this.#path.pop();
      if (this.#next(']')) return true;
    }
  }

  /** Reads an object; calls `each` with each member's name, before its value. Rejects duplicate names. */
  object(each: (name: string, place: Place) => void, wanted = 'an object'): boolean {
    if (this.kind() !== 'an object') {
      this.wrong(wanted);
      return false;
    }
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === '}') {
      this.#at++;
      return true;
    }
    const seen = new Set<string>();
    for (;;) {
      const place = this.place();
      if (this.#text[this.#at] !== '"') this.#unexpected('the name of a member in double quotes');
      const name = this.#string();
      this.#space();
      if (this.#text[this.#at] !== ':') this.#unexpected('":"');
      this.#at++;
      this.#path.push(name);
      if (seen.has(name)) {
        this.report('NET107', 'duplicate member', place);
        this.skip();
      } else each(name, place);
      seen.add(name);
      this.#path.pop();
      if (this.#next('}')) return true;
    }
  }

  /**
   * Reads an object with known members, each with a function that reads its value; unknown members are rejected.
   * Returns the values read, or undefined if the value is not an object.
   */
  members(
    known: ReadonlyMap<string, () => unknown>,
    required: readonly string[],
    wanted?: string,
  ): Readonly<Record<string, unknown>> | undefined {
    const begin = this.place();
    const out: Record<string, unknown> = {};
    const ok = this.object((name, place) => {
      const read = known.get(name);
      if (read === undefined) {
        this.report('NET105', `unknown member.${didYouMean(name, known.keys())}`, place);
        this.skip();
      } else out[name] = read();
    }, wanted);
    if (!ok) return undefined;
    for (const name of required)
      if (!Object.hasOwn(out, name)) this.report('NET106', `missing member "${name}"`, begin);
    return out;
  }

  /** True if the object `given` has the members `own` of its kind and none but the `known` ones. */
  fits(kind: string, own: readonly string[], known: ReadonlySet<string>, given: object, at: Place): boolean {
    const missing = own.filter((name) => !Object.hasOwn(given, name));
    const unknown = Object.keys(given).filter((name) => !known.has(name));
    for (const name of missing) this.report('NET106', `missing member "${name}"`, at);
    for (const name of unknown)
      this.report('NET105', `unknown member "${name}" of kind "${kind}".${didYouMean(name, own)}`, at);
    return missing.length + unknown.length === 0;
  }

  /** Skips a value of any type. */
  skip(depth = 1): void {
    if (depth > MAX_DEPTH) this.fatal('NET103', `nested deeper than ${MAX_DEPTH}`);
    switch (this.kind()) {
      case 'an object':
        this.object(() => this.skip(depth + 1));
        break;
      case 'a list':
        this.list(() => this.skip(depth + 1));
        break;
      case 'a string':
        this.#string();
        break;
      case 'a number':
        this.#numeral();
        break;
      case 'a boolean':
        this.boolean();
        break;
      case 'null':
        this.#at += 4;
    }
  }

  /** Position of the last number; valid only until the next read. */
  placeOfNumber(): Place {
    return this.#here(this.#number);
  }

  #here(offset = this.#at): Place {
    const at = { line: this.#line, column: offset - this.#lineStart + 1 };
    return this.#file === undefined ? at : { file: this.#file, ...at };
  }

  /** Requires the end of the text. */
  end(): void {
    this.#space();
    if (this.#at < this.#text.length) this.#unexpected('the end of the text');
  }

  /** Reads the separator after an item; returns whether the list or object ends. */
  #next(close: ']' | '}'): boolean {
    this.#space();
    const c = this.#text[this.#at];
    if (c !== close && c !== ',') this.#unexpected(`"," or "${close}"`);
    this.#at++;
    if (c === close) return true;
    this.#space();
    return false;
  }

  #space(): void {
    const text = this.#text;
    for (;;) {
      const c = text.charCodeAt(this.#at);
      if (c === 0x0a) {
        this.#line++;
        this.#lineStart = this.#at + 1;
      } else if (c !== 0x20 && c !== 0x09 && c !== 0x0d) return;
      this.#at++;
    }
  }

  #string(): string {
    const text = this.#text;
    const begin = this.#at;
    let plain = true;
    let at = begin + 1;
    for (; ; at++) {
      const c = text.charCodeAt(at);
      if (c === 0x22) break;
      if (c === 0x5c) {
        plain = false;
        at++;
      } else if (!(c >= 0x20)) {
        this.#at = Math.min(at, text.length);
        this.#unexpected('the closing quote of a string');
      }
    }
    this.#at = at + 1;
    if (plain) return text.slice(begin + 1, at);
    try {
      return JSON.parse(text.slice(begin, at + 1)) as string;
    } catch {
      this.#at = begin;
      return this.#syntax(`invalid escape in the string ${quote(text.slice(begin + 1, at))}`);
    }
  }

  #numeral(): number {
    const text = this.#text;
    const begin = this.#at;
    this.#number = begin;
    let at = begin;
    let c = text.charCodeAt(at);
    if (c === 0x2d) c = text.charCodeAt(++at);
    const digits = at;
    let value = 0;
    for (; c >= 0x30 && c <= 0x39; c = text.charCodeAt(++at)) value = value * 10 + (c - 0x30);
    if (at === digits || (at > digits + 1 && text.charCodeAt(digits) === 0x30)) {
      this.#at = at === digits ? at : digits + 1;
      this.#unexpected(at === digits ? 'a digit' : 'no digit after a leading zero');
    }
    if (c !== 0x2e && c !== 0x65 && c !== 0x45 && at - digits <= 15) {
      this.#at = at;
      return digits > begin ? -value : value;
    }
    const more = (): void => {
      const first = ++at;
      if (c !== 0x2e && (text[at] === '+' || text[at] === '-')) at++;
      const from = at;
      for (c = text.charCodeAt(at); c >= 0x30 && c <= 0x39; c = text.charCodeAt(++at));
      if (at > from) return;
      this.#at = Math.max(first, at);
      this.#unexpected('a digit');
    };
    if (c === 0x2e) more();
    if (c === 0x65 || c === 0x45) more();
    this.#at = at;
    return Number(text.slice(begin, at));
  }

  #unexpected(wanted: string): never {
    const c = this.#text.codePointAt(this.#at);
    return this.#syntax(
      `expected ${wanted}, got ${c === undefined ? 'the end of the text' : quote(String.fromCodePoint(c))}`,
    );
  }

  #syntax(message: string): never {
    this.problems.push({ code: 'NET101', message: `invalid JSON: ${message}`, place: this.#here() });
    return this.stop();
  }
}

/** A member's name in a path. */
function shown(name: string): string {
  return /^\w{1,60}$/.test(name) ? name : quote(name);
}

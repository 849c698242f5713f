import type { Code } from '../../base/codes.ts';
import { fail, type Place, quote } from '../../base/problem.ts';

/** A cursor over the text of a property; the parser decides which tokens are allowed. */
export class Scanner {
  readonly text: string;
  readonly #place: Place;
  readonly #what: string;
  at = 0;

  /**
   * @param place position of the text; its `file`, if any, replaces line and column in errors
   * @param what noun for the text in errors
   */
  constructor(text: string, place: Place, what = 'property') {
    this.text = text;
    this.#place = place;
    this.#what = what;
    this.#skip();
  }

  get ended(): boolean {
    return this.at >= this.text.length;
  }

  /** Consumes a sign if it comes next. */
  sign(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    this.#skip();
    return true;
  }

  /** Consumes a sign; fails if something else comes next. */
  expect(sign: string, after: string): void {
    if (!this.sign(sign)) this.fail(`expected "${sign}" ${after}, got ${this.next()}`);
  }

  /** Consumes the match of a sticky pattern at this position; `undefined` without a match or for an empty one. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined || found === '') return undefined;
    this.at += found.length;
    this.#skip();
    return found;
  }

  /** The next token, for error messages. */
  next(): string {
    if (this.ended) return 'the end';
    return quote(/^(?:[\w.-]+|"(?:[^"\\]|\\.)*"|.)/su.exec(this.text.slice(this.at, this.at + 200))?.[0] ?? '', 30);
  }

  /** @throws InputError PROP001, or another code, at this position or the given one */
  fail(message: string, code: Code = 'PROP001', at: number = this.at): never {
    return fail(code, message, this.placeOf(at));
  }

  placeOf(at: number): Place {
    const before = this.text.slice(0, at);
    const line = before.split('\n').length;
    const column = at - (before.lastIndexOf('\n') + 1) + 1;
    if (this.#place.file !== undefined) return this.#place;
    return { line, column, part: `${this.#what} ${quote(this.text, 40)}` };
  }

  #skip(): void {
    while (this.at < this.text.length && ' \t\r\n'.includes(this.text[this.at]!)) this.at++;
  }
}

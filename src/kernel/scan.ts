/** Words, numbers and signs with preceding white space and comments. Sticky: matches at `lastIndex` only. */
const TOKEN =
  /(?:\s+|\/\/[^\n]*)*(?:([A-Za-z_$][\w$]*)|(\d[\d.]*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|(>>>=?|<<=|>>=|===|!==|[-+*/%&|^<>=!]=|\+\+|--|&&|\|\||>>|<<|[-+*/%&|^~!<>=?:;,.(){}[\]]))/y;

export const WORD = 1;
export const NUMBER = 2;
export const SIGN = 3;
export const END = 0;

/** Tokens of a source in the kernel language, one at a time. */
export class Scanner {
  readonly text: string;
  /** The current token. */
  kind: number = END;
  token = '';
  /** Number of tokens so far. */
  count = 0;
  /** Functions called and arrays grown so far, in source order; updated by the parser. */
  readonly called: string[] = [];
  readonly grown: string[] = [];
  #at = 0;

  constructor(text: string) {
    this.text = text;
    this.next();
  }

  /** Advances to the next token. */
  next(): void {
    TOKEN.lastIndex = this.#at;
    const m = TOKEN.exec(this.text);
    if (m === null) {
      this.kind = END;
      this.token = '';
      const rest = this.text.slice(this.#at).replace(/\/\/[^\n]*/g, '');
      if (rest.trim() !== '') throw new Error(`kernel text: unexpected ${JSON.stringify(rest.trim().slice(0, 40))}`);
      return;
    }
    this.#at = TOKEN.lastIndex;
    this.count++;
    if (m[1] !== undefined) {
      this.kind = WORD;
      this.token = m[1];
    } else if (m[2] !== undefined) {
      this.kind = NUMBER;
      this.token = m[2];
    } else {
      this.kind = SIGN;
      this.token = m[3]!;
    }
  }

  /** End of the current token. */
  get end(): number {
    return this.#at;
  }

  /** Continues with the token after `end`, the end of a token. */
  skipTo(end: number): void {
    this.#at = end;
    this.next();
  }

  is(token: string): boolean {
    return this.token === token;
  }

  /** Skips the current token if it equals `token`; returns whether it did. */
  accept(token: string): boolean {
    if (this.token !== token) return false;
    this.next();
    return true;
  }

  expect(token: string): void {
    if (!this.accept(token)) this.fail(`"${token}"`);
  }

  word(): string {
    if (this.kind !== WORD) this.fail('a name');
    const { token } = this;
    this.next();
    return token;
  }

  fail(expected: string): never {
    const before = this.text.slice(Math.max(0, this.#at - 80), this.#at);
    throw new Error(`kernel text: expected ${expected} after …${before}`);
  }
}

import type { Branch, TextModel, Valuation } from './long-run.ts';

type Value = number | boolean;
type Term = (state: Valuation) => Value;

/** Words that are no identifiers, from the manual of PRISM. */
const KEYWORDS = new Set(
  (
    'A bool clock const ctmc C double dtmc E endinit endinvariant endmodule endobservables endrewards endsystem false formula ' +
    'filter func F global G init invariant I int label max mdp min module X nondeterministic observable observables of Pmax Pmin ' +
    'P pomdp popta probabilistic prob pta rate rewards Rmax Rmin R S stochastic system true U W'
  ).split(' '),
);

const TOKEN =
  /\s*(?:\/\/[^\n]*\n\s*)*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([A-Za-z_]\w*'?)|("\w+")|(->|\.\.|!=|<=|>=|[^\s]))/y;

/** Reads the part of PRISM's language that describes a chain with one module: integer variables, commands, state rewards. */
export function readPrism(text: string): TextModel {
  return new Reader(text).model();
}

class Reader {
  readonly #tokens: string[] = [];
  readonly #ranges = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text))
      this.#tokens.push(found[1] ?? found[2] ?? found[3] ?? found[4]!);
  }

  model(): TextModel {
    this.#expect('ctmc');
    this.#expect('module');
    this.#identifier();
    const initial: Record<string, number> = {};
    while (this.#tokens[this.#at] !== '[' && this.#tokens[this.#at] !== 'endmodule') {
      const id = this.#identifier();
      if (this.#ranges.has(id)) throw new Error(`duplicate ${id}`);
      for (const sign of [':', '[', '0', '..']) this.#expect(sign);
      const high = Number(this.#next());
      if (!(high >= 1)) throw new Error(`range of ${id}`);
      this.#ranges.set(id, high);
      for (const sign of [']', 'init']) this.#expect(sign);
      initial[id] = Number(this.#next());
      this.#expect(';');
    }
    const commands: ((state: Valuation) => Branch[])[] = [];
    while (this.#accept('[')) commands.push(this.#command());
    this.#expect('endmodule');
    const perSecond: Record<string, (state: Valuation) => number> = {};
    while (this.#accept('rewards')) {
      const [, id] = /^"(\w+)"$/.exec(this.#next())!;
      const items: (readonly [Term, Term])[] = [];
      while (!this.#accept('endrewards')) {
        const guard = this.#term();
        this.#expect(':');
        items.push([guard, this.#term()]);
        this.#expect(';');
      }
      if (items.length === 0 || perSecond[id!] !== undefined) throw new Error(`rewards ${id}`);
      perSecond[id!] = (s) => items.reduce((sum, [guard, value]) => sum + (truth(guard(s)) ? number(value(s)) : 0), 0);
    }
    if (this.#at < this.#tokens.length) throw new Error(`unexpected ${this.#tokens[this.#at]}`);
    return { initial, timed: (s) => commands.flatMap((c) => c(s)), immediate: () => [], perSecond, perStep: {} };
  }

  #command(): (state: Valuation) => Branch[] {
    this.#expect(']');
    const guard = this.#term();
    this.#expect('->');
    const rate = this.#term();
    this.#expect(':');
    const updates: (readonly [string, Term])[] = [];
    if (!this.#accept('true'))
      do {
        this.#expect('(');
        const id = this.#next().slice(0, -1);
        if (!this.#ranges.has(id)) throw new Error(`unknown ${id}`);
        this.#expect('=');
        updates.push([id, this.#term()]);
        this.#expect(')');
      } while (this.#accept('&'));
    this.#expect(';');
    return (s) => {
      if (!truth(guard(s))) return [];
      const changed = updates.map(([id, value]) => {
        const n = number(value(s));
        if (!(Number.isInteger(n) && n >= 0 && n <= this.#ranges.get(id)!)) throw new Error(`${id} becomes ${n}`);
        return [id, n] as const;
      });
      return [{ value: number(rate(s)), to: { ...s, ...Object.fromEntries(changed) }, earns: {} }];
    };
  }

  #term(): Term {
    const test = this.#binary(0);
    if (!this.#accept('?')) return test;
    const yes = this.#term();
    this.#expect(':');
    const no = this.#term();
    return (s) => (truth(test(s)) ? yes(s) : no(s));
  }

  /** Operators by precedence, the weakest first. */
  #binary(level: number): Term {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#factor();
    if (operators === NEGATION) {
      if (!this.#accept('!')) return this.#binary(level + 1);
      const inner = this.#binary(level);
      return (s) => !truth(inner(s));
    }
    let left = this.#binary(level + 1);
    for (let op = operators[this.#tokens[this.#at]!]; op !== undefined; op = operators[this.#tokens[this.#at]!]) {
      this.#at++;
      const [a, b, apply] = [left, this.#binary(level + 1), op];
      left = (s) => apply(a(s), b(s));
    }
    return left;
  }

  #factor(): Term {
    const token = this.#next();
    if (/^\d/.test(token)) {
      if (/^\d+$/.test(token) && Number(token) >= 2 ** 31) throw new Error(`${token} is no integer of PRISM`);
      return () => Number(token);
    }
    if (token === 'true' || token === 'false') return () => token === 'true';
    if (token === '(') {
      const inner = this.#term();
      this.#expect(')');
      return inner;
    }
    if (token === '-') {
      const inner = this.#factor();
      return (s) => -number(inner(s));
    }
    const call = CALLS[token];
    if (call === undefined) {
      if (!this.#ranges.has(token)) throw new Error(`unknown ${token}`);
      return (s) => s[token]!;
    }
    this.#expect('(');
    const args = [this.#term()];
    while (this.#accept(',')) args.push(this.#term());
    this.#expect(')');
    return (s) => call(...args.map((a) => number(a(s))));
  }

  #identifier(): string {
    const id = this.#next();
    if (!/^[A-Za-z_]\w*$/.test(id) || KEYWORDS.has(id)) throw new Error(`${id} is no identifier`);
    return id;
  }

  #accept(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#accept(token)) throw new Error(`expected ${token}, got ${this.#tokens[this.#at]}`);
  }

  #next(): string {
    return this.#tokens[this.#at++]!;
  }
}

export function number(value: unknown): number {
  if (typeof value !== 'number') throw new Error(`${String(value)} is no number`);
  return value;
}

export function truth(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Error(`${String(value)} is no truth value`);
  return value;
}

const NEGATION = {};
const CALLS: Readonly<Record<string, (...args: number[]) => number>> = {
  min: Math.min,
  max: Math.max,
  floor: Math.floor,
  ceil: Math.ceil,
};
const LEVELS: readonly Readonly<Record<string, (a: Value, b: Value) => Value>>[] = [
  { '|': (a, b) => truth(a) || truth(b) },
  { '&': (a, b) => truth(a) && truth(b) },
  NEGATION,
  { '=': (a, b) => number(a) === number(b), '!=': (a, b) => number(a) !== number(b) },
  {
    '<': (a, b) => number(a) < number(b),
    '<=': (a, b) => number(a) <= number(b),
    '>': (a, b) => number(a) > number(b),
    '>=': (a, b) => number(a) >= number(b),
  },
  { '+': (a, b) => number(a) + number(b), '-': (a, b) => number(a) - number(b) },
  { '*': (a, b) => number(a) * number(b), '/': (a, b) => number(a) / number(b) },
];

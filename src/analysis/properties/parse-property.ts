import { didYouMean, knownText, nearestOf, quote } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { type Colours, coloursOf } from './colours.ts';
import {
  type Formula,
  isStateFormula,
  MAX_NESTING,
  NAMED,
  noPaths,
  normalised,
  PATH_OPERATORS,
  type PathOperator,
  type Property,
  type Relation,
  type Sum,
  scaled,
  total,
} from './property.ts';
import { Scanner } from './scanner.ts';

/** A parsed sum or formula and its position; brackets may enclose either. */
type Part = ({ readonly sum: Sum } | { readonly formula: Formula }) & { readonly at: number };

const WORD = /[A-Za-z_][\w.]*/y;
/** Names at positions where only a name is allowed. */
const NAME = /[^\s,()[\]"]+/y;
const QUOTED = /"(?:[^"\\]|\\.)*"/y;
const DIGITS = /\d+/y;
const SHORTCUT =
  /(?:[a-z]+(?:-[a-z]+)+|safe|reversible|live|sound|home|bounds|bounded|mutex|invariant)(?=\s*(?:\(|$))/y;
const RELATIONS: readonly (readonly [string, Relation])[] = [
  ['<=', '<='],
  ['>=', '>='],
  ['!=', '!='],
  ['==', '='],
  ['=', '='],
  ['<', '<'],
  ['>', '>'],
];
const WITH_ARGUMENTS = ['bounded', 'mutex', 'invariant', 'home', 'upper-bound'];
const WORDS = ['true', 'false', 'dead', 'deadlock', 'initial', 'tokens', 'enabled', 'within'];

/**
 * Parses a property from its text form (docs/properties.md). If a net is given, names and colours are checked against it, so
 * that errors in them carry a position. O(length of the text).
 *
 * @param only `formula` if named properties are not allowed; messages then do not propose them
 * @throws InputError PROP001 to PROP007 with line and column in the text
 */
export function parseProperty(text: string, net?: Net, only?: 'formula'): Property {
  return new Parser(text, net, only).property();
}

/** A reward in text form: tokens, 1 where a formula holds, or firings per second. */
export type WrittenReward =
  | { readonly kind: 'sum'; readonly sum: Sum }
  | { readonly kind: 'formula'; readonly formula: Formula }
  | { readonly kind: 'firings'; readonly transitions: readonly string[] };

/**
 * Parses a reward: a sum of tokens as `#queue + 2 * #server`, a formula without path operators as `#cpu > 0`, or
 * `firings(t, u)`. O(length of the text).
 *
 * @param what noun for the text in error messages, as `reward`
 * @throws InputError PROP001 to PROP007 with line and column in the text
 */
export function parseReward(text: string, net: Net, what = 'reward'): WrittenReward {
  return new Parser(text, net, 'formula', what).reward(what);
}

class Parser {
  readonly #scanner: Scanner;
  readonly #colours: Colours | undefined;
  readonly #only: 'formula' | undefined;
  #depth = 0;
  /** Inside the arguments of a named property: a bare name counts the tokens of a place, `p[1]` for those of one colour. */
  #bare = false;

  constructor(text: string, net: Net | undefined, only: 'formula' | undefined, what?: string) {
    this.#only = only;
    this.#scanner = new Scanner(text, {}, what);
    this.#colours = net === undefined ? undefined : coloursOf(net);
  }

  property(): Property {
    const s = this.#scanner;
    if (s.ended) s.fail('the property is empty', 'PROP007');
    const at = s.at;
    const word = s.match(SHORTCUT);
    const property =
      word === undefined ? { kind: 'formula' as const, formula: this.#formula() } : this.#shortcut(word, at);
    if (!s.ended) s.fail(`expected the end of the property, got ${s.next()}`);
    return property;
  }

  reward(what: string): WrittenReward {
    const s = this.#scanner;
    if (s.ended) s.fail(`the ${what} is empty`, 'PROP007');
    const { at } = s;
    const word = s.match(/firings(?=\s*\()/y);
    const reward = word === undefined ? this.#ofMarking(at, what) : this.#ofFirings(word);
    if (!s.ended) s.fail(`expected the end of the ${what}, got ${s.next()}`);
    return reward;
  }

  #ofFirings(word: string): WrittenReward {
    return { kind: 'firings', transitions: this.#inBrackets(word, () => this.#transition()) };
  }

  #ofMarking(at: number, what: string): WrittenReward {
    const part = this.#implies();
    if ('sum' in part) return { kind: 'sum', sum: part.sum };
    if (!isStateFormula(part.formula)) this.#scanner.fail(`a ${what} has no path operators`, 'PROP001', at);
    return { kind: 'formula', formula: part.formula };
  }

  #shortcut(word: string, at: number): Property {
    const s = this.#scanner;
    const known = NAMED.find((name) => name === word);
    if ((known === 'live' || known === 'quasi-live') && s.text[s.at] === '(')
      return { kind: known, transitions: this.#inBrackets(known, () => this.#transition()) };
    if (known !== undefined) return { kind: known };
    if (!WITH_ARGUMENTS.includes(word))
      s.fail(`unknown property ${quote(word)}.${didYouMean(word, [...NAMED, ...WITH_ARGUMENTS])}`, 'PROP001', at);
    s.expect('(', `after ${word}`);
    this.#bare = true;
    const property = this.#arguments(word);
    s.expect(')', `at the end of ${word}`);
    return property;
  }

  #arguments(word: string): Property {
    const s = this.#scanner;
    if (word === 'bounded')
      return { kind: 'bounded', tokens: this.#count('the maximum number of tokens of one colour') };
    if (word === 'mutex') {
      const places = this.#list(() => this.#place());
      if (s.text[s.at] === '[')
        s.fail('mutex counts tokens of all colours: for single colours use invariant(p[1] + q[1] <= 1)');
      if (new Set(places).size < places.length) s.fail('duplicate place');
      return { kind: 'mutex', places };
    }
    if (word === 'upper-bound') return { kind: 'upper-bound', sum: this.#sumOf(this.#implies(), 'upper-bound') };
    const at = s.at;
    const formula = this.#formula();
    const kind = word === 'home' ? 'home' : 'invariant';
    if (!isStateFormula(formula)) s.fail(noPaths(kind), 'PROP001', at);
    return { kind, formula };
  }

  #formula(): Formula {
    return this.#formulaOf(this.#implies(), 'this property');
  }

  #implies(): Part {
    const parts = [this.#or()];
    while (this.#scanner.sign('->')) {
      parts.push(this.#or());
      if (parts.length > MAX_NESTING) this.#scanner.fail(`the formula is nested deeper than ${MAX_NESTING}`, 'PROP005');
    }
    return parts.reduceRight((b, a) => {
      const formula: Formula = { op: 'implies', a: this.#formulaOf(a, '->'), b: this.#formulaOf(b, '->') };
      return { formula, at: a.at };
    });
  }

  #or(): Part {
    return this.#chain('or', ['||', '|'], () => this.#and());
  }

  #and(): Part {
    return this.#chain('and', ['&&', '&'], () => this.#unary());
  }

  #chain(op: 'and' | 'or', signs: readonly string[], operand: () => Part): Part {
    const first = operand();
    const of: Formula[] = [];
    while (signs.some((sign) => this.#scanner.sign(sign))) {
      if (of.length === 0) of.push(this.#formulaOf(first, signs[1]!));
      of.push(this.#formulaOf(operand(), signs[1]!));
    }
    return of.length === 0 ? first : { formula: { op, of }, at: first.at };
  }

  #unary(): Part {
    const s = this.#scanner;
    const at = s.at;
    return this.#nested(() => {
      if (!s.text.startsWith('!=', s.at) && s.sign('!'))
        return { formula: { op: 'not', of: this.#formulaOf(this.#unary(), '!') }, at };
      const op = s.match(/(?:AX|EX|AF|EF|AG|EG)(?![\w.])/y) as PathOperator | undefined;
      if (op !== undefined) return { formula: { op, of: this.#formulaOf(this.#unary(), op) }, at };
      const path = this.#isBarePlace() ? undefined : s.match(/[AE](?=\s*\[)/y);
      if (path === undefined) return this.#comparison();
      s.sign('[');
      const a = this.#formulaOf(this.#implies(), `${path}[ … U … ]`);
      if (s.match(/U(?![\w.])/y) === undefined) s.fail(`expected "U" in ${path}[ … U … ], got ${s.next()}`);
      const b = this.#formulaOf(this.#implies(), `${path}[ … U … ]`);
      s.expect(']', `at the end of ${path}[ … U … ]`);
      return { formula: { op: path === 'A' ? 'AU' : 'EU', a, b }, at };
    });
  }

  #comparison(): Part {
    const s = this.#scanner;
    const left = this.#additive();
    const relation = RELATIONS.find(([sign]) => s.sign(sign));
    if (relation === undefined) return left;
    const [sign, known] = relation;
    const right = this.#additive();
    if (RELATIONS.some(([another]) => s.text.startsWith(another, s.at)))
      s.fail(`comparisons cannot be chained: join two with "&"`);
    return {
      formula: {
        op: 'compare',
        relation: known,
        left: this.#sumOf(left, sign),
        right: this.#sumOf(right, sign),
      },
      at: left.at,
    };
  }

  #additive(): Part {
    const s = this.#scanner;
    const at = s.at;
    const negative = s.sign('-');
    const first = this.#product();
    const sums: Sum[] = [];
    const add = (part: Part, sign: '+' | '-'): void => {
      const sum = this.#sumOf(part, sign);
      sums.push(sign === '+' ? sum : this.#counted(() => scaled(-1, sum)));
    };
    if (negative) add(first, '-');
    for (;;) {
      const minus = !s.text.startsWith('->', s.at) && s.sign('-');
      if (!minus && !s.sign('+')) break;
      if (sums.length === 0) add(first, '+');
      add(this.#product(), minus ? '-' : '+');
    }
    return sums.length === 0 ? first : { sum: this.#counted(() => total(sums)), at };
  }

  #product(): Part {
    const s = this.#scanner;
    let part = this.#primary();
    while (s.sign('*')) {
      const a = this.#sumOf(part, '*');
      const b = this.#sumOf(this.#primary(), '*');
      if (a.terms.length > 0 && b.terms.length > 0) s.fail('sums are linear: one factor must be a number');
      const [k, sum] = a.terms.length === 0 ? [a.constant, b] : [b.constant, a];
      part = { sum: this.#counted(() => scaled(k, sum)), at: part.at };
    }
    return part;
  }

  #primary(): Part {
    const s = this.#scanner;
    const at = s.at;
    if (s.sign('('))
      return this.#nested(() => {
        const { at: _, ...inner } = this.#implies();
        s.expect(')', 'at the end of the parentheses');
        return { ...inner, at };
      });
    const digits = s.match(DIGITS);
    if (digits !== undefined) return { sum: this.#counted(() => normalised([], Number(digits)), at), at };
    if (s.sign('#')) return { sum: this.#tokensOf(this.#term(WORD)), at };
    if (this.#bare && s.text[s.at] === '"') return { sum: this.#tokensOf(this.#term()), at };
    const word = s.match(WORD);
    if (word === undefined) return s.fail(`expected a formula or a sum, got ${s.next()}`);
    const alone = this.#only === undefined && at === 0 && s.ended;
    switch (word) {
      case 'true':
      case 'false':
      case 'dead':
      case 'deadlock':
      case 'initial':
        return { formula: { op: word }, at };
      case 'tokens': {
        const terms = this.#inBrackets(word, () => this.#term());
        if (s.text[s.at] === '[') s.fail('a colour follows its place inside the parentheses: tokens(p[1])');
        return { sum: this.#counted(() => normalised(terms, 0), at), at };
      }
      case 'enabled':
        return { formula: { op: word, transitions: this.#inBrackets(word, () => this.#transition()) }, at };
      case 'within': {
        s.expect('(', `after ${word}`);
        const tokens = this.#count('the maximum number of tokens of one colour');
        s.expect(')', `at the end of ${word}`);
        return { formula: { op: word, tokens }, at };
      }
    }
    if (this.#bare) {
      s.at = at;
      return { sum: this.#tokensOf(this.#term(WORD)), at };
    }
    if ([...NAMED, ...WITH_ARGUMENTS].includes(word))
      s.fail(`${quote(word)} is a whole property and cannot be part of a formula`, 'PROP001', at);
    return s.fail(this.#unknown(word, alone), 'PROP001', at);
  }

  /**
   * The message for an unknown word. Two-letter operators are similar to every short name, so they are proposed only if the
   * word differs in case alone.
   *
   * @param alone true if the word is the whole property; the names of properties are then proposed too
   */
  #unknown(word: string, alone: boolean): string {
    const { places, transitions } = this.#colours ?? {};
    if (places?.has(word)) return `${quote(word)} is a place: write tokens(${word}) for its tokens`;
    if (transitions?.has(word)) return `${quote(word)} is a transition: write enabled(${word})`;
    const operators = PATH_OPERATORS.filter((op) => op === word.toUpperCase());
    const known = [...operators, ...(places?.keys() ?? []), ...WORDS, ...NAMED, ...WITH_ARGUMENTS];
    const tokens = 'Write tokens(p) for the tokens of a place.';
    if (!alone) return `unknown word ${quote(word)}.${didYouMean(word, known)} ${tokens}`;
    const names = [...NAMED, ...WITH_ARGUMENTS];
    const meant = [...new Set([nearestOf(word, known), nearestOf(word, names, true)])].flatMap((n) => n ?? []);
    const proposed = meant.length === 0 ? '' : ` Did you mean ${meant.map((n) => quote(n)).join(' or ')}?`;
    return `unknown word ${quote(word)}.${proposed}${knownText(known)} ${tokens} Properties: ${names.join(', ')}.`;
  }

  /** True if `A[` or `E[` counts the tokens of one colour of a place with that name instead of starting a path operator. */
  #isBarePlace(): boolean {
    return this.#bare && this.#colours?.places.has(this.#scanner.text[this.#scanner.at]!) === true;
  }

  #term(pattern: RegExp = NAME): Sum['terms'][number] {
    const s = this.#scanner;
    const at = s.at;
    const place = this.#place(pattern);
    if (!s.sign('[')) return { factor: 1, place };
    const colour = this.#list(() => this.#value());
    s.expect(']', 'at the end of the colour');
    const message = this.#colours?.problem(place, colour);
    if (message !== undefined) s.fail(message, 'PROP004', at);
    return { factor: 1, place, colour };
  }

  #value(): number | string {
    const digits = this.#scanner.match(/-?\d+(?=\s*[\],])/y);
    if (digits !== undefined) return Number(digits);
    return this.#name('a value of the colour');
  }

  #place(pattern: RegExp = NAME): string {
    const { at } = this.#scanner;
    const place = this.#name('the name of a place', pattern);
    const message = this.#colours?.unknownPlace(place);
    return message === undefined ? place : this.#scanner.fail(message, 'PROP002', at);
  }

  #transition(): string {
    const { at } = this.#scanner;
    const transition = this.#name('the name of a transition');
    const message = this.#colours?.unknownTransition(transition);
    return message === undefined ? transition : this.#scanner.fail(message, 'PROP003', at);
  }

  #name(what: string, pattern: RegExp = NAME): string {
    const s = this.#scanner;
    const at = s.at;
    const quoted = s.match(QUOTED);
    if (quoted === undefined) return s.match(pattern) ?? s.fail(`expected ${what}, got ${s.next()}`);
    try {
      return JSON.parse(quoted) as string;
    } catch {
      return s.fail(`expected a name as a JSON string, got ${quote(quoted)}`, 'PROP001', at);
    }
  }

  #count(what: string): number {
    const s = this.#scanner;
    const at = s.at;
    const digits = s.match(DIGITS);
    if (digits === undefined) return s.fail(`expected a number, ${what}, got ${s.next()}`);
    return this.#counted(() => normalised([], Number(digits)), at).constant;
  }

  #inBrackets<T>(word: string, read: () => T): T[] {
    this.#scanner.expect('(', `after ${word}`);
    const all = this.#list(read);
    this.#scanner.expect(')', `at the end of ${word}`);
    return all;
  }

  #list<T>(read: () => T): T[] {
    const all = [read()];
    while (this.#scanner.sign(',')) all.push(read());
    return all;
  }

  #tokensOf(term: Sum['terms'][number]): Sum {
    return normalised([term], 0);
  }

  #sumOf(part: Part, by: string): Sum {
    if ('sum' in part) return part.sum;
    return this.#scanner.fail(`${quote(by)} expects a sum of tokens, got a formula`, 'PROP001', part.at);
  }

  #formulaOf(part: Part, by: string): Formula {
    if ('formula' in part) return part.formula;
    const message = `${by === 'this property' ? by : quote(by)} expects a formula, got a sum: compare it, as in tokens(p) <= 1`;
    return this.#scanner.fail(message, 'PROP001', part.at);
  }

  /** Runs `make` and reports numbers out of range with their position. */
  #counted(make: () => Sum, at: number = this.#scanner.at): Sum {
    try {
      return make();
    } catch (e) {
      return this.#scanner.fail((e as Error).message.replace(/^\S+ property: /, ''), 'PROP006', at);
    }
  }

  #nested(read: () => Part): Part {
    if (++this.#depth > MAX_NESTING) this.#scanner.fail(`the formula is nested deeper than ${MAX_NESTING}`, 'PROP005');
    const part = read();
    this.#depth--;
    return part;
  }
}

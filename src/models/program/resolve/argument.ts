import { InputError, type Place } from '../../../base/problem.ts';
import { thrown } from '../../../base/thrown.ts';
import type { NetBuilder, NumberTable, TransitionBuilder } from '../../../net/builder/builder.ts';
import type { ScalarSet } from '../../../net/colour.ts';
import { HostFunction } from '../../../net/functions/pure.ts';
import { domainOf, type ReadTree, type Restriction, readTree } from '../../../net/functions/read-tree.ts';
import { add, constant, floor, mul, sub, type Term } from '../../../net/terms.ts';
import type { Site } from '../../site.ts';
import { answerOf, type Closure, type Numbers, RANK, type Surroundings } from './state.ts';

/** Table entry for an invalid argument: a rank that uses it enters a fault. */
export const INVALID: number = -(2 ** 30);

/** Checks a value: returns the number that represents it, or a message why it is invalid. */
export type Rule = (value: unknown, state: Numbers) => number | string;

/** Terms of a rank's token by name: the rank and its variables. */
export type StateTerms = Readonly<Record<string, Term<number>>>;

/** Context of a program's arguments. */
export interface ArgumentContext {
  readonly net: NetBuilder;
  readonly surroundings: Surroundings;
  /** Possible values of the rank and the variables. */
  readonly sets: Readonly<Record<string, ScalarSet>>;
  /** Maximum number of entries of a table. */
  readonly limit: number;
}

/**
 * An argument of a statement: a value, or a function of a rank's state. A function becomes a table over the variables
 * it reads (rule S6). If the table would be too large, the net calls the function.
 *
 * Ranks that never reach the statement need no valid value.
 */
export class Argument {
  readonly #context: ArgumentContext;
  readonly #value: unknown;
  readonly #rule: Rule;
  readonly #ranks: (rank: number) => boolean;
  readonly #site: Site;
  readonly #what: string;
  readonly #integer: boolean;
  readonly #names: readonly string[];
  #tree: ReadTree | undefined;
  #relevant: readonly string[] = [];
  #table: NumberTable | undefined;
  /** Values of `#table`. */
  #entries: Int32Array | Float64Array | undefined;
  #constant: number | undefined;
  #numbers: ReadonlySet<number> | undefined;
  #failed = false;
  /**
   * By rank: its position among the children of the read tree's rank node; undefined if every rank has its own child.
   */
  #childOf: Int32Array | undefined;

  /**
   * @param what name in messages: `bytes of a send`
   * @param name name of the table
   * @param ranks which ranks of the world can reach the statement
   * @throws InputError MODEL020 for a plain value that breaks the rule; NET05x for forbidden operations of functions
   */
  constructor(
    context: ArgumentContext,
    given: {
      readonly value: unknown;
      readonly rule: Rule;
      readonly what: string;
      readonly name: string;
      readonly site: Site;
      readonly ranks: (rank: number) => boolean;
      /** True if its numbers are integers. Default true. */
      readonly integer?: boolean;
      /**
       * Ranks that can reach the statement, ascending: the function is evaluated for these only. Default: all ranks.
       */
      readonly only?: Int32Array | undefined;
    },
  ) {
    this.#context = context;
    this.#value = given.value;
    this.#rule = given.rule;
    this.#ranks = given.ranks;
    this.#site = given.site;
    this.#what = given.what;
    this.#names = Object.keys(context.sets);
    this.#integer = given.integer ?? true;
    this.#settle(given.name, given.only);
  }

  /** True if some rank can reach the statement with an invalid argument. */
  get mayFail(): boolean {
    return this.#failed || this.called;
  }

  /** True if the net calls the function at run time. */
  get called(): boolean {
    return this.#constant === undefined && this.#tree === undefined;
  }

  /** Its number if it is the same in all states; otherwise undefined. */
  get constant(): number | undefined {
    return this.#constant;
  }

  /** Names of the state variables it depends on. */
  get reads(): readonly string[] {
    return this.called ? this.#names : this.#relevant;
  }

  /** Its number in a state; `INVALID` if the argument is invalid there. */
  numberAt(state: Numbers): number {
    if (this.#constant !== undefined) return this.#constant;
    return typeof this.#value === 'function' ? this.#checked(state) : (this.#constant ?? INVALID);
  }

  /** Number of leading variables, including the rank, that {@link in} needs. */
  get depth(): number {
    return this.reads.reduce((max, name) => Math.max(max, this.#names.indexOf(name) + 1), 0);
  }

  /**
   * Like {@link numberAt}, for a reachable state given by the first {@link depth} values of a token. O(1) unless the
   * net calls the function.
   */
  in(values: (variable: number) => number): number {
    if (this.#constant !== undefined) return this.#constant;
    if (this.#entries === undefined)
      return this.#checked(Object.fromEntries(this.#names.map((name, k) => [name, values(k)])));
    let index = 0;
    for (const name of this.#relevant) {
      const { low, size } = this.#domain(name);
      index = index * size + values(this.#names.indexOf(name)) - low;
    }
    return this.#entries[index]!;
  }

  /**
   * As {@link in}, where each state must have a number.
   *
   * @throws InputError MODEL020
   */
  requiredIn(values: (variable: number) => number): number {
    const number = this.in(values);
    if (number !== INVALID) return number;
    const state = Object.fromEntries(this.#names.slice(0, this.depth).map((name, k) => [name, values(k)]));
    const message = this.problemAt(state) ?? `${this.#what}: got different values in one state`;
    throw new InputError([{ code: 'MODEL020', message, place: this.#site.place }]);
  }

  /** All possible numbers, including `INVALID` if some rank may fail; undefined if the net calls the function. */
  get numbers(): ReadonlySet<number> | undefined {
    this.#numbers ??= this.#allNumbers();
    return this.#numbers;
  }

  #allNumbers(): ReadonlySet<number> | undefined {
    if (this.#constant !== undefined) return new Set([this.#constant]);
    if (this.#tree === undefined) return undefined;
    const all = new Set<number>();
    const seen = new Set<ReadTree>([this.#tree]);
    for (const t of seen)
      if (t.kind === 'leaf') all.add(Number(t.value));
      else for (const child of t.children) seen.add(child);
    return all;
  }

  /** The term of the argument in a transition that binds the state. */
  term(t: TransitionBuilder, state: StateTerms): Term<number> {
    if (this.#constant !== undefined) return constant(this.#constant);
    if (this.#table === undefined) {
      const called = t.fn(state, (s) => this.#checked(s as Numbers)) as Term<number>;
      return this.#integer ? floor(called) : called;
    }
    let stride = 1;
    let index: Term<number> | undefined;
    let offset = 0;
    for (const name of [...this.#relevant].reverse()) {
      const { low, size } = this.#domain(name);
      const part = stride === 1 ? state[name]! : mul(state[name]!, stride);
      index = index === undefined ? part : add(part, index);
      offset += low * stride;
      stride *= size;
    }
    return this.#table.at(offset === 0 ? index! : sub(index!, offset));
  }

  /** Message that says why the argument is invalid in a state; undefined if it is valid. */
  problemAt(state: Numbers): string | undefined {
    const { surroundings } = this.#context;
    if (typeof this.#value !== 'function') return this.#problem(this.#value, state);
    const answer = answerOf(this.#value as Closure, surroundings, state);
    if ('thrown' in answer) return `${this.#what}: throws ${thrown(answer.thrown).message}`;
    return this.#problem(answer.value, state);
  }

  get place(): Place {
    return this.#site.place;
  }

  #problem(value: unknown, state: Numbers): string | undefined {
    const verdict = this.#rule(value, state);
    return typeof verdict === 'string' ? `${this.#what}: ${verdict}` : undefined;
  }

  #domain(name: string): { low: number; size: number } {
    return domainOf({ name, term: { op: 'var', name }, set: this.#context.sets[name] });
  }

  /** The number of the argument in a state; records the function's reads. */
  #checked(state: Numbers): number {
    const answer = answerOf(this.#value as Closure, this.#context.surroundings, state);
    const verdict = 'thrown' in answer ? '' : this.#rule(answer.value, state);
    if (typeof verdict === 'number') return verdict;
    // Ranks that cannot reach the statement need no valid value. The rank is read in this case only, so that a valid
    // argument does not depend on it.
    if (!this.#ranks(state[RANK]!)) return 0;
    this.#failed = true;
    return INVALID;
  }

  #settle(name: string, only: Int32Array | undefined): void {
    if (typeof this.#value !== 'function') {
      const verdict = this.#rule(this.#value, {});
      if (typeof verdict === 'string')
        throw new InputError([{ code: 'MODEL020', message: `${this.#what}: ${verdict}`, place: this.#site.place }]);
      this.#constant = verdict;
      return;
    }
    const { net, sets, limit } = this.#context;
    const variables = this.#names.map((v) => ({ name: v, term: { op: 'var', name: v } as const, set: sets[v] }));
    const shape = Object.fromEntries(this.#names.map((v, k) => [v, k]));
    const host = new HostFunction(this.#what, variables, shape, (s: never) => this.#checked(s as Numbers));
    try {
      const restriction = this.#restriction(only);
      this.#tree = host.evaluating(() => readTree(host, limit, restriction));
    } catch (e) {
      throw placed(e, this.#site.place);
    }
    if (this.#tree === undefined) return;
    if (this.#tree.kind === 'leaf') {
      if (!this.#failed) this.#constant = Number(this.#tree.value);
      else this.#tabulate(net, name, [RANK]);
      return;
    }
    const relevant = relevantTo(this.#tree);
    const names = this.#names.filter((_, k) => relevant.has(k));
    const entries = names.reduce((n, v) => n * this.#domain(v).size, 1);
    if (names.length === 0) this.#constant = leafOf(this.#tree);
    else if (entries > limit) this.#tree = undefined;
    else this.#tabulate(net, name, names);
  }

  /** Restricts evaluation to `ranks`, unless it is empty or has all ranks. */
  #restriction(ranks: Int32Array | undefined): Restriction | undefined {
    const { low, size } = this.#domain(RANK);
    if (ranks === undefined || ranks.length === 0 || ranks.length === size) return undefined;
    this.#childOf = new Int32Array(size);
    ranks.forEach((rank, child) => {
      this.#childOf![rank - low] = child;
    });
    return { variable: this.#names.indexOf(RANK), values: ranks };
  }

  /** Writes the tree as a table over the relevant variables, the first one most significant. */
  #tabulate(net: NetBuilder, name: string, names: readonly string[]): void {
    this.#relevant = names;
    const numbers: number[] = [];
    const chosen = new Map<number, number>();
    const go = (depth: number): void => {
      if (depth === names.length) {
        let at = this.#tree!;
        while (at.kind === 'node') at = at.children[chosen.get(at.variable) ?? 0]!;
        numbers.push(Number(at.value));
        return;
      }
      const { size } = this.#domain(names[depth]!);
      const variable = this.#names.indexOf(names[depth]!);
      const childOf = names[depth] === RANK ? this.#childOf : undefined;
      for (let k = 0; k < size; k++) {
        chosen.set(variable, childOf === undefined ? k : childOf[k]!);
        go(depth + 1);
      }
    };
    go(0);
    if (numbers.every((n) => n === (n | 0))) {
      this.#entries = Int32Array.from(numbers);
      this.#table = net.intTable(name, this.#entries);
    } else {
      this.#entries = Float64Array.from(numbers);
      this.#table = net.realTable(name, this.#entries);
    }
  }
}

/** Positions of the variables that the tree's result depends on. */
function relevantTo(root: ReadTree): Set<number> {
  const relevant = new Set<number>();
  const seen = new Set<ReadTree>([root]);
  for (const t of seen) {
    if (t.kind === 'leaf') continue;
    const children = new Set(t.children);
    if (children.size > 1) relevant.add(t.variable);
    for (const child of children) seen.add(child);
  }
  return relevant;
}

function leafOf(tree: ReadTree): number {
  let at = tree;
  while (at.kind === 'node') at = at.children[0]!;
  return Number(at.value);
}

/** The same error with a place in the model. */
export function placed(e: unknown, place: Place): unknown {
  if (!(e instanceof InputError)) return e;
  return new InputError(e.problems.map((p) => ({ ...p, place: { ...place, ...p.place } })));
}

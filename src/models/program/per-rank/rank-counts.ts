import type { Recorded } from '../record/recorder.ts';
import { type Block, blocksOf, type Statement } from '../record/statement.ts';
import { numberOf } from '../record/variables.ts';
import { answerOf, type Closure, RANK } from '../resolve/state.ts';
import {
  addCounts,
  type Counts,
  count,
  ONCE,
  peerOf,
  scaled,
  type Turns,
  tagOf,
  ZERO_TIMES,
} from './execution-counts.ts';

/** Result of a function that reads an unknown variable. */
const UNKNOWN: unique symbol = Symbol('not known');
/** Value by variable; a variable that is absent is unknown. */
type Known = Map<string, number>;

const ANY_NUMBER: Turns = { least: 0, most: Number.POSITIVE_INFINITY };

/**
 * Execution counts of a rank's statements and their variants in a complete run, by constant propagation. Received
 * values, test results and random choices are unknown; statements that depend on them get a minimum and a maximum
 * count.
 *
 * A loop whose iterations do not differ is analysed once, whatever its count. A loop whose variable determines a peer,
 * a tag or a branch is analysed iteration by iteration until `effort` is used up, then as if its variable were unknown.
 * O(min(iterations, effort)).
 */
export class RankCounts {
  readonly counts: Counts = new Map();
  readonly #program: Recorded;
  readonly #rank: number;
  #effort: number;
  /** True if an unknown value was read. */
  #asked = false;
  /** Variables that were assigned. */
  #assigned = new Set<string>();

  constructor(program: Recorded, rank: number, effort: number) {
    this.#program = program;
    this.#rank = rank;
    this.#effort = effort;
    const known: Known = new Map();
    for (const [name, v] of Object.entries(program.variables))
      known.set(name, v.kind === 'range' ? v.low! : Math.max(0, v.low ?? 0));
    this.#block(program.body, ONCE, known, this.counts);
  }

  #block({ statements }: Block, times: Turns, known: Known, counts: Counts): void {
    if (times.most === 0) return;
    for (const s of statements) {
      this.#effort--;
      count(counts, s, times);
      this.#statement(s, times, known, counts);
    }
  }

  #statement(s: Statement, times: Turns, known: Known, counts: Counts): void {
    switch (s.kind) {
      case 'send':
      case 'recv': {
        const peer = this.#value(s.kind === 'send' ? s.to : s.from, known);
        const tag = this.#value(s.tag, known);
        const far = peer === UNKNOWN ? undefined : peerOf(peer, s.comm, this.#rank);
        count(counts, s, times, { peer: far, tag: far === null ? undefined : tagOf(tag) });
        if (s.kind === 'recv') this.#forget(known, [s.into.source, s.into.tag, ...s.into.carry]);
        break;
      }
      case 'wait':
        this.#forget(known, [s.into.source, s.into.tag, ...s.into.carry]);
        break;
      case 'waitAny':
        this.#forget(known, [s.index, s.into.source, s.into.tag, ...s.into.carry]);
        break;
      case 'test':
        this.#forget(known, [s.done, s.index, s.into.source, s.into.tag, ...s.into.carry]);
        break;
      case 'probe':
        this.#forget(known, [s.done, s.into.source, s.into.tag]);
        break;
      case 'take':
        this.#forget(known, [s.count]);
        break;
      case 'let': {
        const value = this.#value(s.value, known);
        const number = value === UNKNOWN ? undefined : numberOf(this.#program.variables[s.variable]!, value);
        this.#assign(known, s.variable, number);
        break;
      }
      case 'when': {
        const test = this.#value(s.test, known);
        this.#choose(s, test === UNKNOWN ? undefined : test === true, times, known, counts);
        break;
      }
      case 'chance': {
        const p = this.#value(s.probability, known);
        this.#choose(s, p === 0 || p === 1 ? p === 1 : undefined, times, known, counts);
        break;
      }
      case 'loop':
        this.#loop(s, times, known, counts);
        break;
      case 'while':
        this.#while(s, times, known, counts);
        break;
      case 'repeat':
        this.#repeat(s, times, known, counts);
        break;
      case 'interval':
        this.#block(s.body, times, known, counts);
        break;
      default:
    }
  }

  /** Follows one branch, or both if the answer is unknown. */
  #choose(
    s: Extract<Statement, { kind: 'when' | 'chance' }>,
    answer: boolean | undefined,
    times: Turns,
    known: Known,
    counts: Counts,
  ): void {
    const perhaps = { least: 0, most: times.most };
    const [yes, no] = answer === undefined ? [perhaps, perhaps] : answer ? [times, ZERO_TIMES] : [ZERO_TIMES, times];
    count(counts, s, yes, { branch: 'then' });
    count(counts, s, no, { branch: 'else' });
    const other = new Map(known);
    this.#block(s.holds, yes, known, counts);
    this.#block(s.otherwise, no, other, counts);
    if (answer === undefined) {
      for (const [name, value] of known) if (other.get(name) !== value) known.delete(name);
    } else if (!answer) {
      known.clear();
      for (const [name, value] of other) known.set(name, value);
    }
  }

  #loop(s: Extract<Statement, { kind: 'loop' }>, times: Turns, known: Known, counts: Counts): void {
    const set = (value: number): void => this.#assign(known, s.variable, value);
    const total = this.#count(s, known);
    count(counts, s, times, { branch: 'done' });
    if (total === undefined) {
      this.#anyTurns(s, scaled(times, ANY_NUMBER), known, counts);
      return;
    }
    if (total === 0) {
      set(0);
      return;
    }
    for (let iteration = 0; ; iteration++) {
      if (this.#sameTurns(s, total, iteration, scaled(times, exactly(total - iteration)), known, counts)) return;
      set(iteration);
      count(counts, s, times, { branch: 'turn' });
      this.#block(s.body, times, known, counts);
      const now = this.#count(s, known);
      // The count is now unknown, and so is the number of remaining iterations.
      if (now === undefined) {
        this.#anyTurns(s, scaled(times, ANY_NUMBER), known, counts);
        return;
      }
      set(iteration + 1);
      if (iteration + 1 >= now) return;
      if (now !== total) {
        this.#otherCount(s, iteration + 1, times, known, counts);
        return;
      }
    }
  }

  /** The rest of a loop whose count changes during the loop: iteration by iteration. */
  #otherCount(s: Extract<Statement, { kind: 'loop' }>, from: number, times: Turns, known: Known, counts: Counts): void {
    for (let iteration = from; ; iteration++) {
      this.#assign(known, s.variable, iteration);
      count(counts, s, times, { branch: 'turn' });
      this.#block(s.body, times, known, counts);
      const now = this.#count(s, known);
      if (now === undefined || this.#effort <= 0) {
        this.#anyTurns(s, scaled(times, ANY_NUMBER), known, counts);
        return;
      }
      this.#assign(known, s.variable, iteration + 1);
      if (iteration + 1 >= now) return;
    }
  }

  /**
   * Analyses all iterations from this one at once, if none reads values that another may have changed. Returns false if
   * one does and effort is left to analyse them one by one.
   */
  #sameTurns(
    s: Extract<Statement, { kind: 'loop' }>,
    total: number,
    iteration: number,
    times: Turns,
    known: Known,
    counts: Counts,
  ): boolean {
    // Once iterations are known to differ, the rest is analysed together only after the effort is used up.
    if (iteration > 0 && this.#effort > 0) return false;
    const before = { asked: this.#asked, assigned: this.#assigned };
    this.#asked = false;
    this.#assigned = new Set();
    const after = new Map(known);
    for (const name of changedIn(s)) after.delete(name);
    const scratch: Counts = new Map();
    count(scratch, s, times, { branch: 'turn' });
    this.#block(s.body, times, after, scratch);
    const now = this.#count(s, after);
    const same = !this.#asked && now === total;
    const assigned = this.#assigned;
    this.#asked = before.asked;
    this.#assigned = before.assigned;
    if (!same && this.#effort > 0) return false;
    if (!same && now !== total)
      this.#anyTurns(s, { least: 0, most: times.most === 0 ? 0 : Number.POSITIVE_INFINITY }, known, counts);
    else {
      addCounts(counts, scratch);
      // Variables that no iteration assigns keep their values.
      for (const name of changedIn(s)) {
        const value = known.get(name);
        if (assigned.has(name)) this.#assigned.add(name);
        else if (value !== undefined) after.set(name, value);
      }
      known.clear();
      for (const [name, value] of after) known.set(name, value);
    }
    this.#assign(known, s.variable, now === total ? total : undefined);
    return true;
  }

  #while(s: Extract<Statement, { kind: 'while' }>, times: Turns, known: Known, counts: Counts): void {
    count(counts, s, times, { branch: 'done' });
    for (;;) {
      const test = this.#value(s.test, known);
      if (test === false) return;
      if (test !== true || this.#effort <= 0) break;
      // An empty body would not use up any effort.
      this.#effort--;
      count(counts, s, times, { branch: 'turn' });
      this.#block(s.body, times, known, counts);
    }
    this.#anyTurns(s, scaled(times, ANY_NUMBER), known, counts);
  }

  #repeat(s: Extract<Statement, { kind: 'repeat' }>, times: Turns, known: Known, counts: Counts): void {
    count(counts, s, times, { branch: 'done' });
    if (this.#value(s.probability, known) === 0) {
      count(counts, s, times, { branch: 'turn' });
      this.#block(s.body, times, known, counts);
      return;
    }
    this.#anyTurns(s, { least: times.least, most: times.most === 0 ? 0 : Number.POSITIVE_INFINITY }, known, counts);
  }

  /** Iterations in unknown number. */
  #anyTurns(
    s: Extract<Statement, { kind: 'loop' | 'while' | 'repeat' }>,
    times: Turns,
    known: Known,
    counts: Counts,
  ): void {
    this.#forget(known, changedIn(s));
    count(counts, s, times, { branch: 'turn' });
    this.#block(s.body, times, known, counts);
    this.#forget(known, changedIn(s));
  }

  #assign(known: Known, variable: string | undefined, value: number | undefined): void {
    if (variable === undefined) return;
    this.#assigned.add(variable);
    if (value === undefined) known.delete(variable);
    else known.set(variable, value);
  }

  #forget(known: Known, names: Iterable<string | undefined>): void {
    for (const name of names) this.#assign(known, name, undefined);
  }

  #count(s: Extract<Statement, { kind: 'loop' }>, known: Known): number | undefined {
    const value = this.#value(s.count, known);
    return typeof value === 'number' ? value : undefined;
  }

  /** The value of an argument, or `UNKNOWN`. */
  #value(argument: unknown, known: Known): unknown {
    if (typeof argument !== 'function') return argument;
    const { size, params, variables, first } = this.#program;
    let missing = false;
    const numbers = new Proxy({} as Readonly<Record<string, number>>, {
      get: (_, name) => {
        if (name === RANK) return this.#rank;
        if (typeof name !== 'string' || !Object.hasOwn(variables, name)) return undefined;
        const value = known.get(name);
        if (value !== undefined) return value;
        missing = true;
        throw UNKNOWN;
      },
    });
    const answer = answerOf(argument as Closure, { size, params, variables, first }, numbers);
    if (missing) this.#asked = true;
    return missing || 'thrown' in answer ? UNKNOWN : answer.value;
  }
}

const exactly = (n: number): Turns => ({ least: n, most: n });

const changed = new WeakMap<Statement, ReadonlySet<string>>();

/** Variables that a loop counts with or that statements in it assign. */
function changedIn(loop: Statement): ReadonlySet<string> {
  const known = changed.get(loop);
  if (known !== undefined) return known;
  const found = new Set<string>();
  const add = (...names: (string | undefined)[]): void => {
    for (const name of names) if (name !== undefined) found.add(name);
  };
  const visit = (s: Statement): void => {
    if (s.kind === 'let' || s.kind === 'loop') add(s.variable);
    if ('into' in s) add(s.into.source, s.into.tag, ...s.into.carry);
    if (s.kind === 'waitAny') add(s.index);
    if (s.kind === 'take') add(s.count);
    if (s.kind === 'test') add(s.index);
    if (s.kind === 'test' || s.kind === 'probe') add(s.done);
    for (const { statements } of blocksOf(s)) for (const inner of statements) visit(inner);
  };
  visit(loop);
  changed.set(loop, found);
  return found;
}

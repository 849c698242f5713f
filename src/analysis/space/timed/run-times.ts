import FlatQueue from 'flatqueue';
import type { Net } from '../../../net/net.ts';
import { assertValid } from '../../../net/validation/validate.ts';
import type { FinalMarkings } from '../degrees.ts';
import type { Step, Truncation } from '../state-space.ts';
import { GridChanged, TimeGrid } from './time-grid.ts';
import { DelaysDepend, MemoryExhausted, TimedStates } from './timed-states.ts';
import { whyNotConstant } from './timing.ts';

/** A step of an order, and when it happens. */
export interface TimedStep extends Step {
  readonly seconds: number;
}

/** A run time, and an order of steps that has it. */
export interface OrderOfSteps {
  readonly seconds: number;
  readonly steps: readonly TimedStep[];
}

/** The run times of a net over all orders of its steps. */
export interface RunTimes {
  /** True if all timed states were examined. */
  readonly complete: boolean;
  /** Number of timed states found. */
  readonly states: number;
  readonly shortest?: OrderOfSteps;
  readonly longest?: OrderOfSteps;
  /** Number of timed states, among those examined, in which a run stops without a final marking. Such runs have no run time. */
  readonly deadlocks: number;
  /** Why a run time is not known. */
  readonly because?: string;
  /** The limit that ended the search. */
  readonly truncation?: Truncation;
}

/** Options of {@link runTimes}. */
export interface RunTimeOptions {
  /** The dead markings in which runs may end. Default: all. */
  readonly final?: FinalMarkings;
  /** Maximum number of timed states, default 10⁶. */
  readonly maxStates?: number;
  /** False: also follows orders of steps at one instant that differ in nothing. Default true. */
  readonly reduced?: boolean;
  /** Polled regularly; a reason ends the search. */
  readonly exceeded?: () => Truncation | undefined;
}

const MAX_STATES = 1e6;
const CHECK_EVERY = 256;

const LIMITS: Readonly<Record<Truncation, string>> = {
  states: 'the limit of timed states was reached',
  memory: 'the memory limit was reached',
  time: 'the time limit was reached',
  interrupted: 'it was interrupted',
};

/**
 * The shortest and the longest run time of a net with constant delays over all orders: all resolutions of the choices that
 * runs make by order or by weight. Each timed state is examined once, at the shortest time to it, so that the first final
 * one has the shortest run time; the longest one is that of a longest path. O(timed states × steps).
 *
 * @throws InputError for an invalid net (NET…), or if an expression has no value in a reached marking (RUN…)
 */
export function runTimes(net: Net, options: RunTimeOptions = {}): RunTimes {
  assertValid(net);
  const because = whyNotConstant(net);
  if (because !== undefined) return { complete: false, states: 0, deadlocks: 0, because };
  const grid = new TimeGrid();
  for (;;)
    try {
      return new Search(new TimedStates(net, grid, options.final, options.reduced), grid, options).run();
    } catch (e) {
      if (!(e instanceof GridChanged)) throw e;
    }
}

class Search {
  readonly #states: TimedStates;
  readonly #grid: TimeGrid;
  readonly #options: RunTimeOptions;
  /** By timed state: shortest time to it, and the state before it on such a path; −1 for the first one. */
  readonly #soonest: number[] = [0];
  readonly #before: number[] = [-1];
  /** Edges in the order in which states were examined: those of `#examined[k]` are `#start[k]` … `#start[k + 1] − 1`. */
  readonly #examined: number[] = [];
  readonly #start: number[] = [0];
  readonly #target: number[] = [];
  readonly #units: number[] = [];
  readonly #final: number[] = [];
  #deadlocks = 0;

  constructor(states: TimedStates, grid: TimeGrid, options: RunTimeOptions) {
    this.#states = states;
    this.#grid = grid;
    this.#options = options;
  }

  run(): RunTimes {
    let truncation: Truncation | undefined;
    let depends: string | undefined;
    try {
      truncation = this.#examine();
    } catch (e) {
      if (e instanceof DelaysDepend) depends = e.message;
      else if (e instanceof MemoryExhausted) truncation = 'memory';
      else throw e;
    }
    const complete = truncation === undefined && depends === undefined;
    // A run whose tokens slow each other down may still be the shortest one.
    const first = depends === undefined ? this.#final[0] : undefined;
    const longest = complete ? this.#longest() : undefined;
    const because =
      depends ?? (truncation === undefined ? this.#whyUnknown(longest !== undefined) : LIMITS[truncation]);
    return {
      complete,
      states: this.#states.count,
      deadlocks: this.#deadlocks,
      ...(first === undefined ? {} : { shortest: this.#order(first, this.#before) }),
      ...(longest === undefined ? {} : { longest }),
      ...(because === undefined ? {} : { because }),
      ...(truncation === undefined ? {} : { truncation }),
    };
  }

  #whyUnknown(hasLongest: boolean): string | undefined {
    if (this.#final.length === 0)
      return this.#deadlocks > 0 ? 'every order that ends is a deadlock' : 'no order ever ends';
    return hasLongest ? undefined : 'some order never ends: timed states form a cycle';
  }

  /** Examines all timed states by time; returns the limit that ended this. */
  #examine(): Truncation | undefined {
    const { maxStates = MAX_STATES, exceeded } = this.#options;
    const open = new FlatQueue<number>();
    const done: boolean[] = [];
    open.push(0, 0);
    while (open.length > 0) {
      if (this.#examined.length % CHECK_EVERY === 0) {
        const limit = exceeded?.();
        if (limit !== undefined) return limit;
      }
      const time = open.peekValue()!;
      const state = open.pop()!;
      if (done[state] === true) continue;
      done[state] = true;
      const next = this.#states.continuation(state);
      if (this.#states.count > maxStates) return 'states';
      if (next.kind === 'final') this.#final.push(state);
      else if (next.kind === 'dead') this.#deadlocks++;
      const targets = next.kind === 'steps' ? next.targets : next.kind === 'passes' ? [next.target] : [];
      const units = next.kind === 'passes' ? next.units : 0;
      for (const target of targets) {
        this.#target.push(target);
        this.#units.push(units);
        if ((this.#soonest[target] ?? Number.POSITIVE_INFINITY) <= time + units) continue;
        this.#soonest[target] = time + units;
        this.#before[target] = state;
        open.push(target, time + units);
      }
      this.#examined.push(state);
      this.#start.push(this.#target.length);
    }
    return undefined;
  }

  /** The longest path to a final state; undefined if no final state is reachable, or if a cycle makes some run endless. */
  #longest(): OrderOfSteps | undefined {
    const states = this.#states.count;
    const entering = new Int32Array(states);
    for (const target of this.#target) entering[target]!++;
    const at = new Int32Array(states);
    this.#examined.forEach((state, k) => {
      at[state] = k;
    });
    const latest = new Float64Array(states);
    const before = new Int32Array(states).fill(-1);
    const ready = [0];
    let sorted = 0;
    if (entering[0]! > 0) return undefined;
    for (let state = ready.pop(); state !== undefined; state = ready.pop()) {
      sorted++;
      const k = at[state]!;
      for (let edge = this.#start[k]!; edge < this.#start[k + 1]!; edge++) {
        const target = this.#target[edge]!;
        const time = latest[state]! + this.#units[edge]!;
        if (before[target] === -1 || time > latest[target]!) {
          latest[target] = time;
          before[target] = state;
        }
        if (--entering[target]! === 0) ready.push(target);
      }
    }
    if (sorted < states || this.#final.length === 0) return undefined;
    const last = this.#final.reduce((best, state) => (latest[state]! > latest[best]! ? state : best));
    return this.#order(last, before);
  }

  /** The path that leads to a state, with its steps and their times. */
  #order(last: number, before: ArrayLike<number>): OrderOfSteps {
    const path: number[] = [];
    for (let state = last; state >= 0; state = before[state]!) path.push(state);
    path.reverse();
    const steps: TimedStep[] = [];
    let now = 0;
    for (const [k, state] of path.slice(0, -1).entries()) {
      const next = this.#states.continuation(state);
      if (next.kind === 'passes') {
        now += next.units;
        continue;
      }
      const { step } = this.#states.steps(state, true).find(({ target }) => target === path[k + 1])!;
      steps.push({ seconds: this.#grid.seconds(now), ...step! });
    }
    return { seconds: this.#grid.seconds(now), steps };
  }
}

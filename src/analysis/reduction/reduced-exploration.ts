import { fail } from '../../base/problem.ts';
import type { Petri } from '../space/petri.ts';
import type { Truncation } from '../space/state-space.ts';
import { Closure } from './closure.ts';
import { type Condition, holdsIn } from './condition.ts';
import { assertOneLevel } from './levels.ts';
import { MarkingStore } from './marking-store.ts';
import { PetriMoves } from './petri-moves.ts';
import { relationsOf } from './relations.ts';
import { Representatives, Straightened } from './symmetry/representative.ts';
import type { Symmetries } from './symmetry/symmetries.ts';
import { UpSet } from './up-set.ts';

/**
 * What is looked for: a dead marking (in which `unless` does not hold), or a marking in which a condition holds. Nothing else
 * may be asked of a part of the markings that was chosen for it.
 */
export type Goal =
  | { readonly kind: 'deadlock'; readonly unless?: Condition }
  | { readonly kind: 'reach'; readonly condition: Condition };

export interface ReducedOptions {
  /** False: every enabled transition is fired. Default true. */
  readonly stubborn?: boolean;
  /**
   * Markings that these make of each other are stored once. They keep the condition of the goal. Default: none. Asked for
   * when some markings have been found: to look for them takes longer than most short searches.
   */
  readonly symmetries?: () => Symmetries;
  /** So many markings are looked at before. Default 0. */
  readonly symmetriesFrom?: number;
  /** Most markings to store. */
  readonly maxStates?: number;
  /** Most bytes that markings may take. Default: 2 GB. */
  readonly memory?: number;
  readonly seconds?: number;
  readonly cancelled?: () => boolean;
  /** Told every so many markings. */
  readonly progress?: (states: number, expanded: number) => void;
}

/** What was found. */
export interface ReducedSpace {
  /** Whether there is such a marking; undefined: a limit was reached before it was known. */
  readonly reached: boolean | undefined;
  /** Transitions of the net without colours that lead to it, where there is one. Not a shortest way. */
  readonly way?: readonly number[];
  readonly states: number;
  readonly expanded: number;
  /** Firings that were followed. */
  readonly edges: number;
  readonly truncation?: Truncation;
  readonly bytes: number;
  readonly seconds: number;
}

/** Sets that are tried at one marking: the smallest is used. */
const MOST_SEEDS = 32;
/** Markings between two looks at the clock. */
const CHECK_EVERY = 256;
const MOST_BYTES = 2e9;
/** Beyond so many tokens in a place sums of 32 bits may fail. */
const MOST_TOKENS = 2 ** 30;

/**
 * Looks for a marking, breadth first, and follows at each only the transitions of a stubborn set: for deadlocks strong
 * stubborn sets, for conditions sets around an up-set. Whether such a marking can be reached is the same as in the full
 * space, and the way to it is one of the full net; how many markings there are, which ones, and what holds on
 * paths is not. O(markings × (transitions + seeds × size of a set)).
 *
 * @throws InputError RED001 for a net with priorities, RED004 where a place holds 2³⁰ tokens
 */
export function reducedExploration(petri: Petri, goal: Goal, options: ReducedOptions = {}): ReducedSpace {
  const running = new ReducedExploration(petri, goal, options);
  while (running.advance(Number.POSITIVE_INFINITY));
  return running.space;
}

/** The same, a little at a time. */
export class ReducedExploration {
  readonly #moves: PetriMoves;
  readonly #goal: Goal;
  readonly #options: ReducedOptions;
  readonly #closure: Closure;
  readonly #upSet: UpSet;
  readonly #store: MarkingStore;
  #representatives: Representatives | undefined;
  readonly #symmetriesFrom: number;
  readonly #enabled: Int32Array;
  readonly #isEnabled: Uint8Array;
  readonly #chosen: Int32Array;
  /** The marking before each, and the transition between. */
  #from = new Int32Array(1024);
  #by = new Int32Array(1024);
  #edges = 0;
  #truncation: Truncation | undefined;
  #reached: boolean | undefined;
  /** The marking that is looked at next; where one was reached, this one. */
  #at = 0;
  /** Milliseconds of the slices before; when this one began. */
  #spent = 0;
  #begun = 0;
  readonly #marking: Int32Array;
  readonly #next: Int32Array;

  /** @throws InputError RED001 for a net with priorities */
  constructor(petri: Petri, goal: Goal, options: ReducedOptions) {
    assertOneLevel(petri);
    this.#moves = new PetriMoves(petri);
    this.#goal = goal;
    this.#options = options;
    this.#symmetriesFrom = options.symmetriesFrom ?? 0;
    this.#closure = new Closure(this.#moves, relationsOf(petri));
    this.#upSet = new UpSet(this.#moves, this.#closure);
    this.#store = new MarkingStore(this.#moves.places);
    this.#enabled = new Int32Array(this.#moves.transitions);
    this.#isEnabled = new Uint8Array(this.#moves.transitions);
    this.#chosen = new Int32Array(this.#moves.transitions);
    this.#marking = this.#moves.initial();
    this.#next = this.#moves.initial();
    this.#store.add(this.#marking);
    this.#from[0] = this.#by[0] = -1;
  }

  /**
   * Looks at up to so many more markings; false once the answer is known, or a limit is reached.
   *
   * @throws InputError RED004 where a place holds 2³⁰ tokens
   */
  advance(markings: number): boolean {
    this.#begun = performance.now();
    const end = this.#at + markings;
    while (!this.#isOver && this.#at < end) {
      if (this.#at % CHECK_EVERY === 0 && this.#stops(this.#at)) break;
      this.#expand();
    }
    this.#spent += performance.now() - this.#begun;
    return !this.#isOver;
  }

  get #isOver(): boolean {
    return this.#reached !== undefined || this.#truncation !== undefined;
  }

  /** Looks at the next marking. */
  #expand(): void {
    const moves = this.#moves;
    const store = this.#store;
    const marking = this.#marking;
    const next = this.#next;
    const at = this.#at;
    const { maxStates: most = Number.POSITIVE_INFINITY } = this.#options;
    if (at === this.#symmetriesFrom) this.#findSymmetries();
    store.read(at, marking);
    const count = moves.allEnabled(marking, this.#enabled);
    if (this.#isGoal(marking, count)) {
      this.#reached = true;
      return;
    }
    const fired = this.#choose(marking, count);
    for (let k = 0; k < fired; k++) {
      moves.fire(this.#chosen[k]!, marking, next);
      this.#edges++;
      this.#checkTokens(this.#chosen[k]!, next);
      this.#representatives?.represent(next);
      if (store.count >= most && !store.has(next)) {
        this.#truncation = 'states';
        return;
      }
      const before = store.count;
      if (store.add(next) === before) this.#remember(before, at, this.#chosen[k]!);
    }
    this.#at++;
    if (this.#at === store.count) this.#reached = false;
  }

  /** What was found before stays as it is. */
  #findSymmetries(): void {
    const found = this.#options.symmetries?.();
    if (found !== undefined && found.layers.length > 0)
      this.#representatives = new Representatives(this.#moves.petri, found);
  }

  #isGoal(marking: Int32Array, enabled: number): boolean {
    const goal = this.#goal;
    if (goal.kind === 'reach') return holdsIn(goal.condition, marking, this.#moves);
    return enabled === 0 && !(goal.unless !== undefined && holdsIn(goal.unless, marking, this.#moves));
  }

  /** Puts the transitions to fire into `chosen`, ascending; returns how many. */
  #choose(marking: Int32Array, count: number): number {
    const closure = this.#closure;
    const chosen = this.#chosen;
    chosen.set(this.#enabled.subarray(0, count));
    if (this.#options.stubborn === false || count === 0) return count;
    this.#isEnabled.fill(0);
    for (let k = 0; k < count; k++) this.#isEnabled[this.#enabled[k]!] = 1;
    closure.begin(marking, this.#isEnabled);
    let best = count;
    const keep = (): void => {
      best = closure.enabled;
      chosen.set(closure.found.subarray(0, best));
      chosen.subarray(0, best).sort();
    };
    if (this.#goal.kind === 'reach') {
      this.#upSet.put(this.#goal.condition, marking, this.#enabled, count);
      if (closure.close('commute', best - 1)) keep();
      return best;
    }
    for (let k = 0; k < Math.min(count, MOST_SEEDS) && best > 1; k++) {
      closure.again();
      closure.add(this.#enabled[k]!);
      if (closure.close('persist', best - 1)) keep();
    }
    return best;
  }

  #stops(at: number): boolean {
    const { cancelled, seconds, memory = MOST_BYTES, progress } = this.#options;
    progress?.(this.#store.count, at);
    if (cancelled?.() === true) this.#truncation = 'interrupted';
    else if (seconds !== undefined && this.#spent + performance.now() - this.#begun > 1000 * seconds)
      this.#truncation = 'time';
    else if (this.bytes > memory) this.#truncation = 'memory';
    return this.#truncation !== undefined;
  }

  #checkTokens(t: number, marking: Int32Array): void {
    const { start, items } = this.#moves.changes;
    for (let k = start[t]!, end = start[t + 1]!; k < end; k += 2)
      if (marking[items[k]!]! >= MOST_TOKENS) tooMany(this.#moves.petri, items[k]!);
  }

  #remember(state: number, from: number, by: number): void {
    if (state >= this.#from.length) {
      this.#from = grown(this.#from);
      this.#by = grown(this.#by);
    }
    this.#from[state] = from;
    this.#by[state] = by;
  }

  /** Transitions of the given net from its initial marking to a state. */
  #wayTo(state: number): number[] {
    const steps: { readonly from: number; readonly t: number }[] = [];
    for (let s = state; s > 0; s = this.#from[s]!) steps.push({ from: this.#from[s]!, t: this.#by[s]! });
    steps.reverse();
    const representatives = this.#representatives;
    if (representatives === undefined) return steps.map(({ t }) => t);
    const moves = this.#moves;
    const straightened = new Straightened(moves.petri);
    const marking = moves.initial();
    const next = moves.initial();
    return steps.map(({ from, t }) => {
      const own = straightened.transition(t);
      moves.fire(t, marking, next);
      if (from >= this.#symmetriesFrom) representatives.represent(next, (s) => straightened.used(s));
      marking.set(next);
      return own;
    });
  }

  get states(): number {
    return this.#store.count;
  }

  get looked(): number {
    return this.#at;
  }

  get truncation(): Truncation | undefined {
    return this.#truncation;
  }

  get bytes(): number {
    return this.#store.bytes + 8 * this.#from.length;
  }

  /** What was found by now. */
  get space(): ReducedSpace {
    return {
      reached: this.#reached,
      ...(this.#reached === true ? { way: this.#wayTo(this.#at) } : {}),
      states: this.#store.count,
      expanded: this.#at,
      edges: this.#edges,
      ...(this.#truncation === undefined ? {} : { truncation: this.#truncation }),
      bytes: this.bytes,
      seconds: this.#spent / 1000,
    };
  }
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const next = new Int32Array(array.length * 2);
  next.set(array);
  return next;
}

function tooMany({ net, places }: Petri, place: number): never {
  const { kind, node } = places[place]!;
  const name = kind === 'busy' ? `transition ${net.transitions[node]!.name}` : `place ${net.places[node]!.name}`;
  fail('RED004', `comes to hold 2^30 tokens: the net seems to be unbounded, ask for its bounds first`, { part: name });
}

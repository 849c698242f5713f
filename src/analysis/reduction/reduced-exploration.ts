import { fail } from '../../base/problem.ts';
import type { Petri } from '../petri/petri.ts';
import { MAX_TOKENS } from '../space/check-limits.ts';
import type { Truncation } from '../space/state-space.ts';
import { Closure, relationsOf } from './closure.ts';
import { type Condition, holdsIn } from './condition.ts';
import { assertOneLevel } from './levels.ts';
import { MarkingStore } from './marking-store.ts';
import { type PairRows, PetriMoves, type Tokens } from './petri-moves.ts';
import { Representatives, Straightened } from './symmetry/representative.ts';
import type { Symmetries } from './symmetry/symmetries.ts';
import { UpSet } from './up-set.ts';

/**
 * The search goal: a dead marking in which `unless` does not hold, or a marking in which a condition holds. The reduced space
 * answers only the goal for which it was built.
 */
export type Goal =
  | { readonly kind: 'deadlock'; readonly unless?: Condition }
  | { readonly kind: 'reach'; readonly condition: Condition };

export interface ReducedOptions {
  /** False: fire every enabled transition. Default true. */
  readonly stubborn?: boolean;
  /**
   * Symmetries that preserve the condition of the goal; markings that are images of each other are stored once. Default: none.
   * Called only after `symmetriesFrom` markings, because computing symmetries takes longer than most short searches.
   */
  readonly symmetries?: () => Symmetries;
  /** Number of markings to visit before `symmetries` is called. Default 0. */
  readonly symmetriesFrom?: number;
  /** Maximum number of stored markings. */
  readonly maxStates?: number;
  /** Memory limit for markings in bytes. Default: 2 GB. */
  readonly memory?: number;
  readonly seconds?: number;
  readonly cancelled?: () => boolean;
  /** Called at regular numbers of markings. */
  readonly progress?: (states: number, expanded: number) => void;
}

/** Result of a reduced search. */
export interface ReducedSpace {
  /** True if a goal marking is reachable; undefined: a limit was reached first. */
  readonly reached: boolean | undefined;
  /** Transitions of the unfolded net that lead to the goal marking, if one is reachable. Not necessarily a shortest path. */
  readonly path?: readonly number[];
  readonly states: number;
  readonly expanded: number;
  /** Number of firings. */
  readonly edges: number;
  readonly truncation?: Truncation;
  readonly bytes: number;
  readonly seconds: number;
}

/** Maximum number of candidate sets per marking; the smallest is used. */
const MAX_SEEDS = 32;
/** Markings between two checks of the limits. */
const CHECK_EVERY = 256;
const MAX_BYTES = 2e9;

/**
 * Searches for a goal marking breadth first and fires only the transitions of a stubborn set at each marking: strong stubborn
 * sets for deadlocks, sets around an up-set for conditions. Reachability of the goal is the same as in the full state space, and
 * the path is a path of the full net. The number of markings, their identity and properties of paths are not preserved.
 * O(markings × (transitions + seeds × size of a set)).
 *
 * @throws InputError RED001 for a net with priorities, RED004 if a place holds more than 2³¹ − 1 tokens
 */
export function reducedExploration(petri: Petri, goal: Goal, options: ReducedOptions = {}): ReducedSpace {
  const running = new ReducedExploration(petri, goal, options);
  while (running.advance(Number.POSITIVE_INFINITY));
  return running.space;
}

/** Incremental form of {@link reducedExploration}. */
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
  /** By marking: its predecessor, and the transition fired there. */
  #from = new Int32Array(1024);
  #by = new Int32Array(1024);
  #edges = 0;
  #truncation: Truncation | undefined;
  #reached: boolean | undefined;
  /** The marking to be visited next; the goal marking once it is reached. */
  #at = 0;
  /** Milliseconds spent in earlier slices; start time of the current one. */
  #spent = 0;
  #begun = 0;
  readonly #marking: Tokens;
  readonly #next: Tokens;

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
   * Visits up to `markings` more markings; false once the answer is known or a limit is reached.
   *
   * @throws InputError RED004 if a place holds more than 2³¹ − 1 tokens
   */
  advance(markings: number): boolean {
    this.#begun = performance.now();
    const end = this.#at + markings;
    if (this.#at === 0) this.#checkInitial();
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

  /** Visits the next marking. */
  #expand(): void {
    const moves = this.#moves;
    const store = this.#store;
    const marking = this.#marking;
    const next = this.#next;
    const at = this.#at;
    const { maxStates: max = Number.POSITIVE_INFINITY } = this.#options;
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
      if (this.#representatives !== undefined) {
        // A representative can take longer than a thousand firings.
        if (this.#stops(at)) return;
        this.#representatives.represent(next);
      }
      if (store.count >= max && !store.has(next)) {
        this.#truncation = 'states';
        return;
      }
      const before = store.count;
      if (store.add(next) === before) this.#remember(before, at, this.#chosen[k]!);
    }
    this.#at++;
    if (this.#at === store.count) this.#reached = false;
  }

  /** Markings stored before are not replaced by their representatives. */
  #findSymmetries(): void {
    const found = this.#options.symmetries?.();
    if (found !== undefined && found.layers.length > 0)
      this.#representatives = new Representatives(this.#moves.petri, found);
  }

  #isGoal(marking: Tokens, enabled: number): boolean {
    const goal = this.#goal;
    if (goal.kind === 'reach') return holdsIn(goal.condition, marking, this.#moves);
    return enabled === 0 && !(goal.unless !== undefined && holdsIn(goal.unless, marking, this.#moves));
  }

  /** Writes the transitions to fire to `#chosen`, ascending; returns their number. */
  #choose(marking: Tokens, count: number): number {
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
    for (let k = 0; k < Math.min(count, MAX_SEEDS) && best > 1; k++) {
      closure.again();
      closure.add(this.#enabled[k]!);
      if (closure.close('persist', best - 1)) keep();
    }
    return best;
  }

  #stops(at: number): boolean {
    const { cancelled, seconds, memory = MAX_BYTES, progress } = this.#options;
    progress?.(this.#store.count, at);
    if (seconds !== undefined && this.#spent + performance.now() - this.#begun > 1000 * seconds)
      this.#truncation = 'time';
    else if (cancelled?.() === true) this.#truncation = 'interrupted';
    else if (this.bytes > memory) this.#truncation = 'memory';
    return this.#truncation !== undefined;
  }

  #checkInitial(): void {
    const { petri } = this.#moves;
    const place = petri.places.findIndex((p) => p.initial > MAX_TOKENS);
    if (place >= 0) tooMany(petri, place);
  }

  #checkTokens(t: number, marking: Tokens): void {
    this.#checkPlaces(this.#moves.changes, t, marking);
    this.#checkPlaces(this.#moves.resets, t, marking);
  }

  #checkPlaces({ start, items }: PairRows, t: number, marking: Tokens): void {
    for (let k = start[t]!, end = start[t + 1]!; k < end; k += 2)
      if (marking[items[k]!]! > MAX_TOKENS) tooMany(this.#moves.petri, items[k]!);
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
  #pathTo(state: number): number[] {
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

  get visited(): number {
    return this.#at;
  }

  get truncation(): Truncation | undefined {
    return this.#truncation;
  }

  get bytes(): number {
    return this.#store.bytes + 8 * this.#from.length;
  }

  get space(): ReducedSpace {
    return {
      reached: this.#reached,
      ...(this.#reached === true ? { path: this.#pathTo(this.#at) } : {}),
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
  fail(
    'RED004',
    `holds more than ${MAX_TOKENS} tokens, the supported maximum; if the net may be unbounded, verify its bounds first`,
    { part: name },
  );
}

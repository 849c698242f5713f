import type { Net } from '../../../net/net.ts';
import { memoryLimit } from '../budget.ts';
import type { Exploration, ExploreOptions, StateSpace, Truncation } from '../state-space.ts';
import { GeneralSpace } from './general-space.ts';
import type { Permutable } from './permutable.ts';
import type { PossibleStep } from './steps.ts';

/** Maximum number of states between two checks of the limits. */
const SLICE = 1 << 10;
/** Maximum time between two checks of the limits, in milliseconds. */
const PAUSE = 100;
const MAX_STATES = 2 ** 31 - 1;

/**
 * Explores any valid net, breadth-first or depth-first, on one thread regardless of `workers`. Bindings are enumerated over the
 * tokens of each marking, so colour sets may be huge or unbounded; limits then end the exploration. Memory: about 12 bytes per
 * state, plus one or two bytes per kind of token in it. O(bindings tried + steps × length of a marking).
 */
export class GeneralExploration implements Exploration {
  readonly #space: GeneralSpace;
  readonly #options: ExploreOptions;
  readonly #max: number;
  readonly #memory: number;
  /** States still to be expanded, depth-first. */
  readonly #stack: number[] = [0];
  /** Steps out of the state being expanded. */
  #edges = 0;
  /** Error that ended the exploration; later calls of `advance` rethrow it. */
  #failure: unknown;

  /**
   * @param one transitions (by number) that have the highest priority whenever they are enabled. Only their first binding is
   *   followed; the caller guarantees that the order of their bindings is irrelevant
   * @param permutable processes whose permutations are one state; the caller guarantees that the net does not distinguish them
   * @throws InputError RUN… if a token of the initial marking has no priority, or there are too many tokens
   */
  constructor(
    net: Net,
    options: ExploreOptions = {},
    one: ReadonlySet<number> = new Set(),
    permutable: Permutable | undefined = undefined,
  ) {
    this.#space = new GeneralSpace(net, options.order ?? 'breadth', one, permutable);
    this.#options = options;
    this.#max = Math.min(options.maxStates ?? MAX_STATES, MAX_STATES);
    this.#memory = memoryLimit(options);
  }

  get space(): StateSpace {
    return this.#space;
  }

  /**
   * Limits are checked every 1,024 states or 0.1 s.
   *
   * @throws InputError RUN… if an expression has no value in a reached marking (S7); the states found are kept
   */
  advance(states: number): boolean {
    if (this.#failure !== undefined) throw this.#failure;
    const space = this.#space;
    const last = space.expanded + states;
    while (space.expanded < last && !space.complete && space.truncation === undefined) {
      const before = performance.now();
      try {
        this.#slice(Math.min(SLICE, last - space.expanded));
      } catch (e) {
        this.#failure = e;
        throw e;
      } finally {
        space.seconds += (performance.now() - before) / 1000;
      }
      if (!space.complete) space.truncation ??= this.#limit();
      this.#options.progress?.(space);
    }
    return !space.complete && space.truncation === undefined;
  }

  #slice(states: number): void {
    const space = this.#space;
    const until = performance.now() + PAUSE;
    for (let k = 0; k < states && performance.now() < until; k++) {
      const state = this.#next();
      if (!this.#expand(state)) {
        space.truncation = space.states >= this.#max ? 'states' : 'memory';
        return;
      }
      if (space.expanded === space.states) {
        space.complete = true;
        return;
      }
    }
  }

  #next(): number {
    const space = this.#space;
    if (space.order === 'depth') return this.#stack.pop()!;
    if (space.expanded === space.boundary) {
      space.begun.push(space.boundary);
      space.boundary = space.states;
    }
    return space.expanded;
  }

  /** False if a successor cannot be stored; the state then counts as not expanded. */
  #expand(state: number): boolean {
    const space = this.#space;
    space.open(state);
    this.#edges = 0;
    if (space.steps.each(this.#follow)) return false;
    space.expanded++;
    space.edges += this.#edges;
    return true;
  }

  /** Stores the successor by one step; true to stop because it cannot be stored. */
  readonly #follow = (step: PossibleStep): boolean => {
    const { store, steps, encoder, current } = this.#space;
    this.#space.apply(step, true);
    encoder.write(current, steps.edits);
    const known = store.states;
    const state = store.add(encoder.bytes, encoder.length, this.#max);
    if (state < 0) return true;
    this.#edges++;
    if (state < known) return false;
    this.#space.maxima.update();
    if (this.#space.order === 'depth') this.#stack.push(state);
    return false;
  };

  #limit(): Truncation | undefined {
    const { seconds = Number.POSITIVE_INFINITY, cancelled, budget } = this.#options;
    if (cancelled?.() === true) return 'interrupted';
    const exceeded = budget?.exceeded;
    if (exceeded !== undefined) return exceeded;
    if (this.#space.seconds >= seconds) return 'time';
    return process.memoryUsage.rss() > this.#memory ? 'memory' : undefined;
  }
}

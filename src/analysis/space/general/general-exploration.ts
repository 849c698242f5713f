import type { Net } from '../../../net/net.ts';
import { memoryLimit } from '../memory-limit.ts';
import type { Exploration, ExploreOptions, StateSpace, Truncation } from '../state-space.ts';
import { GeneralSpace } from './general-space.ts';
import type { PossibleStep } from './steps.ts';

/** States and milliseconds between two looks at limits. */
const SLICE = 1 << 10;
const PAUSE = 100;
const MOST_STATES = 2 ** 31 - 1;

/**
 * Explores any valid net, breadth or depth first, on one thread whatever the number of `workers`. Bindings are found among
 * the tokens that a marking has, so colour sets may be huge, or unbounded: then the limits end it. Memory: some 12 bytes per
 * state, and a byte or two per kind of token that it holds. O(bindings tried + steps × length of a marking).
 */
export class GeneralExploration implements Exploration {
  readonly #space: GeneralSpace;
  readonly #options: ExploreOptions;
  readonly #most: number;
  readonly #memory: number;
  readonly #stack: number[] = [0];
  /** What ended it with an error. */
  #failure: unknown;

  /**
   * @param one numbers of transitions that have the highest priority wherever they can fire, and of whose bindings only the
   *   first is then followed: whoever asks knows that it does not matter which comes first
   * @throws InputError RUN… where a token of the initial marking has no priority, or there are too many
   */
  constructor(net: Net, options: ExploreOptions = {}, one: ReadonlySet<number> = new Set()) {
    this.#space = new GeneralSpace(net, options.order ?? 'breadth', one);
    this.#options = options;
    this.#most = Math.min(options.maxStates ?? MOST_STATES, MOST_STATES);
    this.#memory = memoryLimit(options);
  }

  get space(): StateSpace {
    return this.#space;
  }

  /**
   * Limits are looked at every 1,024 states, or 0.1 s.
   *
   * @throws InputError RUN… where an expression has no value in a marking that is reached (S7); what was found stays
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
        space.truncation = space.states >= this.#most ? 'states' : 'memory';
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

  /** False where a state that is reached cannot be stored: then this one counts as not expanded. */
  #expand(state: number): boolean {
    const space = this.#space;
    space.open(state);
    this.#edges = 0;
    if (space.steps.each(this.#follow)) return false;
    space.expanded++;
    space.edges += this.#edges;
    return true;
  }

  #edges = 0;

  readonly #follow = (step: PossibleStep): boolean => {
    const { store, steps, encoder, current } = this.#space;
    steps.apply(step, true);
    encoder.write(current, steps.edits);
    const known = store.states;
    const state = store.add(encoder.bytes, encoder.length, this.#most);
    if (state < 0) return true;
    this.#edges++;
    if (state < known) return false;
    this.#space.maxima.look();
    if (this.#space.order === 'depth') this.#stack.push(state);
    return false;
  };

  #limit(): Truncation | undefined {
    const { seconds = Number.POSITIVE_INFINITY, cancelled } = this.#options;
    if (cancelled?.() === true) return 'interrupted';
    if (this.#space.seconds >= seconds) return 'time';
    return process.memoryUsage.rss() > this.#memory ? 'memory' : undefined;
  }
}

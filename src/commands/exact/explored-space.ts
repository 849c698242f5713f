import { whyEndless } from '../../analysis/coverability/boundedness.ts';
import type { Budget } from '../../analysis/space/budget.ts';
import { exploration } from '../../analysis/space/explore.ts';
import type { ExploreOptions, StateSpace } from '../../analysis/space/state-space.ts';
import type { Net } from '../../net/net.ts';

/** Number of states explored between two checks for cancellation and progress. */
const SLICE = 1 << 14;

/** The states found within the limits, or the proof that a net has infinitely many. */
type ExploredSpace = { readonly space: StateSpace } | { readonly endless: string };

/**
 * Explores a net completely or up to a limit. After the first slice, a net that provably has infinitely many states is not explored any
 * further.
 *
 * @param stop ends the search for this proof
 * @param progress called after each slice with the states found so far
 * @throws InputError NET…, RUN… as `exploration`
 */
export function exploredSpace(
  net: Net,
  limits: ExploreOptions,
  stop: () => boolean,
  progress?: (space: StateSpace) => void,
): ExploredSpace {
  const running = exploration(net, limits);
  const { space } = running;
  for (let first = true; running.advance(SLICE); first = false) {
    progress?.(space);
    const endless = first ? whyEndless(net, stop) : undefined;
    if (endless?.sure === true) return { endless: endless.because };
  }
  return { space };
}

/** Limits of the number of states of a chain, and of their memory. With phases of delays, a chain has more states than markings. */
export class StateLimit {
  /** The limit that ended the work; undefined if none did. */
  reached: 'states' | 'memory' | undefined;
  readonly #budget: Budget;
  readonly #maxStates: number;

  /** @param maxStates default: no limit */
  constructor(budget: Budget, maxStates: number = Number.POSITIVE_INFINITY) {
    this.#budget = budget;
    this.#maxStates = maxStates;
  }

  /** Called with the number of states so far; true if a limit is reached. */
  readonly isFull = (states: number): boolean => {
    if (states > this.#maxStates) this.reached = 'states';
    else if (this.#budget.exceeded === 'memory') this.reached = 'memory';
    return this.reached !== undefined;
  };
}

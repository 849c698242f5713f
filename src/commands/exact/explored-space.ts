import { CUT_UNSURE, type Endless, UNSURE_BYTES, whyEndless } from '../../analysis/coverability/boundedness.ts';
import type { Budget } from '../../analysis/space/budget.ts';
import { exploration } from '../../analysis/space/explore.ts';
import type { ExploreOptions, StateSpace } from '../../analysis/space/state-space.ts';
import type { Net } from '../../net/net.ts';

/** Number of states explored between two checks for cancellation and progress. */
const SLICE = 1 << 14;

/** The states found within the limits; or the reason why a net has, or may have, infinitely many. */
type ExploredSpace = { readonly space: StateSpace } | { readonly endless: string; readonly sure: boolean };

/**
 * Explores a net completely or up to a limit. After the first slice, a net that provably has infinitely many states is not explored any
 * further. A net that may have infinitely many is explored up to 100 MB, unless it is a program or has other limits.
 *
 * @param stop ends the search for this proof
 * @param isLimited true if the user has set a limit, or if the net is that of a program: its runs end, whatever its integers
 * @param progress called after each slice with the states found so far
 * @throws InputError NET…, RUN… as `exploration`
 */
export function exploredSpace(
  net: Net,
  limits: ExploreOptions,
  stop: () => boolean,
  isLimited: boolean,
  progress?: (space: StateSpace) => void,
): ExploredSpace {
  const running = exploration(net, limits);
  const { space } = running;
  let endless: Endless | undefined;
  for (let first = true; running.advance(SLICE); first = false) {
    progress?.(space);
    if (first) endless = whyEndless(net, stop);
    if (endless?.sure === true) return { endless: endless.because, sure: true };
    if (endless !== undefined && !isLimited && space.bytes >= UNSURE_BYTES)
      return { endless: `${endless.because} ${CUT_UNSURE}`, sure: false };
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

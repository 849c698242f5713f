import { simulate } from '../../../analysis/simulate.ts';
import { GeneralExploration } from '../../../analysis/space/general/general-exploration.ts';
import type { ExploreOptions, StateSpace } from '../../../analysis/space/state-space.ts';
import { compile } from '../../../engine/compile.ts';
import type { Net } from '../../../net/net.ts';
import { type Ending, type Tokens, tokensOf } from './dead-markings.ts';
import type { UntimedThreads } from './untimed-threads.ts';

/** States per slice, after which dead markings are looked for. */
const SLICE = 1 << 11;

export interface ThreadSpace {
  readonly space: StateSpace;
  /** The first state of each ending. */
  readonly endings: ReadonlyMap<Ending, number>;
  /** True if the space is complete; false after a violation, which ends the exploration, or at a limit. */
  readonly complete: boolean;
}

/**
 * Explores a net breadth first until its space is complete, a limit is reached, or the distance of the first violation is
 * complete.
 */
export function exploreThreads(
  { net, one, permutable }: UntimedThreads,
  endingOf: (tokens: Tokens) => Ending,
  options: ExploreOptions,
): ThreadSpace {
  const exploration = new GeneralExploration(net, options, one, permutable);
  const { space } = exploration;
  const endings = new Map<Ending, number>();
  let checked = 0;
  let more = true;
  let stop = Number.POSITIVE_INFINITY;
  while (more && space.expanded < stop) {
    more = exploration.advance(SLICE);
    const degree = space.outDegree(checked, space.expanded);
    for (let k = 0; k < degree.length; k++) {
      if (degree[k] !== 0) continue;
      const state = checked + k;
      const ending = endingOf(tokensOf(space.net, space.marking(state)));
      if (!endings.has(ending)) endings.set(ending, state);
      // The states of this distance are still examined.
      if (ending !== 'ended') stop = Math.min(stop, space.levels.find((first) => first > state) ?? space.states);
    }
    checked = space.expanded;
  }
  return { space, endings, complete: space.complete };
}

/** One order of the steps of a program. */
export interface OneOrder {
  readonly ending: Ending;
  readonly steps: number;
  /** The limit that ended the run before the program. */
  readonly truncation?: 'states' | 'time' | 'interrupted';
}

/**
 * Runs a net without times to a dead marking.
 *
 * @param states of the run at most
 */
export function inOneOrder(
  net: Net,
  endingOf: (tokens: Tokens) => Ending,
  states: number,
  { seconds = Number.POSITIVE_INFINITY, cancelled }: Pick<ExploreOptions, 'seconds' | 'cancelled'>,
): OneOrder {
  const until = performance.now() + 1000 * seconds;
  const { game, steps, ended } = simulate(compile(net, { steps: states }), {
    maxSteps: states - 1,
    maxInstantSteps: states,
    cancelled: () => performance.now() > until || cancelled?.() === true,
  });
  const known = new Set(net.places.map(({ name }) => name));
  const tokens: Tokens = (place) => (known.has(place) ? game.tokens(place).map(({ values }) => values) : []);
  const ending = endingOf(tokens);
  if (ended === 'quiescent') return { ending, steps };
  return { ending, steps, truncation: ended === 'steps' ? 'states' : cancelled?.() === true ? 'interrupted' : 'time' };
}

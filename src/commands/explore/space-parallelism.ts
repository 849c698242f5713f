import { shortestPaths } from '../../analysis/properties/shortest.ts';
import type { Activity } from '../../analysis/space/activity.ts';
import { MarkingTokens } from '../../analysis/space/marking-tokens.ts';
import { reachableFragments } from '../../analysis/space/reachable-fragments.ts';
import type { StateGraph, StateSpace } from '../../analysis/space/state-space.ts';
import type { SpaceDocument } from './space.ts';

/** Maximum number of fragments listed. */
const LISTED = 1000;

/**
 * The fragments of a space and its degree of parallelism.
 *
 * @param edges of the space, or their memory limit in bytes
 * @param stop polled regularly; true ends the work, and the result covers the markings examined
 */
export function spaceParallelism(
  space: StateSpace,
  activity: Activity,
  edges: StateGraph | number,
  stop: () => boolean,
): Required<Pick<SpaceDocument, 'parallelism' | 'fragments'>> {
  const { fragments, maximum, witness, complete } = reachableFragments(space, activity, stop);
  return {
    parallelism: {
      maximum,
      fragments: fragments.length,
      complete,
      witness: { state: witness, steps: stepsTo(space, witness, edges, stop) },
    },
    fragments: fragments.slice(0, LISTED),
  };
}

/** The search for a path was stopped. */
class Stopped extends Error {}

function stepsTo(space: StateSpace, state: number, edges: StateGraph | number, stop: () => boolean): string[] | null {
  if (space.order === 'depth') return null;
  const words = new MarkingTokens(space.net);
  const check = (): void => {
    if (stop()) throw new Stopped();
  };
  try {
    return shortestPaths(space, [state], edges, check)[0]!.steps.map((step) => words.step(step));
  } catch (e) {
    if (e instanceof Stopped) return null;
    throw e;
  }
}

import { shortestPaths } from '../../analysis/properties/shortest.ts';
import { MarkingTokens } from '../../analysis/space/marking-tokens.ts';
import { type Activity, reachableFragments } from '../../analysis/space/reachable-fragments.ts';
import type { StateGraph, StateSpace } from '../../analysis/space/state-space.ts';
import type { SpaceFragment, SpaceParallelism } from './exact-parts.ts';

/** Maximum number of fragments listed. */
export const MAX_FRAGMENTS = 1000;

/** An explored space with its edges, and the limits of further work on it. */
export interface Explored {
  readonly space: StateSpace;
  /** The space with the numbering of a single thread, if several explored it. */
  readonly named: (() => StateSpace) | undefined;
  /** The edges of the space, if they are known. */
  readonly graph: StateGraph | undefined;
  /** Memory limit of edges in bytes. */
  readonly memory: number;
  /** Polled regularly; true ends the work, and the result covers the markings examined. */
  readonly stop: () => boolean;
}

/** The fragments of a space and its degree of parallelism. */
export function spaceParallelism(
  activity: Activity,
  { space, named, graph, memory, stop }: Explored,
): { readonly parallelism: SpaceParallelism; readonly fragments: readonly SpaceFragment[] } {
  const own = numberedAlone(space, named);
  const edges = own === space ? (graph ?? memory) : memory;
  const { fragments, maximum, witness, complete } = reachableFragments(own, activity, stop);
  return {
    parallelism: {
      maximum,
      fragments: fragments.length,
      complete,
      witness: { state: witness, steps: stepsTo(own, [witness], edges, stop)[0]! },
    },
    fragments: fragments.slice(0, MAX_FRAGMENTS),
  };
}

/** The search for a path was stopped. */
class Stopped extends Error {}

/** The space with the numbering of a single thread. */
export function numberedAlone(space: StateSpace, named: Explored['named']): StateSpace {
  const alone = named?.() ?? space;
  // A limit may have ended the exploration by one thread earlier.
  return alone.states < space.states ? space : alone;
}

/** The steps of a shortest path to each state; null if it is not known. */
export function stepsTo(
  space: StateSpace,
  states: readonly number[],
  edges: StateGraph | number,
  stop: () => boolean,
): (string[] | null)[] {
  if (space.order === 'depth') return states.map(() => null);
  if (states.length === 0) return [];
  const words = new MarkingTokens(space.net);
  const check = (): void => {
    if (stop()) throw new Stopped();
  };
  try {
    return shortestPaths(space, states, edges, check).map(({ steps }) => steps.map((step) => words.step(step)));
  } catch (e) {
    if (e instanceof Stopped) return states.map(() => null);
    throw e;
  }
}

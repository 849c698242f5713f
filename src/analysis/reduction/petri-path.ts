import type { FoundPath } from '../properties/found-path.ts';
import type { Formula } from '../properties/property.ts';
import type { Petri } from '../space/petri.ts';
import type { MarkedTokens, Step } from '../space/state-space.ts';
import { holdsIn } from './condition.ts';
import { conditionOf } from './condition-of.ts';
import { PetriMoves, type Tokens } from './petri-moves.ts';

/** Options of {@link petriPath}. */
export interface PetriPathOptions {
  /** Condition on the markings in which a run may end. */
  readonly final?: Formula | undefined;
  readonly loop?: number | undefined;
  readonly shows?: string;
  readonly shortest?: boolean;
}

/**
 * Converts a firing sequence of the unfolded net to a path of the coloured net, whose steps have bindings.
 *
 * @throws Error if some transition of the sequence is not enabled
 */
export function petriPath(petri: Petri, path: readonly number[], options: PetriPathOptions = {}): FoundPath {
  const { final, loop, shows, shortest = false } = options;
  const moves = new PetriMoves(petri);
  const end = moves.fireSequence(path);
  if (end === undefined) throw new Error('internal error: the path found cannot be fired');
  return {
    steps: path.map((t): Step => {
      const { kind, node, binding } = petri.transitions[t]!;
      return { kind, node, binding };
    }),
    ...(loop === undefined ? {} : { loop }),
    ...(shows === undefined ? {} : { shows }),
    shortest,
    marking: viewOf(petri, end),
    holds: (formula) => holdsIn(conditionOf(petri, formula, final), end, moves),
    canStart: (step) => {
      const marking = moves.fireSequence(path.slice(0, step))!;
      return petri.transitions.some((t, k) => (t.kind === 'fire' || t.kind === 'start') && moves.enabled(k, marking));
    },
  };
}

/** The marking in the form used by state spaces. */
function viewOf({ net, places }: Petri, marking: Tokens): FoundPath['marking'] {
  const tokens = new Map<number, MarkedTokens[]>();
  for (const [k, { kind, node, values }] of places.entries()) {
    if (kind === 'busy' || marking[k] === 0) continue;
    tokens.set(node, [...(tokens.get(node) ?? []), { values, count: marking[k]!, where: kind }]);
  }
  return {
    places: net.places.flatMap((_, place) => {
      const list = tokens.get(place);
      return list === undefined ? [] : [{ place, tokens: list }];
    }),
  };
}

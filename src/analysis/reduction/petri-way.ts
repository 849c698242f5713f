import type { FoundWay } from '../properties/found-way.ts';
import type { Formula } from '../properties/property.ts';
import type { Petri } from '../space/petri.ts';
import type { MarkedTokens, Step } from '../space/state-space.ts';
import { holdsIn } from './condition.ts';
import { conditionOf } from './condition-of.ts';
import { PetriMoves } from './petri-moves.ts';

export interface PetriWayOptions {
  /** Which markings a run may end in. */
  readonly final?: Formula | undefined;
  readonly loop?: number | undefined;
  readonly shows?: string;
  readonly shortest?: boolean;
}

/**
 * A sequence of transitions of the net without colours as a way of the given net: its steps have the bindings.
 *
 * @throws Error where it is not possible
 */
export function petriWay(petri: Petri, way: readonly number[], options: PetriWayOptions = {}): FoundWay {
  const { final, loop, shows, shortest = false } = options;
  const moves = new PetriMoves(petri);
  const end = moves.play(way);
  if (end === undefined) throw new Error('a way that was found is not possible');
  return {
    steps: way.map((t): Step => {
      const { kind, node, binding } = petri.transitions[t]!;
      return { kind, node, binding };
    }),
    ...(loop === undefined ? {} : { loop }),
    ...(shows === undefined ? {} : { shows }),
    shortest,
    marking: viewOf(petri, end),
    holds: (formula) => holdsIn(conditionOf(petri, formula, final), end, moves),
    canStart: (step) => {
      const marking = moves.play(way.slice(0, step))!;
      return petri.transitions.some((t, k) => (t.kind === 'fire' || t.kind === 'start') && moves.enabled(k, marking));
    },
  };
}

/** A marking as spaces tell it. */
function viewOf({ net, places }: Petri, marking: Int32Array): FoundWay['marking'] {
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

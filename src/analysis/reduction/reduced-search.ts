import { fail } from '../../base/problem.ts';
import type { Petri } from '../space/petri.ts';
import { asksDead, type Condition, holdsIn, placesOf } from './condition.ts';
import { PetriMoves } from './petri-moves.ts';
import { type Goal, type ReducedOptions, type ReducedSpace, reducedExploration } from './reduced-exploration.ts';
import { structurallyReduced } from './structural/structural.ts';

/** What is reduced: the firings that are followed, the net itself, or both. */
export type Method = 'stubborn' | 'structural' | 'both';

export interface SearchResult extends ReducedSpace {
  /** Of the net that was explored. */
  readonly places: number;
  readonly transitions: number;
}

/**
 * Looks for a marking in a net made smaller, by stubborn sets, or both; the way that is found is one of the given net, and has
 * been played there.
 *
 * @throws InputError RED001, RED004; RED002 for a condition that speaks of dead markings where the net is made smaller
 */
export function reducedSearch(
  petri: Petri,
  goal: Goal,
  method: Method,
  options: Omit<ReducedOptions, 'stubborn'> = {},
): SearchResult {
  const stubborn = method !== 'structural';
  if (method === 'stubborn') return checked(petri, goal, sized(petri, reducedExploration(petri, goal, options)));
  const condition = goal.kind === 'deadlock' ? goal.unless : goal.condition;
  if (condition !== undefined && asksDead(condition))
    fail('RED002', 'a condition of dead markings besides others is not kept by structural reduction', {
      part: `net ${petri.net.name}`,
    });
  const visible = condition === undefined ? new Set<number>() : placesOf(condition);
  const keep = goal.kind === 'deadlock' ? 'deadlock' : 'reachability';
  const smaller = structurallyReduced(petri, { keep, visible });
  const number = new Map(smaller.places.map((p, k) => [p, k]));
  const found = reducedExploration(smaller.petri, renumbered(goal, number), { ...options, stubborn });
  const way = found.way === undefined ? {} : { way: smaller.translate(found.way, goal.kind === 'deadlock') };
  return checked(petri, goal, sized(smaller.petri, { ...found, ...way }));
}

function sized({ places, transitions }: Petri, space: ReducedSpace): SearchResult {
  return { ...space, places: places.length, transitions: transitions.length };
}

/** A way that does not lead where it should would be a fault of ours: nothing is told then. */
function checked(petri: Petri, goal: Goal, result: SearchResult): SearchResult {
  if (result.way === undefined) return result;
  const moves = new PetriMoves(petri);
  const marking = moves.play(result.way);
  const wanted: Condition = goal.kind === 'reach' ? goal.condition : { op: 'dead' };
  const ends =
    marking !== undefined &&
    holdsIn(wanted, marking, moves) &&
    !(goal.kind === 'deadlock' && goal.unless !== undefined && holdsIn(goal.unless, marking, moves));
  if (!ends) throw new Error('a way of a reduced net does not lead to the goal in the given one');
  return result;
}

function renumbered(goal: Goal, number: ReadonlyMap<number, number>): Goal {
  const of = (c: Condition): Condition => {
    if (c.op === 'sum') return { ...c, sum: c.sum.map(([p, n]) => [number.get(p)!, n] as const) };
    return 'of' in c ? { ...c, of: c.of.map(of) } : c;
  };
  if (goal.kind === 'reach') return { kind: 'reach', condition: of(goal.condition) };
  return goal.unless === undefined ? goal : { kind: 'deadlock', unless: of(goal.unless) };
}

import { given } from '../../base/given.ts';
import { fail } from '../../base/problem.ts';
import type { Petri } from '../petri/petri.ts';
import type { Truncation } from '../space/state-space.ts';
import { asksDead, type Condition, holdsIn, placesOf } from './condition.ts';
import { PetriMoves } from './petri-moves.ts';
import { type Goal, ReducedExploration, type ReducedOptions, type ReducedSpace } from './reduced-exploration.ts';
import { type StructurallyReduced, structurallyReduced } from './structural/structural.ts';
import { symmetriesOf } from './symmetry/symmetries.ts';

/**
 * Reduction method: fire only stubborn sets (`stubborn`), shrink the net first (`structural`), store one marking per symmetry
 * class (`symmetry`), or all of these.
 */
export type Method = 'stubborn' | 'structural' | 'symmetry' | 'all';

export interface SearchResult extends ReducedSpace {
  /** Size of the net that was explored, after structural reduction. */
  readonly places: number;
  readonly transitions: number;
}

/**
 * Searches for a marking with one reduction method, or all. The path found is a path of the given net; it is checked by firing
 * it there.
 *
 * @throws InputError RED001, RED004; RED002 for structural reduction with a condition that contains `dead` or `alive`
 */
export function reducedSearch(
  petri: Petri,
  goal: Goal,
  method: Method,
  options: Omit<ReducedOptions, 'stubborn' | 'symmetries'> = {},
): SearchResult {
  const running = new ReducedSearch(petri, goal, method, options);
  while (running.advance(Number.POSITIVE_INFINITY));
  return running.result;
}

/** True if a method preserves the goal: structural reduction does not preserve conditions that contain `dead` or `alive`. */
export function keepsGoal(method: Method, goal: Goal): boolean {
  const condition = conditionIn(goal);
  return !(method === 'structural' || method === 'all') || condition === undefined || !asksDead(condition);
}

/** A search that can be advanced in steps. */
export class ReducedSearch {
  readonly #petri: Petri;
  readonly #goal: Goal;
  readonly #smaller: StructurallyReduced | undefined;
  readonly #running: ReducedExploration;

  /** @throws InputError RED001, RED002 */
  constructor(petri: Petri, goal: Goal, method: Method, options: Omit<ReducedOptions, 'stubborn' | 'symmetries'> = {}) {
    this.#petri = petri;
    this.#goal = goal;
    if (!keepsGoal(method, goal))
      fail('RED002', 'combines dead markings with other conditions, which structural reduction does not preserve', {
        part: `net ${petri.net.name}`,
      });
    const uses = (part: Method): boolean => method === part || method === 'all';
    let [small, wanted] = [petri, goal];
    if (uses('structural')) {
      const condition = conditionIn(goal);
      const visible = condition === undefined ? new Set<number>() : placesOf(condition);
      const keep = goal.kind === 'deadlock' ? 'deadlock' : 'reachability';
      this.#smaller = structurallyReduced(petri, { keep, visible });
      const number = new Map(this.#smaller.places.map((p, k) => [p, k]));
      [small, wanted] = [this.#smaller.petri, renumbered(goal, number)];
    }
    this.#running = new ReducedExploration(small, wanted, {
      ...options,
      stubborn: uses('stubborn'),
      ...(uses('symmetry')
        ? { symmetries: () => symmetriesOf(small, conditionIn(wanted), given(options, ['cancelled'])) }
        : {}),
    });
  }

  /**
   * Visits up to `markings` more markings; false once the answer is known or a limit is reached.
   *
   * @throws InputError RED004
   */
  advance(markings: number): boolean {
    return this.#running.advance(markings);
  }

  /** Number of markings found. */
  get states(): number {
    return this.#running.states;
  }

  /** Number of markings expanded. */
  get visited(): number {
    return this.#running.visited;
  }

  /** Memory of the stored markings in bytes. */
  get bytes(): number {
    return this.#running.bytes;
  }

  /** The limit that ended the search, if any. */
  get truncation(): Truncation | undefined {
    return this.#running.truncation;
  }

  /** The result so far. O(length of its path), which is fired once as a check. */
  get result(): SearchResult {
    const space = this.#running.space;
    const { places, transitions } = this.#smaller?.petri ?? this.#petri;
    const found = { ...space, places: places.length, transitions: transitions.length };
    if (space.path === undefined) return found;
    const path = this.#smaller?.translate(space.path, this.#goal.kind === 'deadlock') ?? space.path;
    return checked(this.#petri, this.#goal, { ...found, path });
  }
}

function conditionIn(goal: Goal): Condition | undefined {
  return goal.kind === 'deadlock' ? goal.unless : goal.condition;
}

/** Fires the path in the given net; throws if it does not end in a goal marking, which would be an internal error. */
function checked(petri: Petri, goal: Goal, result: SearchResult): SearchResult {
  if (result.path === undefined) return result;
  const moves = new PetriMoves(petri);
  const marking = moves.fireSequence(result.path);
  const wanted: Condition = goal.kind === 'reach' ? goal.condition : { op: 'dead' };
  const ends =
    marking !== undefined &&
    holdsIn(wanted, marking, moves) &&
    !(goal.kind === 'deadlock' && goal.unless !== undefined && holdsIn(goal.unless, marking, moves));
  if (!ends) throw new Error('internal error: the path of the reduced net does not lead to the goal in the given net');
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

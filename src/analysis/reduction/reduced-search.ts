import { given } from '../../base/given.ts';
import { fail } from '../../base/problem.ts';
import type { Petri } from '../space/petri.ts';
import type { Truncation } from '../space/state-space.ts';
import { asksDead, type Condition, holdsIn, placesOf } from './condition.ts';
import { PetriMoves } from './petri-moves.ts';
import { type Goal, ReducedExploration, type ReducedOptions, type ReducedSpace } from './reduced-exploration.ts';
import { type StructurallyReduced, structurallyReduced } from './structural/structural.ts';
import { symmetriesOf } from './symmetry/symmetries.ts';

/**
 * What is reduced: the firings that are followed (`stubborn`), the net itself (`structural`), markings that are images of each
 * other (`symmetry`), or all of that.
 */
export type Method = 'stubborn' | 'structural' | 'symmetry' | 'all';

export interface SearchResult extends ReducedSpace {
  /** Of the net that was explored. */
  readonly places: number;
  readonly transitions: number;
}

/**
 * Looks for a marking by one of the methods, or all; the way that is found is one of the given net, and has been played
 * there.
 *
 * @throws InputError RED001, RED004; RED002 for a condition that speaks of dead markings where the net is made smaller
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

/** Whether a method keeps what is looked for: the net is not made smaller where a condition speaks of dead markings besides others. */
export function keepsGoal(method: Method, goal: Goal): boolean {
  const condition = conditionIn(goal);
  return !(method === 'structural' || method === 'all') || condition === undefined || !asksDead(condition);
}

/** A search under way. */
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
      fail('RED002', 'a condition of dead markings besides others is not kept by structural reduction', {
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
   * Looks at up to so many more markings; false once the answer is known, or a limit is reached.
   *
   * @throws InputError RED004
   */
  advance(markings: number): boolean {
    return this.#running.advance(markings);
  }

  /** Markings that were found, and looked at; bytes that they take; why it has ended, where that was a limit. */
  get states(): number {
    return this.#running.states;
  }

  get looked(): number {
    return this.#running.looked;
  }

  get bytes(): number {
    return this.#running.bytes;
  }

  get truncation(): Truncation | undefined {
    return this.#running.truncation;
  }

  /** What was found by now. O(its way, played once). */
  get result(): SearchResult {
    const space = this.#running.space;
    const { places, transitions } = this.#smaller?.petri ?? this.#petri;
    const found = { ...space, places: places.length, transitions: transitions.length };
    if (space.way === undefined) return found;
    const way = this.#smaller?.translate(space.way, this.#goal.kind === 'deadlock') ?? space.way;
    return checked(this.#petri, this.#goal, { ...found, way });
  }
}

function conditionIn(goal: Goal): Condition | undefined {
  return goal.kind === 'deadlock' ? goal.unless : goal.condition;
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

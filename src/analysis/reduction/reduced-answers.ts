import { fail, InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { flatten } from '../petri/flatten.ts';
import type { Petri } from '../petri/petri.ts';
import type { Extent, Helper, Open } from '../properties/formula-of.ts';
import type { FoundPath } from '../properties/proof.ts';
import type { Formula } from '../properties/property.ts';
import type { Known, Unit } from '../properties/units.ts';
import type { MarkedTokens, Step } from '../space/state-space.ts';
import { holdsIn } from './condition.ts';
import { conditionOf, goalOf } from './condition-of.ts';
import { hasOneLevel } from './levels.ts';
import { PetriMoves, type Tokens } from './petri-moves.ts';
import { keepsGoal, type Method, ReducedSearch } from './reduced-search.ts';

export interface ReducedLimits {
  /** Condition on the markings in which a run may end. */
  readonly final?: Formula;
  /** Maximum number of markings per search. */
  readonly maxStates?: number;
  /** Memory limit in bytes for the markings of all searches together. */
  readonly memory?: number;
  /** Time limit in seconds for all searches and the work done between them. */
  readonly seconds?: number;
  readonly cancelled?: () => boolean;
}

/** Explored markings per marking visited by reduced searches, which take about thirty times as long per marking. */
const EXPLORED_PER_VISIT = 100;
/** Markings that reduced searches may always visit. */
const MIN_VISITS = 2000;
/** After the state limit ended the exploration: additional visits, at least this number or a quarter of the explored states. */
const MIN_FINAL_VISITS = 10_000;
const FINAL_VISIT_RATIO = 4;
/** Maximum number of concurrent searches. */
const MAX_SEARCHES = 16;
/** Markings visited per search before the next search takes its turn. */
const SLICE = 256;
/** Structural reduction and symmetries are tried only up to this number of places plus transitions. */
const MAX_NODES = 5000;
/** Symmetries are computed only after this number of markings, because computing them takes longer than most searches. */
const SYMMETRIES_FROM = 100;
/** Default memory limit of all searches, bytes. */
const MAX_BYTES = 5e8;

/**
 * Answers reachability questions (including invariants, safety and deadlock freedom) with reduced searches that run alongside
 * the exploration. The searches take turns, and together visit only a small fraction of the number of explored markings. Nets
 * that cannot be reduced are skipped.
 */
export class ReducedAnswers implements Helper {
  readonly #net: Net;
  readonly #limits: ReducedLimits;
  /** Null if the net cannot be reduced; undefined until the first call of `work`. */
  #petri: Petri | null | undefined;
  readonly #searches = new Map<Formula, { readonly search: ReducedSearch; readonly method: Method }>();
  /** Formulas whose search is over. */
  readonly #over = new Set<Formula>();
  #visited = 0;
  readonly #begun = performance.now();

  constructor(net: Net, limits: ReducedLimits = {}) {
    this.#net = net;
    this.#limits = limits;
  }

  work(open: readonly Open[], { states, ended }: Extent): void {
    if (ended !== undefined && ended !== 'states') return;
    if (this.#petri === undefined) this.#petri = reducible(this.#net);
    if (this.#petri === null) return;
    this.#drop(open);
    const { maxStates = Number.POSITIVE_INFINITY } = this.#limits;
    const max =
      ended === undefined
        ? MIN_VISITS + states / EXPLORED_PER_VISIT
        : this.#visited + Math.min(maxStates, Math.max(MIN_FINAL_VISITS, states / FINAL_VISIT_RATIO));
    for (let worked = true; worked && this.#visited < max; ) {
      worked = false;
      for (const asked of open)
        for (const unit of asked.units) {
          if (asked.settled) break;
          if (this.#visited < max) worked = this.#advance(this.#petri, asked, unit) || worked;
        }
    }
  }

  /** The searches count towards the time limit. */
  stops(): string | undefined {
    const { seconds = Number.POSITIVE_INFINITY } = this.#limits;
    return performance.now() - this.#begun > 1000 * seconds ? 'the time limit was reached' : undefined;
  }

  /** Removes searches whose questions are answered. */
  #drop(open: readonly Open[]): void {
    const wanted = new Set(open.flatMap((asked) => asked.units.map((unit) => unit.formula)));
    for (const formula of [...this.#searches.keys()]) if (!wanted.has(formula)) this.#searches.delete(formula);
  }

  /** Advances the search for one unit; false if there was nothing to do. */
  #advance(petri: Petri, asked: Open, unit: Unit): boolean {
    if (unit.kind !== 'reach' || this.#over.has(unit.formula)) return false;
    let running = this.#searches.get(unit.formula);
    if (running === undefined) {
      if (this.#searches.size >= MAX_SEARCHES) return false;
      running = this.#begin(petri, unit.goal);
      this.#searches.set(unit.formula, running);
    }
    const { search, method } = running;
    const before = search.visited;
    const more = this.#unlessUnbounded(() => search.advance(SLICE));
    this.#visited += Math.max(1, search.visited - before);
    if (more === true && this.#bytes <= (this.#limits.memory ?? MAX_BYTES)) return true;
    this.#searches.delete(unit.formula);
    this.#over.add(unit.formula);
    const known = more === undefined ? undefined : knownBy(petri, unit, search, method, this.#limits.final);
    if (known !== undefined) asked.know(unit, known);
    return true;
  }

  #begin(petri: Petri, formula: Formula): { search: ReducedSearch; method: Method } {
    const { maxStates, cancelled, final } = this.#limits;
    const goal = goalOf(petri, formula, final);
    const small = petri.places.length + petri.transitions.length <= MAX_NODES;
    const method = small && keepsGoal('all', goal) ? 'all' : 'stubborn';
    const options = {
      symmetriesFrom: SYMMETRIES_FROM,
      ...(maxStates === undefined ? {} : { maxStates }),
      ...(cancelled === undefined ? {} : { cancelled }),
    };
    return { method, search: new ReducedSearch(petri, goal, method, options) };
  }

  get #bytes(): number {
    let sum = 0;
    for (const { search } of this.#searches.values()) sum += search.bytes;
    return sum;
  }

  #unlessUnbounded(run: () => boolean): boolean | undefined {
    try {
      return run();
    } catch (e) {
      if (e instanceof InputError) return undefined;
      throw e;
    }
  }
}

/** The answer of a finished search for one unit; undefined if the search hit a limit. */
export function knownBy(
  petri: Petri,
  unit: Unit & { readonly kind: 'reach' },
  search: ReducedSearch,
  method: Method,
  final: Formula | undefined,
): Known | undefined {
  const { reached, path, states, edges } = search.result;
  if (reached === undefined) return undefined;
  return {
    value: reached === unit.found,
    ground: { kind: 'reduced space', method, states, edges },
    ...(path === undefined ? {} : { path: petriPath(petri, path, { final }) }),
  };
}

/** The unfolded net, or null if it cannot be unfolded or has priorities. */
export function reducible(net: Net): Petri | null {
  try {
    const petri = flatten(net);
    return hasOneLevel(petri) ? petri : null;
  } catch (e) {
    if (e instanceof InputError) return null;
    throw e;
  }
}

/**
 * The unfolded net.
 *
 * @throws InputError RED005 if the net cannot be unfolded, with the place and the reason
 */
export function reduciblePetri(net: Net): Petri {
  try {
    return flatten(net);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    const { message, place } = e.problems[0]!;
    return fail(
      'RED005',
      `cannot be reduced: ${message.replace(/\.$/, '')}. Verify it without reduction (--reduce none).`,
      place ?? {},
    );
  }
}

interface PetriPathOptions {
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

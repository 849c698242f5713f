import { fail, InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import type { Extent, Helper, Open } from '../properties/helper.ts';
import type { Formula } from '../properties/property.ts';
import type { Known, Unit } from '../properties/units.ts';
import { flatten } from '../space/flatten.ts';
import type { Petri } from '../space/petri.ts';
import { goalOf } from './goal-of.ts';
import { hasOneLevel } from './levels.ts';
import { petriWay } from './petri-way.ts';
import { keepsGoal, type Method, ReducedSearch } from './reduced-search.ts';

export interface ReducedLimits {
  /** Which markings a run may end in. */
  readonly final?: Formula;
  /** Most markings of a search. */
  readonly maxStates?: number;
  /** Most bytes of the markings of all searches together. */
  readonly memory?: number;
  /** Most seconds of all searches and of what else goes on meanwhile. */
  readonly seconds?: number;
  readonly cancelled?: () => boolean;
}

/** Explored markings to each that is looked at in reduced nets, which takes some thirty times as long. */
const RATIO = 100;
/** That many may be looked at in any case. */
const FIRST = 2000;
/** Where the limit of states has ended the exploration: so many more, or a quarter of what was explored. */
const LAST = 10_000;
const LAST_RATIO = 4;
/** Searches that are under way together. */
const MOST_SEARCHES = 16;
const SLICE = 256;
/** Larger nets are not made smaller on suspicion. */
const MOST_NODES = 5000;
/** Symmetries take longer to be found than most answers. */
const SYMMETRIES_FROM = 100;
const MOST_BYTES = 5e8;

/**
 * Answers what a reduction keeps beside an exploration, whatever the net is: reached markings, and so invariants, safety and
 * freedom of deadlocks. The searches go on in turn, and never look at more markings than a small share of what is
 * explored; a net that cannot be reduced is let alone.
 */
export class ReducedAnswers implements Helper {
  readonly #net: Net;
  readonly #limits: ReducedLimits;
  /** Null where there is none. */
  #petri: Petri | null | undefined;
  readonly #searches = new Map<Formula, { readonly search: ReducedSearch; readonly method: Method }>();
  /** Parts that were given up. */
  readonly #over = new Set<Formula>();
  #looked = 0;
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
    const most =
      ended === undefined
        ? FIRST + states / RATIO
        : this.#looked + Math.min(maxStates, Math.max(LAST, states / LAST_RATIO));
    for (let worked = true; worked && this.#looked < most; ) {
      worked = false;
      for (const asked of open)
        for (const unit of asked.units) {
          if (asked.settled) break;
          if (this.#looked < most) worked = this.#advance(this.#petri, asked, unit) || worked;
        }
    }
  }

  /** What the searches take is part of the time that is allowed. */
  stops(): string | undefined {
    const { seconds = Number.POSITIVE_INFINITY } = this.#limits;
    return performance.now() - this.#begun > 1000 * seconds ? 'the limit of time was reached' : undefined;
  }

  /** Ends searches whose questions have an answer. */
  #drop(open: readonly Open[]): void {
    const wanted = new Set(open.flatMap((asked) => asked.units.map((unit) => unit.formula)));
    for (const formula of [...this.#searches.keys()]) if (!wanted.has(formula)) this.#searches.delete(formula);
  }

  /** Works on a part for a while; false where there was nothing to do. */
  #advance(petri: Petri, asked: Open, unit: Unit): boolean {
    if (unit.kind !== 'reach' || this.#over.has(unit.formula)) return false;
    let running = this.#searches.get(unit.formula);
    if (running === undefined) {
      if (this.#searches.size >= MOST_SEARCHES) return false;
      running = this.#begin(petri, unit.goal);
      this.#searches.set(unit.formula, running);
    }
    const { search, method } = running;
    const before = search.looked;
    const more = this.#unlessUnbounded(() => search.advance(SLICE));
    this.#looked += Math.max(1, search.looked - before);
    if (more === true && this.#bytes <= (this.#limits.memory ?? MOST_BYTES)) return true;
    this.#searches.delete(unit.formula);
    this.#over.add(unit.formula);
    const known = more === undefined ? undefined : knownBy(petri, unit, search, method, this.#limits.final);
    if (known !== undefined) asked.know(unit, known);
    return true;
  }

  #begin(petri: Petri, formula: Formula): { search: ReducedSearch; method: Method } {
    const { maxStates, cancelled, final } = this.#limits;
    const goal = goalOf(petri, formula, final);
    const small = petri.places.length + petri.transitions.length <= MOST_NODES;
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

/** What a search has found of a part; undefined where it was cut short. */
export function knownBy(
  petri: Petri,
  unit: Unit & { readonly kind: 'reach' },
  search: ReducedSearch,
  method: Method,
  final: Formula | undefined,
): Known | undefined {
  const { reached, way, states, edges } = search.result;
  if (reached === undefined) return undefined;
  return {
    value: reached === unit.found,
    ground: { kind: 'reduced space', method, states, edges },
    ...(way === undefined ? {} : { way: petriWay(petri, way, { final }) }),
  };
}

/** The net without colours, if there is one that can be reduced. */
function reducible(net: Net): Petri | null {
  try {
    const petri = flatten(net);
    return hasOneLevel(petri) ? petri : null;
  } catch (e) {
    if (e instanceof InputError) return null;
    throw e;
  }
}

/**
 * The net without colours.
 *
 * @throws InputError RED005 where there is none, with the place and the reason
 */
export function reduciblePetri(net: Net): Petri {
  try {
    return flatten(net);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    const { message, place } = e.problems[0]!;
    return fail(
      'RED005',
      `is not reduced: ${message.replace(/\.$/, '')}. Verify it without reduction (--reduce none).`,
      place ?? {},
    );
  }
}

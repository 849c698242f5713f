import { fail } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { ENOUGH_STATES, unboundedPlace } from '../coverability/unbounded-place.ts';
import type { Question } from '../properties/formula-of.ts';
import type { Helper, Open } from '../properties/helper.ts';
import { unitsOf } from '../properties/units.ts';
import type { Petri } from '../space/petri.ts';
import type { Truncation } from '../space/state-space.ts';
import { goalOf } from './goal-of.ts';
import { assertOneLevel } from './levels.ts';
import { knownBy, type ReducedLimits, reduciblePetri } from './reduced-answers.ts';
import { keepsGoal, type Method, ReducedSearch } from './reduced-search.ts';

export interface ReducedOnlyOptions extends ReducedLimits {
  /** Whether the user has set an end to searches. */
  readonly limited?: boolean;
  /** Told every so many markings: of the search that is under way, and seconds of all. */
  readonly progress?: (now: { readonly states: number; readonly expanded: number; readonly seconds: number }) => void;
}

/** A question and what it is called. */
interface Named {
  readonly id: string;
  readonly question: Question;
}

const WORDS: Readonly<Record<Truncation, string>> = {
  states: 'the limit of states was reached',
  memory: 'the limit of memory was reached',
  time: 'the limit of time was reached',
  interrupted: 'ended by request',
};

/**
 * Answers questions by searches of reduced nets alone. Each has the limits of states and memory to itself; time is for all.
 */
export class ReducedOnly implements Helper {
  readonly #petri: Petri;
  readonly #method: Method;
  readonly #options: ReducedOnlyOptions;

  /**
   * @throws InputError RED001 for a net with priorities, RED002 a property that the method does not keep, RED005 a net that
   * cannot be taken apart
   */
  constructor(net: Net, questions: readonly Named[], method: Method, options: ReducedOnlyOptions = {}) {
    this.#method = method;
    this.#options = options;
    for (const { id, question } of questions) assertOfMarkings(id, question);
    this.#petri = reduciblePetri(net);
    assertOneLevel(this.#petri);
    for (const { id, question } of questions) this.#assertKept(id, question);
  }

  work(open: readonly Open[]): void {
    const { seconds = Number.POSITIVE_INFINITY, final, progress, limited: _, ...limits } = this.#options;
    const begun = performance.now();
    const spent = (): number => (performance.now() - begun) / 1000;
    for (const asked of open) {
      let states = 0;
      for (const unit of asked.units) {
        if (asked.settled || unit.kind !== 'reach') continue;
        const search = new ReducedSearch(this.#petri, goalOf(this.#petri, unit.goal, final), this.#method, {
          ...limits,
          ...(seconds === Number.POSITIVE_INFINITY ? {} : { seconds: Math.max(0, seconds - spent()) }),
          ...(progress === undefined
            ? {}
            : { progress: (states, expanded) => progress({ states, expanded, seconds: spent() }) }),
        });
        const endless = this.#toItsEnd(search);
        const known = knownBy(this.#petri, unit, search, this.#method, final);
        states += search.states;
        const why = endless ?? WORDS[search.truncation ?? 'interrupted'];
        if (known === undefined) asked.because(why, states);
        else asked.know(unit, known);
      }
    }
  }

  /** Searches until there is an answer or a limit; or, where there is none, no end is to be hoped for: then why. */
  #toItsEnd(search: ReducedSearch): string | undefined {
    const { limited = false, cancelled } = this.#options;
    if (!search.advance(ENOUGH_STATES)) return undefined;
    const place = limited ? undefined : unboundedPlace(this.#petri, cancelled);
    if (place !== undefined) return `no end is to be hoped for: place ${place} is unbounded`;
    while (search.advance(Number.POSITIVE_INFINITY));
    return undefined;
  }

  #assertKept(id: string, question: Question): void {
    if (question.kind !== 'formula') return;
    for (const unit of unitsOf(question.formula).values())
      if (unit.kind === 'reach' && !keepsGoal(this.#method, goalOf(this.#petri, unit.goal, this.#options.final)))
        fail(
          'RED002',
          'asks for dead markings or others, which is not kept where the net is made smaller. Verify it with stubborn sets or symmetries (--reduce stubborn, --reduce symmetry), or without reduction (--reduce none).',
          { part: `property ${id}` },
        );
  }
}

/** @throws InputError RED002 a question of paths, liveness or numbers */
function assertOfMarkings(id: string, question: Question): void {
  const kept =
    question.kind === 'formula' &&
    [...unitsOf(question.formula).values()].every((unit) => unit.kind === 'now' || unit.kind === 'reach');
  if (kept) return;
  const what = question.kind === 'formula' ? 'is of paths or liveness' : 'asks for numbers of tokens';
  fail(
    'RED002',
    `${what}, which a reduction does not keep: it keeps which markings are reached. Verify it without reduction (--reduce none).`,
    { part: `property ${id}` },
  );
}

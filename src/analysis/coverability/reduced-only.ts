import { fail } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import type { Petri } from '../petri/petri.ts';
import type { Helper, Open, Question } from '../properties/formula-of.ts';
import { unitsOf } from '../properties/units.ts';
import { goalOf } from '../reduction/condition-of.ts';
import { assertOneLevel } from '../reduction/levels.ts';
import { knownBy, type ReducedLimits, reduciblePetri } from '../reduction/reduced-answers.ts';
import { keepsGoal, type Method, ReducedSearch } from '../reduction/reduced-search.ts';
import type { Truncation } from '../space/state-space.ts';
import { ENOUGH_STATES, unboundedPlace, unboundedText } from './boundedness.ts';

export interface ReducedOnlyOptions extends ReducedLimits {
  /** True if the user limited the searches. */
  readonly limited?: boolean;
  /** Called at regular numbers of markings; counts are those of the current search, seconds those of all searches. */
  readonly progress?: (now: { readonly states: number; readonly expanded: number; readonly seconds: number }) => void;
}

/** A question with its identifier. */
interface Named {
  readonly id: string;
  readonly question: Question;
}

const WORDS: Readonly<Record<Truncation, string>> = {
  states: 'the state limit was reached',
  memory: 'the memory limit was reached',
  time: 'the time limit was reached',
  interrupted: 'ended by request',
};

/**
 * Answers questions by reduced searches only. Each search has its own limits of states and memory; the time limit is shared.
 */
export class ReducedOnly implements Helper {
  readonly #petri: Petri;
  readonly #method: Method;
  readonly #options: ReducedOnlyOptions;

  /**
   * @throws InputError RED001 for a net with priorities, RED002 for a property that the method does not preserve, RED005 for a
   * net that cannot be unfolded
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
    const { seconds = Number.POSITIVE_INFINITY, final, progress, cancelled, limited: _, ...limits } = this.#options;
    const begun = performance.now();
    const spent = (): number => (performance.now() - begun) / 1000;
    for (const asked of open) {
      let states = 0;
      for (const unit of asked.units) {
        if (asked.settled || unit.kind !== 'reach') continue;
        const search = new ReducedSearch(this.#petri, goalOf(this.#petri, unit.goal, final), this.#method, {
          ...limits,
          // Preparations, as of symmetries, only poll this.
          cancelled: () => cancelled?.() === true || spent() > seconds,
          ...(seconds === Number.POSITIVE_INFINITY ? {} : { seconds: Math.max(0, seconds - spent()) }),
          ...(progress === undefined
            ? {}
            : { progress: (states, expanded) => progress({ states, expanded, seconds: spent() }) }),
        });
        const endless = this.#toItsEnd(search);
        const known = knownBy(this.#petri, unit, search, this.#method, final);
        states += search.states;
        const isLate = search.truncation === 'interrupted' && cancelled?.() !== true;
        const why = endless ?? WORDS[isLate ? 'time' : (search.truncation ?? 'interrupted')];
        if (known === undefined) asked.because(why, states);
        else asked.know(unit, known);
      }
    }
  }

  /** Searches until an answer or a limit. Returns a reason if the user set no limit and the net turns out to be unbounded. */
  #toItsEnd(search: ReducedSearch): string | undefined {
    const { limited = false, cancelled } = this.#options;
    if (!search.advance(ENOUGH_STATES)) return undefined;
    const place = limited ? undefined : unboundedPlace(this.#petri, cancelled);
    if (place !== undefined) return `the search cannot end: ${unboundedText(place)}`;
    while (search.advance(Number.POSITIVE_INFINITY));
    return undefined;
  }

  #assertKept(id: string, question: Question): void {
    if (question.kind !== 'formula') return;
    for (const unit of unitsOf(question.formula).values())
      if (unit.kind === 'reach' && !keepsGoal(this.#method, goalOf(this.#petri, unit.goal, this.#options.final)))
        fail(
          'RED002',
          'combines dead markings with other conditions, which structural reduction does not preserve. Verify it with stubborn sets or symmetries (--reduce stubborn, --reduce symmetry), or without reduction (--reduce none).',
          { part: `property ${id}` },
        );
  }
}

/** @throws InputError RED002 for a question about paths, liveness or token counts */
function assertOfMarkings(id: string, question: Question): void {
  const kept =
    question.kind === 'formula' &&
    [...unitsOf(question.formula).values()].every((unit) => unit.kind === 'now' || unit.kind === 'reach');
  if (kept) return;
  const subject = question.kind === 'formula' ? 'is about paths or liveness' : 'asks for token counts';
  fail(
    'RED002',
    `${subject}, which a reduction does not preserve: it preserves only reachability of markings. Verify it without reduction (--reduce none).`,
    { part: `property ${id}` },
  );
}

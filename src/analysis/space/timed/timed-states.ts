import type { Net } from '../../../net/net.ts';
import type { FinalMarkings } from '../degrees.ts';
import { GeneralSpace } from '../general/general-space.ts';
import type { PossibleStep } from '../general/steps.ts';
import type { Step } from '../state-space.ts';
import { Independence } from './independence.ts';
import type { TimeGrid } from './time-grid.ts';
import { type TimedSection, timedSections } from './timing.ts';

const MAX_STATES = 2 ** 31 - 1;

/** How a run goes on from a timed state. */
export type Continuation =
  | { readonly kind: 'final' | 'dead' }
  /** A firing or a completion, which takes no time. */
  | { readonly kind: 'steps'; readonly targets: readonly number[] }
  /** Nothing can happen before this time has passed. */
  | { readonly kind: 'passes'; readonly target: number; readonly units: number };

/** The rates of tokens depend on each other, so that delays are not constant. */
export class DelaysDepend extends Error {}

/** No further marking can be stored. */
export class MemoryExhausted extends Error {}

/**
 * Timed states of a net with constant delays: a marking, and the time that each firing in progress and each token in service
 * has left. The rules of an instant are those of runs (S10), without its order: all completions that are due in any order;
 * then any start of the highest priority; if none is enabled, time passes until the next completion.
 */
export class TimedStates {
  readonly space: GeneralSpace;
  readonly #grid: TimeGrid;
  readonly #sections: readonly TimedSection[];
  readonly #inTurn: ReadonlySet<number>;
  readonly #isFinal: () => boolean;
  readonly #independence: Independence | undefined;
  readonly #numbers = new Map<string, number>();
  readonly #marking: number[] = [];
  /** By timed state: times left, in the order of sections, then of colours, then ascending. */
  readonly #left: Float64Array[] = [];
  /** Times left of the state being continued, by section and colour, ascending. */
  #timers = new Map<string, number[]>();

  /**
   * @param final the dead markings in which runs may end; default: all
   * @param reduced false: every order of steps whose order does not matter is followed, too
   */
  constructor(net: Net, grid: TimeGrid, final?: FinalMarkings, reduced = true) {
    this.space = new GeneralSpace(net, 'breadth');
    this.#grid = grid;
    this.#independence = reduced ? new Independence(this.space) : undefined;
    this.#sections = timedSections(this.space);
    this.#inTurn = new Set(this.#sections.filter((s) => s.inTurn).map((s) => s.section.number));
    this.#isFinal = final === undefined ? () => true : this.#finalTest(final);
    this.#add(0, this.#leftIn(0));
  }

  get count(): number {
    return this.#marking.length;
  }

  /** The steps or the time by which runs go on; new timed states are numbered. @throws GridChanged, DelaysDepend, MemoryExhausted, InputError */
  continuation(state: number): Continuation {
    const marking = this.#marking[state]!;
    const { current } = this.space;
    const steps = this.steps(state);
    if (steps.length > 0) return { kind: 'steps', targets: steps.map(({ target }) => target) };
    const left = this.#left[state]!;
    this.space.open(marking);
    if (left.length === 0) return { kind: this.#isFinal() ? 'final' : 'dead' };
    for (const { delayed } of this.#sections) {
      const why = delayed?.(current);
      if (why !== undefined) throw new DelaysDepend(why);
    }
    const units = left.reduce((least, one) => Math.min(least, one));
    const last = units + this.#grid.tolerance;
    const target = this.#add(
      marking,
      left.map((one) => (one <= last ? 0 : one - units)),
    );
    return { kind: 'passes', target, units };
  }

  /**
   * The steps that are possible before time passes, with their targets.
   *
   * @param describe true: also the steps themselves
   */
  steps(state: number, describe = false): { readonly target: number; readonly step?: Step }[] {
    const { space } = this;
    const { steps, store, encoder, current } = space;
    space.open(this.#marking[state]!);
    this.#readTimers(state);
    const found: { key: string | undefined; marking: number; step?: Step }[] = [];
    const targets = (): { readonly target: number; readonly step?: Step }[] =>
      found.map(({ key, marking, ...step }) => ({ target: this.#add(marking, this.#leftIn(marking, key)), ...step }));
    const follow = (possible: PossibleStep, key?: string): void => {
      const step = describe ? { step: space.described(possible) } : {};
      steps.apply(possible, true);
      encoder.write(current, steps.edits);
      const marking = store.add(encoder.bytes, encoder.length, MAX_STATES);
      if (marking < 0) throw new MemoryExhausted();
      found.push({ key, marking, ...step });
    };
    if (this.#left[state]!.includes(0)) {
      const eachDue = (isOne: (possible: PossibleStep) => boolean): boolean =>
        steps.eachCompletion((possible) => {
          const key = this.#key(possible.section!.number, possible.colour);
          if (this.#timers.get(key)?.[0] !== 0 || !isOne(possible)) return false;
          follow(possible, key);
          return this.#independence?.isFree(possible) === true;
        });
      if (!(this.#independence !== undefined && eachDue((possible) => this.#independence!.isFree(possible))))
        eachDue(() => true);
      return targets();
    }
    const alone = this.#aloneStart();
    if (alone >= 0) {
      let k = 0;
      steps.eachStart((possible) => {
        if (k++ < alone) return false;
        follow(possible);
        return true;
      });
      const left = this.#leftIn(found[0]!.marking);
      // A firing that ends at once precedes all other starts.
      if (!left.includes(0)) return targets();
      found.length = 0;
      space.open(this.#marking[state]!);
    }
    steps.eachStart((possible) => {
      follow(possible);
      return false;
    });
    return targets();
  }

  /** Among the starts of the opened marking, the number of one that may be followed alone; −1 if no start is independent of the others. */
  #aloneStart(): number {
    if (this.#independence === undefined) return -1;
    const { steps } = this.space;
    const takers = new Map<string, number>();
    const candidates: (readonly string[] | undefined)[] = [];
    steps.eachStart((possible) => {
      const taken: string[] = [];
      steps.eachTaken(possible.rule!, (section, colour) => taken.push(`${section} ${colour}`));
      for (const key of taken) takers.set(key, (takers.get(key) ?? 0) + 1);
      candidates.push(this.#independence!.mayBeAlone(possible) ? taken : undefined);
      return false;
    });
    return candidates.findIndex((taken) => taken?.every((key) => takers.get(key) === 1));
  }

  /** Times left in a marking that was reached by a step: new tokens and firings begin, that of `without` has ended. */
  #leftIn(marking: number, without?: string): Float64Array {
    const left: number[] = [];
    this.#eachTimed(marking, (key, colour, count, { seconds }) => {
      const known = this.#timers.get(key) ?? [];
      const kept = key === without ? known.slice(1) : known;
      const begun = count - kept.length;
      const all = begun > 0 ? [...kept, ...new Array<number>(begun).fill(this.#grid.units(seconds(colour)))] : kept;
      left.push(...all.toSorted((a, b) => a - b));
    });
    return Float64Array.from(left);
  }

  #readTimers(state: number): void {
    const left = this.#left[state]!;
    this.#timers = new Map();
    let at = 0;
    this.#eachTimed(this.#marking[state]!, (key, _, count) => {
      this.#timers.set(key, Array.from(left.subarray(at, at + count)));
      at += count;
    });
  }

  #eachTimed(marking: number, visit: (key: string, colour: number, count: number, of: TimedSection) => void): void {
    const { current } = this.space;
    this.space.open(marking);
    for (const timed of this.#sections) {
      const { number } = timed.section;
      const start = current.start[number]!;
      const end = current.end[number]!;
      if (start === end) continue;
      if (timed.inTurn) visit(this.#key(number), current.ids[start]!, 1, timed);
      else
        for (let run = start; run < end; run++)
          visit(this.#key(number, current.ids[run]!), current.ids[run]!, current.counts[run]!, timed);
    }
  }

  /** Tokens served in turn share one timer, whatever their colours. */
  #key(section: number, colour?: number): string {
    return colour === undefined || this.#inTurn.has(section) ? `${section}` : `${section} ${colour}`;
  }

  #add(marking: number, left: Float64Array): number {
    const key = `${marking}:${left.join()}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const state = this.#marking.length;
    this.#numbers.set(key, state);
    this.#marking.push(marking);
    this.#left.push(left);
    return state;
  }

  #finalTest(final: FinalMarkings): () => boolean {
    const markings = 'places' in final ? [[final]] : final;
    const { sections, current } = this.space;
    const conditions = markings.map((all) =>
      all.map(({ places, tokens }) => ({
        numbers: sections.all.filter((s) => s.kind !== 'busy' && places.includes(s.node)).map((s) => s.number),
        tokens,
      })),
    );
    return () =>
      conditions.some((all) =>
        all.every(({ numbers, tokens }) => numbers.reduce((sum, number) => sum + current.sum(number), 0) === tokens),
      );
  }
}

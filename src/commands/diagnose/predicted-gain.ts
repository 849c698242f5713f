import type { FindingCause } from '../../analysis/diagnosis/causes.ts';
import {
  type Cut,
  dynamicSchedule,
  type NamedChange,
  scaledGrain,
  spawnedByHalves,
} from '../../models/threads/program/changes.ts';

/** Maximum number of grains that are tried of one cut. */
const MAX_GRAINS = 24;
/** Chunks of a thread that are tried for a dynamic schedule. */
const CHUNKS = [4, 16, 64] as const;
/** A change is an improvement if it saves this share of the region's time. */
const SMALLEST = 0.01;

/** A changed program: a change of its statements, or another number of workers. */
export type Variant = { readonly text: string } & (Pick<NamedChange, 'change'> | { readonly workers: number });

/** The best change that was tried, and the seconds that it saves; or why there is none. */
export type Gain = { readonly change: string; readonly seconds: number } | { readonly reason: string };

/** A region of a thread program, and how to run variants of the program. */
export interface GainQuestion {
  readonly cuts: readonly Cut[];
  readonly workers: number;
  /** Run time of the program as it is, in seconds. */
  readonly time: number;
  /** Seconds of the region in it. */
  readonly regionTime: number;
  /** Run time of a variant; undefined if it cannot be run, {@link OTHER_WORK} if it is not the same program any more. */
  timeOf(variant: Variant): number | typeof OTHER_WORK | undefined;
}

/** A variant that does other work than the program: its run time says nothing about the change. */
export const OTHER_WORK = 'other work';

/**
 * What removing a cause saves, by running changed programs: a larger grain for `fine-grain`, recursive spawning for
 * `linear-spawning`, a smaller grain or fewer workers for `too-few-tasks`, a smaller grain or a dynamic schedule for
 * `excessive-waiting`. Grains are doubled or halved until the run time stops improving; an improvement saves 1 % of the region's time.
 */
export function predictedGain(cause: FindingCause, question: GainQuestion): Gain {
  const { cuts, workers } = question;
  const search = new Search(question);
  const tasks = cuts.filter(({ hasGrain }) => hasGrain);
  switch (cause) {
    case 'fine-grain':
      for (const cut of tasks) search.along((k) => scaledGrain(cut, 2 ** k));
      break;
    case 'linear-spawning':
      for (const cut of cuts) if (cut.isLinear) search.tries(spawnedByHalves(cut));
      break;
    case 'too-few-tasks':
      smallerGrains(search, tasks);
      if (!search.improves) search.along((k) => fewerWorkers(workers, k));
      break;
    case 'excessive-waiting':
      smallerGrains(search, tasks);
      for (const cut of cuts)
        if (cut.kind === 'loop' && cut.schedule !== 'dynamic' && cut.schedule !== 'tasks')
          for (const chunks of CHUNKS) search.tries(dynamicSchedule(cut, chunks));
      break;
    case 'unknown':
      break;
  }
  return search.result(MISSING[cause]);
}

/** Why no change applies. */
const MISSING: Readonly<Record<FindingCause, string>> = {
  'fine-grain': 'the region has no loop whose grain can be changed',
  'linear-spawning': 'the region has no loop that only spawns tasks',
  'too-few-tasks': 'the region has no loop with a grain above 1, and the pool has one worker',
  'excessive-waiting': 'the region has no loop with a grain above 1 or a schedule that can be changed',
  unknown: 'no change is known for overhead of unknown cause',
};

function smallerGrains(search: Search, cuts: readonly Cut[]): void {
  for (const cut of cuts) {
    const most = cut.grain === undefined ? MAX_GRAINS : Math.ceil(Math.log2(cut.grain));
    search.along((k) => (k > most ? undefined : scaledGrain(cut, 2 ** -k)));
  }
}

function fewerWorkers(workers: number, halvings: number): Variant | undefined {
  const fewer = Math.floor(workers / 2 ** halvings);
  return fewer < 1 ? undefined : { text: `workers: ${workers} → ${fewer}`, workers: fewer };
}

/** The fastest of the variants tried so far. */
class Search {
  readonly #question: GainQuestion;
  #best: { readonly time: number; readonly text: string } | undefined;
  #tried = 0;
  /** The first variant that was refused because it does other work. */
  #refused: string | undefined;

  constructor(question: GainQuestion) {
    this.#question = question;
  }

  get improves(): boolean {
    return this.#best !== undefined;
  }

  /** Tries variants k = 1, 2, … until two in a row are not faster than the best of them, or there are no more. */
  along(variant: (k: number) => Variant | undefined): void {
    let fastest = Number.POSITIVE_INFINITY;
    for (let [k, worse] = [1, 0]; k <= MAX_GRAINS && worse < 2; k++) {
      const next = variant(k);
      const time = next === undefined ? undefined : this.tries(next);
      if (time === undefined) return;
      worse = this.#isShorter(time, fastest) ? 0 : worse + 1;
      fastest = Math.min(fastest, time);
    }
  }

  /** The run time of a variant; undefined if it cannot be run. */
  tries(variant: Variant): number | undefined {
    const time = this.#question.timeOf(variant);
    if (time === OTHER_WORK) {
      this.#refused ??= variant.text;
      return undefined;
    }
    this.#tried++;
    if (time !== undefined && this.#isShorter(time, this.#best?.time ?? this.#question.time))
      this.#best = { time, text: variant.text };
    return time;
  }

  #isShorter(time: number, than: number): boolean {
    return than - time >= SMALLEST * this.#question.regionTime;
  }

  result(missing: string): Gain {
    if (this.#best !== undefined) return { change: this.#best.text, seconds: this.#question.time - this.#best.time };
    if (this.#refused !== undefined)
      return {
        reason: `${this.#refused} would change the work of the program: what the body does must follow from its iterations, as in s.count * seconds`,
      };
    if (this.#tried === 0) return { reason: missing };
    return { reason: `none of the ${this.#tried} changes tried shortens the run` };
  }
}

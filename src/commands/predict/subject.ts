import type { Place } from '../../base/problem.ts';
import type { ChromeTrace } from '../../trace/chrome.ts';
import type { RunRecorder } from '../../trace/run/run-recorder.ts';
import type { IntervalPlace } from '../../trace/run/run-schema.ts';
import type { Explorable } from '../exact/explorable.ts';
import type { Target } from '../inputs/target.ts';
import type { PredictOptions } from './options.ts';
import type { PredictionDocument } from './prediction.ts';

/** Outputs of a run besides its document: slices of a Chrome trace, and rows of a run record. */
export interface Writers {
  readonly chrome?: ChromeTrace;
  readonly recorder?: RunRecorder;
}

/**
 * An input that is ready to run: a trace, a program of ranks or threads on its machine, or a net. Each kind has one factory, which
 * provides the net, the observers of its firings, the blocked processes at the end, and the figures.
 */
export interface Subject {
  /** Name of the model, the net or the trace, as run records show it. */
  readonly name: string;
  /** The subject in messages: `model "ring"`. */
  readonly called: string;
  readonly options: PredictOptions;
  /** Files that were read and modules that were loaded: outputs must be others. */
  readonly files: readonly (string | undefined)[];
  /** The machine, and the host of each rank or worker; absent for nets, which have no run record. */
  readonly hosts?: { readonly target: Target; readonly placement: Int32Array };
  /** Source places of the intervals, for run records; `loops`: loops are intervals, too. */
  readonly sites?: (loops: boolean) => readonly IntervalPlace[];
  /** True if runs draw random numbers, apart from ties. */
  readonly draws: boolean;
  /** For a subject that draws none: the condition for this, as in ` on this machine`. */
  readonly exact: string;
  /** Place of problems of the whole subject. */
  readonly place?: Place | undefined;
  /** Runs need not come to an end: the requested number of steps is one, and the firings of the transitions are figures. */
  readonly isOpenEnded?: true;
  /**
   * Compiles the net once. The function returned runs a replication: replication k draws the random numbers of (seed, k),
   * independent of earlier runs.
   *
   * @throws InputError of the net; the function returned: of its run
   */
  runs(writers?: Writers): (replication: number) => PredictionDocument;
  /** The document with a warning if ties decide its figures; needs more runs. Absent if the kind has no such ties. */
  tied?(document: PredictionDocument): PredictionDocument;
  /** The net for figures of all runs. Absent if the kind has none. */
  explorable?(): Explorable;
  /**
   * The same input on another machine, while this subject is open: its files are not read again. Undefined if they must be; absent if
   * the kind has none.
   *
   * @throws InputError all problems of the machine
   */
  on?(options: PredictOptions): Subject | undefined;
  /** Closes the files that are open until the last run. */
  close?(): void;
}

type Methods<S> = {
  readonly [K in keyof S]-?: NonNullable<S[K]> extends (...args: never[]) => void ? K : never;
}[keyof S];

/**
 * One sink for a Chrome trace and a run record; the one that exists, if only one does. The record then passes its calls on.
 *
 * @param names the calls that both take; the record gets all others
 */
export function bothSinks<S extends object>(
  names: readonly Methods<S>[],
  chrome: S | undefined,
  record: S | undefined,
): S | undefined {
  if (chrome === undefined || record === undefined) return record ?? chrome;
  type Calls = Record<Methods<S>, (...args: unknown[]) => void>;
  const [first, second] = [chrome as unknown as Calls, record as unknown as Calls];
  for (const name of names) {
    const own = second[name].bind(second);
    second[name] = (...args) => {
      first[name](...args);
      own(...args);
    };
  }
  return record;
}

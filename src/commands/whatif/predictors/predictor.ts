import type { Problem } from '../../../base/problem.ts';
import type { JobFigures, PredictionDocument } from '../../predict/prediction.ts';
import type { Scenario } from '../axes/grid.ts';
import { JOB_END, JOB_TIME } from '../axes/study-axes.ts';
import type { ScenarioFigure, WorkerTimes } from '../whatif-result.ts';
import { workerTimes } from './worker-times.ts';

/** Result of a predicted scenario; plain data, because worker threads send it. */
export interface Outcome {
  /** Run time in seconds; with replications, their mean. Absent for figures of the long run. */
  readonly runTime?: number;
  /** False if the run was stopped before the program ended. */
  readonly complete: boolean;
  /** Number of deadlocked ranks; 0 if the program ends. */
  readonly blocked: number;
  /** Further figures to compare, by name; every scenario has the same names. */
  readonly figures: Readonly<Record<string, ScenarioFigure>>;
  /** Run time of every replication, in seconds. Replication k draws the same random numbers in all scenarios. */
  readonly replications?: readonly number[];
  /** Values of further figures in every replication, by name, for paired differences. */
  readonly samples?: Readonly<Record<string, readonly number[]>>;
  /** Thread models: seconds of the workers by activity. */
  readonly times?: WorkerTimes;
  /** Warnings of the prediction. */
  readonly warnings?: readonly Problem[];
  /** Limitations of the result. */
  readonly notes?: readonly Problem[];
}

/**
 * Predicts a scenario. The result depends on the scenario only, not on earlier predictions or on the thread.
 *
 * Throws an `InputError` for an impossible scenario, such as more ranks than cores; the other scenarios are still predicted.
 */
export type Predictor = (scenario: Scenario) => Outcome | Promise<Outcome>;

/** Limits a predictor to `max` concurrent scenarios; others wait in FIFO order. */
export function limited(predict: Predictor, max: number): (scenario: Scenario) => Promise<Outcome> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (scenario) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await predict(scenario);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

/** Returns the result of `work`; if `signal` aborts first, throws the signal's reason without waiting. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

type Part = 'computing' | 'memory' | 'overhead' | 'communicating' | 'waiting' | 'idle';

/** The run time and the end of a job of several programs; nothing for one that does not end. */
function timesOfJob({ name, runTime, end }: JobFigures): Outcome['figures'] {
  if (runTime === null || end === null) return {};
  return { [JOB_TIME + name]: { value: runTime, unit: 's' }, [JOB_END + name]: { value: end, unit: 's' } };
}

/** Reduces a prediction to the figures of a study. Times of ranks, or workers, are averaged over them. */
export function outcomeOf(document: PredictionDocument): Outcome {
  const { figures, complete, deadlock, warnings, because = [], replications } = document;
  const times = workerTimes(document);
  const notes = [...because, ...(document.notes ?? [])];
  const all: readonly Partial<Record<Part, number | null>>[] = document.workers ?? document.ranks;
  const mean = (part: Part): Outcome['figures'] => {
    if (all.length === 0 || all.some((one) => (one[part] ?? null) === null)) return {};
    return { [part]: { value: all.reduce((sum, one) => sum + one[part]!, 0) / all.length, unit: 's' } };
  };
  return {
    runTime: replications?.mean ?? figures.runTime.value,
    complete,
    blocked: deadlock.length,
    figures: {
      ...(document.places === undefined
        ? { [document.workers === undefined ? 'ranks' : 'workers']: { value: all.length, unit: '1' } }
        : {}),
      ...(figures.parallelism === undefined ? {} : { parallelism: figures.parallelism.mean }),
      ...(figures.loadBalance === undefined ? {} : { loadBalance: figures.loadBalance }),
      ...mean('computing'),
      ...mean('memory'),
      ...mean('overhead'),
      ...mean('communicating'),
      ...mean('waiting'),
      ...mean('idle'),
      ...(figures.energy === undefined ? {} : { energy: figures.energy }),
      ...Object.assign({}, ...(document.jobs ?? []).map(timesOfJob)),
    },
    ...(replications === undefined ? {} : { replications: replications.seconds }),
    ...(times === undefined ? {} : { times }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

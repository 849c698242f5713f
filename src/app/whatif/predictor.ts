import type { Problem } from '../../base/problem.ts';
import type { Figure } from '../../report/prediction.ts';
import type { Scenario } from './grid.ts';

/** What is known of a scenario once it was predicted. Plain data: it comes from a thread. */
export interface Outcome {
  /** Seconds; of a stochastic program the mean over its replications. */
  readonly runTime: number;
  /** False where the run was ended before its end. */
  readonly complete: boolean;
  /** How many ranks wait for ever; 0 where the program comes to its end. */
  readonly blocked: number;
  /** What else is to be compared, by name, the same names in every scenario. */
  readonly figures: Readonly<Record<string, Figure>>;
  /** The run time of every replication, in seconds: replication k of every scenario draws the same random numbers. */
  readonly replications?: readonly number[];
  readonly warnings?: readonly Problem[];
  readonly notes?: readonly Problem[];
}

/**
 * Predicts a scenario: a pure function of it, whatever was predicted before and in whichever thread.
 *
 * It throws an `InputError` where a scenario cannot be: more ranks than cores, say. The others go on.
 */
export type Predictor = (scenario: Scenario) => Outcome | Promise<Outcome>;

/** The same predictor, asked for at most so many scenarios at a time, first come, first served. */
export function limited(predict: Predictor, most: number): (scenario: Scenario) => Promise<Outcome> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (scenario) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
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

/** What `work` comes to; where `signal` calls it off before, its reason is thrown at once. */
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

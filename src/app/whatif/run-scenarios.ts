import { setImmediate } from 'node:timers/promises';
import { InputError, type Problem } from '../../base/problem.ts';
import type { Scenario } from './grid.ts';
import { type Outcome, type Predictor, unlessAborted } from './predictor.ts';

/** How a scenario ended. */
export type ScenarioEnd =
  | { readonly status: 'predicted'; readonly outcome: Outcome }
  /** It cannot be; why. */
  | { readonly status: 'failed'; readonly problems: readonly Problem[] }
  /** The work was called off before it was done. */
  | { readonly status: 'cancelled' };

export interface RunOptions {
  /** How many scenarios are predicted at a time, default 1. Results do not depend on it. */
  readonly workers?: number;
  /** Told after every scenario how many are done. */
  readonly progress?: (done: number, scenarios: number) => void;
  /** Calls the work off: what is known by then is returned. */
  readonly signal?: AbortSignal;
}

/**
 * Predicts scenarios and returns their ends in the order given. One that fails does not keep the others from going on.
 * Any other error than an `InputError` is a fault of the predictor: it is thrown, and ends everything.
 */
export async function runScenarios(
  scenarios: readonly Scenario[],
  predict: Predictor,
  { workers = 1, progress, signal }: RunOptions = {},
): Promise<ScenarioEnd[]> {
  const ends = scenarios.map((): ScenarioEnd => ({ status: 'cancelled' }));
  let next = 0;
  let done = 0;
  let broken = false;
  const isOff = (): boolean => signal?.aborted === true;
  const hand = async (): Promise<void> => {
    while (next < scenarios.length && !broken && !isOff()) {
      const k = next++;
      try {
        ends[k] = { status: 'predicted', outcome: await unlessAborted(predicted(predict, scenarios[k]!), signal) };
      } catch (error) {
        if (isOff()) return;
        if (!(error instanceof InputError)) {
          broken = true;
          throw error;
        }
        ends[k] = { status: 'failed', problems: error.problems };
      }
      progress?.(++done, scenarios.length);
      // A predictor that computes in this thread would let nothing else come in.
      await setImmediate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, scenarios.length) }, hand));
  return ends;
}

/** What a predictor throws at once is a rejected promise, too. */
async function predicted(predict: Predictor, scenario: Scenario): Promise<Outcome> {
  return predict(scenario);
}

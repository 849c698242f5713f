import { setImmediate } from 'node:timers/promises';
import { InputError, type Problem } from '../../base/problem.ts';
import type { Scenario } from './axes/grid.ts';
import { MACHINE_PREFIX } from './axes/study-axes.ts';
import { type Outcome, type Predictor, unlessAborted } from './predictors/predictor.ts';

/** Result of running a scenario. */
export type ScenarioEnd =
  | { readonly status: 'predicted'; readonly outcome: Outcome }
  /** The scenario is impossible. */
  | { readonly status: 'failed'; readonly problems: readonly Problem[] }
  /** Cancelled before its end. */
  | { readonly status: 'cancelled' };

/** Scenarios and their results, in the same order. */
export interface Predicted {
  readonly scenarios: readonly Scenario[];
  readonly ends: readonly ScenarioEnd[];
}

/** How `runStudy` and `runScenarios` run scenarios: concurrency, progress, cancellation. */
export interface RunOptions {
  /** Maximum number of concurrent scenarios, default 1. Does not affect results. */
  readonly workers?: number;
  /** Called after every scenario with the number of finished scenarios. */
  readonly progress?: (done: number, scenarios: number) => void;
  /** Cancels the remaining scenarios; results so far are returned. */
  readonly signal?: AbortSignal;
}

/**
 * Predicts scenarios and returns their results in the order given. A failed scenario does not stop the others. Errors other
 * than `InputError` are faults of the predictor: they are rethrown and stop all scenarios.
 */
export async function runScenarios(
  scenarios: readonly Scenario[],
  predict: Predictor,
  { workers = 1, progress, signal }: RunOptions = {},
): Promise<ScenarioEnd[]> {
  const ends = scenarios.map((): ScenarioEnd => ({ status: 'cancelled' }));
  const take = byFamily(scenarios);
  let done = 0;
  let broken = false;
  const isOff = (): boolean => signal?.aborted === true;
  const work = async (): Promise<void> => {
    let [k, family] = take();
    for (; k >= 0 && !broken && !isOff(); [k, family] = take(family)) {
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
      // Yields to the event loop: a predictor that computes in this thread would block it.
      await setImmediate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, scenarios.length) }, work));
  return ends;
}

/** Turns synchronous exceptions of a predictor into rejected promises. */
async function predicted(predict: Predictor, scenario: Scenario): Promise<Outcome> {
  return predict(scenario);
}

/**
 * Schedules scenarios by family. Scenarios of a family differ in machine parameters only, so their nets share generated
 * code, which a thread can reuse. A worker first continues its family, then takes the first family not yet started, and
 * then shares the family with the most scenarios left.
 *
 * @returns function that takes a worker's family and returns the position of its next scenario (−1 if none is left) and the
 * family of that scenario
 */
function byFamily(scenarios: readonly Scenario[]): (family?: number) => [position: number, family: number] {
  const numbers = new Map<string, number>();
  const left: number[][] = [];
  for (const [k, { values, ideal }] of scenarios.entries()) {
    const own = Object.entries(values).filter(([name]) => !name.startsWith(MACHINE_PREFIX));
    const name = JSON.stringify([own, ideal]);
    const number = numbers.get(name) ?? left.length;
    numbers.set(name, number);
    if (number === left.length) left.push([]);
    left[number]!.push(k);
  }
  for (const positions of left) positions.reverse();
  let begun = 0;
  const next = (family: number | undefined): number => {
    if (family !== undefined && left[family]!.length > 0) return family;
    if (begun < left.length) return begun++;
    return left.reduce((longest, positions, k) => (positions.length > left[longest]!.length ? k : longest), 0);
  };
  return (family) => {
    const from = next(family);
    return [left[from]?.pop() ?? -1, from];
  };
}

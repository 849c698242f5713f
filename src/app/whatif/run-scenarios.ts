import { setImmediate } from 'node:timers/promises';
import { InputError, type Problem } from '../../base/problem.ts';
import type { Scenario } from './grid.ts';
import { type Outcome, type Predictor, unlessAborted } from './predictor.ts';
import { MACHINE_PREFIX } from './study-axes.ts';

/** How a scenario ended. */
export type ScenarioEnd =
  | { readonly status: 'predicted'; readonly outcome: Outcome }
  /** It cannot be; why. */
  | { readonly status: 'failed'; readonly problems: readonly Problem[] }
  /** The work was called off before it was done. */
  | { readonly status: 'cancelled' };

/** Scenarios and how they ended, in one order. */
export interface Predicted {
  readonly scenarios: readonly Scenario[];
  readonly ends: readonly ScenarioEnd[];
}

export interface RunOptions {
  /** How many scenarios are predicted at a time, default 1. Results do not depend on it. */
  readonly workers?: number;
  /** StatementInfo after every scenario how many are done. */
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
  const take = byFamily(scenarios);
  let done = 0;
  let broken = false;
  const isOff = (): boolean => signal?.aborted === true;
  const hand = async (): Promise<void> => {
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

/**
 * Hands out scenarios, the next of the same family where there is one: those that differ in numbers of the machine only are
 * nets of one code, which a thread that has just made it need not make again. The first families come first; where none
 * is left that nobody works at, the longest is shared.
 *
 * @returns what gives the position of the next scenario, −1 where none is left, and its family
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
    return left.reduce((most, positions, k) => (positions.length > left[most]!.length ? k : most), 0);
  };
  return (family) => {
    const from = next(family);
    return [left[from]?.pop() ?? -1, from];
  };
}

import { parentPort, workerData } from 'node:worker_threads';
import { InputError } from '../../base/problem.ts';
import type { Scenario } from './grid.ts';
import type { Predictor } from './predictor.ts';
import { type PredictorSpec, predictorOf } from './predictor-spec.ts';
import type { ThreadAnswer } from './thread-crew.ts';

/*
 * A thread of a what-if study: predicts the scenarios it is sent, one after the other.
 */
let predictor: Promise<Predictor> | undefined;

parentPort!.on('message', (scenario: Scenario) => {
  predictor ??= predictorOf(workerData as PredictorSpec);
  predictor
    .then(async (predict): Promise<ThreadAnswer> => ({ outcome: await predict(scenario) }))
    .catch(failed)
    .then((answer) => parentPort!.postMessage(answer));
});

function failed(error: unknown): ThreadAnswer {
  if (error instanceof InputError) return { problems: error.problems };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { crash: { message, stack: stack ?? message } };
}

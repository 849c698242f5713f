import type { ProgramModel } from '../../../models/program/model.ts';
import { isThreadModel, type ThreadModel } from '../../../models/threads/program/threads.ts';
import { machineIn } from '../../inputs/target.ts';
import { ASSUMED_MACHINE } from '../model/stages.ts';
import type { PredictOptions } from '../options.ts';
import type { PredictionDocument } from '../prediction.ts';
import { ASSUMED_THREAD_MACHINE } from '../threads/thread-model-net.ts';
import { findLimit, notMade, type SecondRuns } from './find-limit.ts';

/** Standard input, which cannot be read twice. */
const STANDARD_INPUT = '-';

/** Options that concern the first run only. */
const OF_FIRST_RUN = [
  ...(['trace', 'run', 'record', 'progress', 'offloadedRanks', 'digestOf'] as const),
  ...(['replications', 'precision', 'confidence', 'secondRuns'] as const),
];

/**
 * Adds the limit to a prediction, from second runs of the same input.
 *
 * @param options those of the prediction
 * @param predict predicts the input with other options
 */
export function withLimit(
  document: PredictionDocument,
  input: string | ProgramModel | ThreadModel,
  options: PredictOptions,
  predict: (options: PredictOptions) => PredictionDocument,
): PredictionDocument {
  if (input === STANDARD_INPUT)
    return { ...document, limit: notMade('standard input cannot be read again for runs with doubled resources') };
  const others: { -readonly [key in keyof PredictOptions]: PredictOptions[key] } = { ...options };
  for (const name of OF_FIRST_RUN) delete others[name];
  const isModel = typeof input === 'object';
  const hasThreads = isModel && isThreadModel(input);
  others.machine ??= hasThreads ? ASSUMED_THREAD_MACHINE : ASSUMED_MACHINE;
  // The number of ranks does not follow the machine.
  if (isModel && !hasThreads) others.ranks = Number(document.options['ranks']);
  const isOver = (): boolean => options.cancelled?.() === true;
  const runTime = (changed: PredictOptions): number | undefined => {
    if (isOver()) return undefined;
    const { complete, deadlock, figures } = predict({ ...others, ...changed });
    return complete && deadlock.length === 0 ? figures.runTime.value : undefined;
  };
  const workers = 2 * Number(document.options['workers']);
  const runs: SecondRuns = {
    on: (machine) => runTime({ machine }),
    ...(hasThreads ? { withTwiceTheWorkers: () => runTime({ workers }) } : {}),
  };
  const limit = findLimit(document, machineIn(others), runs);
  return limit === undefined || isOver() ? document : { ...document, limit };
}

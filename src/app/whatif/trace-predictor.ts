import { predict } from '../predict/predict.ts';
import { outcomeOf } from './outcome.ts';
import type { Predictor } from './predictor.ts';
import { machineReader, type SharedOptions, scenarioOptions } from './scenario-options.ts';

/** A trace, and the options that all scenarios have in common. */
export interface TraceStudy {
  readonly kind: 'trace';
  readonly input: string;
  readonly options: SharedOptions;
}

/** Predicts a trace in scenarios of machine, network model, placement and collectives. Every scenario reads the trace anew. */
export function tracePredictor({ input, options }: TraceStudy): Predictor {
  const read = machineReader();
  return (scenario) => outcomeOf(predict(input, scenarioOptions(scenario, options, 'trace', read)));
}

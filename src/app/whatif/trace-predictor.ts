import { predict } from '../predict/predict.ts';
import { outcomeOf } from './outcome.ts';
import type { Predictor } from './predictor.ts';
import { machineReader, type SharedOptions, scenarioOptions } from './scenario-options.ts';

/** A trace, and the options shared by all scenarios. */
export interface TraceStudy {
  readonly kind: 'trace';
  readonly input: string;
  readonly options: SharedOptions;
}

/** Returns a predictor for scenarios of machine, network model, placement and collectives. Each prediction reads the trace. */
export function tracePredictor({ input, options }: TraceStudy): Predictor {
  const read = machineReader();
  return (scenario) => outcomeOf(predict(input, scenarioOptions(scenario, options, 'trace', read)));
}

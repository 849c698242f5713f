import type { Predictor } from './predictor.ts';
import type { TraceStudy } from './trace-predictor.ts';

/** What a thread makes a predictor of: plain data. */
export type PredictorSpec = TraceStudy;

/** The predictor of a spec, in the thread that asks for it. */
export async function predictorOf(spec: PredictorSpec): Promise<Predictor> {
  switch (spec.kind) {
    case 'trace': {
      const { tracePredictor } = await import('./trace-predictor.ts');
      return tracePredictor(spec);
    }
  }
}

import type { PredictOptions } from '../../app/options.ts';
import { THREAD_OPTIONS, type ThreadOptions } from '../../app/threads/thread-options.ts';
import { given } from '../../base/given.ts';
import type { DiagnosisDocument } from './diagnosis-document.ts';
import { type DiagnoseOptions, optionsOf } from './diagnosis-options.ts';

/** Options of the diagnosis of a model. The default scheduler is `stealing`. */
export interface DiagnoseModelOptions
  extends Omit<DiagnoseOptions, 'states' | 'gaps' | 'sequential'>,
    Pick<PredictOptions, 'machine' | 'ranks' | 'set' | 'seed' | keyof ThreadOptions> {
  /** False: changed programs are not run, and findings have no predicted gain. Default true. */
  readonly gain?: boolean;
  /** Adds work, span and the speed-up curve on 1, 2, 4, … workers. */
  readonly speedup?: boolean;
}

/** The options of the diagnosis of a model as strings and numbers. */
export function modelOptions(options: DiagnoseModelOptions): DiagnosisDocument['options'] {
  const { machine, set } = options;
  const texts = {
    ...options,
    ...(machine === undefined ? {} : { machine: typeof machine === 'string' ? machine : machine.name }),
    ...(set === undefined
      ? {}
      : {
          set: Object.entries(set)
            .map(([name, value]) => `${name}=${String(value)}`)
            .join(','),
        }),
  };
  return {
    ...optionsOf(options),
    ...given(texts, ['machine', 'ranks', 'seed', 'set', ...THREAD_OPTIONS]),
  } as DiagnosisDocument['options'];
}

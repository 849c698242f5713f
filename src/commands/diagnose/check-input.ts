import { extname } from 'node:path';
import type { AnyModel } from '../inputs/any-model.ts';
import { checkOptions, inputKind } from '../inputs/check-options.ts';
import { isModelFile } from '../inputs/model-endings.ts';
import type { InputKind } from '../inputs/option-rows.ts';
import { DIAGNOSE_ROWS, type DiagnoseModelOptions, type DiagnoseOptions } from './diagnosis-options.ts';

/**
 * Checks the input and the options of a diagnosis.
 *
 * @param file the module that exports the input, or the record
 * @throws InputError DIAG009, APP060, APP061
 */
export function checkInput(
  input: string | AnyModel,
  options: DiagnoseOptions & DiagnoseModelOptions,
  file: string | undefined,
): void {
  const isModel = typeof input !== 'string' || isModelFile(input);
  const kind = isModel
    ? inputKind('diagnose', input, ['model', 'thread model', 'run record'])
    : recordKind(input, options);
  checkOptions('diagnose', DIAGNOSE_ROWS, kind, options, file);
}

/** The kind of a recorded run. CSV files are worker states, unless states of their spans are given. */
function recordKind(input: string, options: DiagnoseOptions | null): InputKind {
  const ending = extname(input).toLowerCase();
  if (ending === '.csv' && options?.states === undefined) return 'worker states';
  return ending === '.json' ? 'Chrome trace' : 'run record';
}

import { extname } from 'node:path';
import { fail } from '../../base/problem.ts';
import type { AnyModel } from '../inputs/any-model.ts';
import { checkOptions, inputKind } from '../inputs/check-options.ts';
import { assertExists, contentOf } from '../inputs/input-kinds.ts';
import { isModelFile } from '../inputs/model-endings.ts';
import type { InputKind } from '../inputs/option-rows.ts';
import { DIAGNOSE_ROWS, type DiagnoseModelOptions, type DiagnoseOptions } from './diagnosis-options.ts';

/**
 * Checks the input and the options of a diagnosis.
 *
 * @param file the module that exports the input, or the record
 * @throws InputError DIAG004, DIAG009, APP001, APP060, APP061
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
  if (ending !== '.json') return 'run record';
  assertExists(input);
  const content = contentOf(input);
  if (content !== undefined && content !== 'a Chrome trace')
    fail('DIAG004', `is ${content}: expected worker states as .csv, a run record, or a Chrome trace as .json`, {
      file: input,
    });
  return 'Chrome trace';
}

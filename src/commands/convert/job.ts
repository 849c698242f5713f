import type { Following } from '../command-line/following.ts';
import { importModule } from '../command-line/import-module.ts';
import type { Job, JobOptions } from '../command-line/job.ts';
import { convertFile } from './convert.ts';

/** Size of a converted net. */
export interface ConvertResult {
  readonly places: number;
  readonly transitions: number;
  /** Size of the output file. */
  readonly bytes: number;
  /** Remarks on the result, one sentence each. */
  readonly notes: readonly string[];
}

/** A conversion; `output` is the file to write. */
export interface ConvertJob extends Job<JobOptions> {
  readonly output: string;
}

/** Writes an input as a net file. */
export function run({ input, output, options }: ConvertJob, _following: Following): Promise<ConvertResult> {
  return convertFile(input, output, options, importModule);
}

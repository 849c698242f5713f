import type { Following } from '../command-line/following.ts';
import { importModule } from '../command-line/import-module.ts';
import type { Job, JobOptions } from '../command-line/job.ts';
import { convertFile } from './convert.ts';
import type { Written } from './convert-options.ts';

/** A conversion; `output` is the file to write. */
export interface ConvertJob extends Job<JobOptions> {
  readonly output: string;
}

/** Writes an input as a file of a net or of a machine. */
export function run({ input, output, options }: ConvertJob, _following: Following): Promise<Written> {
  return convertFile(input, output, options, importModule);
}

import type { Problem } from '../../base/problem.ts';
import type { Job } from './job.ts';

/** How `rerun` repeats the results of one kind. The folder of their command describes it. */
export interface Repeat<D> {
  /** As on the command line: `predict`. */
  readonly command: string;
  /**
   * Input and options of the job.
   *
   * @throws InputError APP001 a file is missing, APP011 one has changed, APP012 the result cannot be repeated
   */
  of(document: D, file: string): { readonly input: string; readonly options: Job['options'] };
  /** The members in which two results differ, apart from versions, paths, and what depends on the computer. */
  differences(before: D, after: D): readonly string[];
  json(document: D): string | Promise<string>;
  /** The result in a few words: `12 states, 20 edges`. `before`: the result that it differs from. */
  summary(after: D, before?: D): string;
  /** Remarks that are printed after the comparison. */
  notes?(after: D): readonly Problem[] | undefined;
}

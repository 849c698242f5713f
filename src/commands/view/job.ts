import { given } from '../../base/given.ts';
import type { Following } from '../command-line/following.ts';
import { importModule } from '../command-line/import-module.ts';
import type { Job } from '../command-line/job.ts';
import { comparisonOf, reportOf, type View, type Viewed, viewedFile, viewFile, viewGrowing } from './view.ts';
import { VIEW_ROWS, type ViewOptions } from './view-options.ts';

/**
 * The run that a page shows, and the part of it that the page holds. For the report of a command, the document that it printed, and
 * whether a page shows the run, too; options of other commands are left out then. For a server, the number of the version, and
 * whether the record is still being written.
 */
export type ViewJob = Job<
  ViewOptions & {
    readonly document?: string;
    readonly withRun?: boolean;
    /** Inputs of two runs that the page shows on one time axis. */
    readonly pair?: readonly (string | undefined)[];
    readonly served?: number;
    readonly follow?: boolean;
    readonly text?: boolean;
  }
>;

/** Makes the page of an input, or of a document; or only what its first screen is made from. */
export function run({ input, options }: ViewJob, following: Following): Promise<View | Viewed> {
  const { document, withRun, pair, served, follow, text, ...simulation } = options;
  const own = { ...simulation, ...given(following, ['progress', 'cancelled', 'digestOf']) };
  if (follow === true && served !== undefined) return viewGrowing(input, simulation, served);
  if (text === true) return viewedFile(input, own, importModule);
  if (document === undefined) return viewFile(input, own, importModule, served);
  const known = given(own, Object.keys(VIEW_ROWS) as (keyof ViewOptions)[]);
  if (pair !== undefined) return comparisonOf(document, pair, known, importModule);
  return reportOf(document, withRun === true ? { path: input, options: known } : undefined, importModule);
}

import { given } from '../../base/given.ts';
import type { Following } from '../command-line/following.ts';
import { importModule } from '../command-line/import-module.ts';
import type { Job } from '../command-line/job.ts';
import { reportOf, type View, viewFile, viewGrowing } from './view.ts';
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
    readonly served?: number;
    readonly follow?: boolean;
  }
>;

/** Makes the page of an input, or of a document. */
export function run({ input, options }: ViewJob, following: Following): Promise<View> {
  const { document, withRun, served, follow, ...simulation } = options;
  const own = { ...simulation, ...given(following, ['progress', 'cancelled', 'digestOf']) };
  if (follow === true && served !== undefined) return viewGrowing(input, simulation, served);
  if (document === undefined) return viewFile(input, own, importModule, served);
  const known = given(own, Object.keys(VIEW_ROWS) as (keyof ViewOptions)[]);
  return reportOf(document, withRun === true ? { path: input, options: known } : undefined, importModule);
}

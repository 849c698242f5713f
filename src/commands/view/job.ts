import { given } from '../../base/given.ts';
import type { Following } from '../command-line/following.ts';
import { importModule } from '../command-line/import-module.ts';
import type { Job, JobOptions } from '../command-line/job.ts';
import type { ProfileOptions } from '../profile/profile-options.ts';
import { type View, viewFile } from './view.ts';

/** The run that a page shows, and the part of it that the page holds. */
export type ViewJob = Job<
  JobOptions & {
    readonly cut: Pick<ProfileOptions, 'messages' | 'align' | 'from' | 'to'> & {
      readonly processes?: readonly number[];
    };
  }
>;

/** Makes the page of an input. */
export function run({ input, options }: ViewJob, following: Following): Promise<View> {
  const { cut, ...simulation } = options;
  const own = { ...simulation, ...cut, ...given(following, ['progress', 'cancelled', 'digestOf']) };
  return viewFile(input, own, importModule);
}

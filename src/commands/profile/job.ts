import { given } from '../../base/given.ts';
import type { Following } from '../command-line/following.ts';
import { importModule } from '../command-line/import-module.ts';
import type { Job, JobOptions } from '../command-line/job.ts';
import type { ProfileDocument } from './profile-document.ts';
import type { ProfileOptions } from './profile-options.ts';
import { profileFile } from './profile-program.ts';

/** The simulation of a model or a trace, and what of its run is profiled. */
export type ProfileJob = Job<JobOptions & { readonly profile: Omit<ProfileOptions, 'messages'> }>;

/** Simulates a model or a trace, and profiles the run. */
export function run({ input, options }: ProfileJob, following: Following): Promise<ProfileDocument> {
  const { profile, ...simulation } = options;
  const own = { ...simulation, ...profile, ...given(following, ['progress', 'cancelled', 'digestOf']) };
  return profileFile(input, own, importModule);
}

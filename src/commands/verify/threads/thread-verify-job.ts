import { given } from '../../../base/given.ts';
import { fail } from '../../../base/problem.ts';
import type { ThreadModel } from '../../../models/threads/program/threads.ts';
import type { Following } from '../../command-line/following.ts';
import type { Job, VerifyJobOptions } from '../../command-line/job.ts';
import type { ThreadVerificationDocument } from './thread-verification.ts';
import { verifyThreads } from './verify-threads.ts';

/** Options of other inputs, and their flags. */
const OF_OTHERS: Readonly<Partial<Record<keyof VerifyJobOptions, string>>> = {
  properties: '--property',
  formulas: '--formulas',
  final: '--final',
  witness: '--witness',
  trace: '--trace',
  ranks: '--ranks',
  machine: '--machine',
  sends: '--sends',
  buffer: '--buffer',
  maxSteps: '--max-steps',
  derivedTypeBytes: '--datatype',
};

/**
 * Verifies the thread model of a job.
 *
 * @throws InputError VER003 for options that do not apply to thread models
 */
export function threadVerifyJob(
  { options }: Job & { readonly command: 'verify' },
  model: ThreadModel,
  { explored, cancelled }: Following,
): ThreadVerificationDocument {
  for (const [key, flag] of Object.entries(OF_OTHERS))
    if (options[key as keyof VerifyJobOptions] !== undefined)
      fail('VER003', `${flag} does not apply to thread models`, { part: 'verify' });
  if (options.order === 'depth')
    fail('VER003', 'shortest firing sequences need breadth-first search: omit --order depth', { part: 'verify' });
  return verifyThreads(model, {
    ...given(options, ['workers', 'set', 'maxStates', 'memory', 'seconds']),
    ...(options.scheduler === undefined ? {} : { scheduler: options.scheduler as never }),
    ...given(options, ['pool']),
    ...(options.reduce === 'none' ? { reduce: false } : {}),
    cancelled,
    ...(explored === undefined ? {} : { progress: explored }),
  });
}

import { given } from '../../../base/given.ts';
import { fail } from '../../../base/problem.ts';
import type { ThreadModel } from '../../../models/threads/program/threads.ts';
import type { Following } from '../../command-line/following.ts';
import type { VerifyJob } from '../verify-options.ts';
import type { ThreadVerificationDocument } from './thread-verification.ts';
import { verifyThreads } from './verify-threads.ts';

/**
 * Verifies the thread model of a job.
 *
 * @throws InputError VER003 for a reduction or an order that thread models do not have
 */
export function threadVerifyJob(
  { options }: VerifyJob,
  model: ThreadModel,
  { explored, cancelled }: Following,
): ThreadVerificationDocument {
  if (options.reduce !== undefined && options.reduce !== 'auto' && options.reduce !== 'none')
    fail('VER003', `thread models have one reduction: expected --reduce auto or none, got ${options.reduce}`, {
      part: 'verify',
    });
  if (options.order === 'depth')
    fail('VER003', 'shortest firing sequences need breadth-first search: omit --order depth', { part: 'verify' });
  return verifyThreads(model, {
    ...given(options, ['workers', 'set', 'maxStates', 'memory', 'seconds']),
    ...(options.scheduler === undefined ? {} : { scheduler: options.scheduler as never }),
    ...given(options, ['pool', 'allocator', 'retry']),
    ...(options.reduce === 'none' ? { reduce: false } : {}),
    cancelled,
    ...(explored === undefined ? {} : { progress: explored }),
  });
}

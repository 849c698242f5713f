import type { ProgramModel } from '../../models/program/model.ts';
import { isThreadModel, type ThreadModel } from '../../models/threads/program/threads.ts';
import type { Net } from '../../net/net.ts';
import type { Following } from '../command-line/following.ts';
import { inputOf } from '../command-line/import-module.ts';
import { checkOptions, inputKind } from '../inputs/check-options.ts';
import { moduleFiles } from '../inputs/local-modules.ts';
import { isModelFile } from '../inputs/model-endings.ts';
import type { AnyVerification } from './net/verify-rerun.ts';
import { VERIFY_COMMAND_ROWS, type VerifyJob } from './verify-options.ts';

/**
 * Verifies a thread program, a program of ranks, or a net.
 *
 * @throws InputError for problems of the input and of options that do not apply to it
 */
export async function run(job: VerifyJob, following: Following): Promise<AnyVerification> {
  const given = await inputOf(job.input);
  const kind = inputKind('verify', given, ['model', 'thread model', 'net', 'trace']);
  checkOptions('verifyCommand', VERIFY_COMMAND_ROWS, kind, job.options as never, job.input);
  const document = await verified(job, given, following);
  const modules = isModelFile(job.input) ? moduleFiles(job.input) : {};
  return { ...document, inputs: { ...document.inputs, ...modules } } as AnyVerification;
}

async function verified(
  job: VerifyJob,
  given: string | ProgramModel | ThreadModel | Net,
  following: Following,
): Promise<AnyVerification> {
  if (isThreadModel(given)) {
    const { threadVerifyJob } = await import('./threads/thread-verify-job.ts');
    return threadVerifyJob(job, given, following);
  }
  const { isProgram, programJob } = await import('./program/program-job.ts');
  if (isProgram(given, job.options)) return programJob(job, given, following);
  const { verifyJob } = await import('./net/verify-job.ts');
  return verifyJob(job, given, following);
}

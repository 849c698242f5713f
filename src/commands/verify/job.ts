import type { Following } from '../command-line/following.ts';
import { importModule } from '../command-line/import-module.ts';
import { checkOptions } from '../inputs/check-options.ts';
import { type ByKind, byKind, type InputOf } from '../inputs/input.ts';
import { openInput } from '../inputs/load-model.ts';
import { moduleFiles } from '../inputs/local-modules.ts';
import type { KindsOf } from '../inputs/option-rows.ts';
import type { AnyVerification } from './net/verify-rerun.ts';
import { VERIFY_COMMAND_ROWS, type VerifyJob } from './verify-options.ts';

/**
 * Verifies a thread program, a program of ranks, or a net.
 *
 * @throws InputError for problems of the input and of options that do not apply to it
 */
export async function run(job: VerifyJob, following: Following): Promise<AnyVerification> {
  const input = await openInput('verifyCommand', job.input, importModule);
  checkOptions('verifyCommand', VERIFY_COMMAND_ROWS, { kind: input.kind, file: job.input }, job.options as never);
  const document = await byKind(VERIFIED, input, job, following);
  const modules = input.module === undefined ? {} : moduleFiles(input.module);
  return { ...document, inputs: { ...document.inputs, ...modules } } as AnyVerification;
}

type Verifies<K extends KindsOf<'verifyCommand'>> = (
  input: InputOf<K>,
  job: VerifyJob,
  following: Following,
) => Promise<AnyVerification>;

const asProgram: Verifies<'model' | 'trace'> = async (input, job, following) =>
  (await import('./program/program-job.ts')).programJob(job, input, following);
const asNet: Verifies<'model' | 'net'> = async (input, job, following) =>
  (await import('./net/verify-job.ts')).verifyJob(job, input, following);

const VERIFIED: ByKind<KindsOf<'verifyCommand'>, [VerifyJob, Following], Promise<AnyVerification>> = {
  model: async (input, job, following) => {
    const { isProgram } = await import('./program/program-job.ts');
    return isProgram(job.options) ? asProgram(input, job, following) : asNet(input, job, following);
  },
  'thread model': async ({ model }, job, following) =>
    (await import('./threads/thread-verify-job.ts')).threadVerifyJob(job, model, following),
  trace: asProgram,
  net: asNet,
};

import { given } from '../../../base/given.ts';
import { fail } from '../../../base/problem.ts';
import type { Following } from '../../command-line/following.ts';
import { BEGUN } from '../../command-line/following.ts';
import type { InputOf } from '../../inputs/input.ts';
import type { KindsOf } from '../../inputs/option-rows.ts';
import { checkOutputs } from '../../output.ts';
import type { VerifyJob } from '../verify-options.ts';
import type { VerificationDocument } from './verification.ts';
import { verifyInput } from './verify.ts';
import { writeWitnesses, writeWitnessTrace } from './verify-witness-files.ts';

/** Verifies the net of a job and writes its witness files. */
export function verifyJob(
  { input: path, options }: VerifyJob,
  input: InputOf<KindsOf<'verify'>>,
  { explored, cancelled }: Following,
): VerificationDocument {
  const { witness, trace, properties, formulas } = options;
  if (options.order === 'depth')
    fail('PROP031', 'shortest firing sequences need breadth-first search: omit --order depth');
  checkOutputs([witness, trace], [path, formulas]);
  const chosen = given(options, [
    'machine',
    'hostfile',
    'placement',
    'oversubscribe',
    'ranks',
    'networkModel',
    'collectives',
    'set',
    'maxStates',
    'memory',
    'seconds',
    'workers',
    'formulas',
    'final',
    'reduce',
    'hashCompact',
    'seed',
  ]);
  const document = verifyInput(input, properties, {
    ...chosen,
    cancelled,
    begun: BEGUN,
    ...(explored === undefined ? {} : { progress: explored }),
  });
  if (witness !== undefined) writeWitnesses(witness, document);
  if (trace !== undefined) writeWitnessTrace(trace, document);
  return document;
}

import { checkOutput } from '../app/output.ts';
import { assertNoDatatype } from '../app/target.ts';
import { verify } from '../app/verify/verify.ts';
import { writeWitnesses, writeWitnessTrace } from '../app/verify/verify-witness-files.ts';
import { given } from '../base/given.ts';
import { fail } from '../base/problem.ts';
import type { ProgramModel } from '../models/program/model.ts';
import type { VerificationDocument } from '../report/verification.ts';
import { BEGUN } from './begun.ts';
import type { Following } from './following.ts';
import type { Job } from './job.ts';

/** Verifies the net of a job and writes its witness files. */
export function verifyJob(
  { input: path, options }: Job & { readonly command: 'verify' },
  input: string | ProgramModel,
  { explored, cancelled }: Following,
): VerificationDocument {
  const { witness, trace, properties, formulas } = options;
  if (options.order === 'depth')
    fail('PROP031', 'shortest firing sequences need breadth-first search: omit --order depth');
  for (const output of [witness, trace]) if (output !== undefined) checkOutput(output, [path, formulas]);
  if (witness !== undefined && witness === trace)
    fail('PROP031', `--witness and --trace name the same file, ${witness}`);
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
  ]);
  assertNoDatatype(options, 'a net', path);
  const document = verify(input, properties, {
    ...chosen,
    cancelled,
    begun: BEGUN,
    ...(explored === undefined ? {} : { progress: explored }),
  });
  if (witness !== undefined) writeWitnesses(witness, document);
  if (trace !== undefined) writeWitnessTrace(trace, document);
  return document;
}

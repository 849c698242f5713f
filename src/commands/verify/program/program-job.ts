import { given } from '../../../base/given.ts';
import { fail } from '../../../base/problem.ts';
import type { Following } from '../../command-line/following.ts';
import { BEGUN } from '../../command-line/following.ts';
import type { InputOf } from '../../inputs/input.ts';
import type { KindsOf } from '../../inputs/option-rows.ts';
import type { VerifyJob, VerifyJobOptions } from '../verify-options.ts';
import type { ProgramVerificationDocument } from './program-verification.ts';
import { verifyProgramInput } from './verify-program.ts';

/** Options of net verification; if one of them is given, a model is verified as a net. */
const OF_NETS = ['properties', 'formulas', 'final', 'witness', 'trace', 'reduce', 'hashCompact', 'seed'] as const;
/** Options of program verification only, and their flags. */
const OF_PROGRAMS = { sends: '--sends', maxSteps: '--max-steps', buffer: '--buffer' } as const;

/**
 * True if a model is verified as a program: without options of net verification.
 *
 * @throws InputError VER003 for options that do not go with each other
 */
export function isProgram(options: VerifyJobOptions): boolean {
  const asked = OF_NETS.filter((key) => options[key] !== undefined);
  const own = Object.entries(OF_PROGRAMS).filter(([key]) => options[key as keyof typeof OF_PROGRAMS] !== undefined);
  if (own.length > 0 && asked.length > 0)
    fail('VER003', `${own[0]![1]} applies to programs: use it with a trace, or a model without properties`, {
      part: 'verify',
    });
  if (asked.length === 0 && options.oversubscribe !== undefined)
    fail(
      'VER003',
      '--oversubscribe applies to nets: verification of a program places no ranks, unless --property is given',
      {
        part: 'verify',
      },
    );
  return asked.length === 0;
}

/**
 * Verifies the program of a job.
 *
 * @throws InputError VER003 for `--order depth`: shortest counterexamples need breadth-first search
 */
export function programJob(
  { options }: VerifyJob,
  input: InputOf<KindsOf<'verifyProgram'>>,
  { explored, progress, cancelled }: Following,
): ProgramVerificationDocument {
  if (options.order === 'depth')
    fail('VER003', 'shortest paths need breadth-first search: omit --order depth', {
      part: 'verify',
    });
  const chosen = given(options, [
    'machine',
    'ranks',
    'set',
    'sends',
    'maxSteps',
    'maxStates',
    'memory',
    'seconds',
    'workers',
    'buffer',
    'derivedTypeBytes',
    'confine',
  ]);
  return verifyProgramInput(input, {
    ...chosen,
    cancelled,
    begun: BEGUN,
    ...(explored === undefined ? {} : { progress: explored }),
    ...(progress === undefined ? {} : { played: () => progress({ time: 0, share: Number.NaN }) }),
  });
}

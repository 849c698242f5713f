import { Budget } from '../../../analysis/space/budget.ts';
import { finiteDocument } from '../../../base/finite-figures.ts';
import { listing } from '../../../base/listing.ts';
import { didYouMean, fail, InputError, type Problem, quote } from '../../../base/problem.ts';
import { PRODUCT } from '../../../base/version.ts';
import { failsAt } from '../../../machine/profile.ts';
import type { ProgramModel } from '../../../models/program/model-object.ts';
import type { Recorded } from '../../../models/program/record/recorder.ts';
import { formatSeconds } from '../../../report/units.ts';
import type { TiTrace } from '../../../trace/ti/read.ts';
import { checkOptions } from '../../inputs/check-options.ts';
import { type ByKind, byKind, givenInput, type InputOf } from '../../inputs/input.ts';
import { assertReadable, assertTraceExists, firstCharacter } from '../../inputs/input-kinds.ts';
import { inputFiles, listedFiles, memberFiles } from '../../inputs/inputs.ts';
import type { KindsOf } from '../../inputs/option-rows.ts';
import { NET_ENDINGS } from '../../inputs/path-kinds.ts';
import { machineFiles, readTarget } from '../../inputs/target.ts';
import { notesOf } from '../../predict/document.ts';
import { explainsCutOff } from '../../subjects/read-trace.ts';
import { type SendsOption, VERIFY_PROGRAM_ROWS, type VerifyProgramOptions } from '../verify-options.ts';
import { inTime, MAX_STATES, verifyInstance } from './instance.ts';
import type { ProgramInstance, ProgramVerificationDocument } from './program-verification.ts';
import type { SendProtocol } from './subject.ts';
import { traceSubject } from './trace-subject.ts';
import { type Verified, verifyModel } from './verify-model.ts';

const SENDS: readonly SendsOption[] = ['eager', 'rendezvous', 'both'];

/**
 * Verifies a program: freedom from deadlock, a receive for every message and a message for every receive; under buffered
 * sends and under sends that wait for their receives. One run decides a trace or model without wildcard receives, tests and
 * other choices (README.md); otherwise the state space is explored. A model without a given rank count is verified with
 * its `verifyWith`, or with small rank counts in ascending order.
 *
 * If a limit is reached or `cancelled` returns true, unknown verdicts are null.
 *
 * @param change transforms the recorded programs of a model
 * @throws InputError VER001 … for invalid options, and problems of the input
 */
export function verifyProgram(
  input: string | ProgramModel,
  options: VerifyProgramOptions = {},
  change?: (programs: readonly Recorded[]) => readonly Recorded[],
): ProgramVerificationDocument {
  return verifyProgramInput(givenInput('verifyProgram', input), options, change);
}

type Change = Parameters<typeof verifyProgram>[2];

const VERIFIED: ByKind<
  KindsOf<'verifyProgram'>,
  [readonly SendProtocol[], VerifyProgramOptions, change?: Change],
  Verified
> = {
  model: ({ model }, protocols, options, change) => verifyModel(model, protocols, options, change),
  trace: ({ path }, protocols, options) => ofTrace(path, protocols, options),
};

/** As {@link verifyProgram}, for an input that has been opened. */
export function verifyProgramInput(
  input: InputOf<KindsOf<'verifyProgram'>>,
  options: VerifyProgramOptions = {},
  change?: Change,
): ProgramVerificationDocument {
  checkOptions('verifyProgram', VERIFY_PROGRAM_ROWS, input, options);
  checkValues(options);
  const begun = performance.now();
  const { sends = 'both' } = options;
  const protocols: readonly SendProtocol[] = sends === 'both' ? ['eager', 'rendezvous'] : [sends];
  const verified = byKind(VERIFIED, input, protocols, options, change);
  const { instances, refused, collectives, warnings } = verified;
  const files = { trace: verified.files.trace, model: verified.files.model, ...machineFiles(options) };
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'program-verification',
    product: PRODUCT,
    complete: instances.every((i) => i.properties.every((p) => p.verdict !== null)),
    ...(verified.because.length === 0 ? {} : { because: verified.because }),
    inputs: {
      ...inputFiles(files),
      ...verified.members,
    },
    options: {
      program: verified.program,
      sends,
      ...(collectives === undefined ? {} : { collectives }),
      ...verified.asked,
      ...(typeof options.machine === 'string' && files.machine === undefined ? { builtIn: options.machine } : {}),
      ...(options.buffer === undefined ? {} : { buffer: options.buffer }),
      ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
      ...(options.derivedTypeBytes === undefined ? {} : { derivedTypeBytes: options.derivedTypeBytes }),
      maxStates: options.maxStates ?? MAX_STATES,
    },
    instances,
    refused,
    seconds: (performance.now() - begun) / 1000,
    warnings,
    ...notesOf([...machineNotes(options), ...verified.notes]),
  });
}

/** Maximum number of failing parts that are named. */
const MAX_FAILURES = 4;

/**
 * Settings of a SimGrid platform that are not applied: one of them may select the algorithms of collectives. Hosts and links that fail: they are
 * events of a time, and verdicts hold for runs without them.
 */
function machineNotes({ machine }: VerifyProgramOptions): readonly Problem[] {
  if (machine === undefined) return [];
  const { hosts, links, notes = [] } = readTarget({ machine }).platform;
  const failing = Object.entries({ host: hosts, link: links }).flatMap(([kind, parts]) =>
    parts.flatMap(({ name, profiles }) => {
      const time = failsAt(profiles?.state, Infinity);
      return time === undefined ? [] : [`${kind} ${name} at ${formatSeconds(time)}`];
    }),
  );
  if (failing.length === 0) return notes;
  const message = `failures of the machine are left out, because orders have no times: ${listing(failing, { max: MAX_FAILURES, what: 'part' })}. For a run with them, use predict`;
  return [...notes, { code: 'VER006', message }];
}

function ofTrace(path: string, protocols: readonly SendProtocol[], options: VerifyProgramOptions): Verified {
  const budget = Budget.of(options);
  assertTrace(path);
  const subject = traceSubject(path, options);
  try {
    let lacking: readonly Problem[] = [];
    const because = (problems: readonly Problem[]): void => {
      lacking = problems;
    };
    const limits = { maxSteps: 1e15, maxStates: MAX_STATES, ...options, because };
    return {
      program: path,
      asked: {},
      instances: explained(
        subject.trace,
        protocols.map((sends) => verifyInstance(subject, sends, inTime(limits, budget))),
      ),
      refused: [],
      collectives: subject.collectives,
      files: { trace: path },
      members: memberFiles(listedFiles(path, subject.trace)),
      warnings: subject.trace.warnings.map((w) => w.message),
      notes: subject.trace.notes,
      because: lacking,
    };
  } finally {
    subject.close();
  }
}

/** @throws InputError TI001 missing file, APP009 wrong kind by its extension, VER004 a net by its first character */
function assertTrace(path: string): void {
  assertTraceExists(path);
  assertReadable(path);
  const first = path === '-' ? '' : firstCharacter(path);
  if (first === '<' || first === '{')
    fail('VER004', `is not a trace: it begins with "${first}"; net files end in ${NET_ENDINGS.join(' or ')}`, {
      file: path,
    });
}

/** @throws InputError VER001, VER002 */
function checkValues({ sends, maxSteps, maxStates, buffer, ranks }: VerifyProgramOptions): void {
  if (sends !== undefined && !SENDS.includes(sends))
    fail(
      'VER001',
      `sends: expected eager, rendezvous or both, got ${quote(String(sends))}.${didYouMean(String(sends), SENDS)}`,
      {
        part: 'verify',
      },
    );
  for (const [name, value, min] of [
    ['maxSteps', maxSteps, 1],
    ['maxStates', maxStates, 1],
    ['ranks', ranks, 1],
    ['buffer', buffer, 0],
  ] as const)
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= min))
      fail('VER002', `${name}: expected an integer >= ${min}, got ${String(value)}`, { part: 'verify' });
}

/**
 * Adjusts the instances of a trace that ends early, possibly because the program deadlocked. If a deadlock under one
 * protocol explains the end of the trace, the verdicts under the other protocol become unknown: there the ranks continue
 * past the recorded lines.
 *
 * @throws InputError TI032 if all instances are decided and none explains the end: the trace is broken
 */
function explained(trace: Pick<TiTrace, 'cutOff'>, instances: readonly ProgramInstance[]): readonly ProgramInstance[] {
  const { cutOff } = trace;
  if (cutOff === undefined) return instances;
  const explains = instances.map(({ deadlock }) => deadlock !== undefined && explainsCutOff(trace, deadlock.blocked));
  const decided = instances.every(({ properties }) => properties.every((p) => p.verdict !== null));
  if (decided && !explains.includes(true)) throw new InputError(cutOff.problems);
  return instances.map((instance, k) => (explains[k] ? instance : unknown(instance)));
}

const REASON = 'the trace was cut off, and under this protocol its ranks continue past its last lines';

function unknown({ deadlock: _, endless: _endless, ...instance }: ProgramInstance): ProgramInstance {
  return {
    ...instance,
    properties: instance.properties.map((p) => ({ id: p.id, verdict: null, reason: p.reason ?? REASON })),
    unmatched: [],
    sound: null,
    neverDone: [],
  };
}

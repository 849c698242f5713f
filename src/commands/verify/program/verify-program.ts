import { existsSync } from 'node:fs';
import { Budget } from '../../../analysis/space/budget.ts';
import { finiteDocument } from '../../../base/finite-figures.ts';
import { didYouMean, fail, formatProblem, InputError, type Problem, quote } from '../../../base/problem.ts';
import { PRODUCT } from '../../../base/version.ts';
import { largestAllowed, type ProgramModel, smallestAllowed } from '../../../models/program/model.ts';
import type { Recorded } from '../../../models/program/record/recorder.ts';
import type { TiTrace } from '../../../trace/ti/read.ts';
import { checkOptions } from '../../inputs/check-options.ts';
import { type ByKind, byKind, givenInput, type InputOf } from '../../inputs/input.ts';
import { assertReadable, assertTraceExists, firstCharacter } from '../../inputs/input-kinds.ts';
import { inputFiles, listedFiles } from '../../inputs/inputs.ts';
import type { KindsOf } from '../../inputs/option-rows.ts';
import { NET_ENDINGS } from '../../inputs/path-kinds.ts';
import { machineFileOf, readTarget } from '../../inputs/target.ts';
import { notesOf } from '../../predict/document.ts';
import { explainsCutOff } from '../../subjects/read-trace.ts';
import { type SendsOption, VERIFY_PROGRAM_ROWS, type VerifyProgramOptions } from '../verify-options.ts';
import { verifyInstance } from './instance.ts';
import { modelSubject } from './model-subject.ts';
import type { ProgramInstance, ProgramVerificationDocument } from './program-verification.ts';
import type { SendProtocol, Subject } from './subject.ts';
import { traceSubject } from './trace-subject.ts';

const SENDS: readonly SendsOption[] = ['eager', 'rendezvous', 'both'];

const MAX_STEPS = 1e8;
const MAX_STATES = 1e6;
/** Rank counts tried if none is given: from LEAST to MOST for one run or a state space; to `refused` while the model rejects all. */
const MIN_RANKS = 2;
const MAX_RANKS = { run: 8, space: 4, refused: 64 } as const;
/** No larger rank counts are tried once this many steps or states were used in total. */
const SPENT = { steps: 5e6, states: 1e5 } as const;
const NOT_DECLARED = 'the model declares that it does not run on this number of ranks';

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
  model: ({ model }, protocols, options, change) => ofModel(model, protocols, options, change),
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
  const files = { trace: verified.files.trace, model: verified.files.model, machine: machineFileOf(options) };
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

/** Settings of a SimGrid platform that are not applied: one of them may select the algorithms of collectives. */
function machineNotes({ machine }: VerifyProgramOptions): readonly Problem[] {
  return machine === undefined ? [] : (readTarget({ machine }).platform.notes ?? []);
}

/** Limits of the next instance: all instances together share `seconds`. */
function inTime<L extends { readonly seconds?: number }>(limits: L, budget: Budget): L {
  return budget.isTimed ? { ...limits, seconds: Math.max(Number.MIN_VALUE, budget.secondsLeft) } : limits;
}

interface Verified {
  /** Name of the model, or path of the trace. */
  readonly program: string;
  /** The number of ranks that the options ask of a model. */
  readonly asked: { readonly ranks?: number };
  readonly instances: readonly ProgramInstance[];
  readonly refused: ProgramVerificationDocument['refused'];
  readonly collectives: string | undefined;
  readonly files: { readonly trace?: string; readonly model?: string };
  readonly members: ReturnType<typeof listedFiles>;
  readonly warnings: readonly string[];
  readonly notes: readonly Problem[];
  readonly because: readonly Problem[];
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
      members: listedFiles(path, subject.trace),
      warnings: subject.trace.warnings.map((w) => w.message),
      notes: subject.trace.notes,
      because: lacking,
    };
  } finally {
    subject.close();
  }
}

function ofModel(
  given: ProgramModel,
  protocols: readonly SendProtocol[],
  options: VerifyProgramOptions,
  change?: Change,
): Verified {
  const budget = Budget.of(options);
  const { ranks: preset, ...parameters } = given.verifyWith as { ranks?: number } & Record<string, never>;
  const values: Record<string, unknown> = { ...parameters, ...options.set };
  const model = Object.keys(values).length === 0 ? given : given.with(values as never);
  const fixed = options.ranks ?? preset ?? model.ranks;
  const refused: { ranks: number; reason: string }[] = [];
  const instances: ProgramInstance[] = [];
  const warnings = new Set<string>();
  const warn = (problem: Problem): void => void warnings.add(formatProblem(problem));
  const limits = { maxSteps: MAX_STEPS, maxStates: MAX_STATES, ...options, warn };
  let open = protocols;
  let collectives: string | undefined;
  let spent = { steps: 0, states: 0 };
  let first: InputError | undefined;
  // The smallest allowed rank count from LEAST on, else the largest below it.
  const end = smallestAllowed(model, MIN_RANKS) ?? largestAllowed(model, MIN_RANKS);
  const max = Math.max(MAX_RANKS.refused, end ?? 0);
  for (let ranks = fixed ?? Math.min(MIN_RANKS, end ?? MIN_RANKS); ; ranks++) {
    let subject: Subject | undefined;
    try {
      if (fixed === undefined && !model.allows(ranks) && (instances.length > 0 || ranks < max)) {
        refused.push({ ranks, reason: NOT_DECLARED });
        const last = instances.length > 0 && smallestAllowed(model, ranks) === undefined;
        if (last || (instances.length > 0 && isEnough(instances, ranks))) break;
        continue;
      }
      subject = modelSubject(model, ranks, options, change);
      for (const sends of open) {
        const one = verifyInstance(subject, sends, inTime(limits, budget));
        const known = one.properties.every((p) => p.verdict !== null);
        const grown = instances.some((i) => i.sends === sends);
        if (known || !grown) instances.push(one);
        else refused.push({ ranks, reason: one.properties.find((p) => p.verdict === null)!.reason! });
        if (!known || one.properties.some((p) => p.verdict === false)) open = open.filter((s) => s !== sends);
        spent = { steps: spent.steps + one.steps, states: spent.states + (one.states ?? 0) };
      }
      collectives ??= subject.collectives;
    } catch (e) {
      if (!(e instanceof InputError) || fixed !== undefined || isFaulty(e)) throw e;
      first ??= e;
      if (instances.length === 0 && ranks >= max) throw first;
      refused.push({ ranks, reason: e.problems[0]!.message });
    }
    if (fixed !== undefined || open.length === 0) break;
    if (subject === undefined) {
      if (instances.length > 0 && isEnough(instances, ranks)) break;
      continue;
    }
    const explored = subject.choices.length > 0 || options.buffer !== undefined;
    const enough = explored ? ranks >= MAX_RANKS.space : isEnough(instances, ranks);
    if (instances.length > 0 && (enough || spent.steps > SPENT.steps || spent.states > SPENT.states)) break;
  }
  const order = (i: ProgramInstance): number => protocols.indexOf(i.sends as SendProtocol);
  return {
    program: given.name,
    asked: options.ranks === undefined ? {} : { ranks: options.ranks },
    instances: instances.sort((a, b) => order(a) - order(b) || a.ranks - b.ranks),
    refused,
    collectives,
    files: given.file === undefined || !existsSync(given.file) ? {} : { model: given.file },
    members: {},
    warnings: [...warnings],
    notes: [],
    because: [],
  };
}

/**
 * True if no larger rank counts need be tried. If one run decides and the model allows few small rank counts (such as
 * squares), at least two rank counts are verified.
 */
function isEnough(instances: readonly ProgramInstance[], ranks: number): boolean {
  if (ranks < MAX_RANKS.run) return false;
  const verified = new Set(instances.map((i) => i.ranks));
  return verified.size > 1 || ranks >= MAX_RANKS.refused || instances.some((i) => i.method !== 'one run');
}

/** Codes of faults that are reported for any rank count; models reject unsupported rank counts with other codes. */
const FAULTS: ReadonlySet<string> = new Set(['MODEL027', 'MODEL033']);

function isFaulty({ problems }: InputError): boolean {
  return problems.some(({ code }) => FAULTS.has(code));
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

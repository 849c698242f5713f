import { existsSync } from 'node:fs';
import { freemem } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { CUT_UNSURE, UNSURE_BYTES, whyEndless } from '../../../analysis/coverability/boundedness.ts';
import { CoverabilityAnswers } from '../../../analysis/coverability/coverability-answers.ts';
import { ReducedOnly } from '../../../analysis/coverability/reduced-only.ts';
import { Decider } from '../../../analysis/properties/decide.ts';
import { checkFinal, type Helper, type Question } from '../../../analysis/properties/formula-of.ts';
import type { FoundPath } from '../../../analysis/properties/proof.ts';
import type { Formula } from '../../../analysis/properties/property.ts';
import { formulaText } from '../../../analysis/properties/property-text.ts';
import { unitsOf } from '../../../analysis/properties/units.ts';
import { DeadRuns } from '../../../analysis/reduction/dead-runs.ts';
import { petriPath, ReducedAnswers } from '../../../analysis/reduction/reduced-answers.ts';
import type { Method } from '../../../analysis/reduction/reduced-search.ts';
import { Budget } from '../../../analysis/space/budget.ts';
import { minMemory, tooLittle } from '../../../analysis/space/check-limits.ts';
import { checkCompact } from '../../../analysis/space/compact/check-compact.ts';
import { exploration } from '../../../analysis/space/explore.ts';
import type { Exploration, ExploreOptions, StateSpace } from '../../../analysis/space/state-space.ts';
import { StructuralProver } from '../../../analysis/structure/prove-property.ts';
import { finiteDocument } from '../../../base/finite-figures.ts';
import { given } from '../../../base/given.ts';
import { didYouMean, fail, InputError, type Problem, shown } from '../../../base/problem.ts';
import { PRODUCT } from '../../../base/version.ts';
import type { Net } from '../../../net/net.ts';
import { assertValid } from '../../../net/validation/validate.ts';
import { finalText } from '../../exact/explorable.ts';
import { hashSettings } from '../../explore/explore-document.ts';
import { type SpaceInput, spaceInput } from '../../explore/explore-input.ts';
import { checkOptions } from '../../inputs/check-options.ts';
import { type ByKind, byKind, givenInput, type InputOf } from '../../inputs/input.ts';
import { inputFiles } from '../../inputs/inputs.ts';
import { aboutFile } from '../../inputs/net-file.ts';
import type { KindsOf, RankedModel } from '../../inputs/option-rows.ts';
import { hostfileOf, machineFiles } from '../../inputs/target.ts';
import { type Reduce, VERIFY_ROWS, type VerifyOptions, type VerifyOptionsOf } from '../verify-options.ts';
import type { VerificationDocument } from './verification.ts';
import { type AskedProperty, type NamedQuestion, questionsOf } from './verify-questions.ts';
import { Results } from './verify-results.ts';

const REDUCE: readonly Reduce[] = ['auto', 'none', 'stubborn', 'structural', 'symmetry', 'all'];

type Limits = Pick<VerifyOptions, 'maxStates' | 'memory' | 'seconds' | 'reduce'>;

/** Starts an exploration; the net determines the engine. */
export type Explorer = (net: Net, options: ExploreOptions) => Exploration;

const DEADLOCK_FREE: Formula = { op: 'AG', of: { op: 'not', of: { op: 'deadlock' } } };

/** Share of the time limit for finding verdicts; the rest is for witnesses. */
const DECIDING = 0.85;
/** From this number of places and transitions on, a structural proof takes less time than a few thousand states. */
const LARGE = 5000;
/** Upper bound of the default memory limit for edges, in bytes; the default is half of the free memory. */
const MAX_EDGES = 8e9;

/**
 * Verifies properties of a net (a file or an object) or of a program model. Explores the reachable markings as far as the
 * verdicts require, and gives witnesses: firing sequences confirmed by an independent replay.
 *
 * If a limit is reached or `cancelled` returns true, unknown verdicts are null.
 *
 * @param properties default: `deadlock-free`, `safe` and `bounds`
 * @param explorer starts the exploration, default: the exploration engine that suits the net
 * @throws InputError PROP001 … for properties and options, RED001 … RED006 for a reduction that is not applicable, and
 * problems of the input
 */
export function verify<I extends string | Net | RankedModel>(
  input: I,
  properties?: readonly AskedProperty[],
  options?: VerifyOptionsOf<I>,
  explorer?: Explorer,
): VerificationDocument;
export function verify(
  input: unknown,
  properties?: readonly AskedProperty[],
  options?: VerifyOptions,
  explorer?: Explorer,
): VerificationDocument {
  return verifyInput(givenInput('verify', input), properties, options, explorer);
}

/** The file that witnesses name, and the input files of the document. */
interface Named {
  readonly file?: string;
  readonly inputs: { readonly net?: string; readonly model?: string };
}

const NAMED: ByKind<KindsOf<'verify'>, [], Named> = {
  model: ({ model: { file, name } }) => ({
    file: file ?? name,
    inputs: file !== undefined && existsSync(file) ? { model: file } : {},
  }),
  net: ({ path, module }) => {
    if (path === undefined) return { inputs: {} };
    return module === undefined ? { file: path, inputs: { net: path } } : { inputs: { model: path } };
  },
};

/** As {@link verify}, for an input that has been opened. */
export function verifyInput(
  input: InputOf<KindsOf<'verify'>>,
  properties?: readonly AskedProperty[],
  options: VerifyOptions = {},
  explorer: Explorer = exploration,
): VerificationDocument {
  checkOptions('verify', VERIFY_ROWS, input, options);
  const begun = options.begun ?? performance.now();
  checkLimits(options);
  checkCompact(options, notReduced(options));
  const budget = Budget.of({ ...options, begun });
  const subject = spaceInput(input, options, undefined, { withoutTimes: true });
  const { net } = subject;
  assertValid(net);
  const [asked, final] = questionsAndFinal(subject, properties, options);
  // Repeated properties are decided once.
  const questions = [...new Set(asked)];
  if (options.hashCompact === true) checkReachability(questions);
  const { file, inputs } = byKind(NAMED, input);
  const document = aboutFile(subject.file, () => {
    const known = { net, final, whyEnds: options.final === undefined ? subject.whyAllEnd : undefined };
    const found = new Verification(known, questions, options, explorer, budget).document(file);
    // With several threads the choice among shortest witnesses varies; repeat with one thread to report a fixed one.
    if ((options.workers ?? 1) < 2 || isAlone(options.reduce) || found.properties.every((p) => p.witness === undefined))
      return found;
    const alone = new Verification(known, questions, { ...options, workers: 1 }, explorer, budget).document(file);
    // A limit may have ended the repetition with fewer verdicts.
    const knows = alone.properties.every((p, k) => p.verdict !== null || found.properties[k]!.verdict === null);
    return knows ? alone : found;
  });
  return {
    ...document,
    properties: asked.map((question) => document.properties[questions.indexOf(question)]!),
    inputs: inputFiles({
      ...inputs,
      formulas: options.formulas,
      ...machineFiles(options),
      hostfile: hostfileOf(options),
    }),
    warnings: subject.warnings,
    options: {
      ...subject.options,
      ...(options.final === undefined ? {} : { final: document.final! }),
      ...given(options as Limits, ['maxStates', 'memory', 'seconds', 'reduce']),
      ...hashSettings(options),
    },
    seconds: { ...document.seconds, total: (performance.now() - begun) / 1000 },
  };
}

/** A net, and what is known of it. */
interface KnownNet {
  readonly net: Net;
  /** The final markings. */
  readonly final: Formula | undefined;
  /** Why every maximal run ends in a final marking; undefined if that is not known. */
  readonly whyEnds: (() => string | undefined) | undefined;
}

class Verification {
  readonly #questions: readonly NamedQuestion[];
  readonly #final: Formula | undefined;
  readonly #decider: Decider;
  readonly #space: StateSpace;
  readonly #results: Results;
  readonly #budget: Budget;

  constructor(
    { net, final, whyEnds }: KnownNet,
    questions: readonly NamedQuestion[],
    options: VerifyOptions,
    explorer: Explorer,
    budget: Budget,
  ) {
    this.#budget = budget;
    this.#questions = questions;
    this.#final = final;
    const { cancelled, memory, reduce = 'auto' } = options;
    const deciding = budget.before(DECIDING);
    let exploring = true;
    const report = (): void => {
      const { states, expanded, seconds } = this.#space;
      const used = deciding.used(states, options.maxStates);
      options.progress?.({ states, expanded: exploring ? expanded : states, seconds, used });
    };
    const running = explorer(net, {
      ...given(options, ['maxStates', 'memory', 'workers', 'hashCompact', 'seed']),
      budget: deciding,
      // The space is not explored here, so do not generate code for it.
      ...(isAlone(reduce) ? { engine: 'general' } : {}),
      ...(cancelled === undefined ? {} : { cancelled }),
      progress: () => report(),
    });
    this.#space = running.space;
    const bytes = memory === undefined ? Math.min(MAX_EDGES, freemem() / 2) : budget.bytesLeft;
    const asked = questions.map(({ question }) => question);
    const limits = {
      ...given(options, ['maxStates']),
      ...(options.seconds === undefined ? {} : { seconds: deciding.secondsLeft }),
      cancelled: deciding.stop,
      ...(final === undefined ? {} : { final }),
    };
    const limited = options.maxStates !== undefined || options.seconds !== undefined || memory !== undefined;
    const instead = isAlone(reduce)
      ? new ReducedOnly(net, questions, reduce, {
          ...limits,
          cancelled: cancelled ?? (() => false),
          memory: bytes,
          limited,
          ...given(options, ['progress']),
        })
      : undefined;
    const coverability = new CoverabilityAnswers(net, {
      ...limits,
      limited,
      bytes: () => budget.bytesLeft,
    });
    const helpers = [
      coverability,
      ...(limited || final !== undefined ? [] : [new UnsureSize(net, running.space, deciding.stop)]),
      ...(reduce === 'auto'
        ? [new ReducedAnswers(net, memory === undefined ? limits : { ...limits, memory: bytes / 4 })]
        : []),
    ];
    let prover: StructuralProver | undefined;
    this.#decider = new Decider(running, asked, {
      bytes,
      budget: deciding,
      ...(final === undefined ? {} : { final }),
      ...(cancelled === undefined ? {} : { cancelled }),
      ...(instead === undefined ? {} : { instead }),
      helpers,
      ...(reduce === 'auto' ? { first: [new DeadRuns(net, final, deciding.stop)] } : {}),
      proveFirst: net.places.length + net.transitions.length > LARGE,
      prove: (question) => {
        const because = isDeadlockFree(question) ? whyEnds?.() : undefined;
        if (because !== undefined) return { value: true, by: 'one order', because };
        prover ??= new StructuralProver(net, { stop: deciding.stop });
        return prover.prove(question);
      },
      ...(running.sequences === undefined ? {} : { located: (states) => pathsTo(running, states, budget.stop, final) }),
      stage: (now) => {
        exploring = now === 'exploring';
        report();
      },
    });
    this.#results = new Results(this.#decider, options, bytes);
    report();
  }

  document(file: string | undefined): VerificationDocument {
    this.#decider.run();
    this.#decider.allow(this.#budget);
    const { states, expanded, edges, complete, truncation, omission, bytes, seconds } = this.#space;
    const cut = complete ? null : (this.#decider.ended ?? null);
    const properties = this.#decider.decisions.map((decision, k) =>
      this.#results.of(decision, this.#questions[k]!, file),
    );
    return finiteDocument({
      format: 'foretoken',
      version: 1,
      kind: 'verification',
      product: PRODUCT,
      complete: properties.every((p) => p.verdict !== null),
      inputs: {},
      options: {},
      ...(this.#final === undefined ? {} : { final: formulaText(this.#final) }),
      properties,
      space: {
        states,
        expanded,
        edges,
        complete,
        truncation: truncation ?? cut,
        ...given({ omission }, ['omission']),
        bytes,
      },
      seconds: { exploring: seconds, total: seconds },
      warnings: [],
    });
  }
}

/** True for the property that every marking without a step is final. */
function isDeadlockFree(question: Question): boolean {
  return question.kind === 'formula' && isDeepStrictEqual(question.formula, DEADLOCK_FREE);
}

/** The paths of an exploration with hash compaction, in bindings of the net. */
function pathsTo(
  { sequences, petri }: Exploration,
  states: readonly number[],
  stop: () => boolean,
  final: Formula | undefined,
): FoundPath[] | undefined {
  return sequences!(states, stop)?.map((path) => petriPath(petri!, path, { final }));
}

/** Ends the exploration of a net that may have infinitely many markings, and whose markings take much memory. */
class UnsureSize implements Helper {
  readonly #net: Net;
  readonly #space: StateSpace;
  readonly #stop: () => boolean;
  #endless: { readonly because: string | undefined } | undefined;

  constructor(net: Net, space: StateSpace, stop: () => boolean) {
    this.#net = net;
    this.#space = space;
    this.#stop = stop;
  }

  work(): void {}

  stops(): string | undefined {
    if (this.#space.bytes < UNSURE_BYTES) return undefined;
    if (this.#endless === undefined) {
      const found = whyEndless(this.#net, this.#stop);
      this.#endless = { because: found?.sure === false ? `${found.because} ${CUT_UNSURE}` : undefined };
    }
    return this.#endless.because;
  }
}

/** @throws InputError with the problems of all properties and of the final markings */
function questionsAndFinal(
  subject: SpaceInput,
  properties: readonly AskedProperty[] | undefined,
  options: VerifyOptions,
): [NamedQuestion[], Formula | undefined] {
  const problems: Problem[] = [];
  const kept = <T>(run: () => T): T | undefined => {
    try {
      return run();
    } catch (e) {
      if (!(e instanceof InputError)) throw e;
      problems.push(...e.problems);
      return undefined;
    }
  };
  const questions = kept(() => questionsOf(subject.net, properties, options.formulas));
  const final = kept(() => finalOf(subject, options));
  if (problems.length > 0) throw new InputError(problems);
  return [questions!, final];
}

function finalOf({ net, final }: SpaceInput, options: VerifyOptions): Formula | undefined {
  if (options.final !== undefined) return inPart('final', () => checkFinal(net, options.final!));
  if (final === undefined) return undefined;
  return checkFinal(net, finalText(net, final));
}

function inPart<T>(part: string, run: () => T): T {
  try {
    return run();
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    throw new InputError(e.problems.map((p) => ({ ...p, place: { ...p.place, part } })));
  }
}

/** True if only searches of a reduced net are used. */
function isAlone(reduce: Reduce | undefined): reduce is Method {
  return reduce !== undefined && reduce !== 'auto' && reduce !== 'none';
}

/** Reductions that hash compaction excludes. */
function notReduced({ reduce }: VerifyOptions): Record<string, string> {
  return isAlone(reduce)
    ? { reduce: `searches of a reduced net keep whole markings: omit --reduce ${reduce}, or --hash-compact` }
    : {};
}

/** @throws InputError EXPL006 for properties that need edges */
function checkReachability(questions: readonly NamedQuestion[]): void {
  const problems = questions.flatMap(({ id, question }): Problem[] => {
    if (question.kind !== 'formula') return [];
    const unit = [...unitsOf(question.formula).values()].find(({ kind }) => kind === 'home' || kind === 'paths');
    if (unit === undefined) return [];
    const message = `hash compaction keeps no edges, so it cannot decide ${formulaText(unit.formula)}. Expected AG or EF of a formula without path operators, or a property defined so: deadlock-free, safe, bounded, mutex, invariant, quasi-live, bounds.`;
    return [{ code: 'EXPL006', message, place: { part: `property ${id}` } }];
  });
  if (problems.length > 0) throw new InputError(problems);
}

/** @throws InputError PROP031, RED006 */
function checkLimits({ maxStates, memory, seconds, workers, reduce }: VerifyOptions): void {
  const limits = { maxStates, memory, seconds, workers };
  for (const [option, value] of Object.entries(limits))
    if (value !== undefined && !(typeof value === 'number' && value > 0))
      fail('PROP031', `${option}: expected a number > 0, got ${String(value)}`, { part: 'verify' });
  const min = minMemory();
  if (memory !== undefined && memory < min) fail('PROP031', `memory: ${tooLittle(memory, min)}`, { part: 'verify' });
  checkReduce(reduce);
}

function checkReduce(reduce: unknown): void {
  if (reduce !== undefined && !REDUCE.some((known) => known === reduce))
    fail('RED006', `unknown reduction ${shown(reduce)}.${didYouMean(String(reduce), REDUCE)}`, { part: 'verify' });
}

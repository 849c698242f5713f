import { freemem } from 'node:os';
import { Decider, type Decision, Ended } from '../analysis/properties/decide.ts';
import { type Evidence, Evidences } from '../analysis/properties/evidence.ts';
import { failingParts } from '../analysis/properties/failing.ts';
import { delaysPermit } from '../analysis/properties/forced-times.ts';
import { checkFinal } from '../analysis/properties/formula-of.ts';
import type { Formula } from '../analysis/properties/property.ts';
import { formulaText, name } from '../analysis/properties/property-text.ts';
import { replay } from '../analysis/properties/replay.ts';
import { namedStep } from '../analysis/properties/steps.ts';
import { exploration } from '../analysis/space/explore.ts';
import type { Exploration, ExploreOptions, StateSpace } from '../analysis/space/state-space.ts';
import { StructuralProver } from '../analysis/structure/prove-property.ts';
import { given } from '../base/given.ts';
import { fail, InputError } from '../base/problem.ts';
import { isModel, type ProgramModel } from '../models/program/model.ts';
import type { Net } from '../net/net.ts';
import { assertValid } from '../net/validation/validate.ts';
import type { PropertyResult, VerificationDocument, Witness } from '../report/verification.ts';
import { type SpaceInput, spaceInput } from './explore-input.ts';
import type { ExploreProgress } from './explore-options.ts';
import { inputFiles } from './inputs.ts';
import { hostfileOf, type MachineOptions, machineFileOf } from './target.ts';
import { verifyCommandLine } from './verify-command.ts';
import { type AskedProperty, type NamedQuestion, questionsOf } from './verify-questions.ts';
import { PRODUCT } from './version.ts';

/** What limits a verification, and what it is told besides the properties. */
export interface VerifyOptions extends MachineOptions, Omit<ExploreOptions, 'progress' | 'order'> {
  /** A file of properties in the XML of the Model Checking Contest. */
  readonly formulas?: string;
  /** Which markings a run may end in: a deadlock is a dead marking that is not final. Of a program: all have ended. */
  readonly final?: string | Formula;
  /** Of a model: values of its parameters. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  readonly progress?: (p: ExploreProgress) => void;
}

type Limits = Pick<VerifyOptions, 'maxStates' | 'memory' | 'seconds'>;

/** Begins an exploration: which engine does it is for the net to say. */
export type Explorer = (net: Net, options: ExploreOptions) => Exploration;

/** Bytes that edges may take where no limit was given: half of what is free, but not more. */
const MOST_EDGES = 8e9;

/**
 * Verifies properties of a net, from a file or as it is, or of a program model: explores its reachable markings as far as
 * the answers take, and shows them by firing sequences that an independent replay has confirmed. Without properties:
 * `deadlock-free`, `safe` and `bounds`.
 *
 * A limit, or `cancelled`, leaves what is known by then; other verdicts are null.
 *
 * @throws InputError PROP001 … for properties and options, and all problems of the input
 */
export function verify(
  input: string | Net | ProgramModel,
  properties?: readonly AskedProperty[],
  options: VerifyOptions = {},
  explorer: Explorer = exploration,
): VerificationDocument {
  checkLimits(options);
  const begun = performance.now();
  const subject = spaceInput(input, options);
  const { net } = subject;
  assertValid(net);
  const questions = questionsOf(net, properties, options.formulas);
  const final = finalOf(subject, options);
  const file = typeof input === 'string' || isModel(input) ? subject.file : undefined;
  const document = about(subject.file, () => {
    const found = new Verification(net, questions, final, options, explorer).document(file);
    // Of several shortest witnesses that one is told that one thread finds.
    if ((options.workers ?? 1) < 2 || found.properties.every((p) => p.witness === undefined)) return found;
    return new Verification(net, questions, final, { ...options, workers: 1 }, explorer).document(file);
  });
  return {
    ...document,
    inputs: inputFiles({
      net: typeof input === 'string' ? input : undefined,
      formulas: options.formulas,
      machine: machineFileOf(options),
      hostfile: hostfileOf(options),
    }),
    warnings: subject.warnings,
    options: { ...subject.options, ...given(options as Limits, ['maxStates', 'memory', 'seconds']) },
    seconds: { ...document.seconds, total: (performance.now() - begun) / 1000 },
  };
}

class Verification {
  readonly #net: Net;
  readonly #questions: readonly NamedQuestion[];
  readonly #final: Formula | undefined;
  readonly #options: VerifyOptions;
  readonly #decider: Decider;
  readonly #space: StateSpace;
  readonly #evidences: Evidences;

  constructor(
    net: Net,
    questions: readonly NamedQuestion[],
    final: Formula | undefined,
    options: VerifyOptions,
    explorer: Explorer,
  ) {
    this.#net = net;
    this.#questions = questions;
    this.#final = final;
    this.#options = options;
    const { cancelled, memory } = options;
    let exploring = true;
    const tell = (): void => {
      const { states, expanded, seconds } = this.#space;
      options.progress?.({ states, expanded: exploring ? expanded : states, seconds });
    };
    const running = explorer(net, {
      ...given(options, ['maxStates', 'memory', 'seconds', 'workers']),
      ...(cancelled === undefined ? {} : { cancelled }),
      progress: () => tell(),
    });
    this.#space = running.space;
    const bytes =
      memory === undefined ? Math.min(MOST_EDGES, freemem() / 2) : Math.max(0, memory - process.memoryUsage.rss());
    const asked = questions.map(({ question }) => question);
    let prover: StructuralProver | undefined;
    this.#decider = new Decider(running, asked, {
      bytes,
      ...(final === undefined ? {} : { final }),
      ...(cancelled === undefined ? {} : { cancelled }),
      prove: (question) => {
        prover ??= new StructuralProver(net);
        return prover.prove(question);
      },
      stage: (now) => {
        exploring = now === 'exploring';
        tell();
      },
    });
    this.#evidences = new Evidences(this.#decider, bytes);
    tell();
  }

  document(file: string | undefined): VerificationDocument {
    this.#decider.run();
    const { states, expanded, edges, complete, truncation, bytes, seconds } = this.#space;
    const properties = this.#decider.decisions.map((decision, k) => this.#result(decision, this.#questions[k]!, file));
    return {
      format: 'foretoken',
      version: 1,
      kind: 'verification',
      product: PRODUCT,
      complete: properties.every((p) => p.verdict !== null),
      inputs: {},
      options: {},
      ...(this.#final === undefined ? {} : { final: formulaText(this.#final) }),
      properties,
      space: { states, expanded, edges, complete, truncation: truncation ?? null, bytes },
      seconds: { exploring: seconds, total: seconds },
      warnings: [],
    };
  }

  #result(decision: Decision, { id, text }: NamedQuestion, file: string | undefined): PropertyResult {
    const { value, states, atLeast, bounds, question, proof } = decision;
    const space = this.#space;
    const witness = this.#witness(decision);
    const failing = failingParts(this.#decider, decision);
    const proven =
      value !== undefined &&
      witness === undefined &&
      space.complete &&
      [...decision.units.values()].some((u) => u.kind !== 'now');
    const holdsIn = this.#holdsIn(decision);
    return {
      id,
      property: text,
      verdict: value ?? null,
      states,
      ...(value === undefined ? { reason: decision.reason ?? this.#limit() } : {}),
      ...(atLeast === undefined ? {} : { atLeast }),
      ...(bounds === undefined ? {} : { bounds: this.#named(bounds) }),
      ...(failing.length === 0 ? {} : { failing }),
      ...(holdsIn.length === 0 ? {} : { holdsIn }),
      ...(witness === undefined ? {} : { witness }),
      ...(proof !== undefined
        ? { certificate: { kind: 'structure', by: proof.by, because: proof.because } as const }
        : proven || (value !== undefined && question.kind !== 'formula')
          ? { certificate: { kind: 'complete space', states: space.states, edges: space.edges } as const }
          : {}),
      ...(file === undefined || file === '-' ? {} : { repeat: verifyCommandLine(file, text, this.#options) }),
    };
  }

  #named(bounds: readonly number[]): Record<string, number> {
    return Object.fromEntries(this.#net.places.map((p, k) => [p.name, bounds[k]!]));
  }

  #limit(): string {
    const words = {
      states: 'the limit of states was reached',
      memory: 'the limit of memory was reached',
      time: 'the limit of time was reached',
      interrupted: 'ended by request',
    };
    const { truncation } = this.#space;
    return truncation === undefined ? 'ended by request' : words[truncation];
  }

  /** In how many states parts with paths hold, where all states are known. */
  #holdsIn({ units, value }: Decision): { readonly formula: string; readonly states: number }[] {
    if (!this.#space.complete || value === undefined) return [];
    return [...units.values()].flatMap(({ kind, formula }) => {
      const holds = kind === 'paths' ? this.#unlessEnded(() => this.#decider.ctl()?.holding(formula).must) : undefined;
      if (holds === undefined) return [];
      return [{ formula: formulaText(formula), states: holds.reduce((sum, x) => sum + x, 0) }];
    });
  }

  #witness(decision: Decision): Witness | undefined {
    const found = this.#unlessEnded(() => this.#evidences.of(decision));
    if (found === undefined) return undefined;
    const steps = found.steps.map((step) => namedStep(this.#net, step));
    const { changes } = this.#replayed(steps);
    const delays = delaysPermit(this.#space, found);
    return {
      steps: steps.map((step, k) => ({ ...step, changes: changes[k]! })),
      ...(found.loop === undefined ? {} : { loop: found.loop }),
      shows: found.shows,
      shortest: isShortest(decision, found),
      ...(delays === undefined ? {} : { delays }),
    };
  }

  /** A sequence that does not replay would be a fault of ours: nothing is told then. */
  #replayed(steps: Parameters<typeof replay>[1]): ReturnType<typeof replay> {
    try {
      return replay(this.#net, steps);
    } catch (e) {
      throw new Error(`a sequence that was found does not replay: ${(e as Error).message}`);
    }
  }

  #unlessEnded<T>(run: () => T): T | undefined {
    try {
      return run();
    } catch (e) {
      if (!(e instanceof Ended)) throw e;
      return undefined;
    }
  }
}

/** Sequences to a state that was found breadth first are shortest; of nested formulas only each part is. */
function isShortest({ question, units, known }: Decision, { loop }: Evidence): boolean {
  if (question.kind !== 'formula' || loop !== undefined) return false;
  const [unit, another] = [...units.values()].filter((u) => u.kind !== 'now');
  return (
    another === undefined && unit !== undefined && unit.kind === 'reach' && known.get(unit.formula)?.state !== undefined
  );
}

function finalOf({ net, final }: SpaceInput, options: VerifyOptions): Formula | undefined {
  if (options.final !== undefined) return inPart('final', () => checkFinal(net, options.final!));
  if (final === undefined) return undefined;
  const places = final.places.map((p) => name(net.places[p]!.name)).join(', ');
  return checkFinal(net, `tokens(${places}) = ${final.tokens}`);
}

function inPart<T>(part: string, run: () => T): T {
  try {
    return run();
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    throw new InputError(e.problems.map((p) => ({ ...p, place: { ...p.place, part } })));
  }
}

/** @throws InputError PROP031 */
function checkLimits({ maxStates, memory, seconds, workers }: VerifyOptions): void {
  const limits = { maxStates, memory, seconds, workers };
  for (const [option, value] of Object.entries(limits))
    if (value !== undefined && !(typeof value === 'number' && value > 0))
      fail('PROP031', `${option} is ${String(value)}: a number above 0 is expected`, { part: 'verify' });
}

/** What goes wrong with a net is said of the file that it came from. */
function about<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    throw new InputError(e.problems.map((p) => ({ ...p, place: { file, ...p.place } })));
  }
}

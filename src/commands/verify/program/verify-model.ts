import { existsSync } from 'node:fs';
import { Budget } from '../../../analysis/space/budget.ts';
import { formatProblem, InputError, type Problem } from '../../../base/problem.ts';
import type { ProgramModel } from '../../../models/program/model-object.ts';
import type { Recorded } from '../../../models/program/record/recorder.ts';
import type { Members } from '../../inputs/inputs.ts';
import type { VerifyProgramOptions } from '../verify-options.ts';
import { type InstanceLimits, inTime, MAX_STATES, verifyInstance } from './instance.ts';
import { modelSubject } from './model-subject.ts';
import type { ProgramInstance, ProgramVerificationDocument } from './program-verification.ts';
import { type CountOutcome, RankCounts } from './rank-counts.ts';
import type { SendProtocol, Subject } from './subject.ts';

/** The instances of a program, and the members of a document that describe its input. */
export interface Verified {
  /** Name of the model, or path of the trace. */
  readonly program: string;
  /** The number of ranks that the options ask of a model. */
  readonly asked: { readonly ranks?: number };
  readonly instances: readonly ProgramInstance[];
  readonly refused: ProgramVerificationDocument['refused'];
  readonly collectives: string | undefined;
  readonly files: { readonly trace?: string; readonly model?: string };
  readonly members: Members;
  readonly warnings: readonly string[];
  readonly notes: readonly Problem[];
  readonly because: readonly Problem[];
}

const MAX_STEPS = 1e8;
const NOT_DECLARED = 'the model declares that it does not run on this number of ranks';

/** Verifies a model with the given rank count, with that of its `verifyWith`, or else with small ones ({@link RankCounts}). */
export function verifyModel(
  given: ProgramModel,
  protocols: readonly SendProtocol[],
  options: VerifyProgramOptions,
  change?: (programs: readonly Recorded[]) => readonly Recorded[],
): Verified {
  const { ranks: preset, ...parameters } = given.verifyWith as { ranks?: number } & Record<string, never>;
  const values: Record<string, unknown> = { ...parameters, ...options.set };
  const model = Object.keys(values).length === 0 ? given : given.with(values as never);
  const fixed = options.ranks ?? preset ?? model.ranks;
  const warnings = new Set<string>();
  const warn = (problem: Problem): void => void warnings.add(formatProblem(problem));
  const limits = { maxSteps: MAX_STEPS, maxStates: MAX_STATES, ...options, warn };
  const subjectOf = (ranks: number): Subject => modelSubject(model, ranks, options, change);
  const counts = new RankCounts(model);
  const verification = new ModelVerification(protocols, limits, Budget.of(options), subjectOf);
  if (fixed !== undefined) verification.verify(fixed);
  else
    for (let ranks = counts.first; ; ranks++) {
      const outcome = verification.attempt(ranks, counts);
      if (verification.isDone || counts.suffice(ranks, outcome, verification)) break;
    }
  const order = (i: ProgramInstance): number => protocols.indexOf(i.sends as SendProtocol);
  return {
    program: given.name,
    asked: options.ranks === undefined ? {} : { ranks: options.ranks },
    instances: verification.instances.sort((a, b) => order(a) - order(b) || a.ranks - b.ranks),
    refused: verification.refused,
    collectives: verification.collectives,
    files: given.file === undefined || !existsSync(given.file) ? {} : { model: given.file },
    members: {},
    warnings: [...warnings],
    notes: [],
    because: [],
  };
}

class ModelVerification {
  readonly instances: ProgramInstance[] = [];
  readonly refused: { ranks: number; reason: string }[] = [];
  readonly spent = { steps: 0, states: 0 };
  collectives: string | undefined;
  readonly #limits: InstanceLimits;
  readonly #budget: Budget;
  readonly #subjectOf: (ranks: number) => Subject;
  /** Protocols under which larger rank counts are verified: neither violated nor beyond the limits yet. */
  #open: readonly SendProtocol[];
  /** Why the model rejected the first rank count. */
  #first: InputError | undefined;

  constructor(
    protocols: readonly SendProtocol[],
    limits: InstanceLimits,
    budget: Budget,
    subjectOf: (ranks: number) => Subject,
  ) {
    this.#open = protocols;
    this.#limits = limits;
    this.#budget = budget;
    this.#subjectOf = subjectOf;
  }

  get isDone(): boolean {
    return this.#open.length === 0;
  }

  /** Verifies the model with a rank count. @throws InputError if the model rejects it */
  verify(ranks: number, begun: (subject: Subject) => void = () => undefined): void {
    const subject = this.#subjectOf(ranks);
    begun(subject);
    for (const sends of this.#open) {
      const one = verifyInstance(subject, sends, inTime(this.#limits, this.#budget));
      const known = one.properties.every((p) => p.verdict !== null);
      const grown = this.instances.some((i) => i.sends === sends);
      if (known || !grown) this.instances.push(one);
      else this.refused.push({ ranks, reason: one.properties.find((p) => p.verdict === null)!.reason! });
      if (!known || one.properties.some((p) => p.verdict === false)) this.#open = this.#open.filter((s) => s !== sends);
      this.spent.steps += one.steps;
      this.spent.states += one.states ?? 0;
    }
    this.collectives ??= subject.collectives;
  }

  /** Verifies the model with a rank count that it may reject. @throws InputError if it rejects all, or is faulty */
  attempt(ranks: number, counts: RankCounts): CountOutcome {
    let outcome: CountOutcome = 'rejected';
    try {
      const refusal = counts.refusal(ranks, this);
      if (refusal !== undefined) {
        this.refused.push({ ranks, reason: NOT_DECLARED });
        return refusal;
      }
      this.verify(ranks, ({ choices }) => {
        outcome = choices.length > 0 || this.#limits.buffer !== undefined ? 'state space' : 'one run';
      });
    } catch (e) {
      if (!(e instanceof InputError) || isFaulty(e)) throw e;
      this.#first ??= e;
      if (counts.areExhausted(ranks, this)) throw this.#first;
      this.refused.push({ ranks, reason: e.problems[0]!.message });
    }
    return outcome;
  }
}

/** Codes of faults that are reported for any rank count; models reject unsupported rank counts with other codes. */
const FAULTS: ReadonlySet<string> = new Set(['MODEL027', 'MODEL033']);

function isFaulty({ problems }: InputError): boolean {
  return problems.some(({ code }) => FAULTS.has(code));
}

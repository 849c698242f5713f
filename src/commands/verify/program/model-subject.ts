import type { CollectiveChoice } from '../../../models/collectives/choice.ts';
import type { ProgramModel } from '../../../models/program/model-object.ts';
import { type ProgramNet, programNet } from '../../../models/program/net/program-net.ts';
import type { Recorded } from '../../../models/program/record/recorder.ts';
import type { Statement } from '../../../models/program/record/statement.ts';
import { isWild } from '../../../models/program/resolve/shape.ts';
import { RANK } from '../../../models/program/resolve/state.ts';
import { ORDER_PRIORITY } from '../../../models/program/resolve/wild-order.ts';
import type { StatementInfo, World } from '../../../models/program/resolve/world.ts';
import { STRAND_LOCAL } from '../../../models/threads/net/thread-net.ts';
import type { Transition } from '../../../net/net.ts';
import { duringBuild } from '../../inputs/build-phase.ts';
import { collectivesFor, type MachineOptions } from '../../inputs/target.ts';
import { stuckRanks } from '../../predict/model/model-outcome.ts';
import type { MappedModel } from '../../predict/model/stages.ts';
import { describe, eachToken, linesOf, unmatchedInModel } from '../../predict/model/unmatched-in-model.ts';
import type { Choice, Unmatched } from '../../predict/unmatched.ts';
import { type Suspicions, suspicions } from './incidence.ts';
import { type InstanceLimits, verifyProtocol } from './instance.ts';
import type { ProgramInstance } from './program-verification.ts';
import type { Marking, NamedStep, ProgramInstanceNet, Subject } from './subject.ts';
import { type SendProtocol, type SizedProtocol, untimedMachine } from './subject.ts';

/** Statements that test for completion without blocking, or choose by completion. */
const LOOKS: ReadonlySet<Statement['kind']> = new Set(['test', 'waitAny', 'take', 'probe']);
/** Statements whose outcome may depend on the order of steps. */
const OPEN: ReadonlySet<Statement['kind']> = new Set([...LOOKS, 'threads', 'chance', 'repeat']);
/** Control statements; these are not operations. */
const CONTROL: ReadonlySet<Statement['kind']> = new Set([
  'let',
  'take',
  'when',
  'chance',
  'loop',
  'while',
  'repeat',
  'interval',
]);

/**
 * Makes a verification subject of a model for a rank count. The machine only determines the algorithms of collectives.
 *
 * @param change transforms the recorded programs
 * @throws InputError MODEL0xx if the model rejects the rank count or is faulty
 */
export function modelSubject(
  model: ProgramModel,
  ranks: number,
  options: MachineOptions,
  change: (programs: readonly Recorded[]) => readonly Recorded[] = (programs) => programs,
): Subject {
  const collectives = collectivesFor(options);
  const programs = duringBuild(() => change(model.record(ranks)));
  const made = new Map<SendProtocol, ModelInstance>();
  const instance = (sends: SendProtocol): ModelInstance => {
    let known = made.get(sends);
    if (known === undefined) {
      known = duringBuild(() => new ModelInstance(programs, ranks, collectives, sends));
      made.set(sends, known);
    }
    return known;
  };
  const { world } = instance('rendezvous').program;
  let suspected: Suspicions | undefined;
  return {
    ...aboutModel(model, ranks, collectives, world),
    suspicions: () => {
      suspected ??= suspicions(programs, world.statements, describe);
      return suspected;
    },
    withSends: instance,
    close: () => {},
  };
}

/**
 * Verifies a model on a machine under the machine's protocol, which depends on the sizes of messages.
 *
 * @throws InputError MODEL020, MODEL027, MODEL033 for a faulty program
 */
export function verifyOnMachine(
  { model, ranks, target, program }: MappedModel,
  limits: InstanceLimits,
): ProgramInstance {
  const { detachedBelow, eagerBelow } = program.machine.protocol;
  const sends = { detachedBelow: Math.max(detachedBelow, eagerBelow) };
  const instance = new ModelInstance(program.programs, ranks, target.collectives, sends);
  return verifyProtocol(aboutModel(model, ranks, target.collectives, program.world), 'machine', instance, limits);
}

/** Properties of the subject that do not depend on the protocol. */
function aboutModel(
  model: ProgramModel,
  ranks: number,
  collectives: CollectiveChoice,
  world: World,
): Pick<Subject, 'ranks' | 'parameters' | 'collectives' | 'choices'> {
  return {
    ranks,
    parameters: model.params as Subject['parameters'],
    collectives: world.statements.some(({ statement: s }) => s.kind === 'collective' || s.kind === 'fence')
      ? collectives.text
      : undefined,
    choices: world.statements.filter(({ statement: s }) => isWild(s) || OPEN.has(s.kind)).map(describe),
  };
}

class ModelInstance implements ProgramInstanceNet {
  readonly program: ProgramNet;
  readonly net: ProgramInstanceNet['net'];
  readonly matches: readonly string[] = ['match', 'matchWild'];
  readonly wildMatch: string = 'matchWild';
  readonly sized: boolean;
  readonly #ranks: number;
  readonly #looks: readonly string[];
  /** Beginnings of the names of transitions inside regions of threads. */
  readonly #threads: readonly string[];
  readonly #bookkeeping: ReadonlySet<string>;

  constructor(
    programs: readonly Recorded[],
    ranks: number,
    collectives: CollectiveChoice,
    sends: SendProtocol | SizedProtocol,
  ) {
    this.#ranks = ranks;
    this.sized = typeof sends !== 'string';
    this.program = programNet(programs, collectives, (pairs) => untimedMachine(ranks, pairs.from.length, sends));
    this.net = this.program.net;
    this.#bookkeeping = new Set(this.net.transitions.filter((t) => t.priority === ORDER_PRIORITY).map((t) => t.name));
    this.#threads = this.program.world.statements
      .filter(({ statement }) => statement.kind === 'threads')
      .map(({ label }) => `${label}: `);
    this.#looks = this.program.world.statements
      .filter(({ statement }) => LOOKS.has(statement.kind))
      .map(({ label }) => `${label} `);
  }

  /** Completion tests and wildcard receives depend on the order of steps. All other transitions can fire immediately. */
  canHasten({ name, outputs }: Transition): boolean {
    if (name === this.wildMatch) return false;
    const region = this.#threads.find((prefix) => name.startsWith(prefix));
    if (region !== undefined) return STRAND_LOCAL.has(name.slice(region.length));
    if (this.#looks.length === 0) return true;
    const completes = outputs.some(({ place }) => place === 'completed');
    const shared = name === 'deliver' || name.startsWith('collective ');
    return !(completes && shared) && !this.#looks.some((label) => name.startsWith(label));
  }

  blocked(marking: Marking): ReturnType<ProgramInstanceNet['blocked']> {
    return stuckRanks(this.program, marking, { since: new Float64Array(this.#ranks) });
  }

  unmatched(marking: Marking): Unmatched[] {
    return unmatchedInModel(this.program, marking);
  }

  waiting(marking: Marking): Map<number, number> {
    const found = new Map<number, number>();
    const { to } = this.program.world.pairEnds();
    const note = (rank: number): void => void found.set(rank, (found.get(rank) ?? 0) + 1);
    eachToken(this.program, marking, 'sends', (v) => note(to[v('p')]!));
    eachToken(this.program, marking, 'wildSends', (v) => note(v('d')));
    return found;
  }

  /** Always true: the net itself keeps messages and receives in order. */
  isInOrder(): boolean {
    return true;
  }

  isBookkeeping(transition: string): boolean {
    return this.#bookkeeping.has(transition);
  }

  describe(step: NamedStep): string | undefined {
    if (step.transition === this.wildMatch) {
      const { receive, message } = this.match(step).words();
      return `${receive} takes the message of ${message}`;
    }
    const one = this.program.world.statements.find(({ label }) => step.transition.startsWith(`${label} `));
    if (one === undefined) return undefined;
    const { statement, label } = one;
    if (!LOOKS.has(statement.kind) && statement.kind !== 'chance' && statement.kind !== 'repeat') return undefined;
    return `rank ${step.binding[RANK]}: ${lineOf(one)}: ${step.transition.slice(label.length + 1)}`;
  }

  match({ binding }: NamedStep): ReturnType<ProgramInstanceNet['match']> {
    const { world } = this.program;
    const { from, to } = world.pairEnds();
    const pair = binding['p']!;
    const tag = world.tags.key(binding['t']!, 1);
    const [rank, sender] = [to[pair]!, from[pair]!];
    const lines = (kind: Unmatched['kind'], own: number, peer: number | null): string =>
      linesOf(this.program, kind, own, peer, tag)
        .map(({ file, line }) => `${short(file)}:${line}`)
        .join(' or ');
    const key = (names: readonly string[]): string => names.map((name) => binding[name]).join();
    return {
      receive: key(['d', 'x', 's2', 't2', 'a']),
      message: key(['p', 't', 'q', 'b', 'v', 'y']),
      words: () => ({
        receive: `rank ${rank}: receive at ${lines('receive', rank!, null)}`,
        message: `rank ${sender}, sent at ${lines('send', sender!, rank!)}`,
      }),
    };
  }

  neverDone(fired: (transition: string) => boolean): Choice[] {
    return statementTransitions(this.program)
      .filter(({ transitions }) => !transitions.some(fired))
      .map(({ statement }) => describe(statement));
  }
}

/**
 * The operations of a program with their transitions; an operation is dead if none of its transitions can fire. Sends and
 * receives with MPI_PROC_NULL count as executed. Control statements and transitions for argument errors are excluded.
 * O(statements × transitions).
 */
export function statementTransitions({
  world,
  net,
}: ProgramNet): { readonly statement: StatementInfo; readonly transitions: readonly string[] }[] {
  const names = net.transitions.map((t) => t.name).filter((n) => !/ (?:faults|too late)$/.test(n));
  return world.statements
    .filter(({ statement: s }) => !CONTROL.has(s.kind))
    .map((statement) => ({
      statement,
      transitions: names.filter((n) => n === statement.label || n.startsWith(`${statement.label} `)),
    }));
}

function lineOf(one: StatementInfo): string {
  const { operation, file, line } = describe(one);
  return `${operation} (${short(file)}:${line})`;
}

function short(file: string): string {
  return file.split(/[\\/]/).at(-1)!;
}

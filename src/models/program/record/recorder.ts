import { didYouMean, fail, InputError, type Place, shown } from '../../../base/problem.ts';
import { problemsOf, thrown, userPlaceOf, watchThrows, withKnownMethod } from '../../../base/thrown.ts';
import { guardingBuild, refuseInFunction } from '../../../net/functions/ambient.ts';
import { guarded } from '../../parameters.ts';
import { Site } from '../../site.ts';
import type { Parameters } from './builder-types.ts';
import { Communicator, parted, RangeCommunicator } from './communicator.ts';
import type { Coupling, ModelPart, Position } from './coupling.ts';
import type { Interface } from './labels.ts';
import { collectiveMethods } from './record-collectives.ts';
import { controlMethods } from './record-control.ts';
import { labelMethods } from './record-labels.ts';
import { messageMethods, oneSidedMethods, requestMethods } from './record-messages.ts';
import { threadMethods, workMethods } from './record-work.ts';
import { type Options, Recording } from './recording.ts';
import type { Block } from './statement.ts';
import type { Variables } from './variables.ts';

/** A program recorded for a number of ranks and parameter values. */
export interface Recorded {
  readonly name: string;
  readonly size: number;
  /** World rank of the program's rank 0. */
  readonly first: number;
  readonly params: Parameters;
  readonly variables: Variables;
  readonly body: Block;
  /** Number of requests. */
  readonly requests: number;
  readonly communicators: readonly Communicator[];
}

/** Properties of a program that its options give; `build` records the rest. */
export interface Unrecorded extends Omit<Recorded, 'body' | 'requests' | 'communicators' | 'name' | 'first'> {
  readonly interface: Interface;
}

/** Statements for calls of MPI that have another name here, by the name of the call without `MPI_`. */
const MPI_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries({ s: 'synchronous', b: 'buffered', r: 'ready' }).flatMap(([letter, mode]) => [
      [`${letter}send`, `send with mode: '${mode}'`],
      [`i${letter}send`, `isend with mode: '${mode}'`],
    ]),
  ),
  startall: 'start',
  win_fence: 'fence',
};

/**
 * Argument of `build`: records the statements of a model. It implements `ProgramBuilder`; the checks here repeat at run
 * time those that types make, for models in plain JavaScript. Most methods are defined in the files `record-….ts`.
 */
export class Recorder {
  readonly size: number;
  readonly p: Parameters;
  readonly world: Communicator;
  readonly everyone: Communicator;
  readonly #coupling: Coupling;
  readonly #first: number;
  readonly #recording: Recording;

  constructor(program: Unrecorded, position: Position) {
    const { name, first, coupling } = position;
    this.#coupling = coupling;
    this.size = program.size;
    this.p = guarded(name, program.params);
    this.#first = first;
    this.everyone = coupling.everyone;
    this.world =
      coupling.size === program.size ? this.everyone : new RangeCommunicator(coupling.number(), first, program.size);
    this.#recording = new Recording(program, position, this.world);
    Object.assign(this, threadMethods(this.#recording, name, program.params));
    for (const methods of [
      controlMethods,
      workMethods,
      messageMethods,
      requestMethods,
      labelMethods,
      collectiveMethods,
      oneSidedMethods,
    ])
      Object.assign(this, methods(this.#recording));
  }

  /**
   * Runs `build` and returns the recorded program.
   *
   * @param made where the model is defined: the place of errors whose own place is unknown
   */
  static record(program: Unrecorded, position: Position, build: (m: never) => unknown, made: Site): Recorded {
    const m = new Recorder(program, position);
    refuseInFunction('MODEL010', 'builds a model');
    try {
      m.#recording.assertSynchronous(
        guardingBuild(() => build(m as never)),
        made,
      );
    } catch (e) {
      const problems = problemsOf(e);
      if (problems !== undefined) throw e instanceof InputError ? e : new InputError(problems);
      const { text, stack, isError } = thrown(e);
      const place = isError ? (userPlaceOf(stack) ?? {}) : Recorder.#throwPlace(program, position, build);
      const named = withKnownMethod(text, build, m, MPI_NAMES);
      fail('MODEL029', `build throws ${named}`, place.file === undefined ? made.place : place);
    }
    const { size, params, variables } = program;
    const { name, first } = position;
    const { communicators } = m.#recording;
    return { name, size, first, params, variables, ...m.#recording.end(), communicators };
  }

  /** Runs a failed `build` again to locate the throw of a value without a stack. */
  static #throwPlace(program: Unrecorded, position: Position, build: (m: never) => unknown): Place {
    const place = watchThrows();
    if (place === undefined) return {};
    try {
      build(new Recorder(program, position) as never);
    } catch {
      // Expected: only the place is of interest.
    }
    return place() ?? {};
  }

  /** The ranks of a part of coupled models within `everyone`. */
  part(name: string): ModelPart {
    const { parts, first } = this.#coupling;
    const known = parts.map((p) => p.name);
    const found = parts.find((p) => p.name === name);
    if (found !== undefined) return { ...found, first: found.first - first };
    fail('MODEL028', `unknown part ${shown(name)}.${didYouMean(String(name), known)}`, new Site(this.part).place);
  }

  /** Reports a common mistake: the rank is unknown while a model is built. */
  get rank(): never {
    return fail(
      'MODEL013',
      'm.rank does not exist: a model is built once for all ranks. Use a function of the state for a value that depends on the rank: m.when(s => s.rank === 0, …)',
      new Site(Object.getOwnPropertyDescriptor(Recorder.prototype, 'rank')!.get!).place,
    );
  }

  split(options: Options): Communicator {
    const above = this.split;
    const site = new Site(above);
    const { color, key, comm } = this.#recording.options('split', options, ['color', 'key', 'comm'], above);
    const parent = this.#recording.comm(comm, 'split', above);
    const { total } = this.#coupling;
    const own = (rank: number): number => rank - this.#first;
    const state = (rank: number): object => ({ rank: own(rank), size: this.size, p: this.p });
    const of = parted(parent, total, { color, key, state, name: own }, site);
    const made = new Communicator(this.#coupling.number(), of);
    this.#recording.communicators.push(made);
    return made;
  }
}

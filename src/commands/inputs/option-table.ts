import type { ExploreOptions } from '../../analysis/space/state-space.ts';
import type { ConvertOptions } from '../convert/convert-options.ts';
import type { DiagnoseModelOptions, DiagnoseOptions } from '../diagnose/diagnosis-options.ts';
import type { SpaceOptions } from '../explore/explore-document.ts';
import type { PredictOptions } from '../predict/options.ts';
import type { ProfileOptions, SimulationOptions } from '../profile/profile-options.ts';
import type { StructureOptions } from '../structure/structure-options.ts';
import type { VerifyOptions, VerifyProgramOptions, VerifyThreadsOptions } from '../verify/verify-options.ts';
import type { WhatIfOptions } from '../whatif/whatif-options.ts';

/** Kinds of input that commands and functions distinguish, worded for messages. */
export const INPUT_KINDS = [
  'model',
  'thread model',
  'trace',
  'net',
  'run record',
  'worker states',
  'Chrome trace',
] as const;

/** A kind of input. `model`: a program with message passing. */
export type InputKind = (typeof INPUT_KINDS)[number];

/** The kinds of input to which each option applies. */
export type OptionRows<O extends object> = { readonly [option in keyof O]-?: readonly InputKind[] };

/** Options of `foretoken verify` that none of its functions has. */
interface VerifyFlags extends Pick<ExploreOptions, 'order'> {
  readonly properties?: unknown;
  readonly witness?: unknown;
  readonly trace?: unknown;
}

/** The options of every function, and of `foretoken verify`, which takes every kind of input. */
interface OptionsOf {
  readonly predict: PredictOptions;
  readonly whatif: WhatIfOptions;
  readonly verify: VerifyOptions;
  readonly verifyProgram: VerifyProgramOptions;
  readonly verifyThreads: VerifyThreadsOptions;
  readonly verifyCommand: VerifyOptions & VerifyProgramOptions & VerifyThreadsOptions & VerifyFlags;
  readonly explore: SpaceOptions;
  readonly structure: StructureOptions;
  readonly convert: ConvertOptions;
  readonly profile: ProfileOptions & SimulationOptions;
  readonly diagnose: DiagnoseOptions & DiagnoseModelOptions;
}

/** A function whose options the table lists. */
export type Job = keyof OptionsOf;

const ALL: readonly InputKind[] = INPUT_KINDS;
const MODEL: readonly InputKind[] = ['model'];
const THREADS: readonly InputKind[] = ['thread model'];
const MODELS: readonly InputKind[] = ['model', 'thread model'];
const NET: readonly InputKind[] = ['net'];
const TRACE: readonly InputKind[] = ['trace'];
/** Programs whose ranks exchange messages. */
const RANKED: readonly InputKind[] = ['model', 'trace'];
const PROGRAMS: readonly InputKind[] = ['model', 'thread model', 'trace'];
/** Inputs whose runs can draw random numbers. */
const DRAWN: readonly InputKind[] = ['model', 'thread model', 'net'];
/** Inputs whose markings are explored. */
const NETS: readonly InputKind[] = ['net', 'model'];
const RECORDED: readonly InputKind[] = ['run record', 'worker states', 'Chrome trace'];

/** The machine and the placement of ranks. */
const machine = {
  machine: PROGRAMS,
  hostfile: RANKED,
  placement: RANKED,
  oversubscribe: RANKED,
  ranks: RANKED,
  networkModel: RANKED,
  collectives: RANKED,
  derivedTypeBytes: TRACE,
  confine: TRACE,
};
/** The machine of a model whose net is analysed. */
const machineOfNet = {
  machine: MODEL,
  hostfile: MODEL,
  placement: MODEL,
  oversubscribe: MODEL,
  ranks: MODEL,
  networkModel: MODEL,
  collectives: MODEL,
  derivedTypeBytes: [],
  confine: [],
  set: MODEL,
};
const pool = { scheduler: THREADS, victim: THREADS, take: THREADS, rounds: THREADS, bypass: THREADS, pool: THREADS };
const draws = { replications: DRAWN, precision: DRAWN, confidence: DRAWN, seed: DRAWN };
const thresholds = {
  active: ALL,
  inactive: ALL,
  taskRate: ALL,
  stealRatio: ALL,
  searchRate: ALL,
  counting: ALL,
  period: ALL,
};
const search = { maxStates: ALL, memory: ALL, seconds: ALL, workers: ALL, engine: ALL };
/** Callbacks, and values that only save work. */
const hooks = { progress: ALL, cancelled: ALL, begun: ALL };

const verify: OptionRows<VerifyOptions> = {
  ...machineOfNet,
  ...search,
  ...hooks,
  formulas: NETS,
  final: NETS,
  reduce: NETS,
};
const verifyProgram: OptionRows<VerifyProgramOptions> = {
  machine: RANKED,
  ranks: RANKED,
  derivedTypeBytes: TRACE,
  confine: TRACE,
  sends: RANKED,
  set: MODEL,
  maxSteps: RANKED,
  maxStates: RANKED,
  buffer: RANKED,
  memory: RANKED,
  seconds: RANKED,
  workers: RANKED,
  ...hooks,
  played: RANKED,
};
const verifyThreads: OptionRows<VerifyThreadsOptions> = {
  memory: THREADS,
  seconds: THREADS,
  workers: THREADS,
  scheduler: THREADS,
  pool: THREADS,
  set: THREADS,
  maxStates: THREADS,
  reduce: THREADS,
  cancelled: THREADS,
  progress: THREADS,
};

/**
 * Options of every function, and of the command of the same name: the kinds of input to which each one applies. Functions
 * and command line refuse all others.
 */
export const OPTIONS: { readonly [job in Job]: OptionRows<OptionsOf[job]> } = {
  predict: {
    ...machine,
    ...pool,
    ...draws,
    workers: THREADS,
    ties: ['model', 'trace', 'net'],
    set: MODELS,
    until: NET,
    maxSteps: NET,
    trace: PROGRAMS,
    run: PROGRAMS,
    record: PROGRAMS,
    // Accepted for nets, which have no machine whose parts could be doubled: the command line always gives it.
    secondRuns: ALL,
    progress: ALL,
    cancelled: ALL,
    offloadedRanks: ALL,
    digestOf: ALL,
  },
  whatif: {
    ...machine,
    ...pool,
    vary: ALL,
    // Of thread models refused with the reason, WHAT012.
    ideals: PROGRAMS,
    find: ALL,
    scaling: MODELS,
    elasticity: PROGRAMS,
    limit: ALL,
    // Of a thread model those of its pool, of others the threads of the study.
    workers: ALL,
    seed: DRAWN,
    set: MODELS,
    replications: DRAWN,
    until: NET,
    maxSteps: NET,
    progress: ALL,
    signal: ALL,
  },
  verify,
  verifyProgram,
  verifyThreads,
  verifyCommand: {
    ...joined(verify, verifyProgram, verifyThreads),
    properties: NETS,
    witness: NETS,
    trace: NETS,
    order: ALL,
  },
  explore: { ...machineOfNet, ...search, order: ALL, ...hooks, bounds: NETS, graph: NETS },
  structure: {
    ...machineOfNet,
    seconds: NETS,
    memory: NETS,
    cancelled: NETS,
    begun: NETS,
    analysing: NETS,
    unreachable: NETS,
    sets: NETS,
    linearPrograms: NETS,
  },
  convert: {
    ...machine,
    ...pool,
    workers: THREADS,
    unfold: ALL,
    safe: ALL,
    limit: ALL,
    set: MODELS,
    module: MODEL,
  },
  profile: {
    ...machine,
    ...pool,
    workers: THREADS,
    seed: MODELS,
    set: MODELS,
    maxSteps: MODELS,
    messages: ['run record'],
    align: ['run record'],
    from: ALL,
    to: ALL,
    at: ALL,
    level: ALL,
    processes: ALL,
    interval: ALL,
    oneProcessor: ALL,
    sequential: ALL,
    secondRuns: PROGRAMS,
    progress: PROGRAMS,
    cancelled: PROGRAMS,
    digestOf: PROGRAMS,
  },
  diagnose: {
    ...thresholds,
    ...pool,
    workers: THREADS,
    states: ['run record', 'Chrome trace'],
    gaps: ['run record', 'Chrome trace'],
    sequential: RECORDED,
    machine: MODELS,
    ranks: MODEL,
    set: MODELS,
    seed: MODELS,
    gain: MODELS,
    speedup: THREADS,
  },
};

const withTrace: readonly InputKind[] = [...DRAWN, 'trace'];

/** Options of `predict` with drawn ties, the only random parts of a trace. */
export const WITH_DRAWN_TIES: OptionRows<PredictOptions> = {
  ...OPTIONS.predict,
  replications: withTrace,
  precision: withTrace,
  confidence: withTrace,
  seed: withTrace,
};

/** The option names of functions that the command line spells differently, apart from dashes. */
const FLAGS: Readonly<Record<string, string>> = {
  derivedTypeBytes: 'datatype',
  ideals: 'scenario',
  properties: 'property',
  processes: 'process',
  states: 'state',
  limit: 'max-scenarios',
  bypass: 'no-bypass',
  gain: 'no-gain',
  linearPrograms: 'no-linear-programs',
};

/** The flag of an option: `--max-steps` for `maxSteps`. */
export function flagOf(job: Job, option: string): string {
  const name = option === 'limit' && job === 'convert' ? option : (FLAGS[option] ?? option);
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The rows of several functions in one: an option applies where it applies to one of them. */
function joined<A extends object, B extends object, C extends object>(
  a: OptionRows<A>,
  b: OptionRows<B>,
  c: OptionRows<C>,
): OptionRows<A & B & C> {
  const rows = new Map<string, readonly InputKind[]>();
  for (const some of [a, b, c])
    for (const [name, kinds] of Object.entries<readonly InputKind[]>(some))
      rows.set(name, [...new Set([...(rows.get(name) ?? []), ...kinds])]);
  return Object.fromEntries(rows) as unknown as OptionRows<A & B & C>;
}

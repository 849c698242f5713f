import type { ProgramModel } from '../../models/program/model-object.ts';
import type { ThreadModel } from '../../models/threads/program/threads.ts';
import type { Net } from '../../net/net.ts';
import type { ThreadOptions } from './thread-options.ts';

/** Kinds of input that commands and functions distinguish, worded for messages. */
export const INPUT_KINDS = [
  'model',
  'thread model',
  'trace',
  'net',
  'machine description',
  'run record',
  'worker states',
  'Chrome trace',
  'scheduler trace',
] as const;

/** A kind of input. `model`: a program with message passing. */
export type InputKind = (typeof INPUT_KINDS)[number];

/** The kinds of input to which each option applies. */
export type OptionRows<O extends object> = { readonly [option in keyof O]-?: readonly InputKind[] };

/**
 * The options that apply to some of these kinds of input, by the rows of a function. The type follows from the rows, so that it
 * always agrees with the checks of the function.
 */
export type OptionsFor<O extends object, R extends OptionRows<O>, Kind extends InputKind> = {
  readonly [option in keyof O as [Extract<R[option][number], Kind>] extends [never] ? never : option]: O[option];
};

/** Models with any parameters and variables, distinguished by the members that only one kind has. */
export type RankedModel = Pick<ProgramModel<object, object>, 'name' | 'params' | 'allows'>;
export type PooledModel = Pick<ThreadModel<object>, 'name' | 'params' | 'program'>;

/** The kind of an input, as far as it follows from the type. `Files`: the kinds that the path of a file can name. */
export type KindOf<I, Files extends InputKind = Exclude<InputKind, 'model' | 'thread model'>> = I extends RankedModel
  ? 'model'
  : I extends PooledModel
    ? 'thread model'
    : I extends Net
      ? 'net'
      : Files;

/** Rows of options that several functions have. */
export type Rows<Name extends string> = Readonly<Record<Name, readonly InputKind[]>>;

/** A function whose options have rows. */
export type JobName =
  | 'predict'
  | 'whatif'
  | 'verify'
  | 'verifyProgram'
  | 'verifyThreads'
  | 'verifyCommand'
  | 'explore'
  | 'structure'
  | 'steady'
  | 'convert'
  | 'convertCommand'
  | 'profile'
  | 'view'
  | 'diagnose';

/** The name of a function in messages. Two commands take more kinds of input than the function of their name. */
export const functionOf = (job: JobName): string => job.replace(/Command$/, '');

/** The functions that take an input of each kind: all others refuse it. */
export const APPLIES = {
  model: [
    ...(['predict', 'whatif', 'verify', 'verifyProgram', 'verifyCommand'] as const),
    ...(['explore', 'structure', 'steady', 'convert', 'convertCommand', 'profile', 'view', 'diagnose'] as const),
  ],
  'thread model': [
    'predict',
    'whatif',
    'verifyThreads',
    'verifyCommand',
    'explore',
    'structure',
    'steady',
    'convert',
    'convertCommand',
    'profile',
    'view',
    'diagnose',
  ],
  trace: ['predict', 'whatif', 'verifyProgram', 'verifyCommand', 'convert', 'convertCommand', 'profile', 'view'],
  net: [
    'predict',
    'whatif',
    'verify',
    'verifyCommand',
    'explore',
    'structure',
    'steady',
    'convert',
    'convertCommand',
    // Schedules only: other nets have no ranks.
    'profile',
    'view',
  ],
  'machine description': ['convertCommand'],
  'run record': ['profile', 'view', 'diagnose'],
  'worker states': ['diagnose'],
  'Chrome trace': ['diagnose'],
  'scheduler trace': ['diagnose'],
} as const satisfies Readonly<Record<InputKind, readonly JobName[]>>;

/** The kinds of input that a function takes. */
export type KindsOf<J extends JobName> = {
  [kind in InputKind]: J extends (typeof APPLIES)[kind][number] ? kind : never;
}[InputKind];

export const ALL = INPUT_KINDS;
export const MODEL = ['model'] as const satisfies readonly InputKind[];
export const THREADS = ['thread model'] as const satisfies readonly InputKind[];
export const MODELS = ['model', 'thread model'] as const satisfies readonly InputKind[];
export const NET = ['net'] as const satisfies readonly InputKind[];
export const TRACE = ['trace'] as const satisfies readonly InputKind[];
/** Programs whose ranks exchange messages. */
export const RANKED = ['model', 'trace'] as const satisfies readonly InputKind[];
/** Inputs that are nets or become one. */
export const WITH_NET = ['model', 'thread model', 'trace', 'net'] as const satisfies readonly InputKind[];
export const PROGRAMS = ['model', 'thread model', 'trace'] as const satisfies readonly InputKind[];
/** Inputs whose runs can draw random numbers. */
export const DRAWN = ['model', 'thread model', 'net'] as const satisfies readonly InputKind[];
/** Inputs whose markings are explored. */
export const NETS = ['net', 'model'] as const satisfies readonly InputKind[];
export const RECORDED = [
  'run record',
  'worker states',
  'Chrome trace',
  'scheduler trace',
] as const satisfies readonly InputKind[];

type MachineOption =
  | 'machine'
  | 'hostfile'
  | 'placement'
  | 'oversubscribe'
  | 'ranks'
  | 'scale'
  | 'networkModel'
  | 'collectives'
  | 'cfg'
  | 'derivedTypeBytes'
  | 'confine';

/** The machine and the placement of ranks. */
export const MACHINE_ROWS = {
  machine: PROGRAMS,
  hostfile: RANKED,
  placement: RANKED,
  oversubscribe: RANKED,
  ranks: RANKED,
  scale: TRACE,
  networkModel: RANKED,
  cfg: RANKED,
  collectives: RANKED,
  derivedTypeBytes: TRACE,
  confine: TRACE,
} as const satisfies Rows<MachineOption>;
/** Inputs whose markings are explored or whose structure is analysed. */
export const ANALYSED = ['net', 'model', 'thread model'] as const satisfies readonly InputKind[];
/** The machine of a model whose net is verified. */
export const MACHINE_OF_NET_ROWS = {
  machine: MODEL,
  hostfile: MODEL,
  placement: MODEL,
  oversubscribe: MODEL,
  ranks: MODEL,
  scale: [],
  networkModel: MODEL,
  cfg: [],
  collectives: MODEL,
  derivedTypeBytes: [],
  confine: [],
  set: MODEL,
} as const satisfies Rows<MachineOption | 'set'>;
export const POOL_ROWS = {
  scheduler: THREADS,
  victim: THREADS,
  take: THREADS,
  rounds: THREADS,
  bypass: THREADS,
  pool: THREADS,
  spawn: THREADS,
  resize: THREADS,
  allocator: THREADS,
} as const satisfies Rows<Exclude<keyof ThreadOptions, 'workers'>>;
/** Options of the pool of a thread model, without and with the number of its workers. */
export const POOL_OPTIONS: readonly (keyof typeof POOL_ROWS)[] = Object.keys(POOL_ROWS) as (keyof typeof POOL_ROWS)[];
export const THREAD_OPTIONS: readonly ('workers' | keyof typeof POOL_ROWS)[] = ['workers', ...POOL_OPTIONS];
/**
 * The machine and the workers of a model whose net is analysed. `workers` of a thread model are those of its pool, in every
 * function; other inputs may have threads of that name that only share the work.
 */
export const ANALYSIS_ROWS = {
  ...MACHINE_OF_NET_ROWS,
  machine: MODELS,
  set: MODELS,
  ...POOL_ROWS,
} as const satisfies Rows<MachineOption | 'set' | keyof typeof POOL_ROWS>;
/** True for inputs whose `workers` are those of a pool. */
export const hasPool = (kind: InputKind): boolean => POOL_ROWS.scheduler.some((known) => known === kind);

export const DRAW_ROWS = {
  replications: DRAWN,
  precision: DRAWN,
  confidence: DRAWN,
  seed: DRAWN,
} as const satisfies Rows<'replications' | 'precision' | 'confidence' | 'seed'>;
export const SEARCH_ROWS = {
  maxStates: ALL,
  memory: ALL,
  seconds: ALL,
  workers: ALL,
  engine: ALL,
} as const satisfies Rows<'maxStates' | 'memory' | 'seconds' | 'workers' | 'engine'>;
/** Callbacks, and values that only save work. */
export const HOOK_ROWS = { progress: ALL, cancelled: ALL, begun: ALL } as const satisfies Rows<
  'progress' | 'cancelled' | 'begun'
>;

/** The option names of functions that the command line spells differently, apart from dashes. */
const FLAGS: Readonly<Record<string, string>> = {
  derivedTypeBytes: 'datatype',
  jobHostfiles: 'job-hostfile',
  ideals: 'scenario',
  properties: 'property',
  processes: 'process',
  states: 'state',
  limit: 'max-scenarios',
  bypass: 'no-bypass',
  retry: 'no-retry',
  rewards: 'reward',
  gain: 'no-gain',
  linearPrograms: 'no-linear-programs',
};

/** Options of functions that the command line sets otherwise: further inputs, outputs, callbacks, and values that save work. */
const WITHOUT_FLAG: ReadonlySet<string> = new Set([
  ...[
    'otherPrograms',
    'record',
    'figures',
    'secondRuns',
    'simulated',
    'analysing',
    'offloadedRanks',
    'digestOf',
    'played',
  ],
  ...['progress', 'cancelled', 'begun', 'signal'],
]);
/** Options of the mapping that only the functions have where a net is explored or analysed. */
const WITHOUT_FLAG_IN_ANALYSES: ReadonlySet<string> = new Set([
  ...['hostfile', 'placement', 'scale', 'networkModel', 'cfg', 'collectives', 'engine'],
]);
const ANALYSES: ReadonlySet<JobName> = new Set(['explore', 'structure', 'steady', 'verify', 'verifyCommand']);
const WITHOUT_FLAG_OF_TRACES: ReadonlySet<string> = new Set(['derivedTypeBytes', 'confine']);

/** The flag of an option, `--max-steps` for `maxSteps`; undefined if its command has none. */
export function flagOf(job: JobName, option: string): string | undefined {
  if (WITHOUT_FLAG.has(option) || (ANALYSES.has(job) && WITHOUT_FLAG_IN_ANALYSES.has(option))) return undefined;
  if (ANALYSES.has(job) && !job.startsWith('verify') && WITHOUT_FLAG_OF_TRACES.has(option)) return undefined;
  const name = option === 'limit' && functionOf(job) === 'convert' ? option : (FLAGS[option] ?? option);
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The rows of several functions in one: an option applies where it applies to one of them. */
export function joinedRows<A extends object, B extends object, C extends object>(
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

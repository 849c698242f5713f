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
  | 'convert'
  | 'profile'
  | 'diagnose';

export const ALL: readonly InputKind[] = INPUT_KINDS;
export const MODEL: readonly InputKind[] = ['model'];
export const THREADS: readonly InputKind[] = ['thread model'];
export const MODELS: readonly InputKind[] = ['model', 'thread model'];
export const NET: readonly InputKind[] = ['net'];
export const TRACE: readonly InputKind[] = ['trace'];
/** Programs whose ranks exchange messages. */
export const RANKED: readonly InputKind[] = ['model', 'trace'];
export const PROGRAMS: readonly InputKind[] = ['model', 'thread model', 'trace'];
/** Inputs whose runs can draw random numbers. */
export const DRAWN: readonly InputKind[] = ['model', 'thread model', 'net'];
/** Inputs whose markings are explored. */
export const NETS: readonly InputKind[] = ['net', 'model'];
export const RECORDED: readonly InputKind[] = ['run record', 'worker states', 'Chrome trace'];

type MachineOption =
  | 'machine'
  | 'hostfile'
  | 'placement'
  | 'oversubscribe'
  | 'ranks'
  | 'networkModel'
  | 'collectives'
  | 'derivedTypeBytes'
  | 'confine';

/** The machine and the placement of ranks. */
export const MACHINE_ROWS: Rows<MachineOption> = {
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
export const MACHINE_OF_NET_ROWS: Rows<MachineOption | 'set'> = {
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
export const POOL_ROWS: Rows<'scheduler' | 'victim' | 'take' | 'rounds' | 'bypass' | 'pool'> = {
  scheduler: THREADS,
  victim: THREADS,
  take: THREADS,
  rounds: THREADS,
  bypass: THREADS,
  pool: THREADS,
};
export const DRAW_ROWS: Rows<'replications' | 'precision' | 'confidence' | 'seed'> = {
  replications: DRAWN,
  precision: DRAWN,
  confidence: DRAWN,
  seed: DRAWN,
};
export const SEARCH_ROWS: Rows<'maxStates' | 'memory' | 'seconds' | 'workers' | 'engine'> = {
  maxStates: ALL,
  memory: ALL,
  seconds: ALL,
  workers: ALL,
  engine: ALL,
};
/** Callbacks, and values that only save work. */
export const HOOK_ROWS: Rows<'progress' | 'cancelled' | 'begun'> = { progress: ALL, cancelled: ALL, begun: ALL };

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
export function flagOf(job: JobName, option: string): string {
  const name = option === 'limit' && job === 'convert' ? option : (FLAGS[option] ?? option);
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

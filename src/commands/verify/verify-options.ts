import type { Formula } from '../../analysis/properties/property.ts';
import type { Method } from '../../analysis/reduction/reduced-search.ts';
import type { ExploreOptions } from '../../analysis/space/state-space.ts';
import type { CooperativeOptions } from '../../models/threads/net/cooperative/cooperative.ts';
import type { SchedulerName } from '../../models/threads/net/thread-net.ts';
import type { PoolKind } from '../../models/threads/net/worker-stacks.ts';
import type { Job, JobOptions, SpaceFlags } from '../command-line/job.ts';
import type { ExploreProgress } from '../explore/explore-document.ts';
import {
  ALL,
  HOOK_ROWS,
  joinedRows,
  type KindOf,
  MACHINE_OF_NET_ROWS,
  MODEL,
  NETS,
  type OptionRows,
  type OptionsFor,
  RANKED,
  SEARCH_ROWS,
  THREADS,
  TRACE,
} from '../inputs/option-rows.ts';
import type { MachineOptions } from '../inputs/target.ts';
import type { SendProtocol } from './program/subject.ts';

/** Options and limits of `verify`. */
export interface VerifyOptions extends MachineOptions, Omit<ExploreOptions, 'progress' | 'order' | 'budget'> {
  /** Start of the command on the `performance.now()` clock, from which `seconds` count. Default: now. */
  readonly begun?: number;
  /** Property file in the XML format of the Model Checking Contest. */
  readonly formulas?: string;
  /**
   * Final markings: a dead marking that is not final is a deadlock. Default: those listed in the net; for a model, or a
   * net that declares processes and lists none, the markings in which all have ended.
   */
  readonly final?: string | Formula;
  /** Values of parameters. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /**
   * Search of a reduced net, for properties that the reduction preserves: reachable markings, invariants, safety, deadlock
   * freedom. `stubborn`, `structural`, `symmetry`, `all` (three together): use such searches only, and reject other
   * properties. `none`: never. Default `auto`: in parallel to the full exploration if that takes long.
   */
  readonly reduce?: Reduce;
  /** Called during the exploration. */
  readonly progress?: (p: ExploreProgress) => void;
}

/** Reduction of a net before its search; see `VerifyOptions.reduce`. */
export type Reduce = 'auto' | 'none' | Method;

/** Protocols of sends under which a program is verified. */
export type SendsOption = SendProtocol | 'both';

/** Options and limits of program verification. */
export interface VerifyProgramOptions
  extends Pick<MachineOptions, 'machine' | 'ranks' | 'derivedTypeBytes' | 'confine'>,
    Pick<ExploreOptions, 'memory' | 'seconds' | 'workers'> {
  /** Protocols of sends, default `both`. */
  readonly sends?: SendsOption;
  /** Values of parameters. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Maximum number of steps of a run. Default: unlimited for a trace, which always ends; 10⁸ for a model. */
  readonly maxSteps?: number;
  /** Maximum number of states of one instance, default 10⁶. */
  readonly maxStates?: number;
  /** Checks that at most this many messages wait for a receive of one rank. */
  readonly buffer?: number;
  /** Start of the time limit, as from `performance.now()`. Default: now. */
  readonly begun?: number;
  /** Polled during the work; once it returns `true`, the verification ends and unknown verdicts are null. */
  readonly cancelled?: () => boolean;
  /** Called during a run with its number of steps. */
  readonly played?: (steps: number) => void;
  /** Called during an exploration: states found, states expanded, and elapsed seconds. */
  readonly progress?: (p: { readonly states: number; readonly expanded: number; readonly seconds: number }) => void;
}

/** Options and limits of the verification of a thread program. */
export interface VerifyThreadsOptions extends Pick<ExploreOptions, 'memory' | 'seconds' | 'cancelled' | 'progress'> {
  /** Workers of the pool. Default: `workers` of the model's `verifyWith`, else 2. */
  readonly workers?: number;
  /** Default: threads of the operating system, and also the pool `stealing` if the program has no more than a few strands. */
  readonly scheduler?: SchedulerName;
  /** Kind of the pool. Default: `migrating` and `stack`, one after the other; with a kind, only pools are verified. */
  readonly pool?: PoolKind;
  /** Schedulers `a1` and `a2`: memory for entries of queues. Default `buffered`. */
  readonly allocator?: CooperativeOptions['allocator'];
  /**
   * Scheduler `a2`: a release that meets a passing state of a primitive is retried when the state ends. False: it is not, an
   * error that loses wake-ups. Default true.
   */
  readonly retry?: boolean;
  /** Parameter values. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Maximum number of states of one instance, default 10⁶. */
  readonly maxStates?: number;
  /** False: explores all orders of all steps. Default true. */
  readonly reduce?: boolean;
}

/** The kinds of input to which each option of `verify` applies. */
export const VERIFY_ROWS = {
  ...MACHINE_OF_NET_ROWS,
  ...SEARCH_ROWS,
  ...HOOK_ROWS,
  formulas: NETS,
  final: NETS,
  reduce: NETS,
  hashCompact: NETS,
  seed: NETS,
} as const satisfies OptionRows<VerifyOptions>;

/** Options of `verify` that apply to an input. */
export type VerifyOptionsOf<I> = OptionsFor<VerifyOptions, typeof VERIFY_ROWS, KindOf<I>>;
export const VERIFY_PROGRAM_ROWS: OptionRows<VerifyProgramOptions> = {
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
  ...HOOK_ROWS,
  played: RANKED,
};
export const VERIFY_THREADS_ROWS: OptionRows<VerifyThreadsOptions> = {
  memory: THREADS,
  seconds: THREADS,
  workers: THREADS,
  scheduler: THREADS,
  pool: THREADS,
  allocator: THREADS,
  retry: THREADS,
  set: THREADS,
  maxStates: THREADS,
  reduce: THREADS,
  cancelled: THREADS,
  progress: THREADS,
};

/** Options of `foretoken verify` that none of its functions has. */
interface VerifyFlags extends Pick<ExploreOptions, 'order'> {
  readonly properties?: unknown;
  readonly witness?: unknown;
  readonly trace?: unknown;
}

/** Those of `foretoken verify`, which takes every kind of input. */
export const VERIFY_COMMAND_ROWS: OptionRows<
  VerifyOptions & VerifyProgramOptions & VerifyThreadsOptions & VerifyFlags
> = {
  ...joinedRows(VERIFY_ROWS, VERIFY_PROGRAM_ROWS, VERIFY_THREADS_ROWS),
  properties: NETS,
  witness: NETS,
  trace: NETS,
  order: ALL,
};

/** Options of `foretoken verify`. */
export interface VerifyJobOptions extends JobOptions, SpaceFlags {
  readonly properties?: readonly string[];
  /** Property file of the Model Checking Contest (XML). */
  readonly formulas?: string;
  /** Formula of the final markings, which do not count as deadlocks. */
  readonly final?: string;
  /** Output file for firing sequences as JSON (`trace`: as a Chrome trace). */
  readonly witness?: string;
  /** Programs only: protocols of the sends, and the maximum number of messages that may wait for a receive. */
  readonly sends?: 'eager' | 'rendezvous' | 'both';
  readonly buffer?: number;
  /** Reduction applied to a net before its states are explored. */
  readonly reduce?: 'auto' | 'none' | 'stubborn' | 'structural' | 'symmetry' | 'all';
  /** Scheduler `a2`: false leaves out the retry of releases. */
  readonly retry?: boolean;
}

export type VerifyJob = Job<VerifyJobOptions>;

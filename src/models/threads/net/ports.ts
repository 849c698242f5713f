import type { Noise } from '../../../base/random/noise.ts';
import type { Colour, NetBuilder, NumberTable, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import type { ServiceLink } from '../../../net/net.ts';
import { add, type Term } from '../../../net/terms.ts';
import type { ThreadCosts } from '../costs.ts';
import type { Absence, ThreadProgram } from '../program/rows.ts';
import type { Affinity } from './affinity.ts';
import type { Levels } from './levels.ts';

/** The methods of a net builder that parts of a thread net use. */
export type NetPart = Pick<
  NetBuilder,
  'range' | 'enumeration' | 'intTable' | 'realTable' | 'routesTable' | 'place' | 'transition'
>;

/** Machine data for the net of a thread program. */
export interface ThreadMachine {
  /** Speed of one core, in flop/s; of each process, or equal for all. */
  readonly speed: number | Float64Array;
  /** Cores of a process. Threads of the operating system beyond this number share them. */
  readonly cores: number;
  /** Memories with their bandwidths, and by core the memory and the maximum rate in byte/s. Absent: bytes take no time. */
  readonly memory?: {
    readonly links: readonly ServiceLink[];
    readonly ofCore: Int32Array;
    readonly perCore: number;
  };
  /**
   * Sockets whose cores are slower the more of them compute: links whose unit is the speed of a core that computes alone, and the link of
   * each core. Absent: cores are always as fast.
   */
  readonly turbo?: { readonly links: readonly ServiceLink[]; readonly ofCore: Int32Array };
  readonly costs: ThreadCosts;
  /** NUMA nodes of a process, whose cores are numbered node by node. Default 1. */
  readonly numaNodes?: number;
  /** Random factor on computing without a separate factor: drawn before the net is made ({@link drawnRows}). Absent: none. */
  readonly noise?: Noise;
}

type Number = Colour<number>;
/** A strand that carrier w executes, at a row. */
export type Running = { readonly w: Number; readonly s: Number; readonly at: Number };
/** Terms of a running strand. */
export interface RunTerms {
  readonly w: Term<number>;
  readonly s: Term<number>;
  readonly at: Term<number>;
}

/** A service in the net that contains the threads, such as the cores of a node or its memory. */
export interface OuterService {
  /** A running strand brings an amount (core-seconds, bytes) into service. */
  put(t: TransitionBuilder, run: RunTerms, amount: Term<number>): void;
  /** Its amount has been served. */
  take(t: TransitionBuilder, run: RunTerms): void;
}

/** Services that threads share with other ranks. A service that is absent is the threads' own. */
export interface OuterServices {
  readonly cores?: OuterService;
  /** True if these cores are slower the more of them compute. */
  readonly slowed?: boolean;
  readonly memory?: OuterService;
}

/** Places, colour sets and tables that the parts of a thread net share. */
export interface ThreadPorts {
  readonly net: NetPart;
  readonly program: ThreadProgram;
  readonly machine: ThreadMachine;
  /** True if strands are threads of the operating system, each of which is its own carrier. */
  readonly hasThreads: boolean;
  readonly Worker: Number;
  readonly Strand: Number;
  readonly Row: Number;
  /** Strands that are executed: the carrier is a worker, scheduler thread or thread. */
  readonly run: PlaceOf<Running>;
  /** Pools whose main strand has ended. */
  readonly ended: PlaceOf<{ readonly pool: Number }>;
  readonly op: NumberTable;
  readonly a: NumberTable;
  readonly b: NumberTable;
  /** Seconds of computing, and amounts of the other operations. */
  readonly time: NumberTable;
  readonly start: NumberTable;
  /** Strands that are ready in the initial marking, next to the main strands. */
  readonly spawned: readonly number[];
  /** True if carriers share cores, with each other or with other processes, or slow each other down. */
  readonly shared: boolean;
  /** True if carriers are on cores that are slower the more of them compute. */
  readonly slowed: boolean;
  readonly outer?: OuterServices;
  /** True if mutexes of all kinds are handed over. */
  readonly handsOver: boolean;
  /** The net has no times: a strand that waits for a limited time gives up at any time. */
  readonly untimed?: boolean;
  /** Priorities of threads of the operating system. Absent: all have the same one. */
  readonly levels?: Levels | undefined;
  /** Affinity partitioners of loops. Absent: none. */
  readonly affinity?: Affinity | undefined;
  /** Threads of the operating system that change on their processors. Absent: each has a fixed share of the cores. */
  processors?: ProcessorsOfThreads;
}

/**
 * The scheduler of a thread net: which carrier executes which strand. All methods but `emit` are called inside a transition
 * that takes a running strand, and add arcs to it.
 */
export interface Scheduler {
  readonly carriers: number;
  /** The strand that `by` executes makes strand `s` ready, to begin at its first row. */
  ready(t: TransitionBuilder, by: RunTerms, s: Term<number>): void;
  /** Seconds that making a strand ready takes the strand at a row; by default the cost `spawn`. */
  readonly readyTime?: 0 | ((run: RunTerms) => Term<number>);
  /**
   * Present if a carrier begins the strand `child` that its own strand spawns, which goes on at the row `next` later. Called in place
   * of `ready` at spawns.
   */
  readonly executeChild?:
    | ((t: TransitionBuilder, run: RunTerms, child: Term<number>, next: Term<number>) => void)
    | undefined;
  /** The strand of a carrier has ended. */
  end(t: TransitionBuilder, run: RunTerms): void;
  /** The main strand of a process has ended. */
  finish(t: TransitionBuilder, run: RunTerms): void;
  /**
   * In a part of another program's net: the carrier on which the main strand of a process begins. Called inside the transition
   * that starts it. Absent if the scheduler cannot be part of another net.
   */
  begin?(t: TransitionBuilder, pool: Term<number>): Term<number>;
  /** The last strand of a group has ended: its owner `s` goes on at a row. */
  join(t: TransitionBuilder, run: RunTerms, s: Term<number>, at: Term<number>): void;
  /** The owner of a group waits for its strands. */
  leave(t: TransitionBuilder, run: RunTerms): void;
  /**
   * Present if a strand that waits for tasks stays on its carrier: adds the transitions by which the carrier returns to it.
   * `leave` and `suspend` then keep the strand, at the row at which it waits, and `join` is not called.
   *
   * @param done input arcs and guards by which the strand, which waits at `top.at`, has nothing more to wait for
   */
  readonly returns?: ((what: string, done: (t: TransitionBuilder, top: RunTerms) => void) => void) | undefined;
  /** Present if a strand that sleeps leaves its carrier: the strand, at the row at which it sleeps, does so. */
  callSystem?(t: TransitionBuilder, run: RunTerms, reason: Absence): void;
  /** Adds the scheduler's own places and transitions. */
  emit(): void;
}

/** Queues of strands that wait on objects, for primitives that hand released objects to waiters. */
export interface HandOff {
  /** The strand is blocked: it waits on object `o`. */
  block(t: TransitionBuilder, run: RunTerms, o: Term<number>): void;
  /** Takes the first strand that waits on object `o`. */
  waiter(t: TransitionBuilder, o: Term<number>): RunTerms;
  /** A strand taken by `waiter` goes on at a row. */
  resume(t: TransitionBuilder, waiter: RunTerms, at: Term<number>): void;
  /** As `block`, for a strand that waits for a task: its carrier executes other strands. Default: `block`. */
  suspend?(t: TransitionBuilder, run: RunTerms, o: Term<number>): void;
  /** As `resume`, for a strand that was suspended. */
  requeue?(t: TransitionBuilder, waiter: RunTerms, at: Term<number>): void;
  readonly returns?: Scheduler['returns'];
}

/** Processors that threads of the operating system take and give back. Methods but `emit` add arcs to a transition. */
export interface ProcessorsOfThreads {
  /** A thread can run at a row, and wants a processor. */
  arrives(t: TransitionBuilder, run: RunTerms): void;
  /** As `arrives`, for a thread that tries a lock again: with a processor it is in `woken`. */
  retries(t: TransitionBuilder, run: RunTerms, woken: PlaceOf<Running>): void;
  /** A thread waits, sleeps or ends: it gives its processor back. */
  gives(t: TransitionBuilder, s: Term<number>): void;
  /** A thread computes a row; it goes on at the next one. */
  computes(t: TransitionBuilder, run: RunTerms): void;
  /** A thread begins to spin, until `stopsSpinning`, which needs a thread that has a processor. */
  spins(t: TransitionBuilder, run: RunTerms): void;
  stopsSpinning(t: TransitionBuilder, run: RunTerms): void;
  /** Adds the places and transitions of the processors, after all others have been added. */
  emit(): void;
}

/** By join group: its members that have not ended, and its owner unless it waits. */
export type JoinPlace = PlaceOf<{ readonly g: Colour<number>; readonly n: Colour<number> }>;

/** A synchronisation object: number, value, and number of waiting strands. */
export type ObjectFields = {
  readonly o: Colour<number>;
  readonly v: Colour<number>;
  readonly n: Colour<number>;
};

export interface ObjectPlace {
  readonly place: PlaceOf<ObjectFields>;
  /** Change of an object's value by an acquisition in the mode of a row, and its bounds. */
  readonly low: NumberTable;
  readonly high: NumberTable;
  readonly change: NumberTable;
  readonly count: number;
}

/** Takes a strand at a row with an operation; `next` is the row after it. */
export function takeRun(t: TransitionBuilder, ports: ThreadPorts): RunTerms & { readonly next: Term<number> } {
  const { w, s, at } = t.take(ports.run);
  t.process(w);
  return { w, s, at, next: add(at, 1) };
}

/** Continues a strand at a row. */
export function putRun(t: TransitionBuilder, ports: ThreadPorts, { w, s }: RunTerms, at: Term<number>): void {
  t.put(ports.run, { w, s, at });
}

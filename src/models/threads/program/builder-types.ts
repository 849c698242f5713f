import type { Noise } from '../../../base/random/noise.ts';
import type { Parameters } from '../../parameters.ts';
import type { PriorityProtocol } from './object-kinds.ts';
import type {
  Future,
  MutexKind,
  Objects,
  Partitioner,
  RwlockKind,
  Schedule,
  Spawning,
  TeamKind,
} from './statements.ts';

/**
 * State that functions of a thread program may depend on: parameters, the index of the thread within its parallel section,
 * and the names in scope (loop counters, arguments of the task; `first`, `count` and `chunk` in a chunk of a parallel loop;
 * `item` in a stage of a pipeline).
 */
export type ThreadState<P, V extends string> = {
  readonly p: Readonly<P>;
  /** Number of workers of the pool, or of the team in a parallel section. */
  readonly threads: number;
  /** Index within the parallel section; 0 outside. Unknown in tasks and in chunks that are assigned at run time. */
  readonly thread: number;
  /** Rank of the process; 0 for a program without message passing. */
  readonly rank: number;
  // biome-ignore lint/suspicious/noExplicitAny: names in scope are known when the program runs, unless `vars` declares them
} & (string extends V ? { readonly [name: string]: any } : { readonly [K in V]: number });

/** A value, or a function of the state. */
export type ThreadArg<S, T = number> = T | ((s: S) => T);

/** Work of a `compute`. */
export interface ThreadWork<S> {
  /** Operations of one core; their time is flops / speed. */
  readonly flops?: ThreadArg<S>;
  /** Time in seconds, independent of the machine's speed. */
  readonly seconds?: ThreadArg<S>;
  /** Bytes of private data moved to and from memory, whose bandwidth is shared. */
  readonly bytes?: ThreadArg<S>;
  /** Bytes that other threads have changed: each cache line costs one transfer between caches. */
  readonly shared?: ThreadArg<S>;
  /**
   * Bytes of a data block: each cache line costs one transfer between caches, unless the same worker (under `os`: the thread with the same
   * index in its section) used the block last.
   */
  readonly reused?: ThreadArg<S>;
  /** Number of the data block, an integer from 0 on. Default: the first iteration of the chunk; 0 outside loops. */
  readonly block?: ThreadArg<S>;
  /** Random factor of mean 1 on the time of flops or seconds, drawn for each execution. Default: the noise of the machine. */
  readonly noise?: Noise;
}

/** Options of `parallelFor`. */
export interface ParallelForOptions<S, B> {
  /** Number of iterations, an integer. */
  readonly n: ThreadArg<S>;
  /** Name of the region in results. Default: `loop` and the line of the model. */
  readonly name?: string;
  /** Default `tasks`, and `static` within a parallel section. */
  readonly schedule?: Schedule;
  /**
   * Iterations of a task or chunk; the smallest chunk of `guided` and `affinity`. Default 1; for `static` an even share of
   * each thread.
   */
  readonly chunk?: ThreadArg<S>;
  /** The same as `chunk`. */
  readonly grain?: ThreadArg<S>;
  /** `tasks` only. Default `recursive`. */
  readonly spawning?: Spawning;
  /**
   * `tasks` that are spawned by halves: `simple` divides down to the grain; `auto` makes a few tasks for each worker, and more of those that are
   * stolen, as `auto_partitioner` of oneTBB; `affinity` as its `affinity_partitioner`: as `auto`, and tasks go to the workers that executed them in the
   * last loop of this `name`. Both need the scheduler `stealing`. Default `simple`.
   */
  readonly partitioner?: Partitioner;
  /** Within a parallel section: threads do not wait for each other at the end of the loop. */
  readonly nowait?: boolean;
  /** Outside sections, where the loop forks a separate team: as for `parallel`. */
  readonly team?: TeamKind;
  /** Work that combines two partial results: a reduction. */
  readonly reduce?: ThreadWork<S>;
  /** Records the statements of a chunk; its state has `first`, `count` and `chunk`. */
  body(b: B): void;
}

/** Options of `taskloop`. */
export interface TaskloopOptions<S, B> {
  /** Number of iterations, an integer. */
  readonly n: ThreadArg<S>;
  /** Name of the region in results. Default: `taskloop` and the line of the model. */
  readonly name?: string;
  /** Minimum number of iterations of a task; a task has less than twice as many. With `strict` exactly, but for the last task. */
  readonly grainsize?: ThreadArg<S>;
  /** Number of tasks, at most one per iteration. Default, as in libgomp: one per thread, unless there is a `grainsize`. */
  readonly numTasks?: ThreadArg<S>;
  /** Default false. */
  readonly strict?: boolean;
  /** The strand does not wait for the tasks at the end of the loop, but at its next `sync`, or its end. Default false. */
  readonly nogroup?: boolean;
  /** Work that combines two partial results: a reduction. */
  readonly reduce?: ThreadWork<S>;
  /** Records the statements of a task; its state has `first`, `count` and `chunk`. */
  body(b: B): void;
}

/** A stage of a pipeline; its state has `item`. */
export interface StageOptions<B> {
  readonly name: string;
  /** One item at a time, in order. Default false. */
  readonly serial?: boolean;
  body(b: B): void;
}

/** Options of `pipeline`. */
export interface PipelineOptions<S, B> {
  readonly items: ThreadArg<S>;
  /** Maximum number of items in the pipeline. Default: unlimited. */
  readonly tokens?: ThreadArg<S>;
  readonly name?: string;
  readonly stages: readonly StageOptions<B>[];
}

/** Keys of data that a task uses. Tasks of one parent that use the same data, not all of them reading, run in spawn order. */
export interface Dependences<S> {
  readonly reads?: ThreadArg<S, number | string | readonly (number | string)[]>;
  readonly writes?: ThreadArg<S, number | string | readonly (number | string)[]>;
}

/**
 * Records a thread program. Every call adds one statement to the current strand; blocks are recorded once. Counts and
 * arguments may be functions of the state, which must be pure.
 *
 * All methods throw InputError THR002 for wrong arguments and THR003 for objects of another model.
 */
export interface ThreadBuilder<P extends Parameters, V extends string, S = ThreadState<P, V>> {
  /** The parameters. */
  readonly p: Readonly<P>;
  /** Number of workers or, with an operating-system or cooperative scheduler, of processors. */
  readonly workers: number;
  /** Computes; several kinds of work take place one after the other. */
  compute(work: ThreadWork<S>): void;
  /** Leaves the processor for a time in seconds. */
  sleep(options: { readonly seconds: ThreadArg<S>; readonly noise?: Noise }): void;
  /**
   * Waits for a page of memory for a time in seconds, as after a page fault: as `sleep`. Cooperative schedulers distinguish these
   * waits from system calls.
   */
  memoryWait(options: { readonly seconds: ThreadArg<S>; readonly noise?: Noise }): void;
  /** Repeats a block; the counter is in scope as `s[variable]`, from 0. */
  loop(variable: string, count: ThreadArg<S>, body: () => void): void;
  /** A choice by the state. */
  when(test: (s: S) => boolean, holds: () => void, otherwise?: () => void): void;
  /** Marks a region of results and of the diagnosis. */
  region(name: string, body: () => void): void;

  /**
   * Threads execute the block with `s.thread` from 0; the strand waits for all of them (fork and join). Under `os` it creates
   * them one after the other; later sections of the same strand wake them again (`team`). `priority`, an integer from −100 to 100
   * for each thread: of the threads that wait for a core, the largest one runs first, and preempts smaller ones. Default: that of
   * the strand, 0 for the main strand. Needs the scheduler `os`.
   */
  parallel(
    threads: ThreadArg<S>,
    body: () => void,
    options?: { readonly name?: string; readonly team?: TeamKind; readonly priority?: ThreadArg<S> },
  ): void;
  /** A parallel loop. Within a parallel section, all threads share the iterations. */
  parallelFor(options: ParallelForOptions<S, ThreadBuilder<P, V, S>>): void;
  /** A loop whose strand spawns its iterations as tasks, one task after the other (`taskloop` of OpenMP). */
  taskloop(options: TaskloopOptions<S, ThreadBuilder<P, V, S>>): void;
  /** Items that pass through stages. */
  pipeline(options: PipelineOptions<S, ThreadBuilder<P, V, S>>): void;
  /** Defines a task; its arguments are in scope in `body`. Names in `defaults` are the arguments with default values. */
  task(name: string, defaults: Readonly<Record<string, number>>, body: (b: ThreadBuilder<P, V, S>) => void): void;
  /** Spawns a task. It may run at any time until the next `sync` of this strand, at the latest at its end. */
  spawn(task: string, args?: Readonly<Record<string, ThreadArg<S>>>, dependences?: Dependences<S>): Future;
  /** Waits for all tasks that this strand has spawned. */
  sync(): void;
  /** Waits for one task. */
  get(future: Future): void;

  /** Locks. An array of objects (`count`) is indexed by the last argument of operations. */
  /**
   * `priority: 'inherit'`: the holder has at least the priority of each waiter (`PTHREAD_PRIO_INHERIT`). Such a mutex is handed over. Default
   * `none`.
   */
  mutex(
    name: string,
    count?: number,
    options?: { readonly kind?: MutexKind; readonly priority?: PriorityProtocol },
  ): Objects<'mutex'>;
  rwlock(name: string, count?: number, options?: { readonly kind?: RwlockKind }): Objects<'rwlock'>;
  semaphore(name: string, permits: number, count?: number): Objects<'semaphore'>;
  /** Events that stay set, for any number of waiters. */
  events(name: string, count?: number): Objects<'event'>;
  event(name: string): Objects<'event'>;
  /** Events that a wait resets (synchronisation primitives that are set or not set). */
  autoEvent(name: string, options?: { readonly set?: boolean; readonly count?: number }): Objects<'autoEvent'>;
  condition(name: string, count?: number): Objects<'condition'>;
  barriers(name: string, parties: number, count?: number): Objects<'barrier'>;
  /** Shared words that are changed by atomic operations. */
  atomics(name: string, count?: number): Objects<'atomic'>;
  /** Shared integers that `waitUntil` tests. */
  counter(name: string, initial?: number, count?: number): Objects<'counter'>;

  lock(m: Objects<'mutex'>, index?: ThreadArg<S>): void;
  unlock(m: Objects<'mutex'>, index?: ThreadArg<S>): void;
  /** A block with the mutex held. */
  critical(m: Objects<'mutex'>, body: () => void, index?: ThreadArg<S>): void;
  readLock(l: Objects<'rwlock'>, index?: ThreadArg<S>): void;
  readUnlock(l: Objects<'rwlock'>, index?: ThreadArg<S>): void;
  writeLock(l: Objects<'rwlock'>, index?: ThreadArg<S>): void;
  writeUnlock(l: Objects<'rwlock'>, index?: ThreadArg<S>): void;
  acquire(s: Objects<'semaphore'>, index?: ThreadArg<S>): void;
  release(s: Objects<'semaphore'>, index?: ThreadArg<S>): void;
  /** Waits until the event is set. */
  wait(e: Objects<'event'> | Objects<'autoEvent'>, index?: ThreadArg<S>): void;
  set(e: Objects<'event'> | Objects<'autoEvent'>, index?: ThreadArg<S>): void;
  clear(e: Objects<'event'> | Objects<'autoEvent'>, index?: ThreadArg<S>): void;
  /**
   * Locks the mutex if that is possible at once, and executes a block with it held, which has to unlock it; otherwise the other one.
   * A try fails where the operation itself would wait. Its blocks make no threads and tasks, and use no barriers (THR006).
   */
  tryLock(m: Objects<'mutex'>, holds?: () => void, otherwise?: () => void, index?: ThreadArg<S>): void;
  tryReadLock(l: Objects<'rwlock'>, holds?: () => void, otherwise?: () => void, index?: ThreadArg<S>): void;
  tryWriteLock(l: Objects<'rwlock'>, holds?: () => void, otherwise?: () => void, index?: ThreadArg<S>): void;
  tryAcquire(s: Objects<'semaphore'>, holds?: () => void, otherwise?: () => void, index?: ThreadArg<S>): void;
  tryWait(
    e: Objects<'event'> | Objects<'autoEvent'>,
    holds?: () => void,
    otherwise?: () => void,
    index?: ThreadArg<S>,
  ): void;
  /**
   * As `tryLock`, but waits for the mutex, for at most a time in seconds from the call on. A waiter that gives up does not lend its priority any
   * more. Not under cooperative schedulers (THR010).
   */
  tryLockFor(
    m: Objects<'mutex'>,
    seconds: ThreadArg<S>,
    holds?: () => void,
    otherwise?: () => void,
    index?: ThreadArg<S>,
  ): void;
  tryReadLockFor(
    l: Objects<'rwlock'>,
    seconds: ThreadArg<S>,
    holds?: () => void,
    otherwise?: () => void,
    index?: ThreadArg<S>,
  ): void;
  tryWriteLockFor(
    l: Objects<'rwlock'>,
    seconds: ThreadArg<S>,
    holds?: () => void,
    otherwise?: () => void,
    index?: ThreadArg<S>,
  ): void;
  tryAcquireFor(
    s: Objects<'semaphore'>,
    seconds: ThreadArg<S>,
    holds?: () => void,
    otherwise?: () => void,
    index?: ThreadArg<S>,
  ): void;
  tryWaitFor(
    e: Objects<'event'> | Objects<'autoEvent'>,
    seconds: ThreadArg<S>,
    holds?: () => void,
    otherwise?: () => void,
    index?: ThreadArg<S>,
  ): void;
  /** Releases the mutex, waits for a signal, and locks the mutex again. */
  waitCondition(c: Objects<'condition'>, m: Objects<'mutex'>, index?: ThreadArg<S>): void;
  /** As `waitCondition`, repeated until the counter has at least this value. */
  waitUntil(
    c: Objects<'condition'>,
    m: Objects<'mutex'>,
    counter: Objects<'counter'>,
    atLeast: ThreadArg<S>,
    index?: ThreadArg<S>,
  ): void;
  /**
   * As `waitCondition`, for at most a time in seconds from the call on (`pthread_cond_timedwait`). Then locks the mutex again, and executes a block:
   * the first one if it was notified, the second one if the time was over before. A notification does not go to a waiter whose time is over. The
   * blocks make no threads and tasks, and use no barriers (THR006). Not under cooperative schedulers (THR010).
   */
  waitConditionFor(
    c: Objects<'condition'>,
    m: Objects<'mutex'>,
    seconds: ThreadArg<S>,
    notified?: () => void,
    timedOut?: () => void,
    index?: ThreadArg<S>,
  ): void;
  /**
   * As `waitUntil`, for at most a time in seconds from the call on (`std::condition_variable::wait_for` with a predicate). Executes the first block
   * if the counter has the value, also when the time is over, otherwise the second one.
   */
  waitUntilFor(
    c: Objects<'condition'>,
    m: Objects<'mutex'>,
    counter: Objects<'counter'>,
    atLeast: ThreadArg<S>,
    seconds: ThreadArg<S>,
    holds?: () => void,
    otherwise?: () => void,
    index?: ThreadArg<S>,
  ): void;
  /** Wakes one waiter; without a waiter it has no effect. */
  signal(c: Objects<'condition'>, index?: ThreadArg<S>): void;
  /** Wakes all waiters. */
  broadcast(c: Objects<'condition'>, index?: ThreadArg<S>): void;
  /** Waits until all parties have come. */
  barrier(b: Objects<'barrier'>, index?: ThreadArg<S>): void;
  /** An atomic operation on a shared word; operations on one word take place one after the other. */
  atomic(a: Objects<'atomic'>, index?: ThreadArg<S>): void;
  /** Adds to a counter, atomically. */
  add(c: Objects<'counter'>, by: ThreadArg<S>, index?: ThreadArg<S>): void;
}

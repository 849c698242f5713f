import { didYouMean, fail, quote, shown } from '../../base/problem.ts';
import { quantity } from '../../base/units.ts';
import { ALLOCATORS, type Allocator } from '../../models/threads/net/cooperative/cooperative.ts';
import {
  DEFAULT_POOL,
  type PoolOptions,
  type Resize,
  SPAWN_POLICIES,
  type SpawnPolicy,
} from '../../models/threads/net/pool-queues.ts';
import { SCHEDULERS, type SchedulerName } from '../../models/threads/net/thread-net.ts';
import { POOL_KINDS, type PoolKind } from '../../models/threads/net/worker-stacks.ts';
import { MAX_WORKERS } from '../../models/threads/program/threads.ts';

/** Options of predictions of thread models. */
export interface ThreadOptions {
  /** Workers of the pool. Default: the cores of the machine's first node. */
  readonly workers?: number;
  /**
   * `stealing`, `central` or `static`: a pool of workers with these queues. `os`: every thread and task is a thread of the
   * operating system. `a0`, `a1`, `a2`: cooperative schedulers, whose workers are scheduler threads. Default: `stealing` if the program spawns tasks, otherwise `os`.
   */
  readonly scheduler?: SchedulerName;
  /** Work stealing: whose queue a worker searches. Default `random`. */
  readonly victim?: PoolOptions['victim'];
  /** Work stealing: tasks taken at a time. Default `one`. */
  readonly take?: PoolOptions['take'];
  /** Work stealing: searches of all other queues before a worker sleeps. Default 1. */
  readonly rounds?: number;
  /** Pools: a worker continues the strand whose tasks it has ended last. Default true. */
  readonly bypass?: boolean;
  /**
   * Pools: behaviour of a worker while its strand waits for tasks. `migrating`: the strand leaves it; `stack`: the strand stays on its
   * stack, below the tasks that it executes meanwhile; `isolated`: the same, with only the tasks that the strand waits for. Default
   * `migrating`.
   */
  readonly pool?: PoolKind;
  /**
   * Work stealing in pools of kind `migrating`. `help-first`: a strand goes on after a spawn, and the task is queued. `work-first`: its
   * worker begins the task, and the rest of the strand is queued. Default `help-first`.
   */
  readonly spawn?: SpawnPolicy;
  /**
   * Schedulers `stealing` and `central`: a resource manager permits the pool, from each time on, this number of workers, at most
   * `workers`: `TIME=WORKERS,…`, as in `10ms=2,0.02=8`. A worker that leaves the pool first finishes its strand. Default: all workers.
   */
  readonly resize?: string;
  /**
   * Cooperative schedulers `a1` and `a2`: memory for entries of queues. `buffered`: the scheduler's own, on the node of each
   * scheduler thread. `own`: the same without buffers, so that each entry is allocated (`allocate`). `shared`: the allocator of the program, on the first node; its lock is the mutex `allocator` of the model, and a
   * scheduler thread cannot go on while a user thread holds it. Default `buffered`.
   */
  readonly allocator?: Allocator;
}

/** Schedulers by variant of cooperative schedulers. */
export const SCHEDULERS_WITH: Readonly<Record<'allocator' | 'retry', readonly SchedulerName[]>> = {
  allocator: ['a1', 'a2'],
  retry: ['a2'],
};
/** Schedulers by option that only some of them have. */
const ONLY: Readonly<Partial<Record<keyof ThreadOptions, readonly SchedulerName[]>>> = {
  victim: ['stealing'],
  take: ['stealing'],
  rounds: ['stealing'],
  bypass: ['stealing', 'central', 'static'],
  pool: ['stealing', 'central', 'static'],
  spawn: ['stealing'],
  resize: ['stealing', 'central'],
  allocator: SCHEDULERS_WITH.allocator,
};
const VICTIMS: readonly PoolOptions['victim'][] = ['random', 'nearest', 'last'];
const TAKES: readonly PoolOptions['take'][] = ['one', 'half'];
const MAX_ROUNDS = 1_000_000;

/** Checks the options that do not depend on the program. @throws InputError THR010 */
export function checkThreadOptions(options: ThreadOptions): void {
  const { workers, scheduler, victim, take, rounds, bypass, pool, spawn, resize, allocator } = options;
  whole('workers', workers, MAX_WORKERS);
  oneOf('scheduler', scheduler, SCHEDULERS);
  oneOf('victim', victim, VICTIMS);
  oneOf('take', take, TAKES);
  whole('rounds', rounds, MAX_ROUNDS);
  if (bypass !== undefined && typeof bypass !== 'boolean')
    fail('THR010', `bypass: expected a boolean, got ${shown(bypass)}`);
  oneOf('pool', pool, POOL_KINDS);
  oneOf('spawn', spawn, SPAWN_POLICIES);
  resizesOf(resize, workers ?? MAX_WORKERS);
  checkAllocator(allocator);
}

/** @throws InputError THR010 */
export function checkAllocator(allocator: string | undefined): void {
  oneOf('allocator', allocator, ALLOCATORS);
}

/**
 * The changes of the number of workers that an option gives.
 *
 * @param workers workers of the pool
 * @throws InputError THR010
 */
function resizesOf(resize: string | undefined, workers: number): readonly Resize[] {
  if (resize === undefined) return [];
  const refuse = (what: string): never =>
    fail('THR010', `resize: ${what}: expected TIME=WORKERS, separated by commas, as in 10ms=2,20ms=${workers}`);
  if (typeof resize !== 'string') return refuse(shown(resize));
  let before = -1;
  return resize.split(',').map((part): Resize => {
    const [, text, number] = /^\s*([^=]+?)\s*=\s*(\d+)\s*$/.exec(part) ?? [];
    if (text === undefined) return refuse(quote(part));
    const time = quantity('time', Number.isFinite(Number(text)) ? Number(text) : text);
    if (typeof time !== 'number') return refuse(`${quote(part)}: ${time.message}`);
    if (time <= before) refuse(`${quote(part)} is not later than the change before it`);
    before = time;
    const count = Number(number);
    if (!(count >= 1 && count <= workers))
      fail('THR010', `resize: ${quote(part)}: expected a number of workers from 1 to ${workers}`);
    return { time, workers: count };
  });
}

/** Changes of the number of workers as the option gives them: `0.01=2,0.02=8`. */
export const resizeText = (resizes: readonly Resize[]): string =>
  resizes.map(({ time, workers }) => `${time}=${workers}`).join(',');

/**
 * The options with another number of workers, of which a resource manager permits at most these.
 *
 * @throws InputError THR010
 */
export function withWorkers<O extends Pick<ThreadOptions, 'workers' | 'resize'>>(options: O, workers: number): O {
  if (options.resize === undefined) return { ...options, workers };
  const resizes = resizesOf(options.resize, options.workers ?? MAX_WORKERS);
  const fewer = resizes.map((resize) => ({ ...resize, workers: Math.min(resize.workers, workers) }));
  return { ...options, workers, resize: resizeText(fewer) };
}

/** The pool of a scheduler of some workers. @throws InputError THR010 for an option that the scheduler does not have */
export function poolOf(scheduler: SchedulerName, options: ThreadOptions, workers: number): Omit<PoolOptions, 'queues'> {
  for (const [name, schedulers] of Object.entries(ONLY))
    if (options[name as keyof ThreadOptions] !== undefined && !schedulers.includes(scheduler))
      fail(
        'THR010',
        `${name}: scheduler ${scheduler} does not have this option; it belongs to ${schedulers.join(', ')}`,
      );
  const { victim, take, rounds, bypass, pool, spawn } = DEFAULT_POOL;
  const kind = options.pool ?? pool;
  if (kind !== 'migrating' && options.bypass !== undefined)
    fail('THR010', `bypass: a pool of kind ${kind} does not have this option; it belongs to kind migrating`);
  if (kind === 'isolated' && options.take === 'half')
    fail(
      'THR010',
      'take: a pool of kind isolated takes one task at a time; half belongs to the kinds migrating and stack',
    );
  if (kind !== 'migrating' && options.spawn === 'work-first')
    fail(
      'THR010',
      `spawn: a pool of kind ${kind} keeps a strand on the stack of its worker, so that its rest cannot be queued: expected help-first there; work-first belongs to kind migrating`,
    );
  const resizes = resizesOf(options.resize, workers);
  if (resizes.length > 0 && kind !== 'migrating')
    fail(
      'THR010',
      `resize: a pool of kind ${kind} has strands on the stacks of its workers, which cannot leave: expected kind migrating`,
    );
  return {
    victim: options.victim ?? victim,
    take: options.take ?? take,
    rounds: options.rounds ?? rounds,
    // A strand goes on with a worker that may run.
    bypass: resizes.length > 0 ? false : (options.bypass ?? bypass),
    pool: kind,
    spawn: options.spawn ?? spawn,
    resizes,
  };
}

function whole(name: string, value: number | undefined, most: number): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1 && value <= most))
    fail('THR010', `${name}: expected an integer from 1 to ${most}, got ${shown(value)}`);
}

function oneOf(name: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  const text = typeof value === 'string' ? quote(value) : shown(value);
  fail('THR010', `${name}: expected one of ${known.join(', ')}, got ${text}.${didYouMean(String(value), known)}`);
}

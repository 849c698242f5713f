import { isZeroColumn } from '../../../base/columns.ts';
import { fail } from '../../../base/problem.ts';
import { NetBuilder } from '../../../net/builder/builder.ts';
import type { Net } from '../../../net/net.ts';
import { CACHE_LINE } from '../costs.ts';
import { operationName, strandName } from '../program/row-names.ts';
import { isLimited, type RangeLoop, ROW, type ThreadProgram } from '../program/rows.ts';
import type { Partitioner } from '../program/statements.ts';
import { Affinity } from './affinity.ts';
import { type CooperativeOptions, DEFAULT_COOPERATIVE } from './cooperative/cooperative.ts';
import { OsPrimitives } from './cooperative/cooperative-os.ts';
import { QueueOfPrimitive } from './cooperative/cooperative-primitive.ts';
import { QueueOfScheduler } from './cooperative/cooperative-registered.ts';
import { emitExecution } from './execution/execution.ts';
import { Levels } from './levels.ts';
import { objectPlace } from './object-tables.ts';
import { ownThreads } from './own-threads.ts';
import { poolScheduler } from './pool.ts';
import { DEFAULT_POOL, type PoolOptions } from './pool-queues.ts';
import type { NetPart, ObjectPlace, OuterServices, Scheduler, ThreadMachine, ThreadPorts } from './ports.ts';
import { emitPrimitives } from './primitives.ts';
import { Processors } from './processors.ts';
import type { PoolKind } from './worker-stacks.ts';

export const SCHEDULERS = ['stealing', 'central', 'static', 'os', 'a0', 'a1', 'a2'] as const;
export type SchedulerName = (typeof SCHEDULERS)[number];

/**
 * Transitions that concern one strand only: they commute with all others, so that an exploration may fire them at once
 * (a persistent set of one; Godefroid, LNCS 1032, 1996).
 */
export const STRAND_LOCAL: ReadonlySet<string> = new Set([
  'begins',
  'begins to compute',
  'computes',
  'jumps',
  'moves',
  'moves nothing',
  'moved',
  'opens',
  'region',
  'resets',
  'sleeps',
  'wakes',
]);

export const isCooperative = (name: SchedulerName): boolean => name === 'a0' || name === 'a1' || name === 'a2';

/** Options of {@link threadNet}. */
export interface ThreadNetOptions extends Partial<Omit<PoolOptions, 'queues'>>, Partial<CooperativeOptions> {
  readonly scheduler: SchedulerName;
  /** In a part of another program's net: services of that net. */
  readonly outer?: OuterServices;
  /**
   * True if mutexes of all kinds are handed over. Without times the strands then acquire them in the same orders: one that
   * would be overtaken can come later. Cooperative schedulers always hand over.
   */
  readonly handsOver?: boolean;
  /** True if the net will run without times; its program then has no rows that only take time. */
  readonly untimed?: boolean;
}

/** The net of a thread program, and what its firings mean. */
export interface ThreadNet {
  readonly net: Net;
  readonly program: ThreadProgram;
  readonly machine: ThreadMachine;
  readonly scheduler: SchedulerName;
  /** Number of carriers: workers, or threads. */
  readonly carriers: number;
  /** True if carriers share cores, with each other or with other processes, or slow each other down. */
  readonly shared: boolean;
  /** True if carriers are on cores that are slower the more of them compute. */
  readonly slowed: boolean;
  /** True if the worker that ends the last strand of a group continues its owner. */
  readonly bypass: boolean;
  /** Kind of the pool; absent for schedulers without one. */
  readonly pool?: PoolKind;
}

/**
 * Makes the net of a thread program under a scheduler: some dozens of transitions, whatever the size of the program, whose
 * tokens carry a position in its rows.
 *
 * @complexity linear in rows, strands and objects
 */
export function threadNet(program: ThreadProgram, machine: ThreadMachine, options: ThreadNetOptions): ThreadNet {
  const net = new NetBuilder(program.name);
  const { about } = emitThreads(net, '', program, machine, options);
  return { ...about, net: net.build() };
}

/**
 * Steps at one instant that no finite run exceeds: each row is executed at most once, and each strand that becomes ready is searched
 * for in all queues. At most 10⁸, beyond which a run without time would take minutes.
 */
export function mostInstantSteps({ program: { rows, strands, workers, pools }, scheduler }: ThreadNet): number {
  const searches = scheduler === 'stealing' ? 4 * workers * (strands.count + workers * pools) : 0;
  return 1e6 + 20 * rows.count + Math.min(1e8, searches);
}

/** A thread program within the net of another program. */
export interface ThreadPart {
  readonly ports: ThreadPorts;
  readonly scheduler: Scheduler;
  readonly about: Omit<ThreadNet, 'net'>;
}

/**
 * Adds the net of a thread program to a net.
 *
 * @param prefix of all names; with a prefix no strand runs at first: whoever contains the part starts the main strands
 */
export function emitThreads(
  builder: NetBuilder,
  prefix: string,
  program: ThreadProgram,
  machine: ThreadMachine,
  options: ThreadNetOptions,
): ThreadPart {
  const net: NetPart = prefix === '' ? builder : prefixed(builder, prefix);
  const { rows, strands } = program;
  const { scheduler: name } = options;
  const limited = isCooperative(name) ? rows.op.findIndex((_, k) => isLimited(rows, k)) : -1;
  if (limited >= 0)
    fail(
      'THR010',
      `${operationName(program, limited)} under scheduler ${name}: expected os, stealing, central or static, which have waits for a limited time`,
      program.sites[rows.site[limited]!]!.place,
    );
  assertPriorities(program, machine, options, prefix !== '');
  assertRanges(program, options, prefix !== '');
  const carriers = name === 'os' ? strands.count : program.workers * program.pools;
  const Worker = net.range('worker', 0, carriers - 1);
  const Strand = net.range('strand', 0, strands.count - 1);
  const Row = net.range('row', 0, Math.max(0, rows.count - 1));
  const run = { w: Worker, s: Strand, at: Row };
  const begin = Array.from({ length: program.pools }, (_, p) => begun(program, p, options.spawned === true));
  const initial = begin.map(({ at }, p) => ({ w: name === 'os' ? p : p * program.workers, s: p, at }));
  const { outer } = options;
  const crowded = carriers > machine.cores * program.pools;
  const slowed = outer === undefined ? slowsDown(machine, carriers) : outer.slowed === true;
  const ports: ThreadPorts = {
    net,
    program,
    machine,
    hasThreads: name === 'os',
    Worker,
    Strand,
    Row,
    run: net.place('run', run, { kind: 'operation', initial: prefix === '' ? initial : [] }),
    ended: net.place('ended', { pool: Strand }, { kind: 'operation' }),
    op: net.intTable('operation', rows.op),
    a: net.intTable('a', rows.a),
    b: net.intTable('b', rows.b),
    time: net.realTable('time', timesOf(program, machine)),
    start: net.intTable('start', strands.start),
    spawned: begin.flatMap(({ spawned }) => spawned),
    shared: outer?.cores !== undefined || crowded || slowed,
    slowed,
    handsOver: options.handsOver === true || isCooperative(name),
    levels: Levels.of(net, program),
    affinity: Affinity.of(net, program),
    ...(options.untimed === true ? { untimed: true } : {}),
    ...(outer === undefined ? {} : { outer }),
  };
  // Slices are delays, which do not take longer while other processors are busy.
  if (name === 'os' && prefix === '' && crowded && !slowed && outer === undefined && machine.costs.timeSlice > 0)
    ports.processors = new Processors(ports);
  const { scheduler, objects } = schedulerOf(ports, options, prefix !== '');
  emitExecution(ports, scheduler, objects);
  scheduler.emit();
  const pool = isPool(name) ? (options.pool ?? DEFAULT_POOL.pool) : undefined;
  const bypass = pool === 'migrating' && (options.bypass ?? DEFAULT_POOL.bypass);
  const about = {
    program,
    machine,
    scheduler: name,
    carriers,
    shared: ports.shared,
    slowed,
    bypass,
    ...(pool === undefined ? {} : { pool }),
  };
  return { ports, scheduler, about };
}

/** True if carriers slow each other down: those of the first socket, which has most of them. */
function slowsDown({ turbo }: ThreadMachine, carriers: number): boolean {
  if (turbo === undefined) return false;
  const first = turbo.ofCore.slice(0, carriers).filter((link) => link === 0).length;
  const { byTokens = [] } = turbo.links[0]!;
  return byTokens[first - 1]! / first < 1;
}

/** @throws InputError THR010 for priorities where threads do not change on processors */
function assertPriorities(
  program: ThreadProgram,
  machine: ThreadMachine,
  { scheduler, outer }: ThreadNetOptions,
  isEmbedded: boolean,
): void {
  const { strands } = program;
  const { cores, costs } = machine;
  const first = strands.priority?.findIndex((priority) => priority !== 0) ?? -1;
  if (first < 0) return;
  const given = `priority ${strands.priority![first]!} of ${strandName(program, first)}`;
  if (scheduler !== 'os') fail('THR010', `${given}: expected none under scheduler ${scheduler}, or scheduler os`);
  if (isEmbedded || outer !== undefined)
    fail('THR010', `${given} in a program of ranks, whose threads share cores evenly: expected no priorities there`);
  if (slowsDown(machine, strands.count))
    fail(
      'THR010',
      `${given} on cores whose speed depends on the number of busy ones, which threads share evenly: expected no priorities, or a machine without turbo`,
    );
  if (costs.timeSlice === 0 && strands.count > cores)
    fail(
      'THR010',
      `${given} with timeSlice: 0, by which ${strands.count} threads share ${cores} cores evenly: expected a time slice > 0 in the machine`,
    );
}

/** @throws InputError THR010 for loops that divide by demand, where nothing is stolen */
function assertRanges({ ranges }: ThreadProgram, { scheduler, take }: ThreadNetOptions, isEmbedded: boolean): void {
  const [first] = ranges;
  if (first === undefined) return;
  const what = `partitioner ${partitionerOf(first)} of ${first.name}`;
  if (scheduler !== 'stealing')
    fail('THR010', `${what} under scheduler ${scheduler}: expected scheduler stealing, or partitioner simple`);
  if (isEmbedded) fail('THR010', `${what} in a program of ranks: expected partitioner simple there`);
  const mailing = ranges.find(({ affinity }) => affinity !== undefined);
  if (mailing !== undefined && take === 'half')
    fail(
      'THR010',
      `take: half with partitioner affinity of ${mailing.name}, whose workers take tasks out of the queues of others: expected take one, or partitioner auto`,
    );
}

export const partitionerOf = ({ affinity }: RangeLoop): Exclude<Partitioner, 'simple'> =>
  affinity === undefined ? 'auto' : 'affinity';

/** Where a main strand begins, and the strands that it has spawned before. */
function begun(
  { rows, strands }: ThreadProgram,
  main: number,
  after: boolean,
): { readonly at: number; readonly spawned: readonly number[] } {
  let at = strands.start[main]!;
  const spawned: number[] = [];
  for (; after && (rows.op[at] === ROW.region || rows.op[at] === ROW.spawn); at++)
    if (rows.op[at] === ROW.spawn) spawned.push(rows.a[at]!);
  return { at, spawned };
}

/** Emits the primitives of the scheduler, and gives the objects that they act on. */
function schedulerOf(
  ports: ThreadPorts,
  { scheduler: name, ...given }: ThreadNetOptions,
  isEmbedded: boolean,
): { readonly scheduler: Scheduler; readonly objects: ObjectPlace } {
  const cooperative = { ...DEFAULT_COOPERATIVE, ...given };
  switch (name) {
    case 'a1': {
      const scheduler = new QueueOfScheduler(ports, cooperative, isEmbedded);
      return { scheduler, objects: scheduler.objects };
    }
    case 'a2': {
      const scheduler = new QueueOfPrimitive(ports, cooperative, isEmbedded);
      return { scheduler, objects: scheduler.objects };
    }
    default: {
      const objects = objectPlace(ports);
      const scheduler =
        name === 'os'
          ? ownThreads(ports)
          : name === 'a0'
            ? new OsPrimitives(ports, cooperative, isEmbedded)
            : poolScheduler(ports, { ...DEFAULT_POOL, ...given, queues: name }, isEmbedded);
      emitPrimitives(ports, scheduler, objects, name === 'a0' ? ports.machine.costs.osCall : undefined);
      return { scheduler, objects };
    }
  }
}

export const isPool = (name: SchedulerName): boolean => name === 'stealing' || name === 'central' || name === 'static';

/** Seconds of each row that computes; amounts of the other rows. */
function timesOf({ rows, pools, poolRows }: ThreadProgram, { speed, costs }: ThreadMachine): Float64Array {
  // Programs that give all times in seconds have them already: a copy would take 8 bytes per row.
  const [hasFlops, hasShared] = [!isZeroColumn(rows.flops), !isZeroColumn(rows.shared)];
  if (!hasFlops && !hasShared) return rows.seconds;
  const times = isZeroColumn(rows.seconds) ? new Float64Array(rows.count) : rows.seconds.slice();
  for (let pool = 0; pool < pools; pool++) {
    const own = typeof speed === 'number' ? speed : speed[pool]!;
    for (let k = poolRows[pool]!; k < poolRows[pool + 1]!; k++)
      if (rows.op[k] === ROW.work || rows.op[k] === ROW.reuse)
        times[k]! +=
          (hasFlops ? rows.flops[k]! / own : 0) +
          (hasShared ? Math.ceil(rows.shared[k]! / CACHE_LINE) * costs.cacheLine : 0);
  }
  return times;
}

/** A part of a net whose colour sets, tables, places and transitions have names with a prefix. */
function prefixed(net: NetBuilder, prefix: string): NetPart {
  const name = (own: string): string => `${prefix}${own}`;
  return {
    range: (own, low, high) => net.range(name(own), low, high),
    enumeration: (own, ...values) => net.enumeration(name(own), ...values),
    intTable: (own, values, bounds) => net.intTable(name(own), values, bounds),
    realTable: (own, values) => net.realTable(name(own), values),
    routesTable: (own, start, link, coefficient) => net.routesTable(name(own), start, link, coefficient),
    place: (own, fields, options) => net.place(name(own), fields, options),
    transition: (own, build) => net.transition(name(own), build),
  };
}

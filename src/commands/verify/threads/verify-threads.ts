import { existsSync } from 'node:fs';
import type { Firing, StateSpace } from '../../../analysis/space/state-space.ts';
import { finiteDocument } from '../../../base/finite-figures.ts';
import { given } from '../../../base/given.ts';
import { didYouMean, fail, quote, shown } from '../../../base/problem.ts';
import { PRODUCT } from '../../../base/version.ts';
import { NO_COSTS } from '../../../models/threads/costs.ts';
import { type CooperativeOptions, DEFAULT_COOPERATIVE } from '../../../models/threads/net/cooperative/cooperative.ts';
import {
  isCooperative,
  isPool,
  partitionerOf,
  SCHEDULERS,
  type SchedulerName,
  threadNet,
} from '../../../models/threads/net/thread-net.ts';
import { POOL_KINDS, type PoolKind } from '../../../models/threads/net/worker-stacks.ts';
import { objectName, operationName, strandName } from '../../../models/threads/program/row-names.ts';
import { ROW, stoppedAt, type ThreadProgram, withoutPriorities } from '../../../models/threads/program/rows.ts';
import type { ThreadModel } from '../../../models/threads/program/threads.ts';
import { checkOptions } from '../../inputs/check-options.ts';
import { givenInput } from '../../inputs/input.ts';
import { inputFiles } from '../../inputs/inputs.ts';
import { checkAllocator, SCHEDULERS_WITH } from '../../inputs/thread-options.ts';
import { VERIFY_THREADS_ROWS, type VerifyThreadsOptions } from '../verify-options.ts';
import { buriedIn, type Ending, endingOf, isHeld, tokensOf, unqueuedIn, waitingIn } from './dead-markings.ts';
import { exploreThreads, inOneOrder, type ThreadSpace } from './explore-threads.ts';
import { localRows } from './local-rows.ts';
import { neverBlocks, type ReducedProgram, reducedProgram, waitsInMainOnly, withoutTimes } from './reduced-program.ts';
import { ThreadReplay } from './thread-replay.ts';
import {
  operationOf,
  operationsOf,
  placeOf,
  stepOf,
  type ThreadInstance,
  type ThreadProperty,
  type ThreadStep,
  type ThreadVerificationDocument,
  type ThreadViolation,
} from './thread-verification.ts';
import { equalWorkers, type UntimedThreads, untimedThreads } from './untimed-threads.ts';

const MAX_STATES = 1e6;
const WORKERS = 2;
/** Schedulers under which a program is verified by default: threads that share nothing, and workers that strands block. */
const DEFAULT_SCHEDULERS: readonly SchedulerName[] = ['os', 'stealing'];
/** Kinds of pools in which a program is verified by default: those of most frameworks. */
const DEFAULT_POOLS: readonly PoolKind[] = ['migrating', 'stack'];

/**
 * Verifies a thread program in all orders of its steps: the net that `predict` runs, without times. A violation ends the
 * exploration; its firing sequence is a shortest one of the explored net.
 *
 * @throws InputError VER002, VER003, VER005 and APP060 for invalid options, APP061 for another input, THR00x and MODEL00x for faults of the model
 */
export function verifyThreads(given: ThreadModel, options: VerifyThreadsOptions = {}): ThreadVerificationDocument {
  checkOptions('verifyThreads', VERIFY_THREADS_ROWS, givenInput('verifyThreads', given), options);
  checkValues(options);
  const begun = performance.now();
  const { workers: preset, ...preferred } = given.verifyWith as { workers?: number } & Record<string, never>;
  const values: Record<string, unknown> = { ...preferred, ...options.set };
  const model = Object.keys(values).length === 0 ? given : given.with(values as never);
  const workers = options.workers ?? preset ?? WORKERS;
  const instances: ThreadInstance[] = [];
  for (const setting of settingsOf(options)) {
    // Under a cooperative scheduler, threads are joined by primitives, as in `predict`.
    const program = model.program(workers, isCooperative(setting.scheduler) ? { joins: 'object' } : {});
    assertNoDemand(program);
    instances.push(
      asMigrating(instances, model, program, setting, options, begun) ??
        verifyInstance(model, program, setting, options, begun),
    );
  }
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'thread-verification',
    product: PRODUCT,
    complete: instances.every((i) => i.properties.every((p) => p.verdict !== null)),
    inputs: inputFiles({ model: model.file !== undefined && existsSync(model.file) ? model.file : undefined }),
    options: {
      program: model.name,
      workers,
      ...(options.scheduler === undefined ? {} : { scheduler: options.scheduler }),
      ...(options.pool === undefined ? {} : { pool: options.pool }),
      ...(options.allocator === undefined ? {} : { allocator: options.allocator }),
      ...(options.retry === false ? { retry: 'no' } : {}),
      ...(options.reduce === false ? { reduce: 'none' } : {}),
      maxStates: options.maxStates ?? MAX_STATES,
    },
    instances,
    seconds: (performance.now() - begun) / 1000,
    warnings: [],
  });
}

/** Under any scheduler, so that no other one is proposed. @throws InputError THR010 */
function assertNoDemand({ ranges: [first] }: ThreadProgram): void {
  if (first === undefined) return;
  fail(
    'THR010',
    `partitioner ${partitionerOf(first)} of ${first.name} divides by the times of steals, of which verify knows none: expected partitioner simple there`,
  );
}

interface Setting {
  readonly scheduler: SchedulerName;
  /** Undefined for schedulers that are no pools. */
  readonly pool: PoolKind | undefined;
  /** Variants of cooperative schedulers. */
  readonly variant?: Pick<CooperativeOptions, 'allocator' | 'retry'>;
}

/** The schedulers and kinds of pools to verify. @throws InputError VER005 for a kind with a scheduler that is no pool */
function settingsOf({ scheduler, pool, allocator, retry }: VerifyThreadsOptions): Setting[] {
  checkVariants(scheduler, { allocator, retry });
  if (scheduler !== undefined && pool !== undefined && !isPool(scheduler))
    fail(
      'VER005',
      `pool: scheduler ${scheduler} is no pool; kinds of pools belong to ${SCHEDULERS.filter(isPool).join(', ')}`,
      {
        part: 'verify',
      },
    );
  const schedulers =
    scheduler !== undefined ? [scheduler] : DEFAULT_SCHEDULERS.filter((name) => pool === undefined || isPool(name));
  return schedulers.flatMap((name): Setting[] => {
    if (!isPool(name)) {
      const { allocator: own, retry: retries } = DEFAULT_COOPERATIVE;
      const variant = { allocator: allocator ?? own, retry: retry ?? retries };
      return [{ scheduler: name, pool: undefined, variant }];
    }
    return (pool === undefined ? DEFAULT_POOLS : [pool]).map((kind) => ({ scheduler: name, pool: kind }));
  });
}

/** The verdicts of a pool with stacks from the exploration of a migrating one ({@link waitsInMainOnly}), if all properties hold there. */
function asMigrating(
  before: readonly ThreadInstance[],
  model: ThreadModel,
  program: ThreadProgram,
  setting: Setting,
  options: VerifyThreadsOptions,
  begun: number,
): ThreadInstance | undefined {
  const { scheduler, pool } = setting;
  if (pool !== 'stack' || options.reduce === false) return undefined;
  if (!REDUCED.has(scheduler) || !waitsInMainOnly(program)) return undefined;
  const known = before.find((i) => i.scheduler === scheduler && i.pool === 'migrating');
  const migrating = known ?? verifyInstance(model, program, { ...setting, pool: 'migrating' }, options, begun);
  if (migrating.properties.some((p) => p.verdict !== true)) return undefined;
  const shared = known === undefined ? {} : { states: 0, edges: 0, seconds: 0 };
  return { ...migrating, pool, decidedBy: 'migrating', ...shared };
}

function verifyInstance(
  model: ThreadModel,
  prioritised: ThreadProgram,
  setting: Setting,
  options: VerifyThreadsOptions,
  begun: number,
): ThreadInstance {
  const started = performance.now();
  const { scheduler, pool, variant } = setting;
  const program = withoutPriorities(prioritised);
  const reduce = options.reduce !== false && REDUCED.has(scheduler);
  if (reduce && pool !== 'isolated' && neverBlocks(program)) return inAnyOrder(model, program, setting, options, begun);
  const reduced = reduce
    ? reducedProgram(program)
    : options.reduce === false
      ? unreduced(program)
      : withoutTimeRows(program, isCooperative(scheduler));
  const machine = { speed: 1, cores: program.strands.count, costs: NO_COSTS };
  const { net } = threadNet(reduced.program, machine, {
    scheduler,
    // A reduction: mutexes of all kinds are acquired in the same orders.
    handsOver: options.reduce !== false,
    untimed: options.reduce !== false,
    ...(reduce ? { searching: 'ends' } : { searching: 'steps', victim: 'random' }),
    ...(pool === undefined ? {} : { pool }),
    ...variant,
  });
  const isMerged = (s: number): boolean => reduced.members.has(s);
  const stays = pool !== undefined && pool !== 'migrating';
  const local = reduce ? localRows(reduced.program, isMerged, scheduler !== 'os', stays) : undefined;
  const permutable = scheduler === 'stealing' ? equalWorkers(net) : undefined;
  const untimed: UntimedThreads = reduce
    ? { ...untimedThreads(net, local), ...(permutable === undefined ? {} : { permutable }) }
    : { ...untimedThreads(net, undefined), one: new Set() };
  const explored = exploreThreads(untimed, (tokens) => endingOf(reduced.program, tokens), {
    ...given(options, ['memory', 'cancelled', 'progress']),
    maxStates: options.maxStates ?? MAX_STATES,
    ...timeLeft(options, begun),
  });
  const { space, endings } = explored;
  const violations = VIOLATIONS.flatMap((kind) =>
    endings.has(kind) ? [violation(kind, endings.get(kind)!, explored, reduced, untimed)] : [],
  );
  return {
    workers: program.workers,
    scheduler,
    ...(pool === undefined ? {} : { pool }),
    parameters: model.params as never,
    strands: program.strands.count,
    properties: propertiesOf(explored),
    violations,
    neverExecuted: explored.complete && violations.length > 0 ? neverExecuted(space, reduced.program) : [],
    states: space.states,
    edges: space.edges,
    ...(space.truncation === undefined ? {} : { truncation: space.truncation }),
    seconds: (performance.now() - started) / 1000,
  };
}

/** The rest of the time of a verification that began at a time, in seconds, if it is limited. */
function timeLeft({ seconds }: VerifyThreadsOptions, begun: number): { readonly seconds?: number } {
  return seconds === undefined ? {} : { seconds: Math.max(1e-3, seconds - (performance.now() - begun) / 1000) };
}

/** Verifies a program whose orders all end alike ({@link neverBlocks}): one of them is executed. */
function inAnyOrder(
  model: ThreadModel,
  given: ThreadProgram,
  { scheduler, pool }: Setting,
  options: VerifyThreadsOptions,
  begun: number,
): ThreadInstance {
  const started = performance.now();
  const { program } = withoutTimes(given, false);
  const machine = { speed: 1, cores: program.strands.count, costs: NO_COSTS };
  const { net } = threadNet(program, machine, {
    ...{ scheduler, handsOver: true, untimed: true, searching: 'ends' },
    ...(pool === undefined ? {} : { pool }),
  });
  const maxStates = options.maxStates ?? MAX_STATES;
  const { ending, steps, truncation } = inOneOrder(net, (tokens) => endingOf(program, tokens), maxStates, {
    ...(options.cancelled === undefined ? {} : { cancelled: options.cancelled }),
    ...timeLeft(options, begun),
  });
  if (truncation === undefined && ending !== 'ended')
    throw new Error(`a program without operations that wait has come to ${ending}`);
  const space = { states: steps + 1, ...(truncation === undefined ? {} : { truncation }) };
  const endings = new Map<Ending, number>(truncation === undefined ? [[ending, steps]] : []);
  return {
    workers: program.workers,
    scheduler,
    ...(pool === undefined ? {} : { pool }),
    parameters: model.params as never,
    strands: given.strands.count,
    properties: propertiesOf({ space, endings, complete: truncation === undefined }),
    violations: [],
    neverExecuted: [],
    ...space,
    edges: steps,
    seconds: (performance.now() - started) / 1000,
  };
}

/** The program without reduction: one strand and row for each of the given program. */
function unreduced(program: ThreadProgram): ReducedProgram {
  return { program, rowOf: Int32Array.from({ length: program.rows.count }, (_, r) => r), members: new Map() };
}

/** The program without rows that only take time: under any scheduler, they change nothing for other strands. */
function withoutTimeRows(program: ThreadProgram, callsSystem: boolean): ReducedProgram {
  return { ...withoutTimes(program, callsSystem), members: new Map() };
}

/**
 * Schedulers under which a blocked strand keeps its carrier and waits in place `waiting`; merging of equal strands and local
 * rows are proved for these.
 */
const REDUCED: ReadonlySet<SchedulerName> = new Set(['os', 'stealing', 'central', 'static']);

const VIOLATIONS = ['deadlock', 'lost-wake-up', 'fault', 'locks-held'] as const;

function propertiesOf({
  space,
  endings,
  complete,
}: Pick<ThreadSpace, 'endings' | 'complete'> & {
  readonly space: Partial<Pick<StateSpace, 'truncation'>> & Pick<StateSpace, 'states'>;
}): ThreadProperty[] {
  const reason =
    endings.size > (endings.has('ended') ? 1 : 0)
      ? 'the exploration ended at a violation'
      : `the limit of ${space.truncation ?? 'states'} was reached after ${space.states} states`;
  const property = (id: ThreadProperty['id'], violated: boolean): ThreadProperty =>
    violated ? { id, verdict: false } : complete ? { id, verdict: true } : { id, verdict: null, reason };
  const stuck = endings.has('deadlock') || endings.has('lost-wake-up');
  return [
    property('deadlock-free', stuck),
    property('no-lost-wake-up', endings.has('lost-wake-up')),
    property('no-fault', endings.has('fault')),
    property('locks-free', endings.has('locks-held')),
    // A run that ends has executed all rows but those of tests; if no run ends, rows are dead.
    property('executed', complete && !endings.has('ended') && !endings.has('locks-held')),
  ];
}

function violation(
  kind: ThreadViolation['kind'],
  state: number,
  { space }: ThreadSpace,
  reduced: ReducedProgram,
  { net }: UntimedThreads,
): ThreadViolation {
  const { program } = reduced;
  const path = pathTo(space, state);
  const replay = new ThreadReplay(reduced, net);
  for (const firing of path) replay.fire(firing);
  const tokens = tokensOf(space.net, space.marking(state));
  const stuck: ThreadStep[] = [];
  const seen = new Map<string, number>();
  const add = (s: number, row: number, text: string): void => {
    const key = `${s} ${row}`;
    const k = seen.get(key) ?? 0;
    seen.set(key, k + 1);
    stuck.push(stepOf(program, replay.membersAt(s, row)[k] ?? s, row, text));
  };
  for (const [, s, at] of tokens('faults')) add(s!, at!, operationOf(program, stoppedAt(program.rows, at!)) ?? '');
  if (kind !== 'fault')
    for (const [o, , s, at] of waitingIn(tokens))
      if (program.objects[o!]!.isJoin !== true) add(s!, at!, operationOf(program, at!) ?? 'wait');
  if (kind !== 'fault')
    for (const { w, s, at, above } of buriedIn(tokens))
      add(s, at, `${operationName(program, at)}, below ${strandName(program, above)} on worker ${w}`);
  if (kind !== 'fault')
    for (const [, s, at] of unqueuedIn(tokens))
      add(s!, at!, `${operationName(program, at!)}, not queued: its scheduler thread needs the lock allocator`);
  const held = tokens('objects').flatMap(([o, v]) =>
    isHeld(program.objects[o!]!.kind, v!) ? [objectName(program, o!)] : [],
  );
  return { kind, firings: path.length, steps: replay.steps, stuck, held };
}

/** Operations whose rows no strand reaches, by place in the model. O(states × tokens). */
function neverExecuted(space: StateSpace, program: ThreadProgram): ThreadInstance['neverExecuted'] {
  const reached = new Uint8Array(program.rows.count);
  for (let state = 0; state < space.states; state++)
    for (const [, , at] of tokensOf(space.net, space.marking(state))('run')) reached[at!] = 1;
  const bySite = new Map<number, number[]>();
  for (let r = 0; r < program.rows.count; r++) {
    if (program.rows.op[r] === ROW.end || operationOf(program, r) === undefined) continue;
    const site = program.rows.site[r]!;
    const list = bySite.get(site);
    if (list === undefined) bySite.set(site, [r]);
    else list.push(r);
  }
  return [...bySite.values()]
    .filter((rows) => rows.every((r) => reached[r] === 0))
    .map((rows) => ({ operation: operationsOf(program, rows), ...placeOf(program, rows[0]!) }));
}

/** @throws InputError VER005 for a variant that the scheduler does not have */
function checkVariants(
  scheduler: SchedulerName | undefined,
  variants: { readonly [name in keyof typeof SCHEDULERS_WITH]: unknown },
): void {
  for (const [name, known] of Object.entries(SCHEDULERS_WITH))
    if (
      variants[name as keyof typeof SCHEDULERS_WITH] !== undefined &&
      !(scheduler !== undefined && known.includes(scheduler))
    )
      fail(
        'VER005',
        scheduler === undefined
          ? `${name}: expected a scheduler that has this option: ${known.join(', ')}`
          : `${name}: scheduler ${scheduler} does not have this option; it belongs to ${known.join(', ')}`,
        { part: 'verify' },
      );
}

function checkValues({ scheduler, pool, allocator, retry, maxStates }: VerifyThreadsOptions): void {
  checkAllocator(allocator);
  if (retry !== undefined && typeof retry !== 'boolean')
    fail('VER005', `retry: expected a boolean, got ${shown(retry)}`, { part: 'verify' });
  if (pool !== undefined && !POOL_KINDS.includes(pool))
    fail('VER005', `pool: unknown kind of pool ${quote(String(pool))}.${didYouMean(String(pool), POOL_KINDS)}`, {
      part: 'verify',
    });
  if (scheduler !== undefined && !SCHEDULERS.includes(scheduler))
    fail(
      'VER005',
      `scheduler: unknown scheduler ${quote(String(scheduler))}.${didYouMean(String(scheduler), SCHEDULERS)}`,
      {
        part: 'verify',
      },
    );
  if (maxStates !== undefined && !(Number.isSafeInteger(maxStates) && maxStates >= 1))
    fail('VER002', `maxStates: expected an integer >= 1, got ${shown(maxStates)}`, { part: 'verify' });
}

/** A shortest firing sequence to a state of a breadth-first space: the states of smaller distance are searched backwards. */
function pathTo(space: StateSpace, goal: number): Firing[] {
  const path: Firing[] = [];
  const { levels } = space;
  let target = goal;
  let level = levels.findLastIndex((first) => first <= target);
  for (; level > 0; level--) {
    const step = stepInto(space, levels[level - 1]!, levels[level]!, target)!;
    path.push(step.firing);
    target = step.from;
  }
  return path.reverse();
}

function stepInto(
  space: StateSpace,
  from: number,
  to: number,
  target: number,
): { readonly from: number; readonly firing: Firing } | undefined {
  for (let state = from; state < to; state++)
    for (const firing of space.firings(state)) if (firing.target === target) return { from: state, firing };
  return undefined;
}

import { didYouMean, fail, quote, shown } from '../../../../base/problem.ts';
import type { Noise } from '../../../../base/random/noise.ts';
import { noiseOf } from '../../../noise.ts';
import { guarded, type Parameters } from '../../../parameters.ts';
import { Site } from '../../../site.ts';
import type { ThreadBuilder, ThreadWork } from '../builder-types.ts';
import { NO_MODULE, type ThreadScope } from '../module-scope.ts';
import type { Absence } from '../rows.ts';
import {
  type Argument,
  type Block,
  type Future,
  PARTITIONERS,
  type RecordedTask,
  type RecordedThreads,
  SCHEDULES,
  SPAWNINGS,
  statementsOf,
  type TaskSizes,
  TEAMS,
} from '../statements.ts';
import { nameIn, numberIn, oneOfIn, optionsIn, workIn } from './checked-arguments.ts';
import { ObjectRecorder } from './object-recorder.ts';
import { RecordedBlocks } from './recorded-blocks.ts';
import { RecordedObjects } from './recorded-objects.ts';

type Methods = ThreadBuilder<Parameters, string>;
type Arg = Argument;

/** Argument of `build`: records statements. The checks repeat those that types make, for plain JavaScript. */
export class ThreadRecorder extends ObjectRecorder implements Methods {
  readonly p: Parameters;
  readonly workers: number;
  readonly #tasks = new Map<string, RecordedTask>();
  readonly #scope: ThreadScope;
  readonly #objects: RecordedObjects;
  readonly #futures = new Set<Future>();
  readonly #blocks: RecordedBlocks;

  constructor(name: string, params: Parameters, workers: number, scope: ThreadScope = NO_MODULE) {
    const [blocks, objects] = [new RecordedBlocks(), new RecordedObjects(scope)];
    super(blocks, objects);
    this.#blocks = blocks;
    blocks.builder = this;
    this.#objects = objects;
    this.p = guarded(name, params);
    this.workers = workers;
    this.#scope = scope;
  }

  /** Ends the recording. @throws InputError THR003 for a spawn of an undefined task, and a label without object */
  finish(): RecordedThreads {
    const body = this.#blocks.finish();
    const recorded = { body, tasks: this.#tasks, objects: this.#objects.finish() };
    for (const { kind, site, ...s } of statementsOf(recorded))
      if (kind === 'spawn') {
        const { task, args } = s as { task: string; args: object };
        const defined = this.#tasks.get(task);
        if (defined === undefined)
          fail('THR003', `spawn: unknown task ${quote(task)}.${didYouMean(task, this.#tasks.keys())}`, site.place);
        for (const key of Object.keys(args))
          if (!Object.hasOwn(defined.defaults, key))
            fail(
              'THR003',
              `spawn: task ${quote(task)} has no argument ${quote(key)}.${didYouMean(key, Object.keys(defined.defaults))}`,
              site.place,
            );
      }
    return recorded;
  }

  compute(work: ThreadWork<never>): void {
    const site = new Site(this.compute);
    this.#blocks.add({ kind: 'compute', site, ...workIn('compute', work, site) });
  }

  sleep(options: { readonly seconds: Arg; readonly noise?: Noise }): void {
    this.#leaves('call', 'sleep', options, new Site(this.sleep));
  }

  memoryWait(options: { readonly seconds: Arg; readonly noise?: Noise }): void {
    this.#leaves('memory', 'memoryWait', options, new Site(this.memoryWait));
  }

  #leaves(reason: Absence, name: string, options: { readonly seconds: Arg; readonly noise?: Noise }, site: Site): void {
    optionsIn(name, options, ['seconds', 'noise'], site);
    const seconds = numberIn('seconds', options.seconds, site);
    this.#blocks.add({ kind: 'sleep', reason, site, seconds, noise: noiseOf(options.noise, site) });
  }

  loop(variable: string, count: Arg, body: () => void): void {
    const site = new Site(this.loop);
    if (typeof variable !== 'string' || !/^[A-Za-z_]\w*$/.test(variable) || RESERVED.has(variable))
      fail('THR002', `loop: ${shown(variable)} is not a valid name of a counter`, site.place);
    this.#blocks.add({
      kind: 'loop',
      site,
      variable,
      count: numberIn('count', count, site),
      body: this.within([variable], () => this.#blocks.record(body, site)),
    });
  }

  when(test: Arg, holds: () => void, otherwise?: () => void): void {
    const site = new Site(this.when);
    if (typeof test !== 'function')
      fail('THR002', `when: expected a function of the state, got ${shown(test)}`, site.place);
    this.#blocks.add({
      kind: 'when',
      site,
      test,
      holds: this.#blocks.record(holds, site),
      otherwise: otherwise === undefined ? { statements: [] } : this.#blocks.record(otherwise, site),
    });
  }

  region(name: string, body: () => void): void {
    const site = new Site(this.region);
    this.#blocks.add({
      kind: 'region',
      site,
      name: this.#scoped(nameIn('region', name, site)),
      body: this.#blocks.record(body, site),
    });
  }

  parallel(
    threads: Arg,
    body: () => void,
    options: { readonly name?: string; readonly team?: string; readonly priority?: Arg } = {},
  ): void {
    const site = new Site(this.parallel);
    const { priority } = optionsIn('parallel', options, ['name', 'team', 'priority'], site);
    this.#blocks.add({
      kind: 'parallel',
      site,
      name: this.#regionName('parallel', options.name, site),
      threads: numberIn('threads', threads, site),
      team: oneOfIn('team', options.team ?? 'park', TEAMS, site),
      ...(priority === undefined ? {} : { priority: numberIn('priority', priority, site) }),
      body: this.#blocks.record(body, site, 'parallel'),
    });
  }

  parallelFor(options: never): void {
    const site = new Site(this.parallelFor);
    const known = [
      'n',
      'name',
      'schedule',
      'chunk',
      'grain',
      'spawning',
      'partitioner',
      'nowait',
      'reduce',
      'team',
      'body',
    ];
    const o = optionsIn('parallelFor', options as object, known, site);
    const inTeam = this.#blocks.inside === 'parallel';
    const schedule = oneOfIn('schedule', o['schedule'] ?? (inTeam ? 'static' : 'tasks'), SCHEDULES, site);
    const spawning = oneOfIn('spawning', o['spawning'] ?? 'recursive', SPAWNINGS, site);
    const partitioner = oneOfIn('partitioner', o['partitioner'] ?? 'simple', PARTITIONERS, site);
    if (partitioner !== 'simple') assertDivisible(o, partitioner, schedule, spawning, site);
    if (o['chunk'] !== undefined && o['grain'] !== undefined)
      fail('THR002', 'parallelFor: chunk and grain are the same: give one of them', site.place);
    if (schedule !== 'tasks' && this.#blocks.inside !== undefined && !inTeam)
      fail(
        'THR006',
        `a ${schedule} loop in a ${this.#blocks.inside}: its team is unknown. Use schedule: 'tasks', or a loop in the parallel section itself`,
        site.place,
      );
    const chunkOption = o['grain'] === undefined ? 'chunk' : 'grain';
    const chunk = o[chunkOption];
    this.#blocks.add({
      kind: 'parallelFor',
      site,
      name: this.#regionName('loop', o['name'] as string, site),
      n: numberIn('n', o['n'], site),
      chunk: chunk === undefined ? undefined : numberIn(chunkOption, chunk, site),
      chunkOption,
      schedule,
      spawning,
      ...(partitioner === 'simple' ? {} : { partitioner }),
      nowait: o['nowait'] === true,
      team: oneOfIn('team', o['team'] ?? 'park', TEAMS, site),
      reduce: o['reduce'] === undefined ? undefined : workIn('reduce', o['reduce'] as object, site),
      body: this.#blocks.record(
        () => this.#call(o['body'], 'body', site),
        site,
        schedule === 'static' ? undefined : 'chunk',
      ),
    });
  }

  taskloop(options: never): void {
    const site = new Site(this.taskloop);
    const known = ['n', 'name', 'grainsize', 'numTasks', 'strict', 'nogroup', 'reduce', 'body'];
    const o = optionsIn('taskloop', options as object, known, site);
    const { grainsize, numTasks, strict } = o;
    if (grainsize !== undefined && numTasks !== undefined)
      fail(
        'THR002',
        'taskloop: grainsize and numTasks exclude each other: expected one of them, or none for a task per thread',
        site.place,
      );
    for (const name of ['strict', 'nogroup'])
      if (o[name] !== undefined && typeof o[name] !== 'boolean')
        fail('THR002', `${name}: expected a boolean, got ${shown(o[name])}`, site.place);
    if (strict === true && grainsize === undefined && numTasks === undefined)
      fail('THR002', 'taskloop: strict belongs to grainsize or numTasks: expected one of them with it', site.place);
    const sizes: TaskSizes = grainsize === undefined ? 'tasks' : strict === true ? 'exact' : 'least';
    const perThread = (s: { readonly threads: number }): number => s.threads;
    const chunkOption = grainsize === undefined ? 'numTasks' : 'grainsize';
    this.#blocks.add({
      kind: 'parallelFor',
      site,
      name: this.#regionName('taskloop', o['name'] as string, site),
      n: numberIn('n', o['n'], site),
      chunk: numberIn(chunkOption, o[chunkOption] ?? perThread, site),
      chunkOption,
      sizes,
      ...(o['nogroup'] === true ? { nogroup: true } : {}),
      schedule: 'tasks',
      spawning: 'linear',
      nowait: false,
      team: 'park',
      reduce: o['reduce'] === undefined ? undefined : workIn('reduce', o['reduce'] as object, site),
      body: this.#blocks.record(() => this.#call(o['body'], 'body', site), site, 'chunk'),
    });
  }

  pipeline(options: never): void {
    const site = new Site(this.pipeline);
    const o = optionsIn('pipeline', options as object, ['items', 'tokens', 'name', 'stages'], site);
    const stages = o['stages'];
    if (!Array.isArray(stages) || stages.length === 0)
      fail('THR002', `pipeline: expected stages, a non-empty list, got ${shown(stages)}`, site.place);
    this.#blocks.add({
      kind: 'pipeline',
      site,
      name: this.#regionName('pipeline', o['name'] as string, site),
      items: numberIn('items', o['items'], site),
      tokens: o['tokens'] === undefined ? undefined : numberIn('tokens', o['tokens'], site),
      stages: (stages as unknown[]).map((stage) => {
        const { name, serial, body } = optionsIn('stage', stage as object, ['name', 'serial', 'body'], site);
        return {
          name: this.#scoped(nameIn('stage', name as string, site)),
          serial: serial === true,
          body: this.#blocks.record(() => this.#call(body, 'body', site), site, 'stage'),
        };
      }),
    });
  }

  task(name: string, defaults: Readonly<Record<string, number>>, body: (b: Methods) => void): void {
    const site = new Site(this.task);
    nameIn('task', name, site);
    const scoped = this.#scoped(name);
    if (this.#tasks.has(scoped)) fail('THR003', `duplicate task ${quote(name)}`, site.place);
    for (const key of Object.keys(defaults ?? {}))
      if (RESERVED.has(key))
        fail('THR002', `task ${quote(name)}: ${quote(key)} is not a valid name of an argument`, site.place);
    for (const [key, value] of Object.entries(defaults ?? {}))
      if (typeof value !== 'number' || Number.isNaN(value))
        fail(
          'THR002',
          `task ${quote(name)}: argument ${quote(key)}: expected a number, got ${shown(value)}`,
          site.place,
        );
    const defined = { name: scoped, defaults: { ...defaults }, site, body: { statements: [] } as Block };
    this.#tasks.set(scoped, defined);
    defined.body = this.#blocks.tries(false, () =>
      this.within(Object.keys(defined.defaults), () =>
        this.#blocks.record(() => this.#call(body, 'body', site), site, 'task'),
      ),
    );
  }

  spawn(task: string, args: Readonly<Record<string, Arg>> = {}, dependences: object = {}): Future {
    const site = new Site(this.spawn);
    nameIn('task', task, site);
    const { reads, writes } = optionsIn('spawn', dependences, ['reads', 'writes'], site);
    const future = { number: this.#futures.size + 1, site };
    this.#futures.add(future);
    const checked = Object.fromEntries(Object.entries(args).map(([key, a]) => [key, numberIn(key, a, site)]));
    this.#blocks.add({ kind: 'spawn', site, task: this.#scoped(task), args: checked, reads, writes, future });
    return future;
  }

  sync(): void {
    this.#blocks.add({ kind: 'sync', site: new Site(this.sync) });
  }

  get(future: Future): void {
    const site = new Site(this.get);
    if (!this.#futures.has(future)) fail('THR003', `get: expected a future of spawn, got ${shown(future)}`, site.place);
    this.#blocks.add({ kind: 'get', site, future });
  }

  #call(body: unknown, name: string, site: Site): unknown {
    if (typeof body !== 'function') fail('THR002', `${name}: expected a function, got ${shown(body)}`, site.place);
    // The second argument is not part of the interface: reading a member of the state from it gives an error with the remedy.
    return (body as (b: Methods, state: unknown) => unknown)(this, this);
  }

  #regionName(what: string, name: string | undefined, site: Site): string {
    if (name !== undefined) return this.#scoped(nameIn(what, name, site));
    return this.#scoped(site.short === '' ? what : `${what} ${site.short}`);
  }

  /** The name in results: modules of a composition begin theirs with the module. */
  #scoped(name: string): string {
    return `${this.#scope.prefix}${name}`;
  }
}

/** Names that every state has. */
const RESERVED: ReadonlySet<string> = new Set(['p', 'thread', 'threads', 'rank', 'first', 'count', 'chunk', 'item']);

/** Loops that divide by demand are spawned by halves, and have no number of partial results. @throws InputError THR002 */
function assertDivisible(
  o: Readonly<Record<string, unknown>>,
  partitioner: string,
  schedule: string,
  spawning: string,
  site: Site,
): void {
  if (schedule !== 'tasks')
    fail(
      'THR002',
      `partitioner ${partitioner}: expected schedule tasks, got ${schedule}, whose threads divide the loop${o['schedule'] === undefined ? ': the default in a parallel section' : ''}`,
      site.place,
    );
  if (spawning !== 'recursive')
    fail('THR002', `partitioner ${partitioner}: expected spawning recursive, got ${spawning}`, site.place);
  if (o['reduce'] !== undefined)
    fail(
      'THR002',
      `partitioner ${partitioner} with reduce: expected partitioner simple, since the number of partial results is unknown before the run`,
      site.place,
    );
}

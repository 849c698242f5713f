import { didYouMean, fail, quote, shown } from '../../../base/problem.ts';
import type { Noise } from '../../../base/random/noise.ts';
import { noiseOf } from '../../noise.ts';
import { guarded, type Parameters } from '../../parameters.ts';
import { Site } from '../../site.ts';
import type { ThreadBuilder, ThreadWork } from './builder-types.ts';
import { NO_MODULE, type ThreadScope } from './module-scope.ts';
import { PRIORITY_PROTOCOLS } from './object-kinds.ts';
import { StatelessBuilder } from './stateless-builder.ts';
import {
  type Argument,
  type Block,
  type Future,
  type LockKind,
  MUTEX_KINDS,
  type ObjectKind,
  type Objects,
  type RecordedTask,
  type RecordedThreads,
  RWLOCK_KINDS,
  SCHEDULES,
  SPAWNINGS,
  type Statement,
  type SyncCall,
  TEAMS,
  type TryCall,
  type Work,
} from './statements.ts';

/** Maximum number of recorded statements; more are a loop of JavaScript that should be `t.loop`. */
const MAX_RECORDED = 10_000;
/** Maximum number of objects of one name. */
const MAX_OBJECTS = 1_000_000;

type Methods = ThreadBuilder<Parameters, string>;
type Arg = Argument;

/** Argument of `build`: records statements. The checks repeat those that types make, for plain JavaScript. */
export class ThreadRecorder extends StatelessBuilder implements Methods {
  readonly p: Parameters;
  readonly workers: number;
  readonly #tasks = new Map<string, RecordedTask>();
  readonly #scope: ThreadScope;
  /** By name in the model. */
  readonly #objects = new Map<string, Objects>();
  readonly #futures = new Set<Future>();
  #block: Statement[] | undefined = [];
  #count = 0;
  #depth: string[] = [];
  /** Whether a block of a try is recorded. */
  #inTry = false;

  constructor(name: string, params: Parameters, workers: number, scope: ThreadScope = NO_MODULE) {
    super();
    this.p = guarded(name, params);
    this.workers = workers;
    this.#scope = scope;
  }

  /** Ends the recording. @throws InputError THR003 for a spawn of an undefined task, and a label without object */
  finish(): RecordedThreads {
    const body = { statements: this.#block! };
    this.#block = undefined;
    const recorded = { body, tasks: this.#tasks, objects: [...this.#objects.values()] };
    for (const [label, kind] of Object.entries(this.#scope.interface))
      if (!this.#objects.has(label))
        fail(
          'THR003',
          `interface: build makes no ${kind} ${quote(label)}.${didYouMean(label, this.#objects.keys())}`,
          this.#scope.place,
        );
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
    this.#add({ kind: 'compute', site, ...this.#work('compute', work, site) });
  }

  sleep(options: { readonly seconds: Arg; readonly noise?: Noise }): void {
    const site = new Site(this.sleep);
    this.#options('sleep', options, ['seconds', 'noise'], site);
    const seconds = this.#number('seconds', options.seconds, site);
    this.#add({ kind: 'sleep', site, seconds, noise: noiseOf(options.noise, site) });
  }

  loop(variable: string, count: Arg, body: () => void): void {
    const site = new Site(this.loop);
    if (typeof variable !== 'string' || !/^[A-Za-z_]\w*$/.test(variable) || RESERVED.has(variable))
      fail('THR002', `loop: ${shown(variable)} is not a valid name of a counter`, site.place);
    this.#add({
      kind: 'loop',
      site,
      variable,
      count: this.#number('count', count, site),
      body: this.within([variable], () => this.#record(body, site)),
    });
  }

  when(test: Arg, holds: () => void, otherwise?: () => void): void {
    const site = new Site(this.when);
    if (typeof test !== 'function')
      fail('THR002', `when: expected a function of the state, got ${shown(test)}`, site.place);
    this.#add({
      kind: 'when',
      site,
      test,
      holds: this.#record(holds, site),
      otherwise: otherwise === undefined ? { statements: [] } : this.#record(otherwise, site),
    });
  }

  region(name: string, body: () => void): void {
    const site = new Site(this.region);
    this.#add({
      kind: 'region',
      site,
      name: this.#scoped(this.#name('region', name, site)),
      body: this.#record(body, site),
    });
  }

  parallel(
    threads: Arg,
    body: () => void,
    options: { readonly name?: string; readonly team?: string; readonly priority?: Arg } = {},
  ): void {
    const site = new Site(this.parallel);
    const { priority } = this.#options('parallel', options, ['name', 'team', 'priority'], site);
    this.#add({
      kind: 'parallel',
      site,
      name: this.#regionName('parallel', options.name, site),
      threads: this.#number('threads', threads, site),
      team: this.#oneOf('team', options.team ?? 'park', TEAMS, site),
      ...(priority === undefined ? {} : { priority: this.#number('priority', priority, site) }),
      body: this.#record(body, site, 'parallel'),
    });
  }

  parallelFor(options: never): void {
    const site = new Site(this.parallelFor);
    const known = ['n', 'name', 'schedule', 'chunk', 'grain', 'spawning', 'nowait', 'reduce', 'team', 'body'];
    const o = this.#options('parallelFor', options as object, known, site);
    const inTeam = this.#depth.at(-1) === 'parallel';
    const schedule = this.#oneOf('schedule', o['schedule'] ?? (inTeam ? 'static' : 'tasks'), SCHEDULES, site);
    const spawning = this.#oneOf('spawning', o['spawning'] ?? 'recursive', SPAWNINGS, site);
    if (o['chunk'] !== undefined && o['grain'] !== undefined)
      fail('THR002', 'parallelFor: chunk and grain are the same: give one of them', site.place);
    if (schedule !== 'tasks' && this.#depth.length > 0 && !inTeam)
      fail(
        'THR006',
        `a ${schedule} loop in a ${this.#depth.at(-1)}: its team is unknown. Use schedule: 'tasks', or a loop in the parallel section itself`,
        site.place,
      );
    const chunk = o['chunk'] ?? o['grain'];
    this.#add({
      kind: 'parallelFor',
      site,
      name: this.#regionName('loop', o['name'] as string, site),
      n: this.#number('n', o['n'], site),
      chunk: chunk === undefined ? undefined : this.#number('chunk', chunk, site),
      schedule,
      spawning,
      nowait: o['nowait'] === true,
      team: this.#oneOf('team', o['team'] ?? 'park', TEAMS, site),
      reduce: o['reduce'] === undefined ? undefined : this.#work('reduce', o['reduce'] as object, site),
      body: this.#record(() => this.#call(o['body'], 'body', site), site, schedule === 'static' ? undefined : 'chunk'),
    });
  }

  pipeline(options: never): void {
    const site = new Site(this.pipeline);
    const o = this.#options('pipeline', options as object, ['items', 'tokens', 'name', 'stages'], site);
    const stages = o['stages'];
    if (!Array.isArray(stages) || stages.length === 0)
      fail('THR002', `pipeline: expected stages, a non-empty list, got ${shown(stages)}`, site.place);
    this.#add({
      kind: 'pipeline',
      site,
      name: this.#regionName('pipeline', o['name'] as string, site),
      items: this.#number('items', o['items'], site),
      tokens: o['tokens'] === undefined ? undefined : this.#number('tokens', o['tokens'], site),
      stages: (stages as unknown[]).map((stage) => {
        const { name, serial, body } = this.#options('stage', stage as object, ['name', 'serial', 'body'], site);
        return {
          name: this.#scoped(this.#name('stage', name as string, site)),
          serial: serial === true,
          body: this.#record(() => this.#call(body, 'body', site), site, 'stage'),
        };
      }),
    });
  }

  task(name: string, defaults: Readonly<Record<string, number>>, body: (b: Methods) => void): void {
    const site = new Site(this.task);
    this.#name('task', name, site);
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
    const around = this.#inTry;
    this.#inTry = false;
    defined.body = this.within(Object.keys(defined.defaults), () =>
      this.#record(() => this.#call(body, 'body', site), site, 'task'),
    );
    this.#inTry = around;
  }

  spawn(task: string, args: Readonly<Record<string, Arg>> = {}, dependences: object = {}): Future {
    const site = new Site(this.spawn);
    this.#name('task', task, site);
    const { reads, writes } = this.#options('spawn', dependences, ['reads', 'writes'], site);
    const future = { number: this.#futures.size + 1, site };
    this.#futures.add(future);
    const checked = Object.fromEntries(Object.entries(args).map(([key, a]) => [key, this.#number(key, a, site)]));
    this.#add({ kind: 'spawn', site, task: this.#scoped(task), args: checked, reads, writes, future });
    return future;
  }

  sync(): void {
    this.#add({ kind: 'sync', site: new Site(this.sync) });
  }

  get(future: Future): void {
    const site = new Site(this.get);
    if (!this.#futures.has(future)) fail('THR003', `get: expected a future of spawn, got ${shown(future)}`, site.place);
    this.#add({ kind: 'get', site, future });
  }

  mutex(name: string, count = 1, options: object = {}): Objects<'mutex'> {
    const site = new Site(this.mutex);
    const { priority = 'none', ...more } = this.#options('mutex', options, ['kind', 'priority'], site);
    const inherits = this.#oneOf('priority', priority, PRIORITY_PROTOCOLS, site) === 'inherit';
    const kind = this.#lockKind('mutex', more, MUTEX_KINDS, inherits ? 'handed-over' : 'barging', site);
    if (inherits && kind !== 'handed-over')
      fail(
        'THR006',
        `mutex ${quote(name)} of kind ${kind} with priority: 'inherit': expected kind handed-over, the default of such a mutex`,
        site.place,
      );
    return this.#object('mutex', name, count, 1, site, kind, inherits);
  }
  rwlock(name: string, count = 1, options: object = {}): Objects<'rwlock'> {
    const site = new Site(this.rwlock);
    const kind = this.#lockKind('rwlock', options, RWLOCK_KINDS, 'handed-over', site);
    return this.#object('rwlock', name, count, 0, site, kind);
  }
  semaphore(name: string, permits: number, count = 1): Objects<'semaphore'> {
    return this.#object('semaphore', name, count, permits, new Site(this.semaphore));
  }
  events(name: string, count = 1): Objects<'event'> {
    return this.#object('event', name, count, 0, new Site(this.events));
  }
  event(name: string): Objects<'event'> {
    return this.#object('event', name, 1, 0, new Site(this.event));
  }
  autoEvent(
    name: string,
    { set = false, count = 1 }: { readonly set?: boolean; readonly count?: number } = {},
  ): Objects<'autoEvent'> {
    return this.#object('autoEvent', name, count, set ? 1 : 0, new Site(this.autoEvent));
  }
  condition(name: string, count = 1): Objects<'condition'> {
    return this.#object('condition', name, count, 0, new Site(this.condition));
  }
  barriers(name: string, parties: number, count = 1): Objects<'barrier'> {
    return this.#object('barrier', name, count, parties, new Site(this.barriers));
  }
  atomics(name: string, count = 1): Objects<'atomic'> {
    return this.#object('atomic', name, count, 0, new Site(this.atomics));
  }
  counter(name: string, initial = 0, count = 1): Objects<'counter'> {
    return this.#object('counter', name, count, initial, new Site(this.counter));
  }

  lock(m: Objects, index: Arg = 0): void {
    this.#sync('lock', m, index, ['mutex'], new Site(this.lock));
  }
  unlock(m: Objects, index: Arg = 0): void {
    this.#sync('unlock', m, index, ['mutex'], new Site(this.unlock));
  }
  critical(m: Objects, body: () => void, index: Arg = 0): void {
    const site = new Site(this.critical);
    this.#sync('lock', m, index, ['mutex'], site);
    this.#run(body, site);
    this.#sync('unlock', m, index, ['mutex'], site);
  }
  readLock(l: Objects, index: Arg = 0): void {
    this.#sync('readLock', l, index, ['rwlock'], new Site(this.readLock));
  }
  readUnlock(l: Objects, index: Arg = 0): void {
    this.#sync('readUnlock', l, index, ['rwlock'], new Site(this.readUnlock));
  }
  writeLock(l: Objects, index: Arg = 0): void {
    this.#sync('writeLock', l, index, ['rwlock'], new Site(this.writeLock));
  }
  writeUnlock(l: Objects, index: Arg = 0): void {
    this.#sync('writeUnlock', l, index, ['rwlock'], new Site(this.writeUnlock));
  }
  acquire(s: Objects, index: Arg = 0): void {
    this.#sync('acquire', s, index, ['semaphore'], new Site(this.acquire));
  }
  release(s: Objects, index: Arg = 0): void {
    this.#sync('release', s, index, ['semaphore'], new Site(this.release));
  }
  wait(e: Objects, index: Arg = 0): void {
    this.#sync('wait', e, index, ['event', 'autoEvent'], new Site(this.wait));
  }
  set(e: Objects, index: Arg = 0): void {
    this.#sync('set', e, index, ['event', 'autoEvent'], new Site(this.set));
  }
  clear(e: Objects, index: Arg = 0): void {
    this.#sync('clear', e, index, ['event', 'autoEvent'], new Site(this.clear));
  }
  signal(c: Objects, index: Arg = 0): void {
    this.#sync('signal', c, index, ['condition'], new Site(this.signal));
  }
  broadcast(c: Objects, index: Arg = 0): void {
    this.#sync('broadcast', c, index, ['condition'], new Site(this.broadcast));
  }
  barrier(b: Objects, index: Arg = 0): void {
    this.#sync('barrier', b, index, ['barrier'], new Site(this.barrier));
  }
  atomic(a: Objects, index: Arg = 0): void {
    this.#sync('atomic', a, index, ['atomic'], new Site(this.atomic));
  }
  add(c: Objects, by: Arg, index: Arg = 0): void {
    this.#sync('add', c, index, ['counter'], new Site(this.add), by);
  }

  tryLock(m: Objects, holds?: () => void, otherwise?: () => void, index: Arg = 0): void {
    this.#try('lock', m, ['mutex'], { holds, otherwise, index }, new Site(this.tryLock));
  }
  tryReadLock(l: Objects, holds?: () => void, otherwise?: () => void, index: Arg = 0): void {
    this.#try('readLock', l, ['rwlock'], { holds, otherwise, index }, new Site(this.tryReadLock));
  }
  tryWriteLock(l: Objects, holds?: () => void, otherwise?: () => void, index: Arg = 0): void {
    this.#try('writeLock', l, ['rwlock'], { holds, otherwise, index }, new Site(this.tryWriteLock));
  }
  tryAcquire(s: Objects, holds?: () => void, otherwise?: () => void, index: Arg = 0): void {
    this.#try('acquire', s, ['semaphore'], { holds, otherwise, index }, new Site(this.tryAcquire));
  }
  tryWait(e: Objects, holds?: () => void, otherwise?: () => void, index: Arg = 0): void {
    this.#try('wait', e, ['event', 'autoEvent'], { holds, otherwise, index }, new Site(this.tryWait));
  }

  tryLockFor(m: Objects, seconds: Arg, holds?: () => void, otherwise?: () => void, index: Arg = 0): void {
    const site = new Site(this.tryLockFor);
    this.#own('tryLockFor', m, ['mutex'], site);
    assertTimeFirst('tryLockFor', seconds, holds, site);
    if (m.inherits === true)
      fail(
        'THR006',
        `tryLockFor of mutex ${quote(m.name)} with priority: 'inherit': expected priority none, since who gives up would have to take its priority back. tryLock takes both`,
        site.place,
      );
    if (m.lock === 'spin-then-park')
      fail(
        'THR006',
        `tryLockFor of mutex ${quote(m.name)} of kind ${m.lock}: expected barging or handed-over, whose waiters park, or spin. tryLock takes all kinds`,
        site.place,
      );
    this.#try('lock', m, ['mutex'], { holds, otherwise, index, seconds }, site);
  }
  tryAcquireFor(s: Objects, seconds: Arg, holds?: () => void, otherwise?: () => void, index: Arg = 0): void {
    const site = new Site(this.tryAcquireFor);
    assertTimeFirst('tryAcquireFor', seconds, holds, site);
    this.#try('acquire', s, ['semaphore'], { holds, otherwise, index, seconds }, site);
  }
  tryWaitFor(e: Objects, seconds: Arg, holds?: () => void, otherwise?: () => void, index: Arg = 0): void {
    this.#try('wait', e, ['event', 'autoEvent'], { holds, otherwise, index, seconds }, new Site(this.tryWaitFor));
  }

  waitCondition(condition: Objects<'condition'>, mutex: Objects<'mutex'>, index: Arg = 0): void {
    const site = new Site(this.waitCondition);
    this.#own('waitCondition', condition, ['condition'], site);
    this.#own('waitCondition', mutex, ['mutex'], site);
    this.#add({ kind: 'waitUntil', site, condition, mutex, counter: undefined, index, atLeast: undefined });
  }

  waitUntil(
    condition: Objects<'condition'>,
    mutex: Objects<'mutex'>,
    counter: Objects<'counter'>,
    atLeast: Arg,
    index: Arg = 0,
  ): void {
    const site = new Site(this.waitUntil);
    this.#own('waitUntil', condition, ['condition'], site);
    this.#own('waitUntil', mutex, ['mutex'], site);
    this.#own('waitUntil', counter, ['counter'], site);
    this.#number('atLeast', atLeast, site);
    this.#add({ kind: 'waitUntil', site, condition, mutex, counter, index, atLeast });
  }

  #add(s: Statement): void {
    if (this.#block === undefined)
      fail('THR007', 'the builder is used after the program was built: build must be synchronous', s.site.place);
    if (this.#inTry && (NEEDS_ALL.has(s.kind) || (s.kind === 'object' && s.call === 'barrier')))
      fail(
        'THR006',
        `${s.kind === 'object' ? s.call : s.kind} in a block of a try, which may not be executed: expected no threads, tasks, waits for tasks and barriers there. Use them before or after the try`,
        s.site.place,
      );
    if (++this.#count > MAX_RECORDED)
      fail(
        'THR005',
        `more than ${MAX_RECORDED} statements: write t.loop instead of a loop of JavaScript`,
        s.site.place,
      );
    this.#block.push(s);
  }

  #record(body: () => void, site: Site, kind?: string): Block {
    if (this.#block === undefined) fail('THR007', 'the builder is used after the program was built', site.place);
    const around = this.#block;
    const statements: Statement[] = [];
    this.#block = statements;
    if (kind !== undefined) this.#depth.push(kind);
    this.#run(body, site);
    if (kind !== undefined) this.#depth.pop();
    this.#block = around;
    return { statements };
  }

  #run(body: () => void, site: Site): void {
    if (typeof body !== 'function') fail('THR002', `expected a block, got ${shown(body)}`, site.place);
    const result: unknown = body();
    if (typeof (result as { then?: unknown } | undefined)?.then === 'function')
      fail('THR007', 'a block returns a promise: blocks must be synchronous', site.place);
  }

  #call(body: unknown, name: string, site: Site): unknown {
    if (typeof body !== 'function') fail('THR002', `${name}: expected a function, got ${shown(body)}`, site.place);
    return (body as (b: Methods) => unknown)(this);
  }

  #lockKind<T extends LockKind>(call: string, options: object, known: readonly T[], usual: T, site: Site): LockKind {
    if (this.#block === undefined) fail('THR007', 'the builder is used after the program was built', site.place);
    const { kind = usual } = this.#options(call, options, ['kind'], site);
    return this.#oneOf('kind', kind, known, site);
  }

  #object<K extends ObjectKind>(
    kind: K,
    name: string,
    count: number,
    initial: number,
    site: Site,
    lock?: LockKind,
    inherits = false,
  ): Objects<K> {
    this.#name(kind, name, site);
    if (this.#block === undefined) fail('THR007', 'the builder is used after the program was built', site.place);
    if (this.#objects.has(name)) fail('THR003', `duplicate object ${quote(name)}`, site.place);
    if (!(Number.isSafeInteger(count) && count >= 1 && count <= MAX_OBJECTS))
      fail('THR002', `${name}: count: expected an integer from 1 to ${MAX_OBJECTS}, got ${shown(count)}`, site.place);
    const least = kind === 'barrier' ? 1 : 0;
    if (!(Number.isSafeInteger(initial) && initial >= least && initial < 2 ** 31))
      fail('THR002', `${name}: expected an integer >= ${least}, got ${shown(initial)}`, site.place);
    const declared = this.#scope.interface[name];
    if (declared !== undefined && declared !== kind)
      fail(
        'THR003',
        `${quote(name)} is a ${declared} in the interface: expected the same, got the kind ${kind}`,
        site.place,
      );
    const own = {
      ...{ kind, name: this.#scoped(name), count, initial, site },
      ...(lock === undefined ? {} : { lock }),
      ...(inherits ? { inherits } : {}),
    };
    const object = (this.#scope.links.get(name)?.meet(own) as Objects<K> | undefined) ?? own;
    this.#objects.set(name, object);
    return object;
  }

  #sync(call: SyncCall, objects: Objects, index: Arg, kinds: readonly ObjectKind[], site: Site, by: Arg = 0): void {
    this.#own(call, objects, kinds, site);
    this.#add({
      kind: 'object',
      site,
      call,
      objects,
      index: this.#number('index', index, site),
      by: this.#number('by', by, site),
    });
  }

  /** A try: which of its blocks is executed is known at run time only. */
  #try(
    call: TryCall,
    objects: Objects,
    kinds: readonly ObjectKind[],
    blocks: {
      readonly holds?: (() => void) | undefined;
      readonly otherwise?: (() => void) | undefined;
      readonly index: Arg;
      /** How long it waits; absent: not at all. */
      readonly seconds?: Arg | undefined;
    },
    site: Site,
  ): void {
    this.#own(`try ${call}`, objects, kinds, site);
    const index = this.#number('index', blocks.index, site);
    const limit = 'seconds' in blocks ? { seconds: this.#number('seconds', blocks.seconds, site) } : {};
    const around = this.#inTry;
    this.#inTry = true;
    const blockOf = (body?: () => void): Block => (body === undefined ? { statements: [] } : this.#record(body, site));
    const [holds, otherwise] = [blockOf(blocks.holds), blockOf(blocks.otherwise)];
    this.#inTry = around;
    this.#add({ kind: 'try', site, call, objects, index, holds, otherwise, ...limit });
  }

  #own(call: string, objects: Objects, kinds: readonly ObjectKind[], site: Site): void {
    if (![...this.#objects.values()].includes(objects) || !kinds.includes(objects.kind))
      fail(
        'THR003',
        `${call}: expected ${kinds.join(' or ')} of this program, got ${shown(objects?.kind ?? objects)}`,
        site.place,
      );
  }

  #work(call: string, work: object, site: Site): Work {
    const { flops, seconds, bytes, shared, noise } = this.#options(
      call,
      work,
      ['flops', 'seconds', 'bytes', 'shared', 'noise'],
      site,
    );
    if (flops === undefined && seconds === undefined && bytes === undefined && shared === undefined)
      fail('THR002', `${call}: expected flops, seconds, bytes or shared`, site.place);
    const each = { flops, seconds, bytes, shared };
    for (const [name, value] of Object.entries(each)) if (value !== undefined) this.#number(name, value, site);
    return { ...each, noise: noiseOf(noise, site) };
  }

  #options(call: string, options: object, known: readonly string[], site: Site): Record<string, unknown> {
    if (typeof options !== 'object' || options === null)
      fail('THR002', `${call}: expected an object, got ${shown(options)}`, site.place);
    for (const key of Object.keys(options))
      if (!known.includes(key))
        fail('THR002', `${call} has no option ${quote(key)}.${didYouMean(key, known)}`, site.place);
    return options as Record<string, unknown>;
  }

  #number(name: string, value: Arg, site: Site): Arg {
    if (typeof value !== 'function' && (typeof value !== 'number' || Number.isNaN(value)))
      fail('THR002', `${name}: expected a number or a function of the state, got ${shown(value)}`, site.place);
    return value;
  }

  #name(what: string, name: string, site: Site): string {
    if (typeof name !== 'string' || name === '')
      fail('THR002', `${what}: expected a name, got ${shown(name)}`, site.place);
    return name;
  }

  #regionName(what: string, name: string | undefined, site: Site): string {
    if (name !== undefined) return this.#scoped(this.#name(what, name, site));
    return this.#scoped(site.short === '' ? what : `${what} ${site.short}`);
  }

  /** The name in results: modules of a composition begin theirs with the module. */
  #scoped(name: string): string {
    return `${this.#scope.prefix}${name}`;
  }

  #oneOf<T extends string>(name: string, value: unknown, known: readonly T[], site: Site): T {
    const found = known.find((one) => one === value);
    if (found === undefined)
      fail('THR002', `${name}: expected one of ${known.join(', ')}, got ${shown(value)}`, site.place);
    return found;
  }
}

/** Statements that make strands or wait for them: all strands of the program are known before it runs. */
const NEEDS_ALL: ReadonlySet<string> = new Set(['parallel', 'parallelFor', 'pipeline', 'spawn', 'sync']);

/** Names that every state has. */
const RESERVED: ReadonlySet<string> = new Set(['p', 'thread', 'threads', 'rank', 'first', 'count', 'chunk', 'item']);

export function* statementsOf({ body, tasks }: Pick<RecordedThreads, 'body' | 'tasks'>): Generator<Statement> {
  yield* within(body);
  for (const task of tasks.values()) yield* within(task.body);
}

function* within(block: Block): Generator<Statement> {
  for (const s of block.statements) {
    yield s;
    if (s.kind === 'when' || s.kind === 'try') {
      yield* within(s.holds);
      yield* within(s.otherwise);
    } else if (s.kind === 'pipeline') for (const stage of s.stages) yield* within(stage.body);
    else if ('body' in s) yield* within(s.body);
  }
}

/** A try that holds something releases it in its block: with a single function, the time was forgotten. */
function assertTimeFirst(call: string, seconds: Arg, holds: unknown, site: Site): void {
  if (typeof seconds === 'function' && holds === undefined)
    fail(
      'THR002',
      `${call}: expected the time in seconds, then the block of a success, got a function only`,
      site.place,
    );
}

import { fail, quote } from '../../../../base/problem.ts';
import { Site } from '../../../site.ts';
import { PRIORITY_PROTOCOLS } from '../object-kinds.ts';
import {
  type Argument,
  type Block,
  type LockKind,
  MUTEX_KINDS,
  type ObjectKind,
  type Objects,
  RWLOCK_KINDS,
  type SyncCall,
  type TryCall,
} from '../statements.ts';
import { assertTimeFirst, nameIn, numberIn, oneOfIn, optionsIn } from './checked-arguments.ts';
import type { RecordedBlocks } from './recorded-blocks.ts';
import type { RecordedObjects } from './recorded-objects.ts';
import { StatelessBuilder } from './stateless-builder.ts';

type Arg = Argument;

/** The part of the builder for synchronisation objects: declares them and records operations on them. */
export class ObjectRecorder extends StatelessBuilder {
  readonly #blocks: RecordedBlocks;
  readonly #objects: RecordedObjects;

  constructor(blocks: RecordedBlocks, objects: RecordedObjects) {
    super();
    this.#blocks = blocks;
    this.#objects = objects;
  }

  mutex(name: string, count = 1, options: object = {}): Objects<'mutex'> {
    const site = new Site(this.mutex);
    const { priority = 'none', ...more } = optionsIn('mutex', options, ['kind', 'priority'], site);
    const inherits = oneOfIn('priority', priority, PRIORITY_PROTOCOLS, site) === 'inherit';
    const kind = this.#lockKind('mutex', more, MUTEX_KINDS, inherits ? 'handed-over' : 'barging', site);
    if (inherits && kind !== 'handed-over')
      fail(
        'THR006',
        `mutex ${quote(name)} of kind ${kind} with priority: 'inherit': expected kind handed-over, the default of such a mutex`,
        site.place,
      );
    return this.#declare('mutex', name, count, 1, site, kind, inherits);
  }
  rwlock(name: string, count = 1, options: object = {}): Objects<'rwlock'> {
    const site = new Site(this.rwlock);
    const kind = this.#lockKind('rwlock', options, RWLOCK_KINDS, 'handed-over', site);
    return this.#declare('rwlock', name, count, 0, site, kind);
  }
  semaphore(name: string, permits: number, count = 1): Objects<'semaphore'> {
    return this.#declare('semaphore', name, count, permits, new Site(this.semaphore));
  }
  events(name: string, count = 1): Objects<'event'> {
    return this.#declare('event', name, count, 0, new Site(this.events));
  }
  event(name: string): Objects<'event'> {
    return this.#declare('event', name, 1, 0, new Site(this.event));
  }
  autoEvent(
    name: string,
    { set = false, count = 1 }: { readonly set?: boolean; readonly count?: number } = {},
  ): Objects<'autoEvent'> {
    return this.#declare('autoEvent', name, count, set ? 1 : 0, new Site(this.autoEvent));
  }
  condition(name: string, count = 1): Objects<'condition'> {
    return this.#declare('condition', name, count, 0, new Site(this.condition));
  }
  barriers(name: string, parties: number, count = 1): Objects<'barrier'> {
    return this.#declare('barrier', name, count, parties, new Site(this.barriers));
  }
  atomics(name: string, count = 1): Objects<'atomic'> {
    return this.#declare('atomic', name, count, 0, new Site(this.atomics));
  }
  counter(name: string, initial = 0, count = 1): Objects<'counter'> {
    return this.#declare('counter', name, count, initial, new Site(this.counter));
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
    this.#blocks.run(body, site);
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
    assertTimeFirst('tryLockFor', seconds, holds, site);
    this.#try('lock', m, ['mutex'], { holds, otherwise, index, seconds }, site);
  }
  tryReadLockFor(l: Objects, seconds: Arg, holds?: () => void, otherwise?: () => void, index: Arg = 0): void {
    const site = new Site(this.tryReadLockFor);
    assertTimeFirst('tryReadLockFor', seconds, holds, site);
    this.#try('readLock', l, ['rwlock'], { holds, otherwise, index, seconds }, site);
  }
  tryWriteLockFor(l: Objects, seconds: Arg, holds?: () => void, otherwise?: () => void, index: Arg = 0): void {
    const site = new Site(this.tryWriteLockFor);
    assertTimeFirst('tryWriteLockFor', seconds, holds, site);
    this.#try('writeLock', l, ['rwlock'], { holds, otherwise, index, seconds }, site);
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
    this.#assertWaiting('waitCondition', condition, mutex, site);
    this.#blocks.add({ kind: 'waitUntil', site, condition, mutex, counter: undefined, index, atLeast: undefined });
  }

  waitUntil(
    condition: Objects<'condition'>,
    mutex: Objects<'mutex'>,
    counter: Objects<'counter'>,
    atLeast: Arg,
    index: Arg = 0,
  ): void {
    const site = new Site(this.waitUntil);
    this.#assertWaiting('waitUntil', condition, mutex, site);
    this.#objects.assertOwn('waitUntil', counter, ['counter'], site);
    numberIn('atLeast', atLeast, site);
    this.#blocks.add({ kind: 'waitUntil', site, condition, mutex, counter, index, atLeast });
  }

  waitConditionFor(
    condition: Objects<'condition'>,
    mutex: Objects<'mutex'>,
    seconds: Arg,
    notified?: () => void,
    timedOut?: () => void,
    index: Arg = 0,
  ): void {
    const site = new Site(this.waitConditionFor);
    this.#assertWaiting('waitConditionFor', condition, mutex, site);
    assertTimeFirst('waitConditionFor', seconds, notified ?? timedOut, site);
    const own = { condition, mutex, counter: undefined, index, atLeast: undefined };
    this.#blocks.add({ kind: 'waitFor', site, ...own, ...this.#limitedBy(seconds, notified, timedOut, site) });
  }

  waitUntilFor(
    condition: Objects<'condition'>,
    mutex: Objects<'mutex'>,
    counter: Objects<'counter'>,
    atLeast: Arg,
    seconds: Arg,
    holds?: () => void,
    otherwise?: () => void,
    index: Arg = 0,
  ): void {
    const site = new Site(this.waitUntilFor);
    this.#assertWaiting('waitUntilFor', condition, mutex, site);
    this.#objects.assertOwn('waitUntilFor', counter, ['counter'], site);
    numberIn('atLeast', atLeast, site);
    assertTimeFirst('waitUntilFor', seconds, holds ?? otherwise, site);
    const own = { condition, mutex, counter, index, atLeast };
    this.#blocks.add({ kind: 'waitFor', site, ...own, ...this.#limitedBy(seconds, holds, otherwise, site) });
  }

  #assertWaiting(call: string, condition: Objects, mutex: Objects, site: Site): void {
    this.#objects.assertOwn(call, condition, ['condition'], site);
    this.#objects.assertOwn(call, mutex, ['mutex'], site);
  }

  /** A time and the two blocks of a wait, of which one is executed. */
  #limitedBy(
    seconds: Arg,
    holds: (() => void) | undefined,
    otherwise: (() => void) | undefined,
    site: Site,
  ): { readonly seconds: Arg; readonly holds: Block; readonly otherwise: Block } {
    numberIn('seconds', seconds, site);
    return { seconds, ...this.#twoBlocks(holds, otherwise, site) };
  }

  /** Blocks of which a strand executes one, known at run time only. */
  #twoBlocks(
    holds: (() => void) | undefined,
    otherwise: (() => void) | undefined,
    site: Site,
  ): { readonly holds: Block; readonly otherwise: Block } {
    const blockOf = (body?: () => void): Block =>
      body === undefined ? { statements: [] } : this.#blocks.record(body, site);
    return this.#blocks.tries(true, () => ({ holds: blockOf(holds), otherwise: blockOf(otherwise) }));
  }

  #declare<K extends ObjectKind>(
    kind: K,
    name: string,
    count: number,
    initial: number,
    site: Site,
    lock?: LockKind,
    inherits = false,
  ): Objects<K> {
    nameIn(kind, name, site);
    this.#blocks.assertOpen(site);
    return this.#objects.declare({
      kind,
      name,
      count,
      initial,
      site,
      ...(lock === undefined ? {} : { lock }),
      ...(inherits ? { inherits } : {}),
    });
  }

  #lockKind<T extends LockKind>(call: string, options: object, known: readonly T[], usual: T, site: Site): LockKind {
    this.#blocks.assertOpen(site);
    const { kind = usual } = optionsIn(call, options, ['kind'], site);
    return oneOfIn('kind', kind, known, site);
  }

  #sync(call: SyncCall, objects: Objects, index: Arg, kinds: readonly ObjectKind[], site: Site, by: Arg = 0): void {
    this.#objects.assertOwn(call, objects, kinds, site);
    this.#blocks.add({
      kind: 'object',
      site,
      call,
      objects,
      index: numberIn('index', index, site),
      by: numberIn('by', by, site),
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
    this.#objects.assertOwn(`try ${call}`, objects, kinds, site);
    const index = numberIn('index', blocks.index, site);
    const limit = 'seconds' in blocks ? { seconds: numberIn('seconds', blocks.seconds, site) } : {};
    const both = this.#twoBlocks(blocks.holds, blocks.otherwise, site);
    this.#blocks.add({ kind: 'try', site, call, objects, index, ...both, ...limit });
  }
}

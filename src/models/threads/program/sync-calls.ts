import { fail, quote } from '../../../base/problem.ts';
import type { Site } from '../../site.ts';
import { type Frame, MAX_COUNT } from './frames.ts';
import { HeldLocks } from './held-locks.ts';
import { acquireMode, ROW, releaseMode } from './rows.ts';
import type { Objects, StatementOf, SyncCall } from './statements.ts';
import { notInChunk, type StrandWriter } from './strand-writer.ts';

/** Synchronisation objects of a process, and the rows of the calls on them. */
export class SyncCalls {
  readonly #writer: StrandWriter;
  readonly #declared: readonly Objects[];
  /** First object of each name. */
  readonly #first = new Map<Objects, number>();
  /** Latches of barriers, by barrier and generation, and the threads that have come to each. */
  readonly #barriers = new Map<number, { readonly latches: number[]; readonly came: number[] }>();
  /** By barrier and strand: its times at the barrier, and the generation after its last one. */
  readonly #visits = new Map<string, { times: number; next: number }>();

  readonly #held: HeldLocks;

  constructor(writer: StrandWriter, declared: readonly Objects[]) {
    this.#writer = writer;
    this.#held = new HeldLocks(writer.rows, writer.objects);
    this.#declared = declared;
  }

  /** Each process has its own objects. */
  declare(): void {
    this.#barriers.clear();
    this.#visits.clear();
    for (const objects of this.#declared) {
      if (objects.kind === 'barrier') continue;
      this.#first.set(objects, this.#writer.objects.length);
      const { kind, name, initial, lock, inherits, site } = objects;
      const own = {
        ...{ kind, name, initial, site },
        ...(lock === undefined || lock === 'handed-over' ? {} : { lock }),
        ...(inherits === undefined ? {} : { inherits }),
      };
      const prefers = lock === 'readers-first' || lock === 'writers-first';
      const first = this.#writer.objects.length;
      for (let index = 0; index < objects.count; index++)
        this.#writer.objects.push({ ...own, index, ...(prefers ? { second: first + objects.count + index } : {}) });
      const queue = { kind, name, initial: 0, site } as const;
      if (prefers) for (let index = 0; index < objects.count; index++) this.#writer.objects.push({ ...queue, index });
    }
  }

  call(f: Frame, s: StatementOf<'object'>): void {
    const { site, call, objects } = s;
    const index = this.#writer.evaluate.integer(s.index, f.scope, 'index', site, 0, objects.count - 1);
    if (call === 'barrier') {
      this.#barrier(f, objects, index, site);
      return;
    }
    const object = this.#first.get(objects)! + index;
    const row = CALLS[call]!;
    if (row.op === ROW.atomic) {
      const by = this.#writer.evaluate.integer(s.by, f.scope, 'by', site, -MAX_COUNT, MAX_COUNT);
      this.#writer.rows.add(ROW.atomic, site, object, by);
    } else {
      const name = modeOf(call, objects);
      if (row.op === ROW.release) this.#held.release(f, name, object, site);
      else {
        this.#writer.rows.add(ROW.acquire, site, object, acquireMode(name));
        if (objects.kind !== 'autoEvent') this.#held.takes(f, name, object, site);
      }
    }
  }

  /** A try and its two blocks, as {@link blocksOfTry} reads them. */
  try(f: Frame, s: StatementOf<'try'>): void {
    const { site, objects } = s;
    const { rows, evaluate } = this.#writer;
    const object = this.#first.get(objects)! + evaluate.integer(s.index, f.scope, 'index', site, 0, objects.count - 1);
    const name = modeOf(s.call, objects);
    const seconds = s.seconds === undefined ? 0 : evaluate.amount(s.seconds, f.scope, 'seconds', site);
    if (seconds > 0) rows.amounts(rows.add(ROW.limit, site), 0, seconds, 0, 0);
    rows.add(ROW.try, site, object, acquireMode(name));
    const succeeds = rows.add(ROW.jump, site);
    const before = this.#held.of(f);
    this.#writer.block(f, s.otherwise);
    const failed = this.#held.of(f);
    const ends = rows.add(ROW.jump, site);
    rows.setB(succeeds, rows.count);
    this.#held.restore(f, before);
    if (objects.kind !== 'autoEvent') this.#held.takes(f, name, object, site);
    this.#writer.block(f, s.holds);
    this.#held.meet(f, failed, ends, site);
  }

  /**
   * Each execution of a barrier is a separate latch: no thread can come to the next one before all have come to this one.
   * A thread comes to the first execution after its last one that is not complete.
   */
  #barrier(f: Frame, objects: Objects, index: number, site: Site): void {
    if (f.chunkOf !== undefined) notInChunk(`barrier ${quote(objects.name)}`, f.chunkOf, site);
    const key = this.#declared.indexOf(objects) * 2 ** 20 + index;
    let barrier = this.#barriers.get(key);
    if (barrier === undefined) {
      barrier = { latches: [], came: [] };
      this.#barriers.set(key, barrier);
    }
    const visit = this.#visits.get(`${key} ${f.strand}`) ?? { times: 0, next: 0 };
    this.#visits.set(`${key} ${f.strand}`, visit);
    if (f.team !== undefined) {
      const time = `${key} ${visit.times}`;
      const came = (f.team.came.get(time) ?? 0) + 1;
      f.team.came.set(time, came);
      if (came > objects.initial)
        fail(
          'THR008',
          `barrier ${quote(objects.name)} has ${objects.initial} parties, and more threads of a section come to it`,
          site.place,
        );
    }
    let generation = visit.next;
    while (barrier.came[generation] === objects.initial) generation++;
    if (barrier.latches.length === generation) {
      barrier.latches.push(this.#writer.latch(objects.name, 'latch', objects.initial, site));
      barrier.came.push(0);
    }
    barrier.came[generation]!++;
    visit.times++;
    visit.next = generation + 1;
    const latch = barrier.latches[generation]!;
    this.#writer.rows.add(ROW.release, site, latch, releaseMode('arrive'));
    this.#writer.rows.add(ROW.acquire, site, latch, acquireMode('latch'));
  }

  waitUntil(f: Frame, s: StatementOf<'waitUntil'>): void {
    const { site } = s;
    const { rows } = this.#writer;
    const { condition, mutex, test } = this.#waiting(f, s);
    this.#held.assertHeld(f, mutex, site);
    const first = test?.();
    rows.add(ROW.wait, site, condition, mutex);
    rows.add(ROW.acquire, site, mutex, acquireMode('lock'));
    if (first === undefined) return;
    rows.add(ROW.jump, site, 0, first);
    rows.setB(first, rows.count);
  }

  /**
   * A wait for a limited time, in the form of a try:
   *
   *     limit;  test D;  W: wait;  jump A;  acquire;  test S;  F: otherwise …;  jump end;
   *     A: acquire;  test D;  late F;  jump W;  D: unlimit;  S: holds …
   *
   * Without a counter there are no tests, and the strand goes on at D after it has been signalled.
   */
  waitFor(f: Frame, s: StatementOf<'waitFor'>): void {
    const { site } = s;
    const { rows, evaluate } = this.#writer;
    const { condition, mutex, test } = this.#waiting(f, s);
    const seconds = evaluate.amount(s.seconds, f.scope, 'seconds', site);
    this.#held.assertHeld(f, mutex, site);
    rows.amounts(rows.add(ROW.limit, site), 0, seconds, 0, 0);
    const first = test?.();
    const wait = rows.add(ROW.wait, site, condition, mutex);
    const signalled = rows.add(ROW.jump, site);
    rows.add(ROW.acquire, site, mutex, acquireMode('lock'));
    const last = test?.();
    const fails = rows.count;
    const before = this.#held.of(f);
    this.#writer.block(f, s.otherwise);
    const late = this.#held.of(f);
    const ends = rows.add(ROW.jump, site);
    rows.setB(signalled, rows.count);
    rows.add(ROW.acquire, site, mutex, acquireMode('lock'));
    if (first !== undefined) {
      const again = test!();
      rows.add(ROW.late, site, 0, fails);
      rows.add(ROW.jump, site, 0, wait);
      for (const row of [first, again]) rows.setB(row, rows.count);
    }
    rows.add(ROW.unlimit, site);
    if (last !== undefined) rows.setB(last, rows.count);
    this.#held.restore(f, before);
    this.#writer.block(f, s.holds);
    this.#held.meet(f, late, ends, site);
  }

  /** The objects of a wait, and what writes a test of its counter, whose target is set later. */
  #waiting(
    f: Frame,
    { site, condition, mutex, counter, index, atLeast }: StatementOf<'waitUntil' | 'waitFor'>,
  ): { readonly condition: number; readonly mutex: number; readonly test: (() => number) | undefined } {
    const { rows, evaluate } = this.#writer;
    const at = (objects: Objects): number =>
      this.#first.get(objects)! +
      (objects.count === 1 ? 0 : evaluate.integer(index, f.scope, 'index', site, 0, objects.count - 1));
    const own = { condition: at(condition), mutex: at(mutex) };
    if (counter === undefined) return { ...own, test: undefined };
    const tested = at(counter);
    const least = evaluate.integer(atLeast, f.scope, 'atLeast', site, -MAX_COUNT, MAX_COUNT);
    const test = (): number => {
      const row = rows.add(ROW.test, site, tested);
      rows.amounts(row, 0, least, 0, 0);
      return row;
    };
    return { ...own, test };
  }
}

/** The mode of a call. */
const modeOf = (call: SyncCall, { kind }: Objects): string =>
  call === 'wait' && kind === 'autoEvent' ? 'lock' : CALLS[call]!.mode;

/** Row of each operation on an object. */
const CALLS: Readonly<Partial<Record<SyncCall, { readonly op: number; readonly mode: string }>>> = {
  lock: { op: ROW.acquire, mode: 'lock' },
  unlock: { op: ROW.release, mode: 'unlock' },
  readLock: { op: ROW.acquire, mode: 'readLock' },
  readUnlock: { op: ROW.release, mode: 'readUnlock' },
  writeLock: { op: ROW.acquire, mode: 'writeLock' },
  writeUnlock: { op: ROW.release, mode: 'writeUnlock' },
  acquire: { op: ROW.acquire, mode: 'acquire' },
  release: { op: ROW.release, mode: 'release' },
  wait: { op: ROW.acquire, mode: 'wait' },
  set: { op: ROW.release, mode: 'set' },
  clear: { op: ROW.release, mode: 'clear' },
  signal: { op: ROW.release, mode: 'signal' },
  broadcast: { op: ROW.release, mode: 'broadcast' },
  atomic: { op: ROW.atomic, mode: '' },
  add: { op: ROW.atomic, mode: '' },
};

import type { Colour, NumberTable, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, and, eq, ge, gt, le, mul, sub, type Term } from '../../../net/terms.ts';
import type { LockKind } from '../program/object-kinds.ts';
import { acquireMode, ROW, type SyncObject } from '../program/rows.ts';
import type { OfRow } from './object-tables.ts';
import {
  type HandOff,
  type ObjectPlace,
  putRun,
  type Running,
  type RunTerms,
  type ThreadPorts,
  takeRun,
} from './ports.ts';

/** Priority of granting a released object, above new acquisitions: waiters are served first, in the order of arrival. */
export const GRANT: number = 2;

/** Kinds of locks by object: those that are set free, and those whose waiters spin. Absent if no object is of the kind. */
export interface LockTables {
  readonly isBarging: NumberTable | undefined;
  /** By object: `f` = 1 while a waiter has been woken and has not yet tried again. */
  readonly inFlight: PlaceOf<{ readonly o: Colour<number>; readonly f: Colour<number> }> | undefined;
  readonly isSpinning: NumberTable | undefined;
  /** Locks whose waiters spin before they park; they are barging, too. */
  readonly parksLater: NumberTable | undefined;
  /** Locks with a second queue: its object, and whether a mode of acquisition waits there. */
  readonly preference:
    | { readonly has: NumberTable; readonly second: NumberTable; readonly writersFirst: NumberTable }
    | undefined;
  /** By object: 1 if a release wakes all waiters. */
  readonly wakesAll: NumberTable | undefined;
}

/** @param isFair whether reader-writer locks of all kinds are handed over in the order of arrival */
export function lockTables(
  { net, program: { objects }, handsOver, machine }: ThreadPorts,
  isFair: boolean,
): LockTables {
  const table = (name: string, holds: (o: SyncObject) => boolean): NumberTable | undefined =>
    objects.some(holds)
      ? net.intTable(
          name,
          Int32Array.from(objects, (o) => (holds(o) ? 1 : 0)),
        )
      : undefined;
  // Handed over, a mutex of any kind is acquired in the same orders. Reader-writer locks are not: a waiting writer stops readers.
  const has = (o: SyncObject, kind: LockKind): boolean => o.lock === kind && !(handsOver && o.kind === 'mutex');
  const isBarging = table('barging lock', (o) => has(o, 'barging') || has(o, 'spin-then-park'));
  const parksLater =
    machine.costs.spinFor > 0 ? table('lock that parks later', (o) => has(o, 'spin-then-park')) : undefined;
  const hasSecond = isFair ? undefined : table('lock of two queues', ({ second }) => second !== undefined);
  const preference =
    hasSecond === undefined
      ? undefined
      : {
          has: hasSecond,
          second: net.intTable(
            'second queue',
            Int32Array.from(objects, ({ second = 0 }) => second),
          ),
          writersFirst: net.intTable(
            'writers first',
            Int32Array.from(objects, ({ lock }) => (lock === 'writers-first' ? 1 : 0)),
          ),
        };
  const inFlight =
    isBarging === undefined
      ? undefined
      : net.place(
          'woken waiters',
          {
            o: net.range('lock of woken waiters', 0, Math.max(0, objects.length - 1)),
            f: net.range('whether one is woken', 0, 1),
          },
          { kind: 'synchronisation', initial: objects.map((_, o) => ({ o, f: 0 })) },
        );
  return {
    isBarging,
    inFlight,
    isSpinning: table('spin lock', (o) => has(o, 'spin')),
    parksLater,
    preference,
    wakesAll: table('lock wakes all', (o) => has(o, 'barging') && o.kind === 'rwlock'),
  };
}

export const isSet = (table: NumberTable, o: Term<number>): Term<boolean> => eq(table.at(o), 1);

/** Strands that have been woken for a barging lock, and try again. */
export function emitRetry(ports: ThreadPorts, inFlight: NonNullable<LockTables['inFlight']>): PlaceOf<Running> {
  const { net, a, machine, Worker, Strand, Row } = ports;
  const retrying = net.place('waking for a lock', { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
  const woken = net.place('woken for a lock', { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
  net.transition('wakes for a lock', (t) => {
    const { w, s, at } = t.take(retrying);
    t.process(w);
    if (machine.costs.wakeUp > 0) t.delay(machine.costs.wakeUp);
    if (ports.processors === undefined) t.put(woken, { w, s, at });
    else ports.processors.retries(t, { w, s, at }, woken);
  });
  net.transition('tries again', (t) => {
    t.priority(GRANT);
    const { w, s, at } = t.take(woken);
    t.process(w);
    t.take(inFlight, { o: a.at(at) });
    t.put(inFlight, { o: a.at(at), f: 0 });
    putRun(t, ports, { w, s, at }, at);
  });
  return retrying;
}

/** Strands that have released a lock wake k of its waiters, one after the other, which then try again. */
export function emitWaking(
  ports: ThreadPorts,
  scheduler: HandOff,
  retrying: PlaceOf<Running>,
  limits: { called(t: TransitionBuilder, waiter: RunTerms): void } | undefined,
): PlaceOf<{ readonly o: Colour<number>; readonly k: Colour<number> } & Running> {
  const { net, program, machine, Worker, Strand, Row } = ports;
  const calling = net.place(
    'wakes waiters',
    {
      o: net.range('released lock', 0, program.objects.length - 1),
      w: Worker,
      s: Strand,
      at: Row,
      k: net.range('waiters to wake', 1, Math.max(1, program.strands.count)),
    },
    { kind: 'operation' },
  );
  const more = program.objects.some((o) => o.lock === 'barging' && o.kind === 'rwlock');
  for (const isLast of more ? [true, false] : [true])
    net.transition(isLast ? 'wakes a waiter' : 'wakes one of several', (t) => {
      const { o, w, s, at, k } = t.take(calling);
      if (more) t.guard(isLast ? eq(k, 1) : gt(k, 1));
      t.process(w);
      const waiter = scheduler.waiter(t, o);
      // The object has one waiter less already: none may give up before.
      if (limits !== undefined) t.priority(GRANT);
      limits?.called(t, waiter);
      if (machine.costs.wake > 0) t.delay(machine.costs.wake);
      t.put(retrying, { w: waiter.w, s: waiter.s, at: waiter.at });
      if (isLast) putRun(t, ports, { w, s, at }, at);
      else t.put(calling, { o, w, s, at, k: add(k, -1) });
    });
  return calling;
}

/** Strands that wait for a spin lock stay on their carriers, which do nothing else. */
export function emitSpinning(
  ports: ThreadPorts,
  { place, change }: ObjectPlace,
  isSpinning: NumberTable,
  hasToWait: (run: RunTerms, v: Term<number>, n: Term<number>) => Term<boolean>,
  lock: number,
  limits: { served(t: TransitionBuilder, waiter: RunTerms, isQueued: boolean): void } | undefined,
): PlaceOf<{ readonly o: Colour<number> } & Running> {
  const { net, op, a, machine, program, Worker, Strand, Row } = ports;
  const spinning = net.place(
    'spinning',
    { o: net.range('object spun for', 0, program.objects.length - 1), w: Worker, s: Strand, at: Row },
    { kind: 'synchronisation', order: { fifo: ['o'] } },
  );
  net.transition('spins', (t) => {
    const run = takeRun(t, ports);
    t.guard(eq(op.at(run.at), ROW.acquire));
    const o = a.at(run.at);
    const { v, n } = t.take(place, { o });
    t.guard(and(isSet(isSpinning, o), hasToWait(run, v, n)));
    if (lock > 0) t.delay(lock);
    t.put(place, { o, v, n: add(n, 1) });
    t.put(spinning, { o, w: run.w, s: run.s, at: run.at });
    ports.processors?.spins(t, run);
  });
  net.transition('stops spinning', (t) => {
    t.priority(GRANT);
    const { o, v, n } = t.take(place);
    t.guard(and(gt(n, 0), isSet(isSpinning, o), eq(v, 1)));
    const { w, s, at } = t.take(spinning, { o });
    t.process(w);
    // The first in the queue has the next turn, even if it has lost its processor.
    ports.processors?.stopsSpinning(t, { w, s, at });
    // Those that go on spinning fetch the word of the lock, too, one after the other.
    if (machine.costs.spinner > 0) t.delay(add(mul(sub(n, 1), machine.costs.spinner), machine.costs.spin));
    else if (machine.costs.spin > 0) t.delay(machine.costs.spin);
    t.put(place, { o, v: add(v, change.at(acquireMode('lock'))), n: add(n, -1) });
    putRun(t, ports, { w, s, at }, add(at, 1));
    limits?.served(t, { w, s, at }, true);
  });
  return spinning;
}

/**
 * Strands that wait for a lock of kind `spin-then-park` spin on their carriers. The release lets the one that has spun longest take the
 * lock, before any newcomer. After `spinFor` a strand parks, as at a barging lock.
 */
export function emitSpinThenPark(
  ports: ThreadPorts,
  scheduler: HandOff,
  { place }: ObjectPlace,
  parksLater: NumberTable,
  hasToWait: (run: RunTerms, v: Term<number>, n: Term<number>) => Term<boolean>,
  lock: number,
  limits:
    | {
        served(t: TransitionBuilder, waiter: RunTerms, isQueued: boolean): void;
        excludes(t: TransitionBuilder, at: Term<number>): void;
      }
    | undefined,
): Readonly<Record<'spinning' | 'parking', PlaceOf<{ readonly o: Colour<number> } & Running>>> {
  const { net, op, a, machine, program, Worker, Strand, Row } = ports;
  const fields = {
    o: net.range('object spun for before parking', 0, program.objects.length - 1),
    w: Worker,
    s: Strand,
    at: Row,
  };
  const spinning = net.place('spinning before parking', fields, { kind: 'synchronisation' });
  const parking = net.place('parking', fields, { kind: 'operation' });
  net.transition('spins before parking', (t) => {
    const run = takeRun(t, ports);
    t.guard(eq(op.at(run.at), ROW.acquire));
    const o = a.at(run.at);
    const { v, n } = t.take(place, { o });
    t.guard(and(isSet(parksLater, o), hasToWait(run, v, n)));
    if (lock > 0) t.delay(lock);
    t.put(place, { o, v, n });
    t.put(spinning, { o, w: run.w, s: run.s, at: run.at });
  });
  const takes = (name: string, from: typeof spinning, priority: number): void =>
    net.transition(name, (t) => {
      t.priority(priority);
      const { o, w, s, at } = t.take(from);
      t.process(w);
      const { n } = t.take(place, { o, v: 1 });
      if (machine.costs.spin > 0) t.delay(machine.costs.spin);
      t.put(place, { o, v: 0, n });
      limits?.served(t, { w, s, at }, false);
      putRun(t, ports, { w, s, at }, add(at, 1));
    });
  takes('stops spinning before parking', spinning, GRANT);
  net.transition('gives up spinning', (t) => {
    const { o, w, s, at } = t.take(spinning);
    t.race({ delay: machine.costs.spinFor });
    t.put(parking, { o, w, s, at });
  });
  // At the end of its time a strand tries the lock once more.
  takes('takes the lock before parking', parking, GRANT + 1);
  net.transition('parks', (t) => {
    t.priority(GRANT + 1);
    const { o, w, s, at } = t.take(parking);
    t.process(w);
    limits?.excludes(t, at);
    const { v, n } = t.take(place, { o });
    t.guard(eq(v, 0));
    t.put(place, { o, v, n: add(n, 1) });
    scheduler.block(t, { w, s, at }, o);
  });
  return { spinning, parking };
}

/** Waiters of the second queue of a lock that prefers readers or writers: they have it when nobody waits in the first one. */
export function emitSecondQueue(
  ports: ThreadPorts,
  scheduler: HandOff,
  { place, low, high, change }: ObjectPlace,
  { second }: NonNullable<LockTables['preference']>,
  acquire: OfRow,
  hasToWait: (run: RunTerms, v: Term<number>, n: Term<number>) => Term<boolean>,
  waitsSecond: (at: Term<number>) => Term<boolean>,
  operates: (t: TransitionBuilder, o: Term<number>) => void,
  limits:
    | { readonly hasTries: boolean; served(t: TransitionBuilder, waiter: RunTerms, isQueued: boolean): void }
    | undefined,
): void {
  const { net, op, a, program } = ports;
  const blocks = program.rows.op.includes(ROW.acquire);
  if (blocks)
    net.transition('blocks in the second queue', (t) => {
      const run = takeRun(t, ports);
      t.guard(eq(op.at(run.at), ROW.acquire));
      const o = a.at(run.at);
      const { v, n } = t.take(place, { o });
      t.guard(and(waitsSecond(run.at), hasToWait(run, v, n)));
      const queue = t.take(place, { o: second.at(o) });
      operates(t, o);
      t.put(place, { o, v, n });
      t.put(place, { o: second.at(o), v: queue.v, n: add(queue.n, 1) });
      scheduler.block(t, run, second.at(o));
    });
  const grants = (name: string, kind: number): void =>
    net.transition(name, (t) => {
      t.priority(GRANT);
      const queue = t.take(place);
      t.guard(gt(queue.n, 0));
      const waiter = scheduler.waiter(t, queue.o);
      t.process(waiter.w);
      t.guard(and(eq(op.at(waiter.at), kind), waitsSecond(waiter.at)));
      const o = a.at(waiter.at);
      const { v } = t.take(place, { o, n: 0 });
      const mode = acquire.at(waiter.at);
      t.guard(and(ge(v, low.at(mode)), le(v, high.at(mode))));
      t.put(place, { o, v: add(v, change.at(mode)), n: 0 });
      t.put(place, { o: queue.o, v: queue.v, n: add(queue.n, -1) });
      if (kind === ROW.try) limits?.served(t, waiter, true);
      scheduler.resume(t, waiter, add(waiter.at, 1));
    });
  if (blocks) grants('grants to the second queue', ROW.acquire);
  if (limits?.hasTries === true) grants('grants to the second queue within the time', ROW.try);
}

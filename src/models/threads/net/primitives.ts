import type { PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, and, eq, ge, gt, le, lt, not, or, sub, type Term, when } from '../../../net/terms.ts';
import { acquireMode, FUTURE, ROW, type SyncObject, type ThreadProgram } from '../program/rows.ts';
import {
  emitRetry,
  emitSecondQueue,
  emitSpinning,
  emitSpinThenPark,
  emitWaking,
  GRANT,
  isSet,
  type LockTables,
  lockTables,
} from './lock-kinds.ts';
import { type RowModes, releaseTerms, rowModes } from './object-tables.ts';
import {
  type HandOff,
  type ObjectPlace,
  putRun,
  type Running,
  type RunTerms,
  type ThreadPorts,
  takeRun,
} from './ports.ts';
import { TimeLimits } from './time-limits.ts';

/**
 * Synchronisation objects with hand-off: a release grants the object to the first waiter whose condition holds, and new
 * acquisitions queue behind waiters. An operation holds the object for the time of `lock`, so that operations on one
 * object take place one after the other.
 *
 * A barging lock is only set free: the strand that releases it wakes the first waiter, which tries again, and any other may
 * take it before. Until that waiter has tried, a mutex wakes no other one: most releases of a contended mutex are cheap. A strand that waits for a spin lock stays on its carrier, and is served in order of arrival.
 */
export function emitPrimitives(ports: ThreadPorts, scheduler: HandOff, objects: ObjectPlace, call?: number): void {
  const { net, op, a, b, machine, program } = ports;
  const given = call === undefined ? {} : { lock: call, rwLock: call, barrier: call };
  const { lock, rwLock, barrier } = { ...machine.costs, ...given };
  const timeOf = ({ kind, isJoin }: SyncObject): number =>
    kind === 'rwlock' ? rwLock : kind === 'latch' && isJoin !== true ? barrier : lock;
  const isMixed = program.objects.some((o) => timeOf(o) !== lock);
  const times = isMixed ? net.realTable('time of operation', Float64Array.from(program.objects, timeOf)) : undefined;
  const operates: Operates = (t, o) => {
    if (times !== undefined) t.delay(times.at(o));
    else if (lock > 0) t.delay(lock);
  };
  const { place, low, high, change } = objects;
  const modes = rowModes(ports);
  const used = new Set(program.rows.op);
  const { atomic } = machine.costs;
  const costs = (t: TransitionBuilder, seconds: number): void => {
    if (seconds > 0) t.delay(seconds);
  };
  const locks = lockTables(ports, call !== undefined);
  const { isBarging, inFlight, isSpinning, parksLater, preference } = locks;
  const retrying = inFlight === undefined ? undefined : emitRetry(ports, inFlight);
  const limits = TimeLimits.of(ports);
  const inherited = ports.levels?.inherited;
  const blocks = used.has(ROW.acquire) || used.has(ROW.wait) || used.has(ROW.limit);
  const futures = scheduler.suspend !== undefined && waitsForTasks(program);
  const hasToWait = (run: RunTerms, v: Term<number>, n: Term<number>): Term<boolean> => {
    const mode = modes.acquire.at(run.at);
    const others = isBarging === undefined ? gt(n, 0) : and(gt(n, 0), not(isSet(isBarging, a.at(run.at))));
    return or(others, or(lt(v, low.at(mode)), gt(v, high.at(mode))));
  };
  const waitsSecond = (at: Term<number>): Term<boolean> => {
    const isReader = eq(modes.acquire.at(at), acquireMode('readLock'));
    const { has, writersFirst } = preference!;
    return and(isSet(has, a.at(at)), eq(when(isReader, 1, 0), writersFirst.at(a.at(at))));
  };
  const tries = used.has(ROW.try);
  if (used.has(ROW.acquire) || tries)
    net.transition('acquires', (t) => {
      const run = takeRun(t, ports);
      t.guard(takes(ports, run.at));
      const { v, n } = t.take(place, { o: a.at(run.at) });
      const mode = modes.acquire.at(run.at);
      const isFirst = isBarging === undefined ? eq(n, 0) : or(eq(n, 0), isSet(isBarging, a.at(run.at)));
      t.guard(and(isFirst, ge(v, low.at(mode)), le(v, high.at(mode))));
      operates(t, a.at(run.at));
      t.put(place, { o: a.at(run.at), v: add(v, change.at(mode)), n });
      limits?.served(t, run, false);
      inherited?.acquires(t, a.at(run.at), run.s);
      putRun(t, ports, run, run.next);
    });
  if (tries)
    net.transition('tries in vain', (t) => {
      const run = takeRun(t, ports);
      t.guard(eq(op.at(run.at), ROW.try));
      limits?.excludes(t, run.at);
      const { v, n } = t.take(place, { o: a.at(run.at) });
      t.guard(hasToWait(run, v, n));
      operates(t, a.at(run.at));
      t.put(place, { o: a.at(run.at), v, n });
      putRun(t, ports, run, add(run.at, 2));
    });
  const second = preference === undefined ? undefined : { of: preference.second, waits: waitsSecond };
  limits?.emit(scheduler, objects, hasToWait, operates, isSpinning, parksLater, second);
  if (used.has(ROW.acquire))
    for (const future of futures ? [false, true] : [false])
      net.transition(future ? 'waits for a task' : 'blocks', (t) => {
        const run = takeRun(t, ports);
        t.guard(eq(op.at(run.at), ROW.acquire));
        const { v, n } = t.take(place, { o: a.at(run.at) });
        if (futures) {
          const isFuture = eq(modes.acquire.at(run.at), FUTURE);
          t.guard(future ? isFuture : not(isFuture));
        }
        t.guard(hasToWait(run, v, n));
        for (const table of [isSpinning, parksLater]) if (table !== undefined) t.guard(not(isSet(table, a.at(run.at))));
        if (preference !== undefined) t.guard(not(waitsSecond(run.at)));
        operates(t, a.at(run.at));
        // A strand that stays on its carrier is not handed the object.
        const isHanded = !future || scheduler.returns === undefined;
        t.put(place, { o: a.at(run.at), v, n: isHanded ? add(n, 1) : n });
        if (future) scheduler.suspend!(t, run, a.at(run.at));
        else scheduler.block(t, run, a.at(run.at));
      });
  if (futures)
    scheduler.returns?.('a task', (t, top) => {
      t.guard(eq(op.at(top.at), ROW.acquire));
      t.read(place, { o: a.at(top.at), v: 1 });
    });
  if (isSpinning !== undefined && blocks) {
    const spinning = emitSpinning(ports, objects, isSpinning, hasToWait, lock, limits);
    limits?.emitSpinning(place, spinning, isSpinning, hasToWait, lock);
  }
  if (parksLater !== undefined && blocks) {
    const waiters = emitSpinThenPark(ports, scheduler, objects, parksLater, hasToWait, lock, limits);
    limits?.emitSpinThenPark(scheduler, place, { ...waiters, parksLater }, hasToWait, lock);
  }
  if (preference !== undefined && (used.has(ROW.acquire) || limits?.hasTries === true))
    emitSecondQueue(ports, scheduler, objects, preference, modes.acquire, hasToWait, waitsSecond, operates, limits);
  const mutexIsWaitedFor = used.has(ROW.wait) && isBarging !== undefined;
  for (const wakes of mutexIsWaitedFor ? [false, true] : used.has(ROW.wait) ? [false] : [])
    net.transition(wakes ? 'waits for a signal, wakes' : 'waits for a signal', (t) => {
      const run = takeRun(t, ports);
      t.guard(eq(op.at(run.at), ROW.wait));
      const condition = t.take(place, { o: a.at(run.at) });
      const mutex = t.take(place, { o: b.at(run.at) });
      t.guard(eq(mutex.v, 0));
      if (mutexIsWaitedFor) {
        const { f } = wakes ? t.take(inFlight!, { o: b.at(run.at) }) : t.read(inFlight!, { o: b.at(run.at) });
        const isOwed = and(gt(mutex.n, 0), isSet(isBarging, b.at(run.at)), eq(f, 0));
        t.guard(wakes ? isOwed : not(isOwed));
        if (wakes) t.put(inFlight!, { o: b.at(run.at), f: 1 });
      }
      costs(t, wakes ? lock + machine.costs.wake : lock);
      inherited?.releases(t, b.at(run.at), run.s);
      t.put(place, { o: a.at(run.at), v: condition.v, n: add(condition.n, 1) });
      t.put(place, { o: b.at(run.at), v: 1, n: wakes ? add(mutex.n, -1) : mutex.n });
      if (wakes) {
        const { w, s, at } = scheduler.waiter(t, b.at(run.at));
        limits?.called(t, { w, s, at });
        t.put(retrying!, { w, s, at });
      }
      limits?.waits(t, run, a.at(run.at));
      scheduler.block(t, run, a.at(run.at));
    });
  if (used.has(ROW.release) || used.has(ROW.wait)) {
    const fault = faultsOf(ports);
    if (used.has(ROW.release)) emitRelease(ports, scheduler, objects, modes, locks, retrying, limits, operates, fault);
    if (used.has(ROW.wait))
      fault('wait faults', (t, run) => {
        t.guard(eq(op.at(run.at), ROW.wait));
        const { v } = t.read(place, { o: b.at(run.at) });
        t.guard(not(eq(v, 0)));
      });
  }
  if (used.has(ROW.atomic))
    net.transition('atomic operation', (t) => {
      const run = takeRun(t, ports);
      t.guard(eq(op.at(run.at), ROW.atomic));
      const { v, n } = t.take(place, { o: a.at(run.at) });
      costs(t, atomic);
      // 0 for words that are no counters.
      t.put(place, { o: a.at(run.at), v: add(v, b.at(run.at)), n });
      putRun(t, ports, run, run.next);
    });
  const resting: RestingObjects = { take: (t, of) => t.take(place, of), put: (t, token) => t.put(place, token) };
  emitNotes(ports, resting);
  emitReset(ports, resting);
  if (blocks) emitGrant(ports, scheduler, objects, modes, locks, limits);
}

/** In place of an operation: those that acquire an object, or try to. */
export const TAKES = -1;

/** True if the strand at a row acquires an object, or tries to. */
export function takes({ op, program }: ThreadPorts, at: Term<number>): Term<boolean> {
  const acquires = eq(op.at(at), ROW.acquire);
  return program.rows.op.includes(ROW.try) ? or(acquires, eq(op.at(at), ROW.try)) : acquires;
}

/** How objects without an operation under way are taken from their place and put back. */
export interface RestingObjects {
  take(t: TransitionBuilder, of: { readonly o: Term<number>; readonly n?: 0 }): { readonly v: Term<number> };
  put(t: TransitionBuilder, token: { readonly o: Term<number>; readonly v: Term<number>; readonly n: 0 }): void;
}

/** A strand changes its count of a lock that it holds. */
export function emitNotes(ports: ThreadPorts, objects: RestingObjects): void {
  const { net, op, a, b, program } = ports;
  if (!program.rows.op.includes(ROW.note)) return;
  net.transition('notes', (t) => {
    const run = takeRun(t, ports);
    t.guard(eq(op.at(run.at), ROW.note));
    const o = a.at(run.at);
    const { v } = objects.take(t, { o, n: 0 });
    objects.put(t, { o, v: add(v, b.at(run.at)), n: 0 });
    putRun(t, ports, run, run.next);
  });
}

/** Objects get their initial values; nobody waits then. */
export function emitReset(ports: ThreadPorts, objects: RestingObjects): void {
  const { net, op, a, program } = ports;
  if (!program.rows.op.includes(ROW.reset)) return;
  const initial = net.intTable(
    'initial value',
    Int32Array.from(program.objects, (o) => o.initial),
  );
  net.transition('resets', (t) => {
    const run = takeRun(t, ports);
    t.guard(eq(op.at(run.at), ROW.reset));
    const o = a.at(run.at);
    objects.take(t, { o });
    objects.put(t, { o, v: initial.at(o), n: 0 });
    putRun(t, ports, run, run.next);
  });
}

function emitRelease(
  ports: ThreadPorts,
  scheduler: HandOff,
  { place }: ObjectPlace,
  modes: RowModes,
  { isBarging, inFlight, wakesAll }: LockTables,
  retrying: PlaceOf<Running> | undefined,
  limits: TimeLimits | undefined,
  operates: Operates,
  fault: FaultOf,
): void {
  const { net, op, a } = ports;
  const { allowed, value } = releaseTerms(net);
  const calling = retrying === undefined ? undefined : emitWaking(ports, scheduler, retrying, limits);
  for (const wakes of calling === undefined ? [false] : [false, true])
    net.transition(wakes ? 'releases to all' : 'releases', (t) => {
      const run = takeRun(t, ports);
      t.guard(eq(op.at(run.at), ROW.release));
      const o = a.at(run.at);
      const { v, n } = t.take(place, { o });
      t.guard(allowed(v, modes.release.at(run.at)));
      const after = value(v, n, modes.release.at(run.at));
      if (isBarging !== undefined) {
        const { f } = wakes ? t.take(inFlight!, { o }) : t.read(inFlight!, { o });
        // The last reader sets the lock free, and wakes all.
        const isTurn = wakesAll === undefined ? eq(f, 0) : when(isSet(wakesAll, o), eq(after, 0), eq(f, 0));
        const isOwed = and(isSet(isBarging, o), gt(n, 0), isTurn);
        t.guard(wakes ? isOwed : not(isOwed));
        if (wakes) t.put(inFlight!, { o, f: 1 });
      }
      operates(t, o);
      ports.levels?.inherited?.releases(t, o, run.s);
      if (!wakes) {
        t.put(place, { o, v: after, n });
        putRun(t, ports, run, run.next);
        return;
      }
      const woken = wakesAll === undefined ? 1 : when(isSet(wakesAll, o), n, 1);
      t.put(place, { o, v: after, n: sub(n, woken) });
      t.put(calling!, { o, w: run.w, s: run.s, at: run.next, k: woken });
    });
  fault('release faults', (t, run) => {
    t.guard(eq(op.at(run.at), ROW.release));
    const { v } = t.read(place, { o: a.at(run.at) });
    t.guard(not(allowed(v, modes.release.at(run.at))));
  });
}

/** Gives a transition the time of an operation on an object. */
type Operates = (t: TransitionBuilder, o: Term<number>) => void;

type FaultOf = (name: string, test: (t: TransitionBuilder, run: RunTerms) => void) => void;

/** Transitions of strands that release an object that is not held: they stop in place `faults`. */
function faultsOf(ports: ThreadPorts): FaultOf {
  const { net, Worker, Strand, Row } = ports;
  const faults = net.place('faults', { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
  return (name, test) =>
    net.transition(name, (t) => {
      const run = takeRun(t, ports);
      test(t, run);
      t.put(faults, { w: run.w, s: run.s, at: run.at });
    });
}

/** True if strands wait for single tasks. */
function waitsForTasks({ rows }: ThreadProgram): boolean {
  return rows.op.some((op, k) => op === ROW.acquire && rows.b[k] === FUTURE);
}

/** Grants objects to the first waiter. A waiter on a condition needs a signal, which counts as a value of at least 1. */
function emitGrant(
  ports: ThreadPorts,
  scheduler: HandOff,
  { place, low, high, change }: ObjectPlace,
  modes: RowModes,
  { isBarging, isSpinning, preference }: LockTables,
  limits: TimeLimits | undefined,
): void {
  const { net, op, a } = ports;
  const grant = (
    name: string,
    kind: number,
    holds: (v: Term<number>, run: RunTerms) => Term<boolean>,
    by: (run: RunTerms) => Term<number> | number,
    isFuture?: boolean,
  ): void => {
    net.transition(name, (t) => {
      t.priority(GRANT);
      const { o, v, n } = t.take(place);
      t.guard(gt(n, 0));
      for (const table of [isBarging, isSpinning]) if (table !== undefined) t.guard(not(isSet(table, o)));
      const waiter = scheduler.waiter(t, o);
      t.process(waiter.w);
      t.guard(and(eq(op.at(waiter.at), kind), holds(v, waiter)));
      // In the second queue of a lock, `o` is not the object that is waited for.
      if (preference !== undefined) t.guard(eq(a.at(waiter.at), o));
      if (isFuture !== undefined) {
        const waitsForTask = eq(modes.acquire.at(waiter.at), FUTURE);
        t.guard(isFuture ? waitsForTask : not(waitsForTask));
      }
      t.put(place, { o, v: add(v, by(waiter)), n: add(n, -1) });
      if (kind === ROW.try) limits?.served(t, waiter, true);
      if (kind === ROW.wait) limits?.notified(t, waiter);
      if (kind !== ROW.wait) ports.levels?.inherited?.acquires(t, o, waiter.s);
      if (isFuture === true) scheduler.requeue!(t, waiter, add(waiter.at, 1));
      else scheduler.resume(t, waiter, add(waiter.at, 1));
    });
  };
  const used = new Set(ports.program.rows.op);
  const futures = scheduler.requeue !== undefined && scheduler.returns === undefined && waitsForTasks(ports.program);
  if (used.has(ROW.acquire))
    for (const future of futures ? [false, true] : [undefined])
      grant(
        future === true ? 'has the task' : 'grants',
        ROW.acquire,
        (v, { at }) => and(ge(v, low.at(modes.acquire.at(at))), le(v, high.at(modes.acquire.at(at)))),
        ({ at }) => change.at(modes.acquire.at(at)),
        future,
      );
  if (limits?.hasTries === true)
    grant(
      'grants within the time',
      ROW.try,
      (v, { at }) => and(ge(v, low.at(modes.acquire.at(at))), le(v, high.at(modes.acquire.at(at)))),
      ({ at }) => change.at(modes.acquire.at(at)),
    );
  if (used.has(ROW.wait))
    grant(
      'signals',
      ROW.wait,
      (v) => ge(v, 1),
      () => -1,
    );
}

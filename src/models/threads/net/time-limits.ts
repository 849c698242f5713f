import type { Colour, NumberTable, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, and, eq, gt, not, type Term, when } from '../../../net/terms.ts';
import { isLimited, isLimitedWait, ROW } from '../program/rows.ts';
import { GRANT, isSet } from './lock-kinds.ts';
import { type HandOff, type ObjectPlace, putRun, type RunTerms, type ThreadPorts, takeRun } from './ports.ts';

/** Above every grant: bookkeeping that nothing may come between. */
const SWEEP = GRANT + 2;
/** Below grants: who is granted the object at the instant at which its time is over has it. */
const GIVES_UP = GRANT - 1;

/**
 * Waits for a limited time. The row before a try starts a clock of the strand, which runs until the strand has the object or gives
 * up; a strand that a barging lock has woken does not start it again. Waits for a condition start a clock, too; it runs while the strand is
 * notified, takes its mutex and waits again, until a row stops it. Without times there are no clocks: a strand gives up at any time.
 *
 * A strand that gives up leaves the middle of a queue: the entry in the queue is left behind, and dropped when it comes to the head; the
 * number of waiters of the object does not count it.
 */
export class TimeLimits {
  readonly #ports: ThreadPorts;
  readonly #limited: NumberTable;
  /** True if strands try to take objects for a limited time; `#hasWaits`: if they wait for conditions for one. */
  readonly hasTries: boolean;
  readonly #hasWaits: boolean;
  /** By strand: the row that started its clock; `over` = 1 after its time. Absent without times. */
  readonly #clocks: PlaceOf<{ readonly strand: Number; readonly row: Number; readonly over: Number }> | undefined;
  /** Strands that wait in a queue for a limited time. */
  readonly #queued: PlaceOf<{ readonly o: Number; readonly w: Number; readonly s: Number; readonly at: Number }>;
  /** Strands that have been taken from the queue of their object; and those that have their object, whose clocks stop. */
  readonly #called: PlaceOf<{ readonly strand: Number }>;
  readonly #served: PlaceOf<{ readonly strand: Number }> | undefined;
  /** Entries that are left behind in the queue of an object. */
  readonly #left: PlaceOf<{ readonly o: Number; readonly strand: Number; readonly row: Number }>;

  /** Undefined if no strand waits for a limited time. */
  static of(ports: ThreadPorts): TimeLimits | undefined {
    const { rows } = ports.program;
    const hasTries = rows.op.includes(ROW.limit) && rows.op.some((op, k) => op === ROW.try && isLimited(rows, k));
    const hasWaits = rows.op.includes(ROW.wait) && rows.op.some((_, k) => isLimitedWait(rows, k));
    return hasTries || hasWaits ? new TimeLimits(ports, hasTries, hasWaits) : undefined;
  }

  private constructor(ports: ThreadPorts, hasTries: boolean, hasWaits: boolean) {
    this.#ports = ports;
    this.hasTries = hasTries;
    this.#hasWaits = hasWaits;
    const { net, program, Worker: w, Strand: strand, Row: row } = ports;
    const o = net.range('object waited for within a time', 0, Math.max(0, program.objects.length - 1));
    this.#limited = net.intTable(
      'waits within a time',
      program.rows.op.map((_, k) => (isLimited(program.rows, k) ? 1 : 0)),
    );
    const over = net.range('whether the time is over', 0, 1);
    this.#clocks =
      ports.untimed === true ? undefined : net.place('clocks', { strand, row, over }, { kind: 'synchronisation' });
    this.#queued = net.place('waiting within a time', { o, w, s: strand, at: row }, { kind: 'synchronisation' });
    this.#called = net.place('called within the time', { strand }, { kind: 'synchronisation' });
    if (hasTries && this.#clocks !== undefined)
      this.#served = net.place('served within the time', { strand }, { kind: 'synchronisation' });
    this.#left = net.place('left behind in the queue', { o, strand, row }, { kind: 'synchronisation' });
  }

  /** True if a try or a wait for a condition at a row waits for a limited time. */
  holds(at: Term<number>): Term<boolean> {
    return isSet(this.#limited, at);
  }

  /** A strand has the object of its row; of a queue: it was the first one there. */
  served(t: TransitionBuilder, { s, at }: RunTerms, isQueued: boolean): void {
    if (!this.hasTries) return;
    if (this.#served !== undefined) t.put(this.#served, { strand: s }, when(this.holds(at), 1, 0));
    if (isQueued) t.put(this.#called, { strand: s }, when(this.holds(at), 1, 0));
  }

  /** A waiter of a barging lock is woken. */
  called(t: TransitionBuilder, { s, at }: RunTerms): void {
    if (this.hasTries) t.put(this.#called, { strand: s }, when(this.holds(at), 1, 0));
  }

  /** A strand begins to wait for a condition, and is notified. */
  waits(t: TransitionBuilder, { w, s, at }: RunTerms, o: Term<number>): void {
    if (this.#hasWaits) t.put(this.#queued, { o, w, s, at }, when(this.holds(at), 1, 0));
  }

  notified(t: TransitionBuilder, { s, at }: RunTerms): void {
    if (this.#hasWaits) t.put(this.#called, { strand: s }, when(this.holds(at), 1, 0));
  }

  /** A try that has to wait takes its place in the queue of an object, unless its time is over. */
  #queues(t: TransitionBuilder, scheduler: HandOff, { w, s, at }: RunTerms, o: Term<number>): void {
    if (this.#clocks !== undefined) t.read(this.#clocks, { strand: s, over: 0 });
    t.put(this.#queued, { o, w, s, at });
    scheduler.block(t, { w, s, at }, o);
  }

  /** Guard of a step after the time of a strand. */
  #isOver(t: TransitionBuilder, strand: Term<number>): void {
    if (this.#clocks !== undefined) t.take(this.#clocks, { strand, over: 1 });
  }

  emit(
    scheduler: HandOff,
    { place }: ObjectPlace,
    hasToWait: (run: RunTerms, v: Term<number>, n: Term<number>) => Term<boolean>,
    operates: (t: TransitionBuilder, o: Term<number>) => void,
    isSpinning: NumberTable | undefined,
    parksLater: NumberTable | undefined,
    second: SecondQueue | undefined,
  ): void {
    const { net, op, a, time } = this.#ports;
    const parks = (t: TransitionBuilder, o: Term<number>): void => {
      if (isSpinning !== undefined) t.guard(not(isSet(isSpinning, o)));
    };
    const clocks = this.#clocks;
    const inherited = this.#ports.levels?.inherited;
    const used = new Set(this.#ports.program.rows.op);
    if (used.has(ROW.limit))
      net.transition('starts a clock', (t) => {
        const run = takeRun(t, this.#ports);
        t.guard(eq(op.at(run.at), ROW.limit));
        if (clocks !== undefined) t.put(clocks, { strand: run.s, row: run.at, over: 0 });
        putRun(t, this.#ports, run, run.next);
      });
    if (clocks !== undefined)
      net.transition('time is over', (t) => {
        const { strand, row } = t.take(clocks, { over: 0 });
        t.race({ delay: time.at(row) });
        t.put(clocks, { strand, row, over: 1 });
      });
    if (used.has(ROW.unlimit))
      net.transition('stops a clock', (t) => {
        const run = takeRun(t, this.#ports);
        t.guard(eq(op.at(run.at), ROW.unlimit));
        if (clocks !== undefined) t.take(clocks, { strand: run.s });
        putRun(t, this.#ports, run, run.next);
      });
    if (used.has(ROW.late))
      for (const late of [true, false])
        net.transition(late ? 'is late' : 'is in time', (t) => {
          const run = takeRun(t, this.#ports);
          t.guard(eq(op.at(run.at), ROW.late));
          if (late) this.#isOver(t, run.s);
          else if (clocks !== undefined) t.read(clocks, { strand: run.s, over: 0 });
          putRun(t, this.#ports, run, late ? this.#ports.b.at(run.at) : run.next);
        });
    if (this.hasTries)
      net.transition('waits within a time', (t) => {
        const run = takeRun(t, this.#ports);
        const o = a.at(run.at);
        t.guard(and(eq(op.at(run.at), ROW.try), this.holds(run.at)));
        parks(t, o);
        if (parksLater !== undefined) t.guard(not(isSet(parksLater, o)));
        if (second !== undefined) t.guard(not(second.waits(run.at)));
        const { v, n } = t.take(place, { o });
        t.guard(hasToWait(run, v, n));
        operates(t, o);
        t.put(place, { o, v, n: add(n, 1) });
        this.#queues(t, scheduler, run, o);
      });
    if (this.hasTries && second !== undefined)
      net.transition('waits in the second queue within a time', (t) => {
        const run = takeRun(t, this.#ports);
        const o = a.at(run.at);
        t.guard(and(eq(op.at(run.at), ROW.try), this.holds(run.at)));
        const { v, n } = t.take(place, { o });
        t.guard(and(second.waits(run.at), hasToWait(run, v, n)));
        const queue = t.take(place, { o: second.of.at(o) });
        operates(t, o);
        t.put(place, { o, v, n });
        t.put(place, { o: second.of.at(o), v: queue.v, n: add(queue.n, 1) });
        this.#queues(t, scheduler, run, second.of.at(o));
      });
    // The time is over before the strand could begin to wait, or a barging lock has woken the strand and another one took the lock.
    if (this.hasTries && clocks !== undefined)
      net.transition('tries too late', (t) => {
        const run = takeRun(t, this.#ports);
        const o = a.at(run.at);
        t.guard(and(eq(op.at(run.at), ROW.try), this.holds(run.at)));
        t.take(clocks, { strand: run.s, over: 1 });
        const { v, n } = t.take(place, { o });
        t.guard(hasToWait(run, v, n));
        operates(t, o);
        t.put(place, { o, v, n });
        putRun(t, this.#ports, run, add(run.at, 2));
      });
    net.transition('gives up waiting', (t) => {
      // Without times, the steps of others may precede this one.
      if (clocks !== undefined) t.priority(GIVES_UP);
      const { o, w, s, at } = t.take(this.#queued);
      t.process(w);
      parks(t, o);
      this.#isOver(t, s);
      const { v, n } = t.take(place, { o });
      t.guard(gt(n, 0));
      t.put(place, { o, v, n: add(n, -1) });
      if (inherited === undefined) t.put(this.#left, { o, strand: s, row: at });
      else inherited.leaves(t, o, s);
      scheduler.resume(t, { w, s, at }, add(at, 2));
    });
    // Queues with inherited priorities know which of their entries are valid.
    if (inherited === undefined)
      net.transition('drops what was left behind', (t) => {
        t.priority(SWEEP);
        const { o, strand, row } = t.take(this.#left);
        const first = scheduler.waiter(t, o);
        t.guard(and(eq(first.s, strand), eq(first.at, row)));
      });
    const served = this.#served;
    if (served !== undefined && clocks !== undefined)
      net.transition('stops its clock', (t) => {
        t.priority(SWEEP);
        const { strand } = t.take(served);
        t.take(clocks, { strand });
      });
    net.transition('is called within the time', (t) => {
      t.priority(SWEEP);
      const { strand } = t.take(this.#called);
      t.take(this.#queued, { s: strand });
    });
  }

  /**
   * Waits for spin locks: strands stay on their carriers. A strand that has lost its processor when its time is over gives up, or takes
   * the lock if it is free then, once it has one again.
   */
  emitSpinning(
    place: ObjectPlace['place'],
    spinning: PlaceOf<{ readonly o: Number; readonly w: Number; readonly s: Number; readonly at: Number }>,
    isSpinning: NumberTable,
    hasToWait: (run: RunTerms, v: Term<number>, n: Term<number>) => Term<boolean>,
    lock: number,
  ): void {
    const { net, op, a, processors } = this.#ports;
    const clocks = this.#clocks;
    if (!this.hasTries || clocks === undefined) return;
    net.transition('spins within a time', (t) => {
      const run = takeRun(t, this.#ports);
      const o = a.at(run.at);
      t.guard(and(eq(op.at(run.at), ROW.try), this.holds(run.at)));
      t.read(clocks, { strand: run.s, over: 0 });
      const { v, n } = t.take(place, { o });
      t.guard(and(isSet(isSpinning, o), hasToWait(run, v, n)));
      if (lock > 0) t.delay(lock);
      t.put(place, { o, v, n: add(n, 1) });
      t.put(this.#queued, { o, w: run.w, s: run.s, at: run.at });
      t.put(spinning, { o, w: run.w, s: run.s, at: run.at });
      processors?.spins(t, run);
    });
    net.transition('gives up spinning within the time', (t) => {
      t.priority(GIVES_UP);
      const { o, w, s, at } = t.take(this.#queued);
      t.process(w);
      t.guard(isSet(isSpinning, o));
      t.take(clocks, { strand: s, over: 1 });
      processors?.stopsSpinning(t, { w, s, at });
      const { v, n } = t.take(place, { o });
      t.guard(gt(n, 0));
      t.put(place, { o, v, n: add(n, -1) });
      t.put(this.#left, { o, strand: s, row: at });
      putRun(t, this.#ports, { w, s, at }, add(at, 2));
    });
    net.transition('drops who has spun within the time', (t) => {
      t.priority(SWEEP);
      const { o, strand, row } = t.take(this.#left);
      const first = t.take(spinning, { o });
      t.guard(and(eq(first.s, strand), eq(first.at, row)));
    });
  }

  /**
   * Waits for locks whose waiters spin before they park. Who spins gives up at once when the time is over; a waiter that has parked
   * waits as for a barging lock, and spins again when it has been woken.
   */
  emitSpinThenPark(
    scheduler: HandOff,
    place: ObjectPlace['place'],
    { spinning, parking, parksLater }: Parking,
    hasToWait: (run: RunTerms, v: Term<number>, n: Term<number>) => Term<boolean>,
    lock: number,
  ): void {
    const { net, op, a } = this.#ports;
    const clocks = this.#clocks;
    if (!this.hasTries || clocks === undefined) return;
    net.transition('spins before parking within a time', (t) => {
      const run = takeRun(t, this.#ports);
      const o = a.at(run.at);
      t.guard(and(eq(op.at(run.at), ROW.try), this.holds(run.at)));
      t.read(clocks, { strand: run.s, over: 0 });
      const { v, n } = t.take(place, { o });
      t.guard(and(isSet(parksLater, o), hasToWait(run, v, n)));
      if (lock > 0) t.delay(lock);
      t.put(place, { o, v, n });
      t.put(spinning, { o, w: run.w, s: run.s, at: run.at });
    });
    for (const [name, from] of [
      ['gives up spinning before parking', spinning],
      ['gives up before parking', parking],
    ] as const)
      net.transition(name, (t) => {
        t.priority(GIVES_UP);
        const { o, w, s, at } = t.take(from);
        t.process(w);
        t.take(clocks, { strand: s, over: 1 });
        // Between two operations on the lock.
        const { v, n } = t.take(place, { o });
        t.put(place, { o, v, n });
        putRun(t, this.#ports, { w, s, at }, add(at, 2));
      });
    net.transition('parks within a time', (t) => {
      t.priority(GRANT + 1);
      const { o, w, s, at } = t.take(parking);
      t.process(w);
      t.guard(this.holds(at));
      t.read(clocks, { strand: s, over: 0 });
      const { v, n } = t.take(place, { o });
      t.guard(eq(v, 0));
      t.put(place, { o, v, n: add(n, 1) });
      t.put(this.#queued, { o, w, s, at });
      scheduler.block(t, { w, s, at }, o);
    });
  }

  /** Guard of steps of tries that do not wait. */
  readonly excludes = (t: TransitionBuilder, at: Term<number>): void => {
    t.guard(not(this.holds(at)));
  };
}

type Number = Colour<number>;
type Waiters = PlaceOf<{ readonly o: Number; readonly w: Number; readonly s: Number; readonly at: Number }>;

/** Locks that prefer readers or writers: the queue of the others, and the test whether the strand at a row waits there. */
interface SecondQueue {
  readonly of: NumberTable;
  waits(at: Term<number>): Term<boolean>;
}

/** Locks whose waiters spin before they park, and these waiters. */
interface Parking {
  readonly spinning: Waiters;
  readonly parking: Waiters;
  readonly parksLater: NumberTable;
}

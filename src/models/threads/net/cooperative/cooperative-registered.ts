import type { PlaceOf, TransitionBuilder } from '../../../../net/builder/builder.ts';
import { add, and, eq, ge, gt, le, mul, not, type Term, when } from '../../../../net/terms.ts';
import { MOST, RELEASE, ROW } from '../../program/rows.ts';
import { acquireTables, objectFields, type RowModes, releaseTerms, rowModes } from '../object-tables.ts';
import {
  type ObjectFields,
  type ObjectPlace,
  putRun,
  type Running,
  type RunTerms,
  type ThreadPorts,
  takeRun,
} from '../ports.ts';
import { emitNotes, emitReset, type RestingObjects, TAKES, takes } from '../primitives.ts';
import { type Completed, type CooperativeOptions, CooperativeScheduler, type Numbers } from './cooperative.ts';

/** `n`: registrations; `g`: notifications that a release has still to send. */
type RegisteredFields = ObjectFields & { readonly g: Numbers };

/** Highest new value for which a release in each mode notifies, if it does. */
const NOTIFIES: Readonly<Record<string, number>> = { readUnlock: 0, arrive: 0, clear: -MOST - 1 };

/**
 * Scheduler A1: own primitives, and one blocked queue for each scheduler thread. A scheduler thread whose user thread must
 * wait registers with the primitive. A release notifies all registered scheduler threads, and each scans its whole blocked
 * queue for user threads that can go on. A condition keeps a registration for each waiter, in their order: a signal notifies
 * the first. User threads that were found pass through a completion list that scheduler threads use one at a time. An idle scheduler
 * thread waits for a notification in the operating system, as with that list of A0.
 */
export class QueueOfScheduler extends CooperativeScheduler {
  readonly objects: ObjectPlace & { readonly place: PlaceOf<RegisteredFields> };
  readonly #registered: PlaceOf<{ readonly o: Numbers; readonly w: Numbers }>;
  readonly #waiters: PlaceOf<{ readonly o: Numbers; readonly w: Numbers }> | undefined;
  readonly #notified: PlaceOf<{ readonly w: Numbers; readonly o: Numbers }>;
  readonly #blocked: PlaceOf<Running & { readonly o: Numbers }>;
  readonly #length: PlaceOf<{ readonly w: Numbers; readonly k: Numbers }>;
  readonly #completions: PlaceOf<Completed>;
  readonly #list: PlaceOf<{ readonly pool: Numbers }>;
  readonly #modes: RowModes;

  constructor(ports: ThreadPorts, options: CooperativeOptions, isEmbedded: boolean) {
    super(ports, options, isEmbedded);
    const { net, program, Worker, Strand, Row } = ports;
    const { op } = program.rows;
    const plain = objectFields(ports);
    const fields = { ...plain, g: plain.n };
    const initial = program.objects.map(({ initial: v }, o) => ({ o, v, n: 0, g: 0 }));
    const place = net.place('objects', fields, { kind: 'synchronisation', initial });
    this.objects = { ...acquireTables(net), place, count: initial.length };
    const { o } = fields;
    this.#registered = net.place('registered', { o, w: Worker }, { kind: 'synchronisation' });
    if (op.includes(ROW.wait))
      this.#waiters = net.place(
        'registered for signals',
        { o, w: Worker },
        { kind: 'synchronisation', ...this.queue('o') },
      );
    this.#notified = net.place('notifications', { w: Worker, o }, { kind: 'message', ...this.queue('w') });
    this.#blocked = net.place(
      'waiting',
      { o, w: Worker, s: Strand, at: Row },
      { kind: 'synchronisation', ...this.queue('w', 'o') },
    );
    this.#length = net.place(
      'blocked threads',
      { w: Worker, k: plain.n },
      { kind: 'data', initial: Array.from({ length: this.carriers }, (_, w) => ({ w, k: 0 })) },
    );
    const pool = net.range('pool', 0, program.pools - 1);
    this.#completions = this.completionLists();
    this.#list = net.place(
      'completion list lock',
      { pool },
      { kind: 'resource', initial: Array.from({ length: program.pools }, (_, p) => ({ pool: p })) },
    );
    this.#modes = rowModes(ports);
  }

  protected completes(t: TransitionBuilder, { w, s }: RunTerms, at: Term<number>, how: number): void {
    t.put(this.#completions, { w, s, at, how });
  }

  emit(): void {
    const { net, machine, program, Worker, Strand, Row } = this.ports;
    const used = new Set(program.rows.op);
    this.emitDispatch({ notifications: this.#notified, 'completion list': this.#completions }, machine.costs.osNotify);
    this.emitPulls(this.#completions, (t, w) => {
      const pool = this.poolOf(w);
      t.take(this.#list, { pool });
      this.afterRemote(t, machine.costs.pull, w, this.firstOf(w));
      t.put(this.#list, { pool });
    });
    const waits = used.has(ROW.wait);
    const unlocking = waits
      ? net.place('unlocking', { w: Worker, s: Strand, at: Row }, { kind: 'operation' })
      : undefined;
    if (used.has(ROW.acquire) || used.has(ROW.try) || waits) {
      this.#emitAcquire(unlocking);
      this.#emitScan();
    }
    if (used.has(ROW.release) || waits) this.#emitRelease(unlocking);
    if (used.has(ROW.atomic)) this.#emitAtomic();
    const { place } = this.objects;
    const resting: RestingObjects = {
      take: (t, of) => t.take(place, { ...of, g: 0 }),
      put: (t, token) => t.put(place, { ...token, g: 0 }),
    };
    emitNotes(this.ports, resting);
    emitReset(this.ports, resting);
  }

  #holds(v: Term<number>, mode: Term<number>): Term<boolean> {
    const { low, high } = this.objects;
    return and(ge(v, low.at(mode)), le(v, high.at(mode)));
  }

  /** Takes the object of a row while no release notifies. */
  #object(t: TransitionBuilder, o: Term<number>): { readonly v: Term<number>; readonly n: Term<number> } {
    return t.take(this.objects.place, { o, g: 0 });
  }

  #emitAcquire(unlocking: PlaceOf<Running> | undefined): void {
    const { net, op, a, machine, program, Worker, Strand, Row } = this.ports;
    const { place, change } = this.objects;
    const { swap, register, enqueue } = machine.costs;
    const used = new Set(program.rows.op);
    const queueing = net.place('queueing', { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
    /** An operation on the object of a row. */
    const operation = (
      name: string,
      kind: number,
      body: (
        t: TransitionBuilder,
        run: ReturnType<typeof takeRun>,
        o: Term<number>,
        v: Term<number>,
        n: Term<number>,
      ) => void,
    ): void =>
      net.transition(name, (t) => {
        const run = takeRun(t, this.ports);
        t.guard(kind === TAKES ? takes(this.ports, run.at) : eq(op.at(run.at), kind));
        const o = a.at(run.at);
        const { v, n } = this.#object(t, o);
        body(t, run, o, v, n);
      });
    if (used.has(ROW.acquire) || used.has(ROW.try))
      operation('acquires', TAKES, (t, run, o, v, n) => {
        t.guard(this.#holds(v, this.#modes.acquire.at(run.at)));
        this.afterRemote(t, swap, run.w, this.ownerOf(o));
        t.put(place, { o, v: add(v, change.at(this.#modes.acquire.at(run.at))), n, g: 0 });
        putRun(t, this.ports, run, run.next);
      });
    if (used.has(ROW.try))
      operation('tries in vain', ROW.try, (t, run, o, v, n) => {
        t.guard(not(this.#holds(v, this.#modes.acquire.at(run.at))));
        this.afterRemote(t, swap, run.w, this.ownerOf(o));
        t.put(place, { o, v, n, g: 0 });
        putRun(t, this.ports, run, add(run.at, 2));
      });
    if (used.has(ROW.acquire))
      for (const known of [false, true])
        operation(known ? 'is registered' : 'registers', ROW.acquire, (t, run, o, v, n) => {
          t.guard(not(this.#holds(v, this.#modes.acquire.at(run.at))));
          if (known) t.read(this.#registered, { o, w: run.w });
          else {
            t.inhibit(this.#registered, { o, w: run.w });
            t.put(this.#registered, { o, w: run.w });
          }
          this.afterRemote(t, register, run.w, this.ownerOf(o));
          t.put(place, { o, v, n: known ? n : add(n, 1), g: 0 });
          t.put(queueing, { w: run.w, s: run.s, at: run.at });
        });
    if (unlocking !== undefined)
      operation('registers for a signal', ROW.wait, (t, run, o, v, n) => {
        this.afterRemote(t, register, run.w, this.ownerOf(o));
        t.put(this.#waiters!, { o, w: run.w });
        t.put(place, { o, v, n: add(n, 1), g: 0 });
        t.put(queueing, { w: run.w, s: run.s, at: run.at });
      });
    net.transition('enqueues', (t) => {
      const { w, s, at } = t.take(queueing);
      t.process(w);
      this.allocates(t, place);
      const { k } = t.take(this.#length, { w });
      this.after(t, this.allocation + enqueue);
      t.put(this.#length, { w, k: add(k, 1) });
      t.put(this.#blocked, { o: a.at(at), w, s, at });
      if (unlocking === undefined) t.put(this.dispatching, { w });
      else {
        t.put(this.dispatching, { w }, eq(op.at(at), ROW.acquire));
        t.put(unlocking, { w, s, at }, eq(op.at(at), ROW.wait));
      }
    });
  }

  /** Releasing: the value changes, and all registered scheduler threads are notified one after the other. */
  #emitRelease(unlocking: PlaceOf<Running> | undefined): void {
    const { net, op, machine, program, Worker, Strand, Row } = this.ports;
    const { place } = this.objects;
    const { swap, notify } = machine.costs;
    const running = { w: Worker, s: Strand, at: Row };
    const notifying = net.place('notifying', running, { kind: 'operation' });
    const faults = net.place('faults', running, { kind: 'operation' });
    const { allowed, value } = releaseTerms(net);
    const highest = net.intTable(
      'notifies up to',
      Int32Array.from(RELEASE, ({ name }) => NOTIFIES[name] ?? MOST),
    );
    const signals = net.intTable(
      'signals',
      Int32Array.from(RELEASE, ({ waiters }) => (waiters === undefined ? 0 : 1)),
    );
    const continues = (t: TransitionBuilder, run: RunTerms): void => {
      t.put(this.ports.run, { w: run.w, s: run.s, at: this.next(run.at) }, eq(op.at(run.at), ROW.release));
      if (unlocking !== undefined) t.put(this.dispatching, { w: run.w }, eq(op.at(run.at), ROW.wait));
    };
    const used = new Set(program.rows.op);
    const sources = [
      ...(used.has(ROW.release) ? [{ from: this.ports.run, suffix: '' }] : []),
      ...(unlocking === undefined ? [] : [{ from: unlocking, suffix: ' for a wait' }]),
    ];
    for (const { from, suffix } of sources) {
      const release = (
        name: string,
        body: (t: TransitionBuilder, run: RunTerms, o: Term<number>, mode: Term<number>) => void,
      ): void =>
        net.transition(`${name}${suffix}`, (t) => {
          const run = t.take(from);
          t.process(run.w);
          if (from === this.ports.run) t.guard(eq(op.at(run.at), ROW.release));
          body(t, run, this.#modes.released.at(run.at), this.#modes.release.at(run.at));
        });
      for (const notifies of [false, true])
        release(notifies ? 'begins to notify' : 'sets', (t, run, o, mode) => {
          const { v, n } = this.#object(t, o);
          const changed = value(v, n, mode);
          t.guard(allowed(v, mode));
          const some = and(gt(n, 0), le(changed, highest.at(mode)));
          t.guard(notifies ? some : not(some));
          this.afterRemote(t, swap, run.w, this.ownerOf(o));
          // A condition has no value: its new value is the number of signals.
          if (notifies) {
            const isSignal = eq(signals.at(mode), 1);
            t.put(place, { o, v: when(isSignal, 0, changed), n, g: when(isSignal, changed, n) });
            t.put(notifying, run);
          } else {
            t.put(place, { o, v: changed, n, g: 0 });
            continues(t, run);
          }
        });
      release('release faults', (t, run, o, mode) => {
        const { v } = t.read(place, { o, g: 0 });
        t.guard(not(allowed(v, mode)));
        t.put(faults, run);
      });
    }
    const notifies = (name: string, registered: PlaceOf<{ readonly o: Numbers; readonly w: Numbers }>): void =>
      net.transition(name, (t) => {
        const run = t.take(notifying);
        t.process(run.w);
        const o = this.#modes.released.at(run.at);
        const { v, n, g } = t.take(place, { o });
        t.guard(gt(g, 0));
        const other = t.take(registered, { o });
        this.afterRemote(t, notify, run.w, other.w);
        t.put(place, { o, v, n: add(n, -1), g: add(g, -1) });
        t.put(this.#notified, { w: other.w, o });
        t.put(notifying, run);
      });
    notifies('notifies', this.#registered);
    if (this.#waiters !== undefined) notifies('notifies of a signal', this.#waiters);
    net.transition('ends notifying', (t) => {
      const run = t.take(notifying);
      t.process(run.w);
      t.read(place, { o: this.#modes.released.at(run.at), g: 0 });
      continues(t, run);
    });
  }

  /** A notified scheduler thread scans its blocked queue, and continues the user threads that can acquire the object. */
  #emitScan(): void {
    const { net, op, machine, program, Worker, Strand, Row } = this.ports;
    const { place, change, count } = this.objects;
    const { swap, scan, register, enqueue } = machine.costs;
    const scanning = net.place('scanning', {
      w: Worker,
      o: net.range('object scanned for', 0, Math.max(0, count - 1)),
    });
    const found = net.place('found', {
      w: Worker,
      s: Strand,
      at: Row,
      go: net.range('more', -1, Math.max(0, count - 1)),
    });
    net.transition('scans', (t) => {
      const { w } = t.take(this.dispatching);
      t.process(w);
      const { o } = t.take(this.#notified, { w });
      const { k } = t.take(this.#length, { w });
      if (scan > 0) t.delay(mul(scan, k));
      t.put(this.#length, { w, k });
      t.put(scanning, { w, o });
    });
    const used = new Set(program.rows.op);
    if (used.has(ROW.acquire)) {
      net.transition('finds', (t) => {
        const { w, o } = t.take(scanning);
        t.process(w);
        const { v, n } = this.#object(t, o);
        const { s, at } = t.take(this.#blocked, { w, o });
        t.guard(and(eq(op.at(at), ROW.acquire), this.#holds(v, this.#modes.acquire.at(at))));
        this.afterRemote(t, swap, w, this.ownerOf(o));
        t.put(place, { o, v: add(v, change.at(this.#modes.acquire.at(at))), n, g: 0 });
        t.put(found, { w, s, at: this.next(at), go: o });
      });
      for (const known of [false, true])
        net.transition(known ? 'leaves the others' : 'registers again', (t) => {
          const { w, o } = t.take(scanning);
          t.process(w);
          const { v, n } = this.#object(t, o);
          const { at } = t.read(this.#blocked, { w, o });
          t.guard(and(eq(op.at(at), ROW.acquire), not(this.#holds(v, this.#modes.acquire.at(at)))));
          if (known) t.read(this.#registered, { o, w });
          else {
            t.inhibit(this.#registered, { o, w });
            t.put(this.#registered, { o, w });
            this.afterRemote(t, register, w, this.ownerOf(o));
          }
          t.put(place, { o, v, n: known ? n : add(n, 1), g: 0 });
          t.put(this.dispatching, { w });
        });
    }
    net.transition('finds none', (t) => {
      const { w, o } = t.take(scanning);
      t.process(w);
      t.inhibit(this.#blocked, { w, o });
      t.put(this.dispatching, { w });
    });
    if (used.has(ROW.wait))
      net.transition('finds the signalled one', (t) => {
        const { w, o } = t.take(scanning);
        t.process(w);
        const { s, at } = t.take(this.#blocked, { w, o });
        t.guard(eq(op.at(at), ROW.wait));
        t.put(found, { w, s, at: this.next(at), go: -1 });
      });
    net.transition('passes through the list', (t) => {
      const { w, s, at, go } = t.take(found);
      t.process(w);
      const pool = this.poolOf(w);
      t.take(this.#list, { pool });
      const { k } = t.take(this.#length, { w });
      this.afterRemote(t, swap + enqueue, w, this.firstOf(w));
      t.put(this.#list, { pool });
      t.put(this.#length, { w, k: add(k, -1) });
      t.put(this.readyQueue, { w, s, at });
      t.put(scanning, { w, o: go }, ge(go, 0));
      t.put(this.dispatching, { w }, eq(go, -1));
    });
  }

  #emitAtomic(): void {
    const { net, op, a, b, machine } = this.ports;
    net.transition('atomic operation', (t) => {
      const run = takeRun(t, this.ports);
      t.guard(eq(op.at(run.at), ROW.atomic));
      const o = a.at(run.at);
      const { v, n } = this.#object(t, o);
      this.after(t, machine.costs.atomic);
      t.put(this.objects.place, { o, v: add(v, b.at(run.at)), n, g: 0 });
      putRun(t, this.ports, run, run.next);
    });
  }
}

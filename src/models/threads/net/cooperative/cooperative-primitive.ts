import type { Enumeration, PlaceOf, TransitionBuilder } from '../../../../net/builder/builder.ts';
import { add, and, eq, ge, gt, le, lt, ne, not, or, type Term, when } from '../../../../net/terms.ts';
import { ROW } from '../../program/rows.ts';
import {
  acquireTables,
  type OfRow,
  objectFields,
  type RowModes,
  releaseTerms,
  rowModes,
  valueBounds,
} from '../object-tables.ts';
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

/**
 * States of a primitive between operations. `rest`: it is set or not set, by its value. `joined`: a scheduler thread adds a
 * waiter. `set`: a waiter is released. Each of these two has two sub-states: another user thread has tried to set or to reset the
 * primitive meanwhile, and retries when the passing state ends.
 */
const PHASES = [
  'rest',
  ...['joined', 'joined, set tried', 'joined, reset tried'],
  ...['set', 'set, set tried', 'set, reset tried'],
] as const;
type Phase = 'rest' | `${'joined' | 'set'}${'' | ', set tried' | ', reset tried'}`;
type PrimitiveFields = ObjectFields & { readonly phase: Enumeration<Phase> };

/**
 * Scheduler A2: each primitive has the queue of its blocked user threads, and each scheduler thread its own completion list.
 * Releasing takes waiters off the primitive's queue and puts each straight into the ready queue of the scheduler thread that
 * will run it: no registration, no search, no call of the operating system. An idle scheduler thread polls its own list and queue.
 */
export class QueueOfPrimitive extends CooperativeScheduler {
  readonly objects: ObjectPlace & { readonly place: PlaceOf<PrimitiveFields> };
  readonly #completions: PlaceOf<Completed>;
  readonly #blocked: PlaceOf<Running & { readonly o: Numbers }>;
  readonly #Phase: Enumeration<Phase>;
  readonly #bounds: readonly [low: number, high: number];
  readonly #modes: RowModes;

  constructor(ports: ThreadPorts, options: CooperativeOptions, isEmbedded: boolean) {
    super(ports, options, isEmbedded);
    const { net, program, Worker, Strand, Row } = ports;
    this.#Phase = net.enumeration('phase', ...PHASES);
    const fields = { ...objectFields(ports), phase: this.#Phase };
    const initial = program.objects.map(({ initial: v }, o) => ({ o, v, n: 0, phase: 'rest' as const }));
    const place = net.place('objects', fields, { kind: 'synchronisation', initial });
    this.objects = { ...acquireTables(net), place, count: initial.length };
    const running = { w: Worker, s: Strand, at: Row };
    this.#completions = this.completionLists();
    this.#blocked = net.place('waiting', { o: fields.o, ...running }, { kind: 'synchronisation', ...this.queue('o') });
    this.#bounds = valueBounds(program);
    this.#modes = rowModes(ports);
  }

  protected completes(t: TransitionBuilder, { w, s }: RunTerms, at: Term<number>, how: number): void {
    t.put(this.#completions, { w, s, at, how });
  }

  emit(): void {
    const { net, machine, program } = this.ports;
    const used = new Set(program.rows.op);
    this.emitDispatch({ 'completion list': this.#completions }, 0);
    this.emitPulls(this.#completions, (t) => this.after(t, machine.costs.pull));
    const waits = used.has(ROW.wait);
    const unlocking = waits
      ? net.place(
          'unlocking',
          { w: this.ports.Worker, s: this.ports.Strand, at: this.ports.Row },
          { kind: 'operation' },
        )
      : undefined;
    if (used.has(ROW.acquire) || used.has(ROW.try) || waits) this.#emitAcquire(unlocking);
    if (used.has(ROW.release) || waits) this.#emitRelease(unlocking);
    this.#emitRetry(unlocking);
    if (used.has(ROW.atomic)) this.#emitAtomic();
    const { place } = this.objects;
    const resting: RestingObjects = {
      take: (t, of) => t.take(place, { ...of, phase: 'rest' }),
      put: (t, token) => t.put(place, { ...token, phase: 'rest' }),
    };
    emitNotes(this.ports, resting);
    emitReset(this.ports, resting);
  }

  #holds(v: Term<number>, mode: Term<number>): Term<boolean> {
    const { low, high } = this.objects;
    return and(ge(v, low.at(mode)), le(v, high.at(mode)));
  }

  /** True for every value that occurs. The net can be unfolded because guards exclude all others. */
  #inRange(v: Term<number>): Term<boolean> {
    const [low, high] = this.#bounds;
    return and(ge(v, low), le(v, high));
  }

  /** An operation of a strand on a primitive at rest. */
  #atRest(
    t: TransitionBuilder,
    kind: number,
  ): RunTerms & {
    readonly next: Term<number>;
    readonly v: Term<number>;
    readonly n: Term<number>;
    readonly o: Term<number>;
  } {
    const { op, a } = this.ports;
    const run = takeRun(t, this.ports);
    t.guard(kind === TAKES ? takes(this.ports, run.at) : eq(op.at(run.at), kind));
    const o = a.at(run.at);
    const { v, n } = t.take(this.objects.place, { o, phase: 'rest' });
    return { ...run, v, n, o };
  }

  #isContested(phase: Term<Phase>, of: 'joined' | 'set'): Term<boolean> {
    return or(eq(phase, this.#Phase.is(`${of}, set tried`)), eq(phase, this.#Phase.is(`${of}, reset tried`)));
  }

  /** Takes a primitive in a passing state, or in one of its sub-states. */
  #takePassing(
    t: TransitionBuilder,
    o: Term<number>,
    of: 'joined' | 'set',
    contested: boolean,
  ): { readonly v: Term<number>; readonly n: Term<number> } {
    const { place } = this.objects;
    if (!contested) return t.take(place, { o, phase: of });
    const { v, n, phase } = t.take(place, { o });
    t.guard(this.#isContested(phase, of));
    return { v, n };
  }

  /** Acquiring, and joining the queue of blocked threads. */
  #emitAcquire(unlocking: PlaceOf<Running> | undefined): void {
    const { net, machine, program, Worker, Strand, Row } = this.ports;
    const { place, change } = this.objects;
    const { swap, enqueue } = machine.costs;
    const used = new Set(program.rows.op);
    const joining = net.place('joining', { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
    const appended = net.place('appended', { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
    if (used.has(ROW.acquire) || used.has(ROW.try))
      net.transition('acquires', (t) => {
        const { v, n, o, ...run } = this.#atRest(t, TAKES);
        const mode = this.#modes.acquire.at(run.at);
        t.guard(and(eq(n, 0), this.#holds(v, mode), this.#inRange(add(v, change.at(mode)))));
        this.afterRemote(t, swap, run.w, this.ownerOf(o));
        t.put(place, { o, v: add(v, change.at(mode)), n, phase: 'rest' });
        putRun(t, this.ports, run, run.next);
      });
    if (used.has(ROW.try))
      net.transition('tries in vain', (t) => {
        const { v, n, o, ...run } = this.#atRest(t, ROW.try);
        t.guard(or(gt(n, 0), not(this.#holds(v, this.#modes.acquire.at(run.at)))));
        this.afterRemote(t, swap, run.w, this.ownerOf(o));
        t.put(place, { o, v, n, phase: 'rest' });
        putRun(t, this.ports, run, add(run.at, 2));
      });
    if (used.has(ROW.acquire))
      net.transition('begins to join', (t) => {
        const { v, n, o, ...run } = this.#atRest(t, ROW.acquire);
        t.guard(or(gt(n, 0), not(this.#holds(v, this.#modes.acquire.at(run.at)))));
        this.afterRemote(t, swap, run.w, this.ownerOf(o));
        t.put(place, { o, v, n, phase: 'joined' });
        t.put(joining, { w: run.w, s: run.s, at: run.at });
      });
    if (unlocking !== undefined)
      net.transition('begins to join a condition', (t) => {
        const { v, n, o, ...run } = this.#atRest(t, ROW.wait);
        this.afterRemote(t, swap, run.w, this.ownerOf(o));
        t.put(place, { o, v, n, phase: 'joined' });
        t.put(joining, { w: run.w, s: run.s, at: run.at });
      });
    // The primitive is not held meanwhile, so that other operations meet the passing state.
    net.transition('appends a waiter', (t) => {
      const { w, s, at } = t.take(joining);
      t.process(w);
      this.allocates(t, this.objects.place);
      this.afterRemote(t, this.allocation + enqueue, w, this.ownerOf(this.ports.a.at(at)));
      t.put(appended, { w, s, at });
    });
    for (const contested of [false, true])
      net.transition(contested ? 'ends contested joining' : 'ends joining', (t) => {
        const { w, s, at } = t.take(appended);
        t.process(w);
        const o = this.ports.a.at(at);
        const { v, n } = this.#takePassing(t, o, 'joined', contested);
        t.guard(lt(n, this.ports.program.strands.count));
        // The first attempt to end the state fails if it has been contested.
        if (contested) this.afterRemote(t, swap, w, this.ownerOf(o));
        t.put(place, { o, v, n: add(n, 1), phase: 'rest' });
        t.put(this.#blocked, { o, w, s, at });
        if (unlocking === undefined) t.put(this.dispatching, { w });
        else {
          t.put(this.dispatching, { w }, eq(this.ports.op.at(at), ROW.acquire));
          t.put(unlocking, { w, s, at }, eq(this.ports.op.at(at), ROW.wait));
        }
      });
  }

  /** Releasing: without a waiter that can go on, the value changes; otherwise waiters are released one by one. */
  #emitRelease(unlocking: PlaceOf<Running> | undefined): void {
    const { net, op, machine, program, Worker, Strand, Row } = this.ports;
    const { place, change } = this.objects;
    const { swap, dequeue, enqueue } = machine.costs;
    const running = { w: Worker, s: Strand, at: Row };
    const setting = net.place('setting', running, { kind: 'operation' });
    const { allowed, value } = releaseTerms(net);
    const faults = net.place('faults', running, { kind: 'operation' });
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
      release('sets', (t, run, o, mode) => {
        const { v, n } = t.take(place, { o, phase: 'rest' });
        t.guard(and(eq(n, 0), allowed(v, mode), this.#inRange(value(v, n, mode))));
        this.afterRemote(t, swap, run.w, this.ownerOf(o));
        t.put(place, { o, v: value(v, n, mode), n, phase: 'rest' });
        continues(t, run);
      });
      for (const releases of [false, true])
        release(releases ? 'begins to set' : 'sets for no waiter', (t, run, o, mode) => {
          const { v, n } = t.take(place, { o, phase: 'rest' });
          t.guard(and(gt(n, 0), allowed(v, mode), this.#inRange(value(v, n, mode))));
          const first = t.read(this.#blocked, { o });
          const goes = this.#holds(value(v, n, mode), this.#modes.acquire.at(first.at));
          t.guard(releases ? goes : not(goes));
          this.afterRemote(t, swap, run.w, this.ownerOf(o));
          t.put(place, { o, v: value(v, n, mode), n, phase: releases ? 'set' : 'rest' });
          if (releases) t.put(setting, { w: run.w, s: run.s, at: run.at });
          else continues(t, run);
        });
      release('release faults', (t, run, o, mode) => {
        const { v } = t.read(place, { o, phase: 'rest' });
        t.guard(not(allowed(v, mode)));
        t.put(faults, { w: run.w, s: run.s, at: run.at });
      });
      if (!this.options.retry)
        release('sets without retry', (t, run, o, mode) => {
          const { v, n, phase } = t.take(place, { o });
          t.guard(and(ne(phase, this.#Phase.is('rest')), allowed(v, mode), this.#inRange(value(v, n, mode))));
          t.put(place, { o, v: value(v, n, mode), n, phase });
          continues(t, run);
        });
    }
    const handing = net.place('handing over', { ...running, next: Strand, to: Row }, { kind: 'operation' });
    net.transition('takes a waiter', (t) => {
      const { w, s, at } = t.take(setting);
      t.process(w);
      const o = this.#modes.released.at(at);
      const { v, n, phase } = t.take(place, { o });
      t.guard(gt(n, 0));
      const first = t.take(this.#blocked, { o });
      const mode = this.#modes.acquire.at(first.at);
      t.guard(and(this.#holds(v, mode), this.#inRange(add(v, change.at(mode)))));
      t.put(place, { o, v: add(v, change.at(mode)), n: add(n, -1), phase });
      t.put(handing, { w, s, at, next: first.s, to: this.next(first.at) });
    });
    net.transition('hands over', (t) => {
      const { w, s, at, next, to } = t.take(handing);
      t.process(w);
      this.afterRemote(t, dequeue + enqueue, w, this.home.at(next));
      t.put(this.readyQueue, { w: this.home.at(next), s: next, at: to });
      t.put(setting, { w, s, at });
    });
    for (const contested of [false, true])
      for (const left of [false, true])
        net.transition(`ends ${contested ? 'contested ' : ''}setting${left ? ', waiters left' : ''}`, (t) => {
          const { w, s, at } = t.take(setting);
          t.process(w);
          const o = this.#modes.released.at(at);
          const { v, n } = this.#takePassing(t, o, 'set', contested);
          t.guard(left ? gt(n, 0) : eq(n, 0));
          if (left) {
            const first = t.read(this.#blocked, { o });
            t.guard(not(this.#holds(v, this.#modes.acquire.at(first.at))));
          }
          if (contested) this.afterRemote(t, swap, w, this.ownerOf(o));
          t.put(place, { o, v, n, phase: 'rest' });
          continues(t, { w, s, at });
        });
  }

  /** Operations that meet a passing state mark it as contested, and are retried when it has ended. */
  #emitRetry(unlocking: PlaceOf<Running> | undefined): void {
    const { net, op, a, machine, program, Worker, Strand, Row } = this.ports;
    const { place } = this.objects;
    const { swap } = machine.costs;
    const used = new Set(program.rows.op);
    const kinds = [ROW.acquire, ROW.try, ROW.wait, ...(this.options.retry ? [ROW.release] : [])].filter((k) =>
      used.has(k),
    );
    const retried = (
      name: string,
      from: PlaceOf<Running>,
      object: OfRow,
      is?: (at: Term<number>) => Term<boolean>,
    ): void => {
      const retrying = net.place(name, { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
      // The first one marks the state as contested; the others read that it is.
      for (const first of [true, false])
        net.transition(first ? `begins ${name}` : `joins in ${name}`, (t) => {
          const run = t.take(from);
          t.process(run.w);
          if (is !== undefined) t.guard(is(run.at));
          const o = object.at(run.at);
          const P = this.#Phase;
          if (first) {
            const { v, n, phase } = t.take(place, { o });
            t.guard(or(eq(phase, P.is('joined')), eq(phase, P.is('set'))));
            this.afterRemote(t, swap, run.w, this.ownerOf(o));
            // A wait that releases its mutex sets it.
            const tried = (of: 'joined' | 'set'): Term<Phase> =>
              is === undefined
                ? P.is(`${of}, set tried`)
                : when(eq(op.at(run.at), ROW.release), P.is(`${of}, set tried`), P.is(`${of}, reset tried`));
            t.put(place, { o, v, n, phase: when(eq(phase, P.is('joined')), tried('joined'), tried('set')) });
          } else {
            const { phase } = t.read(place, { o });
            t.guard(or(this.#isContested(phase, 'joined'), this.#isContested(phase, 'set')));
          }
          t.put(retrying, run);
        });
      net.transition(`ends ${name}`, (t) => {
        const run = t.take(retrying);
        t.process(run.w);
        t.read(place, { o: object.at(run.at), phase: 'rest' });
        t.put(from, { w: run.w, s: run.s, at: run.at });
      });
    };
    if (kinds.length > 0)
      retried('retrying', this.ports.run, a, (at) => kinds.map((k) => eq(op.at(at), k)).reduce((x, y) => or(x, y)));
    if (unlocking !== undefined && this.options.retry) retried('retrying to unlock', unlocking, this.#modes.released);
  }

  #emitAtomic(): void {
    const { net, machine, b } = this.ports;
    net.transition('atomic operation', (t) => {
      const { v, n, o, ...run } = this.#atRest(t, ROW.atomic);
      this.after(t, machine.costs.atomic);
      t.guard(this.#inRange(add(v, this.#modes.acquire.at(run.at))));
      t.put(this.objects.place, { o, v: add(v, b.at(run.at)), n, phase: 'rest' });
      putRun(t, this.ports, run, run.next);
    });
  }
}

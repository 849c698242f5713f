import type { Colour, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, and, eq, ge, gt, lt, mul, or, type Term, when } from '../../../net/terms.ts';
import { FALLS, type Levels, PRIORITIES, TICKETS } from './levels.ts';
import type { Running, RunTerms, ThreadPorts } from './ports.ts';

type Number = Colour<number>;
/** Reads or takes whether the slice of a thread is over, with a given value or any. */
type Over = (pattern: { readonly over?: number }) => Term<number>;

/** Threads that wait for a processor, and how each goes on. */
export interface ReadyQueue {
  /** Number of levels of priority. */
  readonly levels: number;
  /** Memory of slices: whether a thread that gets a processor again has a new one, or the rest of the old one. */
  readonly memory: 'enabling' | 'age';
  /** @param isAhead 1: the thread waits before all others of its level */
  put(t: TransitionBuilder, run: RunTerms, goes: Term<number> | number, isAhead: Term<number> | number): void;
  /** Takes the thread whose turn it is, if it goes on in this manner. */
  take(t: TransitionBuilder, goes: number): RunTerms;
  /** Adds its own transitions. */
  emit(net: ThreadPorts['net']): void;
  /** Thread s, of a level, gives way to the thread whose turn it is. Returns `isAhead` of thread s. */
  yields(t: TransitionBuilder, s: Term<number>, level: number, over: Over): Term<number> | number;
}

/** One queue in the order of arrival. A thread gives way after its slice. */
export class PlainQueue implements ReadyQueue {
  readonly levels = 1;
  readonly memory = 'enabling';
  readonly #place: PlaceOf<Running & { readonly goes: Number }>;

  constructor({ net, Worker: w, Strand: s, Row: at }: ThreadPorts, goes: Number) {
    this.#place = net.place('waiting for a processor', { w, s, at, goes }, { kind: 'resource', order: 'fifo' });
  }

  put(t: TransitionBuilder, { w, s, at }: RunTerms, goes: Term<number> | number): void {
    t.put(this.#place, { w, s, at, goes });
  }

  take(t: TransitionBuilder, goes: number): RunTerms {
    return t.take(this.#place, { goes });
  }

  yields(t: TransitionBuilder, _: Term<number>, __: number, over: Over): number {
    over({ over: 1 });
    t.read(this.#place);
    return 0;
  }

  emit(): void {}
}

/**
 * A queue for each priority, as `SCHED_RR` has them. A thread gives way to one of a higher priority at once, and then waits ahead of its
 * own level: the last one that gave way is the first one there. After its slice it gives way to one of the same priority, and waits behind.
 * The slice counts the time on processors: a thread that gave way, or waited, goes on with the rest of it.
 */
export class QueueOfLevels implements ReadyQueue {
  readonly levels: number;
  readonly memory = 'age';
  readonly #levels: Levels;
  /** The order of the threads; each has the ticket by which `#threads` knows it. */
  readonly #order: PlaceOf<{
    readonly s: Number;
    readonly level: Number;
    readonly ticket: Number;
    readonly ahead: Number;
  }>;
  readonly #threads: PlaceOf<Running & { readonly goes: Number; readonly ticket: Number; readonly level: Number }>;
  readonly #next: PlaceOf<{ readonly ticket: Number }>;

  constructor({ net, Worker: w, Strand: s, Row: at }: ThreadPorts, goes: Number, levels: Levels) {
    this.#levels = levels;
    this.levels = levels.count;
    const ticket = net.range('tickets for a processor', 0, TICKETS);
    const ahead = net.range('whether a thread waits ahead', 0, 1);
    this.#order = net.place(
      'turns at processors',
      { s, level: levels.colour, ticket, ahead },
      {
        kind: 'resource',
        order: { priority: ({ level, ticket, ahead }) => add(mul(level, 2 * TICKETS), when(eq(ahead, 1), ticket, 0)) },
      },
    );
    this.#threads = net.place(
      'waiting for a processor',
      { w, s, at, goes, ticket, level: levels.colour },
      { kind: 'resource' },
    );
    this.#next = net.place('next ticket for a processor', { ticket }, { kind: 'resource', initial: [{ ticket: 1 }] });
  }

  put(t: TransitionBuilder, { w, s, at }: RunTerms, goes: Term<number> | number, isAhead: Term<number> | number): void {
    this.#joins(t, { w, s, at }, goes, this.#levels.of(t, s), isAhead);
  }

  #joins(
    t: TransitionBuilder,
    { w, s, at }: RunTerms,
    goes: Term<number> | number,
    level: Term<number>,
    ahead: Term<number> | number,
  ): void {
    const { ticket } = t.take(this.#next);
    t.put(this.#next, { ticket: add(ticket, 1) });
    t.put(this.#order, { s, level, ticket, ahead });
    t.put(this.#threads, { w, s, at, goes, ticket, level });
  }

  emit(net: ThreadPorts['net']): void {
    const { inherited } = this.#levels;
    if (inherited === undefined) return;
    // Its turn at the lower level stays in the queue, and is dropped when it comes to the head.
    net.transition('waits with an inherited priority', (t) => {
      t.priority(PRIORITIES);
      const { w, s, at, goes, level } = t.take(this.#threads);
      const now = inherited.level(t, s);
      t.guard(gt(now, level));
      this.#joins(t, { w, s, at }, goes, now, 0);
    });
    if (inherited.mayFall)
      // POSIX: a thread whose priority falls because of such a mutex does not go behind those of its new priority.
      net.transition('waits with a lower priority', (t) => {
        t.priority(FALLS);
        const { w, s, at, goes, level } = t.take(this.#threads);
        const now = inherited.level(t, s);
        t.guard(lt(now, level));
        this.#joins(t, { w, s, at }, goes, now, 1);
      });
    net.transition('drops an old turn', (t) => {
      t.priority(PRIORITIES);
      const { s, ticket } = t.take(this.#order);
      t.inhibit(this.#threads, { s, ticket });
    });
  }

  take(t: TransitionBuilder, goes: number): RunTerms {
    const { s, ticket } = t.take(this.#order);
    const { w, at } = t.take(this.#threads, { s, goes, ticket });
    return { w, s, at };
  }

  yields(t: TransitionBuilder, s: Term<number>, level: number, over: Over): Term<number> {
    const isOver = over({});
    t.guard(eq(this.#levels.of(t, s), level));
    const first = t.read(this.#order);
    t.guard(or(gt(first.level, level), and(eq(isOver, 1), ge(first.level, level))));
    return when(gt(first.level, level), 1, 0);
  }
}

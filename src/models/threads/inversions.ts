import { CARRIER_STATES } from './firing-meanings.ts';
import type { ThreadNet } from './net/thread-net.ts';
import { ACQUIRE, isAcquisition, ROW } from './program/rows.ts';
import type { RowEvent } from './thread-events.ts';

/** States of a thread that has a processor. */
const ON_PROCESSOR: ReadonlySet<number> = new Set(
  (['computing', 'memory', 'overhead'] as const).map((state) => CARRIER_STATES.indexOf(state)),
);
/** Modes of {@link ACQUIRE} by which one strand holds an object. */
const HOLDS: ReadonlySet<string> = new Set(['lock', 'writeLock']);

/**
 * Priority inversion: a thread waits for a lock whose holder is less urgent and waits for a processor, while a thread that is less urgent than
 * the first one has a processor. A holder that waits for another lock is followed to the holder of that one. Time in which the holder has
 * a processor does not count.
 *
 * O(threads that wait × length of their chains) per instant at which something changes.
 */
export class Inversions {
  readonly #net: ThreadNet;
  readonly #priority: Int32Array;
  readonly #add: (strand: number, row: number, start: number, end: number) => void;
  /** By blocked strand: its row. */
  readonly #waits = new Map<number, number>();
  readonly #holder = new Map<number, number>();
  readonly #queued = new Set<number>();
  readonly #running = new Set<number>();
  /** Strands that an inversion delays now; undefined after a change, until it is computed again. */
  #suffering: readonly number[] | undefined = [];
  #since = 0;

  /** Undefined if all threads have the same priority. */
  static of(
    net: ThreadNet,
    add: (strand: number, row: number, start: number, end: number) => void,
  ): Inversions | undefined {
    const { priority } = net.program.strands;
    return new Set(priority).size > 1 ? new Inversions(net, priority!, add) : undefined;
  }

  private constructor(
    net: ThreadNet,
    priority: Int32Array,
    add: (strand: number, row: number, start: number, end: number) => void,
  ) {
    this.#net = net;
    this.#priority = priority;
    this.#add = add;
    for (let p = 0; p < net.program.pools; p++) this.#running.add(p);
  }

  row(strand: number, event: RowEvent, time: number): void {
    if (event !== 'preempted' && event !== 'queues' && event !== 'dispatched') return;
    this.#changes(time);
    if (event === 'dispatched') this.#queued.delete(strand);
    else this.#queued.add(strand);
  }

  carrier(strand: number, state: number, time: number): void {
    this.#changes(time);
    if (ON_PROCESSOR.has(state)) this.#running.add(strand);
    else this.#running.delete(strand);
  }

  blocks(strand: number, row: number, time: number): void {
    this.#changes(time);
    this.#waits.set(strand, row);
  }

  /** A strand has, or gives back, the object of a row; or it gives up waiting for it. */
  holds(strand: number, row: number, what: 'has' | 'gives' | 'leaves', time: number): void {
    this.#changes(time);
    const { op, a, b } = this.#net.program.rows;
    if (what === 'gives') {
      this.#holder.delete(op[row] === ROW.wait ? b[row]! : a[row]!);
      return;
    }
    this.#waits.delete(strand);
    if (what === 'has' && isAcquisition(op[row]!) && HOLDS.has(ACQUIRE[b[row]!]!.name))
      this.#holder.set(a[row]!, strand);
  }

  end(time: number): void {
    this.#changes(time);
  }

  /** Accounts for the time since the last change. */
  #changes(time: number): void {
    if (time > this.#since) {
      this.#suffering ??= this.#inverted();
      for (const strand of this.#suffering) this.#add(strand, this.#waits.get(strand)!, this.#since, time);
      this.#since = time;
    }
    this.#suffering = undefined;
  }

  /** The holder of the lock that a strand waits for. */
  #holderFor(strand: number): number | undefined {
    const row = this.#waits.get(strand);
    return row === undefined ? undefined : this.#holder.get(this.#net.program.rows.a[row]!);
  }

  #inverted(): number[] {
    if (this.#waits.size === 0 || this.#queued.size === 0) return [];
    const levels = this.#levels();
    const level = (s: number): number => levels.get(s) ?? this.#priority[s]!;
    return [...this.#waits.keys()].filter((waiter) => {
      const own = level(waiter);
      let last = waiter;
      // A deadlock is a cycle of holders.
      for (const seen = new Set([waiter]); ; seen.add(last)) {
        const holder = this.#holderFor(last);
        if (holder === undefined || seen.has(holder)) break;
        last = holder;
      }
      if (last === waiter || !this.#queued.has(last) || level(last) >= own) return false;
      for (const other of this.#running) if (level(other) < own) return true;
      return false;
    });
  }

  /** Priorities that holders have from their waiters. */
  #levels(): Map<number, number> {
    const { rows, objects } = this.#net.program;
    const levels = new Map<number, number>();
    for (const waiter of this.#waits.keys()) {
      const own = this.#priority[waiter]!;
      for (let s = waiter; ; ) {
        const holder = this.#holderFor(s);
        if (holder === undefined || objects[rows.a[this.#waits.get(s)!]!]!.inherits !== true) break;
        if ((levels.get(holder) ?? this.#priority[holder]!) >= own) break;
        levels.set(holder, own);
        s = holder;
      }
    }
    return levels;
  }
}

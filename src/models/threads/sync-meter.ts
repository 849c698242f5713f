import { ACQUIRE, isAcquisition, RELEASE, type ThreadProgram } from './program/rows.ts';

/** Modes of {@link ACQUIRE} and {@link RELEASE} by which one strand holds an object. */
const HOLDS = new Set(['lock', 'writeLock']);
const FREES = new Set(['unlock', 'writeUnlock']);

/** Use of the synchronisation objects of a thread program, and the strand that holds each lock. O(1) per operation. */
export class SyncMeter {
  /** By object: acquisitions (waits, atomic operations), those that had to wait, and for how many seconds in total. */
  readonly acquisitions: Float64Array;
  /** By object: the tries among these that have failed. */
  readonly failed: Float64Array;
  readonly waited: Float64Array;
  readonly seconds: Float64Array;
  /** By object: the part of these seconds in which strands spun on their carriers, and in which those that spin had lost theirs. */
  readonly spun: Float64Array;
  readonly preempted: Float64Array;
  /** By object: the strand that holds it; −1 if none. */
  readonly holder: Int32Array;
  readonly #program: ThreadProgram;
  /** Row of each strand that waits or tries again; and the time since when each strand has spun. */
  readonly #waits = new Map<number, number>();
  readonly #spinsSince = new Map<number, number>();
  /** Seconds for which strands that spin have been without their carriers so far. */
  readonly #without = new Map<number, number>();

  constructor(program: ThreadProgram) {
    const count = program.objects.length;
    this.#program = program;
    this.acquisitions = new Float64Array(count);
    this.failed = new Float64Array(count);
    this.waited = new Float64Array(count);
    this.seconds = new Float64Array(count);
    this.spun = new Float64Array(count);
    this.preempted = new Float64Array(count);
    this.holder = new Int32Array(count).fill(-1);
  }

  /** A strand has acquired the object of a row at once. */
  acquired(at: number, strand: number): void {
    const { op, a, b } = this.#program.rows;
    const object = a[at]!;
    this.#waits.delete(strand);
    this.acquisitions[object]!++;
    if (isAcquisition(op[at]!) && HOLDS.has(ACQUIRE[b[at]!]!.name)) this.holder[object] = strand;
  }

  /** A strand has tried to acquire the object of a row, in vain. */
  fails(at: number, strand: number): void {
    const object = this.#program.rows.a[at]!;
    this.#waits.delete(strand);
    this.acquisitions[object]!++;
    this.failed[object]!++;
  }

  /** A strand that has waited for some seconds gives up. */
  timesOut(at: number, strand: number, seconds: number): void {
    this.seconds[this.#program.rows.a[at]!]! += seconds;
    this.fails(at, strand);
  }

  /** A strand begins to wait for the object of a row. */
  blocked(at: number, strand: number): void {
    // A strand that was woken and finds the lock taken again waits on, for the same operation.
    if (this.#waits.get(strand) !== at) this.waited[this.#program.rows.a[at]!]!++;
    this.#waits.set(strand, at);
  }

  /** A strand that has waited for some seconds runs at a row: if it is that of its operation, it tries again. */
  woken(at: number, strand: number, seconds: number): void {
    if (this.#waits.get(strand) === at) this.seconds[this.#program.rows.a[at]!]! += seconds;
  }

  spins(at: number, strand: number, time: number): void {
    this.blocked(at, strand);
    this.#spinsSince.set(strand, time);
  }

  /** A strand has been without its carrier for some seconds. */
  wasPreempted(strand: number, seconds: number): void {
    if (this.#spinsSince.has(strand)) this.#without.set(strand, (this.#without.get(strand) ?? 0) + seconds);
  }

  stopsSpinning(at: number, strand: number, time: number): void {
    this.granted(at, strand, this.#spun(this.#program.rows.a[at]!, strand, time));
  }

  spinsInVain(at: number, strand: number, time: number): void {
    this.timesOut(at, strand, this.#spun(this.#program.rows.a[at]!, strand, time));
  }

  /** A strand does not spin for an object any more. Gives the seconds since it began to. */
  #spun(object: number, strand: number, time: number): number {
    const seconds = time - this.#spinsSince.get(strand)!;
    const without = this.#without.get(strand) ?? 0;
    this.spun[object]! += seconds - without;
    this.preempted[object]! += without;
    this.#spinsSince.delete(strand);
    this.#without.delete(strand);
    return seconds;
  }

  /** A strand that has spun parks; it goes on waiting. */
  parks(at: number, strand: number, time: number): void {
    const object = this.#program.rows.a[at]!;
    this.seconds[object]! += this.#spun(object, strand, time);
  }

  /** A strand releases the mutex of a row and begins to wait for its condition. */
  waits(at: number): void {
    const { a, b } = this.#program.rows;
    this.waited[a[at]!]!++;
    this.holder[b[at]!] = -1;
  }

  /** A strand that waited for some seconds gets the object of its row. */
  granted(at: number, strand: number, seconds: number): void {
    this.seconds[this.#program.rows.a[at]!]! += seconds;
    this.acquired(at, strand);
  }

  released(at: number): void {
    const { a, b } = this.#program.rows;
    if (FREES.has(RELEASE[b[at]!]!.name)) this.holder[a[at]!] = -1;
  }
}

import { ACQUIRE, RELEASE, ROW, type ThreadProgram } from './program/rows.ts';

/** Modes of {@link ACQUIRE} and {@link RELEASE} by which one strand holds an object. */
const HOLDS = new Set(['lock', 'writeLock']);
const FREES = new Set(['unlock', 'writeUnlock']);

/** Use of the synchronisation objects of a thread program, and the strand that holds each lock. O(1) per operation. */
export class SyncMeter {
  /** By object: acquisitions (waits, atomic operations), those that had to wait, and for how many seconds in total. */
  readonly acquisitions: Float64Array;
  readonly waited: Float64Array;
  readonly seconds: Float64Array;
  /** By object: the strand that holds it; −1 if none. */
  readonly holder: Int32Array;
  readonly #program: ThreadProgram;

  constructor(program: ThreadProgram) {
    const count = program.objects.length;
    this.#program = program;
    this.acquisitions = new Float64Array(count);
    this.waited = new Float64Array(count);
    this.seconds = new Float64Array(count);
    this.holder = new Int32Array(count).fill(-1);
  }

  /** A strand has acquired the object of a row at once. */
  acquired(at: number, strand: number): void {
    const { op, a, b } = this.#program.rows;
    const object = a[at]!;
    this.acquisitions[object]!++;
    if (op[at] === ROW.acquire && HOLDS.has(ACQUIRE[b[at]!]!.name)) this.holder[object] = strand;
  }

  /** A strand begins to wait for the object of a row. */
  blocked(at: number): void {
    this.waited[this.#program.rows.a[at]!]!++;
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

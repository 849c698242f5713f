import { LOGGED_AT_ONCE, type LoggedFirings, loggedFirings } from '../base/logged-firings.ts';

/** Capacity of the ring; a slot holds one piece of the log. */
const SLOTS = 32;

/** Indices of the control words: number of slots filled, number of slots read, reader finished, reader failed. */
const FILLED = 0;
const READ = 1;
const OVER = 2;
const FAILED = 3;

/** Single-producer, single-consumer ring that passes pieces of a firing log between two threads. */
export class LogRing {
  readonly buffer: SharedArrayBuffer;
  readonly #control: Int32Array;
  readonly #lengths: Int32Array;
  readonly #slots: readonly LoggedFirings[];

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(8 * SLOTS * (LOGGED_AT_ONCE + 1))) {
    this.buffer = buffer;
    this.#control = new Int32Array(buffer, 0, 4);
    this.#lengths = new Int32Array(buffer, 16, SLOTS);
    this.#slots = Array.from({ length: SLOTS }, (_, slot) =>
      loggedFirings(new Float64Array(buffer, 8 * (SLOTS + slot * LOGGED_AT_ONCE), LOGGED_AT_ONCE)),
    );
  }

  /**
   * Adds a piece; called by the writing thread. Blocks while the ring is full. Returns the number of pieces added so far.
   *
   * @throws Error if the other thread has failed
   */
  add(log: Float64Array, length: number): number {
    const control = this.#control;
    const filled = control[FILLED]!;
    for (let read = Atomics.load(control, READ); filled - read >= SLOTS; read = Atomics.load(control, READ)) {
      this.#check();
      Atomics.wait(control, READ, read);
    }
    this.#check();
    const slot = filled % SLOTS;
    this.#slots[slot]!.numbers.set(log.subarray(0, length));
    this.#lengths[slot] = length;
    Atomics.store(control, FILLED, filled + 1);
    return filled + 1;
  }

  /** Passes every available piece to `read`; called by the reading thread. */
  take(read: (log: LoggedFirings, length: number) => void): void {
    const control = this.#control;
    for (let at = control[READ]!; at < Atomics.load(control, FILLED); at++) {
      const slot = at % SLOTS;
      read(this.#slots[slot]!, this.#lengths[slot]!);
      Atomics.store(control, READ, at + 1);
      Atomics.notify(control, READ);
    }
  }

  /** Reports that the reader has finished or failed. */
  end(failed: boolean): void {
    if (failed) Atomics.store(this.#control, FAILED, 1);
    Atomics.store(this.#control, OVER, 1);
    Atomics.notify(this.#control, OVER);
    Atomics.notify(this.#control, READ);
  }

  /**
   * Blocks until the reader calls {@link LogRing.end}.
   *
   * @throws Error if the reader has failed
   */
  awaitEnd(): void {
    Atomics.wait(this.#control, OVER, 0);
    this.#check();
  }

  #check(): void {
    if (Atomics.load(this.#control, FAILED) !== 0) throw new Error('the thread that follows the ranks failed');
  }
}

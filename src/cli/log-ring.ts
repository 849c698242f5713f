import { LOGGED_AT_ONCE, type LoggedFirings, loggedFirings } from '../base/logged-firings.ts';

/** Each has room for a piece of the log. */
const SLOTS = 32;

/** What the control words hold: slots that were filled, slots that were read, whether all is over, whether it failed. */
const FILLED = 0;
const READ = 1;
const OVER = 2;
const FAILED = 3;

/** Pieces of a log on their way from one thread to another, which may be so many behind. */
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
   * Adds a piece, of the thread that writes; waits for room. Returns how many it has added.
   *
   * @throws Error where the other thread has failed
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

  /** Hands over every piece that is there, of the thread that reads. */
  take(read: (log: LoggedFirings, length: number) => void): void {
    const control = this.#control;
    for (let at = control[READ]!; at < Atomics.load(control, FILLED); at++) {
      const slot = at % SLOTS;
      read(this.#slots[slot]!, this.#lengths[slot]!);
      Atomics.store(control, READ, at + 1);
      Atomics.notify(control, READ);
    }
  }

  /** Says that the reader is done, or has failed. */
  end(failed: boolean): void {
    if (failed) Atomics.store(this.#control, FAILED, 1);
    Atomics.store(this.#control, OVER, 1);
    Atomics.notify(this.#control, OVER);
    Atomics.notify(this.#control, READ);
  }

  /** Waits for that. */
  awaitEnd(): void {
    Atomics.wait(this.#control, OVER, 0);
    this.#check();
  }

  #check(): void {
    if (Atomics.load(this.#control, FAILED) !== 0) throw new Error('the thread that follows the ranks failed');
  }
}

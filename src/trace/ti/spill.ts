import { openTemporary, type Temporary } from './temporary.ts';

/** Bytes written at a time: a write call costs as much as copying some ten thousand bytes. */
const BATCH = 1 << 17;

/** Consecutive records in a temporary file. */
export class Spill {
  readonly #file: Temporary;
  /** Records that are not written yet. */
  readonly #batch: Uint8Array;
  #length = 0;
  #written = 0;

  /**
   * @param purpose purpose of the file for messages
   * @throws InputError TI008 if there is no space; the methods throw it too
   */
  constructor(purpose: string) {
    this.#file = openTemporary(purpose);
    this.#batch = new Uint8Array(BATCH);
  }

  /** Adds a record of at most 2^17 bytes; returns its position. */
  add(bytes: Uint8Array): number {
    if (this.#length - this.#written + bytes.length > BATCH) {
      this.#file.write(this.#batch.subarray(0, this.#length - this.#written), this.#written);
      this.#written = this.#length;
    }
    const at = this.#length;
    this.#batch.set(bytes, at - this.#written);
    this.#length += bytes.length;
    return at;
  }

  /** Fills `bytes` from the record at position `at`. */
  read(at: number, bytes: Uint8Array): void {
    if (at < this.#written) {
      this.#file.read(bytes, at);
      return;
    }
    const from = at - this.#written;
    bytes.set(this.#batch.subarray(from, from + bytes.length));
  }

  close(): void {
    this.#file.close();
  }
}

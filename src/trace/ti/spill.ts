import { openTemporary, type Temporary } from './temporary.ts';

/** Bytes that are written at once: a write costs as much as copying some ten thousand. */
const BATCH = 1 << 17;

/** Records in a temporary file, one after the other. */
export class Spill {
  readonly #file: Temporary;
  /** Those that are not written yet. */
  readonly #batch: Uint8Array;
  #length = 0;
  #written = 0;

  /** @param purpose for messages; throws TI008 where there is no room, as the methods do */
  constructor(purpose: string) {
    this.#file = openTemporary(purpose);
    this.#batch = new Uint8Array(BATCH);
  }

  /** Adds a record of at most 2^17 bytes; returns where it begins. */
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

  /** Fills `bytes` with the beginning of the record that begins there. */
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

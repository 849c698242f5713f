import { openTemporary, type Temporary } from './temporary.ts';

/** Records that are written at once: a write costs as much as copying some ten thousand bytes. */
const BATCH = 32;

/** Records of one size in a temporary file, numbered in the order in which they are put. */
export class Spill {
  readonly #file: Temporary;
  readonly #size: number;
  /** Those that are not written yet. */
  readonly #batch: Uint8Array;
  #count = 0;
  #written = 0;

  /** @param purpose for messages; throws TI008 where there is no room, as the methods do */
  constructor(purpose: string, size: number) {
    this.#file = openTemporary(purpose);
    this.#size = size;
    this.#batch = new Uint8Array(BATCH * size);
  }

  /** Adds a record, which may be shorter than the size; returns its number. */
  add(bytes: Uint8Array): number {
    this.#batch.set(bytes, (this.#count - this.#written) * this.#size);
    if (++this.#count - this.#written === BATCH) {
      this.#file.write(this.#batch, this.#written * this.#size);
      this.#written = this.#count;
    }
    return this.#count - 1;
  }

  /** Fills `bytes` with the beginning of a record. */
  read(record: number, bytes: Uint8Array): void {
    if (record < this.#written) {
      this.#file.read(bytes, record * this.#size);
      return;
    }
    const from = (record - this.#written) * this.#size;
    bytes.set(this.#batch.subarray(from, from + bytes.length));
  }

  close(): void {
    this.#file.close();
  }
}

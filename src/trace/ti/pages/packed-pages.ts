import { openTemporary, type Temporary } from '../input/temporary.ts';

/** Bytes of memory allocated at a time. */
const BLOCK = 1 << 18;
const FIRST = 64;

/**
 * Packed pages by number. Pages stay in memory up to a number of bytes; further pages are written to a temporary file,
 * which is created when first needed.
 */
export class PackedPages {
  readonly #max: number;
  /** Maximum bytes of a page. */
  readonly #room: number;
  readonly #blocks: Uint8Array[] = [];
  /** Used bytes of the last block. */
  #taken = BLOCK;
  /** Buffer for a page read from the file. */
  readonly #moved: Uint8Array;
  #spill: Spill | undefined;
  #closed = false;
  #count = 0;
  /** By page: its start, as a position in memory or −1 − the position in the file; and its length in bytes. */
  #starts = new Float64Array(FIRST);
  #lengths = new Int32Array(FIRST);

  /**
   * @param max maximum bytes in memory
   * @param room maximum bytes of a page
   */
  constructor(max: number, room: number) {
    this.#max = max;
    this.#room = room;
    this.#moved = new Uint8Array(room);
  }

  /** Adds a copy of a packed page; returns its number, counted from 0. */
  add(packed: Uint8Array): number {
    if (this.#count === this.#starts.length) this.#grow();
    const number = this.#count++;
    const block = this.#blockWithRoom();
    if (block === undefined) {
      this.#spill ??= new Spill('pages of the trace');
      this.#starts[number] = -1 - this.#spill.add(packed);
    } else {
      this.#starts[number] = (this.#blocks.length - 1) * BLOCK + this.#taken;
      block.set(packed, this.#taken);
      this.#taken += packed.length;
    }
    this.#lengths[number] = packed.length;
    return number;
  }

  #blockWithRoom(): Uint8Array | undefined {
    if (this.#taken + this.#room > BLOCK) {
      if ((this.#blocks.length + 1) * BLOCK > this.#max) return undefined;
      this.#blocks.push(new Uint8Array(BLOCK));
      this.#taken = 0;
    }
    return this.#blocks.at(-1);
  }

  /** A page as it was added; valid until the next call. */
  read(number: number): Uint8Array {
    if (this.#closed && this.#spill !== undefined) throw new Error('the trace is closed');
    const start = this.#starts[number]!;
    const length = this.#lengths[number]!;
    if (start >= 0) {
      const at = start % BLOCK;
      return this.#blocks[Math.floor(start / BLOCK)]!.subarray(at, at + length);
    }
    const moved = this.#moved.subarray(0, length);
    this.#spill!.read(-1 - start, moved);
    return moved;
  }

  /** True if some pages are in the temporary file. */
  get spilled(): boolean {
    return this.#spill !== undefined;
  }

  close(): void {
    if (!this.#closed) this.#spill?.close();
    this.#closed = true;
  }

  #grow(): void {
    const length = this.#count * 2;
    const [starts, lengths] = [new Float64Array(length), new Int32Array(length)];
    starts.set(this.#starts);
    lengths.set(this.#lengths);
    this.#starts = starts;
    this.#lengths = lengths;
  }
}

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

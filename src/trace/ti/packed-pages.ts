import { MOST_PACKED, PackedBlock, type Page, unpackPage } from './packed-page.ts';
import { Spill } from './spill.ts';

/** Bytes of memory that are taken at a time. */
const BLOCK = 1 << 18;
const FIRST = 64;

/**
 * Packed pages by number: as many as a number of bytes allows stay in memory, those that come later lie in a temporary
 * file, which is made for the first of them.
 */
export class PackedPages {
  readonly #most: number;
  readonly #blocks: PackedBlock[] = [];
  /** Bytes that are taken of the last block. */
  #taken = BLOCK;
  /** A page on its way from the file. */
  readonly #moved = new PackedBlock(MOST_PACKED);
  #spill: Spill | undefined;
  #closed = false;
  #count = 0;
  /** Where each page begins: a place in memory, or −1 − the place in the file; and how many bytes one of those takes. */
  #starts = new Float64Array(FIRST);
  #lengths = new Int32Array(FIRST);

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a page that has been packed, of which a copy is kept; returns its number, counted from 0. */
  add(packed: Uint8Array): number {
    if (this.#count === this.#starts.length) this.#grow();
    const number = this.#count++;
    const block = this.#blockWithRoom();
    if (block === undefined) {
      this.#spill ??= new Spill('pages of the trace');
      this.#starts[number] = -1 - this.#spill.add(packed);
      this.#lengths[number] = packed.length;
    } else {
      this.#starts[number] = (this.#blocks.length - 1) * BLOCK + this.#taken;
      block.bytes.set(packed, this.#taken);
      this.#taken += packed.length;
    }
    return number;
  }

  #blockWithRoom(): PackedBlock | undefined {
    if (this.#taken + MOST_PACKED > BLOCK) {
      if ((this.#blocks.length + 1) * BLOCK > this.#most) return undefined;
      this.#blocks.push(new PackedBlock(BLOCK));
      this.#taken = 0;
    }
    return this.#blocks.at(-1);
  }

  /** Fills both columns of a page. */
  read(number: number, page: Page): void {
    if (this.#closed && this.#spill !== undefined) throw new Error('the trace is closed');
    const start = this.#starts[number]!;
    if (start >= 0) {
      unpackPage(this.#blocks[Math.floor(start / BLOCK)]!, start % BLOCK, page);
      return;
    }
    this.#spill!.read(-1 - start, this.#moved.bytes.subarray(0, this.#lengths[number]!));
    unpackPage(this.#moved, 0, page);
  }

  /** Whether pages have left memory. */
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

/** Rows that are written later, for all strands that differ only in their number and in `numbers`. */
export interface StrandJob {
  /** How many numbers each strand brings. */
  readonly width: number;
  write(strand: number, numbers: readonly number[]): void;
}

export const jobOf = (width: number, write: StrandJob['write']): StrandJob => ({ width, write });

/** Entries of a block; a block is dropped when all its entries are done. */
const BLOCK = 4096;

/**
 * Strands whose rows are not written yet, first in, first out. Millions may wait: each takes 12 bytes and 8 per number, and no
 * separate JavaScript object.
 */
export class PendingStrands {
  readonly #jobs = new Fifo<StrandJob[]>(() => []);
  readonly #strands = new Fifo<Int32Array>(() => new Int32Array(BLOCK));
  readonly #numbers = new Fifo<Float64Array>(() => new Float64Array(BLOCK));

  get isEmpty(): boolean {
    return this.#jobs.isEmpty;
  }

  add(job: StrandJob, strand: number, numbers: readonly number[]): void {
    this.#jobs.add(job);
    this.#strands.add(strand);
    for (let k = 0; k < job.width; k++) this.#numbers.add(numbers[k]!);
  }

  /** Writes the rows of the first strand. */
  writeFirst(): void {
    const job = this.#jobs.take();
    const strand = this.#strands.take();
    const numbers: number[] = [];
    for (let k = 0; k < job.width; k++) numbers.push(this.#numbers.take());
    job.write(strand, numbers);
  }
}

/** A queue in blocks. */
class Fifo<B extends { [index: number]: B[number] }> {
  readonly #make: () => B;
  /** Blocks from the one of the head on. */
  readonly #blocks: B[] = [];
  /** Positions of the first entry and behind the last one, counted from the beginning of the first block. */
  #head = 0;
  #tail = 0;

  constructor(make: () => B) {
    this.#make = make;
  }

  get isEmpty(): boolean {
    return this.#head === this.#tail;
  }

  add(value: B[number]): void {
    if (this.#tail === this.#blocks.length * BLOCK) this.#blocks.push(this.#make());
    this.#blocks[this.#blocks.length - 1]![this.#tail++ % BLOCK] = value;
  }

  take(): B[number] {
    const value = this.#blocks[0]![this.#head++]!;
    if (this.#head === BLOCK) {
      this.#blocks.shift();
      this.#head = 0;
      this.#tail -= BLOCK;
    }
    return value;
  }
}

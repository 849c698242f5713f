import { GrowingMemory, OUT_INTS, PAGE } from '../packed/growing-memory.ts';
import { ENTRY_WORDS, SENTINEL, TAIL } from '../packed/hashed-code.ts';
import { MAX_BYTES, QUEUE } from '../packed/packed-memory.ts';

/** Initial number of entries of the table, as a power of 2. */
const FIRST_ENTRIES = 2 ** 16;
/** Maximum number of entries: 2 GiB of the 4 GiB of a WebAssembly memory; the rest is for the frontier. */
export const MAX_ENTRIES: number = 2 ** 28;
/** Maximum load factor of the table, used if there is no room for a larger one. */
export const MAX_FULL: number = 15 / 16;
const ENTRY_BYTES = 4 * ENTRY_WORDS;

/** Bytes of a table with this number of homes. */
export const tableBytes = (entries: number): number => ENTRY_BYTES * (entries + TAIL) + 8;

/**
 * Memory of an exploration with hash compaction: result buffer, queue, plan, table of hashes and, up to the end, rows of the
 * frontier. A larger table pushes the rows up.
 */
export class CompactMemory extends GrowingMemory {
  readonly outAt: number = PAGE;
  readonly queueAt: number;
  readonly planAt: number;
  readonly tableAt: number;
  #entries: number = FIRST_ENTRIES;

  /** @param plan number of integers for steps that are read from a table */
  constructor(plan: number) {
    const queueAt = PAGE + OUT_INTS * 4;
    const planAt = queueAt + QUEUE;
    const tableAt = Math.ceil((planAt + plan * 4) / 8) * 8;
    super(MAX_BYTES, Math.ceil((tableAt + tableBytes(FIRST_ENTRIES) + PAGE) / PAGE) * PAGE, false);
    this.queueAt = queueAt;
    this.planAt = planAt;
    this.tableAt = tableAt;
    this.#end();
  }

  /** Number of homes of the table. */
  get entries(): number {
    return this.#entries;
  }

  get arenaAt(): number {
    return this.tableAt + tableBytes(this.#entries);
  }

  /** Number of rows of `words` words for which there is room now; one more is kept free for assembling a marking. */
  rows(words: number): number {
    return Math.floor((this.ints.byteLength - this.arenaAt) / 4 / words) - 1;
  }

  /** Grows until there is room for this number of rows; false if the machine or the address space does not provide it. */
  growTo(rows: number, words: number): boolean {
    return this.grow(this.arenaAt + 4 * words * (rows + 1));
  }

  /** Empties the table. */
  clear(): void {
    const at = this.tableAt / 4;
    this.ints.fill(0, at, at + tableBytes(this.#entries) / 4);
    this.#end();
  }

  /**
   * Doubles the number of homes and moves the rows up; returns the entries of the former tail, which must be inserted again. All
   * other entries still have to move to their new homes. Undefined if memory is missing.
   */
  double(rows: number, words: number): Int32Array | undefined {
    const [old, from] = [this.#entries, this.arenaAt];
    if (2 * old > MAX_ENTRIES) return undefined;
    if (!this.grow(this.tableAt + tableBytes(2 * old) + 4 * words * (rows + 1))) return undefined;
    this.#entries = 2 * old;
    const to = this.arenaAt;
    this.ints.copyWithin(to / 4, from / 4, from / 4 + rows * words);
    const tail = this.tableAt / 4 + ENTRY_WORDS * old;
    const apart = this.ints.slice(tail, tail + ENTRY_WORDS * TAIL);
    this.ints.fill(0, tail, to / 4);
    this.#end();
    return apart;
  }

  #end(): void {
    this.ints[this.tableAt / 4 + ENTRY_WORDS * (this.#entries + TAIL)] = SENTINEL;
  }
}

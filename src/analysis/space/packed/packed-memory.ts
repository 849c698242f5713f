import { isUnguarded } from '../../../base/workers/start-thread.ts';
import { GrowingMemory, LINK_INTS, PAGE } from './growing-memory.ts';

/** Maximum size of a WebAssembly memory, bytes. */
export const MAX_BYTES: number = 2 ** 32;
/** Initial number of table entries, as a power of 2. */
export const FIRST_TABLE: number = 16;
/** Table entries for which the first memory has room. */
export const FIRST_ROOM: number = 2 ** 20;
/** Bytes of the first memory per entry of {@link FIRST_ROOM}, half of them for states. */
const ENTRY_BYTES = 8;
/** Maximum bytes of the table, for 2²⁸ entries. */
const MAX_TABLE = 2 ** 30;
/** Bytes of each thread's queue of successors. */
export const QUEUE: number = 2 ** 18;
/**
 * The memory of an exploration: result buffer, queues, plan, table and, up to the end, the arena of states. The address range is
 * reserved at once, but V8 counts the size of a memory that threads do not share as allocated, and collects garbage accordingly.
 * Such a memory therefore starts small and grows in place; a table without room pushes the arena up.
 */
export class PackedMemory extends GrowingMemory {
  readonly outAt: number = PAGE;
  readonly queueAt: number;
  /** Address of the steps that are read from a table. */
  readonly planAt: number;
  readonly tableAt: number;
  /** Maximum number of table entries. */
  readonly maxEntries: number;
  #arenaAt: number;

  /**
   * @param threads number of queues, stored consecutively from `queueAt`
   * @param plan number of integers for steps that are read from a table
   * @param states maximum number of states of `words` words; Infinity: as many as fit
   * @param room number of table entries for which the memory has room at first
   */
  constructor(threads: number, states: number, words: number, plan: number = 0, room: number = FIRST_ROOM) {
    const queues = threads * QUEUE;
    const fixed = PAGE + LINK_INTS * 4 + queues + plan * 4;
    const entries = Math.max(2 ** FIRST_TABLE, 2 ** Math.ceil(Math.log2((states + 1) / 0.75)));
    // A state may need more words later, while bounds of places are not proved.
    // The table gets at most a quarter of the memory.
    const wanted = Math.max(16 * entries, fixed + 4 * (entries + 4 * words * (states + 2)));
    const max = Math.min(MAX_BYTES, Math.ceil(wanted / PAGE) * PAGE);
    // V8 does not count shared memory. Without guard regions, it does not report the reserved part of the maximum.
    const first = threads > 1 || isUnguarded() ? max : Math.ceil((fixed + ENTRY_BYTES * room) / PAGE) * PAGE;
    super(max, first, threads > 1);
    const { bytes } = this;
    this.maxEntries = Math.min(2 ** Math.floor(Math.log2(Math.min(MAX_TABLE, bytes / 4) / 4)), entries);
    this.queueAt = this.outAt + LINK_INTS * 4;
    this.planAt = this.queueAt + queues;
    this.tableAt = this.planAt + plan * 4;
    this.#arenaAt = this.tableAt + 4 * (first < bytes ? Math.min(room, this.maxEntries) : this.maxEntries);
  }

  get arenaAt(): number {
    return this.#arenaAt;
  }

  /** Maximum number of states of `words` words; one row is kept free for assembling a marking. */
  maxStates(words: number): number {
    return Math.floor((this.bytes - this.tableAt - 4 * this.maxEntries) / 4 / words) - 1;
  }

  /** Number of states of `words` words for which the memory has room now. */
  rows(words: number): number {
    return Math.floor((this.ints.byteLength - this.#arenaAt) / 4 / words) - 1;
  }

  /** Grows until there is room for `rows` states; false if the machine does not provide the memory. */
  growTo(rows: number, words: number): boolean {
    return this.grow(this.#arenaAt + 4 * words * (rows + 1));
  }

  /** True if the table has room for this number of entries. */
  holds(entries: number): boolean {
    return this.tableAt + 4 * entries <= this.#arenaAt;
  }

  /** Moves the arena with its first `rows` rows up to the end of a larger table; false if memory is missing. */
  moveArena(entries: number, rows: number, words: number): boolean {
    const to = this.tableAt + 4 * entries;
    if (!this.grow(to + 4 * words * (rows + 1))) return false;
    const from = this.#arenaAt / 4;
    this.ints.copyWithin(to / 4, from, from + rows * words);
    this.#arenaAt = to;
    return true;
  }
}

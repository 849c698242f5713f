const PAGE = 2 ** 16;
/** Maximum size of a WebAssembly memory, bytes. */
const MAX_BYTES = 2 ** 32;
/** Initial number of table entries, as a power of 2. */
export const FIRST_TABLE: number = 16;
/** Maximum bytes of the table, for 2²⁸ entries. */
const MAX_TABLE = 2 ** 30;
const TABLE_AT = PAGE;
/** Bytes of each thread's queue of successors. */
export const QUEUE: number = 2 ** 18;
/** Number of 32-bit words for query results. */
export const OUT_INTS: number = 2 ** 19;

/**
 * The memory of an exploration: table, states and result buffer at fixed addresses. The whole address range is reserved at
 * once; the operating system allocates only pages that are written.
 */
export class PackedMemory {
  readonly memory: WebAssembly.Memory;
  readonly ints: Int32Array<ArrayBufferLike>;
  readonly tableAt: number = TABLE_AT;
  readonly arenaAt: number;
  readonly outAt: number;
  readonly queueAt: number;
  /** Address of the steps that are read from a table. */
  readonly planAt: number;
  /** Maximum number of table entries. */
  readonly maxEntries: number;

  /**
   * @param threads number of queues, stored consecutively from `queueAt`
   * @param plan number of integers for steps that are read from a table
   * @param states maximum number of states of `words` words; Infinity: as many as fit
   */
  constructor(threads: number, states: number, words: number, plan: number = 0) {
    const queues = threads * QUEUE;
    const fixed = TABLE_AT + OUT_INTS * 4 + queues + plan * 4;
    const entries = Math.max(2 ** FIRST_TABLE, 2 ** Math.ceil(Math.log2((states + 1) / 0.75)));
    // A state may need more words later, while bounds of places are not proved.
    // The table gets at most a quarter of the memory.
    const wanted = Math.max(16 * entries, fixed + 4 * (entries + 4 * words * (states + 2)));
    this.memory = reserved(Math.min(MAX_BYTES, Math.ceil(wanted / PAGE) * PAGE), threads > 1);
    const { byteLength } = this.memory.buffer;
    this.outAt = byteLength - OUT_INTS * 4;
    this.queueAt = this.outAt - queues;
    this.planAt = this.queueAt - plan * 4;
    const max = 2 ** Math.floor(Math.log2(Math.min(MAX_TABLE, byteLength / 4) / 4));
    this.maxEntries = Math.min(max, entries);
    this.arenaAt = TABLE_AT + this.maxEntries * 4;
    this.ints = new Int32Array(this.memory.buffer);
  }

  /** Maximum number of states of `words` words; one row is kept free for assembling a marking. */
  maxStates(words: number): number {
    return Math.floor((this.planAt - this.arenaAt) / 4 / words) - 1;
  }
}

/** Reserves memory; halves the size until the address space suffices. */
function reserved(bytes: number, shared: boolean): WebAssembly.Memory {
  for (let pages = Math.floor(bytes / PAGE); ; pages = Math.floor(pages / 2))
    try {
      return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
    } catch (e) {
      if (pages * PAGE < 4 * OUT_INTS * 4) throw e;
    }
}

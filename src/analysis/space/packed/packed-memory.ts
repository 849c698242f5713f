const PAGE = 2 ** 16;
/** The most that one memory can have. */
const MOST = 2 ** 32;
/** Entries of the table at first, as a power of 2. */
export const FIRST_TABLE: number = 16;
/** Most bytes of the table: for 2²⁸ entries. */
const MOST_TABLE = 2 ** 30;
const TABLE_AT = PAGE;
/** Bytes of the queue of successors that each thread has. */
export const QUEUE: number = 2 ** 18;
/** Room for results of queries. */
export const OUT_INTS: number = 2 ** 19;

/**
 * The memory of an exploration: the table, the states, and room for results, each at an address of its own that never
 * changes. All addresses are reserved at once; a machine gives memory to what has been written only.
 */
export class PackedMemory {
  readonly memory: WebAssembly.Memory;
  readonly ints: Int32Array<ArrayBufferLike>;
  readonly tableAt: number = TABLE_AT;
  readonly arenaAt: number;
  readonly outAt: number;
  readonly queueAt: number;
  /** Most entries of the table. */
  readonly mostEntries: number;

  /** @param threads have a queue each, one after the other from `queueAt` on
   * @param states the most that may be stored, of so many words; Infinity: as many as there is room for */
  constructor(threads: number, states: number, words: number) {
    const queues = threads * QUEUE;
    const fixed = TABLE_AT + OUT_INTS * 4 + queues;
    const entries = Math.max(2 ** FIRST_TABLE, 2 ** Math.ceil(Math.log2((states + 1) / 0.75)));
    // Words may become more while nothing proves how many bits a place needs.
    // The table is given a quarter of it at most.
    const wanted = Math.max(16 * entries, fixed + 4 * (entries + 4 * words * (states + 2)));
    this.memory = reserved(Math.min(MOST, Math.ceil(wanted / PAGE) * PAGE), threads > 1);
    const { byteLength } = this.memory.buffer;
    this.outAt = byteLength - OUT_INTS * 4;
    this.queueAt = this.outAt - queues;
    const most = 2 ** Math.floor(Math.log2(Math.min(MOST_TABLE, byteLength / 4) / 4));
    this.mostEntries = Math.min(most, entries);
    this.arenaAt = TABLE_AT + this.mostEntries * 4;
    this.ints = new Int32Array(this.memory.buffer);
  }

  /** Most states of so many words: one more is where a marking is put together. */
  mostStates(words: number): number {
    return Math.floor((this.queueAt - this.arenaAt) / 4 / words) - 1;
  }
}

/** As much as the machine has addresses for. */
function reserved(bytes: number, shared: boolean): WebAssembly.Memory {
  for (let pages = Math.floor(bytes / PAGE); ; pages = Math.floor(pages / 2))
    try {
      return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
    } catch (e) {
      if (pages * PAGE < 4 * OUT_INTS * 4) throw e;
    }
}

export const PAGE: number = 2 ** 16;
/** Number of 32-bit words for query results. */
export const OUT_INTS: number = 2 ** 19;
/** Words for results with edges: those of queries, followed by as many for the transitions of the edges. */
export const LINK_INTS: number = 2 * OUT_INTS;

/** A WebAssembly memory whose address range is reserved at once, and which grows in place. */
export class GrowingMemory {
  readonly memory: WebAssembly.Memory;
  /** Size of the memory after all growth. */
  protected readonly bytes: number;
  #ints: Int32Array<ArrayBufferLike>;

  /**
   * @param max bytes to reserve; fewer if the address space does not suffice
   * @param first bytes that can be used at once
   * @param shared true for a memory of several threads
   */
  constructor(max: number, first: number, shared: boolean) {
    const { memory, bytes } = reserved(max, first, shared);
    this.memory = memory;
    this.bytes = bytes;
    this.#ints = new Int32Array(memory.buffer);
  }

  /** The memory as integers; replaced when it grows. */
  get ints(): Int32Array<ArrayBufferLike> {
    return this.#ints;
  }

  /** Grows until this address is inside; false if the machine or the address space does not provide it. */
  protected grow(end: number): boolean {
    const size = this.#ints.byteLength;
    if (end <= size) return true;
    if (end > this.bytes) return false;
    try {
      this.memory.grow(Math.min(this.bytes - size, Math.max(size, Math.ceil((end - size) / PAGE) * PAGE)) / PAGE);
    } catch {
      return false;
    }
    this.#ints = new Int32Array(this.memory.buffer);
    return true;
  }
}

/** Reserves memory, of which `first` bytes can be used at once; halves the maximum until the address space suffices. */
function reserved(max: number, first: number, shared: boolean): { memory: WebAssembly.Memory; bytes: number } {
  for (let pages = Math.floor(max / PAGE); ; pages = Math.floor(pages / 2))
    try {
      const initial = Math.min(pages, first / PAGE);
      return { memory: new WebAssembly.Memory({ initial, maximum: pages, shared }), bytes: pages * PAGE };
    } catch (e) {
      if (pages * PAGE < 4 * OUT_INTS * 4) throw e;
    }
}

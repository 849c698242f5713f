/** Bytes per page of WebAssembly memory. */
export const PAGE = 2 ** 16;
/** Lowest address of an array, so that slightly negative indexes stay within memory. */
export const LOWEST = 1024;
/** Minimum growth of a memory, relative to its size. */
const GROWTH = 0.125;
/** Maximum number of pages: 4 GiB. */
export const MAX_PAGES = 2 ** 16;

/**
 * Initial pages of a heavily used memory; untouched pages use no physical memory. Growing a memory detaches its old
 * views; from then on V8 checks for detached buffers at every access to any typed array.
 */
export const PLENTY = 1024;

/** A kernel needs more memory than is available. */
export class MemoryFull extends Error {}

/**
 * The linear memory of a kernel and its allocator. Arrays are few, so the free list is short. The views are replaced
 * when the memory grows: do not keep them across calls that may grow an array.
 */
export class Memory {
  readonly memory: WebAssembly.Memory;
  ints: Int32Array<ArrayBuffer>;
  nums: Float64Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
  /** Free blocks by address; adjacent blocks are merged. */
  readonly #free: { address: number; size: number }[] = [];
  readonly #maxPages: number;
  #end = 0;

  /**
   * @param pages initial number of pages
   * @param lowest lowest address to allocate; memory below stays 0
   * @param maxPages its largest size
   * @throws MemoryFull if the machine cannot provide them
   */
  constructor(pages = 1, lowest: number = LOWEST, maxPages: number = MAX_PAGES) {
    this.memory = firstPages(pages);
    this.#maxPages = maxPages;
    const { buffer } = this.memory;
    this.ints = new Int32Array(buffer);
    this.nums = new Float64Array(buffer);
    this.bytes = new Uint8Array(buffer);
    this.#extend(lowest);
  }

  /**
   * Allocates zeroed memory. O(free blocks).
   *
   * @throws MemoryFull if the memory would exceed 4 GiB, or its largest size
   */
  allocate(bytes: number): number {
    const size = rounded(bytes);
    const k = this.#free.findIndex((f) => f.size >= size);
    if (k < 0) {
      const address = this.#end;
      this.#extend(address + size);
      return address;
    }
    const found = this.#free[k]!;
    const { address } = found;
    if (found.size === size) this.#free.splice(k, 1);
    else {
      found.address += size;
      found.size -= size;
    }
    this.bytes.fill(0, address, address + size);
    return address;
  }

  /** Enlarges an allocation, which may move; new bytes are 0. */
  grow(address: number, old: number, bytes: number): number {
    if (old === 0) return this.allocate(bytes);
    const [from, to] = [rounded(old), rounded(bytes)];
    if (to <= from) return address;
    if (address + from === this.#end) {
      this.#extend(address + to);
      return address;
    }
    const moved = this.allocate(bytes);
    this.bytes.copyWithin(moved, address, address + old);
    this.#release(address, from);
    return moved;
  }

  /** Makes the memory as new, without its pages being mapped again: first touches of pages take most of the start of a short run. */
  clear(lowest: number = LOWEST): void {
    this.bytes.fill(0, 0, this.#end);
    this.#free.length = 0;
    this.#end = 0;
    this.#extend(lowest);
  }

  /** Makes the bytes of an allocation available again. */
  free(address: number, bytes: number): void {
    this.#release(address, rounded(bytes));
  }

  #extend(end: number): void {
    const have = this.memory.buffer.byteLength;
    if (end > have) {
      const pages = Math.ceil((end - have) / PAGE);
      const max = this.#maxPages - have / PAGE;
      if (pages > max) throw new MemoryFull(`more than ${this.#maxPages * PAGE} bytes of memory`);
      this.#grow(pages, Math.min(max, Math.max(pages, Math.ceil((have / PAGE) * GROWTH))));
      const { buffer } = this.memory;
      this.ints = new Int32Array(buffer);
      this.nums = new Float64Array(buffer);
      this.bytes = new Uint8Array(buffer);
    }
    this.#end = end;
  }

  /** Grows by the wanted pages, or by the needed ones if the machine cannot provide more. */
  #grow(needed: number, wanted: number): void {
    try {
      this.memory.grow(wanted);
    } catch {
      try {
        this.memory.grow(needed);
      } catch {
        throw new MemoryFull(
          `${needed * PAGE + this.memory.buffer.byteLength} bytes of memory, more than the machine provides`,
        );
      }
    }
  }

  #release(address: number, size: number): void {
    const free = this.#free;
    let k = free.findIndex((f) => f.address > address);
    if (k < 0) k = free.length;
    free.splice(k, 0, { address, size });
    if (k + 1 < free.length && address + size === free[k + 1]!.address) free[k]!.size += free.splice(k + 1, 1)[0]!.size;
    const before = free[k - 1];
    if (before !== undefined && before.address + before.size === address) before.size += free.splice(k, 1)[0]!.size;
  }
}

/** @throws MemoryFull if the machine has no address space for another memory */
function firstPages(initial: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial });
  } catch {
    if (initial > 1) return firstPages(1);
    throw new MemoryFull('another memory, for which the machine has no address space');
  }
}

/** Allocated size of a number of bytes. */
export const rounded = (bytes: number): number => Math.ceil(bytes / 16) * 16;

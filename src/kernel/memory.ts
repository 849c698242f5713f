/** Bytes that a page of WebAssembly memory has. */
const PAGE = 2 ** 16;
/** The lowest address of an array: indexes a little below it stay within memory. */
export const LOWEST = 1024;
/** Memory grows by at least so much of itself. */
const GROWTH = 0.125;
/** The most pages of a memory: 4 GiB. */
const MAX_PAGES = 2 ** 16;

/**
 * Pages that a memory which is much used begins with; they take no room before they are touched. When a memory grows, views
 * of what it was end, and from then on V8 asks at every access to any typed array whether there still is what it is a view of.
 */
export const PLENTY = 1024;

/** A kernel would need more memory than there can be. */
export class MemoryFull extends Error {}

/**
 * The linear memory of a kernel, and who has which part of it: arrays are few, so that what is free is a short list.
 * Views are made anew when the memory grows: they must not be kept across calls that may grow an array.
 */
export class Memory {
  readonly memory: WebAssembly.Memory;
  ints: Int32Array<ArrayBuffer>;
  nums: Float64Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
  /** What has been given back, by address; neighbours are one. */
  readonly #free: { address: number; size: number }[] = [];
  #end = 0;

  /**
   * @param pages so many to begin with
   * @param lowest the lowest address that is given out; what is below is 0
   * @throws MemoryFull where there is no room for that
   */
  constructor(pages = 1, lowest: number = LOWEST) {
    this.memory = firstPages(pages);
    const { buffer } = this.memory;
    this.ints = new Int32Array(buffer);
    this.nums = new Float64Array(buffer);
    this.bytes = new Uint8Array(buffer);
    this.#extend(lowest);
  }

  /**
   * Room for some bytes, all 0. O(what is free).
   *
   * @throws MemoryFull where there would be more than 4 GiB
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

  /** More room for what is at an address, which may move; what is new is 0. */
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

  #extend(end: number): void {
    const have = this.memory.buffer.byteLength;
    if (end > have) {
      const pages = Math.ceil((end - have) / PAGE);
      const most = MAX_PAGES - have / PAGE;
      if (pages > most) throw new MemoryFull('more than 4 GiB of memory');
      this.#grow(pages, Math.min(most, Math.max(pages, Math.ceil((have / PAGE) * GROWTH))));
      const { buffer } = this.memory;
      this.ints = new Int32Array(buffer);
      this.nums = new Float64Array(buffer);
      this.bytes = new Uint8Array(buffer);
    }
    this.#end = end;
  }

  /** By so many pages, or by those that are needed where the machine has no more. */
  #grow(needed: number, wanted: number): void {
    try {
      this.memory.grow(wanted);
    } catch {
      try {
        this.memory.grow(needed);
      } catch {
        throw new MemoryFull(
          `${needed * PAGE + this.memory.buffer.byteLength} bytes of memory, which the machine has not`,
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

/** @throws MemoryFull where the machine has no room for the addresses of one more memory */
function firstPages(initial: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial });
  } catch {
    if (initial > 1) return firstPages(1);
    throw new MemoryFull('one more memory, for which the machine has no addresses');
  }
}

/** Bytes that so many take up. */
export const rounded = (bytes: number): number => Math.ceil(bytes / 16) * 16;

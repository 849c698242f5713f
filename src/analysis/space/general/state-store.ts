/** Page size as a power of 2, in bytes; a longer marking spans several pages. */
const PAGE_BITS = 18;
const PAGE = 1 << PAGE_BITS;
/** Offsets of states have 32 bits. */
const MAX_PAGES = 1 << (32 - PAGE_BITS);
const OFFSET_BITS = 12;
const OFFSETS = 1 << OFFSET_BITS;
const FIRST_BITS = 8;

/**
 * A set of markings as byte strings, numbered in order of insertion. Each is stored in a page after its length. The hash table
 * has one word per state: state number + 1, and a part of the hash in the remaining bits, so that bytes are rarely compared
 * without a match. O(length) per look-up.
 */
export class StateStore {
  #states = 0;
  readonly #pages: Uint8Array[] = [];
  /** Offset of the next state. */
  #next = 0;
  readonly #offsets: Uint32Array[] = [];
  #bits: number = FIRST_BITS;
  #table: Uint32Array = new Uint32Array(1 << FIRST_BITS);

  get states(): number {
    return this.#states;
  }

  /** Memory of markings, offsets and table in bytes. */
  get bytes(): number {
    return this.#next + this.#table.byteLength + 4 * this.#states;
  }

  /** The page of a state; its length and bytes start at {@link at}. */
  page(state: number): Uint8Array {
    return this.#pages[this.#offset(state) >>> PAGE_BITS]!;
  }

  at(state: number): number {
    return this.#offset(state) & (PAGE - 1);
  }

  /** The number of a state; −1 if not stored. */
  find(bytes: Uint8Array, length: number): number {
    return this.#entry(this.#slot(bytes, length, hashOf(bytes, 0, length)));
  }

  /**
   * The number of a state; a new state is added. −1 if it is new and there are already `max` states, or memory is exhausted.
   */
  add(bytes: Uint8Array, length: number, max: number): number {
    const hash = hashOf(bytes, 0, length);
    const slot = this.#slot(bytes, length, hash);
    const known = this.#entry(slot);
    if (known >= 0) return known;
    if (this.#states >= max || !this.#append(bytes, length)) return -1;
    const state = this.#states++;
    this.#table[slot] = this.#word(hash, state);
    if (4 * this.#states >= 3 * this.#table.length) this.#grow();
    return state;
  }

  #offset(state: number): number {
    return this.#offsets[state >>> OFFSET_BITS]![state & (OFFSETS - 1)]!;
  }

  /** The state in a table slot; −1 if the slot is free. */
  #entry(slot: number): number {
    return (this.#table[slot]! & (this.#table.length - 1)) - 1;
  }

  #word(hash: number, state: number): number {
    return (hash & -this.#table.length) | (state + 1);
  }

  #slot(bytes: Uint8Array, length: number, hash: number): number {
    const table = this.#table;
    const mask = table.length - 1;
    const tag = (hash & ~mask) >>> this.#bits;
    let slot = hash & mask;
    for (;;) {
      const entry = table[slot]!;
      if (entry === 0) return slot;
      if (entry >>> this.#bits === tag && this.#is((entry & mask) - 1, bytes, length)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #is(state: number, bytes: Uint8Array, length: number): boolean {
    const page = this.page(state);
    const from = this.at(state);
    if (lengthAt(page, from) !== length) return false;
    const at = from + lengthBytes(length);
    for (let k = 0; k < length; k++) if (page[at + k] !== bytes[k]) return false;
    return true;
  }

  #append(bytes: Uint8Array, length: number): boolean {
    const head = lengthBytes(length);
    const room = this.#pages.length * PAGE - this.#next;
    if (head + length > room) {
      const pages = Math.ceil((head + length) / PAGE);
      if (this.#pages.length + pages > MAX_PAGES) return false;
      this.#next = this.#pages.length * PAGE;
      const page = new Uint8Array(pages * PAGE);
      for (let k = 0; k < pages; k++) this.#pages.push(page);
    }
    const offset = this.#next;
    const page = this.#pages[Math.floor(offset / PAGE)]!;
    let at = offset % PAGE;
    for (let rest = length, k = head; k > 0; k--, rest >>>= 7) page[at++] = (rest & 127) | (k > 1 ? 128 : 0);
    for (let k = 0; k < length; k++) page[at + k] = bytes[k]!;
    const k = this.#states & (OFFSETS - 1);
    if (k === 0) this.#offsets.push(new Uint32Array(OFFSETS));
    this.#offsets.at(-1)![k] = offset;
    this.#next = offset + head + length;
    // The rest of a page allocated for one long marking is not used.
    if (head + length > PAGE) this.#next = this.#pages.length * PAGE;
    return true;
  }

  #grow(): void {
    this.#bits++;
    this.#table = new Uint32Array(2 * this.#table.length);
    const mask = this.#table.length - 1;
    for (let state = 0; state < this.#states; state++) {
      const page = this.page(state);
      const from = this.at(state);
      const length = lengthAt(page, from);
      const hash = hashOf(page, from + lengthBytes(length), length);
      let slot = hash & mask;
      while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
      this.#table[slot] = this.#word(hash, state);
    }
  }
}

/** The length of the state stored at `at`, encoded with 7 bits per byte. */
export function lengthAt(page: Uint8Array, at: number): number {
  let b = page[at]!;
  let length = b & 127;
  for (let k = at + 1, shift = 7; b >= 128; shift += 7) {
    b = page[k++]!;
    length |= (b & 127) << shift;
  }
  return length;
}

/** Number of bytes of an encoded length. */
export function lengthBytes(length: number): number {
  return length < 1 << 7 ? 1 : length < 1 << 14 ? 2 : length < 1 << 21 ? 3 : length < 1 << 28 ? 4 : 5;
}

function hashOf(bytes: Uint8Array, from: number, length: number): number {
  let h = length;
  const to = from + length;
  for (let k = from; k < to; k++) h = Math.imul(h ^ bytes[k]!, 0x01000193) ^ (h >>> 13);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

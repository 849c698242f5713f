import { grown } from './intern.ts';

/** What has to be done for a remembered line besides recording it; `ARGUMENT` says with what. */
export const NO_EFFECT = 0;
/** The line ends with a number that is the amount. */
export const EFFECT_NUMBER = 1;
export const EFFECT_POST = 2;
export const EFFECT_WAIT = 3;
export const EFFECT_TEST = 4;
export const EFFECT_WAITALL = 5;
export const EFFECT_COLLECTIVE = 6;

/** The entry of an action begins at `facts[key << ENTRY]` and at `words[key << ENTRY]`. */
export const ENTRY = 3;
/** In `facts`: 1 + the key of the action that came after it, and of the one before that; 0 where none is known. */
export const NEXT = 0;
export const OTHER = 1;
/** Length of the line up to its line feed (EFFECT_NUMBER: up to the number); 0 where there is none. */
export const SIZE = 2;
export const RANK = 3;
export const CODE = 4;
export const EFFECT = 5;
export const ARGUMENT = 6;
/** In `words`: the amount; then the last eight bytes of the line, and those before that from its beginning. */
export const AMOUNT = 0;
export const TAIL = 1;
export const HEAD = 2;

/** Bytes that are compared at once: a double. */
export const WORD = 8;
/** Longest line that is remembered, in bytes. */
const LONGEST = ((1 << ENTRY) - HEAD + 1) * WORD;
/** Actions that are remembered; later ones are always read in full. */
const MOST = 1 << 16;

/**
 * The last line seen of each distinct action and which action came after it. Traces repeat themselves, so the next line
 * is mostly the one that followed last time: comparing it costs a tenth of reading it. At most 6 MiB.
 *
 * Lines are compared in words of eight bytes. Words are doubles because these can be compared without a conversion; one
 * that is not a number (its bytes are not ASCII) equals none.
 */
export class Memo {
  facts: Int32Array = new Int32Array(1 << (10 + ENTRY));
  words: Float64Array = new Float64Array(1 << (10 + ENTRY));

  /**
   * The action whose line stands at `p` if it is one of the two that came after `previous` (−1: none) before; −1 if
   * not. May look 64 bytes ahead: where whole lines are equal, what lies behind their end has not been compared.
   */
  expect(previous: number, text: DataView, p: number): number {
    if (previous < 0) return -1;
    const next = this.facts[(previous << ENTRY) + NEXT]! - 1;
    if (next >= 0 && this.#stands(next, text, p)) return next;
    const other = this.facts[(previous << ENTRY) + OTHER]! - 1;
    return other >= 0 && this.#stands(other, text, p) ? other : -1;
  }

  #stands(key: number, text: DataView, p: number): boolean {
    const { facts, words } = this;
    const entry = key << ENTRY;
    const last = facts[entry + SIZE]! - WORD;
    if (last < 0 || text.getFloat64(p + last, true) !== words[entry + TAIL]) return false;
    for (let at = 0, k = entry + HEAD; at < last; at += WORD, k++)
      if (text.getFloat64(p + at, true) !== words[k]) return false;
    return true;
  }

  /** Remembers `bytes[from … to − 1]` as the line of an action that came after `previous` (−1: none). O(length). */
  put(key: number, previous: number, bytes: Uint8Array, from: number, to: number): boolean {
    if (key >= MOST) return false;
    if (key << ENTRY >= this.facts.length) this.#grow(key);
    const { facts, words } = this;
    if (previous >= 0) {
      const before = previous << ENTRY;
      if (facts[before + NEXT] !== key + 1) {
        facts[before + OTHER] = facts[before + NEXT]!;
        facts[before + NEXT] = key + 1;
      }
    }
    const length = to - from;
    const entry = key << ENTRY;
    const fits = length >= WORD && length <= LONGEST;
    facts[entry + SIZE] = fits ? length : 0;
    if (!fits) return false;
    const text = new DataView(bytes.buffer, bytes.byteOffset + from, length);
    for (let at = 0; at + WORD < length; at += WORD) words[entry + HEAD + at / WORD] = text.getFloat64(at, true);
    words[entry + TAIL] = text.getFloat64(length - WORD, true);
    return true;
  }

  /** Says what a remembered line means. */
  mean(key: number, rank: number, code: number, amount: number, effect: number, argument: number): void {
    const { facts } = this;
    const entry = key << ENTRY;
    facts[entry + RANK] = rank;
    facts[entry + CODE] = code;
    facts[entry + EFFECT] = effect;
    facts[entry + ARGUMENT] = argument;
    this.words[entry + AMOUNT] = amount;
  }

  /** Forgets all lines: where a default datatype changes, the same text means another amount. */
  clear(): void {
    for (let at = SIZE; at < this.facts.length; at += 1 << ENTRY) this.facts[at] = 0;
  }

  #grow(key: number): void {
    const entries = Math.min(MOST, Math.max(key + 1, (this.facts.length >> ENTRY) * 4));
    this.facts = grown(this.facts, entries << ENTRY);
    this.words = grown(this.words, entries << ENTRY);
  }
}

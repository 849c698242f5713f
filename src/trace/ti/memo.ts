import { grown } from './intern.ts';

/** What has to be done for a remembered line besides recording it; `argument` says with what. */
export const NO_EFFECT = 0;
/** The line ends with a number that is the amount. */
export const EFFECT_NUMBER = 1;
export const EFFECT_POST = 2;
export const EFFECT_WAIT = 3;
export const EFFECT_TEST = 4;
export const EFFECT_WAITALL = 5;
export const EFFECT_COLLECTIVE = 6;

/** Bytes kept of a line are `1 << MEMO_SHIFT`; longer lines are not remembered. */
export const MEMO_SHIFT = 6;
/** Actions that are remembered; later ones are always read in full. */
const MOST = 1 << 16;

/**
 * The last line seen of each distinct action and which action came after it. Traces repeat themselves, so the next line
 * is mostly the one that followed last time: comparing it costs a third of reading it. At most 7 MiB.
 */
export class Memo {
  /** Line of an action: `text[key << MEMO_SHIFT …]`, up to its line feed (EFFECT_NUMBER: up to the number). */
  text: Uint8Array = new Uint8Array(1 << (8 + MEMO_SHIFT));
  /** Length of that text, 0 where there is none. */
  size: Uint8Array = new Uint8Array(1 << 8);
  /** 1 + the key of the action that came after it, 0 where none is known. */
  next: Int32Array = new Int32Array(1 << 8);
  /** The same for the action that came after it before that one. */
  other: Int32Array = new Int32Array(1 << 8);
  rank: Int32Array = new Int32Array(1 << 8);
  code: Int32Array = new Int32Array(1 << 8);
  effect: Uint8Array = new Uint8Array(1 << 8);
  argument: Int32Array = new Int32Array(1 << 8);
  amount: Float64Array = new Float64Array(1 << 8);

  /** Remembers `bytes[from … to − 1]` as the line of an action that came after `previous` (−1: none). O(length). */
  put(key: number, previous: number, bytes: Uint8Array, from: number, to: number): boolean {
    if (key >= MOST) return false;
    if (key >= this.size.length) this.#grow(key);
    if (previous >= 0 && this.next[previous] !== key + 1) {
      this.other[previous] = this.next[previous]!;
      this.next[previous] = key + 1;
    }
    const length = to - from;
    this.size[key] = 0;
    if (length > 1 << MEMO_SHIFT) return false;
    this.size[key] = length;
    const base = key << MEMO_SHIFT;
    for (let i = 0; i < length; i++) this.text[base + i] = bytes[from + i]!;
    return true;
  }

  /** Says what a remembered line means. */
  mean(key: number, rank: number, code: number, amount: number, effect: number, argument: number): void {
    this.rank[key] = rank;
    this.code[key] = code;
    this.amount[key] = amount;
    this.effect[key] = effect;
    this.argument[key] = argument;
  }

  /** Forgets all lines: where a default datatype changes, the same text means another amount. */
  clear(): void {
    this.size.fill(0);
  }

  #grow(key: number): void {
    const length = Math.min(MOST, Math.max(key + 1, this.size.length * 4));
    this.text = grown(this.text, length << MEMO_SHIFT);
    this.size = grown(this.size, length);
    this.next = grown(this.next, length);
    this.other = grown(this.other, length);
    this.rank = grown(this.rank, length);
    this.code = grown(this.code, length);
    this.effect = grown(this.effect, length);
    this.argument = grown(this.argument, length);
    this.amount = grown(this.amount, length);
  }
}

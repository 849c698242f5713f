import type { Kernel } from '../../kernel/kernel.ts';

/** Effect of a remembered line in addition to being recorded; `ARGUMENT` is the request, count or signature it applies to. */
export const NO_EFFECT = 0;
/** The line ends with a number, which is its amount. */
export const EFFECT_NUMBER = 1;
export const EFFECT_POST = 2;
export const EFFECT_WAIT = 3;
export const EFFECT_TEST = 4;
export const EFFECT_WAITALL = 5;
export const EFFECT_COLLECTIVE = 6;

/** The entry of an action begins at `facts[key << ENTRY]` and at `words[key << ENTRY]`. */
export const ENTRY = 3;
/** In `facts`: 1 + the key of the action that last followed this one, and of the action that followed before; 0: unknown. */
const NEXT = 0;
const OTHER = 1;
/** Length of the line including its line feed (EFFECT_NUMBER: up to the number); 0 if no line is remembered. */
export const SIZE = 2;
export const RANK = 3;
export const CODE = 4;
export const EFFECT = 5;
export const ARGUMENT = 6;
/** In `words`: the amount, the last eight bytes of the line, and the preceding bytes from the beginning of the line. */
export const AMOUNT = 0;
const TAIL = 1;
const HEAD = 2;

/** Bytes compared at a time: one double. */
const WORD = 8;
/** Maximum length of a remembered line, in bytes. */
const LONGEST = ((1 << ENTRY) - HEAD + 1) * WORD;
/** Maximum number of remembered actions; lines of further actions are always read in full. */
const MAX_ACTIONS = 1 << 16;

/**
 * Remembers the last line of each distinct action, and which actions followed it. Traces are repetitive, so the next
 * line is usually the one that followed last time; comparing it costs a tenth of reading it. At most 6 MiB are
 * reserved, but only touched pages use memory.
 *
 * Lines are compared in words of eight bytes. Words are doubles, because doubles can be compared without a conversion.
 * A word that is NaN (its bytes are not ASCII) is unequal to every word.
 *
 * `expected` returns the action whose line is at `p`, if it is one of the two actions that followed `previous` (−1:
 * none) before; otherwise −1. It may read 64 bytes past `p`; bytes after the end of an equal line are not compared.
 */
export const MEMO: string = `
let facts: ints = ints(${MAX_ACTIONS << ENTRY}); let words: nums = nums(${MAX_ACTIONS << ENTRY});
// Behind the last action that is remembered.
let remembered: int = 0;
function expected(previous, p): int {
  if (previous < 0) return -1;
  const next = facts[(previous << ${ENTRY}) + ${NEXT}] - 1;
  if (next >= 0 && stands(next, p)) return next;
  const other = facts[(previous << ${ENTRY}) + ${OTHER}] - 1;
  return other >= 0 && stands(other, p) ? other : -1;
}
function stands(key, p): int {
  const entry = key << ${ENTRY};
  const last = facts[entry + ${SIZE}] - ${WORD};
  if (last < 0 || numAt(text, p + last) !== words[entry + ${TAIL}]) return 0;
  for (let at = 0, k = entry + ${HEAD}; at < last; at += ${WORD}, k++) if (numAt(text, p + at) !== words[k]) return 0;
  return 1;
}
export function remember(key, previous, from: int, length: int): int {
  remembered = Math.max(remembered, key + 1);
  if (previous >= 0) {
    const before = previous << ${ENTRY};
    if (facts[before + ${NEXT}] !== key + 1) {
      facts[before + ${OTHER}] = facts[before + ${NEXT}];
      facts[before + ${NEXT}] = key + 1;
    }
  }
  const entry = key << ${ENTRY};
  facts[entry + ${SIZE}] = 0;
  if (length < ${WORD} || length > ${LONGEST}) return 0;
  facts[entry + ${SIZE}] = length;
  for (let at = 0, k = entry + ${HEAD}; at + ${WORD} < length; at += ${WORD}, k++) words[k] = numAt(text, from + at);
  words[entry + ${TAIL}] = numAt(text, from + length - ${WORD});
  return 1;
}
export function mean(key, rank, code, amount: num, effect, argument) {
  const entry = key << ${ENTRY};
  facts[entry + ${RANK}] = rank;
  facts[entry + ${CODE}] = code;
  facts[entry + ${EFFECT}] = effect;
  facts[entry + ${ARGUMENT}] = argument;
  words[entry + ${AMOUNT}] = amount;
}
export cold function forget() { for (let key = 0; key < remembered; key++) facts[(key << ${ENTRY}) + ${SIZE}] = 0; }
export function expectedAt(previous, p): int { return expected(previous, p); }
export function rankOf(key): int { return facts[(key << ${ENTRY}) + ${RANK}]; }`;

/** Access to the memo part of the reader's kernel, for lines that are read in full. */
export class Memo {
  readonly #call: Kernel['call'];

  constructor({ call }: Kernel) {
    this.#call = call;
  }

  /** The rank of the action whose line is expected and found at `p` after `previous`; −1 if no expected line is there. */
  expectedRank(previous: number, p: number): number {
    const key = this.#call['expectedAt']!(previous, p);
    return key < 0 ? -1 : this.#call['rankOf']!(key);
  }

  /**
   * Remembers the text at `from` as the line of an action that followed `previous` (−1: none). Returns false if it is
   * not remembered. O(length).
   */
  put(key: number, previous: number, from: number, length: number): boolean {
    return key < MAX_ACTIONS && this.#call['remember']!(key, previous, from, length) === 1;
  }

  /** Sets the meaning of a remembered line. */
  mean(key: number, rank: number, code: number, amount: number, effect: number, argument: number): void {
    this.#call['mean']!(key, rank, code, amount, effect, argument);
  }

  /** Forgets all lines. Required when a default datatype changes, because the same text then means another amount. */
  clear(): void {
    this.#call['forget']!();
  }
}

import type { Kernel } from '../../kernel/kernel.ts';

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
const NEXT = 0;
const OTHER = 1;
/** Length of the line up to its line feed (EFFECT_NUMBER: up to the number); 0 where there is none. */
export const SIZE = 2;
export const RANK = 3;
export const CODE = 4;
export const EFFECT = 5;
export const ARGUMENT = 6;
/** In `words`: the amount; then the last eight bytes of the line, and those before that from its beginning. */
export const AMOUNT = 0;
const TAIL = 1;
const HEAD = 2;

/** Bytes that are compared at once: a double. */
const WORD = 8;
/** Longest line that is remembered, in bytes. */
const LONGEST = ((1 << ENTRY) - HEAD + 1) * WORD;
/** Actions that are remembered; later ones are always read in full. */
const MOST = 1 << 16;

/**
 * The last line seen of each distinct action and which action came after it. Traces repeat themselves, so the next line
 * is mostly the one that followed last time: comparing it costs a tenth of reading it. At most 6 MiB, of which
 * memory takes no more than was touched.
 *
 * Lines are compared in words of eight bytes. Words are doubles because these can be compared without a conversion; one
 * that is not a number (its bytes are not ASCII) equals none.
 *
 * `expected`: the action whose line stands at `p` if it is one of the two that came after `previous` (−1: none) before; −1
 * if not. May look 64 bytes ahead: where whole lines are equal, what lies behind their end has not been compared.
 */
export const MEMO: string = `
let facts: ints = ints(${MOST << ENTRY}); let words: nums = nums(${MOST << ENTRY});
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

/** That part of the reader's kernel, for lines that have been read in full. */
export class Memo {
  readonly #call: Kernel['call'];

  constructor({ call }: Kernel) {
    this.#call = call;
  }

  /** The rank of the action whose line the memo expects at `p` after `previous`; −1 where it expects none that is there. */
  expectedRank(previous: number, p: number): number {
    const key = this.#call['expectedAt']!(previous, p);
    return key < 0 ? -1 : this.#call['rankOf']!(key);
  }

  /** Remembers the text from a place on as the line of an action that came after `previous` (−1: none). O(length). */
  put(key: number, previous: number, from: number, length: number): boolean {
    return key < MOST && this.#call['remember']!(key, previous, from, length) === 1;
  }

  /** Says what a remembered line means. */
  mean(key: number, rank: number, code: number, amount: number, effect: number, argument: number): void {
    this.#call['mean']!(key, rank, code, amount, effect, argument);
  }

  /** Forgets all lines: where a default datatype changes, the same text means another amount. */
  clear(): void {
    this.#call['forget']!();
  }
}

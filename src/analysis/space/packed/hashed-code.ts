import { EXTRA_WORDS } from './hash-words.ts';

/** Words per entry of a table of hashes. */
export const ENTRY_WORDS = 2;
/**
 * Entries behind the last home of a table, for runs of entries that reach its end. Runs do not wrap around, so that the table can be
 * doubled in place. The word after the last entry is {@link SENTINEL}.
 */
export const TAIL: number = 2 ** 14;
/** Ends a table: no first word of an entry is positive. */
export const SENTINEL = 1;

/** Marks the first word of an entry as used. */
const USED = '-2147483648';

/** Kernel functions of a table that holds hashes instead of numbers of states. Home slots are even. */
export const TABLE_SOURCE: string = `function home(u: int, v: int): int {
let h = u ^ (v * -1640531535);
h = (h ^ (h >>> 15)) * -2048144777;
h ^= h >>> 13;
return (h << 1) & mask;
}
export function insert(u: int, v: int): int {
let x = home(u, v);
while (table[x] !== 0) {
if (table[x] > 0) return 1;
x += ${ENTRY_WORDS};
}
table[x] = u; table[x + 1] = v;
return 0;
}
export function rehash(from: int, to: int): int {
for (let s = from; s < to; s++) {
const x = s * ${ENTRY_WORDS};
const u = table[x];
if (u !== 0) {
const v = table[x + 1];
table[x] = 0; table[x + 1] = 0;
if (insert(u, v) !== 0) return 1;
}
}
return 0;
}`;

/** Looks for the entry u, v from slot `x` on. `add` completes the row of a new marking, `after` prepares the next one. */
const walk = (add: string, after = ''): string => `while (true) {
const e = table[x];
if (e === 0) {
if (next === end) { full = 1; return; }
${add}
table[x] = u; table[x + 1] = v;
next++; ${after}
return;
}
if (e === u && table[x + 1] === v) return;
if (e > 0) { full = 1; return; }
x += ${ENTRY_WORDS};
}`;

/** For markings in locals: home slots of a batch are read first, so that the reads overlap. After a failure none is stored. */
export function hashedQueue(words: number, entry: number): string {
  const hash = words - EXTRA_WORDS + 2;
  const put = Array.from({ length: words }, (_, k) => `arena[t + ${k}] = queue[k + ${k + 2}];`).join(' ');
  return `function settle(k: int) {
const u = queue[k + ${hash}] | ${USED};
const v = queue[k + ${hash + 1}];
let x = queue[k];
${walk(`const t = next * ${words}; ${put}`)}
}
function flush(last: int) {
found += waiting(last);
if (mode === 2) return;
const first = queueStart;
let touch = 0;
for (let k = first; k < last; k += ${entry}) {
const x = home(queue[k + ${hash}] | ${USED}, queue[k + ${hash + 1}]);
queue[k] = x;
touch ^= table[x];
}
touched = touch;
for (let k = first; k < last; k += ${entry}) if (full === 0) settle(k);
}`;
}

/** For markings with many words: looked up at once, and kept after the last state if new. */
export function hashedDirect(words: number): string {
  const hash = words - EXTRA_WORDS;
  return `function flush(q: int) {}
function begin(a: int) { copy(arena, next * ${words}, a, a + ${words}); }
function reach(l: int, a: int) {
if (mode === 2 || full !== 0) return;
const t = next * ${words};
const u = arena[t + ${hash}] | ${USED};
const v = arena[t + ${hash + 1}];
let x = home(u, v);
${walk(`arena[t + ${hash + 2}] = a;`, 'begin(a);')}
}`;
}

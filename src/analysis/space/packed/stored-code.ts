import { OUT_INTS } from './growing-memory.ts';
import { multiplier } from './step-code.ts';

/** A table whose entries refer to stored rows of `words` words; several threads add to it if it is shared. */
export interface StoredRows {
  readonly words: number;
  readonly shared: boolean;
}

/** Terms of one sum in the generated code. */
const MAX_TERMS_OF_SUM = 256;

/** Final hash mixing: xor-shift, multiply, xor-shift. */
const MIX = 'let h = (l ^ (l >>> 15)) * -1640531535; h ^= h >>> 16;';

const each = <T>(words: number, of: (word: number) => T): T[] => Array.from({ length: words }, (_, k) => of(k));

/** Statements that add up the hash of a marking, `l`. Wide markings have several: a translator descends into nested sums. */
export function hashAt(address: string, words: number): string {
  const terms = each(words, (k) => `arena[${address} + ${k}] * ${multiplier(k)}`);
  const sums: string[] = [];
  for (let k = 0; k < terms.length; k += MAX_TERMS_OF_SUM) sums.push(terms.slice(k, k + MAX_TERMS_OF_SUM).join(' + '));
  return sums.map((sum, k) => (k === 0 ? `let l = ${sum};` : `l = l + (${sum});`)).join('\n');
}

/**
 * Successors are queued in batches, each with its transition where its table entry will be. A flush first reads all table
 * entries, then all states these refer to, and only then processes them: the independent memory reads overlap.
 *
 * @param size words per successor in the queue
 */
export function storedQueue(rows: StoredRows, size: number): string {
  const { words } = rows;
  const same = each(words, (k) => `arena[b + ${k}] === queue[k + ${k + 2}]`).join(' && ');
  const put = each(words, (k) => `arena[t + ${k}] = queue[k + ${k + 2}];`).join(' ');
  return `function settle(k: int) {
const h = queue[k + 1];
let x = h & mask;
while (true) {
${load(rows)}
if (e === 0) {
if (mode === 1) { reached(-1); return; }
if (next === end) { full = 1; return; }
const t = next * ${words};
${put}
${storeEntry(rows, '')}
}
if (((e ^ h) & ~mask) === 0) {
const b = ((e & mask) - 1) * ${words};
if (${same}) { reached((e & mask) - 1); return; }
}
x = (x + 1) & mask;
}
}
function flush(last: int) {
found += waiting(last);
if (mode === 2) return;
const first = queueStart;
const m = mask;
if (mode === 1) { let n = written + ${OUT_INTS}; for (let k = first; k < last; k += ${size}) out[n++] = queue[k]; }
for (let k = first; k < last; k += ${size}) {
const l = queue[k + 1];
${MIX}
queue[k + 1] = h;
queue[k] = table[h & m];
}
let touch = 0;
for (let k = first; k < last; k += ${size}) {
const e = queue[k];
if (e !== 0 && ((e ^ queue[k + 1]) & ~m) === 0) touch ^= arena[((e & m) - 1) * ${words}];
}
touched = touch;
for (let k = first; k < last; k += ${size}) settle(k);
}`;
}

/** For markings with many words: assembled after the last state, looked up at once, and kept there if new. */
export function storedDirect(rows: StoredRows): string {
  const { words } = rows;
  return `function flush(q: int) {}
function begin(a: int) { copy(arena, next * ${words}, a, a + ${words}); }
function reach(l: int, a: int) {
if (mode === 2) return;
${MIX}
const t = next * ${words};
let x = h & mask;
while (true) {
${load(rows)}
if (e === 0) {
if (mode === 1) { reached(-1); return; }
if (next === end) { full = 1; return; }
${storeEntry(rows, 'begin(a);')}
}
if (((e ^ h) & ~mask) === 0) {
const b = ((e & mask) - 1) * ${words};
let k = 0;
while (k < ${words} && arena[b + k] === arena[t + k]) k++;
if (k === ${words}) { reached((e & mask) - 1); return; }
}
x = (x + 1) & mask;
}
}`;
}

const load = ({ shared }: StoredRows): string => (shared ? 'let e = Atomics.load(table, x);' : 'let e = table[x];');

function storeEntry({ shared }: StoredRows, after: string): string {
  const entry = 'const entry = (h & ~mask) | (next + 1);';
  return shared
    ? `${entry} const now = Atomics.compareExchange(table, x, 0, entry); if (now === 0) { next++; ${after} return; } e = now;`
    : `${entry} table[x] = entry; next++; ${after} return;`;
}

/** Functions that need the states that the table refers to. */
export function lookUps({ words, shared }: StoredRows): string {
  return `export function rehash(from: int, to: int) {
for (let i = from; i < to; i++) {
const a = i * ${words};
${hashAt('a', words)}
${MIX}
let x = h & mask;
const entry = (h & ~mask) | (i + 1);
${
  shared
    ? 'while (table[x] !== 0 || Atomics.compareExchange(table, x, 0, entry) !== 0) x = (x + 1) & mask;'
    : 'while (table[x] !== 0) x = (x + 1) & mask; table[x] = entry;'
}
}
}
export function find(): int {
const a = next * ${words};
${hashAt('a', words)}
${MIX}
let x = h & mask;
while (true) {
const e = table[x];
if (e === 0) return -1;
if (((e ^ h) & ~mask) === 0) {
const b = ((e & mask) - 1) * ${words};
let k = 0;
while (k < ${words} && arena[b + k] === arena[a + k]) k++;
if (k === ${words}) return (e & mask) - 1;
}
x = (x + 1) & mask;
}
return -1;
}`;
}

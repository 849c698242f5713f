/*
 * Sample:
 * const p = place('p'), q = place('q'); const next = n.intTable('next', new Int32Array(10));
 * fires((t) => t.put(q, { x: next.at(t.take(p).x) }));
 * →
 *   declare const K0: ints;
 */
import { pageSize } from '../../base/columns.ts';
import { type Expression, operands } from '../../net/expression.ts';
import { expressionsOfPlace, expressionsOfTransition } from '../../net/expressions.ts';
import type { Net, Table } from '../../net/net.ts';
import { MAX_PAGED } from '../limits.ts';
import { typed } from './bindings/range.ts';
import { emitDraws } from './draw.ts';
import type { Emission } from './emission.ts';
import { emitLog } from './firing/firing-log.ts';
import { FiringScope } from './firing/firing-scope.ts';
import { intValueAt } from './queue/queue-nodes.ts';
import { declareRows } from './table-rows.ts';

/** Code that all other code refers to: clock, counters, tables, functions of the host, checks. */
export function emitPrelude(e: Emission): string {
  const tables = [
    ...e.tableRows.map(declareRows),
    ...e.net.tables.map((t, k) => (e.context.columnOf(t.name) === undefined ? declareTable(t, k) : '')),
  ];
  const functions = callsOf(e.net).map(
    ({ id, count }) =>
      `declare function ${id}(${Array.from({ length: count }, (_, i) => `a${i}: num`).join(', ')}): num;`,
  );
  const observers = e.plans.flatMap((p) => {
    if (!e.options.observed.has(p.transition.name)) return [];
    const firing = new FiringScope(e, p);
    const parameters = ['time: num', ...firing.ids.map((v, k) => typed(v, firing.wide[k]!))].join(', ');
    const lasts = p.transition.delay !== undefined && !p.race;
    return [
      `declare function O${p.number}(${parameters});`,
      ...(lasts ? [`declare function E${p.number}(${parameters});`] : []),
    ];
  });
  const counts = e.layouts.flatMap((l) =>
    e.options.counted.has(l.place.name)
      ? [
          `declare function count${l.number}(${['time: num', 'change: int', ...(e.isColoured(l) ? l.place.fields.map((_, k) => `v${k}: num`) : [])].join(', ')});`,
        ]
      : [],
  );
  const width = Math.max(
    1,
    ...e.plans.flatMap((p) => p.transition.outputs.map((a) => e.layoutOf(a).place.fields.length + 1)),
  );
  const arcs = Math.max(1, ...e.plans.map((p) => p.transition.outputs.length));
  return `declare nogrow function fail(code: int, a: num, b: num, c: num, d: num);
declare nogrow function raise();
declare function renumber();
declare function sortMany(level: int, mark: int);
let now: num = 0; let latest: num = 0; let starts: num = 0;
let steps: num = 0; let instant: num = 0; let ages: int = 0; ${e.countsDeaths ? 'let deaths: num = 0; ' : ''}let freed: int = 0; let idle: int = 0; let lump: int = 0; let words: int = 0;
let soft: int = 0; let failed: int = 0; let trouble: int = 0;
let F: nums = nums(${Math.max(1, e.plans.length)});
let list: ints = ints(64); let listed: int = 0;
${emitLog(e)}
let rows: nums = nums(${width * arcs});
${[...tables, ...functions, ...observers, ...counts, emitDraws(e)].join('\n')}
function hash(x): int { let h = x; h ^= h >>> 15; h = Math.imul(h, ${0x2c1b3c6d}); return h ^ (h >>> 13); }
function folded(v: num): int { const h = Math.floor(v / ${2 ** 32}), l = v - h * ${2 ** 32}; return Math.imul(l - ${2 ** 31} | 0, 5) ^ h; }
function powerOf2(n): int { let p = 64; while (p < n) p *= 2; return p; }
noreturn function badIndex(index: num, length: num, table) { fail(3, table, index, length, 0); }
function intEntry(index: int, length: int, table): int { if (index < 0 || index >= length) badIndex(index, length, table); return index; }
function entry(index: num, length: num, table): num { if (!(index >= 0 && index < length && Number.isInteger(index))) badIndex(index, length, table); return index; }
// Used in guards: the failure is deferred, because another part of the guard may be false (S7).
function softEntry(index: num, length: num, table): num { if (index >= 0 && index < length && Number.isInteger(index)) return index; fail(3, table, index, length, 0); return 0; }
noreturn function badDelay(t, d: num) { fail(4, t, d, 0, 0); }
noreturn function badTime(p, d: num) { fail(4, -1, d, p, 0); }
noreturn function badCount(t, p, c: num) { fail(5, t, p, c, 0); }
noreturn function badColour(t, p, f, v: num) { fail(2, t, p, f, v); }
noreturn function badRoute(p, r: num) { fail(7, p, r, 0, 0); }
noreturn function badDemand(p, a: num, w: num, b: num) { fail(6, p, a, w, b); }
noreturn function badWeight(t, w: num) { fail(8, t, w, 0, 0); }
noreturn function badSum(t, w: num) { fail(8, t, w, 1, 0); }
noreturn function badProcess(t, p: num) { fail(15, t, p, 0, 0); }
noreturn function badPriority(p, v: num) { fail(14, p, v, 0, 0); }
function ranked(p, v: num): num { if (v !== v) badPriority(p, v); return v; }
function wholeCount(t, p, c: num): num { if (!(c >= 0 && c <= 1000000 && Number.isInteger(c))) badCount(t, p, c); return c; }
function enlist(s) { if (listed === list.length) list = grown(list, listed * 2); list[listed++] = s; }
export function nextOrder(): num { return starts++; }
export function removeEvent(node) { queueRemove(node); }
export function enterEvent(time: num, order: num, kind, value): int { const n = queuePush(time, order, kind); ${intValueAt('n', 0)} = value; return n; }
// Sorts rows by colour; a row is a count followed by the columns of the colour.
function sortRows(count, width) {
for (let i = width; i < count * width; i += width) for (let k = i; k > 0; k -= width) {
let c = 1;
while (c < width - 1 && rows[k - width + c] === rows[k + c]) c++;
if (rows[k - width + c] <= rows[k + c]) break;
for (let j = 0; j < width; j++) { const w = rows[k + j]; rows[k + j] = rows[k - width + j]; rows[k - width + j] = w; }
}
}
// An entry represents count candidates of weight w each: the index of the first whose running sum exceeds x.
function lumpAt(x: num, w: num, count): int {
let k: int = Math.min(count - 1, Math.floor(x / w));
while (k > 0 && k * w > x) k--;
while (k < count - 1 && (k + 1) * w <= x) k++;
return k;
}`;
}

/** Calls of the net's functions in its expressions: one item per function and number of arguments. */
export function callsOf(net: Net): { readonly id: string; readonly number: number; readonly count: number }[] {
  const numbers = new Map((net.functions ?? []).map((f, k) => [f.name, k]));
  const calls = new Map<string, { id: string; number: number; count: number }>();
  const visit = (x: Expression): void => {
    if (x.op === 'call') {
      const number = numbers.get(x.function)!;
      const id = `call${number}_${x.args.length}`;
      calls.set(id, { id, number, count: x.args.length });
    }
    for (const part of operands(x)) visit(part);
  };
  if (numbers.size > 0) {
    for (const t of net.transitions) for (const x of expressionsOfTransition(t)) visit(x);
    for (const p of net.places) for (const x of expressionsOfPlace(p)) visit(x);
  }
  return [...calls.values()];
}

function declareTable(t: Table, k: number): string {
  const id = `K${k}`;
  if (t.kind === 'routes') return `declare const ${id}_start: ints;`;
  if (t.kind === 'step')
    return `declare const ${id}_from: nums; declare const ${id}_values: nums;
function ${id}(x: num): num { let k = 0, end = ${t.from.length - 1}; while (k < end) { const middle = (k + end + 1) >> 1; if (${id}_from[middle] <= x) k = middle; else end = middle - 1; } return ${id}_values[k]; }`;
  const type = t.kind === 'int' ? 'ints' : 'nums';
  if (!('pages' in t.values)) return `declare const ${id}: ${type};`;
  // `K_pages`: the offset of each page in `K_kept`, −1 while it is not loaded.
  const { shift } = t.values;
  const size = pageSize(t.values);
  const pages = Math.max(1, Math.ceil(t.values.length / size));
  return `declare function ${id}_load(page: int): int;
let ${id}_pages: ints = ints(${pages}, -1); let ${id}_kept: ${type} = ${type}(${Math.min(pages * size, MAX_PAGED)});
function ${id}_at(x): ${t.kind === 'int' ? 'int' : 'num'} { let p = ${id}_pages[x >>> ${shift}]; if (p < 0) p = ${id}_load(x >>> ${shift}); return ${id}_kept[p + (x & ${size - 1})]; }`;
}

/*
 * Sample:
 * const p = place('p'), q = place('q'); fires((t) => { t.take(p); t.take(q); t.weight(2); });
 * →
 *   function treeBind0(Q: ints, q, by) { switch (Q[q]) { case 0: treeBound0_0[Q[q + 2] / 8 | 0] += by; … break; } }
 */
import type { Emission } from '../emission.ts';
import { strideOf } from '../layout.ts';
import { part } from '../part.ts';

/** A tree is built for at least MANY candidates, and dropped below FEW. */
const MANY = 32;
const FEW = 8;
/** Choices after which a tree pays off, and the maximum number of choices before the next attempt while trees do not pay off. */
const PAYS = 8;
const LONGEST_WAIT = 255;

/** Code of the tree of level `l`; the other parameters depend on the transitions of the level. */
const TREE = part(
  {
    bounds: 'code',
    l: 'number',
    binds: 'code',
    shares: 'code',
    rivals: 'code',
    takes: 'code',
    PAYS: 'number',
    LONGEST_WAIT: 'number',
    clear: 'code',
    room: 'code',
    FEW: 'number',
    EXACT: 'number',
    lump: 'code',
    owned: 'code',
    again: 'code',
  },
  `$bounds $owned
let treeSum$l: nums = nums(64);
// Number of entries in the tree, of those left, and of those left whose transition declares a weight; agenda offset of its end.
let treeSize$l: int = 0; let treeLeft$l: int = 0; let treeDeclares$l: int = 0; let treeEnd$l: int = 0;
let treeTotal$l: num = 0; let treeDeaths$l: num = 0;
let treeServed$l: int = 0; let treeRest$l: int = 0; let treeWait$l: int = 0;
function treeBind$l(Q: ints, q, by) { switch (Q[q]) { $binds } }
function treeShares$l(Q: ints, q): int { switch (Q[q]) { $shares } return 0; }
function treeRivals$l(Q: ints, a, b): int { if (Q[a] !== Q[b]) return 0; switch (Q[a]) { $rivals } return 0; }
// Removes the i-th entry from the tree; its words in the agenda stay.
function treeRemove$l(Q: ints, q, i: int) {
  const w = weightOf$l(Q, q);
  treeBind$l(Q, q, -1);
  treeTotal$l -= w;
  treeLeft$l--;
  if (declares$l(Q[q])) treeDeclares$l--;
  for (let j = i; j <= treeSize$l; j += j & -j) treeSum$l[j] -= w;
}
// Removes the adjacent entries that need a token that the entry takes; false if other entries may need one, too.
cold function treeClear$l(Q: ints, q, i: int): int {
  for (let side = -1; side <= 1; side += 2)
    for (let k = i + side; k >= 1 && k <= treeSize$l; k += side) {
      const other = front$l + (k - 1) * STRIDE;
      if (Q[other] < 0) continue;
      if (!treeRivals$l(Q, q, other)) break;
      treeRemove$l(Q, other, k);
      Q[other] = -1;
    }
  return !treeShares$l(Q, q);
}
function treeTakes$l(t): int { switch (t) { $takes } return 0; }
cold function treeDrop$l() {
  treeRest$l = treeServed$l < $PAYS ? Math.min(treeRest$l * 2 + 1, $LONGEST_WAIT) : 0;
  treeWait$l = treeRest$l;
  treeSize$l = 0;
}
cold function treeBuild$l() {
  treeLeft$l = 0; treeDeclares$l = 0; treeTotal$l = 0; treeServed$l = 0;
  treeEnd$l = front$l;
  treeDeaths$l = deaths;
  $clear
}
function treeAppend$l(Q: ints) {
  $room
  const size = treeSize$l + ((back$l - treeEnd$l) / STRIDE | 0);
  if (treeSum$l.length <= size) treeSum$l = grown(treeSum$l, size * 2);
  for (let q = treeEnd$l; q < back$l; q += STRIDE) {
    treeSize$l++;
    const i = treeSize$l;
    let sum: num = 0;
    if (keeps$l(Q, q)) {
      sum = weightOf$l(Q, q);
      treeTotal$l += sum;
      treeLeft$l++;
      if (declares$l(Q[q])) treeDeclares$l++;
      treeBind$l(Q, q, 1);
    }
    for (let j = i - 1, low = i & (i - 1); j > low; j &= j - 1) sum += treeSum$l[j];
    treeSum$l[i] = sum;
  }
  treeEnd$l = back$l;
}
// Chooses and starts a candidate; false if the tree is outdated, in which case nothing is drawn.
function treePick$l(): int {
  if (deaths !== treeDeaths$l) return 0;
  const Q = Q$l;
  if (treeEnd$l < back$l) treeAppend$l(Q);
  if (treeLeft$l < $FEW || treeDeclares$l === 0 || treeSize$l > treeLeft$l * 2 + 64) return 0;
  if (!(treeTotal$l < $EXACT)) return 0;
  const at = choice() * treeTotal$l;
  let i = 0, sum: num = 0;
  for (let step = 1 << (31 - Math.clz32(treeSize$l)); step > 0; step >>= 1) {
    const j = i + step;
    if (j <= treeSize$l && sum + treeSum$l[j] <= at) { i = j; sum += treeSum$l[j]; }
  }
  let q = front$l + i * STRIDE;
  $again
  $lump
  treeDeaths$l = treeShares$l(Q, q) && !treeClear$l(Q, q, i + 1) ? -1 : deaths + treeTakes$l(Q[q]);
  treeServed$l++;
  treeRemove$l(Q, q, i + 1);
  startMarked$l(Q, q);
  return 1;
}`,
);

/**
 * Code of a level where processes choose again (S15): `treeOwned` counts the live entries of each process. Only a process with
 * several of them chooses, after a scan.
 */
const OWNED = part(
  { l: 'number', MAX: 'number' },
  `let treeOwned$l: ints = ints(64);
function treeOwn$l(process: num, by) {
  if (!(process >= 0 && process < $MAX && Number.isInteger(process))) return;
  const at: int = process;
  if (treeOwned$l.length <= at) treeOwned$l = grown(treeOwned$l, at * 2);
  treeOwned$l[at] += by;
}
// The offset of the entry that the process of the entry at q chooses.
cold function treeAgain$l(Q: ints, q, process: num): int {
  let rivals = 0, total: num = 0;
  for (let k = front$l; k < treeEnd$l; k += STRIDE)
    if (Q[k] >= 0 && keeps$l(Q, k) && owner$l(Q, k) === process) { rivals++; total += weightOf$l(Q, k); }
  if (rivals < 2) return q;
  const bar = chooses(process) * total;
  let chosen = q, upTo: num = 0;
  for (let k = front$l; k < treeEnd$l; k += STRIDE)
    if (Q[k] >= 0 && keeps$l(Q, k) && owner$l(Q, k) === process) { chosen = k; upTo += weightOf$l(Q, k); if (upTo > bar) break; }
  return chosen;
}
function treeChosen$l(Q: ints, q): int {
  const process = owner$l(Q, q);
  if (process !== process) return q;
  if (process >= 0 && process < $MAX && Number.isInteger(process)) { const at: int = process; if (treeOwned$l[at] < 2) return q; }
  return treeAgain$l(Q, q, process);
}`,
);
/** Processes that are counted: more than a net can have results of. */
const MAX_COUNTED = 2 ** 18;

/**
 * Code that chooses by weight among many candidates of one priority in O(log n) instead of O(n): a Fenwick tree over the weights
 * of an agenda's entries (P. Fenwick, A new data structure for cumulative frequency tables, 1994). The weights are integer
 * constants, so sums are exact in any order, and the choice equals that of a linear scan (S10).
 *
 * A chosen entry stays in the agenda, marked, until the tree is dropped. The entries that a firing ends are found without a scan:
 * `treeBound<level>_<place>` counts, per record, the entries that bind it, and `deaths` counts tokens that left or were hidden.
 * Entries of one transition that need the same token are mostly adjacent, and are removed together with the chosen one. If any
 * other entry binds a token that is taken, or if other tokens have left, the tree is dropped, and the remaining entries are
 * scanned.
 */
export function emitWeightTree(e: Emission, l: number, lumps: boolean): string {
  if (!e.hasTree(l)) return '';
  const plans = e.prompt.filter((p) => e.level(p) === l);
  const layouts = [...new Set(plans.flatMap((p) => p.arcs.map((a) => e.layoutOf(a))))];
  const count = (place: number, slot: string, stride: number): string =>
    `treeBound${l}_${place}[${slot} / ${stride} | 0]`;
  const counts = plans.map((p) =>
    p.arcs.map((a, k) => {
      const layout = e.layoutOf(a);
      return { takes: a.kind === 'take', code: count(layout.number, `Q[q + ${2 + 2 * k}]`, strideOf(layout)) };
    }),
  );
  const cases = (of: (k: number) => string): string => plans.map((p, k) => `case ${p.number}: ${of(k)}`).join(' ');
  const owned = plans.map((p) => e.choosesForProcess(p));
  const binds = cases((k) => {
    const own = owned[k] === true ? `treeOwn${l}(owner${l}(Q, q), by); ` : '';
    return `${own}${counts[k]!.map((c) => `${c.code} += by;`).join(' ')} break;`;
  });
  const shares = cases((k) => {
    const taken = counts[k]!.filter((c) => c.takes).map((c) => `${c.code} > 1`);
    return `return ${taken.join(' || ') || '0'};`;
  });
  const rivals = cases((k) => {
    const taken = plans[k]!.arcs.flatMap((a, j) =>
      a.kind === 'take' ? [`Q[a + ${2 + 2 * j}] === Q[b + ${2 + 2 * j}]`] : [],
    );
    return `return ${taken.join(' || ') || '0'};`;
  });
  const takes = cases((k) => `return ${counts[k]!.filter((c) => c.takes).length};`);
  const room = layouts.map(({ number: n }, k) => {
    const records = `(I${n}.length / ${strideOf(layouts[k]!)} | 0)`;
    return `if (treeBound${l}_${n}.length < ${records}) treeBound${l}_${n} = grown(treeBound${l}_${n}, ${records});`;
  });
  return TREE({
    l,
    bounds: layouts.map((p) => `let treeBound${l}_${p.number}: ints = ints(1);`).join(' '),
    clear: [...layouts.map((p) => `treeBound${l}_${p.number}`), ...(owned.includes(true) ? [`treeOwned${l}`] : [])]
      .map((array) => `${array}.fill(0, 0, ${array}.length);`)
      .join(' '),
    owned: owned.includes(true) ? OWNED({ l, MAX: MAX_COUNTED }) : '',
    again: owned.includes(true) ? `q = treeChosen${l}(Q, q); i = ((q - front${l}) / STRIDE | 0);` : '',
    room: room.join(' '),
    lump: lumps ? `lump = lumpAt(at - sum, weigh${l}(Q, q), many${l}(Q, q));` : '',
    binds,
    shares,
    rivals,
    takes,
    PAYS,
    LONGEST_WAIT,
    FEW,
    EXACT: 2 ** 53,
  });
}

/** Code that chooses from the tree, if there is one, and returns. */
export const chooseFromTree = (e: Emission, l: number): string =>
  e.hasTree(l) ? `if (treeSize${l} > 0) { if (treePick${l}()) return; treeDrop${l}(); }` : '';

/** Code that builds a tree if `n` candidates justify it, chooses from it and returns. */
export const chooseFromNewTree = (e: Emission, l: number): string =>
  e.hasTree(l)
    ? `if (n >= ${MANY}) { if (treeWait${l} > 0) treeWait${l}--; else { treeBuild${l}(); if (treePick${l}()) return; treeDrop${l}(); } }`
    : '';

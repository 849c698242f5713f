/*
 * Sample:
 * const p = place('p'), q = place('q'); fires((t) => t.put(q, t.take(p)));
 * →
 *   function push0(s0) {
 *   const q = back0;
 *   if (q + STRIDE > Q0.length) growQ0();
 *   Q0[q] = 0; Q0[q + 1] = I0[s0 + 1]; Q0[q + 2] = s0; Q0[q + 3] = I0[s0];
 */
import { MAX_PASSED } from '../../limits.ts';
import type { TransitionPlan } from '../bindings/plan.ts';
import { isWide, typed } from '../bindings/range.ts';
import type { Emission } from '../emission.ts';
import { ageOf, statusOf } from '../layout.ts';

/**
 * Code of the agenda: per priority, a queue of candidates of prompt transitions in the order in which they start (S10). The
 * words of an entry are the transition, the age of its first token in canonical order, slot and status per arc, and the free
 * values as offsets from the lower bounds of their ranges. An entry whose tokens have left is skipped when it is reached.
 * `QS` holds the step since which each entry has been enabled.
 */
export function emitAgenda(e: Emission): string {
  const queues = e.levels.map(
    (
      _,
      l,
    ) => `let Q${l}: ints = ints(${e.stride * 64}); let QD${l}: nums = view(Q${l}); let front${l}: int = 0; let back${l}: int = 0;
${e.stamped ? `let QS${l}: nums = nums(64);` : ''}
cold function packQ${l}() {
  copy(Q${l}, 0, front${l}, back${l});
  ${e.stamped ? `copy(QS${l}, 0, ${entryNumber(e, `front${l}`)}, ${entryNumber(e, `back${l}`)});` : ''}
  back${l} -= front${l};
  front${l} = 0;
}
cold function growQ${l}() { Q${l} = grown(Q${l}, Q${l}.length * 2); ${e.stamped ? `QS${l} = grown(QS${l}, QS${l}.length * 2);` : ''} }
${emitSortStep(e, l)}`,
  );
  return `const STRIDE = ${e.stride};
${queues.join('\n')}
${e.prompt.map((p) => emitPush(e, p)).join('\n')}
${emitCompare(e)}`;
}

/**
 * Code that makes room in an agenda, where no position in it is in use. Within one instant it may never be empty, and most of its
 * entries may have lost their tokens: a receive from any source enters one for each message that waits.
 */
export const emitPack = (l: number): string =>
  `if (front${l} > ${MAX_PASSED} * STRIDE && front${l} > back${l} - front${l}) packQ${l}();`;

/** Code: the index of the entry at word offset `at`, which must not be negative. */
export const entryNumber = (e: Emission, at: string): string =>
  Number.isInteger(Math.log2(e.stride)) ? `(${at} >> ${Math.log2(e.stride)})` : `(${at} / STRIDE | 0)`;

function emitPush(e: Emission, plan: TransitionPlan): string {
  const l = e.level(plan);
  const slots = plan.arcs.map((_, k) => `s${k}`);
  const free = e.listed(plan).map((v, k) => typed(`f${k}`, isWide(v.range)));
  const first = inOrderOfPlaces(e, plan)[0]!;
  const entry = [
    `Q${l}[q] = ${plan.number}; Q${l}[q + 1] = ${ageOf(first.layout, `s${first.k}`)};`,
    ...plan.arcs.map(
      (a, k) => `Q${l}[q + ${2 + 2 * k}] = s${k}; Q${l}[q + ${3 + 2 * k}] = ${statusOf(e.layoutOf(a), `s${k}`)};`,
    ),
    ...e.listed(plan).map((v, k) => `Q${l}[q + ${2 + 2 * plan.arcs.length + k}] = f${k}${offset(-v.range.low)};`),
  ];
  return `function push${plan.number}(${[...slots, ...free].join(', ')}) {
const q = back${l};
if (q + STRIDE > Q${l}.length) growQ${l}();
${entry.join(' ')}
${e.stamped ? `QS${l}[${entryNumber(e, 'q')}] = steps;` : ''}
back${l} = q + STRIDE;
}`;
}

const offset = (by: number): string => (by === 0 ? '' : by < 0 ? ` - ${-by}` : ` + ${by}`);

/** The arcs of a transition in the order of the places' names; arcs to one place in the order of the net. */
export function inOrderOfPlaces(
  e: Emission,
  plan: TransitionPlan,
): { k: number; layout: ReturnType<Emission['layoutOf']> }[] {
  return plan.arcs
    .map((a, k) => ({ k, layout: e.layoutOf(a) }))
    .sort((a, b) => a.layout.number - b.layout.number || a.k - b.k);
}

/** Code that compares candidates of one step (S10): by the ages of their tokens, number of arcs, transition name, free values. */
function emitCompare(e: Emission): string {
  const ages = e.prompt.map((p) => {
    const arcs = inOrderOfPlaces(e, p);
    const code = arcs.map(
      ({ k, layout }, i) => `${i === arcs.length - 1 ? '' : `k === ${i} ? `}${ageOf(layout, `Q[q + ${2 + 2 * k}]`)}`,
    );
    return `case ${p.number}: return ${code.join(' : ')};`;
  });
  const byNumber = (count: (p: TransitionPlan) => number): string =>
    e.plans.map((p) => `case ${p.number}: return ${count(p)};`).join(' ');
  return `cold function arcsOf(t): int { switch (t) { ${byNumber((p) => p.arcs.length)} } return 0; }
cold function freeOf(t): int { switch (t) { ${byNumber((p) => e.listed(p).length)} } return 0; }
function age(Q: ints, q, k): int {
switch (Q[q]) { ${ages.join('\n')} }
return 0;
}
function compare(Q: ints, a, b): int {
const first = Q[a + 1] - Q[b + 1];
if (first !== 0) return first;
const s = Q[a], t = Q[b], m = arcsOf(s), n = Math.min(m, arcsOf(t));
for (let k = 1; k < n; k++) { const d = age(Q, a, k) - age(Q, b, k); if (d !== 0) return d; }
if (m !== arcsOf(t)) return m - arcsOf(t);
if (s !== t) return s - t;
for (let k = 2 + 2 * n; k < 2 + 2 * n + freeOf(s); k++) if (Q[a + k] !== Q[b + k]) return Q[a + k] - Q[b + k];
return 0;
}`;
}

/** Up to this many entries of a step are sorted in place by insertion; a step rarely enables more. */
const FEW = 8;

/** Code that sorts the entries of one step, from `mark` on, into canonical order and removes duplicates. */
function emitSortStep(e: Emission, l: number): string {
  return `export function compare${l}(a, b): int { return compare(Q${l}, a, b); }
function sortStep${l}(mark) {
if ((back${l} - mark) > ${FEW} * STRIDE) {
  // Entries of many tokens of one place are found in the order of their ages; their other tokens may be the same.
  let k = mark + STRIDE;
  while (k < back${l} && compare(Q${l}, k - STRIDE, k) < 0) k += STRIDE;
  if (k < back${l}) sortMany(${l}, mark);
  return;
}
let end = mark + STRIDE;
for (let k = end; k < back${l}; k += STRIDE) {
  // Common case: the entry follows its predecessor in the order.
  if (k === end && Q${l}[k - STRIDE + 1] < Q${l}[k + 1]) { end += STRIDE; continue; }
  let to = end, order = 1;
  while (to > mark) {
    order = Q${l}[to - STRIDE + 1] > Q${l}[k + 1] ? 1 : compare(Q${l}, to - STRIDE, k);
    if (order <= 0) break;
    to -= STRIDE;
  }
  if (to > mark && order === 0) continue;
  if (to < k) {
    ${emitMove(e, l, 'k', 'to', 'end')}
  }
  end += STRIDE;
}
back${l} = end;
}`;
}

/** Code that moves the entry at `from` to `to` after shifting the entries in [`to`, `end`) up by one; needs `from` ≥ `end`. */
export function emitMove(e: Emission, l: number, from: string, to: string, end: string): string {
  // The stride is even: entries are moved as doubles, two words at a time.
  const words = (code: (i: number) => string): string =>
    Array.from({ length: e.stride / 2 }, (_, i) => code(i)).join(' ');
  return `${words((i) => `const w${i}: num = QD${l}[(${from} >> 1) + ${i}];`)}
    if (${to} === ${end} - STRIDE) { ${words((i) => `QD${l}[(${end} >> 1) + ${i}] = QD${l}[(${to} >> 1) + ${i}];`)} }
    else if (${to} < ${end}) copy(Q${l}, ${to} + STRIDE, ${to}, ${end});
    ${words((i) => `QD${l}[(${to} >> 1) + ${i}] = w${i};`)}`;
}

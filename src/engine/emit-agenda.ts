import type { Emission } from './emission.ts';
import { ageOf, generationOf } from './layout.ts';
import type { TransitionPlan } from './plan.ts';

/**
 * The agenda: per priority a queue of candidates of prompt transitions, in the order in which they start (S10). An entry is
 * the transition, the age of the first token in canonical order, per arc slot and generation, then the free values as
 * offsets; entries whose tokens have left are skipped when their turn comes. `QS` keeps since which step an entry is enabled.
 */
export function emitAgenda(e: Emission): string {
  const queues = e.levels.map(
    (_, l) => `let Q${l} = new Int32Array(STRIDE * 256), front${l} = 0, back${l} = 0;
${e.stamped ? `let QS${l} = new Float64Array(256);` : ''}
function growQ${l}() { Q${l} = grown(Q${l}, Q${l}.length * 2); ${e.stamped ? `QS${l} = grown(QS${l}, QS${l}.length * 2);` : ''} }
${emitSortStep(l)}`,
  );
  return `const STRIDE = ${e.stride};
const spare = new Int32Array(STRIDE);
${queues.join('\n')}
${e.prompt.map((p) => emitPush(e, p)).join('\n')}
${emitCompare(e)}`;
}

function emitPush(e: Emission, plan: TransitionPlan): string {
  const l = e.level(plan);
  const slots = plan.arcs.map((_, k) => `s${k}`);
  const free = e.listed(plan).map((_, k) => `f${k}`);
  const first = inOrderOfPlaces(e, plan)[0]!;
  const entry = [
    `Q${l}[q] = ${plan.number}; Q${l}[q + 1] = ${ageOf(first.layout, `s${first.k}`)};`,
    ...plan.arcs.map(
      (a, k) => `Q${l}[q + ${2 + 2 * k}] = s${k}; Q${l}[q + ${3 + 2 * k}] = ${generationOf(e.layoutOf(a), `s${k}`)};`,
    ),
    ...e.listed(plan).map((v, k) => `Q${l}[q + ${2 + 2 * plan.arcs.length + k}] = f${k}${offset(-v.range.low)};`),
  ];
  return `function push${plan.number}(${[...slots, ...free].join(', ')}) {
const q = back${l};
if (q + STRIDE > Q${l}.length) growQ${l}();
${entry.join(' ')}
${e.stamped ? `QS${l}[q / STRIDE] = steps;` : ''}
back${l} = q + STRIDE;
}`;
}

const offset = (by: number): string => (by === 0 ? '' : by < 0 ? ` - ${-by}` : ` + ${by}`);

/** The arcs of a transition in the order of the places' names. */
export function inOrderOfPlaces(
  e: Emission,
  plan: TransitionPlan,
): { k: number; layout: ReturnType<Emission['layoutOf']> }[] {
  return plan.arcs
    .map((a, k) => ({ k, layout: e.layoutOf(a) }))
    .sort((a, b) => a.layout.number - b.layout.number || a.k - b.k);
}

/** Candidates of one step in canonical order: the ages of their tokens, the transition's name, the free values. */
function emitCompare(e: Emission): string {
  const ages = e.prompt.map((p) => {
    const arcs = inOrderOfPlaces(e, p);
    const code = arcs.map(
      ({ k, layout }, i) => `${i === arcs.length - 1 ? '' : `k === ${i} ? `}${ageOf(layout, `Q[q + ${2 + 2 * k}]`)}`,
    );
    return `case ${p.number}: return ${code.join(' : ')};`;
  });
  return `const ARCS = [${e.plans.map((p) => p.arcs.length).join(', ')}], FREE = [${e.plans.map((p) => e.listed(p).length).join(', ')}];
function age(Q, q, k) {
switch (Q[q]) { ${ages.join('\n')} }
return 0;
}
function compare(Q, a, b) {
const first = Q[a + 1] - Q[b + 1];
if (first !== 0) return first;
const s = Q[a], t = Q[b], n = Math.min(ARCS[s], ARCS[t]);
for (let k = 1; k < n; k++) { const d = age(Q, a, k) - age(Q, b, k); if (d !== 0) return d; }
if (ARCS[s] !== ARCS[t] || s !== t) return ARCS[s] - ARCS[t] || s - t;
for (let k = 2 + 2 * n; k < 2 + 2 * n + FREE[s]; k++) if (Q[a + k] !== Q[b + k]) return Q[a + k] - Q[b + k];
return 0;
}`;
}

/** Puts the entries of one step, from `mark` on, in canonical order; an entry that was found twice stays once. */
function emitSortStep(l: number): string {
  return `function sortStep${l}(mark) {
const Q = Q${l}, n = (back${l} - mark) / STRIDE;
if (n <= 8) {
  // Insertion, in place: a step seldom enables more.
  let end = mark + STRIDE;
  for (let k = end; k < back${l}; k += STRIDE) {
    let to = end, order = 1;
    while (to > mark && (order = compare(Q, to - STRIDE, k)) > 0) to -= STRIDE;
    if (to > mark && order === 0) continue;
    if (to < k) {
      for (let i = 0; i < STRIDE; i++) spare[i] = Q[k + i];
      if (to < end) Q.copyWithin(to + STRIDE, to, end);
      for (let i = 0; i < STRIDE; i++) Q[to + i] = spare[i];
    }
    end += STRIDE;
  }
  back${l} = end;
  return;
}
const order = []; for (let k = mark; k < back${l}; k += STRIDE) order.push(k);
order.sort((a, b) => compare(Q, a, b));
let to = mark, last = -1;
const copy = Q.slice(mark, back${l});
const kept = order.filter((k) => { const same = last >= 0 && compare(Q, last, k) === 0; last = k; return !same; });
for (const from of kept) { for (let k = 0; k < STRIDE; k++) Q[to + k] = copy[from - mark + k]; to += STRIDE; }
back${l} = to;
}`;
}

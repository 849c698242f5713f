/*
 * Sample:
 * const p = place('p'); fires((t) => { t.take(p); t.weight(2); });
 * →
 *   function pick0() {
 *   const Q = Q0;
 *   if (back0 - front0 > STRIDE) { choose0(); return; }
 */
import type { Emission } from '../emission.ts';
import { alive, candidateAt, fireCall, isStamped, lumpSize } from '../firing/firing.ts';
import { emitMove, entryNumber } from '../queue/agenda.ts';
import { ROUNDING } from '../queue/queue-year.ts';
import { chooseFromNewTree, chooseFromTree, emitWeightTree } from '../services/weight-tree.ts';
import type { TransitionPlan } from './plan.ts';

/** Code that sets `lump`, the candidate of an entry that represents several: drawn if a weight is declared, else the first. */
function drawLump(e: Emission, plan: TransitionPlan): string {
  if (e.listed(plan).length === plan.free.length) return '';
  const { weight } = plan.transition;
  const n = lumpSize(plan.free);
  if (weight?.op !== 'const' || n === 1) return 'lump = 0;';
  if (weight.value === 1) return `lump = lowWord(Math.floor(choice() * ${n}) + ${ROUNDING});`;
  return `lump = lumpAt(choice() * ${weight.value} * ${n}, ${weight.value}, ${n});`;
}

/**
 * Code that chooses again among the candidates that have the same process as the one at `q`, with that process's own random
 * numbers (S15). This changes no probability.
 */
function chooseAgain(l: number): string {
  const own = (k: string): string => `owner${l}(Q, front${l} + ${k} * STRIDE) === process`;
  return `const process = owner${l}(Q, q);
if (process === process) {
  let rivals = 0;
  total = 0;
  for (let i = 0; i < n; i++) if (${own('i')}) { rivals++; total += W${l}[i]; }
  if (rivals > 1) {
    const bar = chooses(process) * total;
    let upTo: num = 0;
    for (let i = 0; i < n; i++) {
      if (!(${own('i')})) continue;
      q = front${l} + i * STRIDE;
      upTo += W${l}[i];
      if (upTo > bar) break;
    }
  }
}`;
}

/** A transition's weight if it is a valid constant, otherwise `undefined`. An undeclared weight is 1. */
function constantWeight({ transition: { weight } }: TransitionPlan): number | undefined {
  if (weight === undefined) return 1;
  return weight.op === 'const' && weight.value > 0 && weight.value < Number.POSITIVE_INFINITY
    ? weight.value
    : undefined;
}

/** The common weight of all agenda entries of these transitions, if it is an integer (so that sums are exact), else `undefined`. */
function equalWeight(e: Emission, plans: readonly TransitionPlan[]): number | undefined {
  const weights = plans.map((p) => (constantWeight(p) ?? Number.NaN) * (isLumped(e, p) ? lumpSize(p.free) : 1));
  const [w] = weights;
  return Number.isInteger(w) && w! <= 2 ** 20 && weights.every((x) => x === w) ? w : undefined;
}

/** True if one entry represents all values of the free variables. */
const isLumped = (e: Emission, plan: TransitionPlan): boolean => e.listed(plan).length < plan.free.length;

/** Code that draws one of `n` entries by weight into `q`; `at - sum` is then the remainder of the drawn number within that entry. */
const drawAmong = (l: number, owned: boolean): string => `if (W${l}.length < n) W${l} = grown(W${l}, n * 2);
  let total: num = 0;
  for (let k = 0; k < n; k++) total += W${l}[k] = weightOf${l}(Q, front${l} + k * STRIDE);
  if (!(total < Infinity)) badSum(Q[q], total);
  const at = choice() * total;
  let sum: num = 0, k = 0;
  for (; k < n - 1; k++) { if (at < sum + W${l}[k]) break; sum += W${l}[k]; }
  q = front${l} + k * STRIDE;
  ${owned ? chooseAgain(l) : ''}`;

/** As {@link drawAmong}, for entries of equal weight. */
const drawAmongEqual = (l: number, weight: number): string => `let sum: num = n;
  const at = choice() * (sum * ${weight});
  const k = lumpAt(at, ${weight}, n);
  sum = k;
  sum *= ${weight};
  q = front${l} + k * STRIDE;`;

/**
 * Code that chooses among the candidates of a priority if weights are declared (S10): O(candidates), or O(log candidates) with a
 * tree of their weights ({@link emitWeightTree}).
 */
export function emitPick(e: Emission, l: number): string {
  const plans = e.prompt.filter((p) => e.level(p) === l);
  if (plans.every((p) => p.transition.weight === undefined)) return '';
  const valid = plans.map((p) => {
    const held = isStamped(e, p)
      ? ` && valid${p.number}(${[...candidateAt(e, p), `QS${l}[${entryNumber(e, 'q')}]`].join(', ')})`
      : '';
    return `${alive(e, p)}${held}`;
  });
  const alone = plans.map((p, k) => {
    return `case ${p.number}: if (${valid[k]}) { ${drawLump(e, p)} ${fireCall(e, p, `QS${l}[${entryNumber(e, 'q')}]`, true)}; } break;`;
  });
  const weights = plans.map((p) => {
    return `case ${p.number}: return ${constantWeight(p) ?? `weight${p.number}(${candidateAt(e, p).join(', ')})`};`;
  });
  const many = plans.flatMap((p) => (isLumped(e, p) ? [`case ${p.number}: return ${lumpSize(p.free)};`] : []));
  const declares = plans.filter((p) => p.transition.weight !== undefined).map((p) => p.number);
  const starts = plans
    .map((p) => `case ${p.number}: ${fireCall(e, p, `QS${l}[${entryNumber(e, 'q')}]`, true)}; break;`)
    .join('\n');
  const lumps = many.length > 0;
  const owned = plans.filter((p) => e.choosesForProcess(p));
  const owners = owned.map((p) => `case ${p.number}: return process${p.number}(${candidateAt(e, p).join(', ')});`);
  const equal = owned.length > 0 ? undefined : equalWeight(e, plans);
  // Fast path of `pick`: usually only one entry is left, and nothing has to be compared.
  return `function keeps${l}(Q: ints, q): int { switch (Q[q]) { ${plans.map((p, k) => `case ${p.number}: return ${valid[k]};`).join(' ')} } return 0; }
function weigh${l}(Q: ints, q): num { switch (Q[q]) { ${weights.join(' ')} } return 1; }
function declares${l}(t): int { switch (t) { ${declares.map((n) => `case ${n}:`).join(' ')} return 1; } return 0; }
${owned.length > 0 ? `function owner${l}(Q: ints, q): num { switch (Q[q]) { ${owners.join(' ')} } return NaN; }` : ''}
${lumps ? `function many${l}(Q: ints, q): int { switch (Q[q]) { ${many.join(' ')} } return 1; }` : ''}
function weightOf${l}(Q: ints, q): num { return weigh${l}(Q, q)${lumps ? ` * many${l}(Q, q)` : ''}; }
${e.hasTree(l) ? `function startMarked${l}(Q: ints, q) { const t = Q[q]; Q[q] = -1; switch (t) { ${starts} } }` : ''}
${emitWeightTree(e, l, lumps)}
${equal === undefined ? `let W${l}: nums = nums(64);` : ''}
function pick${l}() {
const Q = Q${l};
if (back${l} - front${l} > STRIDE) { choose${l}(); return; }
const q = front${l};
front${l} = back${l} = 0;
switch (Q[q]) { ${alone.join('\n')} }
}
function choose${l}() {
${chooseFromTree(e, l)}
const Q = Q${l};
let end = front${l}, weighted = 0;
for (let q = front${l}; q < back${l}; q += STRIDE) {
  if (!keeps${l}(Q, q)) continue;
  if (end !== q) { for (let i = 0; i < STRIDE; i++) Q[end + i] = Q[q + i]; ${e.stamped ? `QS${l}[${entryNumber(e, 'end')}] = QS${l}[${entryNumber(e, 'q')}];` : ''} }
  if (declares${l}(Q[end])) weighted = 1;
  end += STRIDE;
}
back${l} = end;
const n = ((end - front${l}) / STRIDE | 0);
if (n === 0) { front${l} = back${l} = 0; return; }
let q = front${l};
${lumps ? 'lump = 0;' : ''}
if (weighted && (n > 1${lumps ? ` || many${l}(Q, q) > 1` : ''})) {
  ${chooseFromNewTree(e, l)}
  ${equal === undefined ? drawAmong(l, owned.length > 0) : drawAmongEqual(l, equal)}
  ${lumps ? `lump = lumpAt(at - sum, weigh${l}(Q, q), many${l}(Q, q));` : ''}
}
// Moves the chosen entry to the front; the others keep their order.
if (q !== front${l}) {
  ${e.stamped ? `const since = QS${l}[${entryNumber(e, 'q')}];` : ''}
  const first = front${l};
  ${emitMove(e, l, 'q', 'first', 'q')}
  ${e.stamped ? `copy(QS${l}, ${entryNumber(e, `front${l}`)} + 1, ${entryNumber(e, `front${l}`)}, ${entryNumber(e, 'q')}); QS${l}[${entryNumber(e, `front${l}`)}] = since;` : ''}
  q = front${l};
}
front${l} += STRIDE;
if (front${l} === back${l}) front${l} = back${l} = 0;
switch (Q[q]) { ${starts} }
}`;
}

/*
 * Sample:
 * const p = place('p');
 * n.transition('u', (t) => { t.take(p); }); fires((t) => { t.take(p); });
 * options({ conflicts: () => {} });
 * →
 *   function meets0(Q: ints, q, r): int {
 *   switch (Q[q]) {
 *   case 0: switch (Q[r]) { case 1: return (Q[q + 2] === Q[r + 2] && row0(Q[q + 2]) < 2); } break;
 */
import type { Emission } from '../emission.ts';
import { alive, candidateAt, isStamped } from '../firing/firing.ts';
import { entryNumber } from '../queue/agenda.ts';
import type { TransitionPlan } from './plan.ts';

/** Code that is true if the entries at `q` and `r` share a token of which there are too few for both. */
function sharing(e: Emission, one: TransitionPlan, other: TransitionPlan): string {
  const shared = one.arcs.flatMap((a, i) =>
    other.arcs.flatMap((b, j) => {
      if (a.place !== b.place || (a.kind !== 'take' && b.kind !== 'take')) return [];
      const slot = `Q[q + ${2 + 2 * i}]`;
      return [`(${slot} === Q[r + ${2 + 2 * j}] && row${e.layoutOf(a).number}(${slot}) < ${a.count + b.count})`];
    }),
  );
  return shared.join(' || ');
}

/** The transitions of a level between which the order of ages decides: none has a weight. */
const undecided = (e: Emission, l: number): readonly TransitionPlan[] =>
  e.options.conflicts === true && !e.isWeighted(l) ? e.prompt.filter((p) => e.level(p) === l) : [];

/** Code that reports the candidates of other transitions that the first one of a level could disable (S10). */
export function emitConflicts(e: Emission, l: number): string {
  const plans = undecided(e, l);
  const rows = plans.flatMap((one) => {
    const cases = plans.flatMap((other) => {
      const code = one === other ? '' : sharing(e, one, other);
      return code === '' ? [] : [`case ${other.number}: return ${code};`];
    });
    return cases.length === 0 ? [] : [`case ${one.number}: switch (Q[r]) { ${cases.join(' ')} } break;`];
  });
  if (rows.length === 0) return '';
  const live = plans.map((p) => {
    const valid = `valid${p.number}(${[...candidateAt(e, p), `QS${l}[${entryNumber(e, 'q')}]`].join(', ')})`;
    return `case ${p.number}: return ${alive(e, p)}${isStamped(e, p) ? ` && ${valid}` : ''};`;
  });
  return `function meets${l}(Q: ints, q, r): int {
switch (Q[q]) {
${rows.join('\n')}
}
return 0;
}
function live${l}(Q: ints, q): int { switch (Q[q]) { ${live.join(' ')} } return 0; }
function conflicts${l}(q) {
const Q = Q${l};
if (!live${l}(Q, q)) return;
for (let r = q + STRIDE; r < back${l}; r += STRIDE) if (live${l}(Q, r) && meets${l}(Q, q, r)) conflict(Q[q], Q[r]);
}`;
}

/** A call of the code of {@link emitConflicts} for the entry at `q`, or nothing. */
export const conflictsCall = (e: Emission, l: number): string =>
  emitConflicts(e, l) === '' ? '' : `conflicts${l}(q);\n`;

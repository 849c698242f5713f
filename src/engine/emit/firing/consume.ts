/*
 * Sample:
 * const p = place('p'), q = place('q'); fires((t) => { t.take(p); t.take(q); });
 * →
 *   let r0 = rm0(s0);
 *   let r1 = rm1(s1);
 *   if (r0 >= 0) ex0(r0);
 *   if (r1 >= 0) ex1(r1);
 */
import { examineCall, mayJoin } from '../bindings/examine.ts';
import { inOrder, within } from '../bindings/join.ts';
import type { TransitionPlan } from '../bindings/plan.ts';
import { rangeOf } from '../bindings/range.ts';
import type { Emission } from '../emission.ts';
import { emitValue } from '../expression.ts';
import {
  bucketCode,
  fieldOf,
  HIDDEN,
  headOf,
  indexFor,
  isState,
  nextOf,
  type PlaceLayout,
  VISIBLE,
} from '../layout.ts';
import type { FiringScope } from './firing-scope.ts';

/**
 * Code that removes the tokens that a firing takes, then those it resets, and then examines the tokens that become visible and
 * the candidates that become enabled. Inhibitor stamps are set before anything is removed, because they record the state before
 * this step.
 */
export function emitConsume(e: Emission, plan: TransitionPlan, firing: FiringScope): string {
  const before: string[] = [];
  const take: string[] = [];
  const after: string[] = [];
  const shown: string[] = [];
  const places = new Set<PlaceLayout>();
  plan.arcs.forEach((a, k) => {
    if (a.kind !== 'take') return;
    const layout = e.layoutOf(a);
    const n = layout.number;
    places.add(layout);
    const wakes = e.inhibitedBy(layout);
    const fields = layout.place.fields.map((_, i) => `w${k}_${i}`);
    if (wakes.length > 0 && fields.length > 0)
      before.push(`const ${fields.map((w, i) => `${w} = ${fieldOf(layout, i, `s${k}`)}`).join(', ')};`);
    for (const { plan: other, inhibitor } of wakes) {
      before.push(`leave${other.number}_${inhibitor}(${fields.join(', ')});`);
      after.push(`free${other.number}_${inhibitor}(${fields.join(', ')});`);
    }
    let head = `s${k}`;
    for (const j of plan.rivals[k]!) head = `(s${j} === s${k} ? r${j} : ${head})`;
    take.push(`let r${k} = rm${n}(${head});`);
    if (a.count > 1) take.push(`for (let c = 1; c < ${a.count}; c++) r${k} = rm${n}(r${k});`);
    if (e.uses(layout).length === 0) return;
    // A token that one arc made visible may have been taken or reset by another arc.
    const sure =
      plan.rivals.every((r, j) => !r.includes(k) && !plan.rivals[k]!.includes(j)) && plan.resets.length === 0;
    shown.push(
      `if (r${k} >= 0${sure ? '' : ` && ${isState(layout, `r${k}`, VISIBLE)}`}) ${examineCall(e, layout, `r${k}`, (f) => fieldOf(layout, f, `s${k}`))}`,
    );
  });
  const resets = plan.resets.map((_, h) => emitReset(e, plan, h, firing, places));
  for (const l of places) for (const other of e.filledBy(l)) after.push(`again${other.number}();`);
  return [
    ...before,
    ...take,
    ...resets.map((r) => r.remove),
    ...shown,
    ...resets.map((r) => r.show),
    ...new Set(after),
    ...resets.map((r) => r.free),
  ].join('\n  ');
}

/** Code that collects the matching tokens, sets stamps, removes the tokens, and then examines those that were behind them. */
function emitReset(
  e: Emission,
  plan: TransitionPlan,
  h: number,
  firing: FiringScope,
  places: Set<PlaceLayout>,
): { remove: string; show: string; free: string } {
  const arc = plan.resets[h]!;
  const layout = e.layoutOf(arc);
  const n = layout.number;
  places.add(layout);
  const pattern = inOrder(arc, layout);
  const columns = layout.place.fields.flatMap((f, k) => (pattern[f.name] === undefined ? [] : [k]));
  const number = indexFor(layout, columns);
  const index = layout.indexes[number]!;
  const id = `z${h}`;
  const keys = columns.map((k) => `${id}_${k}`);
  const values = columns.map((k) => {
    const x = pattern[layout.place.fields[k]!.name]!;
    return { k, code: emitValue(x, firing.scope), range: rangeOf(x, firing.scope.ranges, e.tables) };
  });
  const inside =
    index.kind === 'dense'
      ? index.fields.map((f) => within(`${id}_${f}`, layout.ranges[f]!, values.find((v) => v.k === f)!.range))
      : [];
  const bucket = bucketCode(
    layout,
    number,
    index.fields.map((f) => `${id}_${f}`),
  );
  const match = columns.map((f, i) => `${fieldOf(layout, f, 's')} === ${keys[i]}`).join(' && ') || 'true';
  const wakes = e.inhibitedBy(layout);
  const fields = layout.place.fields.map((_, i) => fieldOf(layout, i, 's')).join(', ');
  const each = (what: string): string =>
    wakes.length === 0
      ? ''
      : `for (let i = ${id}; i < ${id}n; i++) { const s = list[i]; ${wakes.map((w) => `${what}${w.plan.number}_${w.inhibitor}(${fields});`).join(' ')} }`;
  const joins = mayJoin(e, layout);
  const behind = joins ? `const r = behind${n}(list[i]); rm${n}(list[i]);` : `const r = rm${n}(list[i]);`;
  // `list` holds the tokens to be removed, followed by the tokens that become visible or were behind a removed one.
  return {
    remove: `const ${id} = listed; ${values.map((v) => `const ${id}_${v.k} = ${v.code};`).join(' ')}
  if (${inside.filter((t) => t !== 'true').join(' && ') || 'true'}) for (let s = ${headOf(layout, number, bucket)}; s >= 0; s = ${nextOf(layout, number, 's')}) if (${match}) enlist(s);
  const ${id}n = listed;
  ${each('leave')}
  for (let i = ${id}; i < ${id}n; i++) { ${behind} if (r >= 0) enlist(r); }
  const ${id}r = listed;`,
    show:
      e.uses(layout).length === 0
        ? ''
        : `for (let i = ${id}n; i < ${id}r; i++) { const r = list[i]; if (${isState(layout, 'r', VISIBLE)}) ${examineCall(e, layout, 'r', (f) => fieldOf(layout, f, 'r'))}${joins ? ` else if (${isState(layout, 'r', HIDDEN)}) joined${n}(r);` : ''} }`,
    free: `${each('free')}${h === 0 ? ' listed = 0;' : ''}`,
  };
}

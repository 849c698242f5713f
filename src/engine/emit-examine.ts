import { type Expression, variablesOf } from '../net/expression.ts';
import type { Emission } from './emission.ts';
import { emitValue, literal, mayFail, type Scope } from './emit-expression.ts';
import { Join, needsRow, type TransitionPlan } from './emit-join.ts';
import type { PlaceLayout } from './layout.ts';
import type { Range } from './range.ts';

/** A new visible token: the candidates it is part of. Conditions that compare with a constant become a switch. */
export function emitExamine(e: Emission, layout: PlaceLayout): string {
  const uses = e.uses(layout);
  if (uses.length === 0) return '';
  const fields = layout.place.fields.map((_, k) => `t${k}`);
  const groups: { selector: string; cases: { value: number; code: string }[]; plain: string[] }[] = [];
  for (const { plan, arc } of uses) {
    const choice = selectorOf(e, plan, arc, fields);
    const code = emitCandidates(e, plan, arc, 's', choice === undefined ? [] : [choice.condition]);
    const group = choice && groups.find((g) => g.selector === choice.selector);
    if (choice === undefined) groups.push({ selector: '', cases: [], plain: [code] });
    else if (group === undefined)
      groups.push({ selector: choice.selector, cases: [{ value: choice.value, code }], plain: [] });
    else group.cases.push({ value: choice.value, code });
  }
  const body = groups.map((g) => {
    if (g.selector === '') return g.plain.map((c) => `{ ${c} }`).join('\n');
    const values = [...new Set(g.cases.map((c) => c.value))];
    return `switch (${g.selector}) {\n${values
      .map((v) => {
        const all = g.cases.filter((c) => c.value === v).map((c) => `{ ${c.code} }`);
        return `case ${literal(v)}: ${all.join('\n')} break;`;
      })
      .join('\n')}\n}`;
  });
  const load =
    fields.length === 0 ? '' : `const ${fields.map((f, k) => `${f} = P${layout.number}_f${k}[s]`).join(', ')};`;
  return `function ex${layout.number}(s) {\n${load}\n${body.join('\n')}\n}`;
}

/** A condition `expression == constant` over the token's own fields, by which transitions can be told apart. */
function selectorOf(
  e: Emission,
  plan: TransitionPlan,
  arc: number,
  fields: readonly string[],
): { condition: Expression; selector: string; value: number } | undefined {
  const a = plan.arcs[arc]!;
  const layout = e.byName.get(a.place)!;
  const names = new Map<string, string>();
  const ranges = new Map<string, Range>();
  layout.place.fields.forEach((f, k) => {
    const e = a.pattern[f.name];
    if (e?.op === 'var' && !names.has(e.name)) {
      names.set(e.name, fields[k]!);
      ranges.set(e.name, layout.ranges[k]!);
    }
  });
  const scope: Scope = { names, ranges, tables: e.tables, tableName: e.context.tableName };
  for (const condition of plan.conditions) {
    if (condition.op !== 'eq' || condition.b.op !== 'const') continue;
    if (![...variablesOf(condition.a)].every((v) => names.has(v)) || mayFail(condition.a, scope)) continue;
    return { condition, selector: emitValue(condition.a, scope), value: condition.b.value };
  }
  return undefined;
}

function emitCandidates(
  e: Emission,
  plan: TransitionPlan,
  arc: number,
  slot: string,
  skip: readonly Expression[],
  row?: string,
): string {
  const start = row === undefined ? { arc, slot } : { arc, slot, row };
  return new Join(plan, e.context).emit(start, skip, (slots) => `push${plan.number}(${slots.join(', ')});`);
}

/** A token that is hidden by an equal one: it may complete what a transition needs that takes several. */
export function emitMulti(e: Emission, layout: PlaceLayout): string {
  const uses = e.uses(layout).filter(({ plan, arc }) => needsRow(plan, arc));
  if (uses.length === 0) return '';
  const code = uses.map(({ plan, arc }) => `{ ${emitCandidates(e, plan, arc, 'h', [], 'n')} }`);
  const n = layout.number;
  return `function multi${n}(s) {\nconst h = head${n}(s), n = row${n}(h);\nif (!inRow${n}(h, s)) return;\n${code.join('\n')}\n}
function inRow${n}(h, s) { ${layout.place.fields.map((_, k) => `if (P${n}_f${k}[h] !== P${n}_f${k}[s]) return false;`).join(' ')} return true; }`;
}

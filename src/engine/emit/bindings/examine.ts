/*
 * Sample:
 * const p = place('p'); fires((t) => t.guard(eq(t.take(p).x, 3)));
 * →
 *   function ex0(s, g0: int) {
 *   const t0 = g0;
 *   switch (t0) {
 *   case 3: {
 *   push0(s); } break;
 */
import { type Expression, variablesOf } from '../../../net/expression.ts';
import type { Emission } from '../emission.ts';
import { emitValue, literal, mayFail, type Scope } from '../expression.ts';
import { agree, fieldOf, HIDDEN, isState, nextOf, type PlaceLayout, VISIBLE } from '../layout.ts';
import { Join, type TokenStart } from './join.ts';
import { needsRow, type TransitionPlan } from './plan.ts';
import { type Range, typed } from './range.ts';

/** Code that adds a candidate of a prompt transition to the agenda. */
export const pushCode = (plan: TransitionPlan, slots: readonly string[], free: readonly string[]): string =>
  `push${plan.number}(${[...slots, ...free].join(', ')});`;

/** An arc of a transition that may use a token of a place. */
export interface Use {
  readonly plan: TransitionPlan;
  readonly arc: number;
  /** Condition on the token that has already been tested. */
  readonly tested?: Expression;
}

/** Uses of a place's tokens that exclude each other by the value of an expression; or a single use. */
export interface UseGroup {
  /** Code of that expression over the token's fields `t0`, `t1`, …; empty for a single use. */
  readonly selector: string;
  readonly cases: readonly { readonly value: number; readonly uses: readonly Use[] }[];
}

/** The uses of a place's tokens. Conditions `expression == constant` become cases of a `switch`. */
export function usesOf(e: Emission, layout: PlaceLayout): UseGroup[] {
  const fields = layout.place.fields.map((_, k) => `t${k}`);
  const groups: { selector: string; cases: { value: number; uses: Use[] }[] }[] = [];
  for (const { plan, arc } of e.uses(layout)) {
    const choice = selectorOf(e, plan, arc, fields);
    if (choice === undefined) {
      groups.push({ selector: '', cases: [{ value: 0, uses: [{ plan, arc }] }] });
      continue;
    }
    const use = { plan, arc, tested: choice.condition };
    const group = groups.find((g) => g.selector === choice.selector);
    const same = group?.cases.find((c) => c.value === choice.value);
    if (same !== undefined) same.uses.push(use);
    else if (group !== undefined) group.cases.push({ value: choice.value, uses: [use] });
    else groups.push({ selector: choice.selector, cases: [{ value: choice.value, uses: [use] }] });
  }
  return groups;
}

/** Code that runs `code` for each possible use of the token with fields `t0`, `t1`, …. */
export function emitUses(groups: readonly UseGroup[], code: (use: Use) => string): string {
  return groups
    .map((g) => {
      const cases = g.cases.map((c) => ({
        value: c.value,
        code: c.uses
          .map(code)
          .filter((x) => x !== '')
          .map((x) => `{ ${x} }`)
          .join('\n'),
      }));
      if (g.selector === '') return cases[0]!.code;
      return `switch (${g.selector}) {\n${cases
        .filter((c) => c.code !== '')
        .map((c) => `case ${literal(c.value)}: ${c.code} break;`)
        .join('\n')}\n}`;
    })
    .join('\n');
}

interface Examination {
  readonly code: string;
  /** Fields of the token's group that are parameters: callers know them from this token or from the token that hid it. */
  readonly fields: readonly number[];
}

const examinations = new WeakMap<PlaceLayout, Examination>();

function examinationOf(e: Emission, layout: PlaceLayout): Examination {
  let found = examinations.get(layout);
  if (found === undefined) {
    found = examination(e, layout);
    examinations.set(layout, found);
  }
  return found;
}

function examination(e: Emission, layout: PlaceLayout): Examination {
  const groups = usesOf(e, layout);
  if (groups.length === 0) return { code: '', fields: [] };
  const deferred = isDeferred(e, layout);
  const given = (k: number): string => (!deferred && layout.group.includes(k) ? `g${k}` : fieldOf(layout, k, 's'));
  const body = emitUses(groups, ({ plan, arc, tested }) =>
    emitCandidates(e, plan, { arc, slot: 's', field: given }, tested === undefined ? [] : [tested]),
  );
  const named = new Set(body.match(/\b[gt]\d+\b/g));
  const load = layout.place.fields.flatMap((_, k) => (named.has(`t${k}`) ? [`t${k} = ${given(k)}`] : []));
  const fields = deferred ? [] : layout.group.filter((k) => named.has(`g${k}`) || named.has(`t${k}`));
  const parameters = ['s', ...fields.map((k) => typed(`g${k}`, layout.wide[k]!))].join(', ');
  const name = deferred ? `look${layout.number}` : `ex${layout.number}`;
  return {
    code: `function ${name}(${parameters}) {\n${load.length > 0 ? `const ${load.join(', ')};` : ''}\n${body}\n}`,
    fields,
  };
}

/** Code of the function that adds the candidates of a token that has become visible. */
export const emitExamine = (e: Emission, layout: PlaceLayout): string => examinationOf(e, layout).code;

/** A call of the function of {@link emitExamine} for the token in `slot`; `field` is code for a field of its group. */
export const examineCall = (e: Emission, layout: PlaceLayout, slot: string, field: (f: number) => string): string =>
  `ex${layout.number}(${[slot, ...examinationOf(e, layout).fields.map(field)].join(', ')});`;

/** A condition `expression == constant` over the token's fields, for the `switch` that selects transitions; `undefined` if none. */
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
    const term = a.pattern[f.name];
    if (term?.op === 'var' && !names.has(term.name)) {
      names.set(term.name, fields[k]!);
      ranges.set(term.name, layout.ranges[k]!);
    }
  });
  const scope: Scope = { ...e.context, names, ranges };
  for (const condition of plan.conditions) {
    if (condition.op !== 'eq' || condition.b.op !== 'const') continue;
    if (![...variablesOf(condition.a)].every((v) => names.has(v)) || mayFail(condition.a, scope)) continue;
    return { condition, selector: emitValue(condition.a, scope), value: condition.b.value };
  }
  return undefined;
}

function emitCandidates(e: Emission, plan: TransitionPlan, start: TokenStart, skip: readonly Expression[]): string {
  return new Join(e, plan).emit(start, skip, (slots, free) => pushCode(plan, slots, free));
}

/** Code for a token that is hidden by an equal one: it may complete the row of equal tokens that a transition needs. */
export function emitMulti(e: Emission, layout: PlaceLayout): string {
  const uses = e.uses(layout).filter(({ plan, arc }) => needsRow(plan, arc));
  if (uses.length === 0) return '';
  const code = uses.map(({ plan, arc }) => `{ ${emitCandidates(e, plan, { arc, slot: 'h', row: 'n' }, [])} }`);
  const { number: n, place, groupIndex: g } = layout;
  const fields = place.fields.map((_, k) => k);
  const onward = `do o = ${nextOf(layout, g, 'o')}; while (o >= 0 && !(${agree(layout, layout.group, 'o', 'h')}));`;
  const max = Math.max(...uses.map(({ plan }) => maxTaken(plan, place.name)));
  const joined = !mayJoin(e, layout)
    ? ''
    : `
function joined${n}(s) {
const h = head${n}(s);
let n = 1, o = h;
for (; o !== s; n++) {
  if (n >= ${max}) return;
  ${onward}
  if (!(${agree(layout, fields, 'o', 'h')})) return;
}
for (; o >= 0 && n <= ${max}; n++) {
  if (!(${agree(layout, fields, 'o', 'h')})) return;
  multi${n}(o);
  ${onward}
}
}`;
  return `function ${isDeferred(e, layout) ? `lookMulti${n}` : `multi${n}`}(s) {
const h = head${n}(s);
let n = 1;
for (let o = h; o !== s; n++) {
  do o = ${nextOf(layout, g, 'o')}; while (!(${agree(layout, layout.group, 'o', 'h')}));
  if (!(${agree(layout, fields, 'o', 'h')})) return;
}
${code.join('\n')}
}${joined}`;
}

/** Maximum number of tokens of one group that a transition takes or reads. */
function maxTaken(plan: TransitionPlan, place: string): number {
  const arcs = plan.arcs.filter((a) => a.place === place);
  const taken = arcs.reduce((sum, a) => sum + (a.kind === 'take' ? a.count : 0), 0);
  return Math.max(taken, ...arcs.map((a) => a.count));
}

/**
 * True if a reset that removes tokens from the middle of a queue can complete the row of equal tokens that a transition needs,
 * because separated tokens become consecutive. `joined` is called for each token `s` that was behind a removed one: `s` and the
 * tokens behind it were not in the row before, so none of the candidates that they complete exists yet.
 */
export const mayJoin = (e: Emission, layout: PlaceLayout): boolean =>
  layout.place.order !== 'bag' && e.isReset(layout) && e.uses(layout).some(({ plan, arc }) => needsRow(plan, arc));

/** True for priority queues: a token that becomes visible may be overtaken in the same step, so it is examined after the step. */
export const isDeferred = (e: Emission, layout: PlaceLayout): boolean =>
  layout.place.order === 'priority' && e.uses(layout).length > 0;

/** Code that examines tokens after the step in which they became visible ({@link isDeferred}). */
export function emitDeferred(e: Emission): string {
  const deferred = e.layouts.filter((l) => isDeferred(e, l));
  if (deferred.length === 0) return '';
  const rows = (l: PlaceLayout): boolean => e.uses(l).some(({ plan, arc }) => needsRow(plan, arc));
  const enter = deferred.map(
    (l) => `function ex${l.number}(s) { lookAtLater(${l.number}, s); }
${rows(l) ? `function multi${l.number}(s) { lookAtLater(${l.number}, s); }` : ''}`,
  );
  const cases = deferred.map(
    (l) =>
      `case ${l.number}: if (${isState(l, 's', VISIBLE)}) look${l.number}(s);${rows(l) ? ` else if (${isState(l, 's', HIDDEN)}) lookMulti${l.number}(s);` : ''} break;`,
  );
  return `let later: ints = ints(64); let laters: int = 0;
function lookAtLater(place, s) {
if (laters === later.length) later = grown(later, laters * 2);
later[laters] = place; later[laters + 1] = s; laters += 2;
}
${enter.join('\n')}
function lookLater() {
for (let k = 0; k < laters; k += 2) { const s = later[k + 1]; switch (later[k]) { ${cases.join('\n')} } }
laters = 0;
}`;
}

import { type Expression, variablesOf } from '../net/expression.ts';
import type { OutputArc } from '../net/net.ts';
import { type Emission, variableNames } from './emission.ts';
import { emitValue, literal, type Scope } from './emit-expression.ts';
import { inOrder, Join, type TransitionPlan } from './emit-join.ts';
import { bucketCode } from './emit-place.ts';
import { indexFor, type PlaceLayout } from './layout.ts';
import { type Range, rangeOf } from './range.ts';

/** The most equal tokens that one arc may bring in one firing. */
export const MOST_TOKENS = 1e6;

/** Whether an arc always brings one token. */
const isOne = (arc: OutputArc): boolean => arc.count.op === 'const' && arc.count.value === 1;

export function emitTransition(e: Emission, plan: TransitionPlan): string {
  const t = plan.number;
  const slots = plan.arcs.map((_, k) => `s${k}`);
  const entry = plan.arcs.flatMap((a, k) => [
    `Q[tail + ${1 + 2 * k}] = s${k};`,
    `Q[tail + ${2 + 2 * k}] = P${e.layoutOf(a).number}_g[s${k}];`,
  ]);
  const push = `function push${t}(${slots.join(', ')}) {
if (tail + STRIDE > Q.length) growQ();
Q[tail] = ${t}; ${entry.join(' ')}
${plan.inhibitors.length > 0 ? 'QS[tail / STRIDE] = steps;' : ''}
tail += STRIDE;
}`;
  return [push, emitBlocked(e, plan), emitFire(e, plan), emitEnd(e, plan), emitWake(e, plan)].join('\n');
}

/** The scope of a firing: every variable is a local of its own, loaded from the tokens of the arcs. */
function firingScope(e: Emission, plan: TransitionPlan): { scope: Scope; load: (used: ReadonlySet<string>) => string } {
  const names = new Map<string, string>();
  const ranges = new Map<string, Range>();
  const loads = new Map<string, string>();
  plan.arcs.forEach((a, k) => {
    const layout = e.layoutOf(a);
    layout.place.fields.forEach((f, i) => {
      const e = a.pattern[f.name];
      if (e?.op !== 'var' || names.has(e.name)) return;
      const id = `v${names.size}`;
      names.set(e.name, id);
      ranges.set(e.name, layout.ranges[i]!);
      loads.set(e.name, `const ${id} = P${layout.number}_f${i}[s${k}];`);
    });
  });
  const scope: Scope = { names, ranges, tables: e.tables, tableName: e.context.tableName };
  return {
    scope,
    load: (used) =>
      [...loads]
        .filter(([v]) => used.has(v))
        .map(([, c]) => c)
        .join(' '),
  };
}

/** Whether some token matches an inhibitor arc's pattern. */
function emitBlocked(e: Emission, plan: TransitionPlan): string {
  return plan.inhibitors
    .map((arc, h) => {
      const layout = e.layoutOf(arc);
      const fields = layout.place.fields.flatMap((f, k) => (arc.pattern[f.name] === undefined ? [] : [k]));
      const args = fields.map((f) => `k${f}`);
      const number = indexFor(layout, fields);
      const index = layout.indexes[number]!;
      const p = `P${layout.number}`;
      const inside = index.kind === 'dense' ? index.fields.map((f) => outsideCode(layout, f, `k${f}`)).join('') : '';
      const bucket = bucketCode(
        layout,
        number,
        index.fields.map((f) => `k${f}`),
      );
      const rest = fields.filter((f) => index.kind !== 'dense' || !index.fields.includes(f));
      const match = rest.map((f) => `${p}_f${f}[o] === k${f}`).join(' && ') || 'true';
      return `function blocked${plan.number}_${h}(${args.join(', ')}) {
${inside}
for (let o = ${p}_h${number}[${bucket}]; o >= 0; o = ${p}_x${number}[o]) if (${match}) return true;
return false;
}`;
    })
    .join('\n');
}

function outsideCode(layout: PlaceLayout, field: number, id: string): string {
  const { low, high } = layout.ranges[field]!;
  return `if (!(${id} >= ${literal(low)} && ${id} <= ${literal(high)} && Number.isInteger(${id}))) return false;`;
}

function emitFire(e: Emission, plan: TransitionPlan): string {
  const { transition, number: t } = plan;
  const { scope, load } = firingScope(e, plan);
  const slots = plan.arcs.map((_, k) => `s${k}`);
  const all = variableNames(plan);
  const observed = e.options.observed.has(transition.name);
  const delayed = transition.delay !== undefined;
  const used = new Set<string>();
  const need = (e: Expression | undefined): void => {
    if (e !== undefined) for (const v of variablesOf(e)) used.add(v);
  };
  need(transition.delay);
  for (const h of plan.inhibitors) for (const e of Object.values(h.pattern)) need(e);
  if (observed || delayed) for (const v of all) used.add(v);
  if (!delayed) for (const o of transition.outputs) for (const e of [...Object.values(o.values), o.count]) need(e);
  const still = plan.inhibitors.map((arc, h) => {
    const values = Object.values(inOrder(arc, e.layoutOf(arc))).map((e) => emitValue(e, scope));
    return `if (blocked${t}_${h}(${values.join(', ')}) || left${t}_${h}(${values.join(', ')}) > since) return false;`;
  });
  const ids = all.map((v) => scope.names.get(v)!);
  const observe = observed ? `O${t}(now${ids.map((v) => `, ${v}`).join('')});` : '';
  const delay = delayed
    ? `const d = ${emitValue(transition.delay!, scope)}; if (!(d >= 0 && now + d < Infinity)) badDelay(${t}, d);`
    : '';
  const produce = delayed
    ? `${e.services.length > 0 ? 'const at = now + d <= limit ? now : now + d;' : 'const at = now + d;'} const n = H.push(at, starts++, ${t}) * ${e.width}; const V = H.values; ${ids.map((v, k) => `V[n + ${k}] = ${v};`).join(' ')}`
    : emitProduce(e, plan, scope);
  const evaluate = delayed ? '' : produce.slice(0, produce.indexOf('/*put*/'));
  const put = delayed ? produce : produce.slice(produce.indexOf('/*put*/'));
  return `function fire${t}(${[...slots, 'since'].join(', ')}) {
${load(used)}
${still.join('\n  ')}
${delay}
${evaluate}
steps++; instant++; F[${t}]++;
const mark = tail;
${observe}
${emitConsume(e, plan)}
${put}
if (tail > mark + STRIDE) sortStep(mark);
return true;
}`;
}

/** Removes the tokens, then examines what their leaving shows or sets free. */
function emitConsume(e: Emission, plan: TransitionPlan): string {
  const before: string[] = [];
  const code: string[] = [];
  const after: string[] = [];
  const taken: number[] = [];
  plan.arcs.forEach((a, k) => {
    if (a.kind !== 'take') return;
    const layout = e.layoutOf(a);
    const n = layout.number;
    const wakes = e.inhibitedBy(layout);
    const fields = layout.place.fields.map((_, i) => `w${k}_${i} = P${n}_f${i}[s${k}]`);
    if (wakes.length > 0 && fields.length > 0) before.push(`const ${fields.join(', ')};`);
    let head = `s${k}`;
    for (const j of plan.rivals[k]!) head = `(s${j} === s${k} ? r${j} : ${head})`;
    code.push(`let r${k} = rm${n}(${head});`);
    for (let c = 1; c < a.count; c++) code.push(`r${k} = rm${n}(r${k});`);
    for (const j of plan.rivals[k]!) code.push(`if (s${j} === s${k}) r${j} = -1;`);
    taken.push(k);
    for (const { plan: other, inhibitor } of wakes)
      after.push(`wake${other.number}_${inhibitor}(${layout.place.fields.map((_, i) => `w${k}_${i}`).join(', ')});`);
  });
  // With three or more arcs on one group the last removal knows the next head; an earlier one may have been taken.
  const reveal = taken
    .filter((k) => e.uses(e.layoutOf(plan.arcs[k]!)).length > 0)
    .map((k) => `if (r${k} >= 0) ex${e.layoutOf(plan.arcs[k]!).number}(r${k});`);
  return [...before, ...code, ...reveal, ...after].join('\n  ');
}

/** After a token left an inhibitor's place: note the step, and find the candidates that it alone held back. */
function emitWake(e: Emission, plan: TransitionPlan): string {
  return plan.inhibitors
    .map((arc, h) => {
      const layout = e.layoutOf(arc);
      const fields = layout.place.fields.map((_, k) => `w${k}`);
      const given = layout.place.fields.flatMap((f, k) => (arc.pattern[f.name] === undefined ? [] : [k]));
      const key = given.map((k) => `k${k}`);
      const id = `${plan.number}_${h}`;
      const constantTests = layout.place.fields.flatMap((f, k) => {
        const e = arc.pattern[f.name];
        return e?.op === 'const' ? [`if (w${k} !== ${literal(e.value)}) return;`] : [];
      });
      const join = new Join(plan, e.context).emit(
        { inhibitor: h, values: fields },
        [],
        (slots) => `push${plan.number}(${slots.join(', ')});`,
      );
      const name = key.length === 0 ? '0' : key.map((k) => `${k}`).join(` + ',' + `);
      return `const left${id}s = new Map();
function left${id}(${key.join(', ')}) { return left${id}s.get(${name}) ?? -1; }
function wake${id}(${fields.join(', ')}) {
${constantTests.join(' ')}
${given.map((k) => `const k${k} = w${k};`).join(' ')}
left${id}s.set(${name}, steps);
${join}
}`;
    })
    .join('\n');
}

/** The end of a firing with a delay. */
function emitEnd(e: Emission, plan: TransitionPlan): string {
  if (plan.transition.delay === undefined) return '';
  const t = plan.number;
  const all = variableNames(plan);
  const { scope } = firingScope(e, plan);
  const load = all.map((v, k) => `const ${scope.names.get(v)} = V[n + ${k}];`);
  const observe = e.options.observed.has(plan.transition.name)
    ? `E${t}(now${all.map((v) => `, ${scope.names.get(v)}`).join('')});`
    : '';
  return `function end${t}(node) {
const V = H.values, n = node * ${e.width};
${load.join(' ')}
steps++; instant++;
const mark = tail;
${observe}
${emitProduce(e, plan, scope)}
if (tail > mark + STRIDE) sortStep(mark);
}`;
}

/** Code that evaluates the outputs, then (after the mark) puts them, in the order of place name and colour. */
function emitProduce(e: Emission, plan: TransitionPlan, scope: Scope): string {
  const outputs = plan.transition.outputs
    .map((arc, k) => ({ arc, k, layout: e.layoutOf(arc) }))
    .sort((a, b) => a.layout.number - b.layout.number || a.k - b.k);
  const evaluate: string[] = [];
  const put: string[] = [];
  const groups = new Map<number, typeof outputs>();
  for (const o of outputs) groups.set(o.layout.number, [...(groups.get(o.layout.number) ?? []), o]);
  for (const group of groups.values()) {
    for (const { arc, k, layout } of group) {
      const one = isOne(arc);
      if (!one) evaluate.push(`const c${k} = ${emitValue(arc.count, scope)};`);
      const counts = rangeOf(arc.count, scope.ranges, e.tables);
      if (!(counts.whole && counts.low >= 0 && counts.high <= MOST_TOKENS)) {
        evaluate.push(
          `if (!(c${k} >= 0 && c${k} <= ${MOST_TOKENS} && Number.isInteger(c${k}))) badCount(${plan.number}, ${layout.number}, c${k});`,
        );
      }
      const names = layout.place.fields.map((_, i) => `o${k}_${i}`);
      if (names.length > 0) evaluate.push(`let ${names.map((n) => `${n} = 0`).join(', ')};`);
      const body = layout.place.fields.map((f, i) => {
        const e = arc.values[f.name]!;
        const r = rangeOf(e, scope.ranges, scope.tables);
        const { low, high } = layout.ranges[i]!;
        const sure = r.whole && r.low >= low && r.high <= high;
        const id = `o${k}_${i}`;
        const inRange = `${r.whole ? '' : `Number.isInteger(${id}) && `}${id} >= ${literal(low)} && ${id} <= ${literal(high)}`;
        return `${id} = ${emitValue(e, scope)};${sure ? '' : ` if (!(${inRange})) badColour(${plan.number}, ${layout.number}, ${i}, ${id});`}`;
      });
      evaluate.push(one ? body.join(' ') : `if (c${k} > 0) { ${body.join(' ')} }`);
    }
    put.push(emitPutGroup(group));
  }
  return `${evaluate.join('\n  ')}\n  /*put*/${put.join('\n  ')}`;
}

function emitPutGroup(group: readonly { arc: OutputArc; k: number; layout: PlaceLayout }[]): string {
  const single = ({ arc, k, layout }: (typeof group)[number]): string => {
    const call = `put${layout.number}(${layout.place.fields.map((_, i) => `o${k}_${i}`).join(', ')});`;
    return isOne(arc) ? call : `for (let c = 0; c < c${k}; c++) ${call}`;
  };
  if (group.length === 1 || group[0]!.layout.place.fields.length === 0) return group.map(single).join(' ');
  const { layout } = group[0]!;
  if (group.length === 2) {
    // Two arcs to one place: their tokens come in the order of their colours.
    const [a, b] = [group[0]!, group[1]!];
    let after = 'false';
    for (let i = layout.place.fields.length - 1; i >= 0; i--) {
      const [x, y] = [`o${a.k}_${i}`, `o${b.k}_${i}`];
      after = after === 'false' ? `${x} > ${y}` : `${x} > ${y} || (${x} === ${y} && (${after}))`;
    }
    const both = [a, b].filter((o) => !isOne(o.arc)).map((o) => `c${o.k} > 0 && `);
    return `if (${both.join('')}(${after})) { ${single(b)} ${single(a)} } else { ${single(a)} ${single(b)} }`;
  }
  const rows = group.map(({ arc, k }) => {
    return `[${isOne(arc) ? 1 : `c${k}`}, ${layout.place.fields.map((_, i) => `o${k}_${i}`).join(', ')}]`;
  });
  const args = layout.place.fields.map((_, i) => `row[${i + 1}]`).join(', ');
  return `for (const row of [${rows.join(', ')}].sort(byColour)) for (let c = 0; c < row[0]; c++) put${layout.number}(${args});`;
}

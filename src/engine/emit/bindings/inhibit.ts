/*
 * Sample:
 * const p = place('p'), q = place('q'); fires((t) => t.inhibit(q, { x: t.take(p).x }));
 * →
 *   function blocked0_0(k0: int): int {
 *   for (let o = ~L1_h0[k0]; o >= 0; o = I1[o + 3]) if (true) return 1;
 *   return 0;
 *   }
 */
import type { Expression } from '../../../net/expression.ts';
import type { InputArc } from '../../../net/net.ts';
import type { Emission } from '../emission.ts';
import { emitValue, literal } from '../expression.ts';
import { FiringScope } from '../firing/firing-scope.ts';
import { bucketCode, fieldOf, headOf, indexFor, nextOf, type PlaceLayout } from '../layout.ts';
import { pushCode } from './examine.ts';
import { inOrder, Join } from './join.ts';
import type { TransitionPlan } from './plan.ts';
import { rangeOf, typed } from './range.ts';

/** Maximum number of keys whose stamps are kept in an array; beyond it the host keeps them in a map. */
const DENSE_STAMPS = 1 << 20;

/** Positions of the columns that an inhibitor arc's pattern constrains. */
const given = (layout: PlaceLayout, pattern: Readonly<Record<string, Expression>>): number[] =>
  layout.place.fields.flatMap((f, k) => (pattern[f.name] === undefined ? [] : [k]));

/**
 * Code per inhibitor arc of a transition. `blocked` tests whether enough tokens match a key to inhibit. For prompt transitions,
 * `left` is the last step in which a token left that had helped to block a key (candidates enabled before it were interrupted),
 * and `free` finds the candidates that its leaving has enabled.
 */
export function emitInhibitors(e: Emission, plan: TransitionPlan): string {
  return plan.inhibitors
    .map((arc, h) => {
      const layout = e.layoutOf(arc);
      const id = `${plan.number}_${h}`;
      const keys = given(layout, arc.pattern).map((k) => `k${k}`);
      return [emitBlocked(e, plan, h), ...(plan.race ? [] : [emitLeft(e, plan, h, keys, id)])].join('\n');
    })
    .join('\n');
}

/** Code per inhibitor that is true if it blocks a binding or, with `since`, has blocked it since the binding was enabled. */
export function inhibited(e: Emission, plan: TransitionPlan, firing: FiringScope, since: boolean): string[] {
  return plan.inhibitors.map((arc, h) => {
    const values = Object.values(inOrder(arc, e.layoutOf(arc))).map((x) => emitValue(x, firing.scope));
    const id = `${plan.number}_${h}(${values.join(', ')})`;
    return since ? `blocked${id} || left${id} > since` : `blocked${id}`;
  });
}

/** Place and pattern of an inhibitor arc or a count: they determine the matching tokens. */
type Matching = Pick<InputArc, 'place' | 'pattern'>;

/** True if the term of an inhibitor arc for field `f` is certain to lie in the field's colour set. */
function isSure(e: Emission, plan: TransitionPlan, arc: Matching, f: number): boolean {
  const layout = e.layoutOf(arc);
  const { low, high } = layout.ranges[f]!;
  const r = rangeOf(arc.pattern[layout.place.fields[f]!.name]!, new FiringScope(e, plan).scope.ranges, e.tables);
  return r.integer && r.low >= low && r.high <= high;
}

/** Parameters `k<f>` for the fields f that an inhibitor arc's pattern constrains. */
function keyParameters(e: Emission, plan: TransitionPlan, arc: Matching): string {
  const layout = e.layoutOf(arc);
  return given(layout, arc.pattern)
    .map((f) => typed(`k${f}`, layout.wide[f]! || !isSure(e, plan, arc, f)))
    .join(', ');
}

/** Code that returns `result` at once if the key `k<f>` is outside the field's colour set. */
function refuse(e: Emission, plan: TransitionPlan, arc: Matching, f: number, result: string): string {
  if (isSure(e, plan, arc, f)) return '';
  const { low, high } = e.layoutOf(arc).ranges[f]!;
  return `if (!(k${f} >= ${literal(low)} && k${f} <= ${literal(high)} && Number.isInteger(k${f}))) return ${result};`;
}

/**
 * Code that looks at each token that matches an arc: the parameters of its function (the key of the tokens), a test that the key lies
 * in the colour sets, which otherwise returns `none`, and the loop.
 */
export function emitMatching(
  e: Emission,
  plan: TransitionPlan,
  arc: Matching,
  none: string,
): { readonly parameters: string; readonly outside: string; readonly each: (code: string) => string } {
  const layout = e.layoutOf(arc);
  const fields = given(layout, arc.pattern);
  const number = indexFor(layout, fields);
  const index = layout.indexes[number]!;
  const outside = index.kind === 'dense' ? index.fields.map((f) => refuse(e, plan, arc, f, none)) : [];
  const bucket = bucketCode(
    layout,
    number,
    index.fields.map((f) => `k${f}`),
  );
  const rest = fields.filter((f) => index.kind !== 'dense' || !index.fields.includes(f));
  const match = rest.map((f) => `${fieldOf(layout, f, 'o')} === k${f}`).join(' && ') || 'true';
  return {
    parameters: keyParameters(e, plan, arc),
    outside: outside.join(''),
    each: (code) =>
      `for (let o = ${headOf(layout, number, bucket)}; o >= 0; o = ${nextOf(layout, number, 'o')}) if (${match}) ${code}`,
  };
}

function emitBlocked(e: Emission, plan: TransitionPlan, h: number): string {
  const arc = plan.inhibitors[h]!;
  const { parameters, outside, each } = emitMatching(e, plan, arc, '0');
  return `function blocked${plan.number}_${h}(${parameters}): int {
${outside}
${arc.count === 1 ? '' : 'let n = 0;'}
${each(arc.count === 1 ? 'return 1;' : `{ if (++n === ${arc.count}) return 1; }`)}
return 0;
}`;
}

function emitLeft(e: Emission, plan: TransitionPlan, h: number, keys: readonly string[], id: string): string {
  const arc = plan.inhibitors[h]!;
  const layout = e.layoutOf(arc);
  const fields = layout.place.fields.map((_, k) => `w${k}`);
  const parameters = fields.map((w, k) => typed(w, layout.wide[k]!)).join(', ');
  const columns = given(layout, arc.pattern);
  const load = columns.map((k) => `const k${k} = w${k};`).join(' ');
  const constants = layout.place.fields.flatMap((f, k) => {
    const term = arc.pattern[f.name];
    return term?.op === 'const' ? [`if (w${k} !== ${literal(term.value)}) return;`] : [];
  });
  const stamps = emitStamps(e, plan, arc, id);
  const enough = arc.count === 1 ? '' : `if (!blocked${id}(${keys.join(', ')})) return;`;
  const join = new Join(e, plan).emit({ inhibitor: h, values: fields }, [], (slots, free) =>
    pushCode(plan, slots, free),
  );
  return `${stamps}
function leave${id}(${parameters}) { ${constants.join(' ')} ${load} ${enough} stamp${id}(${keys.join(', ')}); }
function free${id}(${parameters}) { ${constants.join(' ')} ${load} if (left${id}(${keys.join(', ')}) !== steps) return;
${join}
}`;
}

/** Code for the last step in which a token left, per key: in an array if there are few keys, else in a map of the host. */
function emitStamps(e: Emission, plan: TransitionPlan, arc: InputArc, id: string): string {
  const layout = e.layoutOf(arc);
  const columns = given(layout, arc.pattern);
  const keys = columns.map((k) => `k${k}`);
  const parameters = keyParameters(e, plan, arc);
  let size = 1;
  let code = '0';
  columns.forEach((f, k) => {
    const { low, high } = layout.ranges[f]!;
    const value = `(${keys[k]} - (${literal(low)}))`;
    code = k === 0 ? value : `(${code} * ${high - low + 1} + ${value})`;
    size *= high - low + 1;
  });
  if (size <= DENSE_STAMPS)
    return `let S${id}: nums = nums(${size}, -1);
function stamp${id}(${parameters}) { S${id}[${code}] = steps; }
function left${id}(${parameters}): num { ${columns.map((f) => refuse(e, plan, arc, f, '-1')).join(' ')} return S${id}[${code}]; }`;
  const all = keys.map((k) => `${k}: num`);
  return `declare function stampOf${id}(${['step: num', ...all].join(', ')});
declare function left${id}(${all.join(', ')}): num;
function stamp${id}(${parameters}) { stampOf${id}(${['steps', ...keys].join(', ')}); }`;
}

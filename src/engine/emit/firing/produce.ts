/*
 * Sample:
 * const p = place('p'), q = place('q'); fires((t) => t.put(q, t.take(p)));
 * →
 *   let o0_0: int = 0;
 *   o0_0 = v0;
 *   …
 *   put1(o0_0);
 */
import type { OutputArc } from '../../../net/net.ts';
import { within } from '../bindings/join.ts';
import type { TransitionPlan } from '../bindings/plan.ts';
import { isWide, rangeOf, typed } from '../bindings/range.ts';
import { isSureCount, MAX_TOKENS } from '../capacity.ts';
import { CommonParts } from '../common-parts.ts';
import type { Emission } from '../emission.ts';
import { emitValue, mayFail, type Scope } from '../expression.ts';
import type { PlaceLayout } from '../layout.ts';
import type { FiringScope } from './firing-scope.ts';

interface Output {
  readonly arc: OutputArc;
  readonly k: number;
  readonly layout: PlaceLayout;
}

/** Items for places with a service first, then the others; the order within both is kept. */
export function servedFirst<T>(items: readonly T[], layoutOf: (item: T) => PlaceLayout): T[] {
  const served = (item: T): boolean => layoutOf(item).place.service !== undefined;
  return [...items.filter(served), ...items.filter((item) => !served(item))];
}

/** True if an arc always brings one token. */
const isOne = (arc: OutputArc): boolean => arc.count.op === 'const' && arc.count.value === 1;

/** True if an arc brings either one token or no token. */
function isChoice(e: Emission, arc: OutputArc, firing: FiringScope): boolean {
  const { integer, low, high } = rangeOf(arc.count, firing.scope.ranges, e.tables);
  return integer && low >= 0 && high <= 1 && !mayFail(arc.count, firing.scope);
}

/**
 * Code that evaluates the outputs of a firing, and code that then adds them in the order of place name and colour (S11). Services
 * come first, so that errors in their demands are raised before errors of candidates (S7).
 */
export function emitProduce(e: Emission, plan: TransitionPlan, firing: FiringScope): { evaluate: string; put: string } {
  const outputs = plan.transition.outputs
    .map((arc, k) => ({ arc, k, layout: e.layoutOf(arc) }))
    .sort((a, b) => a.layout.number - b.layout.number || a.k - b.k);
  const groups = new Map<number, Output[]>();
  for (const o of outputs) groups.set(o.layout.number, [...(groups.get(o.layout.number) ?? []), o]);
  const expressions = outputs.flatMap(({ arc }) => [arc.count, ...Object.values(arc.values)]);
  const { code, scope } = new CommonParts(firing.scope, expressions).emit();
  return {
    evaluate: [code, ...outputs.map((o) => emitOutput(e, plan, o, firing, scope))].join('\n  '),
    put: servedFirst([...groups.values()], (group) => group[0]!.layout)
      .map((group) => emitPutGroup(group, (o) => isChoice(e, o.arc, firing)))
      .join('\n  '),
  };
}

function emitOutput(
  e: Emission,
  plan: TransitionPlan,
  { arc, k, layout }: Output,
  firing: FiringScope,
  scope: Scope,
): string {
  const one = isOne(arc);
  const code: string[] = [];
  if (!one) code.push(`const c${k}${isChoice(e, arc, firing) ? '' : ': num'} = ${emitValue(arc.count, scope)};`);
  if (!isSureCount(e, arc, firing))
    code.push(
      `if (!(c${k} >= 0 && c${k} <= ${MAX_TOKENS} && Number.isInteger(c${k}))) badCount(${plan.number}, ${layout.number}, c${k});`,
    );
  const names = layout.place.fields.map((_, i) => `o${k}_${i}`);
  const known = layout.place.fields.map((f) => rangeOf(arc.values[f.name]!, scope.ranges, e.tables));
  const tests = known.map((r, i) => within(names[i]!, layout.ranges[i]!, r));
  // Before its test a value may be any number, so it needs a double unless it is known to be an int.
  const anything = (i: number): boolean => tests[i] !== 'true' && !(known[i]!.integer && !isWide(known[i]!));
  const declared = names.map((n, i) => `${typed(n, layout.wide[i]! || anything(i))} = 0`);
  if (names.length > 0) code.push(`let ${declared.join(', ')};`);
  const body = layout.place.fields.map((f, i) => {
    const term = arc.values[f.name]!;
    const test = tests[i]!;
    const check =
      test === 'true' ? '' : ` if (!(${test})) badColour(${plan.number}, ${layout.number}, ${i}, ${names[i]});`;
    return `${names[i]} = ${emitValue(term, scope)};${check}`;
  });
  code.push(one ? body.join(' ') : `if (c${k} > 0) { ${body.join(' ')} }`);
  return code.join('\n  ');
}

function emitPutGroup(group: readonly Output[], atMostOne: (o: Output) => boolean): string {
  const single = (o: Output): string => {
    const { arc, k, layout } = o;
    const call = `put${layout.number}(${layout.place.fields.map((_, i) => `o${k}_${i}`).join(', ')});`;
    if (atMostOne(o) && !isOne(arc)) return `if (c${k} > 0) ${call}`;
    return isOne(arc) ? call : `for (let c = 0; c < c${k}; c++) ${call}`;
  };
  if (group.length === 1 || group[0]!.layout.place.fields.length === 0) return group.map(single).join(' ');
  const { layout } = group[0]!;
  if (group.length === 2) {
    // Two arcs to one place: their tokens arrive in the order of their colours.
    const [a, b] = [group[0]!, group[1]!];
    let after = 'false';
    for (let i = layout.place.fields.length - 1; i >= 0; i--) {
      const [x, y] = [`o${a.k}_${i}`, `o${b.k}_${i}`];
      after = after === 'false' ? `${x} > ${y}` : `${x} > ${y} || (${x} === ${y} && (${after}))`;
    }
    const both = [a, b].filter((o) => !isOne(o.arc)).map((o) => `c${o.k} > 0 && `);
    return `if (${both.join('')}(${after})) { ${single(b)} ${single(a)} } else { ${single(a)} ${single(b)} }`;
  }
  const width = layout.place.fields.length + 1;
  const rows = group.map(({ arc, k }, row) => {
    const values = [isOne(arc) ? '1' : `c${k}`, ...layout.place.fields.map((_, i) => `o${k}_${i}`)];
    return values.map((v, i) => `rows[${row * width + i}] = ${v};`).join(' ');
  });
  const args = layout.place.fields.map((_, i) => `rows[r + ${i + 1}]`).join(', ');
  return `${rows.join(' ')} sortRows(${group.length}, ${width});
for (let r = 0; r < ${group.length * width}; r += ${width}) for (let c: num = 0; c < rows[r]; c++) put${layout.number}(${args});`;
}

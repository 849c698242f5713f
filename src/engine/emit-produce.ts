import type { OutputArc } from '../net/net.ts';
import type { Emission } from './emission.ts';
import { isSureCount, MOST_TOKENS } from './emit-capacity.ts';
import { emitValue } from './emit-expression.ts';
import { within } from './emit-join.ts';
import type { FiringScope } from './firing-scope.ts';
import type { PlaceLayout } from './layout.ts';
import type { TransitionPlan } from './plan.ts';
import { rangeOf } from './range.ts';

interface Output {
  readonly arc: OutputArc;
  readonly k: number;
  readonly layout: PlaceLayout;
}

/** Whether an arc always brings one token. */
const isOne = (arc: OutputArc): boolean => arc.count.op === 'const' && arc.count.value === 1;

/** Code that evaluates the outputs of a firing, and code that then puts them, in the order of place name and colour. */
export function emitProduce(e: Emission, plan: TransitionPlan, firing: FiringScope): { evaluate: string; put: string } {
  const outputs = plan.transition.outputs
    .map((arc, k) => ({ arc, k, layout: e.layoutOf(arc) }))
    .sort((a, b) => a.layout.number - b.layout.number || a.k - b.k);
  const groups = new Map<number, Output[]>();
  for (const o of outputs) groups.set(o.layout.number, [...(groups.get(o.layout.number) ?? []), o]);
  return {
    evaluate: outputs.map((o) => emitOutput(e, plan, o, firing)).join('\n  '),
    put: [...groups.values()].map(emitPutGroup).join('\n  '),
  };
}

function emitOutput(e: Emission, plan: TransitionPlan, { arc, k, layout }: Output, firing: FiringScope): string {
  const { scope } = firing;
  const one = isOne(arc);
  const code: string[] = [];
  if (!one) code.push(`const c${k} = ${emitValue(arc.count, scope)};`);
  if (!isSureCount(e, arc, firing))
    code.push(
      `if (!(c${k} >= 0 && c${k} <= ${MOST_TOKENS} && Number.isInteger(c${k}))) badCount(${plan.number}, ${layout.number}, c${k});`,
    );
  const names = layout.place.fields.map((_, i) => `o${k}_${i}`);
  if (names.length > 0) code.push(`let ${names.map((n) => `${n} = 0`).join(', ')};`);
  const body = layout.place.fields.map((f, i) => {
    const term = arc.values[f.name]!;
    const test = within(names[i]!, layout.ranges[i]!, rangeOf(term, scope.ranges, e.tables));
    const check =
      test === 'true' ? '' : ` if (!(${test})) badColour(${plan.number}, ${layout.number}, ${i}, ${names[i]});`;
    return `${names[i]} = ${emitValue(term, scope)};${check}`;
  });
  code.push(one ? body.join(' ') : `if (c${k} > 0) { ${body.join(' ')} }`);
  return code.join('\n  ');
}

function emitPutGroup(group: readonly Output[]): string {
  const single = ({ arc, k, layout }: Output): string => {
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

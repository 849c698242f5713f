/*
 * Sample:
 * place('p'); options({ measures: { counts: [{ place: 'p' }], values: [{ op: 'var', name: '0' }] } });
 * →
 *   function measure(time: num) {
 *   MR[0] += (time - now) * MC[0];
 *   }
 */

import type { TransitionPlan } from './bindings/plan.ts';
import type { Emission } from './emission.ts';
import { emitValue } from './expression.ts';
import type { PlaceLayout } from './layout.ts';

/** Highest token count that the code of values distinguishes. */
const MAX_COUNT = 2 ** 31 - 1;

/**
 * Code that integrates over time since `measuredFrom`, without calls of the host. A level that changes by c at time t adds c × t
 * to its moment, so that its integral up to T is level × T − moment: O(1) per change, nothing when time passes. Values of several
 * levels are integrated whenever time passes.
 */
export function emitMeasures(e: Emission): string {
  const { measures } = e.options;
  if (measures === undefined) return '';
  const names = new Map(measures.counts.map((_, k) => [String(k), `MC[${k}]`]));
  const ranges = new Map(measures.counts.map((_, k) => [String(k), { low: 0, high: MAX_COUNT, integer: true }]));
  const values = measures.values.map(
    (x, k) => `MR[${k}] += (time - now) * ${emitValue(x, { ...e.context, names, ranges })};`,
  );
  const races = e.races.map(
    ({ number: t }) => `export function racing${t}(on: int) {
if (on !== MB[${t}]) { MB[${t}] = on; if (on !== 0) MV[${t}] += now - measuredFrom; else MV[${t}] -= now - measuredFrom; }
}`,
  );
  return `let measuredFrom: num = 0;
let ML: nums = nums(${Math.max(1, e.layouts.length)}); let MW: nums = nums(${Math.max(1, e.layouts.length)});
let MB: ints = ints(${Math.max(1, e.plans.length)}); let MV: nums = nums(${Math.max(1, e.plans.length)});
let MC: ints = ints(${Math.max(1, measures.counts.length)}); let MR: nums = nums(${Math.max(1, values.length)});
${values.length === 0 ? '' : `function measure(time: num) {\n${values.join('\n')}\n}`}
${races.join('\n')}`;
}

/** Code for a token that arrives or leaves; `fieldAt` is code for its fields. */
export function measureToken(
  { options: { measures } }: Emission,
  { place, number }: PlaceLayout,
  sign: '+' | '-',
  fieldAt: (field: number) => string,
): string {
  if (measures === undefined) return '';
  const counts = measures.counts.flatMap(({ place: own, colour = [] }, k) => {
    if (own !== place.name) return [];
    const same = colour.map((v, f) => `${fieldAt(f)} === ${v < 0 ? `(${v})` : v}`);
    return [`${same.length === 0 ? '' : `if (${same.join(' && ')}) `}MC[${k}]${sign}${sign};`];
  });
  return [`ML[${number}] ${sign}= 1; MW[${number}] ${sign}= now - measuredFrom;`, ...counts].join(' ');
}

/** Code for the start or the end of a holding firing. */
export function measureFiring({ options: { measures } }: Emission, plan: TransitionPlan, sign: '+' | '-'): string {
  if (measures === undefined || plan.race || plan.transition.delay === undefined) return '';
  const { number: t } = plan;
  return `MB[${t}] ${sign}= 1; if (MB[${t}] === ${sign === '+' ? 1 : 0}) MV[${t}] ${sign}= now - measuredFrom;`;
}

/** Code before the clock advances to a time. */
export function measureTime({ options: { measures } }: Emission, time: string): string {
  return measures === undefined || measures.values.length === 0 ? '' : `measure(${time});`;
}

/*
 * Sample:
 * const p = place('p'), q = place('q', { capacity: 3 }); fires((t) => t.put(q, t.take(p)));
 * →
 *   let N1: int = 0; let A1: nums = nums(1, -1);
 *   function left1() { N1--; if (N1 >= 2) A1[N1 - 2] = steps; }
 */
import type { OutputArc } from '../../net/net.ts';
import { pushCode } from './bindings/examine.ts';
import { Join } from './bindings/join.ts';
import type { TransitionPlan } from './bindings/plan.ts';
import { rangeOf } from './bindings/range.ts';
import type { Emission } from './emission.ts';
import { emitValue, literal, mayFail } from './expression.ts';
import { FiringScope } from './firing/firing-scope.ts';
import type { PlaceLayout } from './layout.ts';

/** Maximum number of equal tokens that one arc may produce in one firing. */
export const MAX_TOKENS = 1e6;

/**
 * Code of the counters of places with a capacity (S8a). `N` counts the tokens, including those in service and those reserved.
 * `A[x − B]` is the last step in which the count fell from above x to x, where B is the {@link lowestLevel}. A candidate that
 * adds d tokens was interrupted if `A[capacity − d − B]` is later than the step that enabled it.
 */
export function emitCounters(e: Emission): string {
  return e.layouts
    .filter((l) => l.place.capacity !== undefined)
    .map((l) => {
      const n = l.number;
      const below = lowestLevel(e, l);
      const size = l.place.capacity! - below;
      return `let N${n}: int = 0; let A${n}: nums = nums(${size}, -1);
function left${n}() { N${n}--; if (N${n} >= ${below}) A${n}[N${n} - ${below}] = steps; }`;
    })
    .join('\n');
}

/** The lowest token count that matters to a transition: the capacity minus the maximum number of tokens that a firing adds. */
function lowestLevel(e: Emission, l: PlaceLayout): number {
  const max = e.filledBy(l).map((p) => {
    const { scope } = new FiringScope(e, p);
    const sum = e
      .boundedOutputs(p)
      .filter((b) => b.layout === l)
      .flatMap((b) => b.arcs)
      .reduce((s, a) => s + Math.min(MAX_TOKENS, rangeOf(a.count, scope.ranges, e.tables).high), 0);
    return Math.max(1, sum);
  });
  return Math.max(0, l.place.capacity! - Math.min(l.place.capacity!, Math.max(1, ...max)));
}

/** True if an arc's count is certain to be an integer from 0 to {@link MAX_TOKENS}, so that it needs no check. */
export function isSureCount(e: Emission, arc: OutputArc, firing: FiringScope): boolean {
  const r = rangeOf(arc.count, firing.scope.ranges, e.tables);
  return r.integer && r.low >= 0 && r.high <= MAX_TOKENS && !mayFail(arc.count, firing.scope);
}

/**
 * Code for a transition with outputs to places with a capacity. `room` tests that there is room now and has been since the step
 * `since`. For prompt transitions, `again` finds the candidates for which this step has made room.
 */
export function emitRoom(e: Emission, plan: TransitionPlan): string {
  const bounded = e.boundedOutputs(plan);
  if (bounded.length === 0) return '';
  const t = plan.number;
  const firing = new FiringScope(e, plan);
  const counts = bounded.flatMap(({ arcs }) => arcs.map((a) => a.count));
  const evaluate: string[] = [];
  const tests = bounded.map(({ layout, arcs }) => {
    const l = layout.number;
    const taken = plan.arcs.reduce(
      (sum, a) => sum + (a.kind === 'take' && a.place === layout.place.name ? a.count : 0),
      0,
    );
    const sum = arcs
      .map((a) => {
        const value = emitValue(a.count, firing.scope);
        return isSureCount(e, a, firing) ? value : `wholeCount(${t}, ${l}, ${value})`;
      })
      .join(' + ');
    const below = lowestLevel(e, layout);
    evaluate.push(`const c${l} = ${sum};`);
    return `{ const c = c${l}, x = ${layout.place.capacity} - c + ${taken};
if (c > 0 && x < ${layout.place.capacity}) { if (N${l} > x) return 0; const a = A${l}[x - ${below}]; if (a > since) return 0; if (a === steps) freed = 1; } }`;
  });
  // The counts do not depend on free variables that are not listed, so these get an arbitrary value.
  const all = (free: readonly string[]): readonly string[] =>
    free.length === plan.free.length ? free : plan.free.map((v) => literal(v.range.low));
  const find = plan.race
    ? ''
    : `function again${t}() {
${new Join(e, plan).emit('anywhere', [], (slots, free) => `if (room${t}(${[...slots, ...all(free), 'steps'].join(', ')}) && freed) ${pushCode(plan, slots, free)}`)}
}`;
  return `function room${t}(${[...firing.typed, 'since: num'].join(', ')}): int {
${firing.load(counts)}
${evaluate.join('\n')}
freed = 0;
${tests.join('\n')}
return 1;
}
${find}`;
}

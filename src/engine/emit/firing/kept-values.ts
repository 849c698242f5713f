/*
 * Sample:
 * const p = place('p'), q = place('q');
 * fires((t) => { const { x } = t.take(p); t.delay(add(x, 1)); t.put(q, { x }); });
 * →
 *   { const n = queuePush(now + d, starts++, 0); N[(n << 1) + 6] = v0; }
 *   …
 *   function end0(node) {
 *   const v0 = N[(node << 1) + 6];
 */
import { variablesOf } from '../../../net/expression.ts';
import type { TransitionPlan } from '../bindings/plan.ts';
import type { Emission } from '../emission.ts';
import { intValueAt, valueAt } from '../queue/queue-nodes.ts';
import { loggedVariables } from './firing-log.ts';
import { FiringScope } from './firing-scope.ts';

/** Values that the queue node of a holding firing keeps until its end. */
export interface KeptValues {
  /** Variables, each with the local that holds it and code for its location in a node. */
  readonly variables: readonly { readonly name: string; readonly id: string; readonly at: (node: string) => string }[];
  /** Size of these values, in doubles. */
  readonly width: number;
}

/** Variables that the end of a firing needs for its outputs, observers and log: doubles first, then ints in pairs. */
export function keptValues(e: Emission, plan: TransitionPlan): KeptValues {
  const { scope, ids, wide } = new FiringScope(e, plan);
  const names = [...scope.names.keys()];
  const needed = neededAtEnd(e, plan, names);
  const kept = names.flatMap((v, k) => (needed.has(v) ? [{ name: v, id: ids[k]!, wide: wide[k]! }] : []));
  const doubles = kept.filter((v) => v.wide);
  const ints = kept.filter((v) => !v.wide);
  const variables = [
    ...doubles.map(({ name, id }, k) => ({ name, id, at: (node: string) => valueAt(node, k) })),
    ...ints.map(({ name, id }, k) => ({ name, id, at: (node: string) => intValueAt(node, 2 * doubles.length + k) })),
  ];
  return { variables, width: doubles.length + Math.ceil(ints.length / 2) };
}

function neededAtEnd(e: Emission, plan: TransitionPlan, names: readonly string[]): ReadonlySet<string> {
  const { transition } = plan;
  if (e.options.observed.has(transition.name)) return new Set(names);
  const needed = new Set(loggedVariables(e, plan, 'end'));
  for (const { count, values } of transition.outputs)
    for (const x of [count, ...Object.values(values)]) variablesOf(x, needed);
  return needed;
}

/** Doubles that every queue node reserves for such values: at least 1, because services need two ints. */
export function keptWidth(e: Emission): number {
  const lasting = e.plans.filter((p) => p.transition.delay !== undefined && !p.race);
  return Math.max(1, ...lasting.map((p) => keptValues(e, p).width));
}

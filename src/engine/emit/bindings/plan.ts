import { colourBounds, type ScalarSet } from '../../../net/colour.ts';
import { conjuncts, type Expression } from '../../../net/expression.ts';
import type { InputArc, Net, Transition } from '../../../net/net.ts';
import type { Range } from './range.ts';

/** A free variable: it ranges over its colour set (S6). */
export interface FreeVariable {
  readonly name: string;
  readonly range: Range;
}

/** A transition as the code generator sees it. */
export interface TransitionPlan {
  readonly transition: Transition;
  readonly number: number;
  /** Arcs that take or read, in the order of the net. */
  readonly arcs: readonly InputArc[];
  readonly inhibitors: readonly InputArc[];
  readonly resets: readonly InputArc[];
  /** The conjuncts of the guard, from left to right. */
  readonly conditions: readonly Expression[];
  /** Free variables in the order of their names. */
  readonly free: readonly FreeVariable[];
  /** By arc that takes: the earlier arcs that take from the same place, possibly the same visible token. */
  readonly rivals: readonly (readonly number[])[];
  /** True for race timing (S9a). */
  readonly race: boolean;
  readonly priority: number;
}

export function planOf(net: Net, transition: Transition, number: number): TransitionPlan {
  const arcs = transition.inputs.filter((a) => a.kind === 'take' || a.kind === 'read');
  const colours = new Map(net.colours.map((c) => [c.name, c]));
  const free = (transition.free ?? []).map((f) => ({
    name: f.name,
    range: { ...colourBounds(colours.get(f.colour) as ScalarSet), integer: true },
  }));
  return {
    transition,
    number,
    arcs,
    inhibitors: transition.inputs.filter((a) => a.kind === 'inhibit'),
    resets: transition.inputs.filter((a) => a.kind === 'reset'),
    conditions: conjuncts(transition.guard),
    free: free.sort((a, b) => (a.name < b.name ? -1 : 1)),
    rivals: arcs.map((a, k) =>
      a.kind !== 'take' ? [] : arcs.flatMap((b, j) => (j < k && b.kind === 'take' && b.place === a.place ? [j] : [])),
    ),
    race: transition.timing === 'race',
    priority: transition.priority ?? 0,
  };
}

/** True if a candidate may need several tokens of a group: by the arc's count, or because another arc takes from its place. */
export function needsRow(plan: TransitionPlan, arc: number): boolean {
  const a = plan.arcs[arc]!;
  if (a.count > 1) return true;
  if (a.kind !== 'take') return false;
  return plan.rivals[arc]!.length > 0 || plan.rivals.some((r) => r.includes(arc));
}

/** The variables of a transition in the order of their first binding, free ones last: the order of observers' arguments. */
export function variableNames(plan: TransitionPlan): string[] {
  const names = new Set<string>();
  for (const arc of plan.arcs) for (const e of Object.values(arc.pattern)) if (e.op === 'var') names.add(e.name);
  for (const f of plan.free) names.add(f.name);
  return [...names];
}

import type { InputArc, Net, OutputArc, Table } from '../net/net.ts';
import { type JoinContext, planOf, type TransitionPlan } from './emit-join.ts';
import { layoutOf, type PlaceLayout } from './layout.ts';

export interface EmitOptions {
  /** Transitions whose firings are reported. */
  readonly observed: ReadonlySet<string>;
  /** Places whose tokens keep the time at which they came. */
  readonly timed: ReadonlySet<string>;
}

const byName = <T extends { readonly name: string }>(a: T, b: T): number => (a.name < b.name ? -1 : 1);

/** A net on its way to code: places and transitions numbered in the order of their names. */
export class Emission {
  readonly net: Net;
  readonly options: EmitOptions;
  readonly layouts: readonly PlaceLayout[];
  readonly byName: ReadonlyMap<string, PlaceLayout>;
  readonly plans: readonly TransitionPlan[];
  /** The places with a service, in the order in which they are numbered. */
  readonly services: readonly PlaceLayout[];
  readonly context: JoinContext;
  readonly tables: ReadonlyMap<string, Table>;
  /** Numbers that an event carries: the most variables that a transition has. */
  readonly width: number;
  readonly hasInhibitors: boolean;

  constructor(net: Net, options: EmitOptions) {
    this.net = net;
    this.options = options;
    this.layouts = [...net.places].sort(byName).map((p, k) => layoutOf(net, p, k));
    this.byName = new Map(this.layouts.map((l) => [l.place.name, l]));
    this.plans = [...net.transitions].sort(byName).map(planOf);
    this.services = this.layouts.filter((l) => l.place.service !== undefined);
    this.tables = new Map(net.tables.map((t) => [t.name, t]));
    const numbers = new Map(net.tables.map((t, k) => [t.name, k]));
    this.context = { layouts: this.byName, tables: this.tables, tableName: (name) => `K${numbers.get(name)}` };
    this.width = Math.max(1, ...this.plans.map((p) => variableNames(p).length));
    this.hasInhibitors = this.plans.some((p) => p.inhibitors.length > 0);
  }

  layoutOf(arc: InputArc | OutputArc): PlaceLayout {
    return this.byName.get(arc.place)!;
  }

  /** The arcs that take or read from a place. */
  uses(layout: PlaceLayout): { plan: TransitionPlan; arc: number }[] {
    return this.plans.flatMap((plan) =>
      plan.arcs.flatMap((a, arc) => (a.place === layout.place.name ? [{ plan, arc }] : [])),
    );
  }

  /** The inhibitor arcs at a place. */
  inhibitedBy(layout: PlaceLayout): { plan: TransitionPlan; inhibitor: number }[] {
    return this.plans.flatMap((plan) =>
      plan.inhibitors.flatMap((a, inhibitor) => (a.place === layout.place.name ? [{ plan, inhibitor }] : [])),
    );
  }
}

/** The variables of a transition in order of their first binding: the order in which observers get them. */
export function variableNames(plan: TransitionPlan): string[] {
  const names = new Set<string>();
  for (const arc of plan.arcs) for (const e of Object.values(arc.pattern)) if (e.op === 'var') names.add(e.name);
  return [...names];
}

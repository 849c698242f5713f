/*
 * Sample:
 * const p = place('p'), q = place('q'); fires((t) => t.inhibit(q, { x: t.take(p).x }));
 * →
 *   function valid0(s0: int, since: num): int {
 *   const v0 = I0[s0 + 2];
 */
import { type Expression, variablesOf } from '../../../net/expression.ts';
import { type TransitionPlan, variableNames } from '../bindings/plan.ts';
import { isWide, type Range, typed } from '../bindings/range.ts';
import type { Emission } from '../emission.ts';
import type { Scope } from '../expression.ts';
import { fieldOf } from '../layout.ts';

/**
 * Names used in the code of a firing: its tokens are in slots `s0`, `s1`, …, its free values in `f0`, `f1`, …, and its variables
 * become locals `v0`, `v1`, … in the order of {@link variableNames}. The values of a pass-through token are in `t0`, `t1`, ….
 */
export class FiringScope {
  readonly scope: Scope;
  /** Parameters of functions about a candidate: slots, then free values. */
  readonly parameters: readonly string[];
  /** The same with types. */
  readonly typed: readonly string[];
  /** Identifiers of all variables, in order. */
  readonly ids: readonly string[];
  /** By variable: true if it needs a double. */
  readonly wide: readonly boolean[];
  readonly #loads = new Map<string, string>();

  constructor(e: Emission, plan: TransitionPlan, passesThrough = false) {
    const names = new Map(variableNames(plan).map((v, k) => [v, `v${k}`]));
    const ranges = new Map<string, Range>();
    plan.arcs.forEach((a, k) => {
      const layout = e.layoutOf(a);
      layout.place.fields.forEach((f, i) => {
        const term = a.pattern[f.name];
        if (term?.op !== 'var' || ranges.has(term.name)) return;
        ranges.set(term.name, layout.ranges[i]!);
        this.#loads.set(term.name, passesThrough ? `t${i}` : fieldOf(layout, i, `s${k}`));
      });
    });
    plan.free.forEach((v, k) => {
      ranges.set(v.name, v.range);
      this.#loads.set(v.name, `f${k}`);
    });
    this.scope = { ...e.context, names, ranges };
    this.parameters = [...plan.arcs.map((_, k) => `s${k}`), ...plan.free.map((_, k) => `f${k}`)];
    this.typed = [
      ...plan.arcs.map((_, k) => `s${k}: int`),
      ...plan.free.map((v, k) => typed(`f${k}`, isWide(v.range))),
    ];
    this.ids = [...names.values()];
    this.wide = [...names.keys()].map((v) => isWide(ranges.get(v)!));
  }

  /** Code that loads the variables that occur in some expressions. */
  load(expressions: Iterable<Expression>): string {
    const used = new Set<string>();
    for (const x of expressions) variablesOf(x, used);
    return this.loadThese(used);
  }

  loadAll(): string {
    return this.loadThese(new Set(this.scope.names.keys()));
  }

  loadThese(used: ReadonlySet<string>): string {
    return [...this.scope.names]
      .filter(([v]) => used.has(v))
      .map(([v, id]) => `const ${id} = ${this.#loads.get(v)};`)
      .join(' ');
  }
}

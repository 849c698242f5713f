import { conjuncts, type Expression, variablesOf } from '../net/expression.ts';
import type { InputArc, Table, Transition } from '../net/net.ts';
import { emitTruth, emitValue, literal, mayFail, type Scope } from './emit-expression.ts';
import { bucketCode } from './emit-place.ts';
import { indexFor, isExactGroup, type PlaceLayout } from './layout.ts';
import { type Range, rangeOf } from './range.ts';

/** A transition as the code generator sees it. */
export interface TransitionPlan {
  readonly transition: Transition;
  readonly number: number;
  /** Arcs that take or read, in the order of the net. */
  readonly arcs: readonly InputArc[];
  readonly inhibitors: readonly InputArc[];
  readonly conditions: readonly Expression[];
  /** For every arc the earlier arcs that take from the same place: their tokens may be the same. */
  readonly rivals: readonly (readonly number[])[];
}

export interface JoinContext {
  readonly layouts: ReadonlyMap<string, PlaceLayout>;
  readonly tables: ReadonlyMap<string, Table>;
  readonly tableName: (name: string) => string;
}

export function planOf(transition: Transition, number: number): TransitionPlan {
  const arcs = transition.inputs.filter((a) => a.kind !== 'inhibit');
  return {
    transition,
    number,
    arcs,
    inhibitors: transition.inputs.filter((a) => a.kind === 'inhibit'),
    conditions: conjuncts(transition.guard),
    rivals: arcs.map((a, k) =>
      a.kind !== 'take' ? [] : arcs.flatMap((b, j) => (j < k && b.kind === 'take' && b.place === a.place ? [j] : [])),
    ),
  };
}

/** Whether a candidate may need more than one token of a group: by an arc's count or by two arcs on one place. */
export function needsRow(plan: TransitionPlan, arc: number): boolean {
  const a = plan.arcs[arc]!;
  if (a.kind !== 'take') return false;
  return a.count > 1 || plan.rivals[arc]!.length > 0 || plan.rivals.some((r) => r.includes(arc));
}

interface Condition {
  readonly order: number;
  readonly parts: readonly Expression[];
  readonly test: (scope: Scope) => string;
  readonly variables: ReadonlySet<string>;
}

/** More fields than a place has, and more terms than all patterns have: keeps conditions in order. */
const FIELDS = 1e3;
const GUARD = 1e9;

type Start =
  | { readonly arc: number; readonly slot: string; readonly row?: string }
  | { readonly inhibitor: number; readonly values: readonly string[] };

/**
 * Code that finds every candidate of a transition which binds a given token (or which a token that left an inhibitor's
 * place has set free) and calls `push`. Further tokens are found through indexes on what is already bound, the arc
 * with the most bound fields first; conditions are tested as soon as their variables are bound.
 */
export class Join {
  readonly #plan: TransitionPlan;
  readonly #context: JoinContext;
  readonly #names = new Map<string, string>();
  readonly #ranges = new Map<string, Range>();
  readonly #slots: string[] = [];
  /** Conditions not tested yet. In their order — terms of patterns, then the guard from left to right — one that may
   * fail comes only after all before it, which may be there to protect it; others come as soon as they can. */
  #open: Condition[] = [];
  #code: string[] = [];
  #depth = 0;

  constructor(plan: TransitionPlan, context: JoinContext) {
    this.#plan = plan;
    this.#context = context;
  }

  get scope(): Scope {
    const { tables, tableName } = this.#context;
    return { names: this.#names, ranges: this.#ranges, tables, tableName };
  }

  /** `skip`: conditions that the caller has tested. */
  emit(start: Start, skip: readonly Expression[], push: (slots: readonly string[]) => string): string {
    const plan = this.#plan;
    plan.conditions.forEach((c, k) => {
      if (skip.includes(c)) return;
      this.#open.push({ order: GUARD + k, parts: [c], test: (s) => emitTruth(c, s), variables: variablesOf(c) });
    });
    const rest = new Set(plan.arcs.keys());
    if ('arc' in start) {
      rest.delete(start.arc);
      this.#visit(start.arc, start.slot);
    } else {
      const arc = plan.inhibitors[start.inhibitor]!;
      this.#bind(arc, plan.arcs.length + start.inhibitor, (f) => start.values[f]!);
      this.#flush();
    }
    while (rest.size > 0) {
      const next = this.#best(rest);
      rest.delete(next);
      this.#lookUp(next);
    }
    this.#flush(true);
    this.#demand(start);
    this.#inhibitors();
    this.#code.push(push(this.#slots));
    return this.#code.join('\n') + '}'.repeat(this.#depth);
  }

  /** Code that is true where no inhibitor stands against the binding; needs all variables to be bound. */
  #inhibitors(): void {
    const { number, inhibitors } = this.#plan;
    inhibitors.forEach((arc, h) => {
      const values = Object.values(inOrder(arc, this.#layout(arc))).map((e) => emitValue(e, this.scope));
      this.#if(`!blocked${number}_${h}(${values.join(', ')})`);
    });
  }

  #layout(arc: InputArc): PlaceLayout {
    return this.#context.layouts.get(arc.place)!;
  }

  #if(test: string): void {
    this.#code.push(`if (${test}) {`);
    this.#depth++;
  }

  /** Binds the variables of an arc to the fields of a token; other terms become conditions. */
  #bind(arc: InputArc, number: number, field: (f: number) => string): void {
    const layout = this.#layout(arc);
    layout.place.fields.forEach((f, k) => {
      const e = arc.pattern[f.name];
      if (e === undefined) return;
      if (e.op === 'var' && !this.#names.has(e.name)) {
        this.#names.set(e.name, field(k));
        this.#ranges.set(e.name, layout.ranges[k]!);
        return;
      }
      const test = (s: Scope): string => `${field(k)} === ${emitValue(e, s)}`;
      this.#open.push({ order: number * FIELDS + k, parts: [e], test, variables: variablesOf(e) });
    });
  }

  #visit(arc: number, slot: string): void {
    const a = this.#plan.arcs[arc]!;
    const layout = this.#layout(a);
    this.#slots[arc] = slot;
    const used = layout.place.fields
      .map((f, k) => ({ k, used: a.pattern[f.name] !== undefined }))
      .filter((x) => x.used);
    if (used.length > 0)
      this.#code.push(`const ${used.map(({ k }) => `a${arc}_${k} = P${layout.number}_f${k}[${slot}]`).join(', ')};`);
    this.#bind(a, arc, (f) => `a${arc}_${f}`);
    this.#flush();
  }

  /** Tests every condition whose variables are bound; those that may fail only when all tokens are found. */
  #flush(complete = false): void {
    const ready = this.#open.filter(
      (c) =>
        [...c.variables].every((v) => this.#names.has(v)) && (complete || !c.parts.some((e) => mayFail(e, this.scope))),
    );
    this.#open = this.#open.filter((c) => !ready.includes(c));
    if (complete) ready.sort((a, b) => a.order - b.order);
    for (const c of ready) this.#if(c.test(this.scope));
  }

  /** The fields of an arc whose value follows from what is bound, with that value. */
  #known(arc: number): Map<number, Expression> {
    const a = this.#plan.arcs[arc]!;
    const bound = (e: Expression): boolean =>
      [...variablesOf(e)].every((v) => this.#names.has(v)) && !mayFail(e, this.scope);
    const known = new Map<number, Expression>();
    this.#layout(a).place.fields.forEach((f, k) => {
      const e = a.pattern[f.name];
      if (e === undefined) return;
      if (bound(e)) known.set(k, e);
      else if (e.op === 'var') {
        for (const c of this.#plan.conditions) {
          if (c.op !== 'eq') continue;
          const other =
            c.a.op === 'var' && c.a.name === e.name ? c.b : c.b.op === 'var' && c.b.name === e.name ? c.a : undefined;
          if (other !== undefined && bound(other)) known.set(k, other);
        }
      }
    });
    return known;
  }

  #best(rest: ReadonlySet<number>): number {
    let best = -1;
    let most = -1;
    for (const arc of rest) {
      const known = this.#known(arc).size;
      if (known > most) {
        best = arc;
        most = known;
      }
    }
    return best;
  }

  #lookUp(arc: number): void {
    const layout = this.#layout(this.#plan.arcs[arc]!);
    const known = this.#known(arc);
    const number = indexFor(layout, [...known.keys()]);
    const index = layout.indexes[number]!;
    const p = `P${layout.number}`;
    const keys = index.fields.map((f) => {
      const e = known.get(f)!;
      const id = `k${arc}_${f}`;
      this.#code.push(`const ${id} = ${emitValue(e, this.scope)};`);
      if (index.kind === 'dense') {
        const r = rangeOf(e, this.#ranges, this.#context.tables);
        const { low, high } = layout.ranges[f]!;
        if (!r.whole || r.low < low || r.high > high)
          this.#if(
            `${r.whole ? '' : `Number.isInteger(${id}) && `}${id} >= ${literal(low)} && ${id} <= ${literal(high)}`,
          );
      }
      return id;
    });
    const slot = `s${arc}`;
    const first = `${p}_h${number}[${bucketCode(layout, number, keys)}]`;
    if (isExactGroup(layout, index)) {
      this.#code.push(`const ${slot} = ${first};`);
      this.#if(`${slot} >= 0`);
    } else {
      this.#code.push(`for (let ${slot} = ${first}; ${slot} >= 0; ${slot} = ${p}_x${number}[${slot}]) {`);
      this.#depth++;
      this.#if(`${p}_v[${slot}] === 2`);
    }
    this.#visit(arc, slot);
  }

  /** Where several tokens of a group are needed: that so many stand in a row. */
  #demand(start: Start): void {
    const plan = this.#plan;
    plan.arcs.forEach((a, k) => {
      if (!needsRow(plan, k)) return;
      const same = plan.rivals[k]!.map(
        (j) => ` + (${this.#slots[j]} === ${this.#slots[k]} ? ${plan.arcs[j]!.count} : 0)`,
      ).join('');
      this.#if(`row${this.#layout(a).number}(${this.#slots[k]}) >= ${a.count}${same}`);
    });
    if ('arc' in start && start.row !== undefined) {
      const takers = plan.arcs.flatMap((a, k) =>
        a.kind === 'take' && a.place === plan.arcs[start.arc]!.place ? [k] : [],
      );
      this.#if(
        `${takers.map((k) => `(${this.#slots[k]} === ${start.slot} ? ${plan.arcs[k]!.count} : 0)`).join(' + ')} === ${start.row}`,
      );
    }
  }
}

/** An arc's pattern in the order of the place's fields. */
export function inOrder(arc: InputArc, layout: PlaceLayout): Record<string, Expression> {
  const out: Record<string, Expression> = {};
  for (const f of layout.place.fields) {
    const e = arc.pattern[f.name];
    if (e !== undefined) out[f.name] = e;
  }
  return out;
}

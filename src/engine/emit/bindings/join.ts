/*
 * Sample:
 * const p = place('p'), q = place('q'); fires((t) => t.take(q, { x: t.take(p).x }));
 * →
 *   { const a0_0 = g0;
 *   const k1_0 = a0_0;
 *   const s1 = ~L1_h0[k1_0];
 *   if (s1 >= 0) {
 *   push0(s, s1);} }
 */
import { type Expression, variablesOf } from '../../../net/expression.ts';
import type { InputArc } from '../../../net/net.ts';
import type { Emission } from '../emission.ts';
import { emitBoolean, emitValue, literal, mayFail, type Scope } from '../expression.ts';
import {
  bucketCode,
  fieldOf,
  headOf,
  indexFor,
  isExactGroup,
  isState,
  nextOf,
  type PlaceLayout,
  VISIBLE,
} from '../layout.ts';
import { type FreeVariable, needsRow, type TransitionPlan } from './plan.ts';
import { isWide, type Range, rangeOf, typed } from './range.ts';

/** A test that a candidate must pass; `order` is its position: terms of patterns first, then the parts of the guard. */
interface Condition {
  readonly order: number;
  readonly parts: readonly Expression[];
  readonly test: (scope: Scope) => string;
  readonly variables: ReadonlySet<string>;
}

/** Bases of `Condition.order`: FIELDS exceeds the number of fields of a place, GUARD the order of any term of a pattern. */
const FIELDS = 1e3;
const GUARD = 1e9;

/** A token in a record, bound by an arc. */
export interface TokenStart {
  readonly arc: number;
  readonly slot: string;
  /** Code: only candidates that need exactly this many consecutive tokens from the slot on are searched for. */
  readonly row?: string;
  /** Code for the value of a field, if it need not be read from the record. */
  readonly field?: (field: number) => string;
}

/** Start of the search: a token in a record, a token by its values, a token that has left an inhibitor's place, or none. */
type Start =
  | TokenStart
  | { readonly arc: number; readonly values: readonly string[] }
  | { readonly inhibitor: number; readonly values: readonly string[] }
  | 'anywhere';

/** Makes the code for a candidate that was found from its slot for each arc and its value for each free variable. */
type Found = (slots: readonly string[], free: readonly string[]) => string;

/**
 * Code that finds candidates of a transition and runs the code of `push` for each: all candidates, those that bind a given token
 * (in a record, or by its values), or those that a token leaving an inhibitor's place has enabled. Further tokens are found
 * through indexes on the fields that are already bound; the arc with the most bound fields comes first. Conditions are tested as
 * soon as their variables are bound.
 */
export class Join {
  readonly #plan: TransitionPlan;
  readonly #e: Emission;
  readonly #names = new Map<string, string>();
  readonly #ranges = new Map<string, Range>();
  readonly #slots: string[] = [];
  /**
   * Conditions not tested yet. One that may fail is tested only after all conditions before it, since they may protect it; the
   * others are tested as soon as possible.
   */
  #open: Condition[] = [];
  #code: string[] = [];
  readonly #loads: { readonly name: string; readonly value: string }[][] = [];
  #depth = 0;

  constructor(e: Emission, plan: TransitionPlan) {
    this.#plan = plan;
    this.#e = e;
  }

  get scope(): Scope {
    return { ...this.#e.context, names: this.#names, ranges: this.#ranges };
  }

  /** @param skip conditions that the caller has tested */
  emit(start: Start, skip: readonly Expression[], push: Found): string {
    const plan = this.#plan;
    plan.conditions.forEach((c, k) => {
      if (skip.includes(c)) return;
      this.#open.push({ order: GUARD + k, parts: [c], test: (s) => emitBoolean(c, s), variables: variablesOf(c) });
    });
    const rest = new Set(plan.arcs.keys());
    if (start === 'anywhere') this.#flush();
    else if ('arc' in start) {
      rest.delete(start.arc);
      if ('slot' in start) this.#visit(start.arc, start.slot, undefined, start.field);
      else {
        this.#bind(plan.arcs[start.arc]!, start.arc, (f) => start.values[f]!);
        this.#flush();
      }
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
    const free = this.#e.listed(plan);
    for (const v of free) if (!this.#names.has(v.name)) this.#range(v);
    this.#flush(true);
    this.#demand(start);
    this.#inhibitors();
    this.#code.push(
      push(
        this.#slots,
        free.map((v) => this.#names.get(v.name)!),
      ),
    );
    return this.#loaded(this.#code.join('\n')) + '}'.repeat(this.#depth);
  }

  /** Replaces the placeholders `loads <k>` by code that loads those fields of tokens that occur in the code. */
  #loaded(code: string): string {
    const named = new Set(code.match(/\ba\d+_\d+\b/g));
    return code.replace(/^loads (\d+)$/gm, (_, k) => {
      const used = this.#loads[k]!.filter(({ name }) => named.has(name)).map(({ name, value }) => `${name} = ${value}`);
      return used.length > 0 ? `const ${used.join(', ')};` : '';
    });
  }

  /** Tests that no inhibitor blocks the binding; all variables must be bound. */
  #inhibitors(): void {
    const { number, inhibitors } = this.#plan;
    inhibitors.forEach((arc, h) => {
      const values = Object.values(inOrder(arc, this.#layout(arc))).map((e) => emitValue(e, this.scope));
      this.#if(`!blocked${number}_${h}(${values.join(', ')})`);
    });
  }

  #layout(arc: InputArc): PlaceLayout {
    return this.#e.layoutOf(arc);
  }

  #if(test: string): void {
    this.#code.push(`if (${test}) {`);
    this.#depth++;
  }

  /** Binds the variables of an arc to the fields of a token; other terms become conditions, except those known to hold (`sure`). */
  #bind(arc: InputArc, number: number, field: (f: number) => string, sure?: ReadonlyMap<number, Expression>): void {
    const layout = this.#layout(arc);
    layout.place.fields.forEach((f, k) => {
      const e = arc.pattern[f.name];
      if (e === undefined) return;
      if (e.op === 'var' && !this.#names.has(e.name)) {
        this.#names.set(e.name, field(k));
        const free = this.#plan.free.find((v) => v.name === e.name);
        this.#ranges.set(e.name, free?.range ?? layout.ranges[k]!);
        if (free !== undefined) this.#if(within(field(k), free.range, layout.ranges[k]!));
        return;
      }
      if (sure?.get(k) === e) return;
      const test = (s: Scope): string => `(${field(k)} === ${emitValue(e, s)})`;
      this.#open.push({ order: number * FIELDS + k, parts: [e], test, variables: variablesOf(e) });
    });
  }

  /** @param sure fields that are known to have the given value, because the token was found by it */
  #visit(arc: number, slot: string, sure?: ReadonlyMap<number, Expression>, field?: (field: number) => string): void {
    const a = this.#plan.arcs[arc]!;
    const layout = this.#layout(a);
    this.#slots[arc] = slot;
    const used = layout.place.fields
      .map((f, k) => ({ k, used: a.pattern[f.name] !== undefined }))
      .filter((x) => x.used);
    const loads = used.map(({ k }) => ({ name: `a${arc}_${k}`, value: field?.(k) ?? fieldOf(layout, k, slot) }));
    this.#code.push(`loads ${this.#loads.push(loads) - 1}`);
    this.#bind(a, arc, (f) => `a${arc}_${f}`, sure);
    this.#flush();
  }

  /** Tests every condition whose variables are bound; those that may fail wait until all tokens are found (`complete`). */
  #flush(complete = false): void {
    const ready = this.#open.filter(
      (c) =>
        [...c.variables].every((v) => this.#names.has(v)) && (complete || !c.parts.some((e) => mayFail(e, this.scope))),
    );
    this.#open = this.#open.filter((c) => !ready.includes(c));
    if (complete) ready.sort((a, b) => a.order - b.order);
    const risky = complete && ready.length > 1 && ready.some((c) => c.parts.some((e) => mayFail(e, this.scope)));
    if (!risky) {
      for (const c of ready) this.#if(c.test(this.scope));
      return;
    }
    // A failure in a part of the guard is ignored if another part is false (S7): the first one is raised if all others hold.
    const id = `h${this.#names.size}_${this.#depth}`;
    const guard = ready.filter((c) => c.order >= GUARD);
    const patterns = ready.filter((c) => c.order < GUARD);
    this.#code.push(
      `let ${id} = 1; trouble = 0;`,
      ...guard.map(
        (c) =>
          `if (${id}) { soft = 1; failed = 0; const w = ${c.test({ ...this.scope, insideGuard: true })}; soft = 0; if (!failed && !w) ${id} = 0; }`,
      ),
      ...patterns.map((c) => `if (${id} && !${c.test(this.scope)}) ${id} = 0;`),
      `if (${id} && trouble) raise();`,
    );
    this.#if(id);
  }

  /** Gives a free variable the value that a condition implies, or else iterates over its colour set. */
  #range({ name, range }: FreeVariable): void {
    const id = `v${this.#names.size}`;
    const given = this.#valueOf(name);
    if (given !== undefined) {
      const r = rangeOf(given, this.#ranges, this.#e.tables);
      const any = isWide(range) || (r.integer && !isWide(r)) ? id : `${id}x`;
      this.#code.push(`const ${any} = ${emitValue(given, this.scope)};`);
      this.#if(within(any, range, r));
      if (any !== id) this.#code.push(`const ${id}: int = ${any};`);
    } else {
      this.#code.push(
        `for (let ${typed(id, isWide(range))} = ${literal(range.low)}; ${id} <= ${literal(range.high)}; ${id}++) {`,
      );
      this.#depth++;
    }
    this.#names.set(name, id);
    this.#ranges.set(name, range);
    this.#flush();
  }

  /** The expression that a condition equates with an unbound variable, if its value is known and it cannot fail. */
  #valueOf(variable: string): Expression | undefined {
    for (const c of this.#plan.conditions) {
      if (c.op !== 'eq') continue;
      for (const [x, other] of [
        [c.a, c.b],
        [c.b, c.a],
      ] as const)
        if (x.op === 'var' && x.name === variable && this.#isKnown(other)) return other;
    }
    return undefined;
  }

  #isKnown(e: Expression): boolean {
    return [...variablesOf(e)].every((v) => this.#names.has(v)) && !mayFail(e, this.scope);
  }

  /** The fields of an arc whose value follows from the bound variables, with the expression of that value. */
  #known(arc: number): Map<number, Expression> {
    const a = this.#plan.arcs[arc]!;
    const known = new Map<number, Expression>();
    this.#layout(a).place.fields.forEach((f, k) => {
      const e = a.pattern[f.name];
      if (e === undefined) return;
      const value = this.#isKnown(e) ? e : e.op === 'var' ? this.#valueOf(e.name) : undefined;
      if (value !== undefined) known.set(k, value);
    });
    return known;
  }

  #best(rest: ReadonlySet<number>): number {
    let best = -1;
    let max = -1;
    for (const arc of rest) {
      const known = this.#known(arc).size;
      if (known > max) {
        best = arc;
        max = known;
      }
    }
    return best;
  }

  #lookUp(arc: number): void {
    const layout = this.#layout(this.#plan.arcs[arc]!);
    const known = this.#known(arc);
    const number = indexFor(layout, [...known.keys()]);
    const index = layout.indexes[number]!;
    const keys = index.fields.map((f) => {
      const e = known.get(f)!;
      const id = `k${arc}_${f}`;
      this.#code.push(`const ${id} = ${emitValue(e, this.scope)};`);
      if (index.kind === 'dense') {
        const r = rangeOf(e, this.#ranges, this.#e.tables);
        const { low, high } = layout.ranges[f]!;
        if (!r.integer || r.low < low || r.high > high) this.#if(within(id, { low, high }, r));
      }
      return id;
    });
    const slot = `s${arc}`;
    const first = headOf(layout, number, bucketCode(layout, number, keys));
    if (isExactGroup(layout, index)) {
      this.#code.push(`const ${slot} = ${first};`);
      this.#if(`${slot} >= 0`);
    } else {
      this.#code.push(`for (let ${slot} = ${first}; ${slot} >= 0; ${slot} = ${nextOf(layout, number, slot)}) {`);
      this.#depth++;
      this.#if(isState(layout, slot, VISIBLE));
    }
    this.#visit(arc, slot, index.kind === 'dense' ? new Map(index.fields.map((f) => [f, known.get(f)!])) : undefined);
  }

  /** Tests that enough consecutive tokens are there, if several tokens of a group are needed. */
  #demand(start: Start): void {
    const plan = this.#plan;
    plan.arcs.forEach((a, k) => {
      if (!needsRow(plan, k)) return;
      const row = `row${this.#layout(a).number}(${this.#slots[k]})`;
      if (a.kind === 'read') {
        this.#if(`${row} >= ${a.count}`);
        return;
      }
      const same = plan.rivals[k]!.map(
        (j) => ` + (${this.#slots[j]} === ${this.#slots[k]} ? ${plan.arcs[j]!.count} : 0)`,
      ).join('');
      this.#if(`${row} >= ${a.count}${same}`);
    });
    if (start === 'anywhere' || !('slot' in start) || start.row === undefined) return;
    const { slot, row } = start;
    const at = plan.arcs[start.arc]!.place;
    const here = (kind: 'take' | 'read'): { k: number; count: number }[] =>
      plan.arcs.flatMap((a, k) => (a.kind === kind && a.place === at ? [{ k, count: a.count }] : []));
    const taken = here('take').map(({ k, count }) => `(${this.#slots[k]} === ${slot} ? ${count} : 0)`);
    const read = here('read').map(({ k, count }) => `(${this.#slots[k]} === ${slot} ? ${count} : 0)`);
    this.#if(`Math.max(${[taken.join(' + ') || '0', ...read].join(', ')}) === ${row}`);
  }
}

/** Code that is true if a value lies in a range; tests that always hold for values in `known` are left out. */
export function within(id: string, range: Pick<Range, 'low' | 'high'>, known: Range): string {
  const tests = [
    ...(known.integer ? [] : [`Number.isInteger(${id})`]),
    ...(known.low >= range.low ? [] : [`${id} >= ${literal(range.low)}`]),
    ...(known.high <= range.high ? [] : [`${id} <= ${literal(range.high)}`]),
  ];
  return tests.join(' && ') || 'true';
}

/** An arc's pattern with its terms in the order of the place's fields. */
export function inOrder(arc: Pick<InputArc, 'pattern'>, layout: PlaceLayout): Record<string, Expression> {
  const out: Record<string, Expression> = {};
  for (const f of layout.place.fields) {
    const e = arc.pattern[f.name];
    if (e !== undefined) out[f.name] = e;
  }
  return out;
}

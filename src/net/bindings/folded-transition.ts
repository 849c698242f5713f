import { type ColourSet, type Column, colourBounds, columnsOf, type ScalarSet } from '../colour.ts';
import { type Evaluate, evaluator, type Surroundings } from '../evaluate.ts';
import { conjuncts, type Expression, variablesOf } from '../expression.ts';
import type { InputArc, Transition } from '../net.ts';

/**
 * A component of a binding: the value of a variable, or of a column omitted from a pattern (tokens that differ there
 * give different bindings).
 */
export interface Slot {
  readonly name: string;
  readonly colour: ScalarSet;
}

/** The requirement on a column of a pattern: equal to a slot (which it binds if unbound), or to an expression. */
export type Term = { readonly slot: number } | Computed;

export interface Computed {
  readonly evaluate: Evaluate;
  /** The slots it depends on. */
  readonly uses: readonly number[];
}

/** A take or read arc. */
export interface BindingArc {
  readonly arc: InputArc;
  readonly terms: readonly Term[];
}

/** A conjunct of the guard. */
export interface Condition extends Computed {
  /** The two sides, if it is an equation. */
  readonly sides?: readonly [Computed, Computed];
  /** Slots that it fixes to a value. */
  readonly equal: readonly { readonly slot: number; readonly to: Computed }[];
}

/** A transition prepared for the search of its bindings. */
export interface FoldedTransition {
  readonly transition: Transition;
  readonly slots: readonly Slot[];
  readonly slotOf: ReadonlyMap<string, number>;
  readonly arcs: readonly BindingArc[];
  /** Slots not bound by an arc. */
  readonly free: readonly number[];
  readonly conditions: readonly Condition[];
}

/** Numbers the slots of a transition and compiles its patterns and guard. O(its size). */
export function foldedTransition(
  transition: Transition,
  columnsOfPlace: (place: string) => readonly Column[],
  colours: ReadonlyMap<string, ColourSet>,
  around: Surroundings,
): FoldedTransition {
  const slots: Slot[] = [];
  const slotOf = new Map<string, number>();
  const binding = transition.inputs.filter((a) => a.kind === 'take' || a.kind === 'read');
  for (const arc of binding) {
    for (const c of columnsOfPlace(arc.place)) {
      const e = given(arc, c.name);
      if (e?.op !== 'var' || slotOf.has(e.name)) continue;
      slotOf.set(e.name, slots.length);
      slots.push({ name: e.name, colour: c.colour });
    }
  }
  const ranges: Condition[] = [];
  const free: number[] = [];
  for (const c of columnsOf(transition.free ?? [], colours)) {
    const slot = slotOf.get(c.name);
    if (slot !== undefined) {
      const { low, high } = colourBounds(c.colour);
      ranges.push({ evaluate: (s) => Number(s[slot]! >= low && s[slot]! <= high), uses: [slot], equal: [] });
      continue;
    }
    slotOf.set(c.name, slots.length);
    free.push(slots.length);
    slots.push({ name: c.name, colour: c.colour });
  }
  const computed = (e: Expression): Computed => ({
    evaluate: evaluator(e, slotOf, around),
    uses: [...variablesOf(e)].map((v) => slotOf.get(v)!),
  });
  const seen = new Map<string, number>();
  const arcs = binding.map((arc): BindingArc => {
    const number = (seen.get(arc.place) ?? 0) + 1;
    seen.set(arc.place, number);
    const terms = columnsOfPlace(arc.place).map((c): Term => {
      const e = given(arc, c.name);
      if (e === undefined) {
        slots.push({ name: `${arc.place}${number === 1 ? '' : `#${number}`}.${c.name}`, colour: c.colour });
        return { slot: slots.length - 1 };
      }
      return e.op === 'var' ? { slot: slotOf.get(e.name)! } : computed(e);
    });
    return { arc, terms };
  });
  const conditions = conjuncts(transition.guard).map((e): Condition => {
    if (e.op !== 'eq') return { ...computed(e), equal: [] };
    const [a, b] = [computed(e.a), computed(e.b)];
    const equal: { slot: number; to: Computed }[] = [];
    if (e.a.op === 'var') equal.push({ slot: slotOf.get(e.a.name)!, to: b });
    if (e.b.op === 'var') equal.push({ slot: slotOf.get(e.b.name)!, to: a });
    return { ...computed(e), sides: [a, b], equal };
  });
  return { transition, slots, slotOf, arcs, free, conditions: [...conditions, ...ranges] };
}

/**
 * The pattern's expression for a column; own properties only, because a column may be named like an inherited member.
 */
export function given(arc: InputArc, column: string): Expression | undefined {
  return Object.hasOwn(arc.pattern, column) ? arc.pattern[column] : undefined;
}

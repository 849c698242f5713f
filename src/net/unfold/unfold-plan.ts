import { colourBounds } from '../colour.ts';
import { type Evaluate, EvaluationFailure } from '../evaluate.ts';
import { type ColourIndex, type Key, keyOf, type PossibleColours } from './unfold-colours.ts';
import type { Computed, FoldedTransition } from './unfold-transition.ts';

/** A search plan for the bindings of a transition. */
export interface Plan {
  /** Checks without slots. */
  readonly before: readonly Check[];
  readonly steps: readonly Step[];
}

/** One step of a search: the next arc selects a token, or the next free variable takes a value. */
export type Step = ArcStep | FreeStep;

export interface ArcStep {
  readonly arc: number;
  /** The required key of the tokens and the index by it; without an index all tokens are tried. */
  readonly key: readonly Source[];
  readonly index: ColourIndex | undefined;
  /** Columns that set a slot, or must equal its value if `bound`. */
  readonly slots: readonly { readonly column: number; readonly slot: number; readonly bound: boolean }[];
  readonly checks: readonly Check[];
}

export interface FreeStep {
  readonly slot: number;
  readonly low: number;
  readonly high: number;
  /** The value required by an equation of the guard. */
  readonly value: Evaluate | undefined;
  readonly checks: readonly Check[];
}

/** A number known during the search: computed from slots, or a column of a selected token. */
export type Source = { readonly evaluate: Evaluate } | ColumnOf;

export interface ColumnOf {
  readonly arc: number;
  readonly column: number;
}

/**
 * A condition checked as soon as its slots are bound: a conjunct of the guard, or equality with a column of an arc's
 * token.
 */
export interface Check {
  readonly evaluate: Evaluate;
  readonly column?: ColumnOf;
}

/** An equation of a pattern or the guard; each side is a column or computed from slots. */
interface Equation {
  readonly sides: readonly [Side, Side];
}
type Side = Computed | ColumnOf;

/** One part of a key: its required value, and how it is computed from a token. */
interface KeyPart {
  readonly name: string;
  readonly source: Source;
  /** A column of the token, or an expression over slots that the token binds. */
  readonly own: number | Computed;
}

/**
 * The search order for the bindings of a transition: after `first` (an arc whose token is given), the option with the
 * fewest possibilities by colour-set sizes; every check as early as possible. Tokens are found by an index (hash join):
 * one part of the key for each equation of a pattern or the guard with one side known and the other depending on the
 * token alone. O((arcs + free variables)² · equations).
 */
export function planOf(
  folded: FoldedTransition,
  coloursOf: (arc: number) => PossibleColours,
  first: number | undefined,
): Plan {
  const bound = new Set<number>();
  const chosen = new Set<number>();
  const arcs = new Set(folded.arcs.keys());
  const free = new Set(folded.free);
  const conditions = new Set(folded.conditions);
  const equations = equationsOf(folded);
  const sizes = folded.slots.map(({ colour }) => {
    const { low, high } = colourBounds(colour);
    return high - low + 1;
  });
  const patterns = new Set(
    folded.arcs.flatMap(({ terms }, arc) =>
      terms.flatMap((term, column) => ('slot' in term ? [] : [{ ...term, column: { arc, column } }])),
    ),
  );
  const steps: Step[] = [];

  const ready = (c: Computed): boolean => c.uses.every((s) => bound.has(s));
  const known = (side: Side): Source | undefined =>
    'arc' in side ? (chosen.has(side.arc) ? side : undefined) : ready(side) ? side : undefined;

  const keyParts = (arc: number): KeyPart[] => {
    const own = new Set(slotsOf(folded, arc));
    const columns = folded.arcs[arc]!.terms.flatMap((term, column): KeyPart[] => {
      if (!('slot' in term) || !bound.has(term.slot)) return [];
      return [{ name: `c${column}`, source: { evaluate: (s) => s[term.slot]! }, own: column }];
    });
    const others = equations.flatMap(({ sides }, n) =>
      [sides, [sides[1], sides[0]] as const].flatMap(([mine, other], side): KeyPart[] => {
        const source = known(other);
        if (source === undefined || known(mine) !== undefined) return [];
        if ('arc' in mine) return mine.arc === arc ? [{ name: `c${mine.column}`, source, own: mine.column }] : [];
        if (!mine.uses.every((s) => own.has(s))) return [];
        return [{ name: `e${2 * n + side}`, source, own: mine }];
      }),
    );
    return [...new Map([...columns, ...others].map((p) => [p.name, p])).values()];
  };
  /** Estimated tokens to try for an arc: each part of the key fixes a column or one of its slots. */
  const choices = (arc: number): number => {
    const { terms } = folded.arcs[arc]!;
    const columns = new Set<number>();
    const slots = new Set<number>(bound);
    for (const { own } of keyParts(arc)) {
      if (typeof own === 'number') columns.add(own);
      else {
        const open = own.uses.find((s) => !slots.has(s));
        if (open !== undefined) slots.add(open);
      }
    }
    return terms.reduce((product, term, column) => {
      if (columns.has(column) || ('slot' in term && slots.has(term.slot))) return product;
      if ('slot' in term) {
        slots.add(term.slot);
        return product * sizes[term.slot]!;
      }
      const { low, high } = colourBounds(coloursOf(arc).columns[column]!.colour);
      return product * (high - low + 1);
    }, 1);
  };
  const settled = (slot: number): Evaluate | undefined => {
    for (const { equal } of folded.conditions)
      for (const { slot: other, to } of equal) if (other === slot && ready(to)) return to.evaluate;
    return undefined;
  };
  const checks = (): Check[] => {
    const now: Check[] = [];
    for (const p of patterns) {
      if (!chosen.has(p.column.arc) || !ready(p)) continue;
      patterns.delete(p);
      now.push(p);
    }
    for (const c of conditions) {
      if (!ready(c)) continue;
      conditions.delete(c);
      now.push(c);
    }
    return now;
  };
  const takeArc = (arc: number, isGiven: boolean): void => {
    const parts = isGiven ? [] : keyParts(arc);
    const slots = folded.arcs[arc]!.terms.flatMap((term, column) => {
      if (!('slot' in term)) return [];
      const was = bound.has(term.slot);
      bound.add(term.slot);
      return [{ column, slot: term.slot, bound: was }];
    });
    arcs.delete(arc);
    chosen.add(arc);
    const index = parts.length === 0 ? undefined : indexBy(parts, folded, arc, coloursOf(arc));
    steps.push({ arc, key: parts.map((p) => p.source), index, slots, checks: checks() });
  };
  const takeFree = (slot: number): void => {
    const value = settled(slot);
    free.delete(slot);
    bound.add(slot);
    steps.push({ slot, ...colourBounds(folded.slots[slot]!.colour), value, checks: checks() });
  };

  const before = checks();
  if (first !== undefined) takeArc(first, true);
  while (arcs.size + free.size > 0) {
    const options = [
      ...[...arcs].map((arc) => ({ count: choices(arc), take: () => takeArc(arc, false) })),
      ...[...free].map((slot) => ({
        count: settled(slot) === undefined ? sizes[slot]! : 1,
        take: () => takeFree(slot),
      })),
    ];
    options.reduce((best, o) => (o.count < best.count ? o : best)).take();
  }
  return { before, steps };
}

function equationsOf(folded: FoldedTransition): Equation[] {
  const patterns = folded.arcs.flatMap(({ terms }, arc) =>
    terms.flatMap((term, column): Equation[] => ('slot' in term ? [] : [{ sides: [{ arc, column }, term] }])),
  );
  const guard = folded.conditions.flatMap((c): Equation[] => (c.sides === undefined ? [] : [{ sides: c.sides }]));
  return [...patterns, ...guard];
}

function slotsOf(folded: FoldedTransition, arc: number): number[] {
  return folded.arcs[arc]!.terms.flatMap((t) => ('slot' in t ? [t.slot] : []));
}

/** An index of the arc's tokens. A token whose key cannot be evaluated is returned by every lookup. */
function indexBy(
  parts: readonly KeyPart[],
  folded: FoldedTransition,
  arc: number,
  colours: PossibleColours,
): ColourIndex {
  const columns = parts.flatMap((p) => (typeof p.own === 'number' ? [p.own] : []));
  if (columns.length === parts.length) return colours.indexByColumns(columns);
  const slots = new Float64Array(folded.slots.length);
  const { terms } = folded.arcs[arc]!;
  const key = (number: number): Key | undefined => {
    terms.forEach((term, column) => {
      if ('slot' in term) slots[term.slot] = colours.value(number, column);
    });
    try {
      return keyOf(
        parts.map(({ own }) => (typeof own === 'number' ? colours.value(number, own) : own.evaluate(slots))),
      );
    } catch (e) {
      if (e instanceof EvaluationFailure) return undefined;
      throw e;
    }
  };
  return colours.index(`${arc} ${parts.map((p) => p.name).join()} ${folded.transition.name}`, key);
}

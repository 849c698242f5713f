import { colourBounds } from '../colour.ts';
import type { Evaluate } from '../evaluate.ts';
import type { Computed, FoldedTransition } from './folded-transition.ts';

/** A value known during a search: computed from slots, or a column of the token chosen for an arc. */
export type Source = { readonly evaluate: Evaluate } | ColumnOf;

/** A column of the token chosen for an arc. */
interface ColumnOf {
  readonly arc: number;
  readonly column: number;
}

/** A condition on bound slots: a conjunct of the guard, or equality of an expression with a column of a token. */
export interface Check {
  readonly evaluate: Evaluate;
  readonly column?: ColumnOf;
}

/** One part of the key by which the tokens of an arc are looked up. */
export interface KeyPart {
  /** A column of the token, or an expression over the slots that the token binds. */
  readonly own: number | Computed;
  /** The required value. */
  readonly source: Source;
}

/** One step of a search: chooses a token for an arc, or a value for a free variable. */
export type SearchStep<Index> = ArcStep<Index> | FreeStep;

/** Chooses a token for an arc. */
export interface ArcStep<Index> {
  readonly arc: number;
  /** Required values of all columns, if known: at most one colour matches. */
  readonly exact: readonly Source[] | undefined;
  /** Required values of some columns, or of expressions over them. */
  readonly parts: readonly KeyPart[];
  /** The index by `parts`; undefined without parts. */
  readonly index: Index | undefined;
  /** Columns that set a slot, or must equal its value if `bound`. */
  readonly slots: readonly { readonly column: number; readonly slot: number; readonly bound: boolean }[];
  readonly checks: readonly Check[];
}

/** Chooses a value for a free variable. */
export interface FreeStep {
  readonly slot: number;
  readonly low: number;
  readonly high: number;
  /** The value determined by the guard, if any. */
  readonly value: Evaluate | undefined;
  readonly checks: readonly Check[];
}

/** Estimates by which the next step is chosen. */
export interface Estimate<Index> {
  /** Number of tokens that the step would try. */
  triesOf(step: ArcStep<Index>): number;
  /** Number of values of a free variable; `Infinity` places it after all arcs. */
  valuesOf(slot: number): number;
}

/** A transition whose bindings are searched. */
export interface Searched<Index> {
  readonly folded: FoldedTransition;
  /** Arcs whose tokens have columns. Uncoloured tokens need no search. */
  readonly arcs: readonly number[];
  /** Creates an index of the tokens of an arc. */
  indexOf(arc: number, parts: readonly KeyPart[]): Index;
  /** Maximum number of plans; beyond it, only orders that are already planned are used. */
  readonly maxPlans: number;
}

type Side = Computed | ColumnOf | { readonly slot: number };

/** An equation of a pattern or the guard: each side is a column, a slot, or computed from slots. */
type Equation = readonly [Side, Side];

/** Data common to all plans of a transition. */
interface Shared<Index> {
  readonly searched: Searched<Index>;
  readonly equations: readonly Equation[];
  plans: number;
}

/** A check that waits for slots to be bound, or for the token of an arc. */
interface Pending extends Check {
  readonly uses: readonly number[];
}

/** Bound slots, chosen arcs, and open arcs, variables and checks after the steps of a plan. */
interface Progress<Index> {
  readonly bound: Iterable<number>;
  readonly chosen: Iterable<number>;
  readonly open: readonly number[];
  readonly free: Iterable<number>;
  readonly pending: readonly Pending[];
  readonly steps: readonly SearchStep<Index>[];
}

/** The next step: a token for an arc, or a value for a free variable. */
type Next = { readonly arc: number } | { readonly slot: number };

/**
 * A search plan for the bindings of a transition, or its beginning. Tokens are found by an index (hash join): one part of
 * the key for each equation of a pattern or the guard that has one side known and the other on the token alone. Checks
 * come as early as possible. Each continuation is planned once.
 */
export class SearchPlan<Index> {
  readonly steps: readonly SearchStep<Index>[];
  readonly #shared: Shared<Index>;
  readonly #bound: Set<number>;
  readonly #chosen: Set<number>;
  /** Arcs without a step. */
  readonly #open: readonly number[];
  readonly #free: Set<number>;
  #pending: readonly Pending[];
  readonly #byArc = new Map<number, SearchPlan<Index>>();
  readonly #bySlot = new Map<number, SearchPlan<Index>>();

  private constructor(shared: Shared<Index>, from: Progress<Index>, next?: Next) {
    this.#shared = shared;
    shared.plans++;
    this.#bound = new Set(from.bound);
    this.#chosen = new Set(from.chosen);
    this.#free = new Set(from.free);
    this.#pending = from.pending;
    this.#open = next !== undefined && 'arc' in next ? from.open.filter((arc) => arc !== next.arc) : from.open;
    const steps = [...from.steps];
    if (next !== undefined) steps.push('arc' in next ? this.#arcStep(next.arc) : this.#freeStep(next.slot));
    // Variables whose value the guard determines come early, since they add no branching.
    for (let slot = this.#determined(); slot !== undefined; slot = this.#determined()) steps.push(this.#freeStep(slot));
    this.steps = steps;
  }

  /** The empty plan of a transition. */
  static root<Index>(searched: Searched<Index>): SearchPlan<Index> {
    const { arcs, conditions } = searched.folded;
    const patterns = arcs.flatMap(({ terms }, arc) =>
      terms.flatMap((term, column): Equation[] => ('slot' in term ? [] : [[{ arc, column }, term]])),
    );
    const guard = conditions.flatMap(({ equal, sides }): Equation[] =>
      equal.length > 0 ? equal.map(({ slot, to }) => [{ slot }, to]) : sides === undefined ? [] : [sides],
    );
    const { folded } = searched;
    return new SearchPlan<Index>(
      { searched, equations: [...patterns, ...guard], plans: 0 },
      { bound: [], chosen: [], open: searched.arcs, free: folded.free, pending: pendingOf(folded), steps: [] },
    );
  }

  /** Checks that need neither a slot nor a token. */
  static before(folded: FoldedTransition): Check[] {
    return pendingOf(folded).filter((p) => isReady(p, new Set(), new Set()));
  }

  get #progress(): Progress<Index> {
    const [bound, chosen, free] = [this.#bound, this.#chosen, this.#free];
    return { bound, chosen, open: this.#open, free, pending: this.#pending, steps: this.steps };
  }

  /** The plan that continues with this arc. */
  after(arc: number): SearchPlan<Index> {
    let plan = this.#byArc.get(arc);
    if (plan === undefined) {
      plan = new SearchPlan(this.#shared, this.#progress, { arc });
      this.#byArc.set(arc, plan);
    }
    return plan;
  }

  /**
   * The complete plan whose next step always has the smallest estimate. O((arcs + free variables)²), plus planning once per
   * order of the steps.
   */
  complete(estimate: Estimate<Index>): SearchPlan<Index> {
    let plan: SearchPlan<Index> = this;
    while (plan.#open.length > 0 || plan.#free.size > 0) plan = plan.#extended(estimate);
    return plan;
  }

  #extended(estimate: Estimate<Index>): SearchPlan<Index> {
    const options = this.#options();
    if (options.length === 1 && this.#free.size === 0) return this.after(options[0]!);
    let best: SearchPlan<Index> | undefined;
    let min = Number.POSITIVE_INFINITY;
    for (const arc of options) {
      const plan = this.after(arc);
      const tries = estimate.triesOf(plan.steps[this.steps.length] as ArcStep<Index>);
      if (best !== undefined && tries >= min) continue;
      min = tries;
      best = plan;
    }
    for (const slot of this.#free) {
      const values = estimate.valuesOf(slot);
      if (best !== undefined && values >= min) continue;
      min = values;
      best = this.#afterSlot(slot);
    }
    return best!;
  }

  /** Arcs that may come next; once the maximum of plans is reached, only those already planned here. */
  #options(): readonly number[] {
    if (this.#shared.plans < this.#shared.searched.maxPlans) return this.#open;
    const known = this.#open.filter((arc) => this.#byArc.has(arc));
    return known.length > 0 ? known : this.#open.slice(0, 1);
  }

  #afterSlot(slot: number): SearchPlan<Index> {
    let plan = this.#bySlot.get(slot);
    if (plan === undefined) {
      plan = new SearchPlan(this.#shared, this.#progress, { slot });
      this.#bySlot.set(slot, plan);
    }
    return plan;
  }

  /** A free variable whose value the guard determines. */
  #determined(): number | undefined {
    for (const slot of this.#free) if (this.#settled(slot) !== undefined) return slot;
    return undefined;
  }

  #settled(slot: number): Evaluate | undefined {
    for (const { equal } of this.#shared.searched.folded.conditions)
      for (const { slot: other, to } of equal)
        if (other === slot && to.uses.every((s) => this.#bound.has(s))) return to.evaluate;
    return undefined;
  }

  #freeStep(slot: number): FreeStep {
    const value = this.#settled(slot);
    this.#free.delete(slot);
    this.#bound.add(slot);
    return { slot, ...colourBounds(this.#shared.searched.folded.slots[slot]!.colour), value, checks: this.#checks() };
  }

  #arcStep(arc: number): ArcStep<Index> {
    const { folded } = this.#shared.searched;
    const { terms } = folded.arcs[arc]!;
    const parts = this.#parts(arc);
    // If a variable occurs twice in one pattern, its first occurrence binds it.
    const slots = terms.flatMap((term, column) => {
      if (!('slot' in term)) return [];
      const bound = this.#bound.has(term.slot);
      this.#bound.add(term.slot);
      return [{ column, slot: term.slot, bound }];
    });
    this.#chosen.add(arc);
    const exact = terms.map((_, column) => parts.find((p) => p.own === column)?.source);
    return {
      arc,
      exact: exact.every((s) => s !== undefined) ? exact : undefined,
      parts,
      index: parts.length === 0 ? undefined : this.#shared.searched.indexOf(arc, parts),
      slots,
      checks: this.#checks(),
    };
  }

  #checks(): Check[] {
    const ready = this.#pending.filter((p) => isReady(p, this.#bound, this.#chosen));
    this.#pending = this.#pending.filter((p) => !ready.includes(p));
    return ready;
  }

  /** Known values of the token of the next arc: for each equation with one side on that token, the other, known side. */
  #parts(arc: number): KeyPart[] {
    const bound = this.#bound;
    const { searched, equations } = this.#shared;
    const { folded } = searched;
    const { terms } = folded.arcs[arc]!;
    const slots = new Set(terms.flatMap((t) => ('slot' in t ? [t.slot] : [])));
    const columnOf = new Map<number, number>();
    const parts: KeyPart[] = [];
    const add = (own: KeyPart['own'], source: Source): void => {
      if (typeof own === 'object' || !parts.some((p) => p.own === own)) parts.push({ own, source });
    };
    terms.forEach((term, column) => {
      if (!('slot' in term)) return;
      if (bound.has(term.slot)) add(column, { evaluate: (s) => s[term.slot]! });
      else if (!columnOf.has(term.slot)) columnOf.set(term.slot, column);
    });
    const known = (side: Side): Source | undefined => {
      if ('arc' in side) return this.#chosen.has(side.arc) ? side : undefined;
      if ('slot' in side) return bound.has(side.slot) ? { evaluate: (s) => s[side.slot]! } : undefined;
      return side.uses.every((s) => bound.has(s)) ? side : undefined;
    };
    for (const [a, b] of equations)
      for (const [mine, other] of [
        [a, b],
        [b, a],
      ] as const) {
        const source = known(other);
        if (source === undefined || known(mine) !== undefined) continue;
        if ('arc' in mine) {
          if (mine.arc === arc) add(mine.column, source);
        } else if ('slot' in mine) {
          const column = columnOf.get(mine.slot);
          if (column !== undefined) add(column, source);
        } else if (mine.uses.every((s) => slots.has(s))) add(mine, source);
      }
    return parts;
  }
}

function pendingOf(folded: FoldedTransition): Pending[] {
  const patterns = folded.arcs.flatMap(({ terms }, arc) =>
    terms.flatMap((term, column): Pending[] => ('slot' in term ? [] : [{ ...term, column: { arc, column } }])),
  );
  return [...patterns, ...folded.conditions];
}

function isReady(p: Pending, bound: ReadonlySet<number>, chosen: ReadonlySet<number>): boolean {
  return p.uses.every((s) => bound.has(s)) && (p.column === undefined || chosen.has(p.column.arc));
}

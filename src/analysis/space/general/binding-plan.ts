import { colourBounds } from '../../../net/colour.ts';
import type { Evaluate } from '../../../net/evaluate.ts';
import type { Computed } from '../../../net/unfold/unfold-transition.ts';
import type { Marking } from './marking.ts';
import type { Rule } from './rule.ts';
import type { Section } from './sections.ts';
import { type IndexPart, TokenIndex } from './token-index.ts';

type Side = Computed | ColumnOf | { readonly slot: number };

/** An equation of a pattern or the guard: each side is a column, a slot, or computed from slots. */
type Equation = readonly [Side, Side];

/** Maximum number of plans per transition. Beyond it, only arc orders that are already planned are used. */
const MAX_PLANS = 500;

/** A prefix of a search plan. The arcs that follow depend on the marking; each continuation is planned once and cached. */
export class PlanNode {
  readonly steps: readonly SearchStep[];
  readonly #rule: Rule;
  readonly #equations: readonly Equation[];
  readonly #bound: ReadonlySet<number>;
  readonly #chosen: ReadonlySet<number>;
  readonly #open: readonly number[];
  readonly #free: readonly number[];
  readonly #pending: readonly Pending[];
  readonly #next = new Map<number, PlanNode>();
  readonly #count: { plans: number };

  private constructor(rule: Rule, equations: readonly Equation[], from: PlanNode | undefined, arc: number | undefined) {
    this.#rule = rule;
    this.#equations = equations;
    this.#count = from?.count ?? { plans: 0 };
    this.#count.plans++;
    const bound = new Set(from?.bound);
    const chosen = new Set(from?.chosen);
    const steps = [...(from?.steps ?? [])];
    let pending = from?.pending ?? pendingOf(rule);
    this.#bound = bound;
    this.#chosen = chosen;
    this.#open = (from?.open ?? coloured(rule)).filter((a) => a !== arc);
    const free = new Set(from?.free ?? rule.folded.free);
    const checks = (): Check[] => {
      const ready = pending.filter((p) => isReady(p, bound, chosen));
      pending = pending.filter((p) => !ready.includes(p));
      return ready;
    };
    if (arc !== undefined) steps.push(this.#arcStep(arc, bound, chosen, checks));
    // Free variables whose value the guard determines come early, since they add no branching; the others come last.
    for (let more = true; more; ) {
      more = false;
      for (const slot of free) {
        const value = settled(rule, slot, bound);
        if (value === undefined && this.#open.length > 0) continue;
        free.delete(slot);
        bound.add(slot);
        steps.push({ slot, ...colourBounds(rule.folded.slots[slot]!.colour), value, checks: checks() });
        more = true;
        break;
      }
    }
    this.#free = [...free];
    this.#pending = pending;
    this.steps = steps;
  }

  /** The empty plan, from which every binding search of a rule starts. */
  static root(rule: Rule): PlanNode {
    const patterns = rule.folded.arcs.flatMap(({ terms }, arc) =>
      terms.flatMap((term, column): Equation[] => ('slot' in term ? [] : [[{ arc, column }, term]])),
    );
    const guard = rule.folded.conditions.flatMap(({ equal, sides }): Equation[] =>
      equal.length > 0 ? equal.map(({ slot, to }) => [{ slot }, to]) : sides === undefined ? [] : [sides],
    );
    return new PlanNode(rule, [...patterns, ...guard], undefined, undefined);
  }

  /** Checks that need no slot. */
  static before(rule: Rule): Check[] {
    return pendingOf(rule).filter((p) => isReady(p, new Set(), new Set()));
  }

  /**
   * The plan for a marking: each next arc is the one with the fewest tokens to try. O(arcs²), plus planning once per order of
   * arcs.
   */
  planFor(marking: Marking): PlanNode {
    let node: PlanNode = this;
    while (node.#open.length > 0) {
      const options = node.#options();
      let best = options[0]!;
      if (options.length > 1) {
        let min = Number.POSITIVE_INFINITY;
        for (const arc of options) {
          const tries = node.#tries(arc, marking);
          if (tries >= min) continue;
          min = tries;
          best = arc;
        }
      }
      node = node.#then(best);
    }
    return node;
  }

  /** Arcs that may come next; once MAX_PLANS is reached, only those already planned here. */
  #options(): readonly number[] {
    if (this.#count.plans < MAX_PLANS) return this.#open;
    const known = this.#open.filter((arc) => this.#next.has(arc));
    return known.length > 0 ? known : this.#open.slice(0, 1);
  }

  get count(): { plans: number } {
    return this.#count;
  }

  get bound(): ReadonlySet<number> {
    return this.#bound;
  }

  get chosen(): ReadonlySet<number> {
    return this.#chosen;
  }

  get open(): readonly number[] {
    return this.#open;
  }

  get free(): readonly number[] {
    return this.#free;
  }

  get pending(): readonly Pending[] {
    return this.#pending;
  }

  #then(arc: number): PlanNode {
    let node = this.#next.get(arc);
    if (node === undefined) {
      node = new PlanNode(this.#rule, this.#equations, this, arc);
      this.#next.set(arc, node);
    }
    return node;
  }

  /** Estimated number of tokens that the arc would try. */
  #tries(arc: number, marking: Marking): number {
    const { section } = this.#rule.arcs[arc]!;
    const tokens = marking.end[section.number]! - marking.start[section.number]!;
    const step = this.#then(arc).steps.at(this.steps.length) as ArcStep;
    if (step.exact !== undefined || section.queue?.single === true) return Math.min(tokens, 1);
    return step.index === undefined ? tokens : 1 + tokens / (1 + 3 * step.index.key.length);
  }

  #arcStep(arc: number, bound: Set<number>, chosen: Set<number>, checks: () => Check[]): ArcStep {
    const { terms } = this.#rule.folded.arcs[arc]!;
    const { section } = this.#rule.arcs[arc]!;
    const parts = this.#parts(arc, bound, chosen);
    const slots = terms.flatMap((term, column) =>
      'slot' in term ? [{ column, slot: term.slot, bound: bound.has(term.slot) }] : [],
    );
    // If a variable occurs twice in one pattern, its first occurrence binds it.
    const seen = new Set<number>();
    const marked = slots.map((s) => {
      const again = s.bound || seen.has(s.slot);
      seen.add(s.slot);
      return { ...s, bound: again };
    });
    for (const { slot } of slots) bound.add(slot);
    chosen.add(arc);
    const exact = terms.map((_, column) => parts.find((p) => p.own === column)?.source);
    const key = parts.map((p) => p.source);
    return {
      arc,
      section,
      exact: exact.every((s) => s !== undefined) ? exact : undefined,
      index:
        parts.length === 0
          ? undefined
          : { key, tokens: new TokenIndex(section, this.#rule.folded.slots.length, terms, parts) },
      slots: marked,
      checks: checks(),
    };
  }

  /** Known values of the token of the next arc: for each equation with one side on that token, the other, known side. */
  #parts(
    arc: number,
    bound: ReadonlySet<number>,
    chosen: ReadonlySet<number>,
  ): (IndexPart & { readonly source: Source })[] {
    const { terms } = this.#rule.folded.arcs[arc]!;
    const slots = new Set(terms.flatMap((t) => ('slot' in t ? [t.slot] : [])));
    const columnOf = new Map<number, number>();
    const parts: (IndexPart & { readonly source: Source })[] = [];
    const add = (part: IndexPart, source: Source): void => {
      if (typeof part.own === 'number' && parts.some((p) => p.own === part.own)) return;
      parts.push({ ...part, source });
    };
    terms.forEach((term, column) => {
      if (!('slot' in term)) return;
      if (bound.has(term.slot)) add({ own: column }, { evaluate: (s) => s[term.slot]! });
      else if (!columnOf.has(term.slot)) columnOf.set(term.slot, column);
    });
    const known = (side: Side): Source | undefined => {
      if ('arc' in side) return chosen.has(side.arc) ? side : undefined;
      if ('slot' in side) return bound.has(side.slot) ? { evaluate: (s) => s[side.slot]! } : undefined;
      return side.uses.every((s) => bound.has(s)) ? side : undefined;
    };
    for (const [a, b] of this.#equations)
      for (const [mine, other] of [
        [a, b],
        [b, a],
      ] as const) {
        const source = known(other);
        if (source === undefined || known(mine) !== undefined) continue;
        if ('arc' in mine) {
          if (mine.arc === arc) add({ own: mine.column }, source);
        } else if ('slot' in mine) {
          const column = columnOf.get(mine.slot);
          if (column !== undefined) add({ own: column }, source);
        } else if (mine.uses.every((s) => slots.has(s))) add({ own: mine }, source);
      }
    return parts;
  }
}

/** A check that waits for slots to be bound, or for the token of an arc. */
interface Pending extends Check {
  readonly uses: readonly number[];
}

function pendingOf({ folded }: Rule): Pending[] {
  const patterns = folded.arcs.flatMap(({ terms }, arc) =>
    terms.flatMap((term, column): Pending[] => ('slot' in term ? [] : [{ ...term, column: { arc, column } }])),
  );
  return [...patterns, ...folded.conditions];
}

function isReady(p: Pending, bound: ReadonlySet<number>, chosen: ReadonlySet<number>): boolean {
  return p.uses.every((s) => bound.has(s)) && (p.column === undefined || chosen.has(p.column.arc));
}

/** Arcs to places with coloured tokens; uncoloured tokens need no search. */
function coloured(rule: Rule): number[] {
  return [...rule.arcs.keys()].filter((a) => rule.arcs[a]!.section.colours.width > 0);
}

function settled(rule: Rule, slot: number, bound: ReadonlySet<number>): Evaluate | undefined {
  for (const { equal } of rule.folded.conditions)
    for (const { slot: other, to } of equal)
      if (other === slot && to.uses.every((s) => bound.has(s))) return to.evaluate;
  return undefined;
}

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

/** One step of a search: chooses a token for an arc, or a value for a free variable. */
export type SearchStep = ArcStep | FreeStep;

/** Chooses a token for an arc. */
export interface ArcStep {
  readonly arc: number;
  readonly section: Section;
  /** Required values of all columns, if known: at most one colour matches. */
  readonly exact: readonly Source[] | undefined;
  /** Required values of some columns, or of expressions over them. */
  readonly index: { readonly key: readonly Source[]; readonly tokens: TokenIndex } | undefined;
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

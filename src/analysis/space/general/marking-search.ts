import { BindingSearch } from '../../../net/bindings/binding-search.ts';
import { type ArcStep, SearchPlan } from '../../../net/bindings/search-plan.ts';
import type { EvaluationFailure } from '../../../net/evaluate.ts';
import type { Marking } from './marking.ts';
import type { Rule } from './rule.ts';
import type { Section } from './sections.ts';
import { TokenIndex } from './token-index.ts';

/** Up to this number of token runs in a place, all are tried, which is faster than an index. */
const FEW = 8;

/** Maximum number of plans per transition. */
const MAX_PLANS = 500;

/** Enumerates the bindings of a transition over the visible tokens of a marking. Candidates are runs of equal tokens. */
export class MarkingSearch extends BindingSearch<TokenIndex> {
  readonly rule: Rule;
  readonly #marking: Marking;
  readonly #sections: readonly Section[];
  readonly #root: SearchPlan<TokenIndex>;

  constructor(rule: Rule, marking: Marking) {
    super(rule.folded);
    const { folded } = rule;
    this.rule = rule;
    this.#marking = marking;
    this.#sections = rule.arcs.map(({ section }) => section);
    this.#root = SearchPlan.root({
      folded,
      arcs: [...rule.arcs.keys()].filter((arc) => rule.arcs[arc]!.section.colours.width > 0),
      indexOf: (arc, parts) =>
        new TokenIndex(this.#sections[arc]!, folded.slots.length, folded.arcs[arc]!.terms, parts),
      maxPlans: MAX_PLANS,
    });
  }

  /**
   * Calls `found` for every binding until it returns true; returns whether it did.
   *
   * @throws EvaluationFailure if a pattern or the guard has no value for a binding that no other test excludes
   */
  run(found: () => boolean): boolean {
    return this.search(this.#root.complete(this), found);
  }

  triesOf({ arc, exact, index, parts }: ArcStep<TokenIndex>): number {
    const { number, queue } = this.#sections[arc]!;
    const tokens = this.#marking.end[number]! - this.#marking.start[number]!;
    if (exact !== undefined || queue?.single === true) return Math.min(tokens, 1);
    return index === undefined ? tokens : 1 + tokens / (1 + 3 * parts.length);
  }

  /** Free variables come last: a marking has few tokens. */
  valuesOf(): number {
    return Number.POSITIVE_INFINITY;
  }

  protected enterArc({ arc, exact, index, parts }: ArcStep<TokenIndex>, k: number): void {
    const marking = this.#marking;
    const section = this.#sections[arc]!;
    const from = marking.start[section.number]!;
    const to = marking.end[section.number]!;
    this.range(k, from, to);
    if (to - from <= FEW) return;
    if (exact !== undefined) {
      const key = this.row(exact.length, (n) => exact[n]!);
      if (key === undefined) return;
      const colour = section.colours.find(key);
      const run = colour < 0 ? -1 : marking.find(section, colour);
      this.range(k, run, run < 0 ? run : run + 1);
    } else if (index !== undefined) {
      const key = this.row(parts.length, (n) => parts[n]!.source);
      if (key !== undefined) this.range(k, 0, index.find(marking, key, this.list(k, to - from)));
    }
  }

  protected colourOf({ arc }: ArcStep<TokenIndex>, run: number): number {
    return this.#marking.visible(this.#sections[arc]!, run) ? this.#marking.ids[run]! : -1;
  }

  protected valueOf(arc: number, colour: number, column: number): number {
    return this.#sections[arc]!.colours.value(colour, column);
  }

  protected failed(failure: EvaluationFailure): void {
    throw failure;
  }
}

import { EvaluationFailure } from '../../../net/evaluate.ts';
import type { Marking } from './marking.ts';
import { MarkingSearch } from './marking-search.ts';
import { failed, type Rule } from './rule.ts';
import type { Tokens } from './tokens.ts';

/** With more transitions than this, only those connected to marked places are tried. */
const MANY = 48;

/** Finds the bindings that can start or fire in a marking. */
export class Starts {
  readonly #marking: Marking;
  readonly #tokens: Tokens;
  /** Rules of which only the first binding is visited. */
  readonly #one: ReadonlySet<number>;
  readonly #searches: readonly MarkingSearch[];
  /** Rules sorted by level, then by number. */
  readonly #order: readonly Rule[];
  /** Positions in that order: by a section whose tokens the rule needs, and those of rules without such a section. */
  readonly #keyed: readonly (readonly number[])[];
  readonly #keyless: readonly number[];
  readonly #near: Int32Array;
  /** By rule number: callback for each binding of the search. */
  readonly #candidates: readonly (() => boolean)[];
  #visit: (rule: Rule) => boolean = () => true;
  /** Level of the starts found; Infinity if none yet. */
  #started = 0;

  constructor(rules: readonly Rule[], marking: Marking, tokens: Tokens, one: ReadonlySet<number>) {
    this.#marking = marking;
    this.#one = one;
    this.#tokens = tokens;
    this.#searches = rules.map((r) => new MarkingSearch(r, marking));
    this.#order = [...rules].sort((a, b) => a.level - b.level || a.number - b.number);
    const keyed: number[][] = marking.sections.map(() => []);
    const keyless: number[] = [];
    this.#order.forEach((rule, k) => {
      const lists = rule.arcs.filter((a) => !a.section.fixed).map((a) => keyed[a.section.number]!);
      const shortest = lists.sort((a, b) => a.length - b.length)[0];
      (shortest ?? keyless).push(k);
    });
    this.#keyed = keyed;
    this.#keyless = keyless;
    this.#near = new Int32Array(rules.length);
    this.#candidates = rules.map((rule) => () => this.#candidate(rule));
  }

  /** The search of a rule; during a visit it holds the current binding. */
  search(rule: Rule): MarkingSearch {
    return this.#searches[rule.number]!;
  }

  /**
   * Calls `visit` for every binding that can start until it returns true; returns whether it did. If a rule of higher priority
   * can start, other rules are evaluated only to detect evaluation failures (S7).
   *
   * @throws InputError if an expression has no value (RUN…)
   */
  each(visit: (rule: Rule) => boolean): boolean {
    const many = this.#order.length > MANY;
    const near = many ? this.#collect() : this.#order.length;
    this.#visit = visit;
    this.#started = Number.POSITIVE_INFINITY;
    for (let k = 0; k < near; k++) {
      const rule = this.#order[many ? this.#near[k]! : k]!;
      if ((rule.level > this.#started && !rule.fallible) || !this.#mayBe(rule)) continue;
      const search = this.#searches[rule.number]!;
      try {
        if (search.run(this.#candidates[rule.number]!)) return true;
      } catch (e) {
        throw e instanceof EvaluationFailure ? failed(rule, search.slots, e) : e;
      }
    }
    return false;
  }

  #candidate(rule: Rule): boolean {
    if (!this.#enabled(rule, this.#searches[rule.number]!) || rule.level > this.#started) return false;
    if (rule.level === this.#started && this.#one.has(rule.number)) return false;
    this.#started = rule.level;
    return this.#visit(rule);
  }

  /** Writes the positions of rules connected to marked sections to `#near`, ascending; returns their number. */
  #collect(): number {
    const { marked, markedCount } = this.#marking;
    const near = this.#near;
    let n = 0;
    for (const k of this.#keyless) near[n++] = k;
    for (let m = 0; m < markedCount; m++) for (const k of this.#keyed[marked[m]!]!) near[n++] = k;
    near.subarray(0, n).sort();
    return n;
  }

  /** Quick necessary test: whether the places hold the minimum number of tokens. */
  #mayBe(rule: Rule): boolean {
    const { start, end, counts } = this.#marking;
    for (let k = 0; k < rule.arcs.length; k++) {
      const { number } = rule.arcs[k]!.section;
      if (start[number] === end[number]) return false;
    }
    if (rule.fallible) return true;
    for (let k = 0; k < rule.plain.length; k++) {
      const { section, needs } = rule.plain[k]!;
      if (counts[start[section.number]!]! < needs) return false;
    }
    return true;
  }

  /** Tests after patterns and guard: token counts, inhibitors, capacities (S8). */
  #enabled(rule: Rule, search: MarkingSearch): boolean {
    if (!this.#hasTokens(rule, search)) return false;
    for (const test of rule.inhibitors) {
      test.bind(search.slots);
      if (test.inhibits(this.#marking)) return false;
    }
    return rule.rooms.length === 0 || this.#tokens.fit(rule, search.slots);
  }

  /** True if there are enough tokens: arcs that consume the same visible token add up, arcs that read do not (S3). */
  #hasTokens(rule: Rule, search: MarkingSearch): boolean {
    const marking = this.#marking;
    const { start, counts } = marking;
    for (const { section, needs } of rule.plain) if (counts[start[section.number]!]! < needs) return false;
    const { arcs } = rule;
    for (let k = 0; k < arcs.length; k++) {
      const { section, takes, count } = arcs[k]!;
      if (section.colours.width === 0 || (count === 1 && arcs.length === 1)) continue;
      const colour = search.colours[k]!;
      let needs = count;
      if (takes)
        for (let other = 0; other < k; other++) {
          const arc = arcs[other]!;
          if (arc.takes && arc.section === section && search.colours[other] === colour) needs += arc.count;
        }
      if (needs > 1 && counts[marking.find(section, colour)]! < needs) return false;
    }
    return true;
  }
}

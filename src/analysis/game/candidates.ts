import { fail } from '../../base/problem.ts';
import { BindingSearch } from '../../net/bindings/binding-search.ts';
import { type ArcStep, SearchPlan } from '../../net/bindings/search-plan.ts';
import type { EvaluationFailure } from '../../net/evaluate.ts';
import { byName, checkedNumber, type GameRule, type GameRules, type Tested } from './rules.ts';
import type { GameToken, GameTokens } from './tokens.ts';

/** A transition with the visible tokens that it takes and reads, and the values of its variables (S10). */
export interface Candidate {
  readonly rule: GameRule;
  /** A token for each take or read arc. */
  readonly tokens: readonly GameToken[];
  readonly slots: Float64Array;
  /** Tokens that it brings to places with a capacity. */
  readonly brings: ReadonlyMap<number, number>;
}

/** A candidate, and the step since which it has been enabled without interruption. */
export interface Enabled {
  readonly candidate: Candidate;
  readonly since: number;
}

/** Finds the bindings of a transition among visible tokens. */
class TokenSearch extends BindingSearch<undefined> {
  readonly #rule: GameRule;
  readonly #plan: SearchPlan<undefined>;
  #visible: readonly (readonly GameToken[])[] = [];

  constructor(rule: GameRule) {
    super(rule.folded);
    this.#rule = rule;
    const root = SearchPlan.root<undefined>({
      folded: rule.folded,
      arcs: rule.folded.arcs.map((_, k) => k),
      indexOf: () => undefined,
      maxPlans: 1,
    });
    this.#plan = root.complete(this);
  }

  /** Calls `found` with the tokens of each binding; its variables are in `slots`. */
  run(visible: (place: number) => readonly GameToken[], found: (tokens: readonly GameToken[]) => void): void {
    this.#visible = this.#rule.places.map(visible);
    this.search(this.#plan, () => {
      found(this.#visible.map((of, arc) => of[this.colours[arc]!]!));
      return false;
    });
  }

  triesOf({ arc }: ArcStep<undefined>): number {
    return arc;
  }

  valuesOf(): number {
    return Number.POSITIVE_INFINITY;
  }

  protected enterArc({ arc }: ArcStep<undefined>, k: number): void {
    this.range(k, 0, this.#visible[arc]!.length);
  }

  protected colourOf(_: ArcStep<undefined>, candidate: number): number {
    return candidate;
  }

  protected valueOf(arc: number, colour: number, column: number): number {
    return this.#visible[arc]![colour]!.values[column]!;
  }

  protected failed({ code, message }: EvaluationFailure): void {
    fail(code, message, { part: `transition ${this.#rule.transition.name}` });
  }
}

/** Finds all candidates of a marking (S3, S6, S8, S8a). */
export class Candidates {
  readonly #rules: GameRules;
  readonly #tokens: GameTokens;
  readonly #searches: readonly TokenSearch[];
  /** Number of tokens that count against the capacity of a place. */
  readonly #held: (place: number) => number;

  constructor(rules: GameRules, tokens: GameTokens, held: (place: number) => number) {
    this.#rules = rules;
    this.#tokens = tokens;
    this.#held = held;
    this.#searches = rules.rules.map((rule) => new TokenSearch(rule));
  }

  all(): Candidate[] {
    const visible = new Map<number, readonly GameToken[]>();
    const seen = (place: number): readonly GameToken[] => {
      const tokens = visible.get(place) ?? this.#tokens.visible(place);
      visible.set(place, tokens);
      return tokens;
    };
    const found: Candidate[] = [];
    this.#rules.rules.forEach((rule, k) => {
      const search = this.#searches[k]!;
      search.run(seen, (tokens) => {
        const slots = new Float64Array(rule.slots);
        slots.set(search.slots.subarray(0, rule.folded.slots.length));
        const brings = this.#enabled(rule, tokens, slots);
        if (brings !== undefined) found.push({ rule, tokens, slots, brings });
      });
    });
    return found;
  }

  /** How often a candidate could fire in a row (S9a). */
  degree({ rule, tokens }: Candidate): number {
    let degree = Number.POSITIVE_INFINITY;
    for (const [token, { place, count }] of takenBy(rule, tokens))
      degree = Math.min(degree, Math.floor(this.#tokens.inRow(place, token) / count));
    return degree === Number.POSITIVE_INFINITY ? 1 : degree;
  }

  /** @throws InputError RUN008 */
  weight({ rule, slots }: Candidate): number {
    if (rule.weight === undefined) return 1;
    return checkedNumber(rule.weight(this.#counted(rule, slots)), 'RUN008', `transition ${rule.transition.name}`);
  }

  /** Work of a clock per second. @throws InputError RUN017 */
  speed({ rule, slots }: Candidate): number {
    if (rule.speed === undefined) return 1;
    return checkedNumber(rule.speed(this.#counted(rule, slots)), 'RUN017', `transition ${rule.transition.name}`);
  }

  /** Tokens of a place that fit the tests of an arc. */
  matching({ place, tests }: Tested, slots: Float64Array): GameToken[] {
    return this.#tokens.all(place).filter((token) => fits(tests, token, slots));
  }

  #counted(rule: GameRule, slots: Float64Array): Float64Array {
    rule.counts.forEach((count, k) => {
      slots[rule.folded.slots.length + k] = this.matching(count, slots).length;
    });
    return slots;
  }

  /** Tests of S8 after patterns and guard: consecutive tokens, inhibitors, capacity. */
  #enabled(rule: GameRule, tokens: readonly GameToken[], slots: Float64Array): Map<number, number> | undefined {
    const taken = takenBy(rule, tokens);
    for (const [token, { place, count }] of taken) if (this.#tokens.inRow(place, token) < count) return undefined;
    const isRead = rule.folded.arcs.every(
      ({ arc }, k) => arc.kind === 'take' || this.#tokens.inRow(rule.places[k]!, tokens[k]!) >= arc.count,
    );
    if (!isRead) return undefined;
    for (const arc of rule.inhibitors) if (this.matching(arc, slots).length >= arc.count) return undefined;
    const brings = new Map<number, number>();
    for (const arc of rule.outputs)
      if (this.#rules.net.places[arc.place]!.capacity !== undefined)
        brings.set(arc.place, (brings.get(arc.place) ?? 0) + this.#rules.count(rule, arc, slots));
    for (const [place, count] of brings) {
      let takes = 0;
      for (const one of taken.values()) if (one.place === place) takes += one.count;
      if (count > 0 && this.#held(place) - takes + count > this.#rules.net.places[place]!.capacity!) return undefined;
    }
    return brings;
  }
}

/** Number of tokens taken with each visible one, itself included: counts of several arcs add up (S3). */
export function takenBy(
  { folded, places }: GameRule,
  tokens: readonly GameToken[],
): Map<GameToken, { readonly place: number; count: number }> {
  const taken = new Map<GameToken, { readonly place: number; count: number }>();
  folded.arcs.forEach(({ arc }, k) => {
    if (arc.kind !== 'take') return;
    const of = taken.get(tokens[k]!) ?? { place: places[k]!, count: 0 };
    of.count += arc.count;
    taken.set(tokens[k]!, of);
  });
  return taken;
}

export const fits = (tests: Tested['tests'], { values }: GameToken, slots: Float64Array): boolean =>
  tests.every(({ column, value }) => value(slots) === values[column]);

/** The canonical order of candidates enabled by one step (S10). */
export function canonical(a: Candidate, b: Candidate): number {
  const [x, y] = [a, b].map(({ rule, tokens }) => rule.byPlace.map((arc) => tokens[arc]!.age)) as [number[], number[]];
  for (let k = 0; k < Math.min(x.length, y.length); k++) if (x[k] !== y[k]) return x[k]! - y[k]!;
  if (x.length !== y.length) return x.length - y.length;
  const names = byName(a.rule.transition.name, b.rule.transition.name);
  if (names !== 0) return names;
  for (const slot of a.rule.free) if (a.slots[slot] !== b.slots[slot]) return a.slots[slot]! - b.slots[slot]!;
  return 0;
}

/** Candidates enabled longest come first. */
export const seniority = (a: Enabled, b: Enabled): number => a.since - b.since || canonical(a.candidate, b.candidate);

/** A key by the identity of tokens: equal tokens instead of these end a candidate (S10). */
export const tokenKey = ({ rule, tokens, slots }: Candidate): string =>
  `${rule.number}:${tokens.map(({ age }) => age).join()}:${rule.free.map((slot) => slots[slot]).join()}`;

/** A key by colours: equal tokens may take the place of these (S9a). */
export const colourKey = ({ rule, tokens, slots }: Candidate): string =>
  `${rule.number}:${tokens.map(({ values }) => values.join()).join(';')}:${rule.free.map((slot) => slots[slot]).join()}`;

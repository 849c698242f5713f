import { fail } from '../../base/problem.ts';
import type { GameRules } from './rules.ts';

/** A token that is not in service. Later tokens have higher ages (S11). */
export interface GameToken {
  readonly values: readonly number[];
  readonly age: number;
  /** Instant of its arrival, in seconds. */
  readonly time: number;
  /** Priority in a place of order `priority`; 0 elsewhere. */
  readonly priority: number;
}

/** Tokens by place, in groups of which only the first is visible (S3): the one that leaves next is the first. */
export class GameTokens {
  readonly #rules: GameRules;
  /** Columns in which the tokens of a group agree. */
  readonly #keys: readonly (readonly number[])[];
  readonly #priorities: readonly ((values: ArrayLike<number>) => number)[];
  #groups: Map<string, GameToken[]>[];
  #ages = 0;

  constructor(rules: GameRules) {
    this.#rules = rules;
    const { places } = rules.net;
    this.#keys = places.map(({ order, key }, p) =>
      rules.columns[p]!.flatMap(({ name }, k) => (order === 'bag' || key.includes(name) ? [k] : [])),
    );
    this.#priorities = places.map((place) =>
      place.order === 'priority' ? rules.ofToken(place, place.priority!) : () => 0,
    );
    this.#groups = places.map(() => new Map());
  }

  /** A copy of the groups: tokens themselves never change. */
  saved(): { readonly groups: Map<string, GameToken[]>[]; readonly ages: number } {
    return {
      groups: this.#groups.map((of) => new Map([...of].map(([key, list]) => [key, [...list]]))),
      ages: this.#ages,
    };
  }

  restore({ groups, ages }: ReturnType<GameTokens['saved']>): void {
    this.#groups = groups.map((of) => new Map([...of].map(([key, list]) => [key, [...list]])));
    this.#ages = ages;
  }

  /** All tokens of a place, oldest first. */
  all(place: number): GameToken[] {
    return [...this.#groups[place]!.values()].flat().sort((a, b) => a.age - b.age);
  }

  count(place: number): number {
    let count = 0;
    for (const group of this.#groups[place]!.values()) count += group.length;
    return count;
  }

  /** The first token of each group, oldest first. */
  visible(place: number): GameToken[] {
    return Array.from(this.#groups[place]!.values(), ([first]) => first!).sort((a, b) => a.age - b.age);
  }

  /** Number of equal tokens that leave one after the other, beginning with a visible one. */
  inRow(place: number, head: GameToken): number {
    const group = this.#group(place, head.values);
    const other = group.findIndex(({ values }) => values.some((value, k) => value !== head.values[k]));
    return other < 0 ? group.length : other;
  }

  /** @throws InputError RUN014 a priority that is not a number */
  arrive(place: number, values: readonly number[], time: number): void {
    const priority = this.#priorities[place]!(values);
    if (Number.isNaN(priority))
      fail('RUN014', `a token has the priority ${priority}: expected a number`, {
        part: `place ${this.#rules.net.places[place]!.name}`,
      });
    const key = this.#key(place, values);
    const group = this.#groups[place]!.get(key) ?? [];
    this.#groups[place]!.set(key, group);
    const behind = group.findLastIndex((other) => other.priority >= priority);
    group.splice(behind + 1, 0, { values, age: this.#ages++, time, priority });
  }

  /** Takes equal tokens that leave one after the other. */
  take(place: number, head: GameToken, count: number): void {
    this.#group(place, head.values).splice(0, count);
    this.#dropEmpty(place, head.values);
  }

  /** Removes the tokens that fit. */
  remove(place: number, fits: (token: GameToken) => boolean): void {
    for (const [key, group] of this.#groups[place]!) {
      const kept = group.filter((token) => !fits(token));
      if (kept.length === 0) this.#groups[place]!.delete(key);
      else this.#groups[place]!.set(key, kept);
    }
  }

  #dropEmpty(place: number, values: readonly number[]): void {
    const key = this.#key(place, values);
    if (this.#groups[place]!.get(key)?.length === 0) this.#groups[place]!.delete(key);
  }

  #group(place: number, values: readonly number[]): GameToken[] {
    return this.#groups[place]!.get(this.#key(place, values)) ?? [];
  }

  #key(place: number, values: readonly number[]): string {
    return this.#keys[place]!.map((k) => values[k]).join();
  }
}

import type { Place } from '../../src/net/net.ts';
import type { Happened } from './happened.ts';
import type { Model } from './model.ts';

/** A token that is not in service. Later tokens have higher ages. */
export interface Token {
  readonly values: readonly number[];
  readonly age: number;
  readonly time: number;
  /** Priority in a priority queue; otherwise 0. */
  readonly priority: number;
}

/** Tokens that are not in service, oldest first, and their visibility to arcs (S2, S3). */
export class Marking {
  readonly #model: Model;
  readonly #happened: Happened;
  readonly #tokens: Map<string, Token[]>;
  #ages = 0;

  constructor(model: Model, happened: Happened) {
    this.#model = model;
    this.#happened = happened;
    this.#tokens = new Map(model.net.places.map((p) => [p.name, []]));
  }

  /** All tokens, as seen by inhibitor and reset arcs. */
  all(place: Place): readonly Token[] {
    return this.#tokens.get(place.name)!;
  }

  arrive(place: Place, values: readonly number[], now: number): void {
    const priority =
      place.order === 'priority' ? this.#model.rank(place.priority!, this.#model.columns(place, values)) : 0;
    const token = { values, age: this.#ages++, time: now, priority };
    const group = this.#group(place, token);
    if (group.length > 0 && group[0]!.priority < priority) this.#happened.note('queue: overtaken');
    this.#tokens.get(place.name)!.push(token);
  }

  /** The first token of each group. */
  visible(place: Place): Token[] {
    const columns = this.#key(place);
    const first = new Map<string, Token>();
    const group = (t: Token): string => columns.map((k) => t.values[k]).join();
    for (const t of this.all(place)) {
      const other = first.get(group(t));
      if (other === undefined || t.priority > other.priority) first.set(group(t), t);
    }
    return this.all(place).filter((t) => first.get(group(t)) === t);
  }

  /** Number of equal tokens that leave consecutively, starting with this visible one. */
  inRow(place: Place, head: Token): number {
    const group = this.#group(place, head);
    const other = group.findIndex((t) => !same(t.values, head.values));
    return other < 0 ? group.length : other;
  }

  /** Takes `count` consecutive tokens, starting with this visible one. */
  take(place: Place, head: Token, count: number): void {
    for (const t of this.#group(place, head).slice(0, count)) this.remove(place, t);
  }

  remove(place: Place, token: Token): void {
    const all = this.#tokens.get(place.name)!;
    all.splice(all.indexOf(token), 1);
  }

  /** The columns in which tokens of a group agree (S3). */
  #key(place: Place): number[] {
    const key = place.order === 'bag' ? place.fields.map((f) => f.name) : place.key;
    return key.map((name) => place.fields.findIndex((f) => f.name === name));
  }

  /** The token's group, of which only the first is visible, in the order of departure. */
  #group(place: Place, token: Token): Token[] {
    const columns = this.#key(place);
    return this.all(place)
      .filter((t) => columns.every((k) => t.values[k] === token.values[k]))
      .sort((a, b) => b.priority - a.priority || a.age - b.age);
  }
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.every((v, k) => v === b[k]);
}

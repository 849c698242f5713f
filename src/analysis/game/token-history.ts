import type { Net, Place } from '../../net/net.ts';
import { valueText } from '../properties/colours.ts';
import type { PlaceMarking } from './game-labels.ts';
import { GameRules } from './rules.ts';

/*
 * The changes of the marking of a run, as bytes: number of instants; their times (doubles); then for each instant the number of changes, and
 * for each of these 2·place + (removed? 1 : 0), the number of equal tokens, and the values of the token (zigzag). Numbers are varints.
 * Tokens added and removed at the same instant are omitted: the marking at an instant is that after all its steps.
 */

/** Changes of one instant, by place and values. */
type Changes = Map<string, { readonly place: number; readonly values: readonly number[]; by: number }>;

/** Writes the changes of a marking in the order of time. */
export class TokenHistoryWriter {
  readonly #times: number[] = [];
  readonly #bytes: Bytes = new Bytes();
  #now = Number.NaN;
  #changes: Changes = new Map();
  /** Number of changes that were kept. */
  count = 0;

  /** O(1). */
  change(time: number, place: number, by: number, values: readonly number[]): void {
    if (time !== this.#now) {
      this.#close();
      this.#now = time;
    }
    const key = `${place}:${values.join()}`;
    const known = this.#changes.get(key);
    if (known === undefined) this.#changes.set(key, { place, values, by });
    else known.by += by;
  }

  #close(): void {
    const kept = [...this.#changes.values()].filter(({ by }) => by !== 0);
    this.#changes.clear();
    if (kept.length === 0) return;
    this.#times.push(this.#now);
    this.count += kept.length;
    this.#bytes.varint(kept.length);
    for (const { place, values, by } of kept) {
      this.#bytes.varint(2 * place + (by < 0 ? 1 : 0));
      this.#bytes.varint(Math.abs(by));
      for (const value of values) this.#bytes.varint(value < 0 ? -2 * value - 1 : 2 * value);
    }
  }

  finish(): Uint8Array[] {
    this.#close();
    const head = new Bytes();
    head.varint(this.#times.length);
    return [head.taken(), new Uint8Array(Float64Array.from(this.#times).buffer), this.#bytes.taken()];
  }
}

/** Bytes that grow. */
class Bytes {
  #bytes = new Uint8Array(1 << 12);
  #length = 0;

  /** An integer from 0 to 2^53, seven bits a byte. */
  varint(given: number): void {
    if (this.#length + 10 > this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#bytes.length);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    let value = given;
    for (; value >= 128; value = Math.floor(value / 128)) this.#bytes[this.#length++] = (value % 128) + 128;
    this.#bytes[this.#length++] = value;
  }

  taken(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

/** Changes of a number in the order of time, in seconds. A first one at −∞ is the value before the run. */
export interface Steps {
  readonly times: Float64Array;
  readonly changes: Float64Array;
}

/** The marking of a net at each instant of a recorded run. Moving takes O(changes between the instants). */
export class TokenHistory {
  readonly #rules: GameRules;
  readonly #net: Net;
  readonly #bytes: Uint8Array;
  readonly #times: Float64Array;
  /** Offset of the changes of each instant. */
  readonly #offsets: Float64Array;
  /** Numbers of the places whose tokens change in the run. */
  readonly changed: ReadonlySet<number>;
  /** Tokens of each place, by their values. */
  readonly #tokens: Map<string, { readonly values: readonly number[]; count: number }>[];
  /** Number of instants whose changes are in the marking. */
  #done = 0;
  #at = 0;

  /** @throws RangeError for bytes that are cut off */
  constructor(net: Net, bytes: Uint8Array) {
    this.#net = net;
    this.#rules = new GameRules(net);
    this.#bytes = bytes;
    const instants = this.#varint();
    this.#times = new Float64Array(bytes.slice(this.#at, this.#at + 8 * instants).buffer);
    this.#at += 8 * instants;
    this.#offsets = new Float64Array(instants);
    const changed = new Set<number>();
    for (let k = 0; k < instants; k++) {
      this.#offsets[k] = this.#at;
      this.#changes((place) => changed.add(place));
    }
    this.changed = changed;
    this.#tokens = net.places.map(({ initial }) => {
      const tokens = new Map<string, { readonly values: readonly number[]; count: number }>();
      for (const { values, count } of initial) {
        const known = tokens.get(values.join());
        if (known !== undefined) known.count += count;
        else if (count > 0) tokens.set(values.join(), { values, count });
      }
      return tokens;
    });
  }

  /** The marking after all steps up to a time in seconds; tokens by their values. */
  at(time: number): PlaceMarking[] {
    while (this.#done < this.#times.length && this.#times[this.#done]! <= time) this.#apply(this.#done++, 1);
    while (this.#done > 0 && this.#times[this.#done - 1]! > time) this.#apply(--this.#done, -1);
    return this.#net.places.map(({ name }, place) => {
      const columns = this.#rules.columns[place]!;
      const held = [...this.#tokens[place]!.values()].sort((a, b) => compared(a.values, b.values));
      const tokens = held.flatMap(({ values, count }) => {
        const text = values.map((value, k) => valueText(columns[k], value)).join(', ');
        return Array.from({ length: Math.min(count, MAX_LISTED) }, () => ({ values, text, inService: false }));
      });
      return { place: name, count: held.reduce((sum, { count }) => sum + count, 0), tokens };
    });
  }

  /** The number of tokens of a place over time. O(changes of the run). */
  tokensOf(place: number): Steps {
    const initial = this.#net.places[place]!.initial.reduce((sum, { count }) => sum + count, 0);
    return this.#steps(initial, place, (by) => by);
  }

  /**
   * The number of links of a max-min place over time on which a token moves. Links of acknowledgements count, too: tokens cross them.
   * O(changes of the run × links of a route).
   */
  busyLinksOf(place: number): Steps {
    const at = this.#net.places[place]!;
    const change = linkUse(this.#rules, at);
    const initial = at.initial.reduce((sum, { values, count }) => sum + change(count, values), 0);
    return this.#steps(initial, place, change);
  }

  #steps(initial: number, of: number, change: (by: number, values: readonly number[]) => number): Steps {
    const times = [Number.NEGATIVE_INFINITY];
    const changes = [initial];
    this.#at = this.#offsets[0] ?? this.#at;
    for (const time of this.#times) {
      let by = 0;
      this.#changes((place, count, values) => {
        if (place === of) by += change(count, values);
      });
      if (by === 0) continue;
      times.push(time);
      changes.push(by);
    }
    return { times: Float64Array.from(times), changes: Float64Array.from(changes) };
  }

  #apply(instant: number, sign: 1 | -1): void {
    this.#at = this.#offsets[instant]!;
    this.#changes((place, by, values) => {
      const tokens = this.#tokens[place]!;
      const key = values.join();
      const known = tokens.get(key) ?? { values, count: 0 };
      known.count += sign * by;
      if (known.count === 0) tokens.delete(key);
      else tokens.set(key, known);
    });
  }

  #changes(found: (place: number, by: number, values: number[]) => void): void {
    const count = this.#varint();
    for (let k = 0; k < count; k++) {
      const head = this.#varint();
      const place = Math.floor(head / 2);
      const by = this.#varint();
      const values = (this.#rules.columns[place] ?? []).map(() => {
        const value = this.#varint();
        return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
      });
      found(place, head % 2 === 1 ? -by : by, values);
    }
  }

  #varint(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('the changes of the marking are cut off');
      value += (byte % 128) * unit;
      if (byte < 128) return value;
    }
  }
}

/**
 * A function that takes the changes of the tokens of a max-min place, and returns by how many the number of links in use changes.
 *
 * @throws Error for a place without links
 */
export function linkUse(rules: GameRules, place: Place): (by: number, values: readonly number[]) => number {
  if (place.service?.kind !== 'max-min') throw new Error(`place ${place.name} has no links`);
  const { start, link } = rules.routes(place.service.routes);
  const route = rules.ofToken(place, place.service.route);
  const users = new Uint32Array(place.service.links.length);
  return (by, values) => {
    const of = route(Float64Array.from(values));
    let busy = 0;
    for (const k of new Set(link.slice(start[of]!, start[of + 1]!))) {
      const before = users[k]!;
      users[k] = before + by;
      busy += (users[k]! > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
    }
    return busy;
  };
}

/** Tokens of one colour that are listed. */
const MAX_LISTED = 100;

function compared(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((value, column) => value !== b[column]);
  return k < 0 ? 0 : a[k]! - b[k]!;
}

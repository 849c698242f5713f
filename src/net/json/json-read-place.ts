import { type Place as Position, quote } from '../../base/problem.ts';
import type { ScalarSet } from '../colour.ts';
import type { Place, Tokens } from '../net.ts';
import { PLACE } from '../net-form.ts';
import type { JsonCursor } from './json-cursor.ts';
import { enumPosition } from './json-read-expression.ts';
import { FormReader } from './json-read-form.ts';
import type { PartsReader } from './json-read-parts.ts';

type Value = number | boolean | string | undefined;

interface RawTokens {
  readonly values: readonly Value[];
  readonly count: number;
  readonly place: Position;
}

/** Reads initial markings: values are decoded when the colour sets are known. */
export class PlaceReader {
  readonly forms: FormReader;
  readonly #parts: PartsReader;
  readonly #c: JsonCursor;
  readonly #maxTokens: number;
  readonly #equal: ReadonlyMap<string, () => unknown>;
  readonly #place: () => Place | undefined;
  #raw: RawTokens[] = [];
  #tokens = 0;

  /** @param maxTokens limit on the initial tokens of all places together */
  constructor(parts: PartsReader, maxTokens: number) {
    this.#parts = parts;
    this.#c = parts.cursor;
    this.#maxTokens = maxTokens;
    this.#equal = new Map<string, () => unknown>([
      ['count', () => this.#c.integer()],
      ['values', () => this.#values()],
    ]);
    this.forms = new FormReader(parts, () => this.#initial());
    this.#place = this.forms.reader(PLACE) as () => Place | undefined;
  }

  read(): Place | undefined {
    this.#raw = [];
    const place = this.#place();
    const raw = this.#raw;
    if (place !== undefined && raw.length > 0)
      this.#parts.later.push((columnsOf) => {
        const columns = columnsOf(place.fields);
        for (const t of raw) {
          const values = t.values.map((v, k) => this.#value(v, columns?.[k]?.colour, t.place));
          (place.initial as Tokens[]).push({ values, count: t.count });
        }
      });
    return place;
  }

  /** Returns an empty list, which is filled later. */
  #initial(): Tokens[] {
    const c = this.#c;
    c.list(() => {
      const place = c.place();
      const tokens =
        c.kind() === 'a list'
          ? { count: 1, values: this.#values() }
          : (c.members(this.#equal, ['count', 'values'], 'a list of values, or an object with "count" and "values"') as
              | Partial<RawTokens>
              | undefined);
      const count = tokens?.count ?? 0;
      this.#tokens += Math.max(0, count);
      if (this.#tokens > this.#maxTokens)
        c.fatal('NET100', `the initial marking has more than ${this.#maxTokens} tokens`, place);
      this.#raw.push({ values: tokens?.values ?? [], count, place });
    });
    return [];
  }

  #values(): Value[] {
    const read: Value[] = [];
    this.#c.list(() => read.push(this.#rawValue()));
    return read;
  }

  #rawValue(): Value {
    switch (this.#c.kind()) {
      case 'a string':
        return this.#c.string();
      case 'a boolean':
        return this.#c.boolean();
      default:
        return this.#c.number();
    }
  }

  #value(value: Value, colour: ScalarSet | undefined, place: Position): number {
    if (value === undefined || colour === undefined) return 0;
    if (colour.kind === 'enum') {
      if (typeof value === 'string') return enumPosition(this.#c, colour, value, place);
    } else if (typeof value === (colour.kind === 'bool' ? 'boolean' : 'number')) return Number(value);
    const wanted = colour.kind === 'bool' ? 'a boolean' : colour.kind === 'enum' ? 'one of its values' : 'a number';
    const got = typeof value === 'string' ? quote(value) : value;
    this.#c.report('NET104', `colour set ${quote(colour.name)}: expected ${wanted}, got ${got}`, place);
    return 0;
  }
}

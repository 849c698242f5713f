import { type Place as Position, quote } from '../../base/problem.ts';
import type { ScalarSet } from '../colour.ts';
import type { Expression } from '../expression.ts';
import { kindsOf, ORDERS, PLACE_KINDS, SERVICE_MEMBERS } from '../kinds.ts';
import type { Place, Service, ServiceLink, Tokens } from '../net.ts';
import type { JsonCursor } from './json-cursor.ts';
import { readDelay } from './json-read-delay.ts';
import { enumPosition, NOTHING } from './json-read-expression.ts';
import { type PartsReader, present } from './json-read-parts.ts';

const SERVICE_KINDS = kindsOf(SERVICE_MEMBERS);

type Value = number | boolean | string | undefined;

interface RawTokens {
  readonly values: readonly Value[];
  readonly count: number;
  readonly place: Position;
}

/** Reads places with their services and initial markings. */
export class PlaceReader {
  readonly #parts: PartsReader;
  readonly #c: JsonCursor;
  readonly #maxTokens: number;
  #tokens = 0;

  /** @param maxTokens limit on the initial tokens of all places together */
  constructor(parts: PartsReader, maxTokens: number) {
    this.#parts = parts;
    this.#c = parts.cursor;
    this.#maxTokens = maxTokens;
  }

  read(): Place | undefined {
    const c = this.#c;
    const m = c.members(
      {
        name: () => c.string(),
        kind: () => c.oneOf(PLACE_KINDS),
        fields: () => this.#parts.fields(),
        order: () => c.oneOf(ORDERS),
        key: () => this.#parts.strings(),
        priority: () => this.#parts.expression(),
        service: () => this.#parts.located(() => this.#service()),
        capacity: () => c.integer(),
        initial: () => this.#initial(),
        owner: () => c.string(),
        modules: () => this.#parts.strings(),
      },
      ['name', 'fields'],
    );
    if (m === undefined) return undefined;
    const { name = '', fields = [], order = 'bag', key = [], initial: raw = [], ...others } = m;
    const initial: Tokens[] = [];
    if (raw.length > 0)
      this.#parts.later.push((columnsOf) => {
        const columns = columnsOf(fields);
        for (const t of raw) {
          const values = t.values.map((v, k) => this.#value(v, columns?.[k]?.colour, t.place));
          initial.push({ values, count: t.count });
        }
      });
    return present({ name, fields, order, key, initial, ...others });
  }

  #service(): Service | undefined {
    const c = this.#c;
    const at = c.place();
    const expression = (): Expression => this.#parts.expressions.read();
    const m = c.members(
      {
        kind: () => c.oneOf(SERVICE_KINDS),
        links: () => this.#parts.items(() => this.#link()),
        amount: expression,
        weight: expression,
        bound: expression,
        routes: () => c.string(),
        route: expression,
        servers: () => c.integer(),
        time: () => readDelay(this.#parts),
        priority: expression,
        preemptive: () => c.boolean(),
      },
      ['kind'],
    );
    if (m?.kind === undefined || !c.fits(m.kind, SERVICE_MEMBERS[m.kind], m, at)) return undefined;
    const { kind, servers = 1, time = NOTHING, priority = NOTHING, preemptive = false, routes = '' } = m;
    switch (kind) {
      case 'max-min':
        return {
          kind,
          links: m.links!,
          amount: m.amount!,
          weight: m.weight!,
          bound: m.bound!,
          routes,
          route: m.route!,
        };
      case 'is':
        return { kind, time };
      case 'priority':
        return { kind, servers, time, priority, preemptive };
      default:
        return { kind, servers, time };
    }
  }

  #link(): ServiceLink | undefined {
    const c = this.#c;
    const m = c.members(
      { name: () => c.string(), capacity: () => c.number(), fatpipe: () => c.boolean(), level: () => c.boolean() },
      ['name', 'capacity'],
    );
    if (m === undefined) return undefined;
    const { name = '', capacity = 0, fatpipe = false, level } = m;
    return present({ name, capacity, fatpipe, level });
  }

  #initial(): RawTokens[] {
    const c = this.#c;
    const out: RawTokens[] = [];
    const values = (): Value[] => {
      const read: Value[] = [];
      c.list(() => read.push(this.#rawValue()));
      return read;
    };
    c.list(() => {
      const place = c.place();
      const tokens =
        c.kind() === 'a list'
          ? { count: 1, values: values() }
          : c.members(
              { count: () => c.integer(), values },
              ['count', 'values'],
              'a list of values, or an object with "count" and "values"',
            );
      const count = tokens?.count ?? 0;
      this.#tokens += Math.max(0, count);
      if (this.#tokens > this.#maxTokens)
        c.fatal('NET100', `the initial marking has more than ${this.#maxTokens} tokens`, place);
      out.push({ values: tokens?.values ?? [], count, place });
    });
    return out;
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

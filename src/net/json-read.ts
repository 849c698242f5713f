import { fail, InputError, type Place as Position, quote } from '../base/problem.ts';
import type { Expression } from './expression.ts';
import { JsonCursor } from './json-cursor.ts';
import { FORMAT, VERSION } from './json-format.ts';
import { ExpressionReader, enumPosition, type Later, NOTHING } from './json-read-expression.ts';
import { TableReader } from './json-read-table.ts';
import type {
  ColourSet,
  Field,
  InputArc,
  MaxMinService,
  Net,
  OutputArc,
  Place,
  PlaceKind,
  Processes,
  ServiceLink,
  Tokens,
  Transition,
  TransitionKind,
} from './net.ts';
import { validate } from './validate.ts';

/** Limits on what a stranger's net may ask of memory. */
export interface NetJsonLimits {
  /** Longest text, in characters. Default 2^29 − 24, which is also what a string can hold. */
  readonly maxCharacters?: number;
  /** Most entries of all tables together, repeated ones counted. Default 2^26, half a gibibyte. */
  readonly maxEntries?: number;
  /** Most tokens of the initial marking. Default 2^22. */
  readonly maxTokens?: number;
}

/**
 * The net that a JSON text holds ({@link import('./json-format.ts').NetDocument}); the text is data from strangers.
 *
 * @throws InputError NET100 larger than the limits, NET101 no JSON, NET102 another format or version, NET103 nested too
 * deep, NET104 a value of another type, NET105 unknown member, NET106 missing member, NET107 member given twice, NET108
 * a number that does not fit, NET109 unknown operator or wrong operands, NET110 a text that is none of those expected;
 * and where there is none of these, all problems that {@link validate} finds. All with line and column.
 */
export function netFromJson(text: string, file?: string, limits: NetJsonLimits = {}): Net {
  const { maxCharacters = 2 ** 29 - 24, maxEntries = 2 ** 26, maxTokens = 2 ** 22 } = limits;
  if (text.length > maxCharacters)
    fail(
      'NET100',
      `the text has ${text.length} characters: at most ${maxCharacters} are read`,
      file === undefined ? {} : { file },
    );
  return new Reader(new JsonCursor(text, file), maxEntries, maxTokens).net();
}

type Value = number | boolean | string | undefined;

interface RawTokens {
  readonly values: readonly Value[];
  readonly count: number;
  readonly place: Position;
}

const COLOUR_KINDS = { bool: [], integer: [], range: ['low', 'high'], enum: ['values'] } as const;
const PLACE_KINDS: readonly PlaceKind[] = ['operation', 'message', 'synchronisation', 'resource', 'data'];
const TRANSITION_KINDS: readonly TransitionKind[] = ['compute', 'communicate', 'control'];

class Reader {
  readonly #c: JsonCursor;
  readonly #maxTokens: number;
  readonly #expressions: ExpressionReader;
  readonly #tables: TableReader;
  #tokens = 0;
  /** Where the parts of the net stand, for what validation finds. */
  readonly #positions = new Map<object, Position>();
  readonly #later: Later[] = [];

  constructor(cursor: JsonCursor, maxEntries: number, maxTokens: number) {
    this.#c = cursor;
    this.#expressions = new ExpressionReader(cursor, this.#later);
    this.#tables = new TableReader(cursor, maxEntries);
    this.#maxTokens = maxTokens;
  }

  net(): Net {
    const c = this.#c;
    const begin = c.place();
    if (c.kind() !== 'an object') this.#foreign(begin, `${c.kind()} is no net: an object is expected`);
    const m = c.members(
      {
        format: () => this.#format(),
        version: () => c.number(),
        name: () => c.string(),
        colours: () => this.#items(() => this.#colour()),
        tables: () => this.#items(() => this.#tables.read()),
        places: () => this.#items(() => this.#place()),
        transitions: () => this.#items(() => this.#transition()),
        processes: () => this.#processes(),
      },
      ['format', 'version', 'name', 'colours', 'tables', 'places', 'transitions'],
    )!;
    c.end();
    if (m.format === undefined)
      this.#foreign(begin, `no net: the member "format" with the text "${FORMAT}" is expected`);
    if (m.version !== VERSION)
      this.#foreign(begin, `the version is ${m.version ?? 'not given'}: version ${VERSION} is expected`);
    const colours = m.colours ?? [];
    const sets = new Map(colours.map((x) => [x.name, x]));
    for (const decide of this.#later) decide(sets);
    if (c.problems.length > 0) c.stop();
    const net: Net = {
      name: m.name!,
      colours,
      tables: m.tables!,
      places: m.places!,
      transitions: m.transitions!,
      ...(m.processes === undefined ? {} : { processes: m.processes }),
    };
    const problems = validate(net, this.#positions);
    if (problems.length > 0) throw new InputError(problems);
    return net;
  }

  #format(): string {
    const place = this.#c.place();
    const format = this.#c.string();
    if (format !== FORMAT)
      this.#foreign(
        place,
        `the format is ${format === undefined ? 'no text' : quote(format)}: "${FORMAT}" is expected`,
      );
    return format;
  }

  /** What is no net at all has no other problems. */
  #foreign(place: Position, message: string): never {
    throw new InputError([{ code: 'NET102', message, place }]);
  }

  // ---- lists and kinds

  #items<T extends object>(read: () => T | undefined): T[] {
    const items: T[] = [];
    this.#c.list(() => {
      const place = this.#c.place();
      const item = read();
      if (item === undefined) return;
      items.push(item);
      this.#positions.set(item, place);
    });
    return items;
  }

  #strings(): string[] {
    const out: string[] = [];
    this.#c.list(() => {
      const s = this.#c.string();
      if (s !== undefined) out.push(s);
    });
    return out;
  }

  // ---- colour sets

  #colour(): ColourSet | undefined {
    const c = this.#c;
    const at = c.place();
    const kinds = Object.keys(COLOUR_KINDS) as (keyof typeof COLOUR_KINDS)[];
    const m = c.members(
      {
        name: () => c.string(),
        kind: () => c.oneOf(kinds),
        low: () => c.whole(),
        high: () => c.whole(),
        values: () => this.#strings(),
      },
      ['name', 'kind'],
    );
    if (m?.kind === undefined || !c.fits(m.kind, COLOUR_KINDS[m.kind], m, at)) return undefined;
    const { kind, name = '' } = m;
    switch (kind) {
      case 'range':
        return { kind, name, low: m.low ?? 0, high: m.high ?? 0 };
      case 'enum':
        return { kind, name, values: m.values ?? [] };
      default:
        return { kind, name };
    }
  }

  // ---- places

  #place(): Place | undefined {
    const c = this.#c;
    const m = c.members(
      {
        name: () => c.string(),
        kind: () => c.oneOf(PLACE_KINDS),
        fields: () => this.#items(() => this.#field()),
        order: () => c.oneOf(['bag', 'fifo']),
        key: () => this.#strings(),
        service: () => this.#service(),
        initial: () => this.#initial(),
      },
      ['name', 'fields'],
    );
    if (m === undefined) return undefined;
    const { name = '', kind, fields = [], order = 'bag', key = [], service, initial: raw = [] } = m;
    const initial: Tokens[] = [];
    this.#later.push((colours) => {
      for (const t of raw) {
        const values = t.values.map((v, k) => this.#value(v, colours.get(fields[k]?.colour ?? ''), t.place));
        initial.push({ values, count: t.count });
      }
    });
    return {
      name,
      ...(kind === undefined ? {} : { kind }),
      fields,
      order,
      key,
      ...(service === undefined ? {} : { service }),
      initial,
    };
  }

  #field(): Field | undefined {
    const c = this.#c;
    const m = c.members({ name: () => c.string(), colour: () => c.string() }, ['name', 'colour']);
    return m && { name: m.name ?? '', colour: m.colour ?? '' };
  }

  #service(): MaxMinService | undefined {
    const c = this.#c;
    const expression = (): Expression => this.#expressions.read();
    const m = c.members(
      {
        kind: () => c.oneOf(['max-min']),
        links: () => this.#items(() => this.#link()),
        amount: expression,
        weight: expression,
        bound: expression,
        routes: () => c.string(),
        route: expression,
      },
      ['kind', 'links', 'amount', 'weight', 'bound', 'routes', 'route'],
    );
    if (m === undefined) return undefined;
    const { links = [], amount = NOTHING, weight = NOTHING, bound = NOTHING, routes = '', route = NOTHING } = m;
    return { kind: 'max-min', links, amount, weight, bound, routes, route };
  }

  #link(): ServiceLink | undefined {
    const c = this.#c;
    const m = c.members(
      { name: () => c.string(), capacity: () => c.number(), fatpipe: () => c.truth(), level: () => c.truth() },
      ['name', 'capacity'],
    );
    if (m === undefined) return undefined;
    const { name = '', capacity = 0, fatpipe = false, level = false } = m;
    return { name, capacity, fatpipe, ...(level ? { level } : {}) };
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
              { count: () => c.whole(), values },
              ['count', 'values'],
              'a list of values, or an object with "count" and "values",',
            );
      const count = tokens?.count ?? 0;
      this.#tokens += Math.max(0, count);
      if (this.#tokens > this.#maxTokens)
        c.fatal('NET100', `the initial marking has more than ${this.#maxTokens} tokens`);
      out.push({ values: tokens?.values ?? [], count, place });
    });
    return out;
  }

  #rawValue(): Value {
    switch (this.#c.kind()) {
      case 'a text':
        return this.#c.string();
      case 'a truth value':
        return this.#c.truth();
      default:
        return this.#c.number();
    }
  }

  #value(value: Value, colour: ColourSet | undefined, place: Position): number {
    if (value === undefined || colour === undefined) return 0;
    if (colour.kind === 'enum') {
      if (typeof value === 'string') return enumPosition(this.#c, colour, value, place);
    } else if (typeof value === (colour.kind === 'bool' ? 'boolean' : 'number')) return Number(value);
    const wanted = colour.kind === 'bool' ? 'a truth value' : colour.kind === 'enum' ? 'one of its texts' : 'a number';
    const got = typeof value === 'string' ? quote(value) : value;
    this.#c.say('NET104', `colour set ${quote(colour.name)}: ${wanted} is expected, not ${got}`, place);
    return 0;
  }

  // ---- transitions

  #transition(): Transition | undefined {
    const c = this.#c;
    const expression = (): Expression => this.#located();
    const m = c.members(
      {
        name: () => c.string(),
        kind: () => c.oneOf(TRANSITION_KINDS),
        process: expression,
        inputs: () => this.#items(() => this.#input()),
        guard: expression,
        delay: expression,
        outputs: () => this.#items(() => this.#output()),
      },
      ['name', 'inputs', 'outputs'],
    );
    if (m === undefined) return undefined;
    const { name = '', kind, process, inputs = [], guard, delay, outputs = [] } = m;
    return {
      name,
      ...(kind === undefined ? {} : { kind }),
      ...(process === undefined ? {} : { process }),
      inputs,
      outputs,
      ...(guard === undefined ? {} : { guard }),
      ...(delay === undefined ? {} : { delay }),
    };
  }

  #input(): InputArc | undefined {
    const c = this.#c;
    const m = c.members(
      {
        kind: () => c.oneOf(['take', 'read', 'inhibit']),
        place: () => c.string(),
        pattern: () => this.#byField(),
        count: () => c.whole(),
      },
      ['kind', 'place'],
    );
    if (m === undefined) return undefined;
    const { kind = 'take', place = '', pattern = {}, count = 1 } = m;
    return { kind, place, pattern, count };
  }

  #output(): OutputArc | undefined {
    const c = this.#c;
    const m = c.members(
      { place: () => c.string(), values: () => this.#byField(), count: () => this.#expressions.read() },
      ['place'],
    );
    if (m === undefined) return undefined;
    const { place = '', values = {}, count = { op: 'const', value: 1 } } = m;
    return { place, values, count };
  }

  #byField(): Record<string, Expression> {
    const entries: [string, Expression][] = [];
    this.#c.object((field) => entries.push([field, this.#expressions.read()]));
    // Unlike an assignment, this makes a plain member of the name "__proto__" too.
    return Object.fromEntries(entries);
  }

  #processes(): Processes | undefined {
    const c = this.#c;
    const place = c.place();
    const m = c.members({ colour: () => c.string(), ended: () => c.string() }, ['colour', 'ended']);
    if (m === undefined) return undefined;
    const processes = { colour: m.colour ?? '', ended: m.ended ?? '' };
    this.#positions.set(processes, place);
    return processes;
  }

  /** An expression with a line of its own. */
  #located(): Expression {
    const place = this.#c.place();
    const e = this.#expressions.read();
    this.#positions.set(e, place);
    return e;
  }
}

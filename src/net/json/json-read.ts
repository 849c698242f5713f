import { fail, InputError, type Place as Position, quote, shown } from '../../base/problem.ts';
import { assertGiven, assertIs } from '../members.ts';
import type { Net } from '../net.ts';
import { NET } from '../net-form.ts';
import { withAssumedDelays } from '../untimed.ts';
import { ColumnIndex } from '../validation/column-index.ts';
import { validate } from '../validation/validate.ts';
import { JsonCursor } from './json-cursor.ts';
import { FORMAT, VERSION } from './json-format.ts';
import { PartsReader } from './json-read-parts.ts';
import { PlaceReader } from './json-read-place.ts';

/** Limits on the memory that an untrusted net may use. */
export interface NetJsonLimits {
  /** Maximum length of the text in characters. Default 2^29 − 24, the maximum length of a V8 string. */
  readonly maxCharacters?: number;
  /**
   * Maximum entries of all tables and sample lists together, with repetitions expanded. Default 2^26 (half a gibibyte).
   */
  readonly maxEntries?: number;
  /** Maximum number of initial tokens. Default 2^22. */
  readonly maxTokens?: number;
}

/**
 * Reads a net from JSON ({@link import('./json-format.ts').NetDocument}). The text may be untrusted.
 *
 * @throws InputError NET100 limit exceeded, NET101 invalid JSON, NET102 other format or version, NET103 nested too
 * deep, NET104 value of the wrong type, NET105 unknown member, NET106 missing member, NET107 duplicate member, NET108
 * number out of range, NET109 unknown operator or wrong number of operands, NET110 string not among those expected; if
 * the document has none of these, all problems found by {@link validate}. All with line and column. NET040, NET058 for invalid
 * limits.
 */
export function netFromJson(text: string, file?: string, limits: NetJsonLimits = {}): Net {
  if (typeof text !== 'string')
    fail(
      'NET104',
      `expected a string, got ${noText(text)}`,
      typeof file === 'string' ? { file } : { part: 'netFromJson' },
    );
  if (file !== undefined) assertIs('netFromJson', 'file', file, 'a string');
  assertGiven('netFromJson', 'limits', limits, {
    maxCharacters: 'a number >= 0',
    maxEntries: 'a number >= 0',
    maxTokens: 'a number >= 0',
  });
  const { maxCharacters = 2 ** 29 - 24, maxEntries = 2 ** 26, maxTokens = 2 ** 22 } = limits;
  if (text.length > maxCharacters)
    fail(
      'NET100',
      `the text has ${text.length} characters: at most ${maxCharacters} are read`,
      file === undefined ? {} : { file },
    );
  return new Reader(new JsonCursor(text, file), maxEntries, maxTokens).net();
}

/** Describes a non-string value and how to convert it to a string. */
function noText(value: unknown): string {
  if (value instanceof Uint8Array) return "bytes: use readFileSync(file, 'utf8') for a string";
  const parsed = typeof value === 'object' && value !== null;
  return parsed ? `${shown(value)}: use JSON.stringify for parsed JSON` : shown(value);
}

class Reader {
  readonly #c: JsonCursor;
  readonly #parts: PartsReader;
  readonly #places: PlaceReader;

  constructor(cursor: JsonCursor, maxEntries: number, maxTokens: number) {
    this.#c = cursor;
    this.#parts = new PartsReader(cursor, maxEntries);
    this.#places = new PlaceReader(this.#parts, maxTokens);
  }

  net(): Net {
    const c = this.#c;
    const begin = c.place();
    if (c.kind() !== 'an object') this.#foreign(begin, `not a net: expected an object, got ${c.kind()}`);
    const readers = this.#places.forms.readers(NET.members);
    readers.set('format', () => this.#format());
    readers.set('places', () => this.#parts.items(() => this.#places.read()));
    const needed = Object.keys(NET.members).filter((name) => NET.members[name]!.required);
    const m = c.members(readers, needed) as Partial<Net> & { readonly format?: string; readonly version?: number };
    c.end();
    if (m.format === undefined)
      this.#foreign(begin, `not a net: expected the member "format" with the value "${FORMAT}"`);
    if (m.version !== VERSION)
      this.#foreign(
        begin,
        m.version === undefined
          ? `the member "version" is missing: expected ${VERSION}`
          : `expected version ${VERSION}, got ${m.version}`,
      );
    const colours = m.colours ?? [];
    const places = m.places ?? [];
    const sets = new Map(colours.map((x) => [x.name, x]));
    const columns = new ColumnIndex(sets, places);
    for (const decide of this.#parts.later) decide((fields) => columns.columns(fields), sets);
    if (c.problems.length > 0) c.stop();
    const written: Net = {
      name: m.name!,
      colours,
      tables: m.tables!,
      places,
      transitions: m.transitions!,
      ...(m.processes === undefined ? {} : { processes: m.processes }),
      ...(m.finalMarkings === undefined ? {} : { finalMarkings: m.finalMarkings }),
    };
    const net = m.untimed === true ? this.#untimed(written) : written;
    this.#parts.positions.set(net, begin);
    const problems = validate(net, this.#parts.positions);
    if (problems.length > 0) throw new InputError(problems);
    return net;
  }

  /** The net with its assumed delays. */
  #untimed(net: Net): Net {
    const { positions } = this.#parts;
    const timed = net.transitions.filter((t) => t.delay !== undefined || t.timing !== undefined);
    if (timed.length > 0)
      throw new InputError(
        timed.map((t) => ({
          code: 'NET112',
          message: 'has a delay or timing in an untimed net: expected none',
          place: { ...positions.get(t), part: `transition ${t.name}` },
        })),
      );
    const assumed = withAssumedDelays(net);
    assumed.transitions.forEach((t, k) => {
      const at = positions.get(net.transitions[k]!);
      if (at !== undefined) positions.set(t, at);
    });
    return assumed;
  }

  #format(): string {
    const place = this.#c.place();
    const format = this.#c.string();
    if (format !== FORMAT)
      this.#foreign(
        place,
        `expected the format "${FORMAT}", got ${format === undefined ? 'no string' : quote(format)}${format === 'foretoken' ? ', a result document: use rerun to repeat it' : ''}`,
      );
    return format;
  }

  /** A value of another format is reported alone. */
  #foreign(place: Position, message: string): never {
    throw new InputError([{ code: 'NET102', message, place }]);
  }
}

import { fail, InputError, type Place as Position, quote, shown } from '../../base/problem.ts';
import { assertGiven, assertIs } from '../members.ts';
import type { Net, Processes } from '../net.ts';
import { ColumnIndex } from '../validation/column-index.ts';
import { validate } from '../validation/validate.ts';
import { JsonCursor } from './json-cursor.ts';
import { FORMAT, VERSION } from './json-format.ts';
import { readColour } from './json-read-colour.ts';
import { PartsReader } from './json-read-parts.ts';
import { PlaceReader } from './json-read-place.ts';
import { TableReader } from './json-read-table.ts';
import { readTransition } from './json-read-transition.ts';

/** Limits on what a stranger's net may ask of memory. */
export interface NetJsonLimits {
  /** Longest text, in characters. Default 2^29 − 24, which is also what a string can hold. */
  readonly maxCharacters?: number;
  /** Most entries of all tables and lists of samples together, repeated ones counted. Default 2^26, half a gibibyte. */
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
 * NET040, NET058 for limits that are none.
 */
export function netFromJson(text: string, file?: string, limits: NetJsonLimits = {}): Net {
  if (typeof text !== 'string')
    fail(
      'NET104',
      `a text is expected, not ${noText(text)}`,
      typeof file === 'string' ? { file } : { part: 'netFromJson' },
    );
  if (file !== undefined) assertIs('netFromJson', 'file', file, 'a text');
  assertGiven('netFromJson', 'limits', limits, {
    maxCharacters: 'a number from 0 on',
    maxEntries: 'a number from 0 on',
    maxTokens: 'a number from 0 on',
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

/** What stands where a text is expected, and how one is made of it. */
function noText(value: unknown): string {
  if (value instanceof Uint8Array) return "bytes: readFileSync(file, 'utf8') gives a text";
  const parsed = typeof value === 'object' && value !== null;
  return parsed ? `${shown(value)}: JSON.stringify makes one of what is parsed already` : shown(value);
}

class Reader {
  readonly #c: JsonCursor;
  readonly #parts: PartsReader;
  readonly #tables: TableReader;
  readonly #places: PlaceReader;

  constructor(cursor: JsonCursor, maxEntries: number, maxTokens: number) {
    this.#c = cursor;
    this.#parts = new PartsReader(cursor, maxEntries);
    this.#tables = new TableReader(this.#parts);
    this.#places = new PlaceReader(this.#parts, maxTokens);
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
        colours: () => this.#parts.items(() => readColour(this.#parts)),
        tables: () => this.#parts.items(() => this.#tables.read()),
        places: () => this.#parts.items(() => this.#places.read()),
        transitions: () => this.#parts.items(() => readTransition(this.#parts)),
        processes: () => this.#parts.located(() => this.#processes()),
      },
      ['format', 'version', 'name', 'colours', 'tables', 'places', 'transitions'],
    )!;
    c.end();
    if (m.format === undefined)
      this.#foreign(begin, `no net: the member "format" with the text "${FORMAT}" is expected`);
    if (m.version !== VERSION)
      this.#foreign(begin, `the version is ${m.version ?? 'not given'}: version ${VERSION} is expected`);
    const colours = m.colours ?? [];
    const places = m.places ?? [];
    const sets = new Map(colours.map((x) => [x.name, x]));
    const columns = new ColumnIndex(sets, places);
    for (const decide of this.#parts.later) decide((fields) => columns.columns(fields), sets);
    if (c.problems.length > 0) c.stop();
    const net: Net = {
      name: m.name!,
      colours,
      tables: m.tables!,
      places,
      transitions: m.transitions!,
      ...(m.processes === undefined ? {} : { processes: m.processes }),
    };
    this.#parts.positions.set(net, begin);
    const problems = validate(net, this.#parts.positions);
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

  #processes(): Processes | undefined {
    const c = this.#c;
    const m = c.members({ colour: () => c.string(), ended: () => c.string() }, ['colour', 'ended']);
    return m && { colour: m.colour ?? '', ended: m.ended ?? '' };
  }
}

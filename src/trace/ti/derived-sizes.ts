import { resolve } from 'node:path';
import { fail, quote, shown } from '../../base/problem.ts';
import { hasData, ROWS } from './grammar.ts';

/**
 * Bytes per element of derived datatypes, which a trace does not contain: a number for all, or entries separated by commas:
 * `-1=BYTES` (all), `CALL=BYTES` (all lines of an action, such as `bcast`) and `FILE:LINE=BYTES` (one line). A line takes the
 * most specific entry.
 */
export type DerivedTypeBytes = number | string;

/** Names of the actions with data. */
const CALLS = ROWS.filter(({ name }, row) => hasData(row) && name !== 'barrier' && name !== 'Win_fence').map(
  ({ name }) => name,
);

/** The sizes of the derived datatypes of a trace. */
export class DerivedSizes {
  readonly #all: number | undefined;
  /** By name of the action. */
  readonly #calls = new Map<string, number>();
  readonly #lines: { readonly file: string; readonly line: number; readonly bytes: number; readonly entry: string }[] =
    [];
  readonly #used = new Set<string>();

  /** @throws InputError TI026 for a malformed entry */
  constructor(given: DerivedTypeBytes | undefined) {
    if (given === undefined) return;
    if (typeof given !== 'string') {
      if (!(Number.isSafeInteger(given) && given >= 0))
        fail('TI026', `bytes of derived datatypes: expected an integer >= 0, got ${shown(given)}`);
      this.#all = given;
      return;
    }
    for (const entry of String(given)
      .split(',')
      .map((one) => one.trim())) {
      const [, what = '', text = ''] = /^(.*)=(\d+)$/s.exec(entry) ?? [];
      const bytes = Number(text);
      if (what === '' || !Number.isSafeInteger(bytes)) malformed(entry);
      const [, file, line] = /^(.+):(\d+)$/s.exec(what) ?? [];
      if (what === '-1') this.#all = bytes;
      else if (file !== undefined) this.#lines.push({ file, line: Number(line), bytes, entry });
      else if (CALLS.includes(what)) this.#calls.set(what, bytes);
      else malformed(entry);
    }
  }

  /** True if equal lines can have different sizes. */
  get byLine(): boolean {
    return this.#lines.length > 0;
  }

  /** The size if it is the same in all lines; otherwise undefined. */
  get uniform(): number | undefined {
    return this.#calls.size === 0 && this.#lines.length === 0 ? this.#all : undefined;
  }

  /** The size in a line of an action; undefined if none is given. O(entries). */
  of(call: string, file: string, line: number): number | undefined {
    const own = this.#lines.find((l) => l.line === line && isFile(file, l.file));
    if (own !== undefined) {
      this.#used.add(own.entry);
      return own.bytes;
    }
    const bytes = this.#calls.get(call);
    if (bytes !== undefined) this.#used.add(call);
    return bytes ?? this.#all;
  }

  /** @throws InputError TI026 for an entry that no line with a derived datatype has used */
  assertUsed(): void {
    for (const { entry, file, line } of this.#lines)
      if (!this.#used.has(entry))
        fail('TI026', `--datatype ${quote(entry)}: this line of the trace has no derived datatype (-1)`, {
          file,
          line,
        });
    for (const call of this.#calls.keys())
      if (!this.#used.has(call))
        fail(
          'TI026',
          `--datatype ${quote(`${call}=${this.#calls.get(call)}`)}: no ${call} of the trace has a derived datatype (-1)`,
        );
  }
}

function malformed(entry: string): never {
  return fail(
    'TI026',
    `--datatype ${quote(entry)}: expected -1=BYTES, CALL=BYTES with one of ${CALLS.join(', ')}, or FILE:LINE=BYTES`,
  );
}

/** True if a file of the trace is meant: the same file, or the end of its path. */
function isFile(file: string, given: string): boolean {
  return file === given || resolve(file) === resolve(given) || file.endsWith(`/${given}`);
}

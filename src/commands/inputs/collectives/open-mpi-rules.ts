import { fail, type Place, quote } from '../../../base/problem.ts';
import { readTextFile } from '../../../machine/text-file.ts';
import type { NamedChoice, OperationChoice } from '../../../models/collectives/choice.ts';
import type { RuleFile } from '../../../models/collectives/parse-choice.ts';
import type { Rule } from '../../../models/collectives/rules.ts';
import type { Selectable } from '../../../models/collectives/selectors/decision.ts';
import { openMpiAlgorithms } from '../../../models/collectives/selectors/ompi.ts';

/** Largest file, in bytes. */
const LIMIT = 1 << 22;
/** Collectives by Open MPI's number, as its documentation lists them; the others have no choice of algorithms there. */
const COLLECTIVE_IDS: Readonly<Record<number, Selectable | 'exscan' | 'reduce_scatter_block' | 'scan'>> = {
  0: 'allgather',
  1: 'allgatherv',
  2: 'allreduce',
  3: 'alltoall',
  4: 'alltoallv',
  6: 'barrier',
  7: 'bcast',
  8: 'exscan',
  9: 'gather',
  11: 'reduce',
  12: 'reducescatter',
  13: 'reduce_scatter_block',
  14: 'scan',
  15: 'scatter',
};
/** Numbers of algorithms whose messages depend on the fan-out or the size of segments in the last columns. */
const SEGMENTED: Partial<Record<Selectable, readonly number[]>> = {
  allreduce: [5],
  bcast: [2, 3, 4, 5, 6],
  reduce: [2, 3, 4, 5, 6],
};
const VERSION = /^rule-file-version-(\d+)$/;

interface Word {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** The words of a file; `#` begins a comment. */
class Words {
  readonly #file: string;
  readonly #words: Word[] = [];
  #next = 0;

  constructor(file: string) {
    this.#file = file;
    const text = readTextFile(file, { limit: LIMIT, code: 'COLL013', expected: 'rules of Open MPI' });
    text.split('\n').forEach((line, k) => {
      for (const { 0: word, index } of line.replace(/#.*/, '').matchAll(/\S+/g))
        this.#words.push({ text: word, line: k + 1, column: index + 1 });
    });
  }

  /** The version of the format, if the file names it. */
  version(): number {
    const found = VERSION.exec(this.#words[0]?.text ?? '');
    if (found === null) return 1;
    this.#next = 1;
    const version = Number(found[1]);
    if (version !== 1 && version !== 2) this.fail('COLL013', `expected version 1 or 2, got ${version}`);
    return version;
  }

  /** The next integer of at least `least`. */
  integer(what: string, least = 0): number {
    const word = this.#words[this.#next++];
    if (word === undefined) return this.fail('COLL013', `expected ${what}, got the end of the file`);
    const value = /^\d{1,15}$/.test(word.text) ? Number(word.text) : Number.NaN;
    if (!(value >= least)) this.fail('COLL013', `expected ${what}, an integer from ${least}, got ${quote(word.text)}`);
    return value;
  }

  /** Skips a number that follows on the line of the last one. */
  skipOnLine(): void {
    if (this.#words[this.#next]?.line === this.#words[this.#next - 1]?.line) this.integer('a number of requests');
  }

  end(): void {
    const word = this.#words[this.#next++];
    if (word !== undefined)
      this.fail('COLL013', `expected the end of the file after all collectives, got ${quote(word.text)}`);
  }

  /** Place of the last word. */
  get place(): Place {
    const { line, column } = this.#words[this.#next - 1] ?? this.#words.at(-1) ?? { line: 1, column: 1 };
    return { file: this.#file, line, column };
  }

  fail(code: 'COLL013' | 'COLL014', message: string): never {
    return fail(code, message, this.place);
  }
}

/**
 * Reads a file in the classic format of Open MPI's `coll_tuned_dynamic_rules_filename`: for each collective and number of ranks, rows of
 * bytes, algorithm, fan-out and size of segments. A row holds from its ranks and bytes up to those of the next one. Calls without a
 * row, or with algorithm 0, follow the selector `ompi`.
 *
 *     1          # collectives
 *     7          # bcast
 *     1          # numbers of ranks
 *     8 2        # from 8 ranks, two rows
 *     0 6 0 0    # binomial
 *     12288 9 0 0
 *
 * Source: Open MPI's documentation, "Tuning Collectives".
 *
 * @throws InputError COLL013 for text that is no such file, COLL014 for unknown numbers of collectives and algorithms, and for fan-outs and
 * sizes of segments that count
 */
export function readOpenMpiRules(file: string): RuleFile {
  const words = new Words(file);
  const version = words.version();
  const operations: { [K in Selectable]?: OperationChoice } = {};
  for (let left = words.integer('the number of collectives'); left > 0; left--) {
    const operation = readOperation(words);
    if (operations[operation] !== undefined) words.fail('COLL013', `a second list of rules of ${operation}`);
    operations[operation] = { kind: 'rules', rules: readSizes(words, operation, version) };
  }
  words.end();
  return { otherwise: 'ompi', operations };
}

function readOperation(words: Words): Selectable {
  const id = words.integer('the number of a collective');
  const operation = COLLECTIVE_IDS[id];
  if (operation === undefined) {
    const known = Object.entries(COLLECTIVE_IDS).map(([number, name]) => `${number} ${name}`);
    return words.fail('COLL014', `unknown collective ${id}. Known: ${known.join(', ')}`);
  }
  if (operation === 'exscan' || operation === 'scan' || operation === 'reduce_scatter_block')
    return words.fail('COLL014', `collective ${id} (${operation}) has one algorithm here: leave out its rules`);
  return operation;
}

/** Rows of all numbers of ranks of a collective. */
function readSizes(words: Words, operation: Selectable, version: number): Rule<NamedChoice>[] {
  const rules: Rule<NamedChoice>[] = [];
  let open: Rule<NamedChoice>[] = [];
  let last = 0;
  for (let left = words.integer('the number of communicator sizes'); left > 0; left--) {
    const ranks = words.integer('a number of ranks');
    if (ranks <= last && last > 0)
      words.fail('COLL013', `expected more ranks than in the list before (${last}), got ${ranks}`);
    // The lists before hold up to here.
    rules.push(...open.map((rule) => ({ ...rule, ranks: { from: rule.ranks.from, to: ranks - 1 } })));
    open = readRows(words, operation, Math.max(1, ranks), version);
    last = ranks;
  }
  return [...rules, ...open].filter(({ ranks }) => ranks.from <= ranks.to);
}

function readRows(words: Words, operation: Selectable, from: number, version: number): Rule<NamedChoice>[] {
  const rows: { readonly bytes: number; readonly taken: NamedChoice }[] = [];
  for (let left = words.integer('the number of rows'); left > 0; left--) {
    const bytes = words.integer('a number of bytes');
    const last = rows.at(-1)?.bytes;
    if (last === undefined && bytes > 0) words.fail('COLL013', `expected a first row of 0 bytes, got ${bytes}`);
    if (last !== undefined && bytes <= last)
      words.fail('COLL013', `expected more bytes than in the row before (${last}), got ${bytes}`);
    rows.push({ bytes, taken: readRow(words, operation) });
    if (version > 1) words.skipOnLine();
  }
  return rows.map(({ bytes, taken }, k) => ({
    ranks: { from, to: Number.POSITIVE_INFINITY },
    bytes: { from: bytes, to: (rows[k + 1]?.bytes ?? Number.POSITIVE_INFINITY) - 1 },
    total: true,
    taken,
  }));
}

function readRow(words: Words, operation: Selectable): NamedChoice {
  const id = words.integer('the number of an algorithm');
  const { place } = words;
  const algorithms: Readonly<Record<number, string>> = openMpiAlgorithms[operation];
  const name = algorithms[id];
  if (id !== 0 && name === undefined) {
    const known = Object.entries(algorithms).map(([number, of]) => `${number} ${of}`);
    words.fail(
      'COLL014',
      `unknown algorithm ${id} of ${operation}. Known: 0 (Open MPI's own choice), ${known.join(', ')}`,
    );
  }
  for (const what of ['fan-out', 'size of segments']) {
    const value = words.integer(`a ${what}`);
    if (value > 0 && SEGMENTED[operation]?.includes(id) === true)
      words.fail('COLL014', `the ${what} ${value} of ${operation} ${id} (${name}) is not modelled: expected 0`);
  }
  return name === undefined ? { kind: 'selector', name: 'ompi' } : { kind: 'algorithm', name, place };
}

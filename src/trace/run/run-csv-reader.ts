import { ownOf } from '../../base/own.ts';
import { fail, type Place, Problems, quote } from '../../base/problem.ts';
import { BATCH_ROWS, BatchBuffer, GrowingColumns, type RunSink } from './batch.ts';
import { checkedHeader, decimal, integer, word } from './csv-cells.ts';
import { eachCsvRecord } from './csv-lines.ts';
import { MAX_SOCKETS } from './run-head.ts';
import {
  ABSENT,
  type Column,
  INTERVAL_KINDS,
  type IntervalPath,
  isDouble,
  MESSAGE_INSTANTS,
  PHASES,
  parsePath,
  RUN_STATES,
  type RunEnd,
  type RunHead,
  TABLES,
} from './run-schema.ts';

/** Columns of a CSV file by their header; true: required in every row. */
const HEADERS = {
  states: {
    process: true,
    node: false,
    start: true,
    end: true,
    state: true,
    call: false,
    interval: false,
    kind: false,
    collective: false,
    phase: false,
    sequence: false,
    bytes: false,
    peer: false,
    iterations: false,
    copies: false,
    socket: false,
    origin: false,
  },
  messages: {
    source: true,
    destination: true,
    sent: true,
    received: true,
    bytes: true,
    tag: false,
    communicator: false,
    call: false,
    instant: false,
  },
} as const;

const ORIGINS: readonly RunHead['origin'][] = ['simulated', 'recorded'];

/** Maximum number of problems reported per file. */
const MAX_PROBLEMS = 20;

/**
 * Reads a recorded run from CSV files: states, and messages where they are given. Rows may be in any order. They are passed
 * on in the order of the file if the rows of each process are in the order of time, otherwise in the order of their start.
 * The run is recorded, unless its rows have the origin `simulated`.
 * Columns are found by their header; an empty cell is absent; the interval of a row without a kind is parallel. O(rows)
 * memory.
 *
 * @param product the product that reads, for the head of the record
 * @throws InputError REC001 not readable, REC004 columns, REC005 to REC010 rows, each with file and line
 */
export function readRunCsv(
  states: readonly string[],
  messages: readonly string[],
  product: string,
  checker: RunSink,
): void {
  const names = new Names();
  const stateRows = new CsvRows('states', states, names);
  const messageRows = messages.length === 0 ? undefined : new CsvRows('messages', messages, names);
  const placement = stateRows.placement();
  checker.head({
    program: states.join(', '),
    origin: stateRows.origin ?? 'recorded',
    product,
    processes: placement.nodeOf.length,
    ...placement,
  });
  for (const name of names.list) checker.name(name);
  stateRows.pass(checker, 'start');
  messageRows?.pass(checker, 'received');
  const end: RunEnd = { complete: true, time: stateRows.latest('end'), notes: [] };
  checker.end(end);
}

/** Distinct texts, numbered in the order of their first use. */
class Names {
  readonly list: string[] = [];
  readonly #index = new Map<string, number>();

  of(name: string): number {
    let index = this.#index.get(name);
    if (index === undefined) {
      index = this.list.push(name) - 1;
      this.#index.set(name, index);
    }
    return index;
  }
}

/** Rows of one CSV file as columns of its table, with the line of each row. */
class CsvRows {
  readonly #table: 'states' | 'messages';
  readonly #files: readonly string[];
  readonly #names: Names;
  readonly #rows: GrowingColumns;
  readonly #paths: IntervalPath[] = [];
  readonly #pathTexts = new Names();
  readonly #nodes = new Names();
  readonly #problems = new Problems(MAX_PROBLEMS);
  /** Origin of the run; undefined if no row has one. */
  origin: RunHead['origin'] | undefined;

  constructor(table: 'states' | 'messages', files: readonly string[], names: Names) {
    this.#table = table;
    this.#files = files;
    this.#names = names;
    this.#rows = new GrowingColumns([
      ...(TABLES[table] as readonly Column[]),
      { name: 'file', type: 'count' },
      { name: 'line', type: 'count' },
      ...(table === 'states'
        ? ([
            { name: 'node', type: 'count' },
            { name: 'socket', type: 'count' },
          ] as const)
        : []),
    ]);
    files.forEach((file, index) => {
      let header: readonly string[] | undefined;
      eachCsvRecord(file, (cells, line) => {
        if (header === undefined) header = this.#header(cells, { file, line });
        else this.#row(header, cells, index, line);
      });
      if (header === undefined)
        fail('REC004', `has no header; expected ${Object.keys(HEADERS[table]).join(',')}`, { file });
    });
    this.#problems.end();
  }

  /** Nodes with their sockets, and the place of each process; every process from 0 to the highest has rows. */
  placement(): Pick<RunHead, 'nodes' | 'nodeOf' | 'socketOf'> {
    const process = this.#rows.column('process');
    /** First row of each process. */
    const found = new Map<number, number>();
    let highest = -1;
    let highestRow = 0;
    for (let row = 0; row < this.#rows.count; row++) {
      const p = process[row]!;
      if (p > highest) {
        highest = p;
        highestRow = row;
      }
      const first = found.get(p);
      if (first === undefined) found.set(p, row);
      else this.#samePlace(p, first, row);
    }
    for (let p = 0; p <= highest && found.size <= highest; p++)
      if (!found.has(p))
        fail(
          'REC008',
          `process ${p} has no rows: expected rows of every process from 0 to ${highest}, which this line has`,
          this.#place(highestRow),
        );
    // Nodes are numbered by their first process, whatever the order of rows.
    const nodes = new Names();
    const sockets: number[] = [];
    const socketOf: number[] = [];
    const nodeOf = Array.from({ length: highest + 1 }, (_, p) => {
      const row = found.get(p)!;
      const index = this.#rows.column('node')[row]!;
      const node = nodes.of(index === ABSENT ? `process ${p}` : this.#nodes.list[index]!);
      const socket = this.#rows.column('socket')[row]!;
      socketOf.push(socket === ABSENT ? 0 : socket);
      sockets[node] = Math.max(sockets[node] ?? 1, socketOf[p]! + 1);
      return node;
    });
    return { nodes: nodes.list.map((name, node) => ({ name, sockets: sockets[node]! })), nodeOf, socketOf };
  }

  /** @throws InputError REC005 where a row has another node or socket than the first row of its process */
  #samePlace(process: number, first: number, row: number): void {
    for (const column of ['node', 'socket'] as const) {
      const cells = this.#rows.column(column);
      if (cells[first] === cells[row]) continue;
      const shown = (cell: number): string =>
        quote(cell === ABSENT ? '' : column === 'node' ? this.#nodes.list[cell]! : String(cell));
      fail(
        'REC005',
        `process ${process} is on ${column} ${shown(cells[first]!)} in earlier rows: expected the same ${column}, got ${shown(cells[row]!)}`,
        this.#place(row),
      );
    }
  }

  /** Largest value of a column; 0 without rows. */
  latest(column: string): number {
    const cells = this.#rows.column(column);
    let latest = 0;
    for (let row = 0; row < this.#rows.count; row++) latest = Math.max(latest, cells[row]!);
    return latest;
  }

  /** Passes all rows on in the order of a column. */
  pass(checker: RunSink, orderedBy: string): void {
    const rows = this.#rows;
    const key = rows.column(orderedBy);
    const order = new Uint32Array(rows.count).map((_, row) => row);
    // Rows of equal starts stay in the order of their ends, so that a span of no length precedes its successor.
    const second = rows.column(orderedBy === 'start' ? 'end' : orderedBy);
    if (!this.#isOrdered(key, second)) order.sort((a, b) => key[a]! - key[b]! || second[a]! - second[b]! || a - b);
    const buffer = new BatchBuffer(this.#table);
    const columns = TABLES[this.#table] as readonly Column[];
    for (let from = 0; from < rows.count; from += BATCH_ROWS) {
      buffer.clear();
      const part = order.subarray(from, from + BATCH_ROWS);
      for (const row of part) {
        const at = buffer.row();
        for (const { name, type } of columns) {
          const value = rows.column(name)[row]!;
          buffer.columns[name]![at] =
            type !== 'path' || value === ABSENT
              ? value
              : buffer.path(this.#pathTexts.list[value]!, () => this.#paths[value]!);
        }
      }
      checker.at((row) => this.#place(part[row]!));
      checker.batch(buffer);
    }
  }

  /** True if the rows of each process (for messages: all rows) are ordered by two columns. */
  #isOrdered(first: ArrayLike<number>, second: ArrayLike<number>): boolean {
    const process = this.#table === 'states' ? this.#rows.column('process') : undefined;
    const last = new Map<number, number>();
    for (let row = 0; row < this.#rows.count; row++) {
      const p = process?.[row] ?? 0;
      const before = last.get(p);
      if (before !== undefined) {
        if (first[row]! < first[before]!) return false;
        if (first[row] === first[before] && second[row]! < second[before]!) return false;
      }
      last.set(p, row);
    }
    return true;
  }

  #place(row: number): Place {
    return { file: this.#files[this.#rows.column('file')[row]!]!, line: this.#rows.column('line')[row]! };
  }

  #header(cells: readonly string[], place: Place): readonly string[] {
    return checkedHeader(cells, HEADERS[this.#table], this.#problems, place);
  }

  #row(header: readonly string[], cells: readonly string[], file: number, line: number): void {
    const place = { file: this.#files[file]!, line };
    if (cells.length !== header.length) {
      this.#problems.add('REC005', `expected ${header.length} cells, got ${cells.length}`, place);
      return;
    }
    const rows = this.#rows;
    const row = rows.row();
    for (const { name, type } of TABLES[this.#table] as readonly Column[])
      rows.column(name)[row] = isDouble(type) ? Number.NaN : ABSENT;
    rows.column('file')[row] = file;
    rows.column('line')[row] = line;
    if (this.#table === 'states') for (const name of ['node', 'socket']) rows.column(name)[row] = ABSENT;
    header.forEach((name, k) => {
      const cell = cells[k]!.trim();
      if (cell === '') {
        if (ownOf<boolean>(HEADERS[this.#table], name) === true)
          this.#problems.add('REC005', `${name} is missing`, place);
        return;
      }
      const fault = this.#cell(name, cell, row);
      if (fault !== undefined) this.#problems.add('REC005', `${name}: ${fault}`, place);
    });
    if (this.#table === 'states') {
      if (rows.column('interval')[row] !== ABSENT && rows.column('kind')[row] === ABSENT)
        rows.column('kind')[row] = INTERVAL_KINDS.indexOf('parallel');
      if (rows.column('phase')[row] !== ABSENT && rows.column('collective')[row] === ABSENT)
        this.#problems.add('REC005', 'phase: expected a collective in the same row', place);
    }
  }

  /** Stores a cell; returns an error message if it is not of its type. */
  #cell(name: string, cell: string, row: number): string | undefined {
    const rows = this.#rows;
    const set = (column: string, value: number | string): string | undefined => {
      if (typeof value === 'string') return value;
      rows.column(column)[row] = value;
      return undefined;
    };
    switch (name) {
      case 'node':
        return set(name, this.#nodes.of(cell));
      case 'state':
        return set(name, word(cell, RUN_STATES));
      case 'kind':
        return set(name, word(cell, INTERVAL_KINDS));
      case 'phase':
        return set(name, word(cell, PHASES));
      case 'instant':
        return set(name, word(cell, MESSAGE_INSTANTS));
      case 'call':
        return set(name, this.#names.of(cell));
      case 'origin': {
        const index = word(cell, ORIGINS);
        if (typeof index === 'string') return index;
        this.origin ??= ORIGINS[index]!;
        return this.origin === cell ? undefined : `expected ${this.origin} as in earlier rows, got ${cell}`;
      }
      case 'interval': {
        const index = this.#pathTexts.of(cell);
        if (index === this.#paths.length) {
          const path = parsePath(cell);
          this.#paths.push(typeof path === 'string' ? [] : path);
          if (typeof path === 'string') return path;
        }
        return set(name, index);
      }
      case 'collective': {
        const found = /^(.+)#(\d{1,9})$/s.exec(cell);
        if (found === null) return `expected an operation with its execution as in reduction#7, got ${quote(cell)}`;
        rows.column('execution')[row] = Number(found[2]);
        return set(name, this.#names.of(found[1]!));
      }
      case 'start':
      case 'end':
      case 'sent':
      case 'received':
        return set(name, decimal(cell, Number.NEGATIVE_INFINITY));
      case 'bytes':
      case 'iterations':
        return set(name, decimal(cell, 0));
      case 'socket': {
        const socket = integer(cell, 0);
        return Number(socket) < MAX_SOCKETS - 1
          ? set(name, socket)
          : `expected a socket below ${MAX_SOCKETS - 1}, got ${quote(cell)}`;
      }
      default:
        return set(name, integer(cell, name === 'tag' || name === 'communicator' ? -(2 ** 31) + 1 : 0));
    }
  }
}

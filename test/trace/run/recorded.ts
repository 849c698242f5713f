import * as fc from 'fast-check';
import type { Batch, RunConsumer } from '../../../src/trace/run/batch.ts';
import { BATCH_ROWS, BatchBuffer } from '../../../src/trace/run/batch.ts';
import {
  ABSENT,
  formatPath,
  INTERVAL_KINDS,
  type IntervalPath,
  PHASES,
  parsePath,
  RUN_STATES,
  type RunEnd,
  type RunHead,
  TABLES,
  type TableName,
} from '../../../src/trace/run/run-schema.ts';

/** A row with names, keywords and paths as strings; absent cells are omitted. */
export type PlainRow = { readonly table: TableName } & Readonly<Record<string, string | number>>;

/** A whole run as plain data. */
export interface PlainRun {
  head: RunHead | undefined;
  rows: PlainRow[];
  end: RunEnd | undefined;
}

/** Keeps a run as plain data. */
export class Collector implements RunConsumer, PlainRun {
  head_: RunHead | undefined;
  rows: PlainRow[] = [];
  names: string[] = [];
  end_: RunEnd | undefined;
  head = ((head: RunHead): void => {
    this.head_ = head;
  }) as never;
  end = ((end: RunEnd): void => {
    this.end_ = end;
  }) as never;
  name(name: string): void {
    this.names.push(name);
  }
  batch({ table, columns, count, paths }: Batch): void {
    for (let row = 0; row < count; row++) {
      const plain: Record<string, string | number> = { table };
      for (const { name, type } of TABLES[table]) {
        const value = columns[name]![row]!;
        if (value === ABSENT || Number.isNaN(value)) continue;
        if (typeof type === 'object') plain[name] = type[value]!;
        else plain[name] = type === 'name' ? this.names[value]! : type === 'path' ? formatPath(paths[value]!) : value;
      }
      this.rows.push(plain as PlainRow);
    }
  }
}

/** Passes a plain run to a consumer in batches; rows of one table stay in their order. */
export function emit(head: RunHead, rows: readonly PlainRow[], end: RunEnd, consumer: RunConsumer): void {
  consumer.head(head);
  const names = new Map<string, number>();
  const buffers = new Map<TableName, BatchBuffer>();
  const flush = (buffer: BatchBuffer): void => {
    if (buffer.count > 0) consumer.batch(buffer);
    buffer.clear();
  };
  for (const plain of rows) {
    const buffer = buffers.get(plain.table) ?? new BatchBuffer(plain.table);
    buffers.set(plain.table, buffer);
    const at = buffer.row();
    for (const { name, type } of TABLES[plain.table]) {
      const cell = plain[name];
      if (cell === undefined) continue;
      const cells = buffer.columns[name]!;
      if (typeof type === 'object') cells[at] = type.indexOf(cell as string);
      else if (type === 'path')
        cells[at] = buffer.path(cell as string, () => parsePath(cell as string) as IntervalPath);
      else if (type === 'name') {
        if (!names.has(cell as string)) {
          names.set(cell as string, names.size);
          consumer.name(cell as string);
        }
        cells[at] = names.get(cell as string)!;
      } else cells[at] = cell as number;
    }
    if (buffer.count === BATCH_ROWS) flush(buffer);
  }
  for (const buffer of buffers.values()) flush(buffer);
  consumer.end(end);
}

const word = fc.constantFrom('MPI_Recv', 'MPI_Send', 'allreduce', 'a,b', 'say "x"', 'naïve', 'line\nend');
const step = fc.record(
  {
    name: fc.constantFrom('solve', 'a/b', 'x[1]', 'p#q', 'back\\slash'),
    expression: fc.integer({ min: -3, max: 3 }),
    execution: fc.nat(5),
  },
  { requiredKeys: ['name'] },
);
const path = fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => formatPath(steps));
const seconds = fc.double({ min: 0, max: 10, noNaN: true }).map((x) => x + 0);

/** Random valid states of one process, some adjacent, some with gaps. */
const statesOf = (process: number, processes: number): fc.Arbitrary<PlainRow[]> =>
  fc
    .array(
      fc.record(
        {
          gap: fc.oneof(fc.constant(0), seconds),
          length: seconds,
          state: fc.constantFrom(...RUN_STATES),
          call: word,
          interval: path,
          kind: fc.constantFrom(...INTERVAL_KINDS),
          collective: word,
          execution: fc.nat(9),
          phase: fc.constantFrom(...PHASES),
          sequence: fc.nat(100),
          bytes: fc.nat(1e6),
          peer: fc.constant(0),
          iterations: fc.nat(1e6),
          copies: fc.integer({ min: 1, max: processes }),
        },
        { requiredKeys: ['gap', 'length', 'state'] },
      ),
      { minLength: 1, maxLength: 8 },
    )
    .map((drawn) => {
      let time = 0;
      return drawn.map(({ gap, length, ...row }) => {
        const start = time + gap;
        time = start + length;
        const { collective, execution, phase, interval, kind, ...rest } = row;
        return {
          table: 'states',
          process,
          start,
          end: time,
          ...rest,
          ...(interval === undefined ? {} : { interval, kind: kind ?? 'parallel' }),
          ...(collective === undefined || execution === undefined
            ? {}
            : { collective, execution, ...(phase === undefined ? {} : { phase }) }),
        } as unknown as PlainRow;
      });
    });

/** A random valid run: head, rows of states (in the order of start) and messages. */
export const arbitraryRun: fc.Arbitrary<{ readonly head: RunHead; readonly rows: PlainRow[]; readonly end: RunEnd }> =
  fc
    .integer({ min: 1, max: 4 })
    .chain((processes) =>
      fc.record({
        states: fc.tuple(...Array.from({ length: processes }, (_, p) => statesOf(p, processes))),
        messages: fc.array(
          fc.record(
            {
              source: fc.nat(processes - 1),
              destination: fc.nat(processes - 1),
              sent: seconds,
              length: seconds,
              bytes: fc.nat(1e9),
              tag: fc.integer({ min: -5, max: 5 }),
              communicator: fc.nat(3),
              call: word,
            },
            { requiredKeys: ['source', 'destination', 'sent', 'length', 'bytes'] },
          ),
          { maxLength: 6 },
        ),
        nodeOf: fc.array(fc.nat(1), { minLength: processes, maxLength: processes }),
        socketOf: fc.array(fc.nat(2), { minLength: processes, maxLength: processes }),
      }),
    )
    .map(({ states, messages, nodeOf, socketOf }) => {
      const rows = states
        .flat()
        .sort((a, b) => Number(a['start']) - Number(b['start']) || Number(a['end']) - Number(b['end']));
      const time = Math.max(...rows.map((row) => Number(row['end'])));
      // Nodes are numbered by their first process, as CSV files number them.
      const first = nodeOf[0]!;
      const nodes = [...new Set([first, ...nodeOf])];
      return {
        head: {
          program: 'random',
          origin: rows.length % 2 === 0 ? ('recorded' as const) : ('simulated' as const),
          product: 'foretoken 0',
          processes: nodeOf.length,
          nodes: nodes.map((n) => ({
            name: `n${n}`,
            sockets: Math.max(...socketOf.filter((_, p) => nodeOf[p] === n)) + 1,
          })),
          nodeOf: nodeOf.map((n) => nodes.indexOf(n)),
          socketOf,
        },
        rows: [
          ...rows,
          ...messages
            .map(({ length, ...m }) => ({ table: 'messages', ...m, received: m.sent + length }) as unknown as PlainRow)
            .sort((a, b) => Number(a['received']) - Number(b['received'])),
        ],
        end: { complete: true, time, notes: [] },
      };
    });

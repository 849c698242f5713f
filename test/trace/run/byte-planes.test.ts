import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Batch, BatchBuffer } from '../../../src/trace/run/batch.ts';
import { decodePlanes, encodePlanes } from '../../../src/trace/run/columns/byte-planes.ts';
import { ByteSink, ByteSource } from '../../../src/trace/run/columns/bytes.ts';
import { RunBlockReader } from '../../../src/trace/run/run-block-reader.ts';
import { RunFileWriter } from '../../../src/trace/run/run-file-writer.ts';
import { ABSENT, type Column, TABLES, type TableName } from '../../../src/trace/run/run-schema.ts';
import { effort } from '../../effort.ts';

const anyDouble = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }).map((n) => n / 1e9),
  fc.constantFrom(
    0,
    -0,
    5e-324,
    -5e-324,
    Number.MAX_VALUE,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    2 ** 53 + 2,
  ),
);

describe('planes of differences', () => {
  it.each([
    ['any doubles', anyDouble],
    ['whole nanoseconds', fc.integer({ min: -(2 ** 45), max: 2 ** 45 }).map((n) => n / 1e9)],
  ])('restore %s, bit by bit, from any known numbers', (_, cell) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 60 }), (pairs) => {
        const sink = new ByteSink();
        const cells = Float64Array.from(pairs, ([value]) => value);
        const known = Float64Array.from(pairs, ([, value]) => value);
        encodePlanes(sink, cells, known, cells.length);
        const source = new ByteSource(sink.bytes().slice());
        const next = decodePlanes(source, cells.length);
        expect(source.at).toBe(sink.length);
        cells.forEach((value, k) => {
          expect(next(k, known[k]!)).toBe(value);
        });
      }),
      { numRuns: effort(2000) },
    );
  });

  it('of equal numbers take no byte for a row', () => {
    const sink = new ByteSink();
    const cells = Float64Array.of(0.1, 1 / 3, Math.PI);
    encodePlanes(sink, cells, cells, 3);
    expect(sink.length).toBe(2);
  });

  it('refuse what they do not know', () => {
    expect(() => decodePlanes(new ByteSource(Uint8Array.of(2, 1, 0)), 1)).toThrow(RangeError);
    expect(() => decodePlanes(new ByteSource(Uint8Array.of(0, 9, 0)), 1)).toThrow(RangeError);
    expect(() => decodePlanes(new ByteSource(Uint8Array.of(0, 2, 0)), 2)).toThrow(RangeError);
  });
});

/** Cells of a column: absent ones where the table allows them, and counts that go on, as those of calls do. */
function cellOf({ type, optional }: Column): fc.Arbitrary<number> {
  const base =
    type === 'seconds'
      ? anyDouble
      : type === 'amount'
        ? fc.double({ noNaN: true, min: 0 })
        : type === 'count' || type === 'integer'
          ? fc.oneof(fc.nat(5), fc.integer({ min: 0, max: 2 ** 31 - 1 }))
          : fc.nat(3);
  const absent = type === 'seconds' || type === 'amount' ? Number.NaN : ABSENT;
  return !optional ? base : fc.oneof(base, fc.constant(absent));
}

describe('a record in the form for compression', () => {
  it.each(['states', 'messages', 'calls', 'intervals'] as const satisfies readonly TableName[])(
    'has every cell of %s, also where few columns are read',
    (table) => {
      const columns = TABLES[table] as readonly Column[];
      const row = fc.tuple(...columns.map(cellOf));
      const several = fc.array(row, { minLength: 1, maxLength: 40 });
      const some = fc.subarray(columns.map(({ name }) => name));
      fc.assert(
        fc.property(several, some, (rows, only) => {
          const batch = new BatchBuffer(table);
          batch.paths.push([{ name: 'a' }], [{ name: 'b' }], [{ name: 'c' }], [{ name: 'd' }]);
          rows.forEach((cells, k) => {
            columns.forEach(({ name }, c) => {
              batch.columns[name]![k] = cells[c]!;
            });
          });
          batch.count = rows.length;
          const pieces: Uint8Array[] = [];
          const none = (): void => {};
          const writer = new RunFileWriter(
            { write: (bytes) => pieces.push(bytes.slice()), close: none, abort: none },
            true,
          );
          writer.head({
            program: 'p',
            origin: 'recorded',
            product: 'test',
            processes: 4,
            nodes: [{ name: 'n', sockets: 1 }],
            nodeOf: [0, 0, 0, 0],
            socketOf: [0, 0, 0, 0],
          });
          writer.batch(batch);
          writer.end({ complete: true, time: 1, notes: [] });
          const bytes = Buffer.concat(pieces);
          // Starts of states need the ends and the processes, which a reader asks for, too.
          const asked = only.includes('start') ? [...new Set([...only, 'end', 'process'])] : only;
          const read = (names: readonly string[] | undefined): void => {
            const found: Batch[] = [];
            const sink = { at: none, head: none, name: none, end: none, batch: (b: Batch) => found.push(copied(b)) };
            new RunBlockReader(
              {
                name: 'test',
                size: bytes.length,
                bytes: (at, length) => (at + length > bytes.length ? undefined : bytes.subarray(at, at + length)),
                ...(names === undefined ? {} : { only: { [table]: names } }),
              },
              sink,
            ).read();
            if (names?.length === 0) return;
            expect(found.length).toBe(1);
            for (const name of names ?? columns.map((column) => column.name))
              expect(Array.from(found[0]!.columns[name]!.subarray(0, rows.length)), name).toEqual(
                rows.map((cells) => cells[columns.findIndex((column) => column.name === name)]!),
              );
          };
          read(undefined);
          read(asked);
        }),
        { numRuns: effort(500) },
      );
    },
  );
});

const copied = ({ columns, ...batch }: Batch): Batch => ({
  ...batch,
  columns: Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, cells.slice()])),
});

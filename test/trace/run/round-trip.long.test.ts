import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { readRun } from '../../../src/trace/run/read-run.ts';
import { RunCsvWriter } from '../../../src/trace/run/run-csv-writer.ts';
import { RunFileWriter } from '../../../src/trace/run/run-file-writer.ts';
import { RunLinesWriter } from '../../../src/trace/run/run-lines.ts';
import { effort } from '../../effort.ts';
import { arbitraryRun, Collector, emit } from './recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-record-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string): string => join(folder, name);

test('a binary record has the rows written, in the form for compression, too', () => {
  fc.assert(
    fc.property(arbitraryRun, fc.boolean(), ({ head, rows, end }, isCompressed) => {
      emit(head, rows, end, new RunFileWriter(file('a.ftrun'), isCompressed));
      const read = new Collector();
      readRun(file('a.ftrun'), undefined, 'foretoken 0', read);
      expect(read.head_).toEqual(head);
      expect(read.end_).toEqual(end);
      for (const table of ['states', 'messages'])
        expect(read.rows.filter((r) => r.table === table)).toEqual(rows.filter((r) => r.table === table));
    }),
    { numRuns: effort(100) },
  );
});

test('a record of JSON lines has the rows written', () => {
  fc.assert(
    fc.property(arbitraryRun, ({ head, rows, end }) => {
      emit(head, rows, end, new RunLinesWriter(file('a.jsonl')));
      const read = new Collector();
      readRun(file('a.jsonl'), undefined, 'foretoken 0', read);
      expect(read.head_).toEqual(head);
      expect(read.end_).toEqual(end);
      for (const table of ['states', 'messages'])
        expect(read.rows.filter((r) => r.table === table)).toEqual(rows.filter((r) => r.table === table));
    }),
    { numRuns: effort(100) },
  );
});

test('CSV files have the states and messages written, for any order of lines', () => {
  fc.assert(
    fc.property(arbitraryRun, fc.boolean(), ({ head, rows, end }, reverse) => {
      emit(head, rows, end, new RunCsvWriter(file('s.csv'), file('m.csv')));
      if (reverse && !readFileSync(file('s.csv'), 'utf8').includes('line\nend')) {
        const [first, ...lines] = readFileSync(file('s.csv'), 'utf8').trimEnd().split('\n');
        writeFileSync(file('s.csv'), `${[first, ...lines.reverse()].join('\r\n')}\r\n`);
      }
      const read = new Collector();
      readRun(file('s.csv'), file('m.csv'), 'foretoken 0', read);
      expect(read.head_).toEqual({ ...head, program: file('s.csv') });
      const key = (row: object): string => JSON.stringify(row, Object.keys(row).sort());
      for (const table of ['states', 'messages'])
        expect(
          read.rows
            .filter((r) => r.table === table)
            .map(key)
            .sort(),
        ).toEqual(
          rows
            .filter((r) => r.table === table)
            .map(key)
            .sort(),
        );
    }),
    { numRuns: effort(100) },
  );
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { readRun } from '../../../src/trace/run/read-run.ts';
import { RunCsvWriter } from '../../../src/trace/run/run-csv-writer.ts';
import { RunFileWriter } from '../../../src/trace/run/run-file-writer.ts';
import { RunLinesWriter } from '../../../src/trace/run/run-lines.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { arbitraryRun, Collector, emit } from './recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WRITERS = {
  '.ftrun': (path: string) => new RunFileWriter(path),
  '.jsonl': (path: string) => new RunLinesWriter(path),
  '.csv': (path: string) => new RunCsvWriter(path, undefined),
} as const;

/** Mutations of a file: bytes are replaced, removed, repeated, or cut off. */
const change = fc.record({
  kind: fc.constantFrom('replace', 'remove', 'repeat', 'cut'),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  length: fc.integer({ min: 1, max: 12 }),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
});

function changed(
  bytes: Uint8Array,
  changes: readonly (typeof change extends fc.Arbitrary<infer C> ? C : never)[],
): Buffer {
  let out = Buffer.from(bytes);
  for (const { kind, at, length, bytes: inserted } of changes) {
    const from = Math.floor(at * out.length);
    const [before, part, after] = [
      out.subarray(0, from),
      out.subarray(from, from + length),
      out.subarray(from + length),
    ];
    if (kind === 'cut') out = Buffer.from(before);
    else if (kind === 'remove') out = Buffer.concat([before, after]);
    else if (kind === 'repeat') out = Buffer.concat([before, part, part, after]);
    else out = Buffer.concat([before, inserted, out.subarray(from + inserted.length)]);
  }
  return out;
}

describe.each(Object.entries(WRITERS))('damaged records (%s)', (ending, writer) => {
  test('are read, or rejected with the file and a place', () => {
    const path = join(folder, `damaged${ending}`);
    const original = fc.sample(arbitraryRun, { numRuns: 40, seed: 3 }).map(({ head, rows, end }) => {
      emit(head, rows, end, writer(path));
      return readFileSync(path);
    });
    let refused = 0;
    fc.assert(
      fc.property(fc.nat(original.length - 1), fc.array(change, { minLength: 1, maxLength: 3 }), (which, changes) => {
        writeFileSync(path, changed(original[which]!, changes));
        try {
          readRun(path, undefined, 'foretoken 0', new Collector());
        } catch (e) {
          if (!(e instanceof InputError)) throw e;
          expect(e.problems[0]!.code).toMatch(/^REC0\d\d$/);
          expect(e.problems[0]!.place?.file).toBe(path);
          refused++;
        }
      }),
      { numRuns: effort(20_000) },
    );
    expect(refused).toBeGreaterThan(atFullEffort(effort(20_000) / 10));
  });

  test('a record truncated anywhere is rejected', () => {
    if (ending === '.csv') return;
    const path = join(folder, `cut${ending}`);
    const [run] = fc.sample(arbitraryRun, { numRuns: 1, seed: 9 });
    emit(run!.head, run!.rows, run!.end, writer(path));
    const whole = readFileSync(path);
    for (let length = 0; length < whole.length - 2; length += 1 + Math.floor(whole.length / 200)) {
      writeFileSync(path, whole.subarray(0, length));
      expect(() => readRun(path, undefined, 'foretoken 0', new Collector())).toThrow(/REC00[2357]/);
    }
  });
});

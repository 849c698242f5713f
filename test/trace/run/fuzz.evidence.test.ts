import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { ProfileMeter } from '../../../src/analysis/efficiency/profile-meter.ts';
import { InputError } from '../../../src/base/problem.ts';
import { profileDocument } from '../../../src/commands/profile/profile.ts';
import type { RunConsumer } from '../../../src/trace/run/batch.ts';
import { readRun } from '../../../src/trace/run/read-run.ts';
import { RunCsvWriter } from '../../../src/trace/run/run-csv-writer.ts';
import { RunFileWriter } from '../../../src/trace/run/run-file-writer.ts';
import { RunLinesWriter } from '../../../src/trace/run/run-lines.ts';
import { BLOCK_HEAD_BYTES, MAGIC } from '../../../src/trace/run/run-schema.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { arbitraryRun, Collector, emit } from './recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Run = typeof arbitraryRun extends fc.Arbitrary<infer R> ? R : never;

/** A form of a record: writes a run, and reads it again with one of its files changed. */
interface Form {
  /** The file that is changed. */
  readonly path: string;
  write(run: Run): void;
  read(consumer: RunConsumer): void;
  /** Whether a changed file can only be accepted with its old content. */
  readonly hasChecksum?: true;
}

const form = (path: string, write: (run: Run) => void, messages?: string): Form => ({
  path,
  write,
  read: (consumer) => readRun(path, messages, 'foretoken 0', consumer),
});
const at = (name: string): string => join(folder, name);

const FORMS: Readonly<Record<string, Form>> = {
  '.ftrun': {
    ...form(at('a.ftrun'), ({ head, rows, end }) => emit(head, rows, end, new RunFileWriter(at('a.ftrun')))),
    hasChecksum: true,
  },
  '.jsonl': form(at('a.jsonl'), ({ head, rows, end }) => emit(head, rows, end, new RunLinesWriter(at('a.jsonl')))),
  'states.csv': form(at('s.csv'), ({ head, rows, end }) =>
    emit(head, rows, end, new RunCsvWriter(at('s.csv'), undefined)),
  ),
  'messages.csv': {
    path: at('m.csv'),
    // States are the same for all messages, so that those of any run fit.
    write: ({ head, rows, end }) => emit(head, rows, end, new RunCsvWriter(at('t.csv'), at('m.csv'))),
    read: (consumer) => readRun(at('four.csv'), at('m.csv'), 'foretoken 0', consumer),
  },
};
writeFileSync(at('four.csv'), `process,start,end,state\n${[0, 1, 2, 3].map((p) => `${p},0,9,computing\n`).join('')}`);

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

/** Gives every block of a changed binary record the checksum of its content, so that its content is read. */
function rehashed(bytes: Buffer): Buffer {
  const out = Buffer.from(bytes);
  for (let from = MAGIC.length; from + BLOCK_HEAD_BYTES <= out.length; ) {
    const end = from + BLOCK_HEAD_BYTES + out.readUInt32LE(from + 1);
    if (end > out.length) break;
    out.writeUInt32LE(crc32(out.subarray(from + BLOCK_HEAD_BYTES, end)), from + 5);
    from = end;
  }
  return out;
}

/** Reads the changed file; true if it is refused with a code and its place. */
function isRefused({ path, read }: Form, consumer: RunConsumer): boolean {
  try {
    read(consumer);
    return false;
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    expect(e.problems[0]!.code).toMatch(/^REC0\d\d$/);
    expect(e.problems[0]!.place?.file).toBe(path);
    return true;
  }
}

/** An accepted record has sound figures: all are numbers, and time is productive or lost. */
function checkFigures(form: Form): void {
  const meter = new ProfileMeter({ maxSpans: 10 });
  form.read(meter);
  const { figures, spread, nodes } = profileDocument(meter, {}, {});
  for (const [name, { value }] of Object.entries(figures)) expect(value, name).toSatisfy(Number.isFinite);
  if (meter.head_.processes > 0) for (const { mean } of Object.values(spread)) expect(mean).toSatisfy(Number.isFinite);
  const scale = 1e-9 * (1 + Math.abs(meter.end_.time) + Math.abs(meter.begin)) * (1 + meter.head_.processes);
  const { productiveTime, lostTime, totalTime } = figures;
  expect(Math.abs(productiveTime.value + lostTime.value - totalTime.value)).toBeLessThanOrEqual(scale);
  for (const { seconds, joined, left } of nodes) {
    const sum = Object.values(seconds).reduce((a, b) => a + b, 0);
    expect(Math.abs(sum - Math.max(0, left - joined))).toBeLessThanOrEqual(scale);
  }
}

const runs = fc.sample(arbitraryRun, { numRuns: 40, seed: 3 });

describe.each(Object.entries(FORMS))('damaged records (%s)', (name, form) => {
  test('are refused with the file and a place, or have sound figures', () => {
    const original = runs.map((run) => {
      form.write(run);
      return readFileSync(form.path);
    });
    let refused = 0;
    let cases = 0;
    fc.assert(
      fc.property(
        fc.nat(original.length - 1),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (which, changes, rehash) => {
          const bytes = changed(original[which]!, changes);
          const isHashed = form.hasChecksum === true && rehash;
          writeFileSync(form.path, isHashed ? rehashed(bytes) : bytes);
          cases++;
          if (isRefused(form, new Collector())) refused++;
          else if (form.hasChecksum === true && !isHashed) expect(bytes.equals(original[which]!)).toBe(true);
          else checkFigures(form);
        },
      ),
      { numRuns: effort(20_000) },
    );
    expect(cases).toBeGreaterThanOrEqual(effort(20_000));
    expect(refused).toBeGreaterThan(atFullEffort(effort(20_000) / 10));
  });

  test('a process without states is refused', () => {
    if (name.endsWith('.csv')) return;
    const run = runs.find(({ head }) => head.processes > 1)!;
    form.write({ ...run, rows: run.rows.filter((row) => row['process'] !== 1) });
    expect(() => form.read(new Collector())).toThrow(/(jsonl:\d+|ftrun): REC008 .*process 1 has no states/);
  });

  test('a record truncated anywhere is refused', () => {
    if (name.endsWith('.csv')) return;
    const [run] = fc.sample(arbitraryRun, { numRuns: 1, seed: 9 });
    form.write(run!);
    const whole = readFileSync(form.path);
    for (let length = 0; length < whole.length - 2; length += 1 + Math.floor(whole.length / 200)) {
      writeFileSync(form.path, whole.subarray(0, length));
      expect(() => form.read(new Collector())).toThrow(/REC00[2357]/);
    }
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../src/commands/predict/predict.ts';
import { readTiTrace } from '../../src/trace/ti/read.ts';
import { effort } from '../effort.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-derived-'));
afterAll(() => rmSync(dir, { recursive: true }));
const write = (name: string, lines: readonly string[]): string => {
  const path = join(dir, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
};
const machine = write('m.yaml', [
  'nodes: 2',
  'coresPerNode: 1',
  'speed: 1Gf',
  'link: { latency: 1us, bandwidth: 1GB/s }',
  'eagerBelow: 64KiB',
]);
const ends = (path: string, derivedTypeBytes?: number | string): (number | null)[] =>
  predict(path, { machine, ...(derivedTypeBytes === undefined ? {} : { derivedTypeBytes }) }).ranks.map(
    (r) => r.endTime,
  );

/** Exchanges of two ranks: the call, the elements, and the size that an entry of each kind gives (0: no entry). */
const exchanges = fc.array(
  fc.record({
    call: fc.constantFrom('bcast', 'send', 'sendRecv'),
    count: fc.integer({ min: 1, max: 3 }),
    own: fc.constantFrom(0, 0, 100_000, 3_000_000),
  }),
  { minLength: 1, maxLength: 12 },
);

test('each line has the size of its own entry, else that of its call, else that of all', () => {
  fc.assert(
    fc.property(
      exchanges,
      fc.integer({ min: 0, max: 1e6 }),
      fc.option(fc.integer({ min: 0, max: 1e6 })),
      (all, rest, ofBcast) => {
        const lines = (type: (k: number) => number, count: (k: number) => number): string[] =>
          [0, 1].flatMap((r) => [
            `${r} init`,
            ...all.map(({ call }, k) => {
              const [n, t] = [count(k), type(k)];
              if (call === 'bcast') return `${r} bcast ${n} 0 ${t}`;
              if (call === 'sendRecv') return `${r} sendRecv ${n} ${1 - r} ${n} ${1 - r} ${t} ${t}`;
              return r === 0 ? `0 send 1 ${k} ${n} ${t}` : `1 recv 0 ${k} ${n} ${t}`;
            }),
            `${r} finalize`,
          ]);
        const hasBcast = ofBcast !== null && all.some(({ call, own }) => call === 'bcast' && own === 0);
        const size = (k: number): number => all[k]!.own || (all[k]!.call === 'bcast' && hasBcast ? ofBcast : rest);
        const derived = write(
          'd.ti',
          lines(
            () => -1,
            (k) => all[k]!.count,
          ),
        );
        const bytes = write(
          'b.ti',
          lines(
            () => 6,
            (k) => all[k]!.count * size(k),
          ),
        );
        const entries = [
          `-1=${rest}`,
          ...(hasBcast ? [`bcast=${ofBcast}`] : []),
          ...all.flatMap(({ own }, k) =>
            own === 0 ? [] : [`d.ti:${2 + k}=${own}`, `${derived}:${2 + k + all.length + 2}=${own}`],
          ),
        ];
        expect(ends(derived, entries.join(','))).toEqual(ends(bytes));
      },
    ),
    { numRuns: effort(500) },
  );
});

describe('entries that cannot be meant', () => {
  const path = write('e.ti', [
    '0 init',
    '0 bcast 5 0 -1',
    '0 bcast 5 0 6',
    '0 finalize',
    '1 init',
    '1 bcast 5 0 -1',
    '1 bcast 5 0 6',
    '1 finalize',
  ]);
  test.each([
    ['e.ti:3=8,-1=8', /e\.ti:3: TI026 --datatype "e\.ti:3=8": this line of the trace has no derived datatype/],
    ['e.ti:99=8,-1=8', /TI026.*has no derived datatype/],
    ['other.ti:2=8,-1=8', /TI026.*has no derived datatype/],
    ['send=8,-1=8', /TI026 --datatype "send=8": no send of the trace has a derived datatype/],
    ['bcats=8', /TI026 --datatype "bcats=8": expected -1=BYTES, CALL=BYTES with one of send, .*bcast/],
    ['-1=1.5', /TI026 --datatype "-1=1.5": expected/],
    ['e.ti:2=8', /e\.ti:6:13: TI026 type "-1" is not a datatype.*FILE:LINE=BYTES/],
  ])('the entries %s are refused', (entries, message) =>
    expect(() => predict(path, { machine, derivedTypeBytes: entries })).toThrow(message),
  );
});

test('a listing is read wherever it and its folder lie, as recorded by smpirun -trace-file run/t.list', () => {
  for (const folder of ['home/run', 'moved']) {
    mkdirSync(join(dir, folder, 't.list_files'), { recursive: true });
    for (const r of [0, 1])
      write(join(folder, 't.list_files', `${r}.txt`), [`${r} init`, `${r} barrier`, `${r} finalize`]);
    const listing = write(join(folder, 't.list'), ['run/t.list_files/0.txt', '/elsewhere/run/t.list_files/1.txt']);
    const trace = readTiTrace(listing, { encode: () => 0 });
    expect(trace.files).toEqual([0, 1].map((r) => join(dir, folder, 't.list_files', `${r}.txt`)));
    trace.close();
  }
  const missing = write('missing.list', ['../x/t.list_files/0.txt', 'nowhere/1.txt']);
  expect(() => readTiTrace(missing, { encode: () => 0 })).toThrow(/TI006.*does not exist|TI006.*neither/);
});

test('collectives that differ: the usual reason is named', () => {
  const split = write(
    'split.ti',
    [0, 1, 2, 3].flatMap((r) => [`${r} init`, r < 2 ? `${r} allreduce 1 0 6` : `${r} bcast 100 0 6`, `${r} finalize`]),
  );
  expect(() => readTiTrace(split, { encode: () => 0 })).toThrow(
    /TI031.*MPI_Comm_split.*does not record communicators.*model/,
  );
  const fewer = write('fewer.ti', [
    '0 init',
    '0 barrier',
    '0 barrier',
    '0 finalize',
    '1 init',
    '1 barrier',
    '1 finalize',
  ]);
  expect(() => readTiTrace(fewer, { encode: () => 0 })).toThrow(/TI032.*does not record communicators/);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { predict } from '../../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../../src/commands/predict/prediction.ts';
import { checkRun } from '../../../../src/commands/profile/check-run.ts';
import { profileRun } from '../../../../src/commands/profile/profile.ts';
import { profile } from '../../../../src/commands/profile/profile-program.ts';
import { spmd } from '../../../../src/models.ts';
import type { LogGops } from '../../../../src/trace/goal/schedule.ts';
import { effort } from '../../../effort.ts';
import { parameters, programs, traceText } from '../loggops-programs.ts';

/** Run records and Chrome traces of programs under LogGOPS have the states and times of the prediction. */
const dir = mkdtempSync(join(tmpdir(), 'foretoken-loggops-record-'));
afterAll(() => rmSync(dir, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const machine = file(
  'linked.yaml',
  'nodes: 8\ncoresPerNode: 1\nspeed: 1Gf\nlink: { latency: 1us, bandwidth: 1GB/s }\neagerBelow: 64KiB\n',
);
const optionOf = (values: LogGops): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

type Row = Readonly<Record<string, unknown>>;
const run = join(dir, 'run.jsonl');
const chrome = join(dir, 'run.trace.json');
const rows = (): Row[] =>
  readFileSync(run, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Row);

/** Nanoseconds of each state, by rank. */
function timesOf(all: readonly Row[], ranks: number): Record<string, number>[] {
  return Array.from({ length: ranks }, (_, rank) => {
    const sum: Record<string, number> = { computing: 0, communicating: 0, waiting: 0, idle: 0 };
    for (const { table, process, state, start, end } of all)
      if (table === 'states' && process === rank) sum[state as string]! += (end as number) - (start as number);
    return Object.fromEntries(Object.entries(sum).map(([name, seconds]) => [name, Math.round(seconds * 1e9)]));
  });
}
const figuresOf = ({ ranks }: PredictionDocument) =>
  ranks.map(({ computing, communicating, waiting, idle }) =>
    Object.fromEntries(
      Object.entries({ computing, communicating, waiting, idle }).map(([name, s]) => [name, Math.round(s! * 1e9)]),
    ),
  );

test('the states of every rank add up to its figures, in records and in Chrome traces; every message is there once', () => {
  fc.assert(
    fc.property(programs, parameters, (all, values) => {
      const path = file('random.ti', traceText(all));
      const options = { machine, loggops: optionOf(values) };
      const alone = predict(path, options);
      fc.pre(alone.deadlock.length === 0);
      const document = predict(path, { ...options, run, trace: chrome });
      expect({ ...document, options: {} }).toEqual({ ...alone, options: {} });
      const written = rows();
      expect(timesOf(written, all.length)).toEqual(figuresOf(document));
      expect(checkRun(run).complete).toBe(true);
      const events = (JSON.parse(readFileSync(chrome, 'utf8')) as { traceEvents: Row[] }).traceEvents;
      const slices = events.filter(({ ph }) => ph === 'X');
      // A duration of a Chrome trace may be rounded down by a nanosecond.
      for (const [rank, figures] of figuresOf(document).entries())
        for (const [state, expected] of Object.entries(figures)) {
          const own = slices.filter(({ tid, cat }) => tid === rank + 1 && cat === state);
          const found = own.reduce((sum, { dur }) => sum + (dur as number) * 1e3, 0);
          expect(Math.abs(found - expected)).toBeLessThan(own.length + 0.5);
        }
      const messages = written.filter(({ table }) => table === 'messages');
      expect(events.filter(({ ph }) => ph === 's')).toHaveLength(messages.length);
      // Messages take at least o + L and the overhead of the receiver.
      for (const { sent, received, bytes } of messages) {
        const least = 2 * values.o + values.L + ((bytes as number) - 1) * Math.max(values.O, values.G);
        expect(((received as number) - (sent as number)) * 1e9).toBeGreaterThan(least - 0.5);
      }
    }),
    { numRuns: effort(150) },
  );
});

const pair = file(
  'pair.ti',
  '0 init\n0 compute 2000\n0 send 1 0 1000\n0 finalize\n1 init\n1 recv 0 0 1000\n1 compute 500\n1 finalize\n',
);
const loggops = 'L=100,o=10,g=0,G=1,O=0';

test('one message, by hand', () => {
  predict(pair, { machine, loggops, run });
  const ns = (seconds: unknown): number => Math.round((seconds as number) * 1e9);
  const states = rows().flatMap(({ table, process, state, start, end, call }) =>
    table === 'states' ? [[process, state, ns(start), ns(end), call ?? '']] : [],
  );
  // The message comes o + L = 110 ns after its start, and takes o + 999 G of the receiver.
  expect(states.sort((a, b) => Number(a[0]) - Number(b[0]) || Number(a[2]) - Number(b[2]))).toEqual([
    [0, 'computing', 0, 2000, ''],
    [0, 'communicating', 2000, 2010, 'MPI_Send'],
    [0, 'idle', 2010, 3619, ''],
    [1, 'waiting', 0, 2110, 'MPI_Recv'],
    [1, 'communicating', 2110, 3119, 'MPI_Recv'],
    [1, 'computing', 3119, 3619, ''],
  ]);
});

test('a profile of a trace or a model on a machine of LogGOPS is that of its record', () => {
  const own = file(
    'loggops.yaml',
    'nodes: 8\ncoresPerNode: 1\nspeed: 1Gf\nnetwork: { kind: loggops, L: 100ns, o: 10ns, g: 0ns, G: 1ns, O: 0ns, S: 65535B }\n',
  );
  predict(pair, { machine: own, run });
  const { figures } = profileRun(run);
  expect(profile(pair, { machine: own }).figures).toEqual(figures);
  const model = spmd({
    name: 'pair',
    build(m) {
      m.when(
        (s) => s.rank === 0,
        () => {
          m.compute({ flops: 2000 });
          m.send({ to: 1, bytes: 1000 });
        },
        () => {
          m.recv({ from: 0 });
          m.compute({ flops: 500 });
        },
      );
    },
  });
  expect(profile(model, { machine: own, ranks: 2 }).figures).toEqual(figures);
});

test('ranks that wait forever do so to the end of the record', () => {
  const stuck = file('stuck.ti', '0 init\n0 compute 2000\n0 finalize\n1 init\n1 recv 0 0 1000\n1 finalize\n');
  const { deadlock } = predict(stuck, { machine, loggops, run });
  expect(deadlock.map(({ rank }) => rank)).toEqual([1]);
  expect(timesOf(rows(), 2)).toEqual([
    { computing: 2000, communicating: 0, waiting: 0, idle: 0 },
    { computing: 0, communicating: 0, waiting: 2000, idle: 0 },
  ]);
  expect(profileRun(run).complete).toBe(false);
});

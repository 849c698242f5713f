import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../../src/commands/predict/prediction.ts';
import { checkRun } from '../../../../src/commands/profile/check-run.ts';
import { profileRun } from '../../../../src/commands/profile/profile.ts';
import { effort } from '../../../effort.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-jobs-'));
afterAll(() => rmSync(dir, { recursive: true }));
const written = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
/** A trace from the lines of each rank, with init and finalize. */
const trace = (name: string, ...ranks: readonly (readonly string[])[]): string =>
  written(
    `${name}.ti`,
    ranks.flatMap((own, r) => ['init', ...own, 'finalize'].map((line) => `${r} ${line}\n`)).join(''),
  );
const platform = (name: string, body: string): string =>
  written(`${name}.xml`, `<?xml version="1.0"?>\n<platform version="4.1">\n${body}\n</platform>\n`);

const pairs = platform(
  'pairs',
  `<zone id="w" routing="Full">
<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><host id="c" speed="1Gf"/><host id="d" speed="1Gf"/>
<link id="l" bandwidth="100MBps" latency="20us"/><link id="m" bandwidth="100MBps" latency="20us"/>
<route src="a" dst="b"><link_ctn id="l"/></route><route src="c" dst="d"><link_ctn id="l"/></route>
${['a c', 'a d', 'b c', 'b d']
  .map((p) => p.split(' '))
  .map(([s, d]) => `<route src="${s}" dst="${d}"><link_ctn id="m"/></route>`)
  .join('')}
</zone>`,
);
const exchange = (name: string, there: number, back: number): string =>
  trace(
    name,
    ['compute 2e6', `send 1 5 ${there}`, `recv 1 6 ${back}`, 'allreduce 100000 0', 'bcast 200000 0'],
    ['compute 1e6', `recv 0 5 ${there}`, `send 0 6 ${back}`, 'allreduce 100000 0', 'bcast 200000 0'],
  );
const A = exchange('A', 4_000_000, 70_000);
const B = exchange('B', 1_500_000, 900_000);
const D = trace(
  'D',
  ['compute 3e6', 'isend 2 1 300000', 'waitall', 'alltoall 50000 50000', 'barrier'],
  ['compute 4e6', 'isend 2 1 200000', 'waitall', 'alltoall 50000 50000', 'barrier'],
  ['compute 5e6', 'irecv 0 1 300000', 'irecv 1 1 200000', 'waitall', 'alltoall 50000 50000', 'barrier'],
);
const ends = ({ ranks }: PredictionDocument): (number | null)[] => ranks.map(({ endTime }) => endTime);
const near = (found: readonly (number | null)[], expected: readonly number[]): void => {
  expect(found).toHaveLength(expected.length);
  for (const [k, value] of expected.entries()) expect(found[k], `rank ${k}`).toBeCloseTo(value, 8);
};

// SimGrid 3.32, each job an instance of `SMPI_app_instance_register` whose actors sleep until the start and then call
// `smpi_replay_run`; --cfg=network/model:SMPI.
describe('jobs on a shared link end when they do in SimGrid', () => {
  test.each([
    [0, [0.084313682, 0.084313682, 0.065673189, 0.065673189]],
    [0.01, [0.084313682, 0.084313682, 0.075673189, 0.075673189]],
    [1, [0.053059267, 0.053059267, 1.034418774, 1.034418774]],
  ])('start of B at %d s', (start, expected) => {
    const found = predict(A, { machine: pairs, otherPrograms: [B], start: { B: start } });
    near(ends(found), expected);
    expect(found.jobs).toMatchObject([
      { name: 'A', start: 0, end: found.ranks[0]!.endTime, firstRank: 0, ranks: 2 },
      { name: 'B', start, end: found.ranks[2]!.endTime, firstRank: 2, ranks: 2 },
    ]);
    expect(found.jobs![1]!.runTime).toBeCloseTo(expected[2]! - start, 8);
    expect(found.figures.runTime.value).toBe(Math.max(...ends(found).map(Number)));
  });

  test('three jobs share hosts, too', () => {
    const jobHostfiles = {
      D: written('d.txt', 'b\na\nd\n'),
      B: written('b.txt', 'a\nb\n'),
      A: written('a.txt', 'a\nb\n'),
    };
    const found = predict(A, { machine: pairs, otherPrograms: [B, D], start: { B: 0.001, D: 0.0005 }, jobHostfiles });
    near(ends(found), [0.088569164, 0.088569164, 0.071428671, 0.071428671, 0.014435035, 0.014475949, 0.014475535]);
  });
});

const NETWORK = platform(
  'flat',
  '<cluster id="c" prefix="n" suffix="" radical="0-11" speed="1Gf" bw="1.25GBps" lat="10us" sharing_policy="SPLITDUPLEX"/>',
);

/** The lines of each rank of a random program without deadlocks: messages in one order of all ranks. */
const program = fc
  .tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.array(
      fc.record({
        from: fc.nat(3),
        to: fc.nat(3),
        bytes: fc.constantFrom(0, 100, 70_000, 2_000_000),
        how: fc.constantFrom('blocking', 'waitall', 'wait', 'any'),
        flops: fc.constantFrom(0, 1e5, 3e6),
      }),
      { maxLength: 12 },
    ),
  )
  .map(([ranks, steps]) => {
    const lines: string[][] = Array.from({ length: ranks }, () => []);
    for (const [k, { from, to, bytes, how, flops }] of steps.entries()) {
      const [s, r] = [from % ranks, to % ranks];
      lines[s]!.push(`compute ${flops}`);
      if (s === r) continue;
      const source = how === 'any' ? -555 : s;
      lines[s]!.push(...(how === 'waitall' ? [`isend ${r} ${k} ${bytes}`, 'waitall'] : [`send ${r} ${k} ${bytes}`]));
      if (how === 'blocking' || how === 'any') lines[r]!.push(`recv ${source} ${k} ${bytes}`);
      else lines[r]!.push(`irecv ${s} ${k} ${bytes}`, how === 'wait' ? `wait ${s} ${r} ${k}` : 'waitall');
    }
    return lines;
  });
/** Ranks in lines of point-to-point operations, shifted. */
const shifted = (line: string, by: number): string => {
  const [name = '', ...words] = line.split(' ');
  const peers = name === 'wait' ? 2 : /send|recv/.test(name) ? 1 : 0;
  return [name, ...words.map((word, k) => (k < peers && word !== '-555' ? String(Number(word) + by) : word))].join(' ');
};

test('jobs without shared links each take the time that they take alone', () => {
  fc.assert(
    fc.property(fc.array(program, { minLength: 2, maxLength: 3 }), fc.nat(50), (programs, start) => {
      const [first, ...others] = programs.map((lines, k) => trace(`alone${k}`, ...lines));
      const found = predict(first!, { machine: NETWORK, otherPrograms: others, start: { alone1: start / 1e3 } });
      const late = programs.flatMap((lines, k) => lines.map(() => (k === 1 ? start / 1e3 : 0)));
      const alone = [first!, ...others].flatMap((path) => ends(predict(path, { machine: NETWORK })));
      near(
        ends(found),
        alone.map((end, k) => end! + late[k]!),
      );
      expect(found.ranks.map(({ host }) => host)).toHaveLength(new Set(found.ranks.map(({ host }) => host)).size);
    }),
    { numRuns: effort(25) },
  );
});

test('jobs that share hosts and links equal one trace with the ranks of all', () => {
  fc.assert(
    fc.property(
      fc.array(program, { minLength: 2, maxLength: 3 }),
      fc.nat(50),
      fc.infiniteStream(fc.nat(3)),
      (programs, start, hosts) => {
        const paths = programs.map((lines, k) => trace(`part${k}`, ...lines));
        let first = 0;
        const lines = programs.flatMap((own, k) => {
          const all = own.map((one) => [
            ...(k === 1 && start > 0 ? [`sleep ${start / 1e4}`] : []),
            ...one.map((line) => shifted(line, first)),
          ]);
          first += own.length;
          return all;
        });
        const hostfile = written('all.txt', [...hosts.take(lines.length)].map((h) => `n${h}\n`).join(''));
        const together = predict(trace('together', ...lines), { machine: NETWORK, hostfile });
        const found = predict(paths[0]!, {
          machine: NETWORK,
          hostfile,
          otherPrograms: paths.slice(1),
          start: { part1: start / 1e4 },
        });
        const figures = ({ job: _, ...rank }: PredictionDocument['ranks'][number]) => rank;
        expect(found.ranks.map(figures)).toEqual(together.ranks);
        expect(found.resources).toEqual(together.resources);
      },
    ),
    { numRuns: effort(25) },
  );
});

type Row = Readonly<Record<string, unknown>>;
/** The rows of the record of a run, without those of hosts and links. */
function recorded(path: string, options: Parameters<typeof predict>[1]): Row[] {
  const run = join(dir, 'run.jsonl');
  predict(path, { ...options, run } as object);
  const [, ...rows] = readFileSync(run, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  expect(checkRun(run).complete).toBe(true);
  return rows.filter(({ table }) => ['states', 'messages', 'calls', 'collectives'].includes(table as string));
}

const RANKS = ['process', 'source', 'destination', 'peer', 'matchedPeer'];
const TIMES = ['start', 'end', 'sent', 'received'];
/** Rows of a job that is alone, as those of one among others. */
const amongOthers = (
  rows: readonly Row[],
  first: number,
  late: number,
  communicator: number,
  interval: string,
): Row[] =>
  rows.map((row) => ({
    ...Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        if (name === 'communicator') return [name, communicator];
        if (RANKS.includes(name)) return [name, (value as number) + first];
        return [name, TIMES.includes(name) ? (value as number) + late : value];
      }),
    ),
    ...(row['table'] === 'states' && row['state'] !== 'idle' ? { interval } : {}),
  }));
/** Rows in an order that does not depend on the job, with rounded times; executions of collectives are numbered over all jobs. */
const sorted = (rows: readonly Row[]): string[] =>
  rows
    .map(({ execution: _, kind: __, ...row }) =>
      JSON.stringify(
        Object.fromEntries(
          Object.entries(row)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, value]) => [name, typeof value === 'number' ? Number(value.toFixed(9)) : value]),
        ),
      ),
    )
    .sort();

test('the record of jobs without shared links has the rows of each job alone, in an interval of its name', () => {
  const collective = ['allreduce 30000 0', 'bcast 5000 0', 'barrier'];
  fc.assert(
    fc.property(fc.array(program, { minLength: 2, maxLength: 3 }), fc.nat(50), (programs, start) => {
      const paths = programs.map((lines, k) => trace(`rec${k}`, ...lines.map((own) => [...own, ...collective])));
      const late = (k: number): number => (k === 1 ? start / 1e3 : 0);
      const together = recorded(paths[0]!, {
        machine: NETWORK,
        otherPrograms: paths.slice(1),
        start: { rec1: late(1) },
      });
      let first = 0;
      const alone = programs.flatMap((lines, k) => {
        const rows = amongOthers(recorded(paths[k]!, { machine: NETWORK }), first, late(k), k, `rec${k}`);
        first += lines.length;
        return rows;
      });
      // A job that is not there yet, or has ended before the others, is idle.
      const busy = (rows: readonly Row[]): readonly Row[] => rows.filter(({ state }) => state !== 'idle');
      expect(sorted(busy(together))).toEqual(sorted(busy(alone)));
    }),
    { numRuns: effort(15) },
  );
});

test('a profile of a record of jobs has the times of each job', () => {
  const run = join(dir, 'both.ftrun');
  const { jobs } = predict(A, { machine: pairs, otherPrograms: [B], start: { B: 0.01 }, run });
  const { intervals, program } = profileRun(run);
  expect(program).toBe('A + B');
  expect(jobs!.map(({ name, runTime }) => [name, runTime])).toEqual(
    ['A', 'B'].map((name) => [
      name,
      expect.closeTo(intervals.find((one) => one.name === name)!.figures.executionTime.value, 12),
    ]),
  );
});

describe('placement', () => {
  const machine = written(
    'm.yaml',
    'nodes: 4\ncoresPerNode: 2\nspeed: 1Gf\nlink: { latency: 1us, bandwidth: 1GB/s }\neagerBelow: 64KiB\n',
  );
  const ofRanks = (name: string, ranks: number): string =>
    trace(name, ...Array.from({ length: ranks }, () => ['compute 1e9']));
  const hosts = (ranks: readonly number[], options: object = {}): string => {
    const [first, ...others] = ranks.map((count, k) => ofRanks(`j${k}`, count));
    const found = predict(first!, { machine, otherPrograms: others, ...options });
    return ranks
      .map((_, k) =>
        found.ranks
          .filter(({ job }) => job === `j${k}`)
          .map(({ host }) => host.at(-1))
          .join(''),
      )
      .join(' ');
  };

  test.each([
    ['free hosts first', [3, 3], {}, '001 223'],
    ['cyclic on the free hosts', [3, 2], { placement: 'cyclic' }, '012 33'],
    ['free cores if no hosts are left', [3, 3, 2], {}, '001 223 13'],
    ['all cores with --oversubscribe', [7, 2], { oversubscribe: true }, '0011223 00'],
    ['a hostfile of all ranks', [1, 2], { hostfile: written('all3.txt', 'node3\nnode1\nnode1\n') }, '3 11'],
    ['a hostfile of one job', [2, 2], { jobHostfiles: { j1: written('j1.txt', 'node0:2\n') } }, '11 00'],
  ])('rule: %s', (_, ranks, options, expected) => expect(hosts(ranks, options)).toBe(expected));

  test('more ranks than cores of all jobs are refused', () => {
    expect(() => hosts([7, 2])).toThrow(/9 ranks, and machine .* has 8 cores/);
  });
});

describe('bad input', () => {
  const model = written('model.ts', 'export default 1;\n');
  test.each([
    ['an unknown job', { start: { b: 1 } }, /no job is named "b"\. Did you mean "B"\? Known: A, B\./],
    ['an unknown job of a hostfile', { jobHostfiles: { C: 'x' } }, /no job is named "C"/],
    ['a negative start', { start: { B: -1 } }, /start of job "B": expected seconds from 0 to 1000000000, got -1/],
    ['an infinite start', { start: { B: Infinity } }, /expected seconds from 0 to 1000000000, got Infinity/],
    ['no number', { start: { B: NaN } }, /got NaN/],
    ['starts that are no object', { start: 3 }, /start: expected an object, got 3/],
    [
      'a model among traces',
      { otherPrograms: [model] },
      /is a model: programs that run at once are traces, all of them/,
    ],
    ['a net among traces', { otherPrograms: ['x.pnml'] }, /is a net: programs that run at once are traces/],
    ['a number of ranks', { ranks: 2 }, /option ranks belongs to a single trace/],
    ['two placements', { hostfile: 'h', jobHostfiles: { B: 'g' } }, /two placements/],
    ['a missing file', { otherPrograms: [join(dir, 'none.ti')] }, /none\.ti/],
  ])('rejected: %s', (_, options, message) => {
    const given = { machine: pairs, otherPrograms: [B], ...options } as object;
    expect(() => predict(A, given)).toThrow(message);
  });

  test('the same file twice has two names', () => {
    const found = predict(A, { machine: pairs, otherPrograms: [A, A], start: { 'A#3': 2 }, oversubscribe: true });
    expect(found.jobs!.map(({ name, start }) => `${name} ${start}`)).toEqual(['A 0', 'A#2 0', 'A#3 2']);
  });

  test('a deadlock of one job names job and ranks; the other one ends', () => {
    const stuck = trace('stuck', ['recv 1 0 8'], ['recv 0 0 8']);
    const found = predict(A, { machine: pairs, otherPrograms: [stuck] });
    expect(found.jobs).toMatchObject([
      { name: 'A', end: 0.053059267376894086 },
      { name: 'stuck', end: null, runTime: null },
    ]);
    expect(found.deadlock.map(({ rank, job, waitsFor }) => ({ rank, job, waitsFor }))).toEqual([
      { rank: 2, job: 'stuck', waitsFor: [3] },
      { rank: 3, job: 'stuck', waitsFor: [2] },
    ]);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { PredictOptions } from '../../../src/commands/predict/options.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { profileRun } from '../../../src/commands/profile/profile.ts';
import type { ProfileDocument } from '../../../src/commands/profile/profile-document.ts';
import { profile } from '../../../src/commands/profile/profile-program.ts';
import { predictedFacts } from '../../../src/commands/view/summary/runs.ts';
import type { ProgramModel } from '../../../src/models/program/model-object.ts';
import { cluster, spmd } from '../../../src/models.ts';
import { faultsOf } from '../../cli/schemas.ts';
import { warmly } from '../../cli/warm.ts';
import { effort } from '../../effort.ts';
import { arbitrary, modelOf } from '../../models/program/random-model.ts';
import { machine } from '../../models/program/run.ts';
import { arbitraryProgram, text } from '../../models/random-trace.ts';

const folder = mkdtempSync(join(tmpdir(), 'profile-simulated-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);

/** What does not depend on the form of the record. */
const figuresOf = (document: ProfileDocument) => {
  const { figures, spread, processes, intervals, operations, calls, messages, waits, findings, nodes } = document;
  return { figures, spread, processes, intervals, operations, calls, messages, waits, findings, nodes };
};

type Intervals = ProfileDocument['intervals'];
const withoutPlace = ({ file: _, line: __, ...interval }: Intervals[number]): Intervals[number] => ({
  ...interval,
  children: interval.children.map(withoutPlace),
});

function sameInAllForms(input: string | ProgramModel, options: PredictOptions): void {
  const direct = figuresOf(profile(input, options));
  for (const ending of ['.ftrun', '.jsonl', '.csv']) {
    predict(input, { ...options, run: file(`a${ending}`) });
    const messages = ending === '.csv' ? { messages: file('a.messages.csv') } : {};
    // CSV has no place for the source of intervals.
    const expected = ending === '.csv' ? { ...direct, intervals: direct.intervals.map(withoutPlace) } : direct;
    expect(figuresOf(profileRun(file(`a${ending}`), messages))).toEqual(expected);
  }
}

describe('a simulated run, its .ftrun, its JSON lines and its CSV have identical figures', () => {
  test('random models', () => {
    fc.assert(
      fc.property(arbitrary, ({ ranks, parts }) => sameInAllForms(modelOf(parts), { machine, ranks })),
      { numRuns: effort(20) },
    );
  });

  test('nodes with several sockets', () => {
    const sockets = cluster({
      nodes: 2,
      socketsPerNode: 2,
      coresPerNode: 4,
      speed: '1Gf',
      link: { latency: '10us', bandwidth: '1GB/s' },
      eagerBelow: 4096,
    });
    const model = spmd({
      name: 'sockets',
      build(m) {
        m.compute({ seconds: (s) => s.rank + 1 });
        m.allreduce({ bytes: 8 });
      },
    });
    sameInAllForms(model, { machine: sockets, ranks: 8 });
    const { nodes } = profile(model, { machine: sockets, ranks: 8 });
    expect(nodes.map((node) => node.sockets.map(({ seconds }) => Math.round(seconds.computing)))).toEqual([
      [2, 4],
      [6, 8],
    ]);
  });

  test('random traces', () => {
    fc.assert(
      fc.property(arbitraryProgram, fc.constantFrom('simgrid-eager', 'simgrid-rendezvous'), (program, networkModel) => {
        writeFileSync(file('a.ti'), text(program));
        sameInAllForms(file('a.ti'), { machine, networkModel });
      }),
      { numRuns: effort(20) },
    );
  });
});

describe('foretoken profile', () => {
  const model = 'examples/imbalance/model.ts';
  const on = ['--machine', 'examples/imbalance/machine.yaml', '--ranks', '8'];

  test('profiles a model', async () => {
    const { code, stdout, stderr } = await warmly(['profile', model, ...on, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const document = JSON.parse(stdout) as ProfileDocument;
    expect(document).toMatchObject({ kind: 'profile', origin: 'simulated', complete: true, options: { ranks: 8 } });
    expect(Object.keys(document.inputs)).toEqual(expect.arrayContaining(['model', 'machine']));
  });

  test('profiles a trace', async () => {
    const trace = ['examples/stencil/stencil-8.ti', '--machine', 'examples/stencil/cluster.xml'];
    const { code, stdout, stderr } = await warmly(['profile', ...trace, '--level', '0']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Efficiency \d+ %/);
    expect(stdout).toContain('MPI_Waitall');
  });

  test('predict --run writes what profile reads', async () => {
    const written = await warmly(['predict', model, ...on, '--run', file('b.ftrun'), '--json']);
    expect({ code: written.code, stderr: written.stderr }).toEqual({ code: 0, stderr: '' });
    const read = await warmly(['profile', file('b.ftrun'), '--json']);
    const simulated = await warmly(['profile', model, ...on, '--json']);
    expect(figuresOf(JSON.parse(read.stdout))).toEqual(figuresOf(JSON.parse(simulated.stdout)));
  });

  test('a deadlock has exit code 1 and names its ranks', async () => {
    writeFileSync(file('deadlock.ti'), '0 init\n0 recv 1 0 8\n0 finalize\n1 init\n1 recv 0 0 8\n1 finalize\n');
    const { code, stderr } = await warmly(['profile', file('deadlock.ti'), '--machine', 'simgrid-backbone']);
    expect(code).toBe(1);
    expect(stderr).toContain('PROF005 rank 0 waits forever: recv 1 0 8');
  });

  test.each([
    [['profile', 'run.ftrun', '--machine', 'm.yaml'], 'PROF006 option machine does not apply to a run record'],
    [['profile', 'app.ti', '--messages', 'm.csv'], 'PROF006 option messages does not apply to a trace'],
    [['profile', 'net.json'], 'APP001 cannot be read'],
    [['profile', 'missing.ti', '--machine', 'simgrid-backbone'], 'TI001'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await warmly(args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

test('insufficient parallelism and loop iterations of intervals of a model', () => {
  const model = spmd({
    name: 'sections',
    build(m) {
      m.interval('all alike', { kind: 'sequential' }, () => m.compute({ seconds: 1 }));
      m.interval('two alike', { kind: 'parallel', copies: 2, iterations: 10 }, () => m.compute({ seconds: 1 }));
      m.interval('shared', { kind: 'parallel', iterations: (s) => s.rank }, () => m.compute({ seconds: 1 }));
    },
  });
  const { figures, intervals } = profile(model, { machine, ranks: 4 });
  expect(figures.insufficientParallelismSequential.value).toBeCloseTo(3, 12);
  expect(figures.insufficientParallelismParallel.value).toBeCloseTo(2, 12);
  expect(figures.productiveTime.value).toBeCloseTo(1 + 2 + 4, 12);
  expect(intervals.map((interval) => interval.figures.loopIterations.value)).toEqual([0, 40, 6]);
});

type Builder = Parameters<Parameters<typeof spmd>[0]['build']>[0];
const on = (m: Builder, rank: number, then: () => void): void => m.when((s) => s.rank === rank, then);

test.each<[string, (m: Builder) => void]>([
  [
    'Late Sender',
    (m) => {
      on(m, 1, () => {
        m.compute({ seconds: 1 });
        m.send({ to: 0, bytes: 8 });
      });
      on(m, 0, () => m.recv({ from: 1 }));
    },
  ],
  [
    'Late Sender/Wrong Order',
    (m) => {
      on(m, 1, () => {
        m.compute({ seconds: 1 });
        m.send({ to: 0, bytes: 8 });
      });
      on(m, 2, () => {
        m.compute({ seconds: 0.5 });
        m.send({ to: 0, bytes: 8 });
      });
      on(m, 0, () => {
        m.recv({ from: 1 });
        m.recv({ from: 2 });
      });
    },
  ],
  [
    'Late Receiver',
    (m) => {
      on(m, 1, () => m.send({ to: 0, bytes: 1e5 }));
      on(m, 0, () => {
        m.compute({ seconds: 1 });
        m.recv({ from: 1 });
      });
    },
  ],
  [
    'Wait at Barrier',
    (m) => {
      m.compute({ seconds: (s) => (s.rank === 0 ? 0 : 1) });
      m.barrier();
    },
  ],
  [
    'Wait at N×N',
    (m) => {
      m.compute({ seconds: (s) => (s.rank === 0 ? 0 : 1) });
      m.allreduce({ bytes: 8 });
    },
  ],
  [
    'Late Broadcast',
    (m) => {
      m.compute({ seconds: (s) => (s.rank === 0 ? 0 : 1) });
      m.bcast({ root: 1, bytes: 8 });
    },
  ],
  [
    'Early Reduce',
    (m) => {
      m.compute({ seconds: (s) => (s.rank === 0 ? 0 : 1) });
      m.reduce({ root: 0, bytes: 8 });
    },
  ],
])('of a simulated run in which a rank waits a second: %s', (state, build) => {
  const { waits } = profile(spmd({ name: 'waits', build }), { machine, ranks: 3 });
  const ofRank0 = waits.flatMap((wait) =>
    wait.processes.filter(({ process }) => process === 0).map(({ seconds }) => [wait.state, Math.round(seconds * 100)]),
  );
  expect(ofRank0.filter(([, hundredths]) => hundredths !== 0)).toEqual(state === 'Late Receiver' ? [] : [[state, 100]]);
  const ofRank1 = waits.find((wait) => wait.state === state)?.processes.find(({ process }) => process === 1);
  if (state === 'Late Receiver') expect(ofRank1?.seconds).toBeCloseTo(1, 2);
});

test.each(['model', 'trace'])('a sleep before the end of a rank is time before its end (%s)', (of) => {
  writeFileSync(file('sleep.ti'), '0 init\n0 compute 1e9\n0 sleep 2\n0 finalize\n1 init\n1 compute 5e9\n1 finalize\n');
  const model = spmd({
    name: 'sleep',
    build: (m) =>
      m.when(
        (s) => s.rank === 0,
        () => {
          m.compute({ flops: 1e9 });
          m.sleep(2);
        },
        () => m.compute({ flops: 5e9 }),
      ),
  });
  const input = of === 'model' ? model : file('sleep.ti');
  const { figures, spread } = profile(input, { machine, ranks: 2 });
  expect(figures.communication.value).toBeCloseTo(2, 12);
  expect(figures.idle.value).toBeCloseTo(2, 12);
  expect(spread.executionTime.min).toBeCloseTo(3, 12);
  sameInAllForms(input, { machine, ranks: 2 });
});

test('a record without rows has a profile, with a warning', async () => {
  writeFileSync(file('none.csv'), 'process,start,end,state\n');
  const { code, stdout, stderr } = await warmly(['profile', file('none.csv')]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Nothing to measure: no process spends time\n.*0 processes/);
  expect(stderr).toContain('PROF004 the record has no states');
});

test('figures that would be 0 / 0 are in no text', async () => {
  writeFileSync(file('none.csv'), 'process,start,end,state\n');
  // Spans of length 0: two processes, an interval, and no time.
  writeFileSync(file('instant.csv'), 'process,start,end,state,interval\n0,1,1,computing,i\n1,1,1,waiting,i\n');
  for (const name of ['none.csv', 'instant.csv']) {
    const { stdout } = await warmly(['profile', file(name), '--json']);
    expect(faultsOf(stdout)).toEqual([]);
    const { figures, findings } = JSON.parse(stdout) as ProfileDocument;
    expect([figures.totalTime.value, figures.efficiency.value]).toEqual([0, 1]);
    expect(findings).toMatchObject([{ answer: 'There is nothing to measure: no process spends time.' }]);
    for (const text of [
      (await warmly(['profile', file(name)])).stdout,
      (await warmly(['view', file(name), '--text'])).stdout,
    ])
      expect(text).not.toMatch(/\d %|Efficiency|NaN|undefined/);
    expect((await warmly(['compare', file(name), file(name)])).stdout).not.toMatch(/efficiency \d|NaN|undefined/);
  }
});

test('the first screen of a run that computes nothing has no parallelism or balance of 0 / 0', async () => {
  const terms = (build: Parameters<typeof spmd>[0]['build']): string[] =>
    predictedFacts(predict(spmd({ name: 'p', build }), { machine, ranks: 2 }), true).map(({ term }) => term);
  expect(terms(() => undefined)).toEqual(['Run time']);
  expect(terms((m) => m.barrier())).toEqual(['Run time', 'Degree of parallelism, mean and maximum']);
  expect(terms((m) => m.compute({ seconds: 1 }))).toEqual([
    'Run time',
    'Degree of parallelism, mean and maximum',
    'Load balance',
  ]);
});

test('a program that does nothing has a profile', () => {
  const document = profile(spmd({ name: 'empty', build: () => undefined }), { machine, ranks: 3 });
  expect(document.figures.executionTime.value).toBe(0);
  expect(document.figures.efficiency.value).toBe(1);
});

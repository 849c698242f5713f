import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import type { PredictOptions } from '../../../src/commands/predict/options.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { ProgramModel } from '../../../src/models/program/model-object.ts';
import { counter, noise, spmd } from '../../../src/models.ts';
import { readRun } from '../../../src/trace/run/read-run.ts';
import type { TableName } from '../../../src/trace/run/run-schema.ts';
import { machine } from '../../models/program/run.ts';
import { Collector, type PlainRow } from '../../trace/run/recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-record-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);

/** Rows of the record of a prediction, without the columns that are not named. */
function rows(
  input: string | ProgramModel,
  options: PredictOptions,
  table: TableName,
  columns: readonly string[],
): (string | number | undefined)[][] {
  return recorded(input, options)
    .rows.filter((row) => row.table === table)
    .map((row) => columns.map((name) => (row as Record<string, string | number>)[name]));
}

function recorded(input: string | ProgramModel, options: PredictOptions): Collector & { rows: PlainRow[] } {
  const collector = new Collector();
  predict(input, { machine, ...options, record: collector });
  return collector;
}

/** Process 0 computes 1 ms and sends; 1000 B take 11 µs and wait for their receive, 500 B do not. */
const pair = (bytes: number) =>
  spmd({
    name: 'pair',
    build: (m) =>
      m.when(
        (s) => s.rank === 0,
        () => {
          m.compute({ seconds: 1e-3 });
          m.send({ to: 1, bytes, tag: 5 });
        },
        () => m.recv({ from: 0, tag: 5 }),
      ),
  });

describe('the record of a model', () => {
  test.each([
    ['rendezvous', 10_000, 20e-6],
    ['eager', 500, 10.5e-6],
  ])('%s: states, message and calls of a late sender', (_, bytes, transfer) => {
    const states = rows(pair(bytes), { ranks: 2 }, 'states', [
      'process',
      'start',
      'end',
      'state',
      'call',
      'bytes',
      'peer',
    ]);
    const arrival = 1e-3 + transfer;
    const of = (process: number) => states.filter((row) => row[0] === process).map((row) => row.slice(1));
    const near = (time: number) => expect.closeTo(time, 12);
    expect(of(1)[0]).toEqual([0, 1e-3, 'waiting', 'MPI_Recv', bytes, 0]);
    expect(of(0)[0]).toEqual([0, 1e-3, 'computing', undefined, undefined, undefined]);
    expect(of(0)[1]!.slice(3)).toEqual(['MPI_Send', bytes, 1]);
    expect(
      rows(pair(bytes), { ranks: 2 }, 'messages', [
        'source',
        'destination',
        'sent',
        'received',
        'bytes',
        'tag',
        'call',
      ]),
    ).toEqual([[0, 1, 1e-3, near(arrival), bytes, 5, 'MPI_Send']]);
    expect(
      rows(pair(bytes), { ranks: 2 }, 'calls', ['process', 'call', 'peer', 'tag', 'matchedPeer', 'matchedTag']),
    ).toEqual(expect.arrayContaining([[1, 'MPI_Recv', 0, 5, 0, 5]]));
  });
});

describe('a call that completes several messages is one call with the bytes of all', () => {
  /** Calls of process 1: name, number of calls, bytes received or sent, sender of the last message. */
  const callsOf = (input: string | ProgramModel, options: PredictOptions = { ranks: 2 }): unknown[] => {
    const all = recorded(input, options).rows;
    const of = all.filter((row) => row.table === 'calls' && row['process'] === 1);
    return of.map((call) => {
      const states = all.filter((row) => row.table === 'states' && row['process'] === 1);
      const own = states.filter((row) => row['sequence'] === call['sequence']);
      return [call['call'], Math.max(0, ...own.map((row) => Number(row['bytes'] ?? 0))), call['matchedPeer']];
    });
  };
  type Builder = Parameters<Parameters<typeof spmd>[0]['build']>[0];
  /** Rank 0 sends 10, 200 and 3000 bytes, 1 ms apart; rank 1 receives them. */
  const received = (wait: (m: Builder, requests: ReturnType<Builder['irecv']>[]) => void): ProgramModel =>
    spmd({
      name: 'several',
      vars: { done: counter() },
      build: (m) =>
        m.when(
          (s) => s.rank === 0,
          () => {
            for (const bytes of [10, 200, 3000]) {
              m.compute({ seconds: 1e-3 });
              m.send({ to: 1, bytes });
            }
          },
          () =>
            wait(
              m as never,
              [1, 2, 3].map(() => m.irecv({ from: 0 })),
            ),
        ),
    });
  const posted = ['MPI_Irecv', 0, undefined];

  test('waitAll', () => {
    const model = received((m, requests) => m.waitAll(requests));
    expect(callsOf(model)).toEqual([posted, posted, posted, ['MPI_Waitall', 3210, 0]]);
  });

  test('waitAny and wait', () => {
    const model = received((m, [a, b, c]) => {
      m.waitAny([a!, b!]);
      m.waitAll([a!, b!]);
      m.wait(c!);
    });
    expect(callsOf(model).slice(3)).toEqual([
      ['MPI_Waitany', 10, 0],
      ['MPI_Waitall', 200, 0],
      ['MPI_Wait', 3000, 0],
    ]);
  });

  test('waitSome', () => {
    const model = received((m, requests) => {
      m.compute({ seconds: 2.5e-3 });
      m.waitSome(requests);
      m.waitAll(requests);
    });
    expect(callsOf(model).slice(3)).toEqual([
      ['MPI_Waitsome', 210, 0],
      ['MPI_Waitall', 3000, 0],
    ]);
  });

  test('sendrecv counts the bytes that it sends', () => {
    const model = spmd({
      name: 'exchange',
      build: (m) => m.sendrecv({ to: (s) => 1 - s.rank, from: (s) => 1 - s.rank, bytes: (s) => 100 + s.rank }),
    });
    expect(callsOf(model)).toEqual([['MPI_Sendrecv', 101, 0]]);
    expect(rows(model, { ranks: 2 }, 'messages', ['call'])).toEqual([['MPI_Sendrecv'], ['MPI_Sendrecv']]);
  });

  test('persistent requests', () => {
    const model = spmd({
      name: 'persistent',
      build(m) {
        const requests = [
          m.sendInit({ to: (s) => 1 - s.rank, bytes: 100 }),
          m.recvInit({ from: (s) => 1 - s.rank }),
        ] as const;
        m.loop('i', 2, () => {
          m.start(...requests);
          m.waitAll([...requests]);
        });
      },
      vars: { i: counter() },
    });
    const turn = [
      ['MPI_Startall', 100, undefined],
      ['MPI_Waitall', 100, 0],
    ];
    expect(callsOf(model)).toEqual([...turn, ...turn]);
  });

  test('waitall in a trace', () => {
    const trace = file('waitall.ti');
    writeFileSync(
      trace,
      [
        ...['0 init', '1 init', '0 compute 1e6', '0 send 1 7 10 6', '0 send 1 8 20 6', '0 finalize'],
        ...['1 irecv 0 7 10 6', '1 irecv 0 8 20 6', '1 waitall 2', '1 finalize', ''],
      ].join('\n'),
    );
    const calls = callsOf(trace, {});
    expect(calls.filter((call) => !/Init|Finalize/.test(String((call as unknown[])[0])))).toEqual([
      posted,
      posted,
      ['MPI_Waitall', 30, 0],
    ]);
  });
});

test('an asynchronous collective has a start and a wait, and an overlap between them', () => {
  const model = spmd({
    name: 'overlap',
    build(m) {
      const request = m.iallreduce({ bytes: 8 });
      m.compute({ seconds: 1e-3 });
      m.wait(request);
    },
  });
  const columns = ['process', 'start', 'end', 'call', 'collective', 'execution', 'phase'];
  const parts = rows(model, { ranks: 2 }, 'states', columns).filter((row) => row[4] !== undefined);
  expect(parts.filter((row) => row[0] === 0)).toEqual([
    [0, 0, 0, 'MPI_Iallreduce', 'allreduce', 1, 'start'],
    [0, 1e-3, 1e-3, 'MPI_Wait', 'allreduce', 1, 'wait'],
  ]);
  expect(rows(model, { ranks: 2 }, 'overlaps', ['process', 'operation', 'execution', 'start', 'end'])).toEqual([
    [0, 'allreduce', 1, 0, 1e-3],
    [1, 'allreduce', 1, 0, 1e-3],
  ]);
  expect(rows(model, { ranks: 2 }, 'collectives', ['operation', 'execution', 'phase', 'processes'])).toEqual([
    ['allreduce', 1, 'start', 2],
    ['allreduce', 1, 'wait', 2],
  ]);
});

test('executions of collectives on parts of the ranks are distinct', () => {
  const model = spmd({
    name: 'rows',
    vars: { i: counter() },
    build(m) {
      const comm = m.split({ color: (s) => s.rank % 2 });
      m.loop('i', 2, () => m.barrier({ comm }));
    },
  });
  const found = rows(model, { ranks: 4 }, 'states', ['process', 'collective', 'execution']);
  const of = (process: number) => [...new Set(found.filter((row) => row[0] === process).map((row) => row[2]))];
  expect([of(0), of(2)]).toEqual([of(0), of(0)]);
  expect([of(1), of(3)]).toEqual([of(1), of(1)]);
  expect(new Set([...of(0), ...of(1)]).size).toBe(4);
});

test('intervals have their path, kind, expression and loop iterations', () => {
  const model = spmd({
    name: 'intervals',
    vars: { i: counter() },
    build(m) {
      m.interval('solve', () =>
        m.loop('i', 3, () =>
          m.interval('iteration', { expression: (s) => s.i % 2, kind: 'parallel', iterations: (s) => 10 * s.i }, () => {
            m.interval('inside', { kind: 'sequential' }, () => m.compute({ seconds: 1e-3 }));
          }),
        ),
      );
      m.interval('end', { kind: 'sequential' }, () => m.compute({ seconds: 1e-3 }));
    },
  });
  expect(rows(model, { ranks: 1 }, 'states', ['interval', 'kind', 'iterations'])).toEqual([
    ['solve#1/iteration[0]#1/inside#1', 'parallel', 0],
    ['solve#1/iteration[1]#2/inside#1', 'parallel', 10],
    ['solve#1/iteration[0]#3/inside#1', 'parallel', 20],
    ['end#1', 'sequential', undefined],
  ]);
  expect(rows(model, { ranks: 1 }, 'intervals', ['interval', 'start', 'end', 'kind'])).toHaveLength(8);
});

test('an interval may be a collective operation with a start and a wait', () => {
  const model = spmd({
    name: 'halo',
    build(m) {
      m.loop(2, () => {
        m.interval('begin', { operation: 'halo', phase: 'start' }, () =>
          m.when(
            (s) => s.rank === 0,
            () => m.sleep(1e-3),
          ),
        );
        m.compute({ seconds: 2e-3 });
        m.interval('end', { operation: 'halo', phase: 'wait' }, () => m.barrier());
      });
    },
  });
  const found = rows(model, { ranks: 2 }, 'states', ['process', 'start', 'end', 'collective', 'execution', 'phase']);
  const of = (process: number) =>
    found.filter((row) => row[0] === process && row[3] !== undefined).map((row) => row.slice(1));
  expect(of(1).slice(0, 3)).toEqual([
    [0, 0, 'halo', 1, 'start'],
    [0.002, 0.003, 'halo', 1, 'wait'],
    [0.003, expect.closeTo(0.00301, 12), 'halo', 1, 'wait'],
  ]);
  expect(of(0)[0]).toEqual([0, 0.001, 'halo', 1, 'start']);
  const overlaps = rows(model, { ranks: 2 }, 'overlaps', ['process', 'operation', 'execution', 'start', 'end']);
  expect(overlaps.slice(0, 1)).toEqual([[1, 'halo', 1, 0, 0.002]]);
  const collectives = rows(model, { ranks: 2 }, 'collectives', ['operation', 'execution', 'phase', 'processes']);
  expect(collectives.filter(([operation]) => operation === 'halo')).toEqual([
    ['halo', 1, 'start', 2],
    ['halo', 1, 'wait', 2],
    ['halo', 2, 'start', 2],
    ['halo', 2, 'wait', 2],
  ]);
});

test('attributes of intervals do not change the net', () => {
  const build = (options: object) =>
    spmd({
      name: 'same',
      vars: { i: counter() },
      build: (m) => m.loop('i', 3, () => m.interval('a', options, () => m.compute({ flops: (s) => 1e6 * (s.i + 1) }))),
    });
  const told = build({ kind: 'sequential', expression: (s: { readonly i: number }) => s.i, iterations: 5 });
  const { firings, figures } = predict(told, { machine, ranks: 2 });
  expect({ firings, figures }).toEqual(
    (({ firings, figures }) => ({ firings, figures }))(predict(build({}), { machine, ranks: 2 })),
  );
  expect(predict(told, { machine, ranks: 2, record: new Collector() }).figures).toEqual(figures);
});

test('an interval whose expression has no valid value is refused at its line', () => {
  const model = spmd({
    name: 'wrong',
    build: (m) => m.interval('a', { expression: (s) => s.rank / 2 }, () => m.compute({ seconds: 1 })),
  });
  expect(() => predict(model, { machine, ranks: 2, record: new Collector() })).toThrow(/expected an integer, got 0.5/);
});

describe('files', () => {
  test.each(['.ftrun', '.jsonl', '.csv'])('a run written as %s has its messages', (ending) => {
    predict('examples/stencil/stencil-8.ti', { machine: 'examples/stencil/cluster.xml', run: file(`a${ending}`) });
    const collector = new Collector();
    readRun(file(`a${ending}`), ending === '.csv' ? file('a.messages.csv') : undefined, 'test', collector);
    expect(collector.rows.filter(({ table }) => table === 'messages')).toHaveLength(383);
    expect(collector.head_?.nodes).toHaveLength(8);
  });

  test('a run that fails leaves nothing', () => {
    const before = readdirSync(folder);
    const model = spmd({ name: 'fails', build: (m) => m.loop(3, () => m.send({ to: (s) => s.rank + 1, bytes: 8 })) });
    expect(() => predict(model, { machine, ranks: 2, run: file('b.ftrun') })).toThrow(InputError);
    expect(readdirSync(folder)).toEqual(before);
  });

  test('a run that fails leaves an earlier record as it was', () => {
    predict(pair(8), { machine, ranks: 2, run: file('old.ftrun') });
    const before = readFileSync(file('old.ftrun'));
    const model = spmd({ name: 'fails', build: (m) => m.send({ to: (s) => s.rank + 1, bytes: 8 }) });
    expect(() => predict(model, { machine, ranks: 2, run: file('old.ftrun') })).toThrow(InputError);
    expect(readFileSync(file('old.ftrun'))).toEqual(before);
  });

  test('a file that cannot be written is refused', () => {
    const run = file('missing/a.ftrun');
    expect(() => predict(pair(8), { machine, ranks: 2, run })).toThrow(/cannot be written: ENOENT/);
  });

  test.each([
    ['a model', pair(10_000), { machine, ranks: 2 }],
    ['a trace', 'examples/stencil/stencil-8.ti', { machine: 'examples/stencil/cluster.xml' }],
  ])('of %s, with a Chrome trace: result and trace are the same as without', (_, input, options) => {
    const { inputs: _inputs, ...alone } = predict(input, { ...options, trace: file('a.json') });
    const both = predict(input, { ...options, trace: file('b.json'), run: file('b.ftrun') });
    expect(both).toMatchObject(alone);
    // Counters come at once, slices with the log of firings, whose blocks are others with a record.
    const lines = (name: string, isCounter: boolean): string[] =>
      readFileSync(file(name), 'utf8')
        .split(',\n')
        .map((line) => line.trimEnd())
        .filter((line) => line.includes('"ph":"C"') === isCounter);
    for (const isCounter of [true, false]) expect(lines('b.json', isCounter)).toEqual(lines('a.json', isCounter));
    expect(lines('a.json', true).length).toBeGreaterThan(1);
  });

  test('of replications, the first one is recorded', () => {
    const model = spmd({ name: 'noisy', build: (m) => m.compute({ seconds: 1, noise: noise.exponential() }) });
    const options = { machine, ranks: 2, seed: 'a' };
    const record = new Collector();
    const { figures } = predict(model, { ...options, replications: 3, record });
    expect(record.end_!.time).toBe(predict(model, options).figures.runTime.value);
    expect(figures.runTime.value).toBe(record.end_!.time);
  });

  test('another ending is refused, and no input is overwritten', () => {
    expect(() => predict(pair(8), { machine, ranks: 2, run: file('c.txt') })).toThrow(/\.ftrun, \.jsonl, \.csv/);
    expect(existsSync(file('c.txt'))).toBe(false);
  });

  test('a wait that never ends is not a time of the wait before it', () => {
    const model = spmd({
      name: 'stuck',
      build(m) {
        const [a, b] = [m.irecv({ from: (s) => 1 - s.rank }), m.irecv({ from: (s) => 1 - s.rank, tag: 1 })];
        m.send({ to: (s) => 1 - s.rank, bytes: 8 });
        m.wait(a);
        m.when(
          (s) => s.rank === 0,
          () => m.compute({ seconds: 1 }),
          () => m.wait(b),
        );
      },
    });
    const found = rows(model, { ranks: 2 }, 'states', ['process', 'state', 'call']).filter(
      ([process]) => process === 1,
    );
    expect(found.at(-1)).toEqual([1, 'waiting', undefined]);
  });

  test('a deadlock is recorded as an incomplete run with its ranks', () => {
    const model = spmd({ name: 'deadlock', build: (m) => m.recv({ from: (s) => 1 - s.rank }) });
    const { end_ } = recorded(model, { ranks: 2 });
    expect(end_).toMatchObject({ complete: false });
    expect(end_!.notes[0]).toMatch(/^rank 0 waits forever: recv/);
  });
});

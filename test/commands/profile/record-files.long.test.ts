import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { clockShifts } from '../../../src/analysis/efficiency/clock-shifts.ts';
import { InputError } from '../../../src/base/problem.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { profileRun } from '../../../src/commands/profile/profile.ts';
import type { ProfileDocument } from '../../../src/commands/profile/profile-document.ts';
import { profile } from '../../../src/commands/profile/profile-program.ts';
import { renderProfile } from '../../../src/commands/profile/profile-view.ts';
import { readRun } from '../../../src/trace/run/read-run.ts';
import { RunFileWriter } from '../../../src/trace/run/run-file-writer.ts';
import { RunLinesWriter } from '../../../src/trace/run/run-lines.ts';
import { effort } from '../../effort.ts';
import { arbitrary, modelOf } from '../../models/program/random-model.ts';
import { machine } from '../../models/program/run.ts';
import { arbitraryRun, Collector, emit, type PlainRow } from '../../trace/run/recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'record-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);
const problem = (run: () => unknown): string => {
  try {
    run();
  } catch (e) {
    if (e instanceof InputError) return `${e.problems.length} ${e.problems[0]!.code} ${e.problems[0]!.message}`;
    throw e;
  }
  return '';
};

describe('clocks', () => {
  const STATES = 'process,start,end,state,call,collective\n';
  const MESSAGES = 'source,destination,sent,received,bytes\n';
  const write = (states: string, messages: string): void => {
    writeFileSync(file('s.csv'), STATES + states);
    writeFileSync(file('m.csv'), MESSAGES + messages);
  };
  const profiled = (align: boolean): ProfileDocument => profileRun(file('s.csv'), { messages: file('m.csv'), align });

  test('messages that are received before they are sent are one problem, with its remedy', () => {
    // The clock of process 1 is 10 s behind.
    write(
      '0,0,1,computing,,\n0,1,2,communicating,MPI_Send,\n0,2,4,waiting,MPI_Recv,\n1,-10,-8,waiting,MPI_Recv,\n1,-8,-6,communicating,MPI_Send,\n',
      '0,1,1,-8,8\n0,1,1.5,-8,8\n1,0,-7,4,8\n',
    );
    const found = problem(() => profiled(false));
    expect(found).toMatch(/^1 REC013 clock skew: 2 of 3 messages are received .* by up to 9.5 s .*--align/);
    const { clocks, waits } = profiled(true);
    // The shift is between 9.5 s (first messages) and 11 s (message back).
    expect(clocks).toEqual({
      shifts: [0, 10.25],
      residual: { value: 0, unit: 's' },
      skewedMessages: { before: 2, after: 0 },
    });
    expect(waits.map(({ state }) => state)).toContain('Late Sender');
    expect(renderProfile(profiled(true), { width: 100, colour: false, unicode: true })).toContain(
      'Shifts from 0 s (process 0) to 10.25 s (process 1); residual 0 s.',
    );
  });

  test('a clock that messages constrain from one side is shifted as little as possible', () => {
    write('0,0,2,communicating,MPI_Send,\n1,0,1,waiting,MPI_Recv,\n', '0,1,1.5,1,8\n');
    expect(profiled(true).clocks!.shifts).toEqual([0, 0.5]);
    write('0,0,2,communicating,MPI_Send,\n1,0,2,waiting,MPI_Recv,\n', '0,1,1,2,8\n');
    expect(profiled(true).clocks!.shifts).toEqual([0, 0]);
  });

  test('clocks of different speed leave a residual', () => {
    // 0 to 1 needs a shift of at least 3 s, 1 to 0 one of at most 1 s.
    write('0,0,9,communicating,MPI_Send,\n1,0,9,waiting,MPI_Recv,\n', '0,1,5,2,8\n1,0,7,8,8\n');
    const { clocks } = profiled(true);
    expect(clocks!.shifts[1]).toBeCloseTo(2, 9);
    expect(clocks!.residual.value).toBeCloseTo(1, 9);
    expect(clocks!.skewedMessages.before).toBe(1);
  });

  test('barriers align clocks without messages', () => {
    write(
      '0,0,5,computing,,\n0,5,6,communicating,MPI_Barrier,barrier#1\n1,100,103,computing,,\n1,103,106,communicating,MPI_Barrier,barrier#1\n',
      '',
    );
    // The barriers overlap for shifts of process 1 from -101 to -97 s.
    expect(profiled(true).clocks).toMatchObject({ shifts: [0, -99], residual: { value: 0 } });
    expect(profiled(true).figures.executionTime.value).toBe(7);
  });

  test('shifts fit all constraints, or violate them by the residual at most', () => {
    const nodes = 6;
    const edge = fc.record({
      from: fc.nat(nodes - 1),
      to: fc.nat(nodes - 1),
      seconds: fc.integer({ min: -20, max: 10 }),
      share: fc.constant(1),
    });
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 20 }), (drawn) => {
        const edges = drawn.filter(({ from, to }) => from !== to);
        const { shifts, residual } = clockShifts(nodes, edges);
        for (const { from, to, seconds } of edges)
          expect(shifts[to]! - shifts[from]! - seconds).toBeGreaterThanOrEqual(-residual - 1e-9);
        // Floyd and Warshall: the residual is 0 exactly if there is no cycle of positive sum.
        const longest = Array.from({ length: nodes }, (_, a) =>
          Array.from({ length: nodes }, (_, b) =>
            edges.reduce(
              (most, e) => (e.from === a && e.to === b ? Math.max(most, e.seconds) : most),
              a === b ? 0 : Number.NEGATIVE_INFINITY,
            ),
          ),
        );
        for (let k = 0; k < nodes; k++)
          for (let a = 0; a < nodes; a++)
            for (let b = 0; b < nodes; b++)
              longest[a]![b] = Math.max(longest[a]![b]!, longest[a]![k]! + longest[k]![b]!);
        expect(residual > 0).toBe(longest.some((row, a) => row[a]! > 0));
      }),
      { numRuns: effort(2000) },
    );
  });

  test('clocks of simulated runs, put wrong, come out right within the least time of a round trip', () => {
    const offset = fc.integer({ min: -1000, max: 1000 });
    fc.assert(
      fc.property(arbitrary, fc.array(offset, { minLength: 8, maxLength: 8 }), ({ ranks, parts }, offsets) => {
        predict(modelOf(parts), { machine, ranks, run: file('a.ftrun') });
        const record = new Collector();
        readRun(file('a.ftrun'), undefined, 'test', record);
        const at = (process: unknown): number => offsets[Number(process) % offsets.length]!;
        const rows = record.rows
          .filter(({ table }) => table === 'states' || table === 'messages')
          .map((row): PlainRow => {
            if (row.table === 'states')
              return {
                ...row,
                start: Number(row['start']) + at(row['process']),
                end: Number(row['end']) + at(row['process']),
              };
            return {
              ...row,
              sent: Number(row['sent']) + at(row['source']),
              received: Number(row['received']) + at(row['destination']),
            };
          });
        const end = { complete: true, time: Number(record.end_!.time) + 2000, notes: [] };
        emit({ ...record.head_!, origin: 'recorded' }, rows, end, new RunFileWriter(file('b.ftrun')));
        const { clocks } = profileRun(file('b.ftrun'), { align: true });
        expect(clocks!.residual.value).toBeLessThan(1e-9);
        // After alignment, no message is received before it is sent, except for rounding.
        const aligned = (process: unknown): number => at(process) + clocks!.shifts[Number(process)]!;
        for (const row of record.rows)
          if (row.table === 'messages')
            expect(
              Number(row['received']) + aligned(row['destination']) - Number(row['sent']) - aligned(row['source']),
            ).toBeGreaterThan(-1e-9);
      }),
      { numRuns: effort(50) },
    );
  });
});

describe('several files of one run', () => {
  /** A run in one file for each process, and in one file. */
  const split = (ending: '.jsonl' | '.ftrun'): void => {
    fc.assert(
      fc.property(arbitraryRun, ({ head, rows, end }) => {
        const parts = head.nodeOf.map((_, process) =>
          rows.filter((row) => (row.table === 'states' ? row['process'] : row['source']) === process),
        );
        const plain = ({ inputs: _, program: __, ...document }: ProfileDocument): unknown =>
          JSON.parse(JSON.stringify(document));
        // Intervals are listed in the order of their first rows.
        emit(head, parts.flat(), end, new RunFileWriter(file('whole.ftrun')));
        const expected = plain(profileRun(file('whole.ftrun')));
        const files = parts.map((_, k) => file(`part${k}${ending}`));
        parts.forEach((own, k) => {
          emit(head, own, end, ending === '.jsonl' ? new RunLinesWriter(files[k]!) : new RunFileWriter(files[k]!));
        });
        expect(plain(profileRun(files))).toEqual(expected);
      }),
      { numRuns: effort(50) },
    );
  };
  test.each(['.jsonl', '.ftrun'] as const)('several %s files of one run are profiled as one', (ending) =>
    split(ending),
  );

  test('CSV', () => {
    const header = 'process,node,start,end,state,call\n';
    const rows = [
      '0,a,0,1,computing,\n0,a,1,4,communicating,MPI_Recv\n',
      '1,b,0,3,computing,\n1,b,3,3.5,communicating,MPI_Send\n',
    ];
    const messages = 'source,destination,sent,received,bytes\n1,0,3,4,8\n';
    writeFileSync(file('all.csv'), header + rows.join(''));
    rows.forEach((text, host) => {
      writeFileSync(file(`host${host}.csv`), header + text);
    });
    writeFileSync(file('m.csv'), messages);
    const files = [file('host0.csv'), file('host1.csv')];
    const whole = profileRun(file('all.csv'), { messages: file('m.csv') });
    const joined = profileRun(files, { messages: [file('m.csv')] });
    expect({ ...joined, inputs: {}, program: '' }).toEqual({ ...whole, inputs: {}, program: '' });
    expect(joined.inputs['states']).toHaveLength(2);
    expect(problem(() => profileRun([files[0]!]))).toBe('');
    expect(problem(() => profileRun([files[1]!]))).toMatch(/REC008 process 0 has no rows/);
    writeFileSync(file('host1.csv'), `${header}1,b,2,1,computing,\n`);
    expect(problem(() => profileRun(files))).toMatch(/REC006/);
  });

  test('files of different runs, and of different forms', () => {
    const head = { program: 'p', origin: 'recorded', product: 't', nodes: [{ name: 'a', sockets: 1 }] } as const;
    const end = { complete: true, time: 1, notes: [] };
    const row: PlainRow = { table: 'states', process: 0, start: 0, end: 1, state: 'computing' };
    emit({ ...head, processes: 1, nodeOf: [0], socketOf: [0] }, [row], end, new RunLinesWriter(file('one.jsonl')));
    emit(
      { ...head, processes: 2, nodeOf: [0, 0], socketOf: [0, 0] },
      [row],
      end,
      new RunLinesWriter(file('two.jsonl')),
    );
    expect(problem(() => profileRun([file('one.jsonl'), file('two.jsonl')]))).toMatch(/REC014 processes: .*one\.jsonl/);
    expect(problem(() => profileRun([file('one.jsonl'), file('m.csv')]))).toMatch(/REC002/);
    // Both files have rows of the same process, which overlap.
    expect(problem(() => profileRun([file('one.jsonl'), file('one.jsonl')]))).toMatch(/REC007/);
  });
});

describe('a part of a run', () => {
  const SUMS = ['communication', 'cpuTimeSequential', 'cpuTimeParallel', 'ioTime', 'overhead'] as const;

  test('times of the parts add up to those of the run', () => {
    fc.assert(
      fc.property(arbitrary, fc.integer({ min: 1, max: 99 }), ({ ranks, parts }, cut) => {
        const model = modelOf(parts);
        const whole = profile(model, { machine, ranks });
        if (whole.figures.executionTime.value === 0) return;
        const first = profile(model, { machine, ranks, to: `${cut}%` });
        const second = profile(model, { machine, ranks, from: `${cut}%` });
        const time = whole.figures.totalTime.value;
        for (const name of SUMS.filter((sum) => sum !== 'communication'))
          expect(
            Math.abs(first.figures[name].value + second.figures[name].value - whole.figures[name].value),
          ).toBeLessThan(1e-9 * time);
        for (const state of ['computing', 'overhead', 'waiting', 'idle'] as const) {
          const seconds = (document: ProfileDocument): number =>
            document.nodes.reduce((sum, node) => sum + node.seconds[state], 0);
          expect(Math.abs(seconds(first) + seconds(second) - seconds(whole))).toBeLessThan(1e-9 * time);
        }
        const messages = ({ messages: { pairs } }: ProfileDocument): number =>
          pairs.reduce((n, pair) => n + pair.messages, 0);
        expect(messages(first) + messages(second)).toBe(messages(whole));
        const all = profile(model, { machine, ranks, from: '0%', to: '100%' }).figures;
        expect(Object.keys(all)).toEqual(Object.keys(whole.figures));
        for (const [name, { value, unit }] of Object.entries(whole.figures)) {
          const again = all[name as keyof typeof all];
          expect(again.unit).toBe(unit);
          expect(Math.abs(again.value - value), name).toBeLessThanOrEqual(1e-12 * Math.abs(value));
        }
      }),
      { numRuns: effort(30) },
    );
  });

  test('a record and its simulation have the same part, in seconds and per cent', () => {
    writeFileSync(
      file('s.csv'),
      'process,start,end,state,interval\n0,0,4,computing,a#1\n0,4,8,communicating,b#1\n1,0,2,computing,a#1\n1,2,8,computing,b#1\n',
    );
    const part = profileRun(file('s.csv'), { from: 2, to: '75%' });
    expect(part).toMatchObject({ window: { from: 2, to: 6 }, options: { from: 2, to: '75%' } });
    expect(part.figures).toMatchObject({
      executionTime: { value: 4 },
      cpuTimeParallel: { value: 6 },
      communication: { value: 2 },
    });
    expect(part.nodes[0]!.spans).toEqual([
      { from: 2, to: 4, state: 'computing' },
      { from: 4, to: 6, state: 'waiting' },
    ]);
    expect(renderProfile(part, { width: 100, colour: false, unicode: true })).toContain('from 2.000 s to 6.000 s');
    for (const bad of [{ from: -1 }, { to: 9 }, { from: 5, to: 5 }, { from: '80%', to: '20%' }] as const)
      expect(problem(() => profileRun(file('s.csv'), bad))).toMatch(/PROF001/);
  });
});

describe('a node with several stays', () => {
  const head = {
    program: 'p',
    origin: 'recorded',
    product: 't',
    processes: 2,
    nodes: [
      { name: 'a', sockets: 1 },
      { name: 'b', sockets: 1 },
    ],
    nodeOf: [0, 1],
    socketOf: [0, 0],
  } as const;
  const states = (...rows: readonly (readonly [number, number, string])[]): PlainRow[] => [
    { table: 'states', process: 0, start: 0, end: 10, state: 'computing' },
    ...rows.map(([start, end, state]): PlainRow => ({ table: 'states', process: 1, start, end, state })),
  ];
  const stays = (...rows: readonly (readonly [number, number])[]): PlainRow[] =>
    rows.map(([joined, left]): PlainRow => ({ table: 'nodes', node: 'b', joined, left }));
  const profiled = (rows: readonly PlainRow[], at?: number): ProfileDocument => {
    emit(head, rows, { complete: true, time: 10, notes: [] }, new RunLinesWriter(file('n.jsonl')));
    return profileRun(file('n.jsonl'), at === undefined ? {} : { at });
  };

  test('has states only in its stays', () => {
    const rows = [...states([1, 3, 'computing'], [6, 8, 'waiting']), ...stays([0.5, 4], [5, 9])];
    const [, node] = profiled(rows).nodes;
    expect(node).toMatchObject({ joined: 0.5, left: 9, seconds: { computing: 2, waiting: 2, idle: 3.5 } });
    expect(node!.stays).toEqual([
      { joined: 0.5, left: 4 },
      { joined: 5, left: 9 },
    ]);
    expect(node!.spans).toEqual([
      { from: 0.5, to: 1, state: 'idle' },
      { from: 1, to: 3, state: 'computing' },
      { from: 3, to: 4, state: 'idle' },
      { from: 5, to: 6, state: 'idle' },
      { from: 6, to: 8, state: 'waiting' },
      { from: 8, to: 9, state: 'idle' },
    ]);
    expect(node!.spansCount).toBe(6);
    expect(profiled(rows, 4.5).nodes[1]!.at).toBeUndefined();
    expect(profiled(rows, 5.5).nodes[1]!.at).toBe('idle');
  });

  test('a process that goes on is suspended with its node, with a warning', () => {
    const { nodes, warnings, figures } = profiled([...states([1, 8, 'computing']), ...stays([0, 4], [5, 9])]);
    expect(nodes[1]!.seconds).toMatchObject({ computing: 6, idle: 2 });
    expect(figures.cpuTimeParallel.value).toBe(17);
    expect(warnings).toMatchObject([{ code: 'PROF007', message: expect.stringMatching(/process 1 .* 4 to 5 s/) }]);
  });

  test.each([
    [states([1, 4.5, 'computing']), stays([0, 4], [5, 9]), /REC011 process 1 .* at 4.5 s/],
    [states([4.2, 4.5, 'computing']), stays([0, 4], [5, 9]), /REC011 process 1 .* at 4.2 s/],
    [states([1, 3, 'computing']), stays([0, 4], [3, 9]), /REC011 .*do not overlap/],
    [states([1, 9.5, 'computing']), stays([0, 4], [5, 9]), /REC011 .*leaves at 9 s/],
  ])('faults', (rows, own, expected) => {
    expect(problem(() => profiled([...rows, ...own]))).toMatch(expected);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { profileRun } from '../../../src/commands/profile/profile.ts';
import type { ProfileDocument, ProfiledInterval } from '../../../src/commands/profile/profile-document.ts';
import type { ProfileOptions } from '../../../src/commands/profile/profile-options.ts';
import { profileJson, renderProfile } from '../../../src/commands/profile/profile-view.ts';
import { RunCsvWriter } from '../../../src/trace/run/run-csv-writer.ts';
import { RunFileWriter } from '../../../src/trace/run/run-file-writer.ts';
import { RunLinesWriter } from '../../../src/trace/run/run-lines.ts';
import { effort } from '../../effort.ts';
import { arbitraryRun, emit } from '../../trace/run/recorded.ts';
import { jacobiStates, PRINTED, PRINTED_OPERATIONS, PRINTED_SPREADS } from './jacobi.ts';

const folder = mkdtempSync(join(tmpdir(), 'profile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string): string => join(folder, name);

function profiled(states: string, options: ProfileOptions & { readonly text?: string } = {}): ProfileDocument {
  writeFileSync(file('states.csv'), states);
  const { text, ...rest } = options;
  if (text === undefined) return profileRun(file('states.csv'), rest);
  writeFileSync(file('messages.csv'), text);
  return profileRun(file('states.csv'), { ...rest, messages: file('messages.csv') });
}

const HEAD = 'process,node,start,end,state,call,interval,kind,collective,phase\n';
const value = (document: ProfileDocument, name: keyof ProfileDocument['figures']): number =>
  document.figures[name].value;
const waits = (document: ProfileDocument): Record<string, number> =>
  Object.fromEntries(document.waits.map((w) => [w.state, w.seconds]));

describe('the printed analysis of Jacobi in C-DVM', () => {
  const document = profiled(jacobiStates());

  test.each(Object.entries(PRINTED))('the printed figure %s is found', (name, printed) => {
    expect(value(document, name as keyof typeof PRINTED)).toBeCloseTo(printed, 6);
  });

  test.each(Object.entries(PRINTED_OPERATIONS))('operation %s', (name, printed) => {
    const found = document.operations.find(({ kind, phase = '' }) => `${kind} ${phase}` === name)!;
    const { count, communication, synchronization, timeVariation, overlap } = found;
    [count, communication, synchronization, timeVariation, overlap].forEach((figure, k) => {
      expect(figure).toBeCloseTo(printed[k]!, 6);
    });
  });

  test.each(Object.entries(PRINTED_SPREADS))('%s by processor', (name, [min, minOn, max, maxOn, mean]) => {
    const found = document.spread[name as keyof typeof PRINTED_SPREADS];
    expect(found).toMatchObject({ minProcess: minOn - 1, maxProcess: maxOn - 1 });
    expect(found.min).toBeCloseTo(min, 6);
    expect(found.max).toBeCloseTo(max, 6);
    expect(found.mean).toBeCloseTo(mean, 6);
  });

  test('sums over the operations are the totals, and 16 times the means', () => {
    for (const name of ['communication', 'synchronization', 'timeVariation', 'overlap'] as const) {
      const sum = document.operations.reduce((total, operation) => total + operation[name], 0);
      expect(sum).toBeCloseTo(PRINTED[name], 6);
      expect(16 * document.spread[name].mean).toBeCloseTo(PRINTED[name], 6);
    }
  });

  test('minima, maxima and means by processor', () => {
    const { spread } = document;
    expect(spread.insufficientParallelism).toMatchObject({ minProcess: 15, maxProcess: 1 });
    expect(spread.insufficientParallelism.min).toBeCloseTo(1.68138, 6);
    expect(spread.insufficientParallelism.max).toBeCloseTo(1.95834, 6);
    expect(spread.insufficientParallelism.mean).toBeCloseTo(1.849736, 6);
    expect(spread.idle).toMatchObject({ min: 0, minProcess: 1, maxProcess: 15 });
    expect(spread.idle.max).toBeCloseTo(0.280064, 6);
    expect(spread.communication.mean).toBeCloseTo(1.871912, 6);
    expect(spread.cpuTimeParallel.max).toBeCloseTo(44.21504, 6);
    // The source prints 2.382016, a difference of total CPU times; by the definition it is 2.090752.
    expect(spread.loadImbalance.max).toBeCloseTo(44.21504 - 42.124288, 6);
  });
});

describe('small runs', () => {
  const ring = profiled(
    `${HEAD}0,n0,0,2,computing,,solve#1,,,
0,n0,2,3,waiting,MPI_Allreduce,solve#1,,allreduce#1,
0,n0,3,3.5,communicating,MPI_Allreduce,solve#1,,allreduce#1,
1,n0,0,3,computing,,solve#1,,,
1,n0,3,3.5,communicating,MPI_Allreduce,solve#1,,allreduce#1,
0,n0,3.5,4,computing,,,sequential,,
1,n0,3.5,4.25,computing,,,sequential,,
`,
    { at: 2.5, oneProcessor: 5 },
  );

  test('figures follow the definitions', () => {
    expect(value(ring, 'executionTime')).toBe(4.25);
    expect(value(ring, 'totalTime')).toBe(8.5);
    expect(value(ring, 'insufficientParallelism')).toBe(0.625);
    expect(value(ring, 'communication')).toBe(2);
    expect(value(ring, 'idle')).toBe(0.25);
    expect(value(ring, 'productiveTime')).toBe(5.625);
    expect(value(ring, 'synchronization')).toBe(1);
    expect(value(ring, 'timeVariation')).toBe(0);
    expect(value(ring, 'loadImbalance')).toBe(1);
    expect(ring.comparison?.oneProcessor?.difference.value).toBeCloseTo(0.125, 12);
  });

  test('the reading names the interval, the origin and the cause', () => {
    expect(ring.findings.at(-1)).toMatchObject({ cause: 'load-imbalance', interval: 'solve', origin: 'solve' });
  });

  test('node states at an instant', () => {
    expect(ring.nodes[0]).toMatchObject({ node: 'n0', at: 'computing' });
    expect(ring.nodes[0]!.processes.map((p) => p.at)).toEqual(['waiting', 'computing']);
  });

  test('time and count of calls', () => {
    expect(ring.calls).toMatchObject([{ call: 'MPI_Allreduce', count: 2, seconds: 2, blocked: 2 }]);
  });

  test('the page and the JSON text hold the figures', () => {
    const page = renderProfile(ring, { width: 100, colour: false, unicode: true });
    expect(page).toContain('Efficiency 66 %');
    expect(page).toContain('allreduce');
    expect(JSON.parse(profileJson(ring))).toEqual(JSON.parse(JSON.stringify(ring)));
  });

  test('gaps before the end of a process are communication, idle rows after it are idle', () => {
    const document = profiled(
      `${HEAD}0,n,0,1,computing,,,,,\n0,n,2,3,computing,,,,,\n0,n,3,9,idle,,,,,\n1,n,0,4,computing,,,,,\n`,
    );
    expect(value(document, 'communication')).toBe(1);
    expect(value(document, 'idle')).toBe(1);
    expect(value(document, 'executionTime')).toBe(4);
  });

  test('overlap counts computing between start and wait', () => {
    const document = profiled(
      `${HEAD}0,n,0,1,communicating,,,,shadow#1,start
0,n,1,3,computing,,,,,
0,n,3,4,waiting,,,,shadow#1,wait
0,n,4,5,computing,,,,,
`,
    );
    expect(value(document, 'overlap')).toBe(2);
    expect(document.operations).toMatchObject([
      { kind: 'shadow', phase: 'start', count: 1, communication: 1, synchronization: 0, timeVariation: 0, overlap: 2 },
      { kind: 'shadow', phase: 'wait', count: 1, communication: 1, synchronization: 0, timeVariation: 0, overlap: 0 },
    ]);
  });

  test('intervals by expression, with their executions', () => {
    const document = profiled(
      `${HEAD}0,n,0,1,computing,,it[0]#1,,,\n0,n,1,2,computing,,it[1]#2,,,\n0,n,2,4,computing,,it[0]#3,sequential,,\n`,
    );
    expect(document.intervals.map((i) => [i.name, i.executions, i.kind, i.figures.executionTime.value])).toEqual([
      ['it[0]', 2, 'combined', 3],
      ['it[1]', 1, 'parallel', 1],
    ]);
  });
});

test('the kind of an interval that computes nothing is that of its rows', () => {
  const kinds = (rows: string): unknown => profiled(`${HEAD}${rows}`).intervals.map(({ name, kind }) => [name, kind]);
  expect(
    kinds(`0,n,0,1,computing,,a#1,parallel,,
0,n,1,2,io,write,b#1,sequential,,
0,n,2,3,waiting,,c#1,,,
0,n,3,4,waiting,,d#1/e#1,sequential,,
0,n,4,5,io,,d#1,parallel,,
`),
  ).toEqual([
    ['a', 'parallel'],
    ['b', 'sequential'],
    ['c', 'parallel'],
    ['d', 'combined'],
  ]);
});

test('bytes count once per call, in whatever number of rows', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ bytes: fc.nat(1000), rows: fc.integer({ min: 1, max: 4 }), numbered: fc.boolean() }), {
        minLength: 1,
        maxLength: 6,
      }),
      (calls) => {
        let time = 0;
        const rows = calls.flatMap(({ bytes, rows: count, numbered }, sequence) =>
          Array.from({ length: count }, (_, k) => {
            const state = k % 2 === 0 ? 'waiting' : 'communicating';
            const row = `0,${time},${time + 1},${state},MPI_Recv,${bytes},${numbered ? sequence : ''}`;
            // Calls without numbers are apart.
            time += k === count - 1 ? 2 : 1;
            return row;
          }),
        );
        writeFileSync(file('bytes.csv'), `process,start,end,state,call,bytes,sequence\n${rows.join('\n')}\n`);
        const [found] = profileRun(file('bytes.csv')).calls;
        expect(found).toMatchObject({ count: calls.length, bytes: calls.reduce((sum, call) => sum + call.bytes, 0) });
      },
    ),
    { numRuns: effort(100) },
  );
});

describe('wait states', () => {
  const messages = 'source,destination,sent,received,bytes,tag,communicator,call\n';

  test('a receive before its send waits for a late sender', () => {
    const document = profiled(
      `${HEAD}0,n,0,1,waiting,MPI_Recv,,,,\n0,n,1,1.5,communicating,MPI_Recv,,,,\n1,n,0,1,computing,,,,,\n1,n,1,1.5,communicating,MPI_Send,,,,\n`,
      { text: `${messages}1,0,1,1.5,8,,,MPI_Send\n` },
    );
    expect(waits(document)).toEqual({ 'Late Sender': 1 });
    expect(document.calls.find((c) => c.call === 'MPI_Send')?.messageSeconds).toBe(0.5);
  });

  test('a send before its receive waits for a late receiver', () => {
    const document = profiled(
      `${HEAD}0,n,0,2,waiting,MPI_Send,,,,\n0,n,2,3,communicating,MPI_Send,,,,\n1,n,0,2,computing,,,,,\n1,n,2,3,communicating,MPI_Recv,,,,\n`,
      { text: `${messages}0,1,0,3,1e6,,,MPI_Send\n` },
    );
    expect(waits(document)).toEqual({ 'Late Receiver': 2 });
  });

  test('a message that was sent earlier and is received later is in the wrong order', () => {
    const document = profiled(
      `${HEAD}0,n,0,3,waiting,MPI_Recv,,,,\n0,n,3,4,communicating,MPI_Recv,,,,\n0,n,4,5,communicating,MPI_Recv,,,,\n1,n,0,3,computing,,,,,\n1,n,3,4,communicating,MPI_Send,,,,\n2,n,0,1,communicating,MPI_Send,,,,\n`,
      { text: `${messages}1,0,3,4,8,,,MPI_Send\n2,0,0.5,5,8,,,MPI_Send\n` },
    );
    expect(waits(document)).toEqual({ 'Late Sender/Wrong Order': 3 });
  });

  test.each([
    ['barrier', 'Wait at Barrier', 2],
    ['MPI_Allreduce', 'Wait at N×N', 2],
    ['bcast', 'Late Broadcast', 2],
    ['reduce', 'Early Reduce', 2],
  ])('a late process of %s causes the wait state %s', (operation, state, seconds) => {
    const root = operation === 'bcast' ? 1 : 0;
    const document = profiled(
      `process,node,start,end,state,collective,peer
0,n,0,2,waiting,${operation}#1,${root}
0,n,2,3,communicating,${operation}#1,${root}
1,n,0,2,computing,,
1,n,2,3,communicating,${operation}#1,${root}
`,
    );
    expect(waits(document)).toEqual({ [state]: seconds });
  });
});

describe('any run', () => {
  const each = (check: (document: ProfileDocument, run: { path: string }) => void): void => {
    fc.assert(
      fc.property(arbitraryRun, ({ head, rows, end }) => {
        emit(head, rows, end, new RunFileWriter(file('r.ftrun')));
        check(profileRun(file('r.ftrun')), { path: file('r.ftrun') });
      }),
      { numRuns: effort(300) },
    );
  };
  const all = (of: readonly ProfiledInterval[]): ProfiledInterval[] => of.flatMap((i) => [i, ...all(i.children)]);

  test('total time is productive time and the three losses, in every interval', () => {
    each((document) => {
      for (const { figures: f } of [document, ...all(document.intervals)]) {
        const lost = f.insufficientParallelism.value + f.communication.value + f.idle.value;
        expect(f.lostTime.value).toBeCloseTo(lost, 9);
        expect(f.productiveTime.value + lost).toBeCloseTo(f.totalTime.value, 9);
        expect(f.synchronization.value).toBeGreaterThanOrEqual(-1e-12);
      }
    });
  });

  test('states of nodes and processes fill the run', () => {
    each((document) => {
      for (const node of document.nodes)
        for (const states of [node, ...node.processes]) {
          const length = Object.values(states.seconds).reduce((a, b) => a + b, 0);
          expect(length).toBeCloseTo(node.left - node.joined, 9);
          if (node.left > node.joined) {
            expect(states.spans![0]!.from).toBe(node.joined);
            expect(states.spans!.at(-1)!.to).toBe(node.left);
          }
          expect(states.spansCount).toBe(states.spans!.length);
          expect(states.spans!.slice(1).map((span) => span.from)).toEqual(
            states.spans!.slice(0, -1).map((span) => span.to),
          );
        }
    });
  });

  test('a node has the state of highest priority among its processes, at every instant', () => {
    const PRIORITY = ['computing', 'overhead', 'waiting', 'idle'];
    each((document) => {
      for (const node of document.nodes) {
        const times = node.processes.flatMap((p) => p.spans!.flatMap(({ from, to }) => [from, (from + to) / 2]));
        const at = (spans: typeof node.spans, time: number): string =>
          spans!.find(({ from, to }) => from <= time && time < to)?.state ?? 'idle';
        for (const time of times) {
          const states = node.processes.map((p) => PRIORITY.indexOf(at(p.spans, time)));
          expect(at(node.spans, time)).toBe(PRIORITY[Math.min(...states)]);
        }
      }
    });
  });

  test('has the same figures in all forms of the record', () => {
    fc.assert(
      fc.property(arbitraryRun, ({ head, rows, end }) => {
        emit(head, rows, end, new RunFileWriter(file('r.ftrun')));
        emit(head, rows, end, new RunLinesWriter(file('r.jsonl')));
        emit(head, rows, end, new RunCsvWriter(file('s.csv'), file('m.csv')));
        const plain = ({ inputs: _, program: __, ...document }: ProfileDocument): unknown =>
          JSON.parse(JSON.stringify(document));
        const expected = plain(profileRun(file('r.ftrun')));
        expect(plain(profileRun(file('r.jsonl')))).toEqual(expected);
        expect(plain(profileRun(file('s.csv'), { messages: file('m.csv') }))).toEqual(expected);
      }),
      { numRuns: effort(100) },
    );
  });
});

describe('bad input', () => {
  const problems = (run: () => unknown): string[] => {
    try {
      run();
    } catch (e) {
      if (e instanceof InputError) return e.problems.map((p) => `${p.place?.line ?? ''} ${p.code} ${p.message}`);
      throw e;
    }
    return [];
  };

  test.each([
    ['a missing file', () => profileRun(file('none.csv')), /REC001/],
    ['another ending', () => profileRun(file('none.txt')), /REC002 .*\.ftrun/],
    ['an unknown column', () => profiled('process,node,begin,end,state\n'), /1 REC004 unknown column "begin"/],
    ['an unknown state', () => profiled(`${HEAD}0,n,0,1,sleeping,,,,,\n`), /2 REC005 state: expected one of computing/],
    ['a span that ends before it begins', () => profiled(`${HEAD}0,n,2,1,computing,,,,,\n`), /2 REC006/],
    ['spans that overlap', () => profiled(`${HEAD}0,n,0,2,computing,,,,,\n0,n,1,3,waiting,,,,,\n`), /3 REC007/],
    [
      'a rank without events',
      () => profiled(`${HEAD}0,n,0,2,computing,,,,,\n2,n,1,3,waiting,,,,,\n`),
      /3 REC008 process 1/,
    ],
    [
      'a message without partner',
      () =>
        profiled(`${HEAD}0,n,0,2,computing,,,,,\n`, {
          text: 'source,destination,sent,received,bytes\n0,4,0,1,8\n',
        }),
      /2 REC009 .*destination 4/,
    ],
    ['a cell too many', () => profiled(`${HEAD}0,n,0,1,computing,,,,,,,\n`), /2 REC005 expected 10 cells, got 12/],
    ['a phase without collective', () => profiled(`${HEAD}0,n,0,1,computing,,,,,wait\n`), /2 REC005 phase/],
    ['an instant outside the run', () => profiled(`${HEAD}0,n,0,1,computing,,,,,\n`, { at: 2 }), /PROF001/],
    ['an unknown process', () => profiled(`${HEAD}0,n,0,1,computing,,,,,\n`, { processes: [1] }), /PROF002/],
    [
      'an unknown interval',
      () => profiled(`${HEAD}0,n,0,1,computing,,solve#1,,,\n`, { interval: 'solv' }),
      /PROF003 .*Did you mean "solve"/,
    ],
  ])('profile refuses %s', (_, run, expected) => {
    expect(problems(run)[0]).toMatch(expected);
  });

  test.each([1000, 1])('100,000 processes on %s nodes', (nodes) => {
    const rows = Array.from({ length: 100_000 }, (_, p) => `${p},n${p % nodes},0,${1 + (p % 7)},computing,,,,,`);
    const document = profiled(`${HEAD}${rows.join('\n')}\n`);
    expect(value(document, 'processors')).toBe(100_000);
    expect(value(document, 'executionTime')).toBe(7);
    expect(document.processes).toBeUndefined();
  });
});

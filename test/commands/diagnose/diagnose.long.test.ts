import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { diagnose, hasCause } from '../../../src/commands/diagnose/diagnose.ts';
import { diagnosisJson, renderDiagnosis } from '../../../src/commands/diagnose/diagnose-view.ts';
import type { DiagnosedRegion, DiagnosisDocument } from '../../../src/commands/diagnose/diagnosis-document.ts';
import type { DiagnoseOptions } from '../../../src/commands/diagnose/diagnosis-options.ts';
import { readWorkerCsv } from '../../../src/trace/workers/worker-csv.ts';
import { effort } from '../../effort.ts';
import { type WorkerRow, workerCsv, workerRuns } from '../../trace/workers/random-workers.ts';

const folder = mkdtempSync(join(tmpdir(), 'diagnose-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'workers.csv');

function written(text: string): string {
  writeFileSync(path, text);
  return path;
}

const diagnosed = (text: string, options?: DiagnoseOptions): DiagnosisDocument => diagnose(written(text), options);

/** Lives of workers as CSV, from `STATE:seconds` words. */
function csvOf(lives: Readonly<Record<string, string>>): string {
  const rows = Object.entries(lives).flatMap(([worker, life]) => {
    let time = 0;
    const own = life.split(' ').map((word) => {
      const [state, seconds] = word.split(':') as [string, string];
      const row = `${worker},${time},${state}`;
      time += Number(seconds);
      return row;
    });
    return [...own, `${worker},${time},END`];
  });
  return `worker,time,state\n${rows.join('\n')}\n`;
}

const causes = ({ findings }: DiagnosedRegion): string[] => findings.map(({ cause }) => cause);
const only = (document: DiagnosisDocument): DiagnosedRegion => {
  expect(document.regions).toHaveLength(1);
  return document.regions[0]!;
};

/** `count` tasks of the own queue: EXEC, then a look at the queue. */
const own = (count: number, task: number, look: number): string =>
  Array.from({ length: count }, () => `LOCAL:${look} EXEC:${task}`).join(' ');
/** `count` tasks that are stolen. */
const stolen = (count: number, task: number, search: number): string =>
  Array.from({ length: count }, () => `LOCAL:0 GLOBAL:${search} EXEC:${task}`).join(' ');

describe('causes', () => {
  test('none: 5 % overhead is below the thresholds', () => {
    const region = only(diagnosed(csvOf({ 0: own(10, 0.95, 0.05), 1: own(10, 0.95, 0.05) })));
    expect(region.activeShare).toBeCloseTo(0.05, 12);
    expect(region.findings).toEqual([]);
  });

  test('fine grain: handling a task takes longer than the task', () => {
    const region = only(diagnosed(csvOf({ 0: own(100, 2e-7, 3e-7), 1: own(100, 2e-7, 3e-7) })));
    expect(causes(region)).toEqual(['fine-grain']);
    const [finding] = region.findings;
    expect(finding!.secondsLost).toBeCloseTo(2 * 100 * 3e-7, 12);
    expect(finding!.advice).toContain('200.0 ns');
    expect(finding!.evidence[1]).toMatchObject({ figure: 'handling', threshold: 0.1, unit: '1' });
    // One of the 100 tasks begins before a look at the queue, in no transition.
    expect(finding!.evidence[1]!.value).toBeCloseTo(0.6, 2);
  });

  test('the absolute rate of the source: on request, and with its counting', () => {
    const text = csvOf({ 0: own(100, 2e-7, 3e-7), 1: own(100, 2e-7, 3e-7) });
    for (const options of [{ taskRate: 400_000 }, { counting: 'document' }] as const) {
      const document = diagnosed(text, options);
      const [finding] = only(document).findings;
      expect(finding!.evidence[1]).toMatchObject({ figure: 'taskRate', threshold: 400_000, unit: '1/s' });
      expect(finding!.evidence[1]!.value! / 2e6).toBeCloseTo(1, 1);
      expect(renderDiagnosis(document, { colour: false, unicode: false, width: 200 } as never)).toContain(
        '(above 400,000, an absolute rate)',
      );
    }
    expect(causes(only(diagnosed(text, { taskRate: 2.5e6 })))).toEqual(['unknown']);
  });

  test('linear spawning: most tasks are stolen', () => {
    const document = diagnosed(csvOf({ 0: own(4, 1, 0.1), 1: stolen(4, 0.5, 0.5), 2: stolen(4, 0.5, 0.5) }));
    expect(causes(only(document))).toEqual(['linear-spawning']);
    expect(only(document)).toMatchObject({ ownTasks: 4, otherTasks: 8, workersCount: 3 });
  });

  test('too few tasks: idle workers search again and again', () => {
    const searching = `LOCAL:0 ${Array.from({ length: 4000 }, () => 'GLOBAL:0.00005 WAIT:0.00005').join(' ')}`;
    // 4000 searches in 0.4 s on three workers are 3,333 per second and worker.
    const region = only(diagnosed(csvOf({ 0: own(4, 0.1, 0), 1: own(4, 0.1, 0), 2: searching })));
    expect(causes(region)).toEqual(['too-few-tasks']);
  });

  test('excessive waiting: two workers are done long before the third', () => {
    const region = only(
      diagnosed(
        csvOf({
          0: own(2, 5, 0),
          1: `${own(2, 1, 0)} LOCAL:0 GLOBAL:0 WAIT:8`,
          2: `${own(2, 1, 0)} LOCAL:0 GLOBAL:0 WAIT:8`,
        }),
      ),
    );
    expect(causes(region)).toEqual(['excessive-waiting']);
    expect(region.inactiveShare).toBeCloseTo(16 / 30, 12);
    expect(region.findings[0]!.secondsLost).toBeCloseTo(16, 12);
  });

  test('several causes in one region, and none in another', () => {
    const rows = (
      worker: number,
      region: string,
      begin: number,
      task: number,
      look: number,
      count: number,
    ): string[] => {
      const lines: string[] = [];
      for (let k = 0; k < count; k++)
        lines.push(
          `${worker},${begin + k * (task + look)},LOCAL,${region}`,
          `${worker},${begin + k * (task + look) + look / 2},GLOBAL,${region}`,
          `${worker},${begin + k * (task + look) + look},EXEC,${region}`,
        );
      return lines;
    };
    const document = diagnosed(
      `worker,time,state,region\n${[...rows(0, 'fine', 0, 1e-7, 1e-6, 1000), '0,0.0011,END,fine', ...rows(0, 'coarse', 1, 0.9, 0.01, 10), '0,12,END,coarse'].join('\n')}`,
    );
    expect(document.regions.map((r) => [r.name, causes(r)])).toEqual([
      ['fine', ['fine-grain', 'linear-spawning']],
      ['coarse', []],
    ]);
  });
});

describe('options', () => {
  const half = csvOf({ 0: own(10, 0.5, 0.5) });

  test('thresholds', () => {
    expect(causes(only(diagnosed(half)))).toEqual(['unknown']);
    expect(causes(only(diagnosed(half, { active: 0.5 })))).toEqual([]);
    expect(causes(only(diagnosed(half, { taskRate: 0.9 })))).toEqual(['fine-grain']);
    expect(causes(only(diagnosed(half, { taskRate: 0.9, active: 0.6 })))).toEqual([]);
  });

  test('with a sequential time, overhead is reported where it reaches the gain', () => {
    // Ten seconds with five seconds of overhead: a gain of four seconds is reached, one of six is not.
    const with_ = (sequential: DiagnoseOptions['sequential']): string[] =>
      causes(only(diagnosed(half, { taskRate: 0.9, active: 1, sequential: sequential! })));
    expect(with_(14)).toEqual(['fine-grain']);
    expect(with_({ all: 14 })).toEqual(['fine-grain']);
    expect(with_(16)).toEqual([]);
    expect(with_(9)).toEqual(['fine-grain']);
  });

  test('the counting of the source', () => {
    // Searches in vain count as tasks there.
    const idle = csvOf({ 0: 'EXEC:10 LOCAL:0', 1: 'EXEC:1 LOCAL:1 GLOBAL:1 GLOBAL:1 GLOBAL:1 GLOBAL:5' });
    expect(only(diagnosed(idle))).toMatchObject({ ownTasks: 0, otherTasks: 0 });
    expect(only(diagnosed(idle, { counting: 'document' }))).toMatchObject({ ownTasks: 2, otherTasks: 4 });
    expect(causes(only(diagnosed(idle, { counting: 'document' })))).toEqual(['linear-spawning']);
  });

  test('monitoring periods', () => {
    const document = diagnosed(csvOf({ 0: 'EXEC:1.5 LOCAL:0.5 EXEC:1 LOCAL:0' }), { period: 1 });
    expect(document.regions.map(({ from, to, activeShare, ownTasks }) => [from, to, activeShare, ownTasks])).toEqual([
      [0, 1, 0, 0],
      [1, 2, 0.5, 0],
      [2, 3, 0, 1],
    ]);
  });

  test('causes that fail', () => {
    const document = diagnosed(half, { taskRate: 0.9 });
    expect(hasCause(document, ['fine-grain'])).toBe(true);
    expect(hasCause(document, ['any'])).toBe(true);
    expect(hasCause(document, ['too-few-tasks'])).toBe(false);
    expect(hasCause(document, [])).toBe(false);
  });
});

/** Seconds by state and transitions by name, straight from the rows. */
function plain(
  rows: readonly WorkerRow[],
): Map<string, { seconds: Record<string, number>; counts: Record<string, number> }> {
  const found = new Map<string, { seconds: Record<string, number>; counts: Record<string, number> }>();
  for (const worker of new Set(rows.map((r) => r.worker))) {
    const lives = rows.filter((r) => r.worker === worker);
    lives.slice(0, -1).forEach((row, k) => {
      const next = lives[k + 1]!;
      if (row.state === 'END') return;
      const key = `${row.region} ${worker}`;
      const sums = found.get(key) ?? { seconds: {}, counts: {} };
      found.set(key, sums);
      sums.seconds[row.state] = (sums.seconds[row.state] ?? 0) + next.time - row.time;
      if (next.state !== 'END' && next.region === row.region) {
        const name = `${row.state}>${next.state}`;
        sums.counts[name] = (sums.counts[name] ?? 0) + 1;
      }
    });
  }
  return found;
}

/** Time in which some worker is in a region, by counting instants: random times are multiples of 1/1024 s. */
function present(rows: readonly WorkerRow[], region: string): number {
  const ticks = new Set<number>();
  for (const worker of new Set(rows.map((r) => r.worker))) {
    const lives = rows.filter((r) => r.worker === worker);
    lives.slice(0, -1).forEach((row, k) => {
      if (row.region !== region || row.state === 'END') return;
      for (let tick = row.time * 1024; tick < lives[k + 1]!.time * 1024; tick++) ticks.add(tick);
    });
  }
  return ticks.size / 1024;
}

describe('any run', () => {
  const word = (counter: string): string =>
    counter
      .replace(/^[a-z]+/, (s) => s.toUpperCase())
      .replace(/([A-Z]+)([A-Z][a-z]+)$/, (_, a: string, b: string) => `${a}>${b.toUpperCase()}`);

  test('has the sums of a plain reading of its rows, and obeys the life-cycle', () => {
    fc.assert(
      fc.property(workerRuns, (rows) => {
        const expected = plain(rows);
        for (const region of diagnosed(workerCsv(rows)).regions) {
          const duration = present(rows, region.name);
          expect(region.seconds).toBeCloseTo(duration, 12);
          let busy = 0;
          for (const { worker, seconds, counters: c } of region.workers!) {
            const sums = expected.get(`${region.name} ${worker}`)!;
            expected.delete(`${region.name} ${worker}`);
            expect(seconds).toEqual({
              exec: sums.seconds['EXEC'] ?? 0,
              local: sums.seconds['LOCAL'] ?? 0,
              global: sums.seconds['GLOBAL'] ?? 0,
              wait: sums.seconds['WAIT'] ?? 0,
            });
            for (const [name, count] of Object.entries(c))
              expect([name, count]).toEqual([name, sums.counts[word(name)] ?? 0]);
            // The flow into a state equals the flow out of it, up to the first and the last state.
            const near = (into: number, out: number): void => expect(Math.abs(into - out)).toBeLessThanOrEqual(1);
            near(c.localExec + c.globalExec, c.execLocal);
            near(c.execLocal, c.localExec + c.localGlobal);
            near(c.localGlobal + c.waitGlobal, c.globalExec + c.globalWait);
            near(c.globalWait, c.waitGlobal);
            busy += seconds.local + seconds.global;
          }
          expect(region.activeShare).toBeCloseTo(busy / duration / region.workersCount, 9);
          const both = causes(region).filter((cause) => cause === 'too-few-tasks' || cause === 'excessive-waiting');
          expect(both.length).toBeLessThanOrEqual(1);
        }
        expect([...expected.keys()]).toEqual([]);
      }),
      { numRuns: effort(250) },
    );
  });

  test('monitoring periods add up to the whole', () => {
    fc.assert(
      fc.property(workerRuns, fc.constantFrom(1 / 1024, 1 / 64, 1 / 8, 1), (rows, period) => {
        const whole = diagnosed(workerCsv(rows)).regions;
        const parts = diagnosed(workerCsv(rows), { period }).regions;
        const sum = (regions: readonly DiagnosedRegion[]): Map<string, number> => {
          const sums = new Map<string, number>();
          for (const { name, workers } of regions)
            for (const { worker, seconds, counters } of workers!)
              for (const [key, value] of Object.entries({ ...seconds, ...counters }))
                sums.set(`${name} ${worker} ${key}`, (sums.get(`${name} ${worker} ${key}`) ?? 0) + value);
          return sums;
        };
        expect(sum(parts)).toEqual(sum(whole));
      }),
      { numRuns: effort(200) },
    );
  });
});

describe('bad input', () => {
  const refused = (run: () => unknown): string[] => {
    try {
      run();
    } catch (e) {
      if (e instanceof InputError) return e.problems.map((p) => `${p.place?.line ?? ''} ${p.code} ${p.message}`);
      throw e;
    }
    return [];
  };
  const problems = (text: string, options?: DiagnoseOptions): string[] => refused(() => diagnosed(text, options));
  const HEAD = 'worker,time,state\n';
  const REGIONS = 'worker,time,state,region\n';

  test.each([
    [
      'an unknown state',
      `${HEAD}0,0,EXECUTE\n`,
      /2 REC005 state: expected one of EXEC, LOCAL, GLOBAL, WAIT, END, or one with a state of your own as in WAIT:locked, got "EXECUTE"/,
    ],
    ['an unknown column', 'worker,when,state\n', /1 REC004 unknown column "when"/],
    ['a missing column', 'worker,time\n', /1 REC004 column "state" is missing/],
    ['no header', '', /REC004 has no header/],
    ['no rows', HEAD, /WRK005 has no rows/],
    ['a time that is no number', `${HEAD}0,soon,EXEC\n`, /2 REC005 time: expected a decimal number, got "soon"/],
    ['a cell too many', `${HEAD}0,0,EXEC,loop\n`, /2 REC005 expected 3 cells, got 4/],
    [
      'an impossible transition',
      `${HEAD}0,0,WAIT\n0,1,EXEC\n0,2,END\n`,
      /3 WRK001 worker "0": WAIT of line 2 cannot be followed by EXEC: expected GLOBAL, or END/,
    ],
    ['an END without a state', `${HEAD}0,0,END\n`, /2 WRK001 worker "0": expected a state before its END/],
    [
      'time running backwards',
      `${HEAD}0,2,EXEC\n0,1,LOCAL\n0,3,END\n`,
      /3 WRK002 worker "0": time 1 is before 2 of line 2/,
    ],
    [
      'a worker that never ends',
      `${HEAD}0,0,EXEC\n1,0,EXEC\n0,1,END\n`,
      /3 WRK003 worker "1" never ends: expected a row with the state END/,
    ],
    [
      'a row after the END',
      `${HEAD}0,0,EXEC\n0,1,END\n0,2,EXEC\n`,
      /4 WRK004 worker "0": enters EXEC after its END in line 3/,
    ],
    ['two ENDs', `${HEAD}0,0,EXEC\n0,1,END\n0,2,END\n`, /4 WRK004 worker "0": ended in line 3 already/],
    ['a region without a name', `${REGIONS}0,0,EXEC,\n`, /2 WRK006 region: expected a name/],
    ['a region without time', `${REGIONS}0,1,EXEC,loop\n0,1,END,loop\n`, /WRK006 region "loop" takes no time/],
    [
      'an END of another region',
      `${REGIONS}0,0,EXEC,a\n0,1,END,b\n`,
      /3 WRK001 .*ends in region "b", but is in region "a"/,
    ],
  ])('worker states are refused: %s', (_, text, expected) => {
    expect(problems(text)[0]).toMatch(expected);
  });

  const fine = csvOf({ 0: own(2, 1, 1) });
  test.each([
    ['a share above 1', { active: 1.5 }, /DIAG001 active: expected a share from 0 to 1, got "1.5"/],
    ['a negative rate', { taskRate: -1 }, /DIAG001 taskRate/],
    ['no period', { period: 0 }, /DIAG001 period: expected seconds > 0/],
    ['an unknown region', { sequential: { al: 1 } }, /DIAG002 .*no region "al"\. Did you mean "all"/],
    ['a tiny period', { period: 1e-9 }, /DIAG003 period/],
    ['another way of counting', { counting: 'all' as never }, /DIAG001 counting: expected one of default, document/],
  ] as const)('an option of diagnose is refused: %s', (_, options, expected) => {
    expect(problems(fine, options as DiagnoseOptions)[0]).toMatch(expected);
  });

  test('a file of another kind', () => {
    expect(() => diagnose(join(folder, 'trace.ti'))).toThrow(/DIAG004/);
    expect(() => diagnose(join(folder, 'none.csv'))).toThrow(/REC001/);
  });

  test('changed characters are read or rejected', () => {
    const ignored = { span: () => {}, transition: () => {} };
    const read = (text: string): string[] => refused(() => readWorkerCsv(written(text), ignored));
    fc.assert(
      fc.property(
        workerRuns,
        fc.array(fc.tuple(fc.nat(), fc.constantFrom('', ',', '\n', '"', '-', 'e', '9', 'END', 'WAIT', '\0')), {
          minLength: 1,
          maxLength: 4,
        }),
        (rows, changes) => {
          let text = workerCsv(rows);
          for (const [at, by] of changes)
            text = text.slice(0, at % text.length) + by + text.slice((at % text.length) + 1);
          for (const line of read(text)) expect(line).toMatch(/^\d* (REC|WRK)\d{3} /);
        },
      ),
      { numRuns: effort(10_000) },
    );
  });
});

describe('run records and Chrome traces', () => {
  const writtenAs = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const states = { task: 'EXEC', steal: 'GLOBAL', idle: 'WAIT' } as const;
  const totals = (document: DiagnosisDocument): unknown[] =>
    only(document).workers!.map(({ worker, seconds, counters }) => [
      worker,
      seconds,
      Object.fromEntries(Object.entries(counters).filter(([, count]) => count > 0)),
    ]);
  const events = [
    { ph: 'X', name: 'task', ts: 0, dur: 2e6, pid: 1, tid: 7 },
    { ph: 'X', name: 'other', ts: 1e6, dur: 1e6, pid: 1, tid: 7 },
    { ph: 'M', name: 'thread_name', pid: 1, tid: 7 },
    // LOCAL between them takes no time.
    { ph: 'B', name: 'steal', ts: 2e6, pid: 1, tid: 7 },
    { ph: 'E', ts: 3e6, pid: 1, tid: 7 },
    // A gap: WAIT until 4 s, then GLOBAL takes no time.
    { ph: 'X', name: 'task', ts: 4e6, dur: 1e6, pid: 1, tid: 7 },
    { ph: 'X', name: 'task', ts: 5e6, dur: 1e6, pid: 1, tid: 7 },
  ];
  const expected = [
    '1:7',
    { exec: 4, local: 0, global: 1, wait: 1 },
    { execExec: 1, execLocal: 1, localGlobal: 1, globalWait: 1, waitGlobal: 1, globalExec: 1 },
  ];

  test('a name that no span has gives a warning', () => {
    const chrome = writtenAs('trace.json', JSON.stringify({ traceEvents: events }));
    const warned = (file: string, names: DiagnoseOptions['states']): string[] =>
      diagnose(file, { states: names! }).warnings.map(({ code, message }) => `${code} ${message}`);
    expect(warned(chrome, { ...states, tusk: 'EXEC' })).toEqual([
      expect.stringMatching(/^WRK007 states: no span has the name "idle" or "tusk"/),
    ]);
    const record = writtenAs(
      'run.csv',
      'process,node,start,end,state,call,interval\n0,n,0,2,computing,,all/task\n0,n,2,3,waiting,steal,all/queue\n',
    );
    expect(warned(record, { task: 'EXEC', steel: 'GLOBAL' })).toEqual([
      expect.stringMatching(/no span has the name "steel"\. Did you mean "steal"/),
    ]);
    // A state counts as a name, also where the interval of its rows has a state.
    expect(warned(record, { task: 'EXEC', steal: 'GLOBAL', computing: 'EXEC' })).toEqual([]);
  });

  test('a Chrome trace: spans by name, gaps, states that are left out', () => {
    const file = writtenAs('trace.json', JSON.stringify({ traceEvents: events }));
    expect(totals(diagnose(file, { states }))).toEqual([expected]);
    expect(totals(diagnose(writtenAs('list.json', JSON.stringify(events)), { states }))).toEqual([expected]);
    // A gap in GLOBAL is a second search.
    expect(totals(diagnose(file, { states, gaps: 'GLOBAL' }))).toEqual([
      [
        '1:7',
        { exec: 4, local: 0, global: 2, wait: 0 },
        { execExec: 1, execLocal: 1, localGlobal: 1, globalGlobal: 1, globalExec: 1 },
      ],
    ]);
  });

  test('a run record: names of calls, intervals and states', () => {
    const file = writtenAs(
      'states.csv',
      `process,node,start,end,state,call,interval
0,n,0,2,computing,,all/task
0,n,2,3,waiting,steal,all/queue
0,n,4,5,computing,,all/task
0,n,5,6,memory,,all/task
`,
    );
    const [, seconds, counters] = expected;
    expect(totals(diagnose(file, { states }))).toEqual([['0', seconds, counters]]);
    expect(only(diagnose(file, { states: { memory: 'EXEC', computing: 'EXEC' } })).workers![0]!.seconds.exec).toBe(4);
  });

  test('worker states as spans of a Chrome trace have the figures of the CSV', () => {
    fc.assert(
      fc.property(workerRuns, (rows) => {
        // The first region of every worker.
        const ended = [...new Set(rows.map((r) => r.worker))].flatMap((worker) => {
          const own = rows.filter((r) => r.worker === worker);
          const end = own.findIndex((r) => r.region !== 'r0');
          const life = (end < 0 ? own : own.slice(0, end)).map((r) => ({ ...r, region: 'all' }));
          const last = life.at(-1)!;
          return last.state === 'END' ? life : [...life, { ...last, time: own[end]!.time, state: 'END' as const }];
        });
        const spans = ended.flatMap((row, k) =>
          row.state === 'END'
            ? []
            : [
                {
                  ph: 'X',
                  name: row.state,
                  ts: row.time * 1e6,
                  dur: (ended[k + 1]!.time - row.time) * 1e6,
                  pid: 0,
                  tid: row.worker,
                },
              ],
        );
        const identity = { EXEC: 'EXEC', LOCAL: 'LOCAL', GLOBAL: 'GLOBAL', WAIT: 'WAIT' } as const;
        const csv = diagnosed(workerCsv(ended));
        const chrome = diagnose(writtenAs('random.json', JSON.stringify(spans)), { states: identity });
        const counters = (document: DiagnosisDocument): unknown =>
          only(document).workers!.map((w) => [w.worker.replace('0:', ''), w.counters]);
        expect(counters(chrome)).toEqual(counters(csv));
        expect(only(chrome).activeShare).toBeCloseTo(only(csv).activeShare, 9);
      }),
      { numRuns: effort(300) },
    );
  });

  test.each([
    ['no JSON', '{', /REC002 is not JSON/],
    ['no events', '{"a": 1}', /REC002 has no list traceEvents/],
    ['an event that is no object', '[1]', /REC005 event 0: expected an object/],
    ['an event without time', '[{"ph":"X","name":"task"}]', /REC005 event 0: ts: is missing: expected microseconds/],
    ['a negative span', '[{"ph":"X","name":"task","ts":5,"dur":-1}]', /REC006 event 0/],
    ['an end without a begin', '[{"ph":"E","ts":5}]', /REC009 event 0/],
    ['no spans of workers', '[]', /WRK005 has no spans of workers: expected one of the names task, steal, idle/],
    [
      'spans that overlap',
      '[{"ph":"X","name":"task","ts":0,"dur":5},{"ph":"X","name":"task","ts":3,"dur":5}]',
      /WRK002 worker "0:0": a span begins at/,
    ],
  ])('a Chrome trace is refused: %s', (_, text, message) => {
    expect(() => diagnose(writtenAs('bad.json', text), { states })).toThrow(message);
  });

  test('states are required for a Chrome trace, and are states of workers', () => {
    const file = writtenAs('trace.json', '[]');
    expect(() => diagnose(file)).toThrow(/DIAG004 a Chrome trace: expected states of its spans/);
    expect(() => diagnose(file, { states: { task: 'RUN' as never } })).toThrow(/DIAG001 task: expected one of EXEC/);
  });
});

test('100,000 workers', () => {
  const rows = Array.from({ length: 100_000 }, (_, w) => `${w},0,EXEC\n${w},${1 + (w % 7)},LOCAL\n${w},8,END\n`);
  const region = only(diagnosed(`worker,time,state\n${rows.join('')}`));
  expect(region.workersCount).toBe(100_000);
  expect(region.workers).toHaveLength(100_000);
});

test('the page and the JSON text hold the finding', () => {
  const document = diagnosed(csvOf({ 0: own(4, 1, 0.1), 1: stolen(4, 0.5, 0.5), 2: stolen(4, 0.5, 0.5) }));
  const page = renderDiagnosis(document, { colour: false, unicode: false, width: 80 } as never);
  expect(page).toContain('linear-spawning: one worker spawns most tasks.');
  expect(page).toContain('Advice: spawn tasks recursively');
  expect(page.split('\n').every((line) => line.length <= 80)).toBe(true);
  expect(JSON.parse(diagnosisJson(document))).toEqual(JSON.parse(JSON.stringify(document)));
});

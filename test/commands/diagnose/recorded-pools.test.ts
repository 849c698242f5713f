import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import { renderDiagnosis } from '../../../src/commands/diagnose/diagnose-view.ts';
import type { DiagnosedWorker, DiagnosisDocument } from '../../../src/commands/diagnose/diagnosis-document.ts';
import type { DiagnoseOptions } from '../../../src/commands/diagnose/diagnosis-options.ts';
import { threads } from '../../../src/models.ts';

const folder = mkdtempSync(join(tmpdir(), 'recorded-pools-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const from = (name: string, text: string, options?: DiagnoseOptions): DiagnosisDocument => {
  writeFileSync(join(folder, name), text);
  return diagnose(join(folder, name), options);
};
const workersOf = (document: DiagnosisDocument): readonly DiagnosedWorker[] => document.regions[0]!.workers!;
const view = (document: DiagnosisDocument): string =>
  renderDiagnosis(document, { width: 120, unicode: true, colour: false });

describe('spans of Chrome traces by pattern and category', () => {
  const trace = JSON.stringify([
    { ph: 'X', name: 'task 1', cat: 'task,user', pid: 1, tid: 1, ts: 0, dur: 900 },
    { ph: 'X', name: 'task 2', cat: 'task', pid: 1, tid: 2, ts: 0, dur: 100 },
    { ph: 'B', name: 'steal', cat: 'sched', pid: 1, tid: 2, ts: 100 },
    { ph: 'E', pid: 1, tid: 2, ts: 900 },
  ]);
  const seconds = (states: DiagnoseOptions['states']): number[][] =>
    workersOf(from('trace.json', trace, { states: states! })).map((w) =>
      [w.seconds.exec, w.seconds.global, w.seconds.wait].map((x) => Math.round(1e6 * x)),
    );
  const both = [
    [900, 0, 0],
    [100, 800, 0],
  ];

  test.each<[string, DiagnoseOptions['states']]>([
    ['categories', { 'cat:task': 'EXEC', 'cat:sched': 'GLOBAL' }],
    ['a pattern at the end', { 'task*': 'EXEC', steal: 'GLOBAL' }],
    ['patterns inside and at the begin', { 't*k *': 'EXEC', '*eal': 'GLOBAL' }],
    ['a pattern of categories', { 'cat:t*k': 'EXEC', 'cat:*': 'EXEC', steal: 'GLOBAL' }],
    ['a full name has priority', { '*': 'EXEC', steal: 'GLOBAL' }],
  ])('spans are chosen by %s', (_, states) => {
    expect(seconds(states)).toEqual(both);
  });

  test.each<[string, DiagnoseOptions['states']]>([
    ['names', { 'task*': 'EXEC', '*1': 'WAIT' }],
    ['a name and a category', { 'task*': 'EXEC', 'cat:user': 'LOCAL' }],
    ['own states of one state', { 'task*': 'EXEC:a', '*1': 'EXEC:b' }],
  ])('patterns that give a span two states are refused: %s', (_, states) => {
    expect(() => seconds(states)).toThrow(/WRK008 states: the span "task 1" matches/);
  });

  test('a star matches no name that is shorter than the rest of the pattern', () => {
    // "aba" is no match of "ab*ba": the parts would overlap.
    const text = JSON.stringify([{ ph: 'X', name: 'aba', pid: 1, tid: 1, ts: 0, dur: 9 }]);
    expect(() => from('overlap.json', text, { states: { 'ab*ba': 'EXEC' } })).toThrow(/WRK005/);
  });

  test('a pattern that matches nothing is reported', () => {
    const { warnings } = from('trace.json', trace, { states: { 'task*': 'EXEC', 'cat:none*': 'WAIT' } });
    expect(warnings).toMatchObject([{ code: 'WRK007', message: expect.stringContaining('cat:none*') }]);
  });

  test('own states refine those of the life-cycle, in the text as well', () => {
    const document = from('trace.json', trace, { states: { 'task*': 'EXEC:user code', steal: 'GLOBAL:stealing' } });
    const [first, second] = workersOf(document);
    expect(first!.own).toEqual({ 'user code': first!.seconds.exec });
    expect(second!.own).toEqual({ 'user code': second!.seconds.exec, stealing: second!.seconds.global });
    expect(view(document)).toMatch(/Own states\nworker +user code +stealing\n1:1 +100 % +0 %\n1:2 +11 % +89 %/);
  });
});

describe('own states of worker states as CSV', () => {
  const rows = [
    'worker,time,state',
    ...['0,0,EXEC:assembly', '0,1,EXEC:solver', '0,3,EXEC:solver', '0,4,LOCAL', '0,4.5,EXEC', '0,5,END'],
    ...['1,0,WAIT:asleep', '1,2,WAIT:locked', '1,3,GLOBAL', '1,3,EXEC', '1,5,END'],
  ];

  test('refine states; another name for the same state is no transition', () => {
    const document = from('own.csv', `${rows.join('\n')}\n`);
    const [first, second] = workersOf(document);
    expect(first!.own).toEqual({ assembly: 1, solver: 3 });
    expect(second!.own).toEqual({ asleep: 2, locked: 1 });
    // EXEC:solver after EXEC:solver is the next task.
    expect(first!.counters).toMatchObject({ execExec: 1, execLocal: 1, localExec: 1 });
    expect(second!.counters).toMatchObject({ waitGlobal: 1, globalExec: 1 });
    expect(first!.seconds).toEqual({ exec: 4.5, local: 0.5, global: 0, wait: 0 });
    expect(view(document)).toMatch(/Own states\nworker +assembly +solver +asleep +locked\n/);
    const part = from('own.csv', `${rows.join('\n')}\n`, { from: 0.5, to: 2.5 });
    expect(workersOf(part).map(({ own }) => own)).toEqual([
      { assembly: 0.5, solver: 1.5 },
      { asleep: 1.5, locked: 0.5 },
    ]);
  });

  test.each(['LOCKED', 'WAIT:', 'wait:locked'])('%s is refused', (state) => {
    expect(() => from('bad.csv', `worker,time,state\n0,0,${state}\n0,1,END\n`)).toThrow(
      /REC005.*or one with a state of your own as in WAIT:locked/,
    );
  });
});

describe('units of worker states', () => {
  const rows = (times: readonly number[], head = 'worker,time,state'): string =>
    `${head}\n0,${times[0]},EXEC\n0,${times[1]},LOCAL\n0,${times[2]},END\n`;
  const ns = [1_234_567_890_123, 1_234_567_899_123, 1_234_567_899_200];

  test('a range of nanoseconds is refused as seconds, and names the option', () => {
    expect(() => from('ns.csv', rows(ns))).toThrow(/REC005.*expected seconds.*--unit/);
  });

  test.each<[string, string, DiagnoseOptions]>([
    ['the option', rows(ns), { unit: 'ns' }],
    ['the column', rows(ns, 'worker,time_ns,state'), {}],
    ['both', rows(ns, 'worker,time_ns,state'), { unit: 'ns' }],
  ])('the unit is given by %s', (_, text, options) => {
    const { seconds } = workersOf(from('ns.csv', text, options))[0]!;
    expect(1e9 * seconds.exec).toBeCloseTo(9000, 0);
    expect(1e9 * seconds.local).toBeCloseTo(77, 0);
  });

  test('contradicting units are refused', () => {
    expect(() => from('ns.csv', rows(ns, 'worker,time_us,state'), { unit: 'ns' })).toThrow(/REC004.*contradicts/);
  });

  test('whole numbers over a long range are suspect; fractions, short ranges and given units are not', () => {
    const warned = (times: readonly number[], options?: DiagnoseOptions): string[] =>
      from('w.csv', rows(times), options).warnings.map(({ code }) => code);
    expect(warned([0, 500_000, 900_000])).toEqual(['WRK009']);
    expect(warned([0, 500_000.5, 900_000])).toEqual([]);
    expect(warned([0, 500, 900])).toEqual([]);
    expect(warned([0, 500_000, 900_000], { unit: 's' })).toEqual([]);
  });
});

describe('the text of perf sched script', () => {
  const out = (tid: number, at: string, state: string, next: number, comm = 'app'): string =>
    ` ${comm} ${tid} [000] ${at}: sched:sched_switch: prev_comm=${tid === 0 ? 'swapper/0' : comm} prev_pid=${tid} prev_prio=120 prev_state=${state} ==> next_comm=${next === 0 ? 'swapper/0' : 'app'} next_pid=${next} next_prio=120`;
  const text = [
    out(1, '10.000000', 'R+', 2),
    out(2, '10.002000', 'S', 1),
    out(1, '10.005000', 'D', 0, 'app'),
    ' kworker 9 [001] 10.006000: sched:sched_wakeup: comm=app pid=2 prio=120 target_cpu=000',
    out(0, '10.007000', 'R', 2),
    out(2, '10.010000', 'S', 0),
  ].join('\n');
  const ms = (of: Readonly<Record<string, number>> | undefined): Record<string, number> =>
    Object.fromEntries(Object.entries(of ?? {}).map(([name, s]) => [name, Math.round(1e3 * s)]));

  test('a thread executes between the switches to it and away; the time without a processor is split', () => {
    const [first, second] = workersOf(from('sched.txt', text));
    expect([first!.worker, second!.worker]).toEqual(['app:1', 'app:2']);
    expect(ms(first!.seconds)).toEqual({ exec: 3, local: 0, global: 0, wait: 7 });
    expect(ms(first!.own)).toEqual({ runnable: 2, uninterruptible: 5 });
    expect(ms(second!.seconds)).toEqual({ exec: 5, local: 0, global: 0, wait: 5 });
    // Asleep until the wake-up at 6 ms, then runnable for 1 ms.
    expect(ms(second!.own)).toEqual({ sleeping: 4, runnable: 1 });
  });

  test('a short region far from 0 has its length, not twice the same time', () => {
    const later = text.replaceAll(/ 10\.(\d{6}):/g, ' 123456.$1:');
    expect(view(from('later.txt', later))).toContain('Region all, 10.00 ms from 34.29 h on');
    expect(view(from('sched.txt', text))).toContain('Region all, 10.00 s to 10.01 s');
  });

  test('the short form of newer versions', () => {
    const short = text.replace(
      /prev_comm=(\S+) prev_pid=(\d+) prev_prio=120 prev_state=(\S+) ==> next_comm=(\S+) next_pid=(\d+) next_prio=120/g,
      '$1:$2 [120] $3 ==> $4:$5 [120]',
    );
    expect(short).not.toContain('prev_comm');
    expect(from('short.txt', short).regions).toEqual(from('sched.txt', text).regions);
  });

  test('states choose the workers by command', () => {
    const other = `${text}\n${out(7, '10.011000', 'S', 0, 'editor')}`;
    expect(workersOf(from('sched.txt', other)).map(({ worker }) => worker)).toContain('editor:7');
    expect(workersOf(from('sched.txt', other, { states: { 'a*': 'EXEC' } })).map(({ worker }) => worker)).toEqual([
      'app:1',
      'app:2',
    ]);
  });

  test.each([
    ['no switch', 'hello\n', /REC002/],
    [
      'a thread on two processors',
      `${out(1, '1.0', 'S', 2)}\n${out(3, '2.0', 'S', 2)}`,
      /WRK002.*comes to a processor/,
    ],
    ['a thread that leaves twice', `${out(1, '1.0', 'S', 0)}\n${out(1, '2.0', 'S', 0)}`, /WRK002.*leaves a processor/],
    ['times that run backwards', `${out(1, '3.0', 'S', 2)}\n${out(2, '2.0', 'S', 1)}`, /WRK002.*before/],
    ['no worker', out(0, '1.0', 'R', 0), /WRK005/],
  ])('text is refused: %s', (_, bad, message) => {
    expect(() => from('bad.txt', bad)).toThrow(message);
  });
});

describe('a part of the run', () => {
  // Two tasks of 4 s on each worker; worker 1 looks for the second one for 2 s.
  const text =
    'worker,time,state\n0,0,EXEC\n0,4,LOCAL\n0,4,EXEC\n0,8,LOCAL\n0,10,END\n1,0,EXEC\n1,4,LOCAL\n1,4,GLOBAL\n1,6,EXEC\n1,10,END\n';

  test('seconds and per cent give the same part; spans are cut and counts are those inside', () => {
    const part = from('w.csv', text, { from: 3, to: 7 });
    expect(part.window).toEqual({ from: 3, to: 7 });
    expect(from('w.csv', text, { from: '30%', to: '70%' }).regions).toEqual(part.regions);
    const [region] = part.regions;
    expect(region).toMatchObject({ from: 3, to: 7, seconds: 4, ownTasks: 1, otherTasks: 1, tasks: 4 });
    expect(workersOf(part).map((w) => w.seconds)).toEqual([
      { exec: 4, local: 0, global: 0, wait: 0 },
      { exec: 2, local: 0, global: 2, wait: 0 },
    ]);
    expect(view(part)).toMatch(/from 3 s to 7 s/);
  });

  test('parts add up to the whole', () => {
    const [whole, ...parts] = [{}, { to: 5 }, { from: 5 }].map((options) => workersOf(from('w.csv', text, options)));
    whole!.forEach((worker, w) => {
      for (const state of ['exec', 'local', 'global', 'wait'] as const)
        expect(parts.reduce((sum, part) => sum + part[w]!.seconds[state], 0)).toBeCloseTo(worker.seconds[state], 12);
      for (const counter of Object.keys(worker.counters) as (keyof typeof worker.counters)[])
        expect(parts.reduce((sum, part) => sum + part[w]!.counters[counter], 0)).toBe(worker.counters[counter]);
    });
  });

  test('a part of a model', () => {
    const model = threads({
      name: 'two loops',
      build(t) {
        for (const name of ['one', 'two'])
          t.parallelFor({ name, n: 64, grain: 1, body: (b) => b.compute({ seconds: (s) => s['count']! * 1e-3 }) });
      },
    });
    const whole = diagnose(model, { workers: 2, gain: false });
    expect(whole.regions.map(({ name }) => name)).toEqual(['one', 'two']);
    const half = diagnose(model, { workers: 2, gain: false, to: '25%' });
    expect(half.regions.map(({ name }) => name)).toEqual(['one']);
    expect(half.regions[0]!.to).toBeCloseTo(whole.model!.runTime / 4, 12);
  });

  test.each<[string, DiagnoseOptions]>([
    ['outside', { to: 11 }],
    ['empty', { from: 5, to: 5 }],
  ])('a part that is %s is refused', (_, options) => {
    expect(() => from('w.csv', text, options)).toThrow(/PROF001/);
  });

  test('all eight counters of each worker are in the text', () => {
    expect(view(from('w.csv', text))).toMatch(
      /worker +E→E +E→L +L→E +L→G +G→G +G→E +G→W +W→G\n0 +0 +2 +1 +0 +0 +0 +0 +0\n1 +0 +1 +0 +1 +0 +1 +0 +0/,
    );
  });
});

describe('thresholds and their sources', () => {
  // 300,000 tasks a second; the search between them is 10 % of the time and more.
  const lines = Array.from({ length: 300 }, (_, k) => `0,${k * 1e-5},EXEC\n0,${k * 1e-5 + 8e-6},LOCAL`);
  const text = `worker,time,state\n${lines.join('\n')}\n0,0.003,END\n`;
  const rate = (options: DiagnoseOptions): unknown => {
    const { thresholds } = from('w.csv', text, options);
    const { value, from: origin } = thresholds.find(
      ({ threshold }) => threshold === 'taskRate' || threshold === 'handling',
    )!;
    return [Math.round(1e6 * value) / 1e6, origin];
  };

  test.each<[DiagnoseOptions, unknown]>([
    [{}, [0.1, 'costs']],
    [{ counting: 'document' }, [400_000, 'default']],
    [{ ticks: 5000 }, [400_000, 'ticks']],
    [{ ticks: 5000, clock: 3e9 }, [600_000, 'ticks']],
    [{ preset: 'openmp', clock: 3e9 }, [500_000, 'preset']],
    [{ preset: 'tbb' }, [20_000, 'preset']],
    [{ preset: 'cilk', clock: 3e9 }, [200_000, 'preset']],
    [{ taskRate: 7 }, [7, 'given']],
  ])('rate of tasks with %j', (options, expected) => {
    expect(rate(options)).toEqual(expected);
  });

  test('the rate of a preset decides', () => {
    const causes = (options: DiagnoseOptions): string[] =>
      from('w.csv', text, options).regions[0]!.findings.map(({ cause }) => cause);
    // 100,000 tasks a second of one worker.
    expect(causes({ preset: 'tbb' })).toEqual(['fine-grain']);
    expect(causes({ ticks: 5000 })).toEqual(['unknown']);
  });

  test.each<[string, DiagnoseOptions, RegExp]>([
    ['two rates', { ticks: 5000, preset: 'tbb' }, /ticks and preset: expected one of them/],
    ['a clock alone', { clock: 2e9 }, /clock: expected ticks or a preset/],
    ['negative ticks', { ticks: -1 }, /ticks: expected a number > 0/],
    ['an unknown preset', { preset: 'x' as never }, /preset: expected one of openmp, tbb, cilk, document/],
    ['an unknown unit', { unit: 'h' as never }, /unit: expected one of s, ms, us, ns/],
  ])('options are refused: %s', (_, options, message) => {
    expect(() => from('w.csv', text, options)).toThrow(message);
  });
});

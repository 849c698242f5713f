import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { spmd } from '../../../src/models.ts';

/** Studies of several programs: each scenario is the prediction of all of them. */
const dir = mkdtempSync(join(tmpdir(), 'foretoken-jobs-study-'));
afterAll(() => rmSync(dir, { recursive: true }));
const trace = (name: string, bytes: number): string => {
  const path = join(dir, `${name}.ti`);
  const lines = [
    [`send 1 0 ${bytes}`, 'allreduce 50000 0'],
    [`recv 0 0 ${bytes}`, 'allreduce 50000 0'],
  ];
  writeFileSync(path, lines.flatMap((own, r) => ['init', ...own, 'finalize'].map((line) => `${r} ${line}\n`)).join(''));
  return path;
};
const A = trace('A', 4_000_000);
const B = trace('B', 1_500_000);
const C = trace('C', 800_000);
const machine = 'simgrid-backbone';

test('scenarios have the run times of all programs and of each job, as predict gives them', async () => {
  const common = { machine, otherPrograms: [B, C], start: { C: 0.004 } };
  const { axes, scenarios, inputs, options } = await whatif(A, {
    ...common,
    workers: 1,
    vary: { 'start.B': [0, '10ms', 0.05], 'machine.link.bandwidth': ['x1', 'x0.25'] },
  });
  expect(axes.map(({ name }) => name)).toEqual(['start.B', 'machine.link.bandwidth']);
  expect(inputs.map(({ role, path }) => `${role} ${path.slice(-4)}`)).toEqual([
    'trace A.ti',
    'trace B.ti',
    'trace C.ti',
  ]);
  expect(options).toMatchObject({ start: 'C=0.004', machine });
  for (const { values, figures } of scenarios.filter(({ values: v }) => v['machine.link.bandwidth'] === 'x1')) {
    const start = values['start.B'] === '10ms' ? 0.01 : Number(values['start.B']);
    const alone = predict(A, { ...common, start: { C: 0.004, B: start } });
    expect(figures!['runTime']!.value).toBe(alone.figures.runTime.value);
    for (const { name, runTime, end } of alone.jobs!) {
      expect(figures![`run time of job ${name}`]).toEqual({ value: runTime, unit: 's' });
      expect(figures![`end of job ${name}`]).toEqual({ value: end, unit: 's' });
    }
  }
  // A slower network makes every job slower.
  expect(scenarios[1]!.figures!['run time of job C']!.value).toBeGreaterThan(
    scenarios[0]!.figures!['run time of job C']!.value,
  );
});

test('a job that deadlocks has no run time; the others have theirs', async () => {
  const stuck = join(dir, 'stuck.ti');
  writeFileSync(stuck, '0 init\n0 recv 1 0 8\n0 finalize\n1 init\n1 recv 0 0 8\n1 finalize\n');
  const { scenarios } = await whatif(A, {
    machine,
    otherPrograms: [stuck],
    workers: 1,
    vary: { 'start.stuck': [0, 1] },
  });
  expect(scenarios.map(({ status }) => status)).toEqual(['deadlock', 'deadlock']);
});

test('a second job of a name is an axis, too', async () => {
  const vary = { 'start.A#2': [0, 1] };
  const { scenarios } = await whatif(A, { machine, otherPrograms: [A], workers: 1, vary });
  const late = scenarios.map(({ figures }) => figures!['end of job A#2']!.value);
  expect(late[1]!).toBeGreaterThan(1);
});

const several = { machine, otherPrograms: [B], workers: 1, vary: { 'start.B': [0, 1] } };
test.each([
  [{ start: { B: 1 } }, 'WHAT005 axis start.B: option start fixes it to 1: give the option or the axis'],
  [
    { vary: { 'start.b': [0] } },
    'WHAT007 axis start.b: a study of several programs has no axis "start.b". Did you mean "start.B"?',
  ],
  [
    { vary: { ranks: [2] } },
    'WHAT007 axis ranks: a study of several programs has no axis "ranks": the numbers of ranks are recorded.',
  ],
  [{ vary: { 'loggops.L': [2] } }, 'WHAT007 axis loggops.L: a study of several programs has no axis "loggops.L".'],
  [{ start: { D: 1 } }, 'APP063 start: no job is named "D".'],
  [{ ranks: 2 }, 'APP065 whatif: option ranks belongs to a single trace'],
  [{ otherPrograms: ['-'] }, 'WHAT014 every scenario reads the traces'],
  [{ otherPrograms: ['model.ts'] }, 'APP065 is a model: programs that run at once are traces, all of them'],
  [{ otherPrograms: [join(dir, 'none.ti')] }, 'none.ti'],
])('refuses %j', async (options, message) => {
  await expect(whatif(A, { ...several, ...options } as never)).rejects.toThrow(message);
});

test('a value of a start that is no time fails its scenario', async () => {
  const { scenarios } = await whatif(A, { ...several, vary: { 'start.B': ['soon', 0, -1] } });
  expect(scenarios.map(({ status, problems }) => [status, problems?.[0]?.message])).toEqual([
    ['failed', 'expected seconds, or a time such as "1.5s", got "soon"'],
    ['done', undefined],
    ['failed', 'start of job "B": expected seconds from 0 to 1000000000, got -1'],
  ]);
});

test('programs besides a model are refused', async () => {
  const model = spmd({ name: 'alone', build: (m) => m.barrier() });
  await expect(whatif(model, { otherPrograms: [B], vary: { ranks: [1] } } as never)).rejects.toThrow(
    'APP065 is a model: programs that run at once are traces, all of them',
  );
});

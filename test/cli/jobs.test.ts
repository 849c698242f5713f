import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cluster, foretoken, stencil } from './run.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-cli-jobs-'));
afterAll(() => rmSync(dir, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const pair = (name: string, there: string, back: string): string =>
  file(`${name}.ti`, `0 init\n1 init\n0 ${there}\n1 ${back}\n0 finalize\n1 finalize\n`);
const A = pair('A', 'send 1 0 1000', 'recv 0 0 1000');
const B = pair('B', 'compute 1e6', 'compute 2e6');
const stuck = pair('stuck', 'recv 1 0 8', 'recv 0 0 8');

test('jobs have a table with start, end and run time', async () => {
  const { code, stdout } = await foretoken(['predict', A, B, '-m', cluster, '--start', 'B=0.5']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^job +start +end +run time/m);
  expect(stdout).toMatch(/^B +500/m);
});

test('the rows of a timeline and the placement name the jobs', async () => {
  const hosts = file('own.txt', 'node3\nnode4\n');
  const out = join(dir, 'jobs.json');
  const { stdout } = await foretoken(['predict', A, B, '-m', cluster, '--job-hostfile', `B=${hosts}`, '--trace', out]);
  expect(stdout).toContain('job after job; B by hostfile');
  const names = [...readFileSync(out, 'utf8').matchAll(/"name": ?"([AB]: rank \d on \w+)"/g)].map(([, name]) => name);
  expect(names).toEqual(['A: rank 0 on node0', 'A: rank 1 on node1', 'B: rank 0 on node3', 'B: rank 1 on node4']);
});

test('a deadlock of one job ends with 1 and names the job and its rank', async () => {
  const { code, stdout } = await foretoken(['predict', A, stuck, '-m', cluster, '--start', 'stuck=0.5']);
  expect(code).toBe(1);
  expect(stdout).toContain('rank 2 (rank 0 of job stuck): recv 1 0 8');
});

test('a start that is no time, an unknown job and a job given twice end with 2', async () => {
  const run = (...starts: string[]) =>
    foretoken(['predict', A, B, '-m', cluster, ...starts.flatMap((s) => ['--start', s])]);
  for (const bad of ['B=-1', 'B=x', 'B=', 'B', 'B=inf']) {
    const { code, stderr } = await run(bad);
    expect(code, bad).toBe(2);
    expect(stderr).toContain('Expected');
  }
  expect((await run('b=1')).stderr).toContain('APP063 start: no job is named "b". Did you mean "B"?');
  expect((await run('B=1', 'B=2')).stderr).toContain('job "B" is given twice');
});

test('programs that are not traces are refused, wherever they are', async () => {
  const model = file('model.ts', 'export default 1;');
  const found = await foretoken(['predict', A, model, '-m', cluster]);
  expect(found.code).toBe(2);
  expect(found.stderr).toContain('APP065 is a model');
  const net = await foretoken(['predict', 'examples/none.json', A, '-m', cluster]);
  expect(net.code).toBe(2);
});

test('rerun repeats a result of several jobs', async () => {
  const hosts = file('hosts.txt', 'node3\nnode4\n');
  const run = await foretoken([
    'predict',
    stencil,
    A,
    B,
    '-m',
    cluster,
    '--oversubscribe',
    '--start',
    'A=0.01',
    '--json',
    '--job-hostfile',
    `B=${hosts}`,
  ]);
  expect(run.stderr).toBe('');
  const again = await foretoken(['rerun', file('result.json', run.stdout)]);
  expect(again.code, again.stderr).toBe(0);
});

test('a study of several programs has a column for each job', async () => {
  const { code, stdout } = await foretoken(['whatif', A, B, '-m', cluster, '--vary', 'start.B=0,500ms']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ *start\.B +run time +change .*job A +job B/m);
  const csv = await foretoken(['whatif', A, B, '-m', cluster, '--start', 'A=0.25', '--vary', 'start.B=0,0.5', '--csv']);
  expect(csv.stdout).toContain('run time of job A [s],end of job A [s],run time of job B [s],end of job B [s]');
  const twice = await foretoken(['whatif', A, B, '-m', cluster, '--start', 'B=1', '--vary', 'start.B=0,1']);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('option start fixes it to 1')]);
});

test('the record of several programs is written, and profiled by job', async () => {
  const run = join(dir, 'both.jsonl');
  expect((await foretoken(['predict', A, B, '-m', cluster, '--run', run])).code).toBe(0);
  const { code, stdout } = await foretoken(['profile', run, '--level', '1']);
  expect(code).toBe(0);
  expect(stdout).toContain('A + B · simulated');
  expect(stdout).toMatch(/^B +[\d.]+ [mµ]s/m);
});

test('profiles and pages take several programs', async () => {
  const { code, stdout } = await foretoken(['profile', A, B, '-m', cluster, '--start', 'B=0.5', '--level', '1']);
  expect(code).toBe(0);
  expect(stdout).toContain('A + B · simulated');
  const page = join(dir, 'both.html');
  expect((await foretoken(['view', A, B, '-m', cluster, '-o', page])).code).toBe(0);
  expect(readFileSync(page, 'utf8')).toContain('<title>A + B');
  const model = file(
    'alone.ts',
    "import { spmd } from 'foretoken/models';\nexport default spmd({ name: 'x', build: (m) => m.barrier() });\n",
  );
  for (const command of ['profile', 'view']) {
    const refused = await foretoken([command, model, A, ...(command === 'view' ? ['-o', page] : [])]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('APP065 is a model')]);
    const ranks = await foretoken([
      command,
      A,
      B,
      '-m',
      cluster,
      '--ranks',
      '2',
      ...(command === 'view' ? ['-o', page] : []),
    ]);
    expect([ranks.code, ranks.stderr]).toEqual([2, expect.stringContaining('option ranks belongs to a single trace')]);
  }
  const mixed = await foretoken(['profile', A, 'run.ftrun']);
  expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining('PROF006 expected a run record')]);
});

test('profiles and pages take parameters of LogGOPS', async () => {
  const { code, stdout } = await foretoken(['profile', A, '-m', cluster, '--loggops', 'L=5000']);
  expect(code).toBe(0);
  expect(stdout).toContain('MPI_Recv');
  const page = join(dir, 'loggops.html');
  expect((await foretoken(['view', A, '-m', cluster, '--loggops', 'L=5000', '-o', page])).code).toBe(0);
});

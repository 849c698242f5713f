import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { warmly } from './warm.ts';

/** Thread models on the command line. */
const dir = mkdtempSync(join(tmpdir(), 'foretoken-threads-'));
afterAll(() => rmSync(dir, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const machine = file(
  'node.yaml',
  `nodes: 1
coresPerNode: 4
speed: 1Gf
link: { latency: 1us, bandwidth: 1GB/s }
eagerBelow: 0
threads: { steal: 400ns, spawn: 40ns }
`,
);
const loop = file(
  'loop.ts',
  `import { threads } from 'foretoken/models';
export default threads({
  name: 'loop',
  params: { n: 100, grain: 1 },
  build(t) {
    t.parallelFor({ n: t.p.n, grain: t.p.grain, name: 'the loop', body: (b) => b.compute({ flops: (s) => 1e4 * s.count }) });
  },
});
`,
);
const deadlock = file(
  'deadlock.ts',
  `import { threads } from 'foretoken/models';
export default threads({
  name: 'deadlock',
  build(t) {
    const m = t.mutex('m', 2);
    t.parallel(2, () => {
      t.lock(m, (s) => s.thread);
      t.compute({ seconds: 1 });
      t.lock(m, (s) => 1 - s.thread);
    });
  },
});
`,
);

describe('predict', () => {
  test('a page with workers, regions and steps of the scheduler', async () => {
    const { code, stdout } = await warmly(['predict', loop, '-m', machine, '--workers', '2', '--victim', 'nearest']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Run time 5\d\d\.\d µs/);
    expect(stdout.replaceAll('\n', ' ')).toMatch(/workers 2 (?:· )?scheduler stealing (?:· )?victim nearest/);
    expect(stdout).toMatch(/^Why +The workers' time: computing 98 %/m);
    expect(stdout).toMatch(/^Workers, in µs/m);
    expect(stdout).toMatch(/^the loop +1 /m);
    expect(stdout).toMatch(/^Scheduler stealing, number of its steps\n.*looks 100/m);
  });

  test('--json prints the document, and rerun repeats it', async () => {
    const args = [
      'predict',
      loop,
      '-m',
      machine,
      '--workers',
      '3',
      '--scheduler',
      'central',
      '--no-bypass',
      '--set',
      'grain=5',
    ];
    const { code, stdout } = await warmly([...args, '--json']);
    expect(code).toBe(0);
    const document = JSON.parse(stdout);
    expect(document.options).toMatchObject({ workers: 3, scheduler: 'central', bypass: 'no', 'model.grain': 5 });
    expect(document.machine.threads).toMatchObject({ steal: 4e-7, spawn: 4e-8, lock: 7e-9 });
    expect(document.workers).toHaveLength(3);
    const again = await warmly(['rerun', '--trust', file('result.json', stdout)]);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/^identical: run time/);
  });

  test('replications in threads', async () => {
    const { code, stdout } = await warmly([
      'predict',
      loop,
      '-m',
      machine,
      '--workers',
      '4',
      '--replications',
      '4',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).replications.count).toBe(4);
    expect(JSON.parse(stdout).workers).toHaveLength(4);
  });

  test('a deadlock: exit code 1, with the holders', async () => {
    const { code, stdout } = await warmly(['predict', deadlock, '-m', machine]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Deadlock after 1\.000 s/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /thread 0 of parallel deadlock\.ts:6: lock m\[1\], deadlock\.ts:9, held by thread 1 of parallel deadlock\.ts:6/,
    );
  });

  test('without a machine, an assumed one', async () => {
    const { stdout } = await warmly(['predict', loop, '--workers', '2']);
    expect(stdout).toContain('ASSUMED machine sdsc-gordon-switch');
  });

  test.each([
    [['--workers', '0'], /--workers <number>' argument '0' is invalid/],
    [['--workers', '1000001'], /THR010 workers: expected an integer from 1 to 1000000/],
    [['--scheduler', 'fair'], /THR010 scheduler: expected one of stealing/],
    [['--victim', 'any'], /THR010 victim: expected one of random, nearest, last, got "any"/],
    [['--take', 'two'], /THR010 take: expected one of one, half, got "two"/],
    [['--pool', 'stak'], /THR010 pool: expected one of migrating, stack, isolated, got "stak"\. Did you mean "stack"/],
    [
      ['--spawn', 'work'],
      /THR010 spawn: expected one of help-first, work-first, got "work"\. Did you mean "work-first"/,
    ],
    [['--allocator', 'heap'], /THR010 allocator: expected one of buffered, own, shared, got "heap"/],
    [['--scheduler', 'central', '--take', 'half'], /THR010 take: scheduler central does not have this option/],
    [['--ranks', '2'], /THR011 .*option ranks does not apply/],
    [['--precision', '1%', '--scheduler', 'static'], /APP024/],
  ])('bad input: %j', async (args, says) => {
    const { code, stderr } = await warmly(['predict', loop, '-m', machine, ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(says);
  });

  test('a trace has no scheduler', async () => {
    const { code, stderr } = await warmly([
      'predict',
      'examples/stencil/stencil-8.ti',
      '-m',
      'examples/stencil/cluster.xml',
      '--scheduler',
      'os',
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/THR011 option scheduler does not apply to a trace: it belongs to thread models/);
  });
});

describe('other commands', () => {
  test('whatif over workers and grain', async () => {
    const { code, stdout } = await warmly([
      'whatif',
      loop,
      '-m',
      machine,
      '--scheduler',
      'central',
      '--vary',
      'workers=1,2,4',
      '--vary',
      'model.grain=1,10',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^6 scenarios/);
    expect(stdout).toMatch(/workers +model\.grain +run time/);
    expect(stdout).toMatch(/Universal scalability law/);
  });

  test('convert writes the net, which takes the same time', async () => {
    const net = join(dir, 'net.json');
    const own = ['--workers', '2', '--scheduler', 'central', '-m', machine];
    expect((await warmly(['convert', loop, net, ...own])).code).toBe(0);
    const time = async (...args: string[]): Promise<number> =>
      JSON.parse((await warmly(['predict', ...args, '--json'])).stdout).figures.runTime.value as number;
    // The net ends when its workers sleep, one look at the queue after the program.
    expect(await time(net)).toBeCloseTo(await time(loop, ...own), 7);
  });

  test('compare and profile', async () => {
    const { code, stdout } = await warmly(['compare', loop, deadlock, '-m', machine, '--workers', '2']);
    expect(code).toBe(1);
    expect(stdout).toContain('worker times are sums over all workers');
    const profiled = await warmly(['profile', loop, '-m', machine]);
    expect(profiled.code).toBe(0);
    expect(profiled.stdout).toContain('the loop');
    const smaller = await warmly(['profile', loop, '-m', machine, '--workers', '2', '--scheduler', 'central']);
    expect(smaller.stdout).toContain('2 processes');
  });

  test('the net of a thread model that is too large for structure is refused with its size', async () => {
    const { code, stderr } = await warmly(['structure', loop]);
    expect(code).toBe(2);
    expect(stderr).toContain('loop.ts: UNF002 net loop: unfolds to more than 50000 nodes');
  });
});

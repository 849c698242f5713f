import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ComparisonDocument } from '../../src/commands/compare/comparison.ts';
import type { PredictionDocument } from '../../src/commands/predict/prediction.ts';
import { NetBuilder, netToJson } from '../../src/index.ts';
import { cluster, foretoken, stencil } from './run.ts';
import { warmly } from './warm.ts';

const yaml = 'examples/stencil/cluster.yaml';
const folder = mkdtempSync(join(tmpdir(), 'foretoken-cli-compare-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);
const pair = '0 init\n1 init\n0 compute 1e6\n0 send 1 0 100000\n1 recv 0 0 100000\n0 finalize\n1 finalize\n';

async function result(name: string, ...args: string[]): Promise<string> {
  const { stdout } = await warmly(['predict', ...args, '--json']);
  writeFileSync(path(name), stdout);
  return path(name);
}

let block = '';
let cyclic = '';
let simgrid = '';
beforeAll(async () => {
  [block, cyclic, simgrid] = await Promise.all([
    result('block.json', stencil, '--machine', yaml),
    result('cyclic.json', stencil, '--machine', yaml, '--placement', 'cyclic'),
    result('simgrid.json', stencil, '--machine', cluster),
  ]);
});

describe('compare', () => {
  it('of two results prints the differences', async () => {
    // Names without a folder: the length of its path decides what fits into a line.
    const { code, stdout, stderr } = await warmly(['compare', 'block.json', 'cyclic.json'], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot('../commands/predict/view/views/comparison-100.txt');
    const narrow = await warmly(['compare', block, simgrid], { env: { COLUMNS: '40', LC_ALL: 'C' } });
    expect(narrow.stdout).toMatch(/^[\n -~]*$/);
    expect(Math.max(...narrow.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
  });

  it('of a result and a trace is the same as of two results', async () => {
    const json = async (b: string, ...more: string[]): Promise<ComparisonDocument> =>
      JSON.parse((await warmly(['compare', block, b, '--json', ...more])).stdout);
    const document = await json(cyclic);
    expect(await json(stencil, '--machine', yaml, '--placement', 'cyclic')).toEqual({
      ...document,
      b: { ...document.b, input: stencil },
    });
    expect(document).toMatchObject({ format: 'foretoken', version: 1, kind: 'comparison' });
    const time = document.figures.find((f) => f.name === 'runTime')!;
    expect(time.difference).toBe(time.b! - time.a!);
    expect(document.ranks).toHaveLength(8);
  });

  it('of a result with itself finds nothing', async () => {
    const { stdout } = await warmly(['compare', block, block]);
    expect(stdout).toMatch(/^B takes as long as A\n/);
    expect(stdout).not.toMatch(/changed most/);
  });

  it('rejects options with two results, and other files', async () => {
    expect(await warmly(['compare', block, cyclic, '--machine', yaml])).toMatchObject({ code: 2, stdout: '' });
    const missing = await warmly(['compare', block, 'missing.json']);
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('missing.json: APP001');
    expect((await warmly(['compare', block, stencil])).stderr).toContain('APP002');
  });
});

describe('rerun', () => {
  it('repeats a prediction, to the byte', async () => {
    for (const file of [block, cyclic, simgrid]) {
      const { code, stdout } = await warmly(['rerun', '--trust', file]);
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^identical: run time 0\.00/) });
      const again = await warmly(['rerun', '--trust', file, '--json']);
      expect(again.stdout).toBe(readFileSync(file, 'utf8'));
    }
  });

  it('repeats one with every option, of a trace, a listing and a net', async () => {
    writeFileSync(path('small.yaml'), readFileSync(yaml, 'utf8').replace('nodes: 4', 'nodes: 2'));
    const hosts = path('hosts.txt');
    writeFileSync(hosts, 'node1:6\nnode0:2\n');
    const options = [
      '--machine',
      path('small.yaml'),
      '--hostfile',
      hosts,
      '--oversubscribe',
      '--network-model',
      'simgrid-eager',
    ];
    const full = await result('full.json', stencil, ...options, '--ranks', '8');
    expect(await warmly(['rerun', '--trust', full])).toMatchObject({ code: 0 });
    const builtIn = await result('built-in.json', stencil, '--machine', 'simgrid-backbone');
    expect(await warmly(['rerun', '--trust', builtIn])).toMatchObject({ code: 0 });
    await warmly(['convert', stencil, path('net.json'), '--machine', yaml]);
    for (const more of [[], ['--until', '0.001'], ['--max-steps', '100']]) {
      const net = await result('net-result.json', path('net.json'), ...more);
      expect(await warmly(['rerun', '--trust', net])).toMatchObject({ code: 0 });
    }
  });

  it('rejects a changed input, with both hashes', async () => {
    const trace = path('pair.ti');
    writeFileSync(trace, pair);
    const before = await result('pair.json', trace, '--machine', yaml);
    writeFileSync(trace, pair.replace('1e6', '2e6'));
    const { code, stdout, stderr } = await warmly(['rerun', '--trust', before]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/pair\.ti: APP011 has changed: expected SHA-256 [0-9a-f]{64}, got [0-9a-f]{64}\n$/);
    rmSync(trace);
    expect((await warmly(['rerun', '--trust', before])).stderr).toMatch(/pair\.ti: APP001 /);
  });

  it('rejects a changed module that the model imports, also indirectly', async () => {
    mkdirSync(path('parts'), { recursive: true });
    const size = path('parts/size.ts');
    writeFileSync(size, 'export const flops = 1e6;\n');
    writeFileSync(path('parts/index.ts'), "export { flops } from './size.ts';\n");
    writeFileSync(
      path('model.ts'),
      "import { noise, spmd } from 'foretoken/models';\nimport { flops } from './parts/index.ts';\nexport default spmd({ name: 'm', build: (m) => m.compute({ flops, noise: noise.exponential() }) });\n",
    );
    const run = ['--machine', yaml, '--ranks', '2'];
    const before = await result('parted.json', path('model.ts'), ...run);
    const drawn = await result('replicated.json', path('model.ts'), ...run, '--replications', '2');
    for (const file of [before, drawn]) {
      const { inputs } = JSON.parse(readFileSync(file, 'utf8')) as PredictionDocument;
      expect(inputs.members?.map((m) => m.path.replace(/.*\/parts\//, ''))).toEqual(['index.ts', 'size.ts']);
      expect((await foretoken(['rerun', '--trust', file])).stdout).toMatch(/^identical/);
    }
    writeFileSync(size, 'export const flops = 2e6;\n');
    for (const file of [before, drawn]) {
      const { code, stdout, stderr } = await foretoken(['rerun', '--trust', file]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/size\.ts: APP011 has changed: expected SHA-256 [0-9a-f]{64}, got [0-9a-f]{64}\n$/);
    }
    rmSync(size);
    expect((await foretoken(['rerun', '--trust', before])).stderr).toMatch(/size\.ts: APP001 /);
  });

  it('says which files of a model were not checked', async () => {
    writeFileSync(path('size.json'), '1e6');
    writeFileSync(
      path('model.ts'),
      "import { spmd } from 'foretoken/models';\nimport { readFileSync } from 'node:fs';\nconst flops = Number(readFileSync(new URL('size.json', import.meta.url), 'utf8'));\nexport default spmd({ name: 'm', build: (m) => m.compute({ flops }) });\n",
    );
    const before = await result('model.json', path('model.ts'), '--machine', yaml, '--ranks', '2');
    expect((await foretoken(['rerun', '--trust', before])).stdout).toMatch(/^identical/);
    writeFileSync(path('size.json'), '2e6');
    const { code, stdout } = await foretoken(['rerun', '--trust', before]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^differs in .*; packages and files that the model reads may have changed\n$/);
  });

  it('knows the members of a listing', async () => {
    const rank = (r: number): string =>
      pair
        .split('\n')
        .filter((l) => l.startsWith(`${r} `))
        .join('\n');
    for (const r of [0, 1]) writeFileSync(path(`rank${r}.ti`), `${rank(r)}\n`);
    writeFileSync(path('listing.txt'), 'rank0.ti\nrank1.ti\n');
    const before = await result('listing.json', path('listing.txt'), '--machine', yaml);
    const { inputs } = JSON.parse(readFileSync(before, 'utf8')) as PredictionDocument;
    expect(inputs.members?.map((m) => m.path.replace(/.*\//, ''))).toEqual(['rank0.ti', 'rank1.ti']);
    expect(await warmly(['rerun', '--trust', before])).toMatchObject({ code: 0 });
    writeFileSync(path('rank0.ti'), rank(0).replace('1e6', '3e6'));
    expect((await warmly(['rerun', '--trust', before])).stderr).toContain('rank0.ti: APP011');
  });

  it('finds the inputs next to the document', async () => {
    const elsewhere = path('elsewhere');
    mkdirSync(join(elsewhere, 'in'), { recursive: true });
    writeFileSync(join(elsewhere, 'in', 'pair.ti'), pair);
    const document = JSON.parse(readFileSync(block, 'utf8')) as { inputs: { trace: { path: string } } };
    const made = await result('x.json', join(elsewhere, 'in', 'pair.ti'), '--machine', resolve(yaml));
    const moved = JSON.parse(readFileSync(made, 'utf8')) as typeof document;
    moved.inputs.trace.path = 'in/pair.ti';
    writeFileSync(join(elsewhere, 'x.json'), JSON.stringify(moved));
    expect(await warmly(['rerun', '--trust', join(elsewhere, 'x.json')])).toMatchObject({ code: 0 });
  });

  it('lists the differences and exits with 1', async () => {
    const changed = JSON.parse(readFileSync(block, 'utf8'));
    changed.figures.runTime.value *= 2;
    changed.product = 'foretoken 0.0.9';
    writeFileSync(path('changed.json'), JSON.stringify(changed));
    const { code, stdout } = await warmly(['rerun', '--trust', path('changed.json')]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^differs in figures: run time was 0\.0147\d+ s, is 0\.0073\d+ s; it was made by foretoken 0\.0\.9/,
    );
  });

  it.each([
    ['{"format": "foretoken",\n "kind": }', /broken\.json:2:10: APP010 is not JSON/],
    ['{}', /APP010 is not a foretoken result/],
    ['{"format": "foretoken", "version": 1, "kind": "what-if"}', /APP010 expected .*, got kind "what-if"/],
    ['{"format": "foretoken", "version": 2, "kind": "prediction"}', /expected .*, got kind "prediction", version 2/],
    [
      '{"format": "foretoken", "version": 1, "kind": "prediction", "ranks": {}}',
      /APP010 ranks: expected a list, got an object/,
    ],
  ])('rejects %j', async (text, message) => {
    writeFileSync(path('broken.json'), text);
    const { code, stdout, stderr } = await warmly(['rerun', '--trust', path('broken.json')]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('rejects input from standard input', async () => {
    const { stdout } = await foretoken(['predict', '-', '--machine', yaml, '--json'], { stdin: pair });
    writeFileSync(path('piped.json'), stdout);
    expect((await warmly(['rerun', '--trust', path('piped.json')])).stderr).toContain('APP012');
  });
});

describe('nets', () => {
  const net = (name: string, delay: number): string => {
    const clock = new NetBuilder(name);
    const ready = clock.place('ready', {}, { initial: 1 });
    clock.transition('tick', (t) => {
      t.take(ready);
      t.put(ready, {});
      t.delay(delay);
    });
    writeFileSync(path(`${name}.json`), netToJson(clock.build()));
    return path(`${name}.json`);
  };

  it('that never end have a limit of time or of steps', async () => {
    const [slow, fast] = [net('slow', 5000), net('fast', 2500)];
    const timed = await warmly(['compare', slow, fast, '--until', '20000']);
    expect(timed).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^B takes as long as A, but 1 of 2 means of places and transitions differ\n/),
    });
    const counted = await warmly(['compare', slow, fast, '--max-steps', '10', '--ties', 'random']);
    expect(counted.stdout).toMatch(/^B takes 12500 s less than A, 50 %/);
    expect(counted.stdout).toMatch(/\nFigures\n.*\nsimulated time +25000 s +12500 s +-50 %/);
  });

  it('have times in seconds, as replications have', async () => {
    const { stdout } = await warmly(['predict', net('slow', 5000), '--until', '20000', '--replications', '3']);
    expect(stdout).toMatch(/mean 20000 s ± 0 s/);
    expect(stdout).toMatch(/\nSimulated time 20000 s\n/);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { PredictionDocument } from '../../src/report/prediction.ts';
import { foretoken } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-cli-model-'));
afterAll(() => rmSync(folder, { recursive: true }));
const drawn = join(folder, 'drawn.ts');
writeFileSync(
  drawn,
  `import { noise, spmd } from 'foretoken/models';
export default spmd({
  name: 'drawn',
  params: { turns: 5, cv: 0.05, even: true },
  build(m) {
    m.loop(m.p.turns, () => {
      m.compute({ flops: (s) => (s.p.even ? 1e6 : 1e6 * (s.rank + 1)), ...(m.p.cv > 0 ? { noise: noise.lognormal(m.p.cv) } : {}) });
      m.barrier();
    });
  },
});
`,
);
const machine = 'examples/stencil/cluster.yaml';
const common = [drawn, '--machine', machine, '--ranks', '4'];

describe('replications', () => {
  const args = ['predict', ...common, '--precision', '0.5%'];
  it('are the same for any number of threads, and rerun', { timeout: 60_000 }, async () => {
    const one = await foretoken([...args, '--json', '--workers', '1']);
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect((await foretoken([...args, '--json', '--workers', '3'])).stdout).toBe(one.stdout);
    const { replications } = JSON.parse(one.stdout) as PredictionDocument;
    expect(replications!.count).toBeGreaterThan(10);
    const result = join(folder, 'result.json');
    writeFileSync(result, one.stdout);
    expect(await foretoken(['rerun', result])).toMatchObject({ code: 0, stderr: '' });
    const page = await foretoken(args);
    expect(page.stdout).toMatch(/^Replications: \d+\nmean [\s\S]*What follows is replication 0\.\n\nRun time /);
  });

  it.each([
    [['--precision', '1%', '--set', 'cv=0'], 2, 'APP024'],
    [['--precision', '1'], 2, 'APP025'],
    [['--precision', '0.001%', '--replications', '11'], 3, ''],
    [['--replications', '3', '--set', 'm=1'], 2, 'MODEL005'],
  ])('%j ends with %i', async (more, code, message) => {
    const ended = await foretoken(['predict', ...common, ...more]);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(message);
  });
});

describe('other commands', () => {
  it('rerun a model with its parameters, and see that it has changed', { timeout: 30_000 }, async () => {
    const result = join(folder, 'one.json');
    const more = ['--set', 'even=false', '--set', 'turns=3', '--placement', 'cyclic', '--collectives', 'simgrid'];
    writeFileSync(result, (await foretoken(['predict', ...common, ...more, '--json'])).stdout);
    expect(await foretoken(['rerun', result])).toMatchObject({ code: 0, stderr: '' });
    const trace = join(folder, 'trace.json');
    const args = [
      'predict',
      'examples/stencil/stencil-8.ti',
      '--machine',
      machine,
      '--collectives',
      'simgrid',
      '--json',
    ];
    writeFileSync(trace, (await foretoken(args)).stdout);
    expect(await foretoken(['rerun', trace])).toMatchObject({ code: 0, stderr: '' });
  });

  it('compare models', { timeout: 30_000 }, async () => {
    const { code, stdout } = await foretoken(['compare', ...common, drawn]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^B takes as long as A/);
  });

  it.each([
    [['--vary', 'model.m=1'], 'Did you mean "model.cv"?'],
    [['--vary', 'rank=1,2'], 'Did you mean "ranks"?'],
    [['--vary', 'ranks=1,2', '--set', 'm=1'], 'MODEL005'],
    [['--vary', 'machine.sped=x2'], 'Did you mean "speed"?'],
  ])('whatif %j is refused with 2', async (more, message) => {
    const { code, stderr } = await foretoken(['whatif', ...common, ...more]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

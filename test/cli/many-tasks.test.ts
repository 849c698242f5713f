import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-many-tasks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'main.js');
/** Ends with the largest memory of the process on standard error, in KB. */
const MEASURED = `data:text/javascript,process.on('exit',()=>process.stderr.write('\\n'+process.resourceUsage().maxRSS))`;
writeFileSync(
  join(folder, 'node.yaml'),
  `nodes: 1
coresPerNode: 8
speed: 1Gf
link: { latency: 1us, bandwidth: 10GB/s }
eagerBelow: 64KiB
`,
);

test.each([
  ['halves', 't.parallelFor({ n: 1e6, body: (b) => b.compute({ seconds: 1e-6 }) });'],
  ['flops', 't.parallelFor({ n: 1e6, body: (b) => b.compute({ flops: (s) => 1000 + (s.first % 7) }) });'],
  [
    'one-by-one',
    `t.task('w', {}, (b) => b.compute({ seconds: 1e-6 }));
    t.loop('k', 1e6, () => t.spawn('w'));
    t.sync();`,
  ],
  [
    'lock',
    `const m = t.mutex('m');
    t.parallelFor({
      n: 1e6,
      body: (b) => {
        b.compute({ seconds: 1e-6 });
        b.critical(m, () => b.compute({ seconds: 5e-8 }));
      },
    });`,
  ],
])('a million tasks take less than 400 MB: %s', (name, body) => {
  const model = join(folder, `${name}.ts`);
  writeFileSync(
    model,
    `import { threads } from 'foretoken/models';
export default threads({ name: '${name}', build(t) { ${body} } });
`,
  );
  const options = ['--machine', join(folder, 'node.yaml'), '--scheduler', 'central', '--workers', '8', '--json'];
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--import', MEASURED, CLI, 'predict', model, ...options],
    { encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  expect(status, stderr).toBe(0);
  // 1 s of work on 8 workers.
  expect(JSON.parse(stdout).figures.runTime.value).toBeGreaterThan(0.125);
  const bytes = Number(stderr.trim().split('\n').at(-1)) * 1024;
  expect(bytes).toBeGreaterThan(100e6);
  expect(bytes).toBeLessThan(400e6);
});

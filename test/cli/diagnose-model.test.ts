import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { warmly } from './warm.ts';

const dir = mkdtempSync(join(tmpdir(), 'diagnose-model-'));
mkdirSync(join(dir, 'node_modules'));
symlinkSync(resolve('.'), join(dir, 'node_modules/foretoken'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const fine = 'examples/diagnose-threads/fine-grain.ts';

function model(name: string, body: string): string {
  const path = join(dir, `${name}.ts`);
  writeFileSync(
    path,
    `import { threads } from 'foretoken/models';\nexport default threads({ name: '${name}', build(t) { ${body} } });\n`,
  );
  return path;
}

test('the document of a model', async () => {
  const { code, stdout, stderr } = await warmly(['diagnose', fine, '--workers', '4', '--set', 'n=2000', '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const document = JSON.parse(stdout);
  expect(document).toMatchObject({
    kind: 'diagnosis',
    origin: 'simulated',
    inputs: { model: { path: fine } },
    options: { workers: 4, set: 'n=2000' },
    model: { name: 'fine-grain', params: { n: 2000, grain: 1 }, workers: 4, scheduler: 'stealing' },
    regions: [{ name: 'loop', workersCount: 4, findings: [{ cause: 'fine-grain' }] }],
  });
  expect(document.regions[0].findings[0].predictedGain).toBeGreaterThan(0);
});

test('--fail-on and --no-gain', async () => {
  const options = ['diagnose', fine, '--workers', '4', '--set', 'n=2000', '--no-gain'];
  const { code, stdout } = await warmly([...options, '--fail-on', 'fine-grain']);
  expect(code).toBe(1);
  expect(stdout).toContain('No predicted gain: changed programs are not run.');
  expect((await warmly([...options, '--fail-on', 'too-few-tasks'])).code).toBe(0);
});

test('a deadlock gives exit code 1', async () => {
  const path = model('waits', "const e = t.event('e'); t.parallel(2, () => t.wait(e));");
  const { code, stdout } = await warmly(['diagnose', path, '--workers', '2']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Deadlock\./);
  expect(stdout).toContain('wait e');
});

test.each([
  [['diagnose', fine, '--gaps', 'EXEC'], 'DIAG009 option gaps does not apply to a thread model'],
  [
    ['diagnose', 'package.json', '--workers', '4'],
    'DIAG009 option workers does not apply to a Chrome trace: it belongs to thread models',
  ],
  [['diagnose', 'package.json', '--speedup'], 'DIAG009 option speedup does not apply to a Chrome trace'],
  [['diagnose', fine, '--scheduler', 'quick'], 'THR010 scheduler'],
  [['diagnose', fine, '--workers', '2000000'], 'THR010 workers'],
  [['diagnose', fine, '--set', 'grian=2'], 'MODEL005'],
  [['diagnose', 'examples/ring/model.ts'], 'DIAG004 model "ring" has no threads'],
  [['diagnose', 'missing.ts'], 'APP001'],
])('%j is bad input', async (args, message) => {
  const { code, stderr } = await warmly(args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

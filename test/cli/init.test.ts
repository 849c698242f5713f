import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { foretoken } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-init-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('creates a project in an empty folder whose model can be predicted and studied', async () => {
  const made = join(folder, 'first model');
  const { code, stdout } = await foretoken(['init', made]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/wrote .*model\.ts\n[\s\S]*Next:\n {2}cd [\s\S]*foretoken predict model\.ts/);
  expect(JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'))).toMatchObject({ name: 'first-model' });
  const [model, machine] = [join(made, 'model.ts'), join(made, 'machine.yaml')];
  const page = await foretoken(['predict', model, '--machine', machine, '--ranks', '4', '--set', 'turns=10']);
  expect(page).toMatchObject({ code: 0, stderr: '' });
  expect(page.stdout).toMatch(/^Run time /);
  const study = ['whatif', model, '--machine', machine, '--vary', 'ranks=1..4*2', '--set', 'turns=10'];
  const one = await foretoken([...study, '--workers', '1']);
  expect(one).toMatchObject({ code: 0, stderr: '' });
  expect(one.stdout).toMatch(/^3 scenarios: run time /);
  expect((await foretoken([...study, '--workers', '2'])).stdout).toBe(one.stdout);
}, 60_000);

it('overwrites nothing', async () => {
  const model = join(folder, 'model.ts');
  writeFileSync(model, 'mine');
  const { stdout } = await foretoken(['init', folder]);
  expect(stdout).toContain(`kept  ${model}`);
  expect(readFileSync(model, 'utf8')).toBe('mine');
  expect((await foretoken(['init', model])).code).toBe(2);
}, 30_000);

it('a package.json without "type": "module" is kept, with the command that adds it', async () => {
  const own = join(folder, 'own');
  mkdirSync(own);
  for (const [text, isNamed] of [
    ['{ "name": "own" }', true],
    ['{ "name": "own", "type": "module" }', false],
  ] as const) {
    writeFileSync(join(own, 'package.json'), text);
    const { stdout, stderr } = await foretoken(['init', own]);
    expect(readFileSync(join(own, 'package.json'), 'utf8')).toBe(text);
    expect(/lacks "type": "module"[\s\S]*npm pkg set type=module/.test(stdout + stderr)).toBe(isNamed);
  }
}, 30_000);

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { foretoken } from './run.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-advice-'));
afterAll(() => rmSync(dir, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const HEAD = "import { spmd } from 'foretoken/models';\nexport default spmd({ name: 'x', build(m) { ";
const plain = file('plain.ts', `${HEAD}m.compute({ flops: 1e9 }); } });\n`);
const threaded = file('threaded.ts', `${HEAD}m.threads({ workers: 1 }, (t) => t.compute({ flops: 1e9 })); } });\n`);
const machine = file(
  'one.yaml',
  'nodes: 1\ncoresPerNode: 1\nspeed: 1Gf\nlink: { latency: 1us, bandwidth: 1GB/s }\neagerBelow: 64KiB\n',
);

/** The commands that map a model on a machine. */
const MAPPING: readonly (readonly [command: string, ...rest: string[]])[] = [
  ['predict', plain],
  ['whatif', plain, '--vary', 'ranks=2'],
  ['compare', plain, plain],
  ['profile', plain],
  ['view', plain, '-o', join(dir, 'view.html')],
  ['convert', plain, join(dir, 'net.json')],
  ['explore', plain],
  ['structure', plain],
  ['steady', plain],
  ['verify', plain, '-p', 'deadlock-free'],
  ['diagnose', threaded],
];

test.each(MAPPING)('%s advises only options that it has, and these help', async (command, ...rest) => {
  const args = [command, ...rest, '-m', machine, ...(command === 'whatif' ? [] : ['-n', '2'])];
  const refused = await foretoken(args);
  const said = `${refused.stdout}${refused.stderr}`;
  expect(said).toContain('MACH021');
  const advised = [...said.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag);
  expect(advised).toContain('--oversubscribe');
  const { stdout: help } = await foretoken([command, '--help']);
  for (const flag of advised) expect(help, flag).toContain(flag);
  const helped = await foretoken([...args, '--oversubscribe']);
  expect(`${helped.stdout}${helped.stderr}`).not.toMatch(/MACH021|unknown option/);
  expect(helped.code, helped.stderr).toBeLessThan(2);
});

test.each([['explore'], ['structure'], ['steady'], ['verify', '-p', 'deadlock-free']])(
  'the result of %s --oversubscribe names the option and can be repeated',
  async (command, ...rest) => {
    const { stdout, stderr } = await foretoken([
      ...[command, plain, ...rest, '-m', machine, '-n', '2'],
      ...['--oversubscribe', '--json'],
    ]);
    expect(stdout, stderr).not.toBe('');
    expect(JSON.parse(stdout).options).toMatchObject({ oversubscribe: 'yes' });
    const again = await foretoken(['rerun', '--trust', file(`${command}.json`, stdout)]);
    expect(again.code, `${again.stdout}${again.stderr}`).toBe(0);
  },
);

test('verify of a program, which places no ranks, refuses --oversubscribe instead of ignoring it', async () => {
  const { code, stderr } = await foretoken(['verify', plain, '-m', machine, '-n', '2', '--oversubscribe']);
  expect(code).toBe(2);
  expect(stderr).toContain('VER003 verify: --oversubscribe applies to nets');
});

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { cluster, foretoken, main, stencil } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-outputs-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const put = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};
const predict = ['predict', stencil, '--machine', cluster];

describe('no input is overwritten', () => {
  beforeEach(() => {
    put('rank0.csv', '0 init\n0 compute 1e9\n0 finalize\n');
    put('rank1.csv', '1 init\n1 compute 1e9\n1 finalize\n');
    put('list.txt', 'rank0.csv\nrank1.csv\n');
    put('part.ts', 'export const F = 1e8;\n');
    put('computed.cjs', 'module.exports = { G: 1e8 };\n');
    put(
      'model.ts',
      "import { createRequire } from 'node:module';\nimport { spmd } from 'foretoken/models';\nimport { F } from './part.ts';\n" +
        "const { G } = createRequire(import.meta.url)(['./computed', 'cjs'].join('.'));\n" +
        "export default spmd({ name: 'x', build(m) { m.compute({ flops: F + G }); } });\n",
    );
  });

  it.each([
    [['list.txt'], '--run', 'rank0.csv'],
    [['list.txt'], '--trace', 'rank1.csv'],
    [['list.txt', '--json'], '--output', 'rank1.csv'],
    [['model.ts', '--ranks', '2'], '--trace', 'part.ts'],
    [['model.ts', '--ranks', '2'], '--trace', 'computed.cjs'],
    [['model.ts', '--ranks', '2'], '--output', 'computed.cjs'],
    [['model.ts', '--ranks', '2'], '--output', 'model.ts'],
  ])('predict %j %s %s', async ([input, ...more], option, output) => {
    const before = readFileSync(at(output), 'utf8');
    const { code, stdout, stderr } = await foretoken([
      ...['predict', at(input!), '--machine', 'simgrid-backbone', ...more, option, at(output)],
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/: APP007 would overwrite the input/);
    expect(readFileSync(at(output), 'utf8')).toBe(before);
  });
});

describe('no file that the import of a module reads is overwritten', () => {
  const own = mkdtempSync(join(tmpdir(), 'foretoken-imports-'));
  afterAll(() => rmSync(own, { recursive: true }));
  const files = {
    'package.json': '{ "type": "module", "imports": { "#part": "./lib/part.ts" } }',
    'tsconfig.json': '{ /* settings */ "extends": "./base", "compilerOptions": {} }',
    'base.json': '{}',
    'lib/package.json': '{ "type": "module" }',
    'lib/part.ts': 'export const F = 1e8;',
    'data.json': '{ "H": 1 }',
    'sizes.csv': '1',
    'late.csv': '1',
    'node_modules/dep/package.json': '{ "name": "dep", "exports": "./esm/index.js" }',
    'node_modules/dep/esm/package.json': '{ "type": "module" }',
    'node_modules/dep/esm/index.js': 'export const G = 1;',
    'model.ts': `import { readFileSync } from 'node:fs';
      import { readFile } from 'node:fs/promises';
      import { spmd } from 'foretoken/models';
      import { F } from '#part';
      import { G } from 'dep';
      import data from './data.json' with { type: 'json' };
      const sizes = Number(await readFile(new URL('sizes.csv', import.meta.url), 'utf8'));
      export default spmd({ name: 'x', build(m) {
        const late = Number(readFileSync(new URL('late.csv', import.meta.url), 'utf8'));
        m.compute({ flops: F + G + data.H + sizes + late });
      } });`,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(own, dirname(name)), { recursive: true });
    writeFileSync(join(own, name), text);
  }

  /** A file read by the loader, a module, and files read by the model when it is loaded and built. */
  const TO_RESULT = ['tsconfig.json', 'lib/part.ts', 'sizes.csv', 'late.csv'];

  it.each(Object.keys(files))('the input %s is not overwritten', async (name) => {
    const machine = ['--machine', 'simgrid-backbone', '--ranks', '2'];
    // The thread that writes a trace has read the files; the one that writes the result gets their list, whole.
    for (const option of TO_RESULT.includes(name) ? ['--output', '--trace'] : ['--trace']) {
      const { code, stderr } = await foretoken(['predict', 'model.ts', ...machine, option, name], { cwd: own });
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('APP007 would overwrite the input'),
      });
      expect(readFileSync(join(own, name), 'utf8')).toBe(files[name as keyof typeof files]);
    }
  });
});

describe('--output', () => {
  it.each([
    predict,
    [...predict, '--json'],
    ['whatif', stencil, '--machine', cluster, '--vary', 'machine.speed=x1,x2', '--csv'],
    ['schema', 'net'],
  ])('writes what standard output gets: %s', async (...args) => {
    const file = at('result');
    const [plain, written] = [await foretoken(args), await foretoken([...args, '-o', file])];
    expect(written).toMatchObject({ code: plain.code, stdout: '', stderr: plain.stderr });
    expect(readFileSync(file, 'utf8')).toBe(plain.stdout);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    const kept = await foretoken([...args, '-o', file, '--no-clobber']);
    expect(kept).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('APP049') });
  });

  it('differs from all other outputs', async () => {
    for (const more of [
      ['--trace', at('./x')],
      ['--run', at('x.csv')],
    ]) {
      const output = more[0] === '--run' ? at('x.messages.csv') : at('x');
      const { code, stderr } = await foretoken([...predict, ...more, '-o', output]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('APP007 is also the output') });
    }
    expect(existsSync(at('x'))).toBe(false);
  });
});

it.skipIf(!existsSync('/dev/stdout')).each([
  ['a trace', predict],
  ['a model', ['predict', 'examples/ring/model.ts', '--machine', cluster, '--ranks', '4']],
])('--trace /dev/stdout of %s leaves the report, in a file and in a pipe', (_, given) => {
  const [command, ...args] = [process.execPath, main, ...given, '--trace', '/dev/stdout'];
  const piped = execFileSync(command!, args, { encoding: 'utf8' });
  expect(piped).toMatch(/^\{"traceEvents"[\s\S]*run time/i);
  const file = at('both.txt');
  const quoted = [command, ...args].map((one) => `'${one}'`).join(' ');
  expect(spawnSync('sh', ['-c', `${quoted} > '${file}'`]).status).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(piped);
  const other = spawnSync('sh', ['-c', `${quoted.replace('/dev/stdout', file)} > '${file}'`], { encoding: 'utf8' });
  expect(other).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('APP007 is the file to which standard output'),
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The packed tarball in an empty folder: what a user installs.
const dir = mkdtempSync(join(tmpdir(), 'foretoken-package-'));
const run = (command: string, args: string[]): string => execFileSync(command, args, { cwd: dir, encoding: 'utf8' });

beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', dir], {
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  writeFileSync(join(dir, 'package.json'), '{ "private": true, "type": "module" }');
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', join(dir, filename)]);
});

afterAll(() => rmSync(dir, { recursive: true }));

test('its command predicts', () => {
  const example = join(dir, 'node_modules/foretoken/examples/stencil');
  const args = [
    'foretoken',
    'predict',
    join(example, 'stencil-8.ti'),
    '--machine',
    join(example, 'cluster.xml'),
    '--json',
  ];
  const document = JSON.parse(run('npx', args)) as { figures: { runTime: { value: number } } };
  expect(document.figures.runTime.value).toBeCloseTo(0.008156702339, 9);
});

test('its library is imported with types', () => {
  const source = `import { NetBuilder, compile, simulate } from 'foretoken';
const n = new NetBuilder('one');
const p = n.place('p', {}, { initial: [{}] });
n.transition('t', (t) => { t.take(p); t.delay(2); });
const seconds: number = simulate(compile(n.build())).time;
console.log(seconds);
`;
  writeFileSync(join(dir, 'use.mts'), source);
  const tsc = resolve('node_modules/typescript/bin/tsc');
  run(process.execPath, [
    tsc,
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--skipLibCheck',
    '--types',
    '',
    'use.mts',
  ]);
  expect(run(process.execPath, ['use.mjs'])).toBe('2\n');
});

test('it holds what it should and nothing else', () => {
  const files = readdirSync(join(dir, 'node_modules/foretoken')).sort();
  expect(files).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'examples', 'package.json', 'schema']);
});

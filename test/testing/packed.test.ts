import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Installs the packed tarball with vitest and fast-check into an empty folder, as users do.
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  testing: ['buffer.ts', 'buffer.test.ts'],
  pipeline: ['modules.ts', 'model.ts', 'pipeline.test.ts'],
};
const dir = mkdtempSync(join(tmpdir(), 'foretoken-testing-'));
afterAll(() => rmSync(dir, { recursive: true }));

beforeAll(() => {
  const options = { cwd: dir, encoding: 'utf8' } as const;
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', dir], {
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  writeFileSync(join(dir, 'package.json'), '{ "private": true, "type": "module" }');
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', join(dir, filename)];
  execFileSync('npm', args, options);
  for (const name of ['vitest', 'fast-check'])
    symlinkSync(resolve('node_modules', name), join(dir, 'node_modules', name));
  for (const [example, names] of Object.entries(EXAMPLES))
    for (const name of names)
      copyFileSync(join(dir, 'node_modules/foretoken/examples', example, name), join(dir, name));
});

const vitest = (file: string): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [resolve('node_modules/vitest/vitest.mjs'), 'run', file, '--root', dir],
    { cwd: dir, encoding: 'utf8', timeout: 100_000, env: { PATH: process.env['PATH'], NO_COLOR: '1' } },
  );
  return { status, output: stdout + stderr };
};

test.each(['buffer.test.ts', 'pipeline.test.ts'])('the example suite %s passes', (file) => {
  const { status, output } = vitest(file);
  expect(output).toMatch(/Tests {2}7 passed \(7\)/);
  expect(status).toBe(0);
});

test('the example suites, and what they import, type-check in a strict project', () => {
  const tsconfig = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2023',
      module: 'nodenext',
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: [],
    },
    include: ['*.ts'],
  };
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify(tsconfig));
  writeFileSync(
    join(dir, 'wrong.ts'),
    `import 'foretoken/vitest';
import { expect } from 'vitest';
import { batch } from './buffer.ts';
// @ts-expect-error a bound is a number
expect(batch(1, 1)).toBeBounded('1');
// @ts-expect-error an option that no matcher has
expect(batch(1, 1)).toBeSafe({ maxState: 5 });
expect(5).toSatisfy((n) => n > 4);
// @ts-expect-error neither a property nor a function
expect(batch(1, 1)).toSatisfy(5);
`,
  );
  const run = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', dir], {
    encoding: 'utf8',
  });
  expect(run.stdout).toBe('');
  expect(run.status).toBe(0);
});

test('a failure prints seed, path, the smallest counter-example, a shortest sequence, and a command that reproduces it', () => {
  writeFileSync(
    join(dir, 'failing.test.ts'),
    `import * as fc from 'fast-check';
import 'foretoken/vitest';
import { expect, test } from 'vitest';
import { boundedBuffer } from './buffer.ts';
test('fails', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 3 }), (slots) => {
    expect(boundedBuffer(slots, 1, true)).toBeDeadlockFree();
  }), { seed: 5 });
});
`,
  );
  const { status, output } = vitest('failing.test.ts');
  expect(status).toBe(1);
  expect(output).toContain('{ seed: 5, path: "');
  expect(output).toContain('Counterexample: [1]');
  expect(output).toContain('expected net "buffer" to be free of deadlocks');
  expect(output).toContain('after 1 step (a shortest sequence): no further step is possible');
  expect(output).toMatch(/1\. consumer enters: lock −1, consumer idle −1, consumer inside \+1/);
  const command = /reproduce with: foretoken (verify \S+ --property deadlock-free --max-states \d+)/.exec(output)![1]!;
  const again = spawnSync(
    process.execPath,
    [join(dir, 'node_modules/foretoken/dist/cli/main.js'), ...command.split(' '), '--json'],
    { encoding: 'utf8' },
  );
  expect(again.status).toBe(1);
  const { properties } = JSON.parse(again.stdout) as {
    properties: [{ verdict: boolean; witness: { steps: unknown[] } }];
  };
  expect(properties[0].verdict).toBe(false);
  expect(properties[0].witness.steps).toHaveLength(1);
});

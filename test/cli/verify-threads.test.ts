import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { foretoken } from './run.ts';
import { warmly } from './warm.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-verify-threads-'));
afterAll(() => rmSync(dir, { recursive: true }));

const path = join(dir, 'philosophers.ts');
writeFileSync(
  path,
  `import { threads } from 'foretoken/models';
export default threads({
  name: 'philosophers',
  params: { n: 3, ordered: true },
  verifyWith: { workers: 3 },
  build(t) {
    const { n, ordered } = t.p;
    const fork = t.mutex('fork', n);
    t.parallel(n, () => {
      t.lock(fork, ({ thread }) => (ordered ? Math.min(thread, (thread + 1) % n) : thread));
      t.lock(fork, ({ thread }) => (ordered ? Math.max(thread, (thread + 1) % n) : (thread + 1) % n));
      t.unlock(fork, ({ thread }) => thread);
      t.unlock(fork, ({ thread }) => (thread + 1) % n);
    });
  },
});
`,
);
const verify = (...args: string[]): ReturnType<typeof foretoken> => warmly(['verify', path, ...args]);

test('holds: exit code 0, with the states explored', async () => {
  const { code, stdout, stderr } = await verify();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Holds for threads of the operating system \(n = 3, ordered = true\): no deadlock/);
  expect(stdout).toMatch(/Holds for 3 workers, scheduler stealing/);
  expect(stdout).toMatch(/[\d,]+ states/);
});

test('violated: exit code 1, with the firing sequence', async () => {
  const { code, stdout } = await verify('--set', 'ordered=false', '--scheduler', 'os');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Violated for threads of the operating system/);
  expect(stdout).toMatch(/thread 2 of parallel philosophers\.ts:9: at lock fork\[0\], philosophers\.ts:11/);
});

test('a limit: exit code 3', async () => {
  const { code, stdout } = await verify('--max-states', '10', '--scheduler', 'os');
  expect(code).toBe(3);
  expect(stdout).toMatch(/^Unknown .*limit of states/);
});

test('--json prints the document', async () => {
  const { code, stdout } = await verify('--json', '--scheduler', 'central', '--workers', '2', '--set', 'n=2');
  expect(code).toBe(0);
  const document = JSON.parse(stdout);
  expect(document).toMatchObject({
    kind: 'thread-verification',
    complete: true,
    options: { program: 'philosophers', workers: 2, scheduler: 'central' },
    instances: ['migrating', 'stack'].map((pool) => ({
      workers: 2,
      scheduler: 'central',
      pool,
      parameters: { n: 2, ordered: true },
      violations: [],
    })),
  });
  expect(document.inputs.model.sha256).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  [['--sends', 'eager'], 'VER003 option sends does not apply to a thread model'],
  [['--ranks', '2'], 'VER003 option ranks does not apply to a thread model'],
  [['-p', 'safe'], 'VER003 option properties (--property) does not apply to a thread model'],
  [['--scheduler', 'oz'], 'VER005 verify: scheduler: unknown scheduler "oz". Did you mean "os"?'],
  [['--set', 'm=2'], 'MODEL005'],
  [['--workers', '2000000'], 'THR001'],
])('%j is rejected', async (args, message) => {
  const { code, stderr } = await verify(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

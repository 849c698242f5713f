import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

test('processes that write at once leave complete entries and no temporary files', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'cache-folder-'));
  const folder = join(parent, 'cache');
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const module = fileURLToPath(new URL('../../src/base/files/cache-folder.ts', import.meta.url));
  const script = join(parent, 'write.ts');
  // 40 entries of 10 kB, of which 20 fit. Contents depend on the key only.
  writeFileSync(
    script,
    `import { CacheFolder } from ${JSON.stringify(module)};
const cache = new CacheFolder(${JSON.stringify(folder)}, 'v1', 200_000);
let wrong = 0;
for (let turn = 0; turn < 400; turn++) {
  const k = (turn * 7 + process.pid) % 40;
  const read = cache.read(String(k));
  if (read === undefined) cache.write(String(k), new Uint8Array(9968).fill(k));
  else if (read.length !== 9968 || read.some((b) => b !== k)) wrong++;
}
process.exitCode = wrong;`,
  );
  const codes = await Promise.all(
    Array.from(
      { length: 3 },
      () =>
        new Promise((resolve) => {
          spawn(process.execPath, ['--import', 'tsx', script], { stdio: 'inherit' }).once('close', resolve);
        }),
    ),
  );
  expect(codes).toEqual([0, 0, 0]);
  expect(readdirSync(folder).filter((name) => !name.endsWith('.cache'))).toEqual([]);
  expect(readdirSync(folder).length).toBeGreaterThan(10);
  expect(readdirSync(folder).length).toBeLessThanOrEqual(22);
}, 60_000);

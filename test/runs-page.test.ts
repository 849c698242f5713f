import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { followPage } from './follow-page.ts';

const dirs: string[] = [];
afterAll(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true });
});

test.each([
  ['docs/profile.md', 6],
  ['docs/diagnose.md', 5],
  ['docs/scripts.md', 3],
])('every command of %s prints the output shown', async (name, count) => {
  const path = resolve(name);
  const dir = mkdtempSync(join(tmpdir(), 'foretoken-runs-'));
  dirs.push(dir);
  const { page, commands } = await followPage(readFileSync(path, 'utf8'), dir);
  expect(commands).toBe(count);
  await expect(page).toMatchFileSnapshot(path);
  if (name !== 'docs/profile.md') return;
  const waits = readFileSync(join(dir, 'late.csv'), 'utf8').split('\n');
  expect(page).toContain(waits.filter((row) => row.includes(',waiting,')).join('\n'));
  const calls = readFileSync(join(dir, 'posted.jsonl'), 'utf8').split('\n');
  const wait = calls.filter((row) => row.includes('"table":"calls"') && row.includes('"MPI_Wait"'));
  expect(wait).toHaveLength(1);
  expect(page).toContain(`${wait[0]}\n`);
});

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { followPage } from './follow-page.ts';

const PAGE = resolve('docs/tutorial.md');
const tutorial = readFileSync(PAGE, 'utf8');

const dir = mkdtempSync(join(tmpdir(), 'foretoken-tutorial-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('every command of the tutorial prints the output shown', async () => {
  // As left by `npm install foretoken`.
  writeFileSync(join(dir, 'package.json'), '{}');
  const { page, commands } = await followPage(tutorial, dir);
  expect(commands).toBeGreaterThanOrEqual(9);
  await expect(page).toMatchFileSnapshot(PAGE);
}, 240_000);

test('its links lead to files', () => {
  const links = [...tutorial.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((m) => m[1]!).filter((l) => !l.startsWith('http'));
  expect(links.length).toBeGreaterThan(3);
  expect(links.filter((link) => !existsSync(resolve('docs', link)))).toEqual([]);
});

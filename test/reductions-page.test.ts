import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { followPage } from './follow-page.ts';

const PAGE = resolve('docs/reductions.md');
const text = readFileSync(PAGE, 'utf8');

const dir = mkdtempSync(join(tmpdir(), 'foretoken-reductions-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('every command of the page on reductions prints the output shown', { timeout: 120_000 }, async () => {
  const { page, commands } = await followPage(text, dir);
  expect(commands).toBe(6);
  await expect(page).toMatchFileSnapshot(PAGE);
});

test('its links lead to files, and the README links the page', () => {
  const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((m) => m[1]!).filter((l) => !l.startsWith('http'));
  expect(links.filter((link) => !existsSync(resolve('docs', link)))).toEqual([]);
  expect(readFileSync('README.md', 'utf8')).toContain('(docs/reductions.md)');
});

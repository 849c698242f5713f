import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { followPage } from './follow-page.ts';

const PAGE = resolve('docs/state-spaces.md');
const text = readFileSync(PAGE, 'utf8');

const dir = mkdtempSync(join(tmpdir(), 'foretoken-state-spaces-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('every command of the page on state spaces prints the output shown', async () => {
  const { page, commands } = await followPage(text, dir);
  expect(commands).toBe(8);
  expect(existsSync(join(dir, 'locks.svg'))).toBe(true);
  await expect(page).toMatchFileSnapshot(PAGE);
});

test('its links lead to files', () => {
  const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((m) => m[1]!).filter((l) => !l.startsWith('http'));
  expect(links.length).toBeGreaterThan(1);
  expect(links.filter((link) => !existsSync(resolve('docs', link)))).toEqual([]);
});

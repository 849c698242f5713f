import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { codesOf } from '../scripts/errors.ts';
import { followPage } from './follow-page.ts';

const PAGE = resolve('docs/steady.md');
const text = readFileSync(PAGE, 'utf8');

const dir = mkdtempSync(join(tmpdir(), 'foretoken-steady-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('every command of the page on steady states prints the output shown', async () => {
  const { page, commands } = await followPage(text, dir);
  expect(commands).toBe(10);
  await expect(page).toMatchFileSnapshot(PAGE);
});

test('its links lead to files', () => {
  const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((m) => m[1]!).filter((l) => !l.startsWith('http'));
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((link) => !existsSync(resolve('docs', link)))).toEqual([]);
});

test('its table lists all codes', () => {
  const listed = [...text.matchAll(/^\| (CTMC\d{3}) /gm)].map((m) => m[1]!);
  expect(listed).toEqual(codesOf('markov').map((c) => c.code));
});

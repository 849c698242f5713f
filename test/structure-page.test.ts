import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { codesOf } from '../scripts/errors.ts';
import { followPage } from './follow-page.ts';

const PAGE = resolve('docs/structure.md');
const text = readFileSync(PAGE, 'utf8');

const dir = mkdtempSync(join(tmpdir(), 'foretoken-structure-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('every command of the page on structure prints the output shown', async () => {
  const { page, commands } = await followPage(text, dir);
  expect(commands).toBe(2);
  await expect(page).toMatchFileSnapshot(PAGE);
});

test('its links lead to files, and the README links the page', () => {
  const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((m) => m[1]!).filter((l) => !l.startsWith('http'));
  expect(links.length).toBeGreaterThan(1);
  expect(links.filter((link) => !existsSync(resolve('docs', link)))).toEqual([]);
  expect(readFileSync('README.md', 'utf8')).toContain('(docs/structure.md)');
});

test('the documented STR codes are exactly those in use', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((f) => f.endsWith('.ts') && !f.endsWith('-codes.ts'))
    .map((f) => readFileSync(join('src', f), 'utf8'));
  const used = new Set(files.flatMap((file) => file.match(/'STR\d{3}'/g) ?? []).map((c) => c.slice(1, -1)));
  expect([...used].sort()).toEqual(codesOf('structure').map((c) => c.code));
});

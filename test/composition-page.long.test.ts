import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { followPage } from './follow-page.ts';

const PAGE = resolve('docs/composition.md');
const dir = mkdtempSync(join(tmpdir(), 'foretoken-composition-page-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('every command of the page prints the output shown', async () => {
  const { page, commands } = await followPage(readFileSync(PAGE, 'utf8'), dir);
  expect(commands).toBe(8);
  await expect(page).toMatchFileSnapshot(PAGE);
}, 600_000);

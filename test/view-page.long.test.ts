import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { followPage } from './follow-page.ts';

const PAGE = resolve('docs/view.md');
const dir = mkdtempSync(join(tmpdir(), 'foretoken-view-page-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('every command of the page prints the output shown', async () => {
  // The page is followed from the root of the repository.
  symlinkSync(resolve('examples'), join(dir, 'examples'));
  const { page, commands } = await followPage(readFileSync(PAGE, 'utf8'), dir);
  expect(commands).toBe(4);
  await expect(page).toMatchFileSnapshot(PAGE);
}, 120_000);

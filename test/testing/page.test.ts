import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { NET_FEATURES } from '../../src/fast-check.ts';
import * as matchers from '../../src/testing/net-matchers.ts';
import { followPage } from '../follow-page.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-testing-page-'));
afterAll(() => rmSync(dir, { recursive: true }));
const page = readFileSync('docs/testing.md', 'utf8');

test('docs/testing.md: its files are written, its commands print what it shows', async () => {
  const followed = await followPage(page, dir);
  expect(followed.commands).toBe(3);
  expect(followed.page).toBe(page);
});

test('it names every matcher and every feature', () => {
  for (const name of Object.keys(matchers)) expect(page).toContain(`\`${name}(`);
  for (const feature of NET_FEATURES) expect(page).toContain(`\`${feature}\``);
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIRST_TSCONFIG } from '../../src/commands/init/init-files.ts';
import { NET_FEATURES } from '../../src/fast-check.ts';
import * as matchers from '../../src/testing/net-matchers.ts';
import { followPage } from '../follow-page.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-testing-page-'));
afterAll(() => rmSync(dir, { recursive: true }));
const page = readFileSync('docs/testing.md', 'utf8');

let followed: Awaited<ReturnType<typeof followPage>>;
beforeAll(async () => {
  followed = await followPage(page, dir);
}, 300_000);

test('docs/testing.md: its commands print the output shown', () => {
  expect(followed.commands).toBe(3);
  expect(followed.page).toBe(page);
});

test('its files type-check with a strict tsconfig', () => {
  const files = [...page.matchAll(/<!-- file: (\S+\.ts) -->/g)].map(([, name]) => name!);
  expect(readdirSync(dir).filter((name) => name.endsWith('.ts'))).toEqual([...files].sort());
  writeFileSync(join(dir, 'tsconfig.json'), FIRST_TSCONFIG);
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const found = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.json', '--listFilesOnly'], {
    cwd: dir,
    encoding: 'utf8',
  });
  for (const name of files) expect(found.stdout).toContain(name);
  const checked = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.json'], { cwd: dir, encoding: 'utf8' });
  expect(checked.stdout + checked.stderr).toBe('');
  expect(checked.status).toBe(0);
}, 60_000);

test('it lists every matcher and every feature', () => {
  for (const name of Object.keys(matchers)) expect(page).toContain(`\`${name}(`);
  for (const feature of NET_FEATURES) expect(page).toContain(`\`${feature}\``);
});

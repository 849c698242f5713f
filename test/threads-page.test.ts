import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DEFAULT_COSTS } from '../src/base/thread-costs.ts';
import { ThreadRecorder } from '../src/models/threads/program/record/recorder.ts';
import { followPage } from './follow-page.ts';

const PAGE = resolve('docs/threads.md');
const text = readFileSync(PAGE, 'utf8');
const dir = mkdtempSync(join(tmpdir(), 'foretoken-threads-page-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('every command of the page prints the output shown', async () => {
  const { page, commands } = await followPage(text, dir);
  expect(commands).toBe(10);
  await expect(page).toMatchFileSnapshot(PAGE);
}, 120_000);

const UNITS = { ns: 1e-9, µs: 1e-6, ms: 1e-3 } as const;

test('the page has every cost with its default', () => {
  const rows = [...text.matchAll(/^\| `(\w+)` \| ([\d.]+) (ns|µs|ms) \|/gm)].map(
    ([, name, value, unit]) => [name, Number(value) * UNITS[unit as keyof typeof UNITS]] as const,
  );
  expect(rows.map(([name]) => name)).toEqual(Object.keys(DEFAULT_COSTS));
  for (const [name, seconds] of rows)
    expect(seconds).toBeCloseTo(DEFAULT_COSTS[name as keyof typeof DEFAULT_COSTS], 12);
});

test('the page has every construct', () => {
  const methods = Object.getOwnPropertyNames(ThreadRecorder.prototype).filter(
    (name) => !['constructor', 'finish'].includes(name),
  );
  const section = text.slice(text.indexOf('## Constructs'), text.indexOf('## Machine costs'));
  expect(methods.filter((name) => !new RegExp(`\\b${name}\\b`).test(section))).toEqual([]);
});

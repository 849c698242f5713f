import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { view } from '../../src/commands/view/view.ts';
import { closesBrowser, HAS_BROWSER, opened } from './browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-long-run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RANKS = 64;
const SPANS = 128_000;
const STATES = ['computing', 'waiting', 'communicating', 'overhead'];

/** Spans of random nanoseconds with random gaps, so that nothing repeats. */
function states(): string {
  let seed = 2_463_534_242;
  const random = (): number => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return seed >>> 0;
  };
  const lines = ['process,node,start,end,state'];
  for (let rank = 0; rank < RANKS; rank++) {
    let at = 0;
    for (let k = 0; k < SPANS / RANKS; k++) {
      const start = at + (random() % 1000);
      at = start + 1 + (random() % 100_000);
      lines.push(`${rank},n${rank >> 3},${start / 1e9},${at / 1e9},${STATES[random() % STATES.length]}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

describe.skipIf(!HAS_BROWSER)('the page of a long run', () => {
  closesBrowser();
  let html = '';
  beforeAll(async () => {
    const csv = join(folder, 'states.csv');
    writeFileSync(csv, states());
    const page = await view(csv);
    expect(page.spans).toBe(SPANS);
    html = Buffer.from(page.html).toString('utf8');
  });

  it('takes at most 6 bytes a span besides its code and its overview', () => {
    const data = [...html.matchAll(/id="part-(\w+)">([^<]*)</g)].map(([, part, text]) => [part, text!.length] as const);
    const sizes = Object.fromEntries(data);
    expect(sizes['record']! / SPANS).toBeLessThan(5.5);
    // An overview does not grow with the run.
    expect(sizes['overview']!).toBeLessThan(200_000);
  });

  it('has its code and its overview before the record, and ends with all spans', async () => {
    // The first script is the one that says when the code does not run.
    const code = html.indexOf('<script>', html.indexOf('</style>'));
    expect(html.indexOf('id="part-overview"')).toBeLessThan(code);
    expect(code).toBeLessThan(html.indexOf('id="part-record"'));
    const { page, faults } = await opened(html);
    expect(faults).toEqual([]);
    expect(await page.getByRole('application').count()).toBe(1);
    expect(await page.getByText('All spans are being read').count()).toBe(0);
    expect(await page.getByText(`${SPANS.toLocaleString('en')} spans of 64 processes`).count()).toBe(1);
    const marks = await page.evaluate('performance.getEntriesByName("first-picture").length');
    expect(marks).toBe(1);
  });

  it('shows the overview of a file whose record is cut off, and says so', async () => {
    const cut = html.indexOf('id="part-record"') + 100_000;
    const { page, faults } = await opened(html.slice(0, cut));
    expect(faults).toEqual([]);
    expect(await page.getByRole('alert').allTextContents()).toEqual([
      'The record of this page cannot be read: the file is truncated or was changed.',
    ]);
    expect(await page.getByRole('region', { name: 'Summary', exact: true }).count()).toBe(1);
    const timeline = page.getByRole('region', { name: 'Timeline', exact: true });
    expect(await timeline.getByRole('img').count()).toBe(1);
    expect(await timeline.getByRole('status').textContent()).toContain('The spans cannot be read.');
  });

  it.each([
    ['inside the part later', 'Messages and calls are not shown: The messages and calls of this page cannot be read'],
    ['before the part later', 'This page is truncated: the end of its file is missing.'],
  ])('says that a file is truncated which ends %s', async (where, text) => {
    const before = html.indexOf('<script type="text/plain" id="part-later">');
    const cut = where.startsWith('before') ? before : html.indexOf('>', before) + 5;
    const { page } = await opened(html.slice(0, cut));
    expect((await page.getByRole('alert').allTextContents()).join('\n')).toContain(text);
    expect(await page.getByRole('application').count()).toBe(1);
  });

  it.each([
    ['styles', '<style>', 20],
    ['documents', 'id="part-documents"', 200],
    ['code', '</style>', 100_000],
  ])('is not empty if its file is cut off in its %s', async (_, from, by) => {
    const { page } = await opened(html.slice(0, html.indexOf(from) + by));
    expect(await page.getAttribute('html', 'data-ready')).toBe('failed');
    expect((await page.getByRole('alert').allTextContents()).join()).toMatch(/truncated|cannot be read/);
    expect(await page.title()).not.toBe('');
  });

  it('says so if its code was changed', async () => {
    const code = html.indexOf('<script>', html.indexOf('</style>'));
    const { page } = await opened(`${html.slice(0, code + 8)};${html.slice(code + 8)}`);
    expect(await page.getByRole('alert').allTextContents()).toEqual([
      'The code of this page cannot run: the file is truncated or was changed, or this browser is from before 2023.',
    ]);
  });
});

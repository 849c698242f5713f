import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { view } from '../../src/commands/view/view.ts';
import { closesBrowser, HAS_BROWSER, opened, settled, violationsOf } from './browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-odd-'));
const HEAD = 'process,node,start,end,state,call,interval';
const rows = (count: number, row: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => row(k)).join('\n');
const LONG = 'n'.repeat(10_000);
const MARKUP = '<img src=x onerror=alert(1)><script>alert(2)</script>&amp;';

/** Records that a reader accepts and that few programs leave. */
const RECORDS: readonly (readonly [name: string, csv: string])[] = [
  ['ten thousand ranks', `${HEAD}\n${rows(10_000, (k) => `${k},${k >> 4},0,${1 + (k % 7)},computing,c,i`)}`],
  ['spans of length zero only', `${HEAD}\n${rows(50, (k) => `${k % 3},0,${k},${k},computing,c,i`)}`],
  ['no spans', HEAD],
  ['one instant', `${HEAD}\n0,0,0,0,computing,c,i`],
  [
    'spans of length zero between others',
    `${HEAD}\n${rows(40, (k) => `0,0,${k >> 1},${(k >> 1) + (k % 2)},${k % 2 === 0 ? 'waiting' : 'computing'},c,i`)}`,
  ],
  [
    'names of 10,000 characters',
    `${HEAD}\n0,0,0,1,computing,${LONG},${LONG}\n1,${LONG},0,2,computing,${LONG}x,${LONG}y`,
  ],
  ['names with markup', `${HEAD}\n0,0,0,1,computing,${MARKUP},"${MARKUP}"\n1,0,0,2,computing,b,javascript:alert(1)`],
  [
    'names with control characters',
    `${HEAD}\n0,0,0,1,computing,"a\u0007\u001b[31m\u202eb\u2028c",i\n1,0,0,2,computing,\u0000,i`,
  ],
  ['missing values', `process,node,start,end,state\n0,0,0,1,computing\n1,0,0.5,0.75,waiting`],
  ['one rank', `${HEAD}\n0,0,0,1,computing,c,i\n0,0,1,3,communicating,send,i`],
  [
    'times far from zero',
    `${HEAD}\n0,0,1700000000,1700000000.000001,computing,c,i\n1,0,1700000000,1700000000.000002,computing,c,i`,
  ],
  ['long and short spans', `${HEAD}\n0,0,0,1e9,computing,c,i\n1,0,0,1e-9,computing,c,i`],
  ['5,000 calls by name', `${HEAD}\n${rows(5000, (k) => `0,0,${k},${k + 1},computing,call${k},interval${k}`)}`],
];

/** Records whose pages axe examines. */
const AXE: ReadonlySet<string> = new Set(['ten thousand ranks', 'names with markup']);

closesBrowser();

describe.skipIf(!HAS_BROWSER)('the page of a record', () => {
  it.each(RECORDS)('with %s has no fault', async (name, csv) => {
    const record = join(folder, `${name}.csv`);
    writeFileSync(record, `${csv}\n`);
    const { page, faults } = await opened((await view(record)).html);
    expect(await page.getAttribute('html', 'data-ready')).toBe('true');
    expect(await page.getByRole('alert').count()).toBe(0);
    for (const part of ['Summary', 'Timeline', 'Replay', 'Nodes', 'Intervals'])
      expect(await page.getByRole('region', { name: part, exact: true }).count(), part).toBe(1);
    const note = await page.getByRole('region', { name: 'Timeline', exact: true }).getByText('Shown:').textContent();
    if (name === 'no spans')
      expect(note).toBe(
        'The record has no spans: there is nothing to draw. Shown: 0 s to 0 s, 0 spans of 0 processes.',
      );
    else if (name === 'one instant')
      expect(note).toBe('The run takes no time: there is nothing to draw. Shown: 0 s to 0 s, 1 span of 1 process.');
    else expect(note).not.toMatch(/^The run|\b1 spans|\b1 processes/);
    for (const button of ['Zoom in', 'Next event', 'Next event', 'Previous event', 'Zoom out'])
      await page.getByRole('button', { name: button, exact: true }).click();
    const timeline = page.getByRole('application').first();
    for (const key of ['n', 'n', 'p', 'ArrowRight', 'Home']) await timeline.press(key);
    await settled(page);
    expect(await page.locator('img[src=x]').count()).toBe(0);
    // Without time, there is no efficiency.
    if (['no spans', 'one instant'].includes(name))
      expect(await page.locator('data[data-figure$="efficiency"], data[data-figure$="efficiency/value"]').count()).toBe(
        0,
      );
    // NaN and undefined are never a figure.
    expect(await page.locator('data[value=NaN], data[value=undefined], data[value=Infinity]').count()).toBe(0);
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).not.toMatch(/NaN|undefined|\[object/);
    expect(faults).toEqual([]);
    // Rows are drawn while they are visible.
    expect(await page.locator('*').count()).toBeLessThan(5000);
    // Long names break: the page does not grow with them.
    await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
    await settled(page);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    if (!AXE.has(name)) return;
    expect(await violationsOf(page, { include: 'main' })).toEqual([]);
  });
});

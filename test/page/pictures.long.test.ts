import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { warmly } from '../cli/warm.ts';
import { closesBrowser, HAS_BROWSER, opened } from './browser.ts';

/*
 * Pictures of examples, as the committed ones. FORETOKEN_PICTURES=update writes them anew, where a change is meant: look at them
 * before you commit.
 */

const UPDATES = process.env['FORETOKEN_PICTURES'] === 'update';
/** Share of the pixels that may differ: fonts of computers do. */
const TOLERANCE = 0.03;

const folder = mkdtempSync(join(tmpdir(), 'foretoken-pictures-'));
const ALL_TO_ALL = [
  ...['view', 'examples/all-to-all/model.ts', '--machine', 'examples/all-to-all/machine.yaml'],
  ...['--ranks', '5', '--placement', 'cyclic'],
];

/** The cursor at a time. */
const at =
  (time: number) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('slider', { name: 'Time' }).evaluate((element, value) => {
      const input = element as unknown as EventTarget & { value: string };
      input.value = String(value);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }, time);
  };

const nothing = async (): Promise<void> => {};

/** The part of each picture, and what is done before it is taken. */
const PICTURES: readonly (readonly [
  file: string,
  args: readonly string[],
  part: string,
  before: (page: Page) => Promise<void>,
])[] = [
  ['docs/images/timeline.png', ALL_TO_ALL, '.timeline .canvas', at(0.000624)],
  ['test/page/pictures/nodes.png', ALL_TO_ALL, '.nodes', at(0.000624)],
  ['test/page/pictures/flame.png', ['view', 'examples/jacobi-2d/model.ts', '--ranks', '16'], '.flame', nothing],
  [
    'test/page/pictures/life-cycle.png',
    ['view', 'examples/threads-loop/model.ts', '--workers', '4'],
    '.cycle',
    nothing,
  ],
  [
    'test/page/pictures/scaling.png',
    ['whatif', 'examples/heat-1d/model.ts', '--vary', 'ranks=2..16*2', '--vary', 'machine.speed=x1,x2'],
    '.u-wrap >> nth=0',
    nothing,
  ],
];

/** Members of the browser that a function in the page uses: these tests have no types of browsers. */
interface InPage {
  readonly scrollY: number;
  readonly document: { readonly body: { readonly style: { paddingTop: string } } };
}

describe.skipIf(!HAS_BROWSER)('pictures of examples', () => {
  closesBrowser();

  it.each(PICTURES)('are as %s shows them', async (file, args, part, before) => {
    const html = join(folder, 'page.html');
    expect((await warmly([...args, args[0] === 'view' ? '-o' : '--report', html])).code).toBe(0);
    const { page, faults } = await opened(readFileSync(html), { viewport: { width: 1000, height: 800 } });
    await before(page);
    await page
      .getByRole('region', { name: 'Intervals', exact: true })
      .or(page.locator('main'))
      .last()
      .scrollIntoViewIfNeeded();
    const element = page.locator(part).first();
    await element.waitFor();
    // Canvases are drawn in the next frames; a loaded computer takes its time.
    const taken = async (): Promise<Buffer> => {
      await page.waitForTimeout(500);
      // A part between two pixels is moved by one whenever the parts above it change their height.
      await element.evaluate((node) => {
        const { scrollY, document } = globalThis as unknown as InPage;
        const { style } = document.body;
        const box = (node as unknown as { getBoundingClientRect(): { readonly top: number } }).getBoundingClientRect();
        const top = box.top + scrollY;
        style.paddingTop = `${(Number.parseFloat(style.paddingTop) || 0) + Math.ceil(top) - top}px`;
      });
      return element.screenshot();
    };
    // The page moves until the parts above are made: a picture that is kept is one that stays.
    const settled = async (): Promise<Buffer> => {
      for (let last = await taken(); ; ) {
        const now = await taken();
        if (now.equals(last)) return now;
        last = now;
      }
    };
    if (UPDATES) writeFileSync(file, await settled());
    const kept = PNG.sync.read(readFileSync(file));
    const differing = async (): Promise<number> => {
      const now = PNG.sync.read(await taken());
      expect([now.width, now.height]).toEqual([kept.width, kept.height]);
      const pixels = pixelmatch(now.data, kept.data, undefined, now.width, now.height, { threshold: 0.2 });
      return pixels / (now.width * now.height);
    };
    await expect.poll(differing, { timeout: 20_000 }).toBeLessThan(TOLERANCE);
    expect(faults).toEqual([]);
  });
});

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NetBuilder, netToJson } from '../../src/index.ts';
import { PALETTES } from '../../src/page/draw/colours.ts';
import { warmly } from '../cli/warm.ts';
import { closesBrowser, HAS_BROWSER, opened, settled } from './browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-print-'));

/** Width and height of A4 without margins of 12 mm, in CSS pixels. */
const PAPER = { width: 703, height: 1032 };

/** Factor by which browsers reduce a page that is wider than the paper. */
const REDUCED = 1.33;

/** A drawing that is wider than the paper. */
function chain(): string {
  const n = new NetBuilder('chain');
  const places = Array.from({ length: 30 }, (_, k) => n.place(`place${k}`, {}, k === 0 ? { initial: 1 } : {}));
  for (let k = 0; k < 29; k++)
    n.transition(`step${k}`, (t) => {
      t.take(places[k]!);
      t.put(places[k + 1]!, {});
    });
  const file = join(folder, 'chain.json');
  writeFileSync(file, netToJson(n.build()));
  return file;
}

const JACOBI = ['examples/jacobi-2d/model.ts', '--machine', 'examples/jacobi-2d/machine.yaml'];
const THREADS = ['examples/threads-loop/model.ts', '--workers', '3'];
/** Commands with pages of each kind. */
const PAGES: readonly (readonly [name: string, command: () => readonly string[]])[] = [
  ['a run', () => ['view', ...JACOBI, '--ranks', '16', '-o']],
  ['a study', () => ['whatif', ...JACOBI, '--vary', 'ranks=2,4,8', '--report']],
  ['a diagnosis', () => ['diagnose', ...THREADS, '--speedup', '--report']],
  ['a net', () => ['view', chain(), '-o']],
];

async function pageOf(name: string): ReturnType<typeof opened> {
  const file = join(folder, `${name}.html`);
  const { code, stderr } = await warmly([...PAGES.find(([of]) => of === name)![1](), file]);
  expect(code, stderr).toBe(0);
  return opened(readFileSync(file), { colorScheme: 'dark' });
}

/* biome-ignore-start lint/performance/useDomNodeTextContent: the text that is shown */
/** Texts of headings, terms with their values, cells, and list items; empty for those that are not shown. */
const contentOf = (page: Page): Promise<string[]> =>
  page.$$eval(
    'main :is(h2, h3, h4, dt, dd, th, td, li):not(.tools *, fieldset *, .meanings *, details:not([open]) *)',
    (all) =>
      all.map((one) => {
        const element = one as unknown as {
          innerText: string;
          querySelectorAll(of: string): Iterable<{ innerText: string }>;
        };
        const actions = [...element.querySelectorAll('.see, [aria-expanded]')].map(({ innerText }) => innerText);
        const text = actions.reduce((rest, action) => rest.replace(action, ''), element.innerText);
        return text.replace(/\s/g, '');
      }),
  );
/* biome-ignore-end lint/performance/useDomNodeTextContent: see above */

/** Puts a page into the state in which a browser takes it for print. */
async function printed(page: Page): Promise<void> {
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
  await settled(page);
}

/**
 * Pairs of texts that cover each other. The boxes of lines are higher than their letters, by half of which those of neighbours may
 * overlap.
 */
const OVERLAPS = `(() => {
  const boxes = [];
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent.trim();
    const of = node.parentElement;
    if (text === '' || !of.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (of.closest('title, style, .hidden, option, select') !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const inset = (bottom - top) / 4;
      if (right - left > 2) boxes.push({ text, left: left + 1, right: right - 1, top: top + inset, bottom: bottom - inset });
    }
  }
  boxes.sort((a, b) => a.top - b.top);
  const found = [];
  boxes.forEach((a, k) => {
    for (let n = k + 1; n < boxes.length && boxes[n].top < a.bottom; n++) {
      const b = boxes[n];
      if (a.left < b.right && b.left < a.right) found.push(a.text.slice(0, 30) + ' | ' + b.text.slice(0, 30));
    }
  });
  return { texts: boxes.length, found };
})()`;

const overlapsIn = (page: Page): Promise<{ readonly texts: number; readonly found: string[] }> =>
  page.evaluate(OVERLAPS);

/** Elements that are shown. */
const shown = (page: Page, of: string): Promise<string[]> =>
  page.$$eval(of, (all) =>
    all
      .filter((one) => (one as unknown as { checkVisibility(): boolean }).checkVisibility())
      .map((one) => (one as unknown as { outerHTML: string }).outerHTML.slice(0, 120)),
  );

describe.skipIf(!HAS_BROWSER)('the print', () => {
  closesBrowser();

  it('is searched for texts that cover each other', async () => {
    const { page } = await pageOf('a net');
    await page.evaluate(`for (const text of ['over', 'under']) {
      const one = document.createElement('p');
      one.textContent = text;
      Object.assign(one.style, { position: 'absolute', top: '-500px', left: '0' });
      document.querySelector('main').append(one);
    }`);
    expect((await overlapsIn(page)).found).toContain('over | under');
  });

  it.each(PAGES.map(([name]) => name))(
    'of %s has all content, nothing that only acts, and nothing cut off',
    async (name) => {
      const { page, faults } = await pageOf(name);
      // Parts that are made for print.
      await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
      await settled(page);
      const before = await contentOf(page);
      expect(before.filter((text) => text !== '').length).toBeGreaterThan(20);
      await printed(page);
      expect(await contentOf(page)).toEqual(before);
      expect(await shown(page, 'button:not(th *, .link, .plain, .bins *)')).toEqual([]);
      expect(await shown(page, 'input, .see')).toEqual([]);
      const texts = await overlapsIn(page);
      expect(texts.found).toEqual([]);
      expect(texts.texts).toBeGreaterThan(20);
      const cut = await page.$$eval('.scroll, .bindings, .layers, svg', (all) =>
        all
          .map(
            (one) =>
              one as unknown as { className: unknown } & Record<
                'scrollWidth' | 'clientWidth' | 'scrollHeight' | 'clientHeight',
                number
              >,
          )
          .filter((one) => one.scrollHeight > one.clientHeight + 1)
          .map((one) => `${one.className} ${one.scrollHeight} in ${one.clientHeight}`),
      );
      expect(cut).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThan(REDUCED * PAPER.width);
      const wide = await page.$$eval(
        'canvas, svg, img',
        (all, width) =>
          all
            .map(
              (one) => (one as unknown as { getBoundingClientRect(): { right: number } }).getBoundingClientRect().right,
            )
            .filter((right) => right > width + 1),
        PAPER.width,
      );
      expect(wide).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  it('of a dark page is light, also in its pictures', async () => {
    const { page, faults } = await pageOf('a run');
    // Pixels of each colour in the pictures while the browser takes the page.
    await page.evaluate(`{
      globalThis.colours = () => [...document.querySelectorAll('canvas')].flatMap((canvas) => {
        // A copy: canvases of the page are not made to be read.
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        const found = new Map();
        for (let k = 0; k < data.length; k += 4)
          if (data[k + 3] === 255) {
            const colour = data.slice(k, k + 3).join();
            found.set(colour, (found.get(colour) ?? 0) + 1);
          }
        return [...found].filter(([, count]) => count > 50).map(([colour]) => colour);
      });
      // It runs after the listener of the page.
      window.addEventListener('beforeprint', () => { globalThis.onPaper = colours(); });
    }`);
    const colours = (name: string): Promise<string[]> => page.evaluate(name);
    const [light, dark] = (['light', 'dark'] as const).map((scheme) => String(PALETTES[scheme].states.computing));
    expect(await colours('colours()')).toContain(dark);
    await page.pdf({ format: 'A4' });
    const onPaper = await colours('onPaper');
    expect(onPaper).toContain(light);
    expect(onPaper).not.toContain(dark);
    // The text of the axis is dark.
    expect(onPaper).toContain('27,27,31');
    expect(onPaper).not.toContain('236,236,241');
    await settled(page);
    expect(await colours('colours()')).toContain(dark);
    expect(faults).toEqual([]);
  });
});

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { view } from '../../src/commands/view/view.ts';
import { warmly } from '../cli/warm.ts';
import { closesBrowser, figuresIn, HAS_BROWSER, opened, saved, valueAt } from './browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-documents-'));
const LOCK = 'examples/threads-loop/model.ts';

/** A document of each kind, the region that shows it, and the exit codes of its command. */
const DOCUMENTS: readonly (readonly [kind: string, region: string, args: readonly string[]])[] = [
  ['prediction', 'Prediction', ['predict', 'examples/ring/model.ts', '--ranks', '4']],
  [
    'what-if',
    'What-if',
    ['whatif', 'examples/heat-1d/model.ts', '--vary', 'ranks=2,4,8', '--vary', 'machine.speed=x1,x2'],
  ],
  ['profile', 'Calls', ['profile', 'examples/all-to-all/model.ts', '--ranks', '5']],
  ['space', 'State space', ['explore', 'examples/ring/model.ts', '--ranks', '2']],
  ['program-verification', 'Verification', ['verify', 'examples/ring/model.ts', '--ranks', '3']],
  ['structure', 'Structure', ['structure', 'examples/ring/model.ts', '--ranks', '2']],
  ['diagnosis', 'Workers', ['diagnose', LOCK, '--workers', '2']],
  ['comparison', 'Compare', ['compare', 'examples/ring/model.ts', 'examples/heat-1d/model.ts', '--ranks', '4']],
  ['steady', 'Steady state', ['steady', 'examples/ring/model.ts', '--ranks', '2']],
  ['thread-verification', 'Verification', ['verify', LOCK, '--set', 'n=100']],
];

/** Every label is in words, and no row or column is there for members that the document does not have. */
async function expectLabels(page: Page, document: Record<string, unknown>): Promise<void> {
  const labels = await page.locator('main').locator('dl.figures dt, h3, .table th').allInnerTexts();
  const names = new Set(namesIn(document));
  expect(labels.filter((label) => /[a-z][A-Z]|_|\w\.\w/.test(label) && !names.has(label))).toEqual([]);
  expect(labels.filter((label) => label.trim() === '')).toEqual([]);
  const empty = await page.$$eval('main table', (tables) =>
    tables.flatMap((table) => {
      const rows = [...table.querySelectorAll('tbody tr')].map((row) =>
        [...row.children].map((cell) => cell.textContent),
      );
      return [...table.querySelectorAll('th')].flatMap((heading, k) =>
        rows.length > 0 && rows.every((row) => row[k] === '–' || row[k] === 'not known') ? [heading.textContent] : [],
      );
    }),
  );
  expect(empty).toEqual([]);
  const unknown = await page
    .locator('main dd, main td')
    .filter({ hasText: /^not known$/ })
    .count();
  expect(unknown).toBeLessThanOrEqual(nullsOf(document));
}

/** Names of a document that are not keys: those of parameters and axes. */
const namesIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, one]) => [
        ...(['values', 'parameters', 'params', 'own'].includes(key) ? Object.keys(one as object) : []),
        ...namesIn(one),
      ]);

/** Number of figures and verdicts that are null. */
const nullsOf = (value: unknown, inside = ''): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.entries(value).reduce(
        (sum, [key, one]) =>
          sum +
          (one === null && (/^verdicts?$/.test(inside) || key === 'verdict' || (key === 'value' && 'unit' in value))
            ? 1
            : 0) +
          nullsOf(one, inside === 'verdicts' ? inside : key),
        0,
      );

describe.skipIf(!HAS_BROWSER)('the page of a result document', () => {
  closesBrowser();

  it.each(DOCUMENTS)('of kind %s shows its figures, and saves it', async (kind, name, args) => {
    const { stdout } = await warmly([...args, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ format: 'foretoken', kind });
    const file = join(folder, `${kind}.json`);
    writeFileSync(file, stdout);
    const { html } = await view(file);
    const { page, faults } = await opened(html);
    expect(await page.getByRole('region', { name, exact: true }).count()).toBe(1);
    const figures = await figuresIn(page);
    expect(figures.length).toBeGreaterThan(2);
    for (const { name: key, value } of figures) {
      const wanted = valueAt(JSON.parse(stdout), key);
      expect(value, key).toBe(wanted === null ? Number.NaN : wanted);
    }
    expect(await saved(page, page.getByRole('button', { name: 'Save JSON' }))).toBe(stdout);
    // The terminal shows the same findings.
    const text = await warmly(['view', file, '--text']);
    const words = (shown: string): string[] => shown.split(/[\s/]+/).filter((word) => word !== '' && word !== 'Note:');
    const summary = page.getByRole('region', { name: 'Summary', exact: true });
    await summary.locator('details:not(.meanings)').evaluateAll((all) => {
      for (const details of all) details.setAttribute('open', '');
    });
    const region = (await summary.allInnerTexts())[0]!.replaceAll(
      /^Summary$|^Figures explained$|^\d+ notes? on these figures$|^\d+\. | See .+$/gm,
      '',
    );
    const [title, ...rest] = text.stdout.split('\n');
    expect(words(rest.join('\n'))).toEqual(words(region));
    expect(words(region).length).toBeGreaterThan(5);
    // Each statement leads to its part.
    const told = summary.locator('dl.figures > div, p.advice, ol.findings > li');
    expect(await told.count()).toBeGreaterThan(0);
    for (const one of await told.all()) {
      const link = one.locator('button.link');
      expect(await link.count(), (await one.textContent())!).toBe(1);
      await link.click();
      expect(await page.locator('main h2:focus').count()).toBe(1);
    }
    expect(title).toMatch(/^[A-Z][\w -]+: /);
    expect(title!.endsWith(`: ${file}`)).toBe(true);
    await expectLabels(page, JSON.parse(stdout));
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it.each([
    ['explore', ['examples/ring/model.ts', '--ranks', '2'], 'State space: ring'],
    ['whatif', ['examples/ring/model.ts', '--vary', 'ranks=2,4'], 'What-if: ring'],
    ['compare', ['examples/ring/model.ts', 'examples/ring/model.ts', '--ranks', '2'], 'Comparison: ring, ring'],
  ])('a report of %s has the name of its model', async (command, args, title) => {
    const file = join(folder, `${command}.html`);
    await warmly([command, ...args, '--report', file]);
    expect(readFileSync(file, 'utf8')).toContain(`<title>${title}</title>`);
  });

  const prediction = async (): Promise<Record<string, unknown>> =>
    JSON.parse((await warmly(['predict', 'examples/ring/model.ts', '--ranks', '4', '--json'])).stdout);

  it.each([
    ['another version', { version: 7 }, /not version 7 of prediction/],
    ['an unknown kind', { kind: 'of the future' }, undefined],
    [
      'members that are missing',
      { figures: undefined, deadlock: undefined, ranks: undefined },
      /cannot be shown: the document lacks a value of it/,
    ],
    ['a figure that is null', { figures: { runTime: { value: null, unit: 's' } } }, undefined],
    ['names of 10,000 characters', { options: {}, firings: { ['x'.repeat(10_000)]: 1 } }, undefined],
    ['names with markup and control characters', { firings: { '<script>\u0007\u202e': 1 } }, undefined],
  ] as const)('with %s says so and shows the rest', async (_, change, alert) => {
    const file = join(folder, 'changed.json');
    writeFileSync(file, JSON.stringify({ ...(await prediction()), ...change }));
    const { page, faults } = await opened((await view(file)).html);
    expect(await page.getAttribute('html', 'data-ready')).toBe('true');
    const alerts = (await page.getByRole('alert').allTextContents()).join('\n');
    if (alert === undefined) expect(alerts).toBe('');
    else expect(alerts).toMatch(alert);
    // The rest: the table of resources.
    expect(await page.getByRole('table', { name: 'Resources' }).count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('that was cut off is an error with its file', async () => {
    const file = join(folder, 'cut.json');
    const text = JSON.stringify(await prediction());
    writeFileSync(file, text.slice(0, text.length / 2));
    await expect(view(file)).rejects.toMatchObject({ problems: [{ code: 'APP010', place: { file } }] });
    expect(readFileSync(file, 'utf8').length).toBeGreaterThan(100);
  });
});

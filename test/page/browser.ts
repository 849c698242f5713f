import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeEach } from 'vitest';

/** Chromium with its windows, as users open pages. */
export const WITH_WINDOWS = '/usr/bin/chromium';

/** Where Debian installs Chromium: without its windows, a page takes less than half the processor time. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', WITH_WINDOWS];

/** The browser of the tests: CHROMIUM, or the one installed. Tests of pages are reported as skipped without it. */
export const EXECUTABLE: string = process.env['CHROMIUM'] ?? INSTALLED.find((path) => existsSync(path)) ?? WITH_WINDOWS;
export const HAS_BROWSER: boolean = existsSync(EXECUTABLE);

let started: Promise<Browser> | undefined;
const folder = mkdtempSync(join(tmpdir(), 'foretoken-page-'));

/** The pages that the running test has opened; undefined outside tests, whose pages several tests share. */
let ofTest: BrowserContext[] | undefined;

/**
 * Closes the pages of a test after it, since those that stay open go on computing, and the browser after the tests of a file.
 *
 * @param pages `shared`: the page of a test is used by those after it
 */
export function closesBrowser(pages?: 'shared'): void {
  beforeEach(() => {
    ofTest = pages === 'shared' ? undefined : [];
  });
  afterEach(async () => {
    const opened = ofTest ?? [];
    ofTest = undefined;
    await Promise.all(opened.map((context) => context.close()));
  });
  afterAll(async () => {
    await (await started)?.close();
    started = undefined;
  });
}

/** A page, and what went wrong in it. */
export interface Opened {
  readonly page: Page;
  /** Errors and warnings of the console, exceptions, and requests other than that of the file. */
  readonly faults: readonly string[];
}

let files = 0;

/** Starts a browser; the caller closes it. */
export const launched = (executablePath = EXECUTABLE): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** Opens a page from disk and waits until it is ready, or has failed. */
export async function opened(
  html: Uint8Array | string,
  options: BrowserContextOptions = {},
  fragment = '',
  browser?: Browser,
): Promise<Opened> {
  const file = join(folder, `page-${files++}.html`);
  writeFileSync(file, html);
  started ??= browser === undefined ? launched() : undefined;
  const context = await (browser ?? (await started)!).newContext({
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  ofTest?.push(context);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`file://${file}`) && !url.startsWith('blob:')) faults.push(`request: ${url}`);
  });
  await page.goto(`file://${file}${fragment}`);
  await page.waitForSelector('html[data-ready]', { state: 'attached', timeout: 60_000 });
  return { page, faults };
}

/** Waits until a page shows what an action has changed: signals run their effects in the next frame, and those may change others. */
export async function settled(page: Page): Promise<void> {
  for (let frames = 0; frames < 3; frames++)
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
}

/** The text of the file that a page saves when a button is pressed. */
export async function saved(page: Page, button: Locator): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.first().click()]);
  return readFileSync(await download.path(), 'utf8');
}

/**
 * Violations that axe finds in a page without frames: rule and elements. By default, axe also describes every element that passes, twice,
 * and moves the descriptions to a second page: four fifths of the processor time.
 */
export async function violationsOf(
  page: Page,
  part: 'all' | { include: string } | { exclude: string },
): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  if (part !== 'all') 'include' in part ? axe.include(part.include) : axe.exclude(part.exclude);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
}

/** Figures of a page, and numbers of its record (`run`): name, document, and value as a number; NaN where it is not known. */
export function figuresIn(page: Page): Promise<{ name: string; of: string; value: number }[]> {
  return page.$$eval('data', (elements) =>
    elements.map((element) => ({
      name: (element.getAttribute('data-figure') ?? element.getAttribute('data-row'))!,
      of: element.hasAttribute('data-row') ? 'run' : (element.getAttribute('data-document') ?? ''),
      value: (element.getAttribute('value') ?? '') === '' ? Number.NaN : Number(element.getAttribute('value')),
    })),
  );
}

/** The tables of a run record (`--run r.jsonl`), to which the pointers `data-row` lead. */
export function tablesOfRecord(lines: string): Readonly<Record<string, readonly unknown[]>> {
  const rows = lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly table?: string });
  return Object.fromEntries(
    ['states', 'calls', 'messages'].map((name) => [name, rows.filter(({ table }) => table === name)]),
  );
}

/** The value that a figure's name leads to in a document: a key under `figures`, or a pointer (RFC 6901). */
export function valueAt(document: unknown, name: string): unknown {
  const keys = name.startsWith('/')
    ? name
        .slice(1)
        .split('/')
        .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    : ['figures', name, 'value'];
  return keys.reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key], document);
}

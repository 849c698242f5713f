import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { profile } from '../../src/commands/profile/profile-program.ts';
import { profileJson } from '../../src/commands/profile/profile-view.ts';
import { view } from '../../src/commands/view/view.ts';
import { foretoken } from '../cli/run.ts';
import {
  closesBrowser,
  figuresIn,
  HAS_BROWSER,
  launched,
  opened,
  saved,
  settled,
  tablesOfRecord,
  valueAt,
  violationsOf,
  WITH_WINDOWS,
} from './browser.ts';

const MODEL = 'examples/all-to-all/model.ts';
const ARGS = ['--machine', 'examples/all-to-all/machine.yaml', '--ranks', '5', '--placement', 'cyclic'];
const folder = mkdtempSync(join(tmpdir(), 'foretoken-run-page-'));

/** Moves the cursor as a user does. */
async function moveTo(page: Page, time: number): Promise<void> {
  await page.getByRole('slider', { name: 'Time' }).evaluate((element, value) => {
    const input = element as unknown as EventTarget & { value: string };
    input.value = String(value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, time);
}

/** Rows of the first table of a region, as it saves them. */
async function rowsOf(page: Page, region: string): Promise<string[][]> {
  const part = page.getByRole('region', { name: region, exact: true });
  const csv = await saved(page, part.getByRole('button', { name: 'Save CSV' }));
  return csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
}

describe.skipIf(!HAS_BROWSER)('the page of a simulated run', () => {
  closesBrowser('shared');
  let record: string;
  let html: string;
  beforeAll(async () => {
    record = join(folder, 'run.ftrun');
    html = join(folder, 'page.html');
    const made = await foretoken(['predict', MODEL, ...ARGS, '--run', record]);
    expect(made.code).toBe(0);
    const written = await foretoken(['view', MODEL, ...ARGS, '-o', html]);
    expect(written).toMatchObject({ code: 0, stdout: '' });
    expect(written.stderr).toMatch(/^.*page\.html: \d+ spans, 20 messages, \d+ bytes\n$/);
  });
  const page = async (options: BrowserContextOptions = {}, fragment = ''): Promise<Page> => {
    const found = await opened(readFileSync(html), options, fragment);
    expect(await found.page.getAttribute('html', 'data-ready')).toBe('true');
    expect(found.faults).toEqual([]);
    return found.page;
  };
  let first: Promise<Page> | undefined;
  /** One page for several tests: each begins with what it needs. */
  const same = (): Promise<Page> => {
    first ??= page();
    return first;
  };

  it('has the regions, buttons and the slider', async () => {
    const shown = await same();
    for (const name of ['Summary', 'Timeline', 'Replay', 'Calls', 'Communication', 'Nodes', 'Messages'])
      expect(await shown.getByRole('region', { name, exact: true }).count(), name).toBe(1);
    for (const name of ['Play', 'Pause', 'Next event', 'Previous event', 'Zoom in', 'Zoom out', 'Save JSON'])
      expect(await shown.getByRole('button', { name, exact: true }).count(), name).toBe(1);
    expect(await shown.getByRole('searchbox').count()).toBe(1);
    const slider = shown.getByRole('slider', { name: 'Time' });
    const [min, max] = await Promise.all([slider.getAttribute('min'), slider.getAttribute('max')]);
    expect(Number(min)).toBe(0);
    expect(Number(max)).toBe(profile(record).figures.executionTime.value);
  });

  it('shows the figures of predict --json and profile --json, and saves the former', async () => {
    const shown = await same();
    const { stdout } = await foretoken(['predict', MODEL, ...ARGS, '--json']);
    const profiled = await foretoken(['profile', MODEL, ...ARGS, '--json']);
    expect(await saved(shown, shown.getByRole('button', { name: 'Save JSON' }))).toBe(stdout);
    const figures = await figuresIn(shown);
    expect(figures.length).toBeGreaterThanOrEqual(5);
    expect(figures.map(({ name }) => name)).toContain('runTime');
    const written = join(folder, 'same.jsonl');
    await foretoken(['predict', MODEL, ...ARGS, '--run', written]);
    const documents: Readonly<Record<string, unknown>> = {
      '': JSON.parse(stdout),
      profile: JSON.parse(profiled.stdout),
      run: tablesOfRecord(readFileSync(written, 'utf8')),
    };
    expect(figures.map(({ of }) => of)).toContain('run');
    for (const { name, of, value } of figures) expect(value, `${of} ${name}`).toBe(valueAt(documents[of], name));
  });

  it.skipIf(!existsSync(WITH_WINDOWS))('shows the same in Chromium with its windows', async () => {
    const browser = await launched(WITH_WINDOWS);
    try {
      const found = await opened(readFileSync(html), {}, '', browser);
      expect(found.faults).toEqual([]);
      expect(await found.page.getAttribute('html', 'data-ready')).toBe('true');
      expect(await figuresIn(found.page)).toEqual(await figuresIn(await same()));
    } finally {
      await browser.close();
    }
  });

  it('shows the state of each node at any instant, as profile --at', async () => {
    const shown = await same();
    const end = profile(record).figures.executionTime.value;
    const states = async (): Promise<string[][]> =>
      shown.$$eval('[data-node]', (rows) =>
        rows.map((row) => [row.getAttribute('data-node')!, row.getAttribute('data-state')!]),
      );
    await moveTo(shown, 0.000624);
    expect(await states()).toEqual([
      ['N0', 'computing'],
      ['N1', 'waiting'],
    ]);
    const instants = fc.sample(fc.double({ min: 0, max: end, noNaN: true }), { numRuns: 10, seed: 7 });
    for (const at of [0, end, ...instants]) {
      await moveTo(shown, at);
      const reached = Number(await shown.getByRole('slider', { name: 'Time' }).inputValue());
      const { nodes } = profile(record, { at: reached });
      expect(await states(), `at ${reached}`).toEqual(nodes.map(({ node, at: state }) => [node, state]));
    }
  });

  it('shows the tables of a part of the run, as profile --from --to', async () => {
    const shown = await same();
    const end = profile(record).figures.executionTime.value;
    for (const [from, to] of [
      [0.1 * end, 0.6 * end],
      [0.5 * end, end],
      [0, 0.3 * end],
    ] as const) {
      const whole = shown.getByRole('button', { name: 'Use the whole run' });
      if (await whole.isEnabled()) await whole.click();
      await shown.getByLabel('Range to, in seconds').fill(String(to));
      await shown.getByLabel('Range to, in seconds').press('Tab');
      await shown.getByLabel('Range from, in seconds').fill(String(from));
      await shown.getByLabel('Range from, in seconds').press('Tab');
      const { calls, messages } = profile(record, { from, to });
      await expect
        .poll(() => rowsOf(shown, 'Calls'))
        .toEqual(
          calls.map(({ call, count, seconds, blocked, bytes, messageSeconds }) => [
            call,
            ...[count, seconds, blocked, bytes, messageSeconds].map(String),
          ]),
        );
      expect(await rowsOf(shown, 'Communication')).toEqual(
        messages.pairs.map(({ source, destination, messages: count, bytes }) =>
          [source, destination, count, bytes].map(String),
        ),
      );
      // Figures of a part name it; their values are those of its profile.
      const parts = await shown.$$eval('data[data-from]', (all) =>
        all.map((of) => [of.getAttribute('data-figure')!, Number(of.getAttribute('value'))] as const),
      );
      expect(parts.some(([name]) => name === '/messages/betweenNodes/bytes')).toBe(true);
      const document = JSON.parse(profileJson(profile(record, { from, to })));
      for (const [name, value] of parts) expect(value, name).toBe(valueAt(document, name));
    }
  });

  it('saves the profile of a record, whose spans it restores', async () => {
    const { html: own } = await view(record);
    const found = await opened(own);
    expect(found.faults).toEqual([]);
    expect(await saved(found.page, found.page.getByRole('button', { name: 'Save JSON' }))).toBe(
      profileJson(profile(record)),
    );
  });

  it('replays the run: steps to events, plays and pauses', async () => {
    const shown = await same();
    await moveTo(shown, 0);
    const slider = shown.getByRole('slider', { name: 'Time' });
    const end = Number(await slider.getAttribute('max'));
    const steps: number[] = [0];
    while (steps.at(-1)! < end && steps.length < 500) {
      await shown.getByRole('button', { name: 'Next event' }).click();
      await settled(shown);
      steps.push(Number(await slider.inputValue()));
    }
    expect(steps.at(-1)).toBe(end);
    expect(steps.every((time, k) => k === 0 || time > steps[k - 1]!)).toBe(true);
    // Instants of the record at which a state begins or ends.
    const events = new Set([0, end]);
    for (const { processes } of profile(record).nodes)
      for (const { spans } of processes) for (const { from, to } of spans!) events.add(from).add(to);
    // A slider rounds its value.
    for (const time of events) expect(steps.some((step) => Math.abs(step - time) <= 1e-12)).toBe(true);
    await shown.getByRole('button', { name: 'Previous event' }).click();
    await settled(shown);
    expect(Number(await slider.inputValue())).toBe(steps.at(-2));
    await moveTo(shown, 0);
    await shown.getByRole('button', { name: 'Play' }).click();
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(0);
    await shown.getByRole('button', { name: 'Pause' }).click();
    await settled(shown);
    const paused = await slider.inputValue();
    await shown.waitForTimeout(200);
    expect(await slider.inputValue()).toBe(paused);
  });

  it('selects spans by the keyboard and tells call, peer, bytes and reason', async () => {
    const shown = await same();
    const timeline = shown.getByRole('application');
    await timeline.focus();
    await timeline.press('Escape');
    const selection = shown.getByRole('region', { name: 'Selection' });
    const seen = new Set<string>();
    for (let k = 0; k < 12; k++) {
      await timeline.press('n');
      await settled(shown);
      seen.add((await selection.textContent()) ?? '');
    }
    expect(seen.size).toBeGreaterThan(8);
    const all = [...seen].join('\n');
    for (const word of ['MPI_Recv', 'Peer', 'Bytes', 'Reason', 'computing']) expect(all).toContain(word);
    await timeline.press('Escape');
    await settled(shown);
    expect(await selection.textContent()).toContain('Select a span');
  });

  it('collapses nodes by a button, by the keyboard, and by a click on their heading', async () => {
    const shown = await same();
    const timeline = shown.getByRole('application');
    const canvas = timeline.locator('canvas');
    /** Rows with anything drawn below the axis, at the left edge: names of nodes and processes. */
    const drawn = (): Promise<number> =>
      canvas.evaluate((element) => {
        const { width, height } = element as unknown as { width: number; height: number };
        const context = (element as unknown as { getContext(kind: string): never }).getContext('2d') as {
          getImageData(...of: number[]): { readonly data: Uint8ClampedArray };
        };
        const scale = height / (element as unknown as { clientHeight: number }).clientHeight;
        const { data } = context.getImageData(0, 0, Math.min(width, Math.round(100 * scale)), height);
        const columns = Math.min(width, Math.round(100 * scale));
        const dark = (y: number): boolean => {
          for (let x = 0; x < columns; x++)
            if (data[4 * (y * columns + x) + 3]! > 128 && data[4 * (y * columns + x)]! < 128) return true;
          return false;
        };
        let rows = 0;
        for (let row = 0; 24 + 16 * row + 12 < height / scale; row++) {
          let any = false;
          for (let y = 24 + 16 * row + 2; y < 24 + 16 * row + 14; y++) any ||= dark(Math.round(y * scale));
          if (any) rows++;
        }
        return rows;
      });
    const all = await drawn();
    await shown.getByRole('button', { name: 'Collapse nodes' }).click();
    await settled(shown);
    expect(await drawn()).toBe(2);
    await shown.getByRole('button', { name: 'Expand nodes' }).click();
    await settled(shown);
    expect(await drawn()).toBe(all);
    await timeline.focus();
    await timeline.press('Escape');
    await timeline.press('n');
    for (const wanted of [true, false]) {
      await timeline.press('c');
      await settled(shown);
      expect((await drawn()) < all).toBe(wanted);
    }
    for (const wanted of [true, false]) {
      await canvas.click({ position: { x: 300, y: 30 } });
      await settled(shown);
      expect((await drawn()) < all).toBe(wanted);
    }
  });

  it('zooms and moves, and keeps the place in its address', async () => {
    const shown = await page();
    await shown.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => shown.url()).toContain('#from=');
    const zoomed = shown.url();
    await shown.getByRole('application').press('ArrowRight');
    // The address is written after a delay, and follows every change of the place.
    await expect.poll(() => shown.url()).not.toBe(zoomed);
    const fragment = shown.url().slice(shown.url().indexOf('#'));
    const again = await page({}, fragment);
    const text = /Shown: [^,]*/;
    const shownPart = async (of: Page): Promise<string | undefined> =>
      text.exec((await of.getByRole('region', { name: 'Timeline' }).textContent()) ?? '')?.[0];
    expect(await shownPart(again)).toBe(await shownPart(shown));
    expect(await shownPart(again)).not.toBe(await shownPart(await page()));
  });

  it('leads from each statement to its part, and keeps the part and the interval in its address', async () => {
    const shown = await page();
    const summary = shown.getByRole('region', { name: 'Summary', exact: true });
    const places: string[] = [];
    for (const link of await summary.locator('button.link').all()) {
      await link.click();
      places.push((await shown.locator('h2:focus').textContent())!);
    }
    expect(await summary.locator('dl.figures dt, p.advice, ol.findings > li').count()).toBe(places.length);
    expect(new Set(places)).toEqual(new Set(['Timeline', 'Intervals', 'Prediction', 'Calls']));
    await expect.poll(() => shown.url()).toContain('#interval=exchange&panel=Intervals');
    const again = await page({}, new URL(shown.url()).hash);
    expect(await again.locator('h2:focus').textContent()).toBe('Intervals');
    expect(await again.getByRole('heading', { name: 'Characteristics of exchange' }).isVisible()).toBe(true);
    await again.getByRole('button', { name: 'Next event' }).click();
    await expect.poll(() => again.url()).toMatch(/panel=Replay$/);
    const other = await opened(readFileSync(html), {}, '#panel=Nowhere');
    expect(await other.page.getByRole('alert').textContent()).toMatch(/has panel="Nowhere": expected one of Summary, /);
  });

  it('finds processes, nodes and calls', async () => {
    const shown = await same();
    const search = shown.getByRole('searchbox');
    await search.fill('nothing of this name');
    await expect
      .poll(async () => shown.getByRole('region', { name: 'Timeline' }).textContent())
      .toContain('No process');
    for (const text of ['N1', 'process 3', 'mpi_recv']) {
      await search.fill(text);
      await expect
        .poll(async () => shown.getByRole('region', { name: 'Timeline' }).textContent())
        .not.toContain('No process');
    }
  });

  it.each([
    ['light', {}],
    [
      'dark, narrow, less motion',
      { colorScheme: 'dark', reducedMotion: 'reduce', viewport: { width: 400, height: 700 } },
    ],
  ] as const)('has no violation of axe: %s', async (_, options) => {
    const shown = await page(options);
    // The drawing of the net has elements by the thousand; the page of a net has the same test.
    expect(await violationsOf(shown, { exclude: '.drawing' })).toEqual([]);
  });

  it('axe finds elements without a name and pale text', async () => {
    const bad = '<p style="background: #fff; color: #eee">pale</p><div class="drawing"><button></button></div>';
    const { page: shown } = await opened(
      `<html lang="en" data-ready="true"><title>t</title><main>${bad}</main></html>`,
    );
    const rules = async (part: Parameters<typeof violationsOf>[1]): Promise<string[]> =>
      (await violationsOf(shown, part)).map((found) => found.split(':')[0]!);
    expect(await rules('all')).toEqual(expect.arrayContaining(['button-name', 'color-contrast']));
    expect(await rules({ include: '.drawing' })).toEqual(['button-name']);
    expect(await rules({ exclude: '.drawing' })).not.toContain('button-name');
  });
});

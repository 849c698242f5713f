import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { DiagnosisDocument } from '../../src/commands/diagnose/diagnosis-document.ts';
import type { ProfileDocument, ProfiledInterval } from '../../src/commands/profile/profile-document.ts';
import { view } from '../../src/commands/view/view.ts';
import type { WhatIfDocument } from '../../src/commands/whatif/whatif-result.ts';
import { PALETTES } from '../../src/page/draw/colours.ts';
import { formatBytes } from '../../src/report/units.ts';
import { warmly } from '../cli/warm.ts';
import { closesBrowser, figuresIn, HAS_BROWSER, opened, saved, settled, valueAt, violationsOf } from './browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-panels-'));
const JACOBI = ['examples/jacobi-2d/model.ts', '--ranks', '4'];
const ALL_TO_ALL = [
  ...['examples/all-to-all/model.ts', '--machine', 'examples/all-to-all/machine.yaml'],
  ...['--ranks', '5', '--placement', 'cyclic'],
];
const POOL = ['examples/threads-loop/model.ts', '--workers', '3'];

/** The pages that commands have written, by arguments: tests of one page open it anew. */
const written = new Map<string, Promise<string>>();

async function writtenBy(args: readonly string[]): Promise<string> {
  const file = join(folder, `${written.size}.html`);
  const { code, stderr } = await warmly([...args, file]);
  expect(code, stderr).toBe(0);
  return file;
}

/** The page that a command writes, without faults. */
async function pageOf(args: readonly string[], output: '-o' | '--report'): Promise<Page> {
  const key = [...args, output].join(' ');
  if (!written.has(key)) written.set(key, writtenBy([...args, output]));
  const { page, faults } = await opened(readFileSync(await written.get(key)!));
  expect(faults).toEqual([]);
  expect(await page.getAttribute('html', 'data-ready')).toBe('true');
  expect(await page.getByRole('alert').count()).toBe(0);
  return page;
}

const documents = new Map<string, Promise<{ readonly stdout: string }>>();

/** The document that a command prints. */
async function documentOf<T>(args: readonly string[]): Promise<T> {
  const key = args.join(' ');
  if (!documents.has(key)) documents.set(key, warmly([...args, '--json']));
  return JSON.parse((await documents.get(key)!).stdout) as T;
}

const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** Rows of a table, as its button saves them. */
async function tableOf(page: Page, of: Locator, name: string): Promise<string[][]> {
  // A locator inside another is relative to it.
  const table = page.getByRole('table', { name, exact: true });
  const box = of.locator('.table').filter({ has: table });
  const csv = await saved(page, box.getByRole('button', { name: 'Save CSV' }));
  return csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
}

closesBrowser();

/** A number with a unit, as cells show it. */
const WITH_UNIT = /^[−-]?[\d.,]+(e[+-]?\d+)? (ns|µs|ms|s|min|h|d|B|[kMGT]i?B)\b/;

describe.skipIf(!HAS_BROWSER)('every table', () => {
  it.each([
    ['a run', ['view', ...JACOBI], '-o', 10],
    ['a pool', ['view', ...POOL], '-o', 10],
    ['a study', ['whatif', 'examples/jacobi-2d/model.ts', '--vary', 'ranks=2,4,8'], '--report', 4],
    ['a diagnosis', ['diagnose', 'examples/threads-loop/model.ts', '--workers', '2', '--speedup'], '--report', 4],
    ['a comparison', ['compare', ...JACOBI.slice(0, 1), ...JACOBI], '--report', 3],
  ] as const)('of %s saves CSV with the units of its numbers', async (_, args, output, least) => {
    const page = await pageOf(args, output);
    await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
    // What a browser would save, without the limit of its downloads.
    await page.evaluate(`{
      globalThis.files = [];
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => (files.push(blob.text()), make(blob));
      HTMLAnchorElement.prototype.click = () => {};
    }`);
    await settled(page);
    const tables = await page.locator('table[aria-label]').all();
    const buttons = await page.getByRole('button', { name: 'Save CSV', exact: true }).all();
    expect(buttons.length).toBe(tables.length);
    expect(tables.length).toBeGreaterThanOrEqual(least);
    for (const [k, table] of tables.entries()) {
      await buttons[k]!.click();
      const text = (await page.evaluate(`files[${k}]`)) as string;
      const [heading, ...lines] = text.trimEnd().split('\n');
      const name = (await table.getAttribute('aria-label'))!;
      expect(lines.length, name).toBeGreaterThan(0);
      const [names, cells] = await table.evaluate((element) => {
        const of = element as unknown as {
          querySelectorAll(of: string): Iterable<{ textContent: string; cells: Iterable<{ textContent: string }> }>;
        };
        const texts = (all: Iterable<{ textContent: string }>): string[] =>
          [...all].map((one) => one.textContent.trim());
        return [
          texts(of.querySelectorAll('thead th')),
          [...of.querySelectorAll('tbody tr')].map(({ cells: row }) => texts(row)),
        ] as const;
      });
      const hasUnits = names.includes('Unit');
      names.forEach((column, c) => {
        const units = new Set(cells.flatMap((row) => WITH_UNIT.exec(row[c] ?? '')?.[2] ?? []));
        if (units.size === 0 || hasUnits) return;
        const unit = [...units].some((one) => one.endsWith('B')) ? 'B' : 's';
        const isNamed = heading!.includes(`${column} (${unit})`) || heading!.includes(`"${column}, unit"`);
        expect(isNamed, `${name}: ${column} in ${heading}`).toBe(true);
      });
    }
  });
});

describe.skipIf(!HAS_BROWSER)('panels of a run', () => {
  it('lead from a metric over intervals and calls to processes', async () => {
    const page = await pageOf(['view', ...JACOBI], '-o');
    const profile = await documentOf<ProfileDocument>(['profile', ...JACOBI]);
    const intervals = region(page, 'Intervals');
    await intervals.scrollIntoViewIfNeeded();
    const tree = intervals.getByRole('table', { name: 'Call paths', exact: true });
    await tree.waitFor();
    const named = (name: string): ProfiledInterval => profile.intervals.find((one) => one.name === name)!;
    for (const [key, words] of [
      ['lostTime', 'Lost time'],
      ['communication', 'Communication'],
    ] as const) {
      await intervals.getByLabel('Metric').selectOption(key);
      await tree.getByRole('button', { name: 'error', exact: true }).click();
      await expect
        .poll(async () => intervals.getByRole('heading', { name: `${words} of error by process` }).count())
        .toBe(1);
      const rows = await tableOf(page, intervals, 'Processes of the path');
      expect(rows.map(([process, value]) => [Number(process), Number(value)])).toEqual(
        named('error').processes!.map(({ process, figures }) => [process, figures[key].value]),
      );
    }
    // Characteristics of the chosen interval, with the processes of the least and largest value.
    expect(await intervals.getByRole('heading', { name: 'Characteristics of error' }).count()).toBe(1);
    const characteristics = await tableOf(page, intervals, 'Characteristics');
    const { spread, figures } = named('error');
    expect(characteristics.find(([name]) => name === 'Communication')).toEqual([
      'Communication',
      's',
      ...[
        figures.communication.value,
        spread.communication.min,
        spread.communication.mean,
        spread.communication.max,
      ].map(String),
    ]);
    // Calls are leaves.
    await intervals.getByLabel('Metric').selectOption('seconds');
    await tree.getByRole('button', { name: 'Open sweep', exact: true }).click();
    const inSweep = profile.calls.flatMap(({ call, intervals: of }) =>
      of.flatMap(({ interval, seconds }) => (interval === 'sweep' ? [{ call, seconds }] : [])),
    );
    for (const { call, seconds } of inSweep) {
      await tree.getByRole('button', { name: call, exact: true }).first().click();
      await expect
        .poll(async () => intervals.getByRole('heading', { name: `Time in calls of ${call} by process` }).count())
        .toBe(1);
      const rows = await tableOf(page, intervals, 'Processes of the path');
      const sum = rows.reduce((all, [, value]) => all + Number(value), 0);
      expect(sum).toBeCloseTo(seconds, 12);
    }
    // The flame graph chooses the same intervals.
    await intervals.locator('.flame g').filter({ hasText: 'sweep' }).last().click();
    await expect.poll(async () => intervals.getByRole('heading', { name: 'Characteristics of sweep' }).count()).toBe(1);
    expect(await violationsOf(page, { include: '.intervals' })).toEqual([]);
  });

  it('draw the time by call as bars', async () => {
    const page = await pageOf(['view', ...JACOBI], '-o');
    const profile = await documentOf<ProfileDocument>(['profile', ...JACOBI]);
    const bars = region(page, 'Calls').locator('svg.bars');
    const rows = await bars.locator('g').evaluateAll((all) =>
      all.map((g) => {
        const of = g as unknown as {
          querySelectorAll(of: string): Iterable<{ textContent: string; getAttribute(name: string): string }>;
        };
        const [all, blocked] = [...of.querySelectorAll('rect')].map((rect) => Number(rect.getAttribute('width')));
        return { call: [...of.querySelectorAll('text')][0]!.textContent, all: all!, blocked: blocked! };
      }),
    );
    const wanted = [...profile.calls].sort((a, b) => b.seconds - a.seconds);
    expect(rows.map(({ call }) => call)).toEqual(wanted.map(({ call }) => call));
    const [longest] = rows;
    rows.forEach(({ all, blocked }, k) => {
      expect(all / longest!.all).toBeCloseTo(wanted[k]!.seconds / wanted[0]!.seconds, 6);
      expect(blocked / longest!.all).toBeCloseTo(wanted[k]!.blocked / wanted[0]!.seconds, 6);
    });
  });

  it('count durations in a histogram, whose bars lead to their spans', async () => {
    const page = await pageOf(['view', ...JACOBI], '-o');
    const profile = await documentOf<ProfileDocument>(['profile', ...JACOBI]);
    const histogram = region(page, 'Histogram');
    await histogram.scrollIntoViewIfNeeded();
    await histogram.getByLabel('Durations of').waitFor();
    const { call, count } = profile.calls[0]!;
    await histogram.getByLabel('Durations of').selectOption({ label: `Call: ${call}` });
    await settled(page);
    const bars = histogram.getByRole('list', { name: 'Bars of the histogram' }).getByRole('button');
    const counts = async (): Promise<number[]> =>
      (await bars.evaluateAll((all) => all.map((bar) => bar.getAttribute('aria-label')!))).map((label) =>
        Number(label.slice(label.lastIndexOf(' ') + 1)),
      );
    await expect.poll(async () => (await counts()).reduce((sum, one) => sum + one, 0)).toBe(count);
    const full = (await counts()).findLastIndex((one) => one > 0);
    await bars.nth(full).click();
    const spans = await tableOf(page, histogram, 'Spans of the bar');
    expect(spans.length).toBe((await counts())[full]);
    await histogram.getByRole('button', { name: 'Start', exact: true }).click();
    await histogram
      .getByRole('table', { name: 'Spans of the bar' })
      .getByRole('row')
      .nth(1)
      .getByRole('button')
      .click();
    // The table is in descending order now: its first row is the last span.
    const latest = Math.max(...spans.map(([, from]) => Number(from)));
    const [process] = spans.find(([, from]) => Number(from) === latest)!;
    const slider = page.getByRole('slider', { name: 'Time' });
    await expect.poll(async () => Math.abs(Number(await slider.inputValue()) - latest)).toBeLessThan(1e-9);
    const selection = await region(page, 'Selection').textContent();
    expect(selection).toContain(call);
    expect(selection).toContain(`Process${process} on`);
  });

  it('are made for print, too', async () => {
    const page = await pageOf(['view', ...JACOBI], '-o');
    expect(await page.getByRole('list', { name: 'Bars of the histogram' }).count()).toBe(0);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
    await expect.poll(() => page.getByRole('list', { name: 'Bars of the histogram' }).count()).toBe(1);
  });

  it('draw counters of messages over time', async () => {
    const page = await pageOf(['view', ...JACOBI], '-o');
    const counter = page.getByLabel('Counter');
    const inked = (name: string): Promise<number> =>
      page.getByRole('img', { name: `Mean number over time: ${name}` }).evaluate((element) => {
        const canvas = element as unknown as {
          width: number;
          height: number;
          getContext(kind: '2d'): { getImageData(x: number, y: number, w: number, h: number): { data: Uint8Array } };
        };
        // Right of the labels, so that only the curve counts.
        const { data } = canvas.getContext('2d').getImageData(130, 0, canvas.width - 130, canvas.height);
        return data.reduce((sum, value, k) => sum + (k % 4 === 3 && value > 0 ? 1 : 0), 0);
      });
    for (const name of ['messages under way between nodes', 'bytes under way between nodes', 'waiting processes']) {
      await counter.selectOption(name);
      await expect.poll(() => inked(name), { message: name }).toBeGreaterThan(100);
    }
    for (const name of ['busy links', 'tokens of network']) {
      await counter.selectOption(name);
      await expect.poll(() => inked(name), { message: name }).toBeGreaterThan(20);
    }
    // Each process of this run has its own node.
    await counter.selectOption('messages under way within nodes');
    await expect.poll(() => inked('messages under way within nodes')).toBe(0);
  });
});

describe.skipIf(!HAS_BROWSER)('the messages of a run', () => {
  const RANKS = 1024;
  const NODES = 64;
  /** Each rank sends to 16 others: more pairs than a document lists. */
  const sent = Array.from({ length: RANKS * 16 }, (_, k) => ({
    source: k >> 4,
    destination: ((k >> 4) + 1 + 61 * (k % 16)) % RANKS,
    sent: (k % 16) / 16,
    received: (k % 16) / 16 + 0.01,
    bytes: 1 + k,
  })).toSorted((a, b) => a.received - b.received);

  it('of 1,024 ranks are a matrix with an order, which enlarges, and has all pairs', async () => {
    const file = join(folder, 'ranks.jsonl');
    const ranks = Array.from({ length: RANKS }, (_, process) => process);
    const nodes = Array.from({ length: NODES }, (_, k) => ({ name: `n${k}`, sockets: 1 }));
    const head = { format: 'foretoken-run', version: 1, program: 'p', origin: 'recorded', product: 'test' };
    const rows = [
      { ...head, processes: RANKS, nodes, nodeOf: ranks.map((p) => p % NODES), socketOf: ranks.map(() => 0) },
      ...ranks.map((process) => ({ table: 'states', process, start: 0, end: 2, state: 'computing' })),
      ...sent.map((message) => ({ table: 'messages', ...message })),
      { end: { complete: true, time: 2, notes: [] } },
    ];
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const { page, faults } = await opened((await view(file)).html);
    const part = region(page, 'Communication');
    const picture = part.getByRole('img');
    const name = (): Promise<string | null> => picture.getAttribute('aria-label');
    expect(await part.textContent()).toContain('100 of 16,384 rows');
    expect(await name()).toContain('(rows 1 to 1024) and destination (columns 1 to 1024), ordered by process;');
    await part.getByRole('combobox', { name: 'Order by' }).selectOption('node');
    await expect.poll(name).toContain('ordered by node');
    await part.getByRole('combobox', { name: 'Order by' }).selectOption('process');
    // A click enlarges about a cell; here above the middle, on the right.
    const { width, height } = (await picture.boundingBox())!;
    const position = { x: width * 0.95, y: height * 0.15 };
    // Parts above are made when they come near, and move the picture: the first click may miss it.
    await picture.hover({ position });
    await expect
      .poll(async () => {
        await settled(page);
        if ((await name())!.includes('(rows 1 to 1024)')) await picture.click({ position });
        await settled(page);
        return name();
      })
      .toContain('(rows 1 to 512) and destination (columns 513 to 1024)');
    for (let k = 0; k < 8; k++) await part.getByRole('button', { name: 'Enlarge matrix' }).click();
    await expect.poll(name).toMatch(/\(rows 255 to 258\) and destination \(columns 767 to 770\)/);
    await part.locator('.matrix').press('ArrowRight');
    await expect.poll(name).toContain('(columns 769 to 772)');
    await part.locator('.matrix').press('Home');
    await expect.poll(name).toContain('(rows 1 to 1024) and destination (columns 1 to 1024)');
    // The matrix follows the cursor.
    const time = page.getByRole('slider', { name: 'Time' });
    await time.fill('0.5');
    const until = sent.filter(({ received }) => received <= 0.5);
    const most = Math.max(...until.map(({ bytes }) => bytes));
    await expect
      .poll(() => part.textContent())
      .toContain(`from 0 s to 500.0 ms. The darkest cell has ${formatBytes(most)}.`);
    await part.getByRole('combobox', { name: 'Shown' }).selectOption('all');
    await expect.poll(() => part.textContent()).toContain(`The darkest cell has ${formatBytes(RANKS * 16)}.`);
    expect(faults).toEqual([]);
  });

  it('have records of calls with wait states, and of messages with nodes, which filters choose', async () => {
    const page = await pageOf(['view', ...ALL_TO_ALL], '-o');
    const profile = await documentOf<ProfileDocument>(['profile', ...ALL_TO_ALL]);
    const part = region(page, 'Messages');
    const [state] = profile.waits;
    await part.getByRole('combobox', { name: 'Wait state' }).selectOption(state!.state);
    await settled(page);
    const calls = await tableOf(page, part, 'Message records');
    expect(calls.length).toBe(state!.count);
    const heading = await part.getByRole('table', { name: 'Message records' }).locator('thead th').allTextContents();
    const lost = calls.map((row) => Number(row[heading.indexOf('Lost time')]));
    expect(lost.reduce((sum, one) => sum + one, 0)).toBeCloseTo(state!.seconds, 12);
    expect(calls.every((row) => row[heading.indexOf('Wait state')] === state!.state)).toBe(true);
    // The number of each call in its process.
    expect(new Set(calls.map((row) => `${row[0]} ${row[heading.indexOf('Sequence')]}`)).size).toBe(calls.length);
    for (const [choice, key] of [
      ['within', 'withinNodes'],
      ['between', 'betweenNodes'],
    ] as const) {
      await part.getByRole('combobox', { name: 'Nodes' }).selectOption(choice);
      await settled(page);
      const messages = await tableOf(page, part, 'Messages');
      expect(messages.length).toBe(profile.messages[key].messages);
    }
    await part.getByRole('combobox', { name: 'Nodes' }).selectOption('');
    await part.getByRole('textbox', { name: 'Process', exact: true }).fill('3');
    await settled(page);
    const own = await tableOf(page, part, 'Messages');
    expect(own.every(([source, destination]) => source === '3' || destination === '3')).toBe(true);
    expect(own.length).toBe(8);
  });
});

describe.skipIf(!HAS_BROWSER)('the page of a study', () => {
  const STUDY = [
    ...['whatif', 'examples/master-worker/model.ts', '--vary', 'ranks=2,3,5', '--vary', 'machine.speed=x1,x2'],
    ...['--replications', '4', '--elasticity', 'machine.speed'],
  ];

  it('shows laws with intervals, points, and elasticities as bars', async () => {
    const page = await pageOf(STUDY, '--report');
    const study = await documentOf<WhatIfDocument>(STUDY);
    const part = region(page, 'What-if');
    const points = await tableOf(page, part, 'Scaling points');
    const ends = (of: { readonly lower: number | null; readonly upper: number | null }): (number | null)[] => [
      of.lower,
      of.upper,
    ];
    const wanted = study.scaling[0]!.points.map(({ ranks, runTime, speedUp, efficiency, errors }) => [
      ...[ranks, runTime, ...ends(errors!.runTime), speedUp, ...ends(errors!.speedUp)],
      ...[efficiency, ...ends(errors!.efficiency)],
    ]);
    expect(points).toEqual(wanted.map((row) => row.map((value) => String(value ?? ''))));
    const laws = await tableOf(page, part, 'Scaling laws');
    const { amdahl, scalability } = study.scaling[0]!;
    expect(laws.find(([law, name]) => law === 'Amdahl' && name === 'serial share')?.slice(3)).toEqual(
      [amdahl!.serialShare, ...ends(amdahl!.errors!.serialShare)].map(String),
    );
    expect(laws.filter(([law]) => law === 'universal scalability law').length).toBe(scalability === undefined ? 0 : 5);
    expect(await part.locator('.bars rect').count()).toBe(study.elasticity.length);
    // All numbers with a pointer are those of the document, for each series.
    await part.getByLabel('Series').selectOption({ index: 1 });
    await part.getByLabel('Shown').selectOption('speedUp');
    const figures = await figuresIn(page);
    expect(figures.some(({ name }) => name.startsWith('/scaling/1/points/'))).toBe(true);
    for (const { name, value } of figures) {
      const of = valueAt(study, name);
      expect(value, name).toBe(of === null ? Number.NaN : of);
    }
    expect(await violationsOf(page, { include: '.what-if' })).toEqual([]);
  });

  it('draws twelve curves and says how many there are, and draws the others on request', async () => {
    const speeds = Array.from({ length: 14 }, (_, k) => `x${k + 1}`);
    const axes = ['--vary', 'ranks=2,3', '--vary', `machine.speed=${speeds.join()}`, '--vary', 'model.tasks=2,3'];
    const page = await pageOf(['whatif', 'examples/master-worker/model.ts', ...axes], '--report');
    const part = region(page, 'What-if');
    const legend = (): Promise<string[]> =>
      part
        .locator('.u-legend')
        .first()
        .locator('.u-label')
        .allTextContents()
        .then((all) => all.slice(1));
    expect(await part.locator('p.note').allTextContents()).toEqual(
      expect.arrayContaining([
        'A curve for each machine.speed, model.tasks.',
        '12 of 28 curves are drawn: choose values to see the others.',
      ]),
    );
    expect((await legend()).slice(0, 2)).toEqual(['x1, 2', 'x1, 3']);
    await part.getByRole('combobox', { name: 'model.tasks' }).selectOption('3');
    await settled(page);
    expect(await legend()).toEqual(speeds.slice(0, 12).map((speed) => `machine.speed = ${speed}`));
    await part.getByRole('combobox', { name: 'machine.speed' }).selectOption('x14');
    await settled(page);
    expect(await legend()).toEqual(['run time']);
    expect(await part.getByText('curves are drawn').count()).toBe(0);
  });
});

describe.skipIf(!HAS_BROWSER)('the page of a pool', () => {
  it('shows the diagnosis of its workers with their life-cycle', async () => {
    const page = await pageOf(['view', ...POOL], '-o');
    const diagnosis = await documentOf<DiagnosisDocument>(['diagnose', ...POOL]);
    const own = (await figuresIn(page)).filter(({ of }) => of === 'diagnosis');
    expect(own.length).toBeGreaterThan(15);
    for (const { name, value } of own) expect(value, name).toBe(valueAt(diagnosis, name));
    const workers = region(page, 'Workers');
    const [first] = diagnosis.regions;
    const total = first!.workers!.reduce((sum, { counters }) => sum + counters.execLocal, 0);
    expect(await workers.locator('.cycle').textContent()).toContain(total.toLocaleString('en'));
    const last = first!.workers!.at(-1)!;
    await workers
      .getByRole('table', { name: 'Workers' })
      .getByRole('button', { name: last.worker, exact: true })
      .click();
    await expect
      .poll(() => workers.getByRole('heading', { name: `Life-cycle of worker ${last.worker}` }).count())
      .toBe(1);
    expect(await workers.locator('.cycle text').allTextContents()).toContain(
      last.counters.execLocal.toLocaleString('en'),
    );
    expect(await violationsOf(page, { include: '.workers' })).toEqual([]);
  });

  it('shows the speed-up with its bounds, and the gain of cheaper lines', async () => {
    const page = await pageOf(['diagnose', ...POOL, '--speedup'], '--report');
    const { speedup, cheaper } = await documentOf<DiagnosisDocument>(['diagnose', ...POOL, '--speedup']);
    const rows = await tableOf(page, region(page, 'Workers'), 'Speed-up');
    expect(rows).toEqual(
      speedup!.points.map(({ workers, simulated, upper, lower, runTime }) =>
        [workers, simulated, upper, lower, runTime].map(String),
      ),
    );
    const gains = await tableOf(page, region(page, 'Workers'), 'Cheaper lines and locks');
    expect(gains.length).toBeGreaterThan(0);
    expect(gains.map((cells) => cells[2])).toEqual(cheaper!.parts.map(({ gain }) => String(gain)));
  });
});

describe.skipIf(!HAS_BROWSER)('messages that would hide the spans', () => {
  it('are counted until the user zooms in', async () => {
    const page = await pageOf(['view', 'examples/jacobi-2d/model.ts', '--ranks', '16'], '-o');
    const timeline = region(page, 'Timeline');
    await timeline.getByText('2,240 messages are in view, too many to draw: zoom in to see them.').waitFor();
    for (let k = 0; k < 4; k++) await timeline.getByRole('button', { name: 'Zoom in' }).click();
    await timeline.getByText('too many to draw').waitFor({ state: 'detached' });
  });
});

const IDLE = [...PALETTES.light.states.idle, 255];
/** Pixels left of the axis of time, which has the names of rows. */
const LABELS = 120;

/** The colour in the first row of a picture, at a share of its axis of time. */
const pixel = (run: Locator, share: number): Promise<number[]> =>
  run.locator('canvas').evaluate(
    (element, [at, labels]) => {
      const canvas = element as unknown as {
        width: number;
        getContext(kind: '2d'): { getImageData(x: number, y: number, w: number, h: number): { data: Uint8Array } };
      };
      const x = Math.floor(labels! + at! * (canvas.width - labels!));
      return Array.from(canvas.getContext('2d').getImageData(x, 30, 1, 1).data);
    },
    [share, LABELS],
  );

describe.skipIf(!HAS_BROWSER)('the page of a comparison', () => {
  it('shows both runs on one axis of time', async () => {
    const page = await pageOf(
      ['compare', 'examples/jacobi-2d/model.ts', 'examples/heat-1d/model.ts', '--ranks', '4'],
      '--report',
    );
    const runs = page.getByRole('application');
    expect(await runs.count()).toBe(2);
    const shown = async (): Promise<string> => (await region(page, 'Timeline').locator('.note').textContent()) ?? '';
    const whole = await shown();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(shown).not.toBe(whole);
    await runs.nth(1).press('Home');
    await expect.poll(shown).toBe(whole);
    // Beyond its end, the shorter run is idle: the last pixels of its first row are grey.
    await expect.poll(() => pixel(runs.nth(1), 0.995)).toEqual(IDLE);
    expect(await pixel(runs.nth(0), 0.995)).not.toEqual(IDLE);
    expect(await violationsOf(page, { include: '.timeline' })).toEqual([]);
  });

  it('shows recorded runs from their first span on, whenever they began', async () => {
    const record = (name: string, begin: number, seconds: number): string => {
      const file = join(folder, `${name}.csv`);
      writeFileSync(file, `process,node,start,end,state\n0,0,${begin},${begin + seconds},computing\n`);
      return file;
    };
    const page = await pageOf(['compare', record('early', 0, 4), record('late', 1e6, 2)], '--report');
    const runs = page.getByRole('application');
    expect(await runs.count()).toBe(2);
    expect(await region(page, 'Timeline').locator('.note').textContent()).toBe(
      'Shown of both runs: 0 s to 4.000 s. Times count from the first span of each run.',
    );
    // Both compute at the left edge; the second is idle in the second half.
    expect(await pixel(runs.nth(0), 0.1)).toEqual(await pixel(runs.nth(1), 0.1));
    expect(await pixel(runs.nth(0), 0.9)).toEqual(await pixel(runs.nth(0), 0.1));
    expect(await pixel(runs.nth(1), 0.9)).toEqual(IDLE);
  });

  it('says so where an input has no run of processes', async () => {
    const result = join(folder, 'ring.json');
    expect((await warmly(['predict', 'examples/ring/model.ts', '--ranks', '4', '--json', '-o', result])).code).toBe(0);
    const page = await pageOf(['compare', result, result], '--report');
    expect(await page.getByRole('application').count()).toBe(0);
    expect(await region(page, 'Summary').textContent()).toContain('The timeline of a result is not shown');
  });
});

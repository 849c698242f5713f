import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NetBuilder, netToJson } from '../../src/index.ts';
import { warmly } from '../cli/warm.ts';
import { everyNth } from '../effort.ts';
import { closesBrowser, figuresIn, HAS_BROWSER, opened, saved, settled, tablesOfRecord, valueAt } from './browser.ts';

/* The names, buttons and figures by which others test a page (docs/view.md), on the pages of all examples and of all kinds of input. */

const folder = mkdtempSync(join(tmpdir(), 'foretoken-contract-'));

/** Names of regions that the contract has; a page has those that apply. */
const REGIONS = [
  ...['Summary', 'Timeline', 'Replay', 'Calls', 'Messages', 'Intervals', 'Communication', 'Nodes', 'Workers'],
  ...['What-if', 'Compare', 'Net'],
];
/** Further regions, of documents and parts that the contract does not name. */
const OTHERS = ['Prediction', 'State space', 'Steady state', 'Structure', 'Verification', 'Record', 'Histogram'];

/** Tables with numbers that the page computes from its record: no document has them. */
const OF_RECORD = ['Message records', 'Messages', 'Spans of the bar', 'Call paths', 'Processes of the path'];

/** A number with a unit, as cells show it. */
const WITH_UNIT = /^[−-]?[\d.,]+(e[+-]?\d+)? (ns|µs|ms|s|min|h|d|%|B|[kMGT]i?B|1\/s)$/;

interface Documents {
  /** The text that Save JSON returns. */
  readonly main: string;
  /** Further documents by their kinds. */
  readonly [kind: string]: string;
}

/** What holds for every page. */
async function expectContract(page: Page, faults: readonly string[], documents: Documents): Promise<void> {
  expect(await page.getAttribute('html', 'data-ready')).toBe('true');
  expect(faults).toEqual([]);
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  // Parts that are made when the reader comes near them.
  await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
  await settled(page);
  const names = await page.locator('section.region > h2').allTextContents();
  expect(new Set(names).size).toBe(names.length);
  expect(names[0]).toBe('Summary');
  expect(names.filter((name) => ![...REGIONS, ...OTHERS].includes(name))).toEqual([]);
  for (const name of names) expect(await page.getByRole('region', { name, exact: true }).count(), name).toBe(1);
  await expectFigures(page, documents);
  expect(await saved(page, page.getByRole('button', { name: 'Save JSON', exact: true }))).toBe(documents.main);
  if (names.includes('Replay')) await expectRun(page);
  if (names.includes('Net')) await expectNet(page);
  expect(faults).toEqual([]);
}

/** Every figure is an element with its pointer and the value of the document, and has its description. */
async function expectFigures(page: Page, { main, ...others }: Documents): Promise<void> {
  const parsed = new Map(Object.entries({ '': main, ...others }).map(([kind, text]) => [kind, JSON.parse(text)]));
  const figures = (await figuresIn(page)).filter(({ of }) => of !== 'run' || parsed.has('run'));
  expect(figures.length).toBeGreaterThan(0);
  for (const { name, of, value } of figures) {
    const wanted = valueAt(parsed.get(of), name);
    expect(value, `${of} ${name}`).toBe(wanted === null ? Number.NaN : wanted);
  }
  const bare = await page.$$eval(
    'main table',
    (tables, known) =>
      tables
        .filter((table) => !known.includes(table.getAttribute('aria-label') ?? ''))
        .flatMap((table) =>
          [...table.querySelectorAll('td')]
            .filter((cell) => cell.querySelector('data') === null)
            .map((cell) => [table.getAttribute('aria-label') ?? '', cell.textContent] as const),
        ),
    OF_RECORD,
  );
  expect(bare.filter(([, text]) => WITH_UNIT.test(text.trim()))).toEqual([]);
  // Numbers that a table of a document shows are explained by its schema.
  const unexplained = await page.$$eval('main table', (tables) =>
    tables.flatMap((table) =>
      [...table.querySelectorAll('thead th')].flatMap((heading, k) =>
        (heading.getAttribute('title') ?? '') === '' &&
        [...table.querySelectorAll('tbody tr')].some((row) => {
          const cell = row.children[k];
          return cell?.querySelector('data[data-figure]')?.getAttribute('data-figure')?.startsWith('/') === true;
        })
          ? [`${table.getAttribute('aria-label')}: ${heading.textContent}`]
          : [],
      ),
    ),
  );
  const terms = await page.$$eval('main dl.figures > div', (all) =>
    all.flatMap((one) =>
      one.querySelector('dd data[data-figure]') !== null &&
      (one.querySelector('dt')!.getAttribute('title') ?? '') === ''
        ? [one.querySelector('dt')!.textContent]
        : [],
    ),
  );
  expect(terms).toEqual([]);
  expect(unexplained.filter((of) => !/^(Characteristics|Speed-up|Scaling|Elasticit)/.test(of))).toEqual([]);
}

async function expectRun(page: Page): Promise<void> {
  for (const name of ['Play', 'Pause', 'Next event', 'Previous event', 'Zoom in', 'Zoom out'])
    expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(1);
  expect(await page.getByRole('searchbox').count()).toBe(1);
  for (const name of ['Timeline', 'Nodes', 'Selection'])
    expect(await page.getByRole('region', { name, exact: true }).count(), name).toBe(1);
  const slider = page.getByRole('slider', { name: 'Time', exact: true });
  expect(await slider.getAttribute('type')).toBe('range');
  const [min, max] = await Promise.all(['min', 'max'].map((name) => slider.getAttribute(name)));
  const { name, value } = (await figuresIn(page))[0]!;
  expect(['runTime', 'executionTime']).toContain(name);
  expect(Number(min)).toBe(0);
  expect(Number(max)).toBeCloseTo(value, 12);
  const states = await page
    .getByRole('region', { name: 'Nodes', exact: true })
    .locator('[data-node]')
    .evaluateAll((rows) => rows.map((row) => [row.getAttribute('data-node'), row.getAttribute('data-state')] as const));
  expect(states.length).toBeGreaterThan(0);
  for (const [, state] of states) expect(['computing', 'overhead', 'waiting', 'idle']).toContain(state);
  await page.getByRole('application').focus();
  await page.keyboard.press('n');
  await settled(page);
  const terms = await page.getByRole('region', { name: 'Selection', exact: true }).locator('dt').allTextContents();
  for (const term of ['Call', 'Peer', 'Bytes', 'Interval', 'Reason']) expect(terms).toContain(term);
}

async function expectNet(page: Page): Promise<void> {
  const net = page.getByRole('region', { name: 'Net', exact: true });
  const byHand = net.getByRole('radio', { name: 'Play by hand' });
  if ((await byHand.count()) > 0) await byHand.check();
  for (const name of ['Fire', 'Step back', 'Random'])
    expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(1);
  expect(await page.getByRole('list', { name: 'Enabled bindings', exact: true }).count()).toBe(1);
  const marking = net.getByRole('table', { name: 'Marking', exact: true });
  const rows = await marking
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => ['place', 'count', 'time'].map((name) => row.getAttribute(`data-${name}`))));
  expect(rows.length).toBeGreaterThan(0);
  for (const [place, count, time] of rows) {
    expect(place).not.toBe('');
    expect(Number.isInteger(Number(count))).toBe(true);
    expect(time).toBe('0');
  }
}

/** Commands of examples whose pages are compared with another command than the first one of their README. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  'dvm-jacobi/grid': ['predict', 'examples/dvm-jacobi/grid.ts', '--machine', 'examples/dvm-jacobi/grid.yaml'],
  'worker-pool': ['predict', 'examples/worker-pool/tasks.ts', '--workers', '4'],
  stencil: ['predict', 'examples/stencil/stencil-8.ti', '--machine', 'examples/stencil/cluster.xml'],
  ...Object.fromEntries(
    readdirSync('examples/diagnose-threads')
      .filter((file) => file.endsWith('.ts') && !['compare.ts', 'spawning.ts'].includes(file))
      .map((file) => [file, ['diagnose', `examples/diagnose-threads/${file}`, '--workers', '8']]),
  ),
};
/** Examples that are scripts or suites of tests: they make no result of a command. */
const SCRIPTS = ['library', 'testing'];

/** A command that makes a result of a run of an example: the first one of its README. */
function exampleCommand(name: string): string[] {
  if (EXAMPLES[name] !== undefined) return [...EXAMPLES[name]];
  const [command] = [...readFileSync(`examples/${name}/README.md`, 'utf8').matchAll(/^foretoken (.*)$/gm)];
  return command![1]!.replace(/ --at \S+/, '').split(' ');
}

const folders = readdirSync('examples').filter((name) => !name.includes('.'));
const examples = [
  ...folders.filter((name) => existsSync(`examples/${name}/model.ts`)),
  ...Object.keys(EXAMPLES),
].sort();
const shown = everyNth(4, examples);
const RING = ['examples/ring/model.ts', '--machine', 'examples/ring/machine.yaml'];
const POOL = ['examples/threads-loop/model.ts', '--workers', '2'];

describe.skipIf(!HAS_BROWSER)('the contract of pages', () => {
  closesBrowser();

  /** Opens the page that a command writes, and returns its documents. */
  const reported = async (args: readonly string[], cwd?: string) => {
    const file = join(folder, 'report.html');
    const options = cwd === undefined ? {} : { cwd };
    const { stdout, stderr } = await warmly([...args, '--json', '--report', file], options);
    expect(stderr).not.toMatch(/error|cannot/);
    return { stdout, ...(await opened(readFileSync(file))) };
  };

  it('is tested with every example that has results', () => {
    const inputs = examples.map((name) => exampleCommand(name).find((word) => word.startsWith('examples/'))!);
    expect(folders.filter((name) => !inputs.some((input) => input.startsWith(`examples/${name}/`)))).toEqual(SCRIPTS);
  });

  it.each(shown)('holds for the example %s, with the figures of its commands', async (name) => {
    const [command, ...args] = exampleCommand(name) as [string, ...string[]];
    const { stdout, page, faults } = await reported([command, ...args]);
    const others = await Promise.all(
      ['predict', 'profile', 'diagnose']
        .filter((other) => other !== command && (other !== 'diagnose' || args.includes('--workers')))
        .map(async (other) => (await warmly([other, ...args, '--json'])).stdout),
    );
    const known = others.flatMap((text) => {
      const { kind } = (text === '' ? {} : JSON.parse(text)) as { readonly kind?: string };
      return kind === undefined ? [] : [[kind, text] as const];
    });
    await expectContract(page, faults, { main: stdout, ...Object.fromEntries(known) });
    const figures = (await figuresIn(page)).map(({ name: of }) => of);
    expect(figures).toContain({ predict: 'runTime', profile: 'executionTime' }[command] ?? '/regions/0/activeShare');
  });

  it.each([
    ['what-if', ['whatif', ...RING, '--vary', 'ranks=2,4,8', '--vary', 'machine.speed=x1,x2']],
    ['space', ['explore', ...RING, '--ranks', '2']],
    ['steady', ['steady', ...RING, '--ranks', '2']],
    ['structure', ['structure', ...RING, '--ranks', '2']],
    ['program-verification', ['verify', ...RING, '--ranks', '2']],
    ['thread-verification', ['verify', 'examples/threads-loop/model.ts', '--set', 'n=100']],
    ['diagnosis', ['diagnose', ...POOL, '--speedup']],
    ['comparison', ['compare', RING[0]!, 'examples/heat-1d/model.ts', '--ranks', '4']],
    ['trace', ['predict', 'examples/stencil/stencil-8.ti', '--machine', 'examples/stencil/cluster.xml']],
  ] as const)('holds for a result of kind %s', async (_, args) => {
    const { stdout, page, faults } = await reported(args);
    const [command, ...rest] = args;
    const profile = command === 'predict' ? (await warmly(['profile', ...rest, '--json'])).stdout : '';
    await expectContract(page, faults, { main: stdout, ...(profile === '' ? {} : { profile }) });
  });

  it('holds for a run record', async () => {
    const record = join(folder, 'run.jsonl');
    await warmly(['predict', ...RING, '--ranks', '4', '--run', record]);
    const { stdout, page, faults } = await reported(['profile', record]);
    // Numbers of the record have the row among those of their table.
    const run = JSON.stringify(tablesOfRecord(readFileSync(record, 'utf8')));
    await expectContract(page, faults, { main: stdout, run });
    const timeline = page.getByRole('application').first();
    const found = new Set<string>();
    for (let k = 0; k < 12; k++) {
      await timeline.press('n');
      await settled(page);
      const selected = await page.getByRole('region', { name: 'Selection', exact: true }).locator('data').count();
      expect(selected).toBeGreaterThan(1);
      const figures = (await figuresIn(page)).filter(({ of }) => of === 'run');
      for (const { name, value } of figures) {
        expect(value, name).toBe(valueAt(JSON.parse(run), name));
        found.add(name.replace(/\d+/, '#'));
      }
    }
    for (const name of ['/states/#/start', '/states/#/end', '/states/#/peer', '/states/#/bytes', '/calls/#/blocked'])
      expect(found).toContain(name);
    for (const key of ['sent', 'received', 'bytes', 'source']) expect(found).toContain(`/messages/#/${key}`);
  });

  it('holds for a net, and for the comparison of two profiles', async () => {
    const net = join(folder, 'net.json');
    await warmly(['convert', ...RING, '--ranks', '2', net]);
    const shown = await reported(['predict', net]);
    await expectContract(shown.page, shown.faults, { main: shown.stdout });
    const files = await Promise.all(
      ['2', '4'].map(async (ranks) => {
        const file = join(folder, `profile-${ranks}.json`);
        writeFileSync(file, (await warmly(['profile', ...RING, '--ranks', ranks, '--json'])).stdout);
        return file;
      }),
    );
    const compared = await reported(['compare', ...files]);
    await expectContract(compared.page, compared.faults, { main: compared.stdout });
  });

  it('holds for a verification with a witness', async () => {
    // Two processes take two locks in opposite order.
    const n = new NetBuilder('locks');
    const locks = [0, 1].map((k) => n.place(`lock${k}`, {}, { initial: 1 }));
    for (const k of [0, 1]) {
      const begins = n.place(`begins${k}`, {}, { initial: 1 });
      const waits = n.place(`waits${k}`, {});
      n.transition(`first${k}`, (t) => {
        t.take(begins);
        t.take(locks[k]!);
        t.put(waits, {});
      });
      n.transition(`second${k}`, (t) => {
        t.take(waits);
        t.take(locks[1 - k]!);
        t.delay(1);
        for (const lock of locks) t.put(lock, {});
        t.put(begins, {});
      });
    }
    writeFileSync(join(folder, 'locks.json'), netToJson(n.build()));
    const { stdout, page, faults } = await reported(['verify', 'locks.json', '-p', 'deadlock-free'], folder);
    await expectContract(page, faults, { main: stdout });
  });
});

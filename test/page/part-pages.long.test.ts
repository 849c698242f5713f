import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import allToAll from '../../examples/all-to-all/model.ts';
import jacobi from '../../examples/jacobi-2d/model.ts';
import { given } from '../../src/base/given.ts';
import { predict } from '../../src/commands/predict/predict.ts';
import { profile } from '../../src/commands/profile/profile-program.ts';
import { profileJson } from '../../src/commands/profile/profile-view.ts';
import { copyRecord } from '../../src/commands/profile/read-record.ts';
import { omittedTexts, recordedRun } from '../../src/commands/view/recorded-run.ts';
import { view } from '../../src/commands/view/view.ts';
import type { ProgramModel } from '../../src/models.ts';
import { PageRecord } from '../../src/page/record/page-record.ts';
import { profileRange } from '../../src/page/record/range-profile.ts';
import { effort } from '../effort.ts';
import { closesBrowser, figuresIn, HAS_BROWSER, opened, saved, settled, tablesOfRecord, valueAt } from './browser.ts';

/* Pages of a part of a run: what they have, what they say they do not have, and what they refuse to compute from it. */

const folder = mkdtempSync(join(tmpdir(), 'foretoken-part-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MACHINE = 'examples/all-to-all/machine.yaml';
const model = allToAll as unknown as ProgramModel;
const file = join(folder, 'run.jsonl');
predict(model, { machine: MACHINE, ranks: 5, placement: 'cyclic', run: file });
const long = join(folder, 'long.jsonl');
predict((jacobi as unknown as ProgramModel).with({ turns: 6 }), {
  machine: 'examples/jacobi-2d/machine.yaml',
  ranks: 16,
  run: long,
});

interface Row {
  readonly start?: number;
  readonly end?: number;
  readonly sent?: number;
  readonly received?: number;
  readonly process?: number;
  readonly source?: number;
  readonly destination?: number;
}

/** Rows of a record, table by table, without the code that cuts records. */
const rowsOf = (path: string): Readonly<Record<'states' | 'messages' | 'calls', readonly Row[]>> =>
  tablesOfRecord(readFileSync(path, 'utf8')) as never;

const NAMES = { states: 'span', messages: 'message', calls: 'call' } as const;

/** The number before a word in a text, 0 if it is not there. */
const countIn = (text: string, name: string): number =>
  Number(new RegExp(`([\\d,]+) ${name}s?\\b`).exec(text)?.[1]?.replaceAll(',', '') ?? 0);

describe('the record of a page of a part of a run', () => {
  const shares = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));

  it.each([
    ['of five processes', file],
    ['of sixteen processes', long],
  ])('counts what it leaves out and cuts, %s', (_, path) => {
    const rows = rowsOf(path);
    const run = Math.max(...rows.states.map(({ end }) => end!));
    const processes = path === file ? 5 : 16;
    const some = fc.option(fc.uniqueArray(fc.nat(processes - 1), { minLength: 1 }), { nil: undefined });
    fc.assert(
      fc.property(shares, some, ([a, b], only) => {
        fc.pre(Math.abs(a - b) > 1e-3);
        const [from, to] = [Math.min(a, b) * run, Math.max(a, b) * run];
        const record = recordedRun(only);
        copyRecord(path, { from, to }, record.consumer);
        const texts = omittedTexts(record);
        expect(texts).toHaveLength(only === undefined ? 1 : 2);
        const outside = texts.find((text) => text.startsWith('A part of the run is shown'))!;
        const [left, cut] = outside.split('; at its edges, ') as [string, string];
        for (const [table, name] of Object.entries(NAMES) as ['states', 'span'][]) {
          const all = rows[table].map((row) => [(row.start ?? row.sent)!, (row.end ?? row.received)!] as const);
          // Rows at an instant, as messages at that of their receipt, are inside up to the end of the run, and before any other end.
          const isIn = (time: number): boolean => time >= from && (time < to || (time === to && to === run));
          const kept = all.map(([start, end]) =>
            table === ('messages' as string) || start === end ? isIn(end) : end > from && start < to,
          );
          const shown = kept.filter(Boolean).length;
          expect(countIn(left, name), `${table} ${from} ${to}`).toBe(all.length - shown);
          expect(countIn(cut, name)).toBe(
            all.filter(([start, end], k) => kept[k] && (start < from || end > to)).length,
          );
          if (only === undefined) continue;
          const own = rows[table].filter(
            ({ process, source, destination }, k) =>
              kept[k] && [process, source, destination].some((one) => one !== undefined && only.includes(one)),
          ).length;
          expect(record.rows[table] ?? 0).toBe(own);
          const others = texts.find((text) => text.includes('--process'))!;
          expect(countIn(others, name)).toBe(shown - own);
        }
      }),
      { numRuns: effort(100) },
    );
  });

  /** Three processes that compute now and then: outside, they are idle. */
  const gaps = join(folder, 'gaps.jsonl');
  const lines: object[] = [
    { format: 'foretoken-run', version: 1, program: 'p', origin: 'recorded', product: 'test', processes: 3 },
    ...[0, 1, 2].flatMap((process) =>
      [0, 1, 2, 3, 4].map((k) => ({
        ...{ table: 'states', process, state: 'computing', interval: `step[${k % 2}]` },
        ...{ start: 3 * k + process, end: 3 * k + process + 1 },
      })),
    ),
    { end: { complete: true, notes: [], time: 15 } },
  ];
  const nodes = [{ name: 'a', sockets: 1 }];
  Object.assign(lines[0]!, { nodes, nodeOf: [0, 0, 0], socketOf: [0, 0, 0] });
  writeFileSync(gaps, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

  it.each([
    ['that exchange messages', long],
    ['with gaps', gaps],
  ])('has the figures of `profile --from --to` for a part of the part, of processes %s', (_, path) => {
    const run = profile(path).figures.executionTime.value;
    fc.assert(
      fc.property(shares, shares, ([a, b], [c, d]) => {
        fc.pre(Math.abs(a - b) > 1e-2 && Math.abs(c - d) > 1e-2);
        const [from, to] = [Math.min(a, b) * run, Math.max(a, b) * run];
        const inner = [Math.min(c, d), Math.max(c, d)].map((share) => from + share * (to - from)) as [number, number];
        const collected = recordedRun();
        copyRecord(path, { from, to }, collected.consumer);
        const page = new PageRecord(Buffer.concat(collected.pieces), collected.part);
        page.complete(Buffer.concat(collected.later));
        for (const [begin, end] of [inner, [from, to], [inner[0], to]] as const) {
          const { figures, intervals } = profileRange(page, { from: begin, to: end });
          const own = profile(path, { from: begin, to: end });
          expect(JSON.parse(JSON.stringify({ figures, intervals }))).toEqual(
            JSON.parse(JSON.stringify(given(own, ['figures', 'intervals']))),
          );
        }
      }),
      { numRuns: effort(60) },
    );
  });
});

describe.skipIf(!HAS_BROWSER)('a page of some processes', () => {
  closesBrowser();

  it('has the figures of all, the spans of some, and says so', async () => {
    const whole = await view(file);
    const { html } = await view(file, { processes: [1, 3] });
    expect(html.length).toBeLessThan(whole.html.length);
    const { page, faults } = await opened(html);
    const document = profileJson(profile(file, { processes: [1, 3] }));
    const save = page.getByRole('button', { name: 'Save JSON' });
    expect(await saved(page, save)).toBe(document);
    for (const { name, of, value } of (await figuresIn(page)).filter((figure) => figure.of !== 'run'))
      expect(value, `${of} ${name}`).toBe(valueAt(JSON.parse(document), name));
    const { states } = rowsOf(file);
    const others = states.filter(({ process }) => process !== 1 && process !== 3).length;
    const summary = page.getByRole('region', { name: 'Summary', exact: true });
    expect(await summary.textContent()).toContain(`(--process): of the others, ${others} spans, `);
    const timeline = page.getByRole('region', { name: 'Timeline', exact: true });
    expect(await timeline.textContent()).toContain(`${states.length - others} spans of 2 of 5 processes`);
    const end = profile(file).figures.executionTime.value;
    for (const at of [0.000624, 0.3 * end, 0.9 * end]) {
      await page.getByRole('slider', { name: 'Time' }).evaluate((element, value) => {
        const input = element as unknown as EventTarget & { value: string };
        input.value = String(value);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }, at);
      await settled(page);
      const shown = await page.$$eval('[data-node]', (rows) =>
        rows.map((row) => [row.getAttribute('data-node'), row.getAttribute('data-state')]),
      );
      const reached = Number(await page.getByRole('slider', { name: 'Time' }).inputValue());
      expect(shown).toEqual(profile(file, { at: reached }).nodes.map(({ node, at: state }) => [node, state]));
    }
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByLabel('Range to, in seconds').fill(String(end / 2));
    await page.getByLabel('Range to, in seconds').press('Tab');
    await page.getByRole('alert').filter({ hasText: 'the spans of all processes' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('has the documents of the same options for a simulated run', async () => {
    const options = { machine: MACHINE, ranks: 5, placement: 'cyclic' } as const;
    const cut = { from: 0.0003, to: 0.0007, processes: [2] };
    const { html } = await view(model, { ...options, ...cut });
    const { page, faults } = await opened(html);
    const document = JSON.parse(profileJson(profile(model, { ...options, ...cut })));
    const found = (await figuresIn(page)).filter(({ of }) => of === 'profile');
    expect(found.length).toBeGreaterThan(10);
    for (const { name, value } of found) expect(value, name).toBe(valueAt(document, name));
    expect(faults).toEqual([]);
  });
});

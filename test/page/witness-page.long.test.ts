import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/analysis/properties/replay.ts';
import type { VerificationDocument } from '../../src/commands/verify/net/verification.ts';
import { NetBuilder, netToJson, verify, view } from '../../src/index.ts';
import type { Net } from '../../src/net/net.ts';
import { closesBrowser, HAS_BROWSER, opened, settled } from './browser.ts';

/** Two processes that take two locks in opposite order, and a third that works forever. */
function locks(): Net {
  const n = new NetBuilder('locks');
  const Who = n.range('Who', 0, 1);
  const free = n.place('free', { of: Who }, { initial: [{ of: 0 }, { of: 1 }] });
  const idle = n.place('idle', { who: Who }, { initial: [{ who: 0 }, { who: 1 }] });
  const first = n.place('first', { who: Who });
  const clock = n.place('clock', {}, { initial: 1 });
  const other = n.intTable('other', Int32Array.of(1, 0));
  n.transition('lock own', (t) => {
    const { who } = t.take(idle);
    t.take(free, { of: who });
    t.put(first, { who });
  });
  n.transition('lock other', (t) => {
    const { who } = t.take(first);
    t.take(free, { of: other.at(who) });
    t.delay(2);
    t.put(idle, { who });
    t.put(free, { of: who });
    t.put(free, { of: other.at(who) });
  });
  n.transition('tick', (t) => {
    t.take(clock);
    t.delay(1);
    t.put(clock, {});
  });
  return n.build();
}

const PROPERTIES = ['AG(EF enabled("lock other"))', 'AF enabled("lock other")', 'AG(tokens(first) <= 1)'];

/** Number of tokens by place, as the page shows them. */
async function counts(page: Page): Promise<Record<string, number>> {
  const rows = await page
    .getByRole('table', { name: 'Marking' })
    .locator('[data-place]')
    .evaluateAll((all) => all.map((row) => [row.getAttribute('data-place')!, Number(row.getAttribute('data-count'))]));
  return Object.fromEntries(rows);
}

/** Number of tokens by place, as `replay` has them after some steps. */
function replayed(net: Net, steps: Parameters<typeof replay>[1]): Record<string, number> {
  const sums = new Map(net.places.map(({ name }) => [name, 0]));
  for (const { place, by } of replay(net, steps).marking) sums.set(place, sums.get(place)! + by);
  return Object.fromEntries(sums);
}

/** The times of the marking's rows. */
const timesOf = async (page: Page): Promise<string[]> => {
  const rows = await page.getByRole('table', { name: 'Marking' }).locator('[data-place]').all();
  return [...new Set(await Promise.all(rows.map(async (row) => (await row.getAttribute('data-time')) ?? 'none')))];
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe.skipIf(!HAS_BROWSER)('the page of a witness', () => {
  closesBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'foretoken-witness-'));
  const command = (...args: string[]): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [resolve('dist/cli/main.js'), ...args], { cwd: folder, encoding: 'utf8' });
  const net = locks();
  writeFileSync(join(folder, 'locks.json'), netToJson(net));
  const asked = PROPERTIES.flatMap((property) => ['-p', property]);

  it('steps through every witness with the markings of an independent replay, forwards and back', async () => {
    expect(command('verify', 'locks.json', ...asked, '--json', '-o', 'result.json').status).toBe(1);
    expect(command('view', 'result.json', '-o', 'result.html').stderr).toMatch(/^result\.html: \d+ bytes\n$/);
    const document = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as VerificationDocument;
    const { page, faults } = await opened(readFileSync(join(folder, 'result.html')));
    let steps = 0;
    let loops = 0;
    let timed = 0;
    for (const { id, property, witness } of document.properties) {
      const { steps: all, loop, shows, delays } = witness!;
      await page.getByRole('combobox', { name: 'Witness' }).selectOption(id);
      const status = page.locator('[data-witness]');
      await settled(page);
      expect(await status.getAttribute('data-witness')).toBe(id);
      expect(await counts(page)).toEqual(replayed(net, []));
      expect(await button(page, 'Previous step').isDisabled()).toBe(true);
      expect(await timesOf(page)).toEqual([delays?.times === undefined ? 'none' : '0']);
      for (let n = 1; n <= all.length; n++) {
        await button(page, 'Next step').click();
        expect(await counts(page)).toEqual(replayed(net, all.slice(0, n)));
        const current = page.getByRole('list', { name: 'Steps' }).locator('[aria-current=step]');
        await settled(page);
        expect(await current.textContent()).toContain(all[n - 1]!.node);
        expect(await timesOf(page)).toEqual([String(delays?.times?.[n - 1] ?? 'none')]);
        if (delays?.times !== undefined) timed++;
        steps++;
      }
      expect(await status.textContent()).toContain(shows);
      const region = page.getByRole('region', { name: 'Net', exact: true });
      expect(await region.textContent()).toContain(property);
      if (loop === undefined) expect(await button(page, 'Next step').isDisabled()).toBe(true);
      else {
        loops++;
        // The loop is run through again: after one more pass the marking is that at the end of the first.
        const end = await counts(page);
        for (let n = loop; n < all.length; n++) await button(page, 'Next step').click();
        expect(await counts(page)).toEqual(end);
        await settled(page);
        expect(await status.textContent()).toContain('Pass 2 of the loop');
        expect(await page.locator('li[data-repeats]').count()).toBe(all.length - loop);
      }
      await button(page, 'First step').click();
      await button(page, 'Last step').click();
      expect(await counts(page)).toEqual(replayed(net, all));
      await button(page, 'Previous step').click();
      expect(await counts(page)).toEqual(replayed(net, all.slice(0, -1)));
    }
    expect(steps).toBeGreaterThan(5);
    expect(loops).toBeGreaterThan(0);
    expect(timed).toBeGreaterThan(1);
    expect(faults).toEqual([]);
  });

  it('has its position in the address, and says what of an address it has not', async () => {
    command('verify', 'locks.json', ...asked, '--json', '-o', 'linked.json');
    command('view', 'linked.json', '-o', 'linked.html');
    const { page, faults } = await opened(readFileSync(join(folder, 'linked.html')));
    const { properties } = JSON.parse(readFileSync(join(folder, 'linked.json'), 'utf8')) as VerificationDocument;
    const { id, witness } = properties[2]!;
    const status = page.locator('[data-witness]');
    const place = async (): Promise<(string | null)[]> => [
      await status.getAttribute('data-witness'),
      await status.getAttribute('data-position'),
    ];
    await page.getByRole('combobox', { name: 'Witness' }).selectOption(id);
    await button(page, 'Next step').click();
    await page.waitForURL(/step=1/);
    expect(new URL(page.url()).hash).toBe(`#${new URLSearchParams({ witness: id, step: '1', panel: 'Net' })}`);
    await page.reload();
    await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
    expect(await place()).toEqual([id, '1']);
    expect(await counts(page)).toEqual(replayed(net, witness!.steps.slice(0, 1)));
    const enter = (hash: string): Promise<unknown> => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    const said = async (text: string): Promise<void> =>
      page.getByRole('alert').filter({ hasText: text }).waitFor({ state: 'attached' });
    const { length } = witness!.steps;
    await enter(`#witness=${encodeURIComponent(id)}&step=999`);
    await said(`step=999: expected a number of steps from 0 to ${length}. The nearest is shown.`);
    expect(await place()).toEqual([id, String(length)]);
    await enter('#witness=other&step=1');
    await said('witness="other", and this page has no such witness');
    expect(faults).toEqual([]);
  });

  it('points at the places and transitions that the verdict rests on', async () => {
    const report = command('verify', 'locks.json', '-p', PROPERTIES[2]!, '--report', 'report.html');
    expect(report.status).toBe(1);
    const { page } = await opened(readFileSync(join(folder, 'report.html')));
    expect(await page.locator('tr[data-marked]').evaluateAll((all) => all.map((row) => row.textContent))).toHaveLength(
      1,
    );
    expect(await page.locator('tr[data-marked]').getAttribute('data-place')).toBe('first');
    await button(page, 'Last step').click();
    expect((await counts(page))['first']).toBe(2);
    const enabled = page.getByRole('list', { name: 'Enabled bindings' }).getByRole('listitem');
    await settled(page);
    expect(await enabled.allTextContents()).toEqual(['tick']);
  });

  it('of a model shows the net of the model that was verified', async () => {
    const model = resolve('examples/jacobi-2d/model.ts');
    const asked = ['-p', 'EF dead', '-n', '2'];
    expect(command('verify', model, ...asked, '--json', '-o', 'model.json').status).toBe(0);
    expect(command('view', 'model.json', '-o', 'model.html').status).toBe(0);
    const { page } = await opened(readFileSync(join(folder, 'model.html')));
    const document = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')) as VerificationDocument;
    const { length } = document.properties[0]!.witness!.steps;
    expect(length).toBeGreaterThan(10);
    await button(page, 'Last step').click();
    await settled(page);
    expect(await page.locator('[data-witness]').textContent()).toContain(`Step ${length} of ${length}`);
    expect(await page.getByRole('region', { name: 'Net', exact: true }).textContent()).toContain('No step is possible');
  });

  it('loads a witness from a file, and refuses one that does not fit with step, transition and what is enabled', async () => {
    const { html } = await view(net, { until: 10 });
    const { page, faults } = await opened(html);
    const alert = page.getByRole('region', { name: 'Net', exact: true }).getByRole('alert');
    const document = verify(net, [PROPERTIES[2]!]);
    const load = (name: string, text: string): Promise<void> =>
      page.getByLabel('Load witness').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
    await load('wrong.json', JSON.stringify(document).replaceAll('lock own', 'lock other'));
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(
      /^wrong\.json: .*GAME004 step 1: fire lock other: is not possible: .*Enabled: lock own\(who=0\); lock own\(who=1\); tick$/,
    );
    expect(await button(page, 'Fire').isVisible()).toBe(true);
    await load('other.json', '{"kind":"space"}');
    await expect.poll(() => alert.textContent()).toMatch(/GAME005/);
    await load('text.json', 'no JSON');
    await expect.poll(() => alert.textContent()).toMatch(/^text\.json: .*JSON/);
    await load('result.json', JSON.stringify(document));
    await button(page, 'Last step').click();
    expect((await counts(page))['first']).toBe(2);
    await settled(page);
    expect(await alert.count()).toBe(0);
    // The game by hand is another one: it still has the initial marking.
    await page.getByRole('radio', { name: 'Play by hand' }).check();
    expect((await counts(page))['first']).toBe(0);
    expect(faults).toEqual([]);
  });

  it('is refused by the command where a step does not fit, and without a witness', () => {
    writeFileSync(
      join(folder, 'wrong.json'),
      readFileSync(join(folder, 'result.json'), 'utf8').replaceAll('lock own', 'lock other'),
    );
    const wrong = command('view', 'wrong.json', '-o', 'wrong.html');
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toMatch(/^wrong\.json: GAME004 step 1: fire lock other: .*Enabled: lock own\(who=0\);/);
    const none = command('view', 'locks.json', '--witness', 'locks.json', '-o', 'wrong.html');
    expect([none.status, none.stderr]).toEqual([2, expect.stringMatching(/^locks\.json: GAME005 /)]);
  });

  it('lists the result where the net has changed since, and says so', async () => {
    writeFileSync(join(folder, 'changed.json'), netToJson(net));
    command('verify', 'changed.json', '-p', PROPERTIES[2]!, '--json', '-o', 'old.json');
    writeFileSync(join(folder, 'changed.json'), netToJson({ ...net, name: 'changed' }));
    expect(command('view', 'old.json', '-o', 'old.html').status).toBe(0);
    const { page } = await opened(readFileSync(join(folder, 'old.html')));
    expect(await page.getByRole('region', { name: 'Net', exact: true }).count()).toBe(0);
    expect(await page.getByText(/Witnesses are listed, not played: changed\.json: APP011 has changed/).count()).toBe(1);
  });
});

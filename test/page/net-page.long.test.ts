import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { TokenGame } from '../../src/analysis/game/token-game.ts';
import { netOfInput } from '../../src/commands/convert/convert.ts';
import { givenInput } from '../../src/commands/inputs/input.ts';
import { DEFAULT_SEED } from '../../src/commands/predict/document.ts';
import { view } from '../../src/commands/view/view.ts';
import { exponential, NetBuilder } from '../../src/index.ts';
import { noise, spmd } from '../../src/models.ts';
import type { Net } from '../../src/net/net.ts';
import { closesBrowser, HAS_BROWSER, opened, settled } from './browser.ts';

/** Philosophers that take the left fork first. */
function philosophers(count: number): Net {
  const n = new NetBuilder('philosophers');
  const forks = Array.from({ length: count }, (_, k) => n.place(`fork${k}`, {}, { initial: 1 }));
  for (let k = 0; k < count; k++) {
    const thinks = n.place(`thinks${k}`, {}, { initial: 1 });
    const waits = n.place(`waits${k}`, {});
    const eats = n.place(`eats${k}`, {});
    const [left, right] = [forks[k]!, forks[(k + 1) % count]!];
    n.transition(`left${k}`, (t) => {
      t.take(thinks);
      t.take(left);
      t.put(waits, {});
    });
    n.transition(`right${k}`, (t) => {
      t.take(waits);
      t.take(right);
      t.put(eats, {});
    });
    n.transition(`end${k}`, (t) => {
      t.take(eats);
      t.delay(exponential(1));
      t.put(thinks, {});
      t.put(left, {});
      t.put(right, {});
    });
  }
  return n.build();
}

const model = spmd({
  name: 'noisy',
  build(m) {
    m.loop(3, () => {
      m.compute({ seconds: 2, noise: noise.exponential() });
      m.sendrecv({ to: (s) => (s.rank + 1) % s.size, from: (s) => (s.rank + s.size - 1) % s.size, bytes: 8 });
    });
  },
});

/** Enabled bindings, and places with tokens, as the page shows them. */
async function shown(page: Page): Promise<readonly [string[], string[][]]> {
  const labels = await page.getByRole('list', { name: 'Enabled bindings' }).getByRole('listitem').allTextContents();
  const rows = await page
    .getByRole('table', { name: 'Marking' })
    .locator('[data-place]')
    .evaluateAll((all) => all.map((row) => ['place', 'count', 'time'].map((key) => row.getAttribute(`data-${key}`)!)));
  const marked = rows.filter(([, count]) => count !== '0');
  return [
    labels.map((label) => label.trim()),
    marked.map(([place, count, time]) => [place!, count!, rounded(Number(time))]),
  ];
}

const ofGame = (game: TokenGame): readonly [string[], string[][]] => [
  game.enabled().map(({ label }) => label),
  game
    .marking()
    .filter(({ count }) => count > 0)
    .map(({ place, count }) => [place, String(count), rounded(game.time)]),
];

/** Logarithms of two versions of V8 differ in the last bit. */
const rounded = (time: number): string => time.toPrecision(12);

/** A token goes round without delay. */
function endless(): Net {
  const n = new NetBuilder('endless');
  const places = [n.place('here', {}, { initial: 1 }), n.place('there', {})];
  for (const [k, name] of ['go', 'return'].entries())
    n.transition(name, (t) => {
      t.take(places[k]!);
      t.put(places[1 - k]!, {});
    });
  return n.build();
}

describe.skipIf(!HAS_BROWSER)('the page of a net that cannot be simulated', () => {
  closesBrowser();

  it('says so, and plays it', async () => {
    const { html, complete } = await view(endless());
    expect(complete).toBe(false);
    const { page, faults } = await opened(html);
    expect(faults).toEqual([]);
    expect(await page.getByRole('region', { name: 'Summary' }).textContent()).toContain('RUN001');
    await page.getByRole('button', { name: 'Fire', exact: true }).click();
    await expect.poll(() => page.locator('[data-place="there"]').first().getAttribute('data-count')).toBe('1');
  });

  it('is refused for options that are wrong', async () => {
    await expect(view(endless(), { until: -1 })).rejects.toThrow();
    await expect(view(endless(), { seed: 5 as never })).rejects.toThrow();
  });
});

describe.skipIf(!HAS_BROWSER)('the net of a page', () => {
  closesBrowser();

  it.each([
    ['a net', philosophers(3), {}, 3],
    // Its delays are drawn by processes, from keys made by SHA-256.
    ['a model', model, { ranks: 3, machine: 'sdsc-trestles' }, 20],
  ] as const)('of %s is played as in Node', async (_, input, options, least) => {
    const { html } = await view(input as typeof model, options);
    const { page, faults } = await opened(html);
    // The page's game has the seed of its result.
    const game = new TokenGame(netOfInput(givenInput('convert', input), options, []), { seed: DEFAULT_SEED });
    let fired = 0;
    for (let k = 0; k < 25; k++) {
      const now = ofGame(game);
      expect(await shown(page)).toEqual(now);
      const [labels] = now;
      if (labels.length === 0) break;
      const label = labels[(7 * k) % labels.length]!;
      await page.getByRole('list', { name: 'Enabled bindings' }).getByRole('radio').nth(labels.indexOf(label)).check();
      await page.getByRole('button', { name: 'Fire', exact: true }).click();
      game.fire(label);
      fired++;
    }
    expect(fired).toBeGreaterThanOrEqual(least);
    for (let k = 0; k < 3; k++) {
      await page.getByRole('button', { name: 'Step back' }).click();
      game.back();
      await settled(page);
      expect(await shown(page)).toEqual(ofGame(game));
    }
    expect(faults).toEqual([]);
  });

  it('ends in the deadlock of the philosophers, sets tokens by hand, and returns to kept markings', async () => {
    const { html } = await view(philosophers(3));
    const { page, faults } = await opened(html);
    await page.getByLabel('Name of a marking').fill('start');
    await page.getByRole('button', { name: 'Keep marking' }).click();
    for (const k of [0, 1, 2]) {
      await page.getByRole('radio', { name: `left${k}` }).check();
      await page.getByRole('button', { name: 'Fire', exact: true }).click();
    }
    const region = page.getByRole('region', { name: 'Net', exact: true });
    await settled(page);
    expect(await region.textContent()).toContain('Nothing is enabled any more');
    expect(await page.getByRole('button', { name: 'Random' }).isDisabled()).toBe(true);
    await region.getByRole('combobox').nth(1).selectOption('fork1');
    await region.getByLabel(/^Tokens of the place/).fill('one');
    await page.getByRole('button', { name: 'Set tokens' }).click();
    await settled(page);
    expect(await page.getByRole('alert').textContent()).toBe(
      'expected a number of tokens from 0 to 1000000, got "one"',
    );
    await region.getByLabel(/^Tokens of the place/).fill('1');
    await page.getByRole('button', { name: 'Set tokens' }).click();
    await settled(page);
    expect((await shown(page))[0]).toEqual(['right0']);
    await page.getByRole('button', { name: 'Return to start' }).click();
    await settled(page);
    expect((await shown(page))[0]).toEqual(['left0', 'left1', 'left2']);
    await page.getByLabel(/^Number of steps/).fill('10');
    await page.getByRole('button', { name: 'Make steps' }).click();
    await settled(page);
    expect(Number(/step (\d+)/.exec((await region.textContent())!)![1])).toBeGreaterThan(6);
    expect(faults).toEqual([]);
  });

  it('runs until a condition holds, step by step or at once, and refuses what is no condition', async () => {
    const { html } = await view(philosophers(4));
    const { page, faults } = await opened(html);
    const region = page.getByRole('region', { name: 'Net', exact: true });
    const condition = page.getByLabel('Run until a condition holds');
    const forks = async (): Promise<number> => {
      const counts = await region
        .locator('[data-place^="fork"]')
        .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-count'))));
      return counts.reduce((sum, count) => sum + count, 0);
    };
    await condition.fill('#fork0 + #fork1 + #fork2 + #fork3 < 3');
    await page.getByRole('button', { name: 'Make steps' }).click();
    await region.getByText('The condition holds.').waitFor();
    expect(await forks()).toBe(2);
    await condition.fill('#fork0 + #fork1 + #fork2 + #fork3 < 2');
    await page.getByLabel('Pace').selectOption('100');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(forks, { timeout: 20_000 }).toBe(1);
    await region.getByText('The condition holds.').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    await condition.fill('#fork9 > 0');
    await page.getByRole('button', { name: 'Make steps' }).click();
    await region.getByRole('alert').waitFor();
    expect(await region.getByRole('alert').textContent()).toMatch(/unknown place "fork9"\. Did you mean "fork0"/);
    expect(await forks()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('runs for a number of steps and until a time, at a pace or at once, and says why it ends', async () => {
    const { html } = await view(philosophers(4));
    const { page, faults } = await opened(html);
    const region = page.getByRole('region', { name: 'Net', exact: true });
    const [steps, until] = [page.getByLabel(/^Number of steps/), page.getByLabel('Run until, in seconds')];
    const made = async (): Promise<number> => Number(/step (\d+)/.exec((await region.textContent())!)![1]);
    await page.getByLabel('Pace').selectOption('100');
    for (const [k, button] of ['Run', 'Make steps', 'Run'].entries()) {
      await steps.fill('2');
      await page.getByRole('button', { name: button, exact: true }).click();
      await expect.poll(made, { message: button }).toBe(2 * k + 2);
      if (button === 'Run')
        await expect.poll(() => region.textContent(), { message: `${k}` }).toContain('All steps are made.');
    }
    for (const wrong of ['0', '1.5', '-3', '10001']) {
      for (const button of ['Run', 'Make steps']) {
        await steps.fill(wrong);
        await page.getByRole('button', { name: button, exact: true }).click();
        await expect
          .poll(() => page.getByRole('alert').allTextContents())
          .toEqual([`expected a number of steps from 1 to 10000, got "${wrong}"`]);
      }
      await steps.fill('1');
      await page.getByRole('button', { name: 'Step back' }).click();
      await page.getByRole('button', { name: 'Make steps', exact: true }).click();
      await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    }
    expect(await made()).toBe(6);
    await steps.fill('');
    await until.fill('-1');
    await page.getByRole('button', { name: 'Make steps', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toBe('expected a time of at least 0 s, got "-1"');
    await until.fill('0.1');
    for (const button of ['Run', 'Make steps']) {
      await page.getByRole('button', { name: button, exact: true }).click();
      await region.getByText('The next step leads beyond 100.0 ms.').waitFor();
    }
    expect(faults).toEqual([]);
  });

  it('shows firings in progress and clocks with their ends, and is played with the keyboard alone', async () => {
    const n = new NetBuilder('timed');
    const [queue, done] = [n.place('queue', {}, { initial: 2 }), n.place('done', {})];
    n.transition('hold', (t) => {
      t.take(queue);
      t.delay(5);
      t.put(done, {});
    });
    n.transition('race', (t) => {
      t.read(done);
      t.race({ delay: exponential(1) });
    });
    const net = n.build();
    const { page, faults } = await opened((await view(net, { until: 20 })).html);
    const game = new TokenGame(net, { seed: DEFAULT_SEED });
    const ends = (): Promise<string[][]> =>
      page
        .getByRole('list', { name: 'In progress' })
        .getByRole('listitem')
        .evaluateAll((all) => all.map((one) => [one.textContent.split(',')[0]!, one.getAttribute('data-end')!]));
    const wanted = (): string[][] => game.underWay().map(({ label, end }) => [label, rounded(end)]);
    const found = async (): Promise<string[][]> => (await ends()).map(([label, end]) => [label!, rounded(Number(end))]);
    expect(await found()).toEqual([]);
    await page.getByRole('radio', { name: 'hold' }).focus();
    for (let k = 0; k < 4; k++) {
      await page.keyboard.press('Enter');
      game.fire(0);
      await expect.poll(() => shown(page)).toEqual(ofGame(game));
      expect(await found()).toEqual(wanted());
      // The keyboard stays in the list.
      await expect.poll(() => page.locator('input[name=binding]:focus').count()).toBe(1);
    }
    expect(game.time).toBeGreaterThan(5);
    expect(faults).toEqual([]);
  });

  it('keeps the game when it is loaded again, and refuses games and numbers in its address that do not fit', async () => {
    const { html } = await view(philosophers(3), { seed: 'other' });
    const { page, faults } = await opened(html);
    const region = page.getByRole('region', { name: 'Net', exact: true });
    // The numbers are those of the seed of the result.
    const game = new TokenGame(philosophers(3), { seed: 'other' });
    let address = page.url();
    // Three firings can end in the deadlock. The page writes its address a moment after each of them.
    for (let k = 0; k < 2; k++) {
      const last = address;
      await page.getByRole('button', { name: 'Random' }).click();
      game.fireRandom();
      await expect.poll(() => page.url(), { timeout: 10_000 }).not.toBe(last);
      address = page.url();
    }
    expect(new URL(address).hash).toContain('game=');
    await expect.poll(() => shown(page)).toEqual(ofGame(game));
    const before = await shown(page);
    await page.reload();
    await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
    await expect.poll(() => shown(page)).toEqual(before);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Step back' }).click();
    game.back();
    await expect.poll(() => shown(page)).toEqual(ofGame(game));
    const present = await shown(page);
    // Another end of the game, entered in the running page.
    const damaged = new URLSearchParams(new URL(address).hash.slice(1));
    damaged.set('game', `${damaged.get('game')!.slice(0, -1)}x`);
    damaged.set('time', 'later');
    await page.evaluate((hash) => {
      (globalThis as unknown as { location: { hash: string } }).location.hash = hash;
    }, String(damaged));
    await region.getByRole('alert').waitFor();
    expect(await region.getByRole('alert').textContent()).toMatch(/is left out\. GAME006 .*another marking/);
    expect(await page.getByText('The address of this page has time="later": expected a number.').count()).toBe(1);
    await expect.poll(() => shown(page)).toEqual(present);
    // The page of another net.
    const other = await opened((await view(philosophers(2))).html, {}, new URL(address).hash);
    expect(await other.page.getByRole('alert').textContent()).toMatch(/GAME006 .*another net/);
    expect((await shown(other.page))[0]).toEqual(['left0', 'left1']);
    expect([...faults, ...other.faults]).toEqual([]);
  });

  it('shows names with markup, and never executes them', async () => {
    const n = new NetBuilder('<img src=x onerror="document.title=1">');
    const place = n.place('</script><script>document.title=2</script>', {}, { initial: 1 });
    n.transition('<b onclick="document.title=3">&amp;', (t) => t.take(place));
    const { html } = await view(n.build());
    const { page, faults } = await opened(html);
    expect(await page.title()).toBe('<img src=x onerror="document.title=1">');
    expect((await shown(page))[0]).toEqual(['<b onclick="document.title=3">&amp;']);
    expect((await shown(page))[1][0]![0]).toBe('</script><script>document.title=2</script>');
    expect(faults).toEqual([]);
  });

  it('says what cannot be read in a page that was cut or changed', async () => {
    const { html } = await view(philosophers(2));
    const text = Buffer.from(html).toString('utf8');
    const part = /(<script type="text\/plain" id="part-documents">)([^<]+)/;
    const { page } = await opened(text.replace(part, (_, tag, data) => `${tag}${data.slice(0, 40)}`));
    expect(await page.getAttribute('html', 'data-ready')).toBe('failed');
    expect(await page.getByRole('alert').textContent()).toMatch(/^The documents of this page cannot be read/);
  });
});

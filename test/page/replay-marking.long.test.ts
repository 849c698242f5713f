import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { netOfInput } from '../../src/commands/convert/convert.ts';
import { givenInput } from '../../src/commands/inputs/input.ts';
import { view } from '../../src/commands/view/view.ts';
import { noise, spmd } from '../../src/models.ts';
import { closesBrowser, HAS_BROWSER, opened, settled } from './browser.ts';

const model = spmd({
  name: 'noisy',
  build(m) {
    m.loop(3, () => {
      m.compute({ seconds: 2, noise: noise.exponential() });
      m.sendrecv({ to: (s) => (s.rank + 1) % s.size, from: (s) => (s.rank + s.size - 1) % s.size, bytes: 8 });
    });
  },
});

/** Places with tokens, as the page shows them. */
async function shown(page: Page): Promise<Record<string, number>> {
  const rows = await page
    .getByRole('table', { name: 'Marking' })
    .locator('[data-place]')
    .evaluateAll((all) => all.map((row) => ['place', 'count'].map((key) => row.getAttribute(`data-${key}`)!)));
  return Object.fromEntries(rows.map(([place, count]) => [place!, Number(count)]).filter(([, count]) => count !== 0));
}

describe.skipIf(!HAS_BROWSER)('the marking of the net of a run', () => {
  closesBrowser();

  it('follows the cursor with the tokens that the engine has then, and leaves a game by hand alone', async () => {
    const options = { ranks: 3, machine: 'sdsc-trestles', seed: '7' } as const;
    const { html } = await view(model, options);
    const net = netOfInput(givenInput('convert', model), { ranks: 3, machine: 'sdsc-trestles' }, []);
    const { page, faults } = await opened(html);
    const slider = page.getByRole('slider', { name: 'Time' });
    const end = Number(await slider.getAttribute('max'));
    const seen = new Set<string>();
    for (const share of [0.1, 0.3, 0.55, 0.8, 1, 0.45, 0.05]) {
      const time = share * end;
      await slider.evaluate((input, value) => {
        (input as unknown as { value: string }).value = value;
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }, String(time));
      await settled(page);
      expect(await page.getByRole('radio', { name: 'Replay' }).isChecked()).toBe(true);
      const set = Number(await slider.inputValue());
      const { run } = simulate(net, { seed: '7', until: set });
      const counts = net.places.map(({ name }) => [name, run.tokens(name).length] as const);
      const found = await shown(page);
      expect(found).toEqual(Object.fromEntries(counts.filter(([, count]) => count > 0)));
      seen.add(JSON.stringify(found));
    }
    expect(seen.size).toBeGreaterThan(3);
    await page.getByRole('radio', { name: 'Play by hand' }).check();
    await page.getByRole('button', { name: 'Fire', exact: true }).click();
    await settled(page);
    const byHand = await shown(page);
    await slider.press('ArrowRight');
    await settled(page);
    expect(await shown(page)).toEqual(byHand);
    await page.getByRole('radio', { name: 'Replay' }).check();
    await settled(page);
    expect(await page.getByRole('button', { name: 'Fire', exact: true }).count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

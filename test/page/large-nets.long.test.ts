import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageNet } from '../../src/commands/view/page-net.ts';
import { view } from '../../src/commands/view/view.ts';
import { NetBuilder, netToJson } from '../../src/index.ts';
import type { Net } from '../../src/net/net.ts';
import { closesBrowser, HAS_BROWSER, opened, settled } from './browser.ts';

/** A ring of places and transitions; dense: each transition reads further places. */
function ring(nodes: number, reads: number): Net {
  const n = new NetBuilder('ring');
  const half = nodes / 2;
  const places = Array.from({ length: half }, (_, k) => n.place(`p${k}`, {}, k === 0 ? { initial: 1 } : {}));
  for (let k = 0; k < half; k++)
    n.transition(`t${k}`, (t) => {
      t.take(places[k]!);
      t.put(places[(k + 1) % half]!, {});
      for (let r = 0; r < reads; r++) t.read(places[(k + 2 + 37 * r) % half]!);
    });
  return n.build();
}

describe.skipIf(!HAS_BROWSER)('the page of a net of 5,000 nodes', () => {
  closesBrowser();

  it('says on its first screen that the net is listed, not drawn, and plays it', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'foretoken-large-')), 'ring.json');
    writeFileSync(file, netToJson(ring(5000, 0)));
    const { page, faults } = await opened((await view(file)).html);
    const summary = page.getByRole('region', { name: 'Summary', exact: true });
    expect(await summary.getByText('The net is listed, not drawn').isVisible()).toBe(true);
    const net = page.getByRole('region', { name: 'Net', exact: true });
    expect(await net.getByText('The net is listed, not drawn').isVisible()).toBe(true);
    await net.getByRole('button', { name: 'Fire', exact: true }).click();
    await settled(page);
    expect(await net.locator('[data-place="p1"]').getAttribute('data-count')).toBe('1');
    expect(await page.locator('*').count()).toBeLessThan(10_000);
    expect(faults).toEqual([]);
  });
});

describe('the net of a page', () => {
  it.each([
    [2002, 0],
    [5000, 0],
    [5000, 6],
  ])('of %i nodes with %i reads a transition is listed at once, and the page says so', (nodes, reads) => {
    const net = ring(nodes, reads);
    const begin = process.cpuUsage();
    const { net: made, notes } = pageNet(() => net);
    const { user, system } = process.cpuUsage(begin);
    // Seconds of processor time: no layout is tried.
    expect((user + system) / 1e6).toBeLessThan(15);
    expect(made?.drawing).toBeUndefined();
    expect(made?.json).toContain(`"p${nodes / 2 - 1}"`);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain('The net is listed, not drawn');
    expect(notes[0]).toContain(`has ${nodes} nodes`);
  });

  it('of 20,000 nodes with many arcs is left out with its size', () => {
    const { net, notes } = pageNet(() => ring(20_000, 6));
    expect(net).toBeUndefined();
    expect(notes[0]).toMatch(/^The net is not shown: its file has \d+ characters, more than 4000000\.$/);
  });
});

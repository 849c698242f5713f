import { describe, expect, it } from 'vitest';
import { pageNet } from '../../src/commands/view/page-net.ts';
import { NetBuilder } from '../../src/index.ts';
import type { Net } from '../../src/net/net.ts';

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

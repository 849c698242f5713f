import { describe, expect, it } from 'vitest';
import { netDrawing } from '../../../src/commands/drawing/net-drawing.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { keptLayout } from '../../../src/net/drawing/kept-layout.ts';
import { layeredLayout } from '../../../src/net/drawing/layered-layout.ts';
import { drawingOf } from '../../../src/net/drawing/svg.ts';
import type { Net } from '../../../src/net/net.ts';

function ring(length: number): Net {
  const b = new NetBuilder('ring');
  const places = Array.from({ length }, (_, k) => b.place(`p${k}`, {}, { initial: k === 0 ? 1 : 0 }));
  for (let k = 0; k < length; k++)
    b.transition(`t${k}`, (t) => {
      t.take(places[k]!);
      t.put(places[(k + 1) % length]!, {});
    });
  return b.build();
}

describe('the drawing of a net', () => {
  it('is that of Graphviz, without a note', () => {
    const { drawing, notes } = netDrawing(ring(4), undefined);
    expect(notes).toEqual([]);
    expect(drawing.svg).not.toBe(drawingOf(ring(4), layeredLayout).svg);
  });

  it('is in layers where Graphviz takes too long, and says so', () => {
    const { drawing, notes } = netDrawing(ring(30), undefined, 0.001);
    expect(notes).toEqual([
      'Graphviz did not lay out the net in 0.001 s: the net is drawn in plain layers, with straight arcs.',
    ]);
    expect(drawing.svg).toBe(drawingOf(ring(30), layeredLayout).svg);
  });

  it('is that of the file where it has positions of all nodes', () => {
    const at = (name: string, k: number, y: number) => [name, { x: 100 * k, y }] as const;
    const positions = {
      places: new Map([0, 1].map((k) => at(`p${k}`, k, 0))),
      transitions: new Map([0, 1].map((k) => at(`t${k}`, k, 100))),
    };
    const { drawing, notes } = netDrawing(ring(2), positions, 0.001);
    expect(notes).toEqual([]);
    expect(drawing).toEqual(drawingOf(ring(2), keptLayout(positions)));
  });

  it('is refused for more than 2,000 nodes, before a layout is tried', () => {
    expect(() => netDrawing(ring(1001), undefined)).toThrow(
      /SVG001 .*has 2002 nodes and 2002 arcs: a drawing has at most 2000/,
    );
  });
});

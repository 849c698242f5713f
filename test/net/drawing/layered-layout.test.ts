import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { crossings } from '../../../src/net/drawing/crossings.ts';
import { layeredLayout } from '../../../src/net/drawing/layered-layout.ts';
import { drawingOf, type NetDrawing } from '../../../src/net/drawing/svg.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';
import { arcLines } from './arc-lines.ts';

type Arc = readonly [place: number, transition: number, takes: boolean];

function netOf(places: number, transitions: number, arcs: readonly Arc[]): Net {
  const b = new NetBuilder('n');
  const all = Array.from({ length: places }, (_, k) => b.place(`p${k}`, {}, { initial: k % 3 === 0 ? 1 : 0 }));
  for (let t = 0; t < transitions; t++)
    b.transition(`t${t}`, (own) => {
      // A transition takes at least one token.
      const of = arcs.filter(([, transition]) => transition === t);
      if (!of.some(([, , takes]) => takes)) own.take(all[t % places]!);
      for (const [p, , takes] of of) {
        if (takes) own.take(all[p]!);
        else own.put(all[p]!, {});
      }
    });
  return b.build();
}

const nets = fc
  .tuple(
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 9 }),
    fc.uniqueArray(fc.tuple(fc.nat(11), fc.nat(8), fc.boolean()), { maxLength: 40, selector: String }),
  )
  .map(([p, t, arcs]) =>
    netOf(
      p,
      t,
      arcs.filter(([place, transition]) => place < p && transition < t),
    ),
  );

const draw = (net: Net): NetDrawing => drawingOf(net, layeredLayout, { limit: 2000 });

describe('a drawing in layers', () => {
  it('has every node once, inside it, apart from the others, and is the same each time', () => {
    fc.assert(
      fc.property(nets, (net) => {
        const drawing = draw(net);
        expect(draw(net)).toEqual(drawing);
        const nodes = [...Object.values(drawing.places), ...Object.values(drawing.transitions)];
        expect(nodes).toHaveLength(net.places.length + net.transitions.length);
        const { x, y, width, height } = drawing.view;
        for (const [k, a] of nodes.entries()) {
          expect(a.x > x && a.x < x + width && a.y > y && a.y < y + height).toBe(true);
          for (const b of nodes.slice(k + 1))
            expect(Math.abs(a.x - b.x) > 20 || Math.abs(a.y - b.y) > 20, JSON.stringify([a, b])).toBe(true);
        }
      }),
      { numRuns: effort(2000) },
    );
  });

  it('goes from left to right along a chain, and a tree has no crossings', () => {
    const chain = draw(
      netOf(
        4,
        3,
        [0, 1, 2].flatMap((k): Arc[] => [
          [k, k, true],
          [k + 1, k, false],
        ]),
      ),
    );
    const xs = [0, 1, 2].flatMap((k) => [chain.places[`p${k}`]!.x, chain.transitions[`t${k}`]!.x]);
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
    // Transition t puts a token on the places 2 t + 1 and 2 t + 2.
    const tree: Arc[] = [0, 1, 2, 3, 4, 5, 6].flatMap((t): Arc[] => [
      [t, t, true],
      [2 * t + 1, t, false],
      [2 * t + 2, t, false],
    ]);
    // The order of the arcs is that of a search for bad cases.
    for (const arcs of [tree, [...tree].reverse(), tree.map((_, k) => tree[(k * 8) % tree.length]!)])
      expect(crossings(arcLines(draw(netOf(15, 7, arcs)).svg))).toBe(0);
  });

  it('takes a bounded time for many nodes with many arcs', () => {
    const arcs = Array.from({ length: 6000 }, (_, k): Arc => [(k * 7919) % 900, (k * 104_729) % 900, k % 2 === 0]);
    const net = netOf(900, 900, [...new Map(arcs.map((arc) => [String(arc), arc])).values()]);
    expect(Object.keys(draw(net).places)).toHaveLength(900);
  });
});

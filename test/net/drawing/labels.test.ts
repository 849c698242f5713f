import { describe, expect, it } from 'vitest';
import { graphviz } from '../../../src/commands/drawing/graphviz.ts';
import { NetBuilder, netToSvg } from '../../../src/index.ts';
import { layeredLayout } from '../../../src/net/drawing/layered-layout.ts';
import { drawingOf } from '../../../src/net/drawing/svg.ts';
import { runsThrough } from '../../../src/net/drawing/svg-labels.ts';
import type { Net } from '../../../src/net/net.ts';
import { add, eq, lt, not } from '../../../src/net/terms.ts';
import { crossedTexts, overlappingTexts } from './labels.ts';

/** Philosophers with one place of forks: an arc that returns, two arcs between the same nodes, inscriptions of two lines. */
function philosophers(): Net {
  const n = new NetBuilder('philosophers');
  const Seat = n.range('Seat', 0, 4);
  const seats = [0, 1, 2, 3, 4];
  const right = n.intTable('right', Int32Array.of(1, 2, 3, 4, 0));
  const thinks = n.place('thinks', { p: Seat }, { initial: seats.map((p) => ({ p })) });
  const fork = n.place('fork', { f: Seat }, { initial: seats.map((f) => ({ f })) });
  const eats = n.place('a place with a long name', { p: Seat });
  n.transition('take', (t) => {
    const { p } = t.take(thinks);
    t.take(fork, { f: p });
    t.take(fork, { f: right.at(p) });
    t.put(eats, { p });
  });
  n.transition('put', (t) => {
    const { p } = t.take(eats);
    t.delay(1);
    t.put(thinks, { p });
    t.put(fork, { f: p });
    t.put(fork, { f: right.at(p) });
  });
  return n.build();
}

/** One place in the middle of many transitions, whose arcs come from all sides. */
function star(count: number): Net {
  const n = new NetBuilder('star');
  const middle = n.place('middle', {}, { initial: 3 });
  for (let k = 0; k < count; k++) {
    const end = n.place(`end ${k}`, {});
    n.transition(`go ${k}`, (t) => {
      t.take(middle, {}, 1 + (k % 3));
      t.put(end, {});
    });
    if (k % 2 === 0)
      n.transition(`back ${k}`, (t) => {
        t.take(end);
        t.delay(1);
        t.put(middle, {}, 1 + (k % 3));
      });
  }
  return n.build();
}

/** Transitions in both directions between two places, each with a long guard. */
function guarded(): Net {
  const n = new NetBuilder('guarded');
  const Car = n.range('Car', 0, 9);
  const sides = ['left', 'right'].map((name) => n.place(name, { car: Car }, { initial: [{ car: 0 }] }));
  const bridge = n.place('bridge', {}, { initial: 2 });
  for (const [k, from] of sides.entries())
    for (const turn of [0, 1, 2])
      n.transition(`turn ${turn} from ${k}`, (t) => {
        const { car } = t.take(from);
        t.take(bridge);
        t.guard(not(eq(add(car, turn), 1234567)));
        t.guard(lt(add(car, turn), 7654321));
        t.put(sides[1 - k]!, { car });
        t.put(bridge, {});
      });
  return n.build();
}

/** Every transition takes from each `step`-th place and puts into the next one: seven or eight names are crossed in the plain layout. */
function joined(size: number, step: number): Net {
  const n = new NetBuilder('joined');
  const places = Array.from({ length: size }, (_, k) => n.place(`place ${k}`, {}, { initial: 2 }));
  for (const k of places.keys())
    n.transition(`transition ${k}`, (t) => {
      for (const [j, place] of places.entries()) if ((j + k) % step === 0) t.take(place, {}, 1 + ((j + k) % 2));
      t.put(places[(k + 1) % size]!, {});
    });
  return n.build();
}

describe('texts of a drawing', () => {
  it.each([
    ['philosophers', philosophers()],
    ['a star of 2', star(2)],
    ['a star of 6', star(6)],
    ['a star of 12', star(12)],
    ['guards of 36 characters', guarded()],
  ])('are crossed by neither arcs nor shapes nor texts: %s', async (_, net) => {
    for (const svg of [drawingOf(net, graphviz(60)).svg, await netToSvg(net)]) {
      expect(crossedTexts(svg)).toEqual([]);
      expect(overlappingTexts(svg)).toEqual([]);
    }
  });

  it.each([
    [20, 3],
    [30, 5],
  ])('get more room where it takes that: %i places and transitions, one of %i joined', (size, step) => {
    const { svg } = drawingOf(joined(size, step), layeredLayout);
    expect(crossedTexts(svg)).toEqual([]);
    expect(overlappingTexts(svg)).toEqual([]);
  });

  it('are found where they overlap each other or a shape', () => {
    const text = (x: number, name: string): string => `<text class="name" x="${x}" y="20">${name}</text>`;
    const place = (cx: number): string =>
      `<title>place p · 1 token</title><ellipse cx="${cx}" cy="16" rx="18" ry="18"/>`;
    expect(overlappingTexts(text(0, 'long name') + text(20, 'other') + place(80))).toEqual(['long name | other']);
    expect(overlappingTexts(text(0, 'long name') + place(30))).toEqual(['long name | shape of p']);
    expect(overlappingTexts(text(0, 'long name') + text(80, 'other') + place(150))).toEqual([]);
  });

  it('are found where an arc crosses them', () => {
    const svg = (y: number): string =>
      `<g class="arc take"><title></title><path d="M0,${y}C10,${y} 20,${y} 30,${y}"/></g><text class="name" x="15" y="20">name</text>`;
    expect(crossedTexts(svg(16))).toEqual([{ kind: 'name', text: 'name' }]);
    expect(crossedTexts(svg(30))).toEqual([]);
  });

  it.each([
    [{ x: 0, y: 0 }, { x: 10, y: 10 }, true],
    [{ x: 0, y: 5 }, { x: 10, y: 5 }, true],
    [{ x: 5, y: 5 }, { x: 5, y: 5.5 }, true],
    // Lines along an edge, past a corner, and before the box.
    [{ x: 0, y: 3 }, { x: 10, y: 3 }, false],
    [{ x: 0, y: 7 }, { x: 4, y: 10 }, false],
    [{ x: 0, y: 5 }, { x: 2, y: 5 }, false],
  ])('a line from %o to %o runs through a box: %s', (a, b, isThrough) => {
    const box = { x: 5, y: 5, width: 6, height: 4 };
    expect(runsThrough({ a, b }, box)).toBe(isThrough);
    expect(runsThrough({ a: b, b: a }, box)).toBe(isThrough);
  });
});

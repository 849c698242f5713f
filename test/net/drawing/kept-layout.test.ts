import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { isPlaced, keptLayout } from '../../../src/net/drawing/kept-layout.ts';
import { drawingOf } from '../../../src/net/drawing/svg.ts';
import { readPnml } from '../../../src/net/pnml/pnml-read.ts';
import { effort } from '../../effort.ts';

interface At {
  readonly x: number;
  readonly y: number;
}

/** A net in PNML: places p0 … and transitions t0 … at positions, with arcs between them. */
function pnml(
  places: readonly At[],
  transitions: readonly At[],
  arcs: readonly (readonly [number, number, boolean])[],
): string {
  const graphics = ({ x, y }: At): string => `<graphics><position x="${x}" y="${y}"/></graphics>`;
  return [
    '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">',
    '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">',
    ...places.map((at, k) => `<place id="p${k}"><name><text>P ${k}</text></name>${graphics(at)}</place>`),
    ...transitions.map((at, k) => `<transition id="t${k}">${graphics(at)}</transition>`),
    ...arcs.map(([p, t, takes], k) =>
      takes ? `<arc id="a${k}" source="p${p}" target="t${t}"/>` : `<arc id="a${k}" source="t${t}" target="p${p}"/>`,
    ),
    '</page></net></pnml>',
  ].join('\n');
}

const at = fc.record({ x: fc.integer({ min: -300, max: 900 }), y: fc.integer({ min: -300, max: 900 }) });
const nets = fc
  .record({
    places: fc.uniqueArray(at, { minLength: 2, maxLength: 8, selector: ({ x, y }) => `${x} ${y}` }),
    transitions: fc.uniqueArray(at, { minLength: 1, maxLength: 6, selector: ({ x, y }) => `${x} ${y}` }),
    arcs: fc.array(fc.tuple(fc.nat(7), fc.nat(5), fc.boolean()), { maxLength: 12 }),
  })
  .filter(({ places, transitions }) => !places.some((p) => transitions.some((t) => p.x === t.x && p.y === t.y)))
  .map(({ places, transitions, arcs }) => ({
    places,
    transitions,
    text: pnml(
      places,
      transitions,
      arcs.map(([p, t, takes]) => [p % places.length, t % transitions.length, takes] as const),
    ),
  }));

describe('drawings of files with positions', () => {
  it('keep them up to one factor, with shapes that do not touch unless that would take a large factor', () => {
    fc.assert(
      fc.property(nets, ({ places, transitions, text }) => {
        const { net, positions } = readPnml(text);
        expect(isPlaced(net, positions)).toBe(true);
        const drawing = drawingOf(net, keptLayout(positions));
        const given = [...places, ...transitions];
        const drawn = [
          ...places.map((_, k) => drawing.places[`p${k}`]!),
          ...transitions.map((_, k) => drawing.transitions[`t${k}`]!),
        ];
        // The factor follows from the two nodes that are farthest apart.
        const pairs = given.flatMap((_, a) => given.slice(a + 1).map((__, b) => [a, a + 1 + b] as const));
        const far = ([a, b]: readonly [number, number], of: readonly At[]): number =>
          Math.hypot(of[a]!.x - of[b]!.x, of[a]!.y - of[b]!.y);
        const widest = pairs.reduce((best, pair) => (far(pair, given) > far(best, given) ? pair : best));
        const factor = far(widest, drawn) / far(widest, given);
        expect(factor).toBeGreaterThanOrEqual(1 - 1e-9);
        expect(factor).toBeLessThanOrEqual(4 + 1e-9);
        for (const [a, b] of pairs) {
          expect(drawn[a]!.x - drawn[b]!.x).toBeCloseTo(factor * (given[a]!.x - given[b]!.x), 6);
          expect(drawn[a]!.y - drawn[b]!.y).toBeCloseTo(factor * (given[a]!.y - given[b]!.y), 6);
          if (factor > 4 - 1e-9) continue;
          // Half sizes: places are circles, transitions without a delay bars; the space is 8, and a name between shapes 13.
          const half = (k: number): At => (k < places.length ? { x: 18, y: 18 } : { x: 3.5, y: 20 });
          const apart =
            Math.abs(drawn[a]!.x - drawn[b]!.x) > half(a).x + half(b).x + 7 ||
            Math.abs(drawn[a]!.y - drawn[b]!.y) > half(a).y + half(b).y + 20;
          expect(apart).toBe(true);
        }
      }),
      { numRuns: effort(200) },
    );
  });

  it('draw both arcs of a place and a transition apart', () => {
    const text = pnml(
      [{ x: 0, y: 0 }],
      [{ x: 200, y: 0 }],
      [
        [0, 0, true],
        [0, 0, false],
      ],
    );
    const { net, positions } = readPnml(text);
    const { svg } = drawingOf(net, keptLayout(positions));
    const paths = [...svg.matchAll(/<g class="arc (\w+)">.*?<path d="M([\d.]+),([\d.]+)C[\d.]+,([\d.]+) /g)];
    expect(paths.length).toBe(2);
    const [one, two] = paths.map(([, , , , y]) => Number(y));
    expect(Math.abs(one! - two!)).toBeGreaterThan(20);
  });

  it.each([
    ['no position', '<graphics/>'],
    ['a position that is no number', '<graphics><position x="left" y="1"/></graphics>'],
    ['a position without y', '<graphics><position x="1"/></graphics>'],
    ['the position of another node', '<graphics><position x="200" y="0"/></graphics>'],
  ])('are laid out where a node has %s', (_, graphics) => {
    const text = pnml([{ x: 0, y: 0 }], [{ x: 200, y: 0 }], [[0, 0, true]]).replace(
      '<graphics><position x="0" y="0"/></graphics>',
      graphics,
    );
    const { net, positions, warnings } = readPnml(text);
    expect(isPlaced(net, positions)).toBe(false);
    expect(warnings.some((warning) => warning.includes('position'))).toBe(false);
  });

  it('take the position of the node, not that of its name', () => {
    const text = pnml([{ x: 10, y: 20 }], [{ x: 200, y: 0 }], [[0, 0, true]]).replace(
      '<name><text>P 0</text></name>',
      '<name><text>P 0</text><graphics><offset x="3" y="4"/><position x="7" y="7"/></graphics></name>',
    );
    const { positions } = readPnml(text);
    expect(positions.places.get('p0')).toEqual({ x: 10, y: 20 });
  });
});

describe('read arcs', () => {
  it('have a head at both ends', () => {
    const n = new NetBuilder('reads');
    const p = n.place('p', {}, { initial: 1 });
    const q = n.place('q', {}, { initial: 1 });
    n.transition('t', (t) => {
      t.read(p);
      t.take(q);
      t.put(q, {});
    });
    const net = n.build();
    const positions = {
      places: new Map([
        ['p', { x: 0, y: 0 }],
        ['q', { x: 300, y: 0 }],
      ]),
      transitions: new Map([['t', { x: 150, y: 0 }]]),
    };
    const { svg } = drawingOf(net, keptLayout(positions));
    const heads = (kind: string): number =>
      (new RegExp(`<g class="arc ${kind}">.*?</g>`).exec(svg)![0].match(/<polygon/g) ?? []).length;
    expect(heads('read')).toBe(2);
    expect(heads('put')).toBe(1);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSimgridPlatform } from '../../src/machine/simgrid/simgrid-xml.ts';
import { parseFatTreeShape } from '../../src/machine/topology/fat-tree-shape.ts';
import { platformText, temporary } from './fixtures.ts';

const level = fc.record({
  down: fc.integer({ min: 1, max: 4 }),
  up: fc.integer({ min: 1, max: 3 }),
  cables: fc.integer({ min: 1, max: 3 }),
});
const shapes = fc.array(level, { minLength: 1, maxLength: 3 });

describe('a fat tree', () => {
  it('routes from the up link of the source to the down link of the target, over distinct links, as many in both directions', () => {
    fc.assert(
      fc.property(shapes, fc.nat(), fc.nat(), (levels, a, b) => {
        const hosts = levels.reduce((product, { down }) => product * down, 1);
        const text = [levels.length, ...(['down', 'up', 'cables'] as const).map((key) => levels.map((l) => l[key]))];
        const cluster = `<cluster id="t" prefix="h" suffix="" radical="0-${hosts - 1}" speed="1Gf" bw="1GBps" lat="1us" topology="FAT_TREE" topo_parameters="${text.join(';')}"/>`;
        const platform = readSimgridPlatform(temporary(platformText(cluster)));
        const from = a % hosts;
        const to = b % hosts;
        const { links, latency } = platform.route(from, to);
        const names = links.map((link) => platform.links[link]!.name);
        expect(names[0]).toMatch(new RegExp(`^link_from_${from}_-?\\d+_\\d+_UP$`));
        expect(names.at(-1)).toMatch(new RegExp(`^link_from_${to}_-?\\d+_\\d+_DOWN$`));
        expect(new Set(names).size).toBe(names.length);
        expect(names.length).toBeLessThanOrEqual(2 * levels.length);
        expect(latency).toBeCloseTo(names.length * 1e-6, 12);
        expect(platform.route(to, from).links.length).toBe(names.length);
        // Consecutive cables meet in a switch: the upper end of an up link is the lower end of the next one, and so on.
        const ends = names.map((name) => /^link_from_(-?\d+)_(-?\d+)_\d+_(UP|DOWN)$/.exec(name)!);
        const nodes = ends.map(([, low, high, way]) => (way === 'UP' ? [low, high] : [high, low]));
        for (let i = 1; i < nodes.length; i++) expect(nodes[i]![0]).toBe(nodes[i - 1]![1]);
      }),
    );
  });

  it.each([
    ['2;4,4;1,2', 'levels;children;parents;cables'],
    ['2;4,4;1,2;1', 'expected one number per level (2), got 1'],
    ['1;0;1;1', 'expected an integer >= 1, got "0"'],
    ['1;-2;1;1', 'expected an integer >= 1, got "-2"'],
    ['', 'levels;children;parents;cables'],
    ['2;x,4;1,2;1,2', 'expected an integer >= 1, got "x"'],
    ['3;99999,99999,99999;1,1,1;1,1,1', 'too large'],
    ['99;1;1;1', 'at most 16 levels'],
  ])('rejects the shape %j', (text, message) => {
    expect(parseFatTreeShape(text)).toContain(message);
  });
});

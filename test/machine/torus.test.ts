import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cableCount, torusRoute } from '../../src/machine/topology/torus.ts';
import { effort } from '../effort.ts';

const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
const product = (list: readonly number[]): number => list.reduce((a, b) => a * b, 1);
/** Coordinates of a node; the first dimension varies fastest. */
function coordinates(list: readonly number[], node: number): number[] {
  let rest = node;
  return list.map((size) => {
    const at = rest % size;
    rest = Math.floor(rest / size);
    return at;
  });
}

describe('routes on a torus', () => {
  it('follow the first dimension, then the second', () => {
    // 4 × 3 nodes; cables 0 … 11 along the first dimension, 12 … 23 along the second.
    const up = (cable: number): number => 2 * cable;
    const down = (cable: number): number => 2 * cable + 1;
    expect(torusRoute([4, 3], 0, 1)).toEqual([up(0)]);
    expect(torusRoute([4, 3], 1, 0)).toEqual([down(0)]);
    expect(torusRoute([4, 3], 0, 3)).toEqual([down(3)]);
    expect(torusRoute([4, 3], 3, 0)).toEqual([up(3)]);
    expect(torusRoute([4, 3], 0, 2)).toEqual([up(0), up(1)]);
    // Both directions are equally long: up, except to position 0, as in SimGrid.
    expect(torusRoute([4, 3], 2, 0)).toEqual([down(1), down(0)]);
    expect(torusRoute([4, 3], 3, 1)).toEqual([up(3), up(0)]);
    expect(torusRoute([4, 3], 0, 5)).toEqual([up(0), up(12 + 1)]);
    expect(torusRoute([4, 3], 5, 8)).toEqual([down(4), up(12 + 4)]);
    expect(torusRoute([4, 3], 1, 9)).toEqual([down(12 + 9)]);
  });

  it('skip dimensions of one node', () => {
    expect(torusRoute([1, 3, 1], 0, 2)).toEqual(torusRoute([3], 0, 2));
  });

  it('have the Manhattan length, use each cable once, and end at the destination', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (list, a, b) => {
        const nodes = product(list);
        const [from, to] = [a % nodes, b % nodes];
        const route = torusRoute(list, from, to);
        const [x, y] = [coordinates(list, from), coordinates(list, to)];
        const apart = list.map((size, k) => Math.min((y[k]! - x[k]! + size) % size, (x[k]! - y[k]! + size) % size));
        expect(route).toHaveLength(apart.reduce((s, d) => s + d, 0));
        expect(new Set(route).size).toBe(route.length);
        const axes = [...list.keys()].filter((k) => list[k]! > 1);
        const at = [...x];
        for (const link of route) {
          expect(link).toBeLessThan(2 * cableCount(list));
          const cable = link >> 1;
          const axis = axes[Math.floor(cable / nodes)]!;
          const size = list[axis]!;
          const step = link % 2 === 0 ? 1 : size - 1;
          const next = (at[axis]! + step) % size;
          // A cable belongs to its lower end in ring order.
          const owner = [...at];
          if (link % 2 === 1) owner[axis] = next;
          expect(coordinates(list, cable % nodes)).toEqual(owner);
          at[axis] = next;
        }
        expect(at).toEqual(y);
      }),
      { numRuns: effort(1000) },
    );
  });
});

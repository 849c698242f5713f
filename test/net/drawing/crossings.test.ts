import { expect, test } from 'vitest';
import { type At, cross, crossings, polyline } from '../../../src/net/drawing/crossings.ts';
import { arcLines } from './arc-lines.ts';

test.each<readonly [string, readonly At[], readonly At[], number]>([
  [
    'a cross',
    [
      [0, 0],
      [2, 2],
    ],
    [
      [0, 2],
      [2, 0],
    ],
    1,
  ],
  [
    'parallels',
    [
      [0, 0],
      [2, 0],
    ],
    [
      [0, 1],
      [2, 1],
    ],
    0,
  ],
  [
    'lines that would meet further on',
    [
      [0, 0],
      [1, 1],
    ],
    [
      [0, 4],
      [4, 0],
    ],
    0,
  ],
  [
    'a zigzag over a line',
    [
      [0, -1],
      [1, 1],
      [2, -1],
      [3, 1],
    ],
    [
      [-1, 0],
      [4, 0],
    ],
    3,
  ],
  // A crossing at a bend is one, not two.
  [
    'a crossing at a bend',
    [
      [0, -1],
      [1, 0],
      [0, 1],
    ],
    [
      [-1, 0.0001],
      [0.5, 0.0001],
      [3, 0.0001],
    ],
    1,
  ],
  [
    'a crossing at bends of both',
    [
      [0, 0],
      [1, 1],
      [2, 2],
    ],
    [
      [0, 2],
      [1, 1],
      [2, 0],
    ],
    1,
  ],
])('counts %s', (_, one, other, count) => {
  expect(crossings([one, other])).toBe(count);
  expect(crossings([other, one])).toBe(count);
});

test('n diagonals of a grid cross as often as pairs of them do', () => {
  const n = 12;
  const up = Array.from({ length: n }, (_, k): At[] => [
    [k, 0],
    [k + 100, 100],
  ]);
  const down = Array.from({ length: n }, (_, k): At[] => [
    [k, 100],
    [k + 100, 0],
  ]);
  expect(crossings([...up, ...down])).toBe(n * n);
});

test('a curve is replaced by points on it', () => {
  const line = polyline([
    [0, 0],
    [0, 1],
    [1, 2],
    [2, 2],
  ]);
  expect(line).toHaveLength(17);
  expect(line.at(-1)).toEqual([2, 2]);
  // At t = 1/2: (a + 3b + 3c + d) / 8.
  expect(line[8]).toEqual([5 / 8, 11 / 8]);
  expect(cross([0, 0], [1, 0], [1, 0], [2, 0])).toBe(false);
});

test('lines of a drawing are those of its arcs', () => {
  const svg =
    '<g class="arc take"><title>x</title><path d="M0,0C0,-1 1.5,2 2,2"/></g><g class="place"><path d="M9,9"/></g>';
  expect(arcLines(svg)).toEqual([
    polyline([
      [0, 0],
      [0, -1],
      [1.5, 2],
      [2, 2],
    ]),
  ]);
});

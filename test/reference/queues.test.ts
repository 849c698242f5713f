import { expect, test } from 'vitest';
import type { Net, Place } from '../../src/net/net.ts';
import { INT, type NetParts, netOf, num, put, read, take, x } from './nets.ts';
import { referenceRun } from './token-game.ts';

const fields = [
  { name: 'p', colour: INT },
  { name: 'k', colour: INT },
];
const queue = { fields, order: 'priority', priority: x('p') } as const;
const pk = { p: x('p'), k: x('k') };

/** Order of departure as (priority, value), when a transition empties the queue in one instant. */
function leaving(q: Partial<Place> & { tokens: number[][] }): number[][] {
  const net = netOf({
    places: { q: { ...queue, ...q }, out: { fields, order: 'fifo' } },
    transitions: { t: { inputs: [take('q', pk)], outputs: [put('out', pk)] } },
  });
  return referenceRun(net).marking['out']!;
}

test('the highest priority leaves first; among equals, the oldest (S3)', () => {
  const tokens = [
    [1, 5],
    [2, 3],
    [1, 4],
    [2, 6],
  ];
  // Tokens of one step arrive in the order of their colours: (1, 4) is older than (1, 5).
  expect(leaving({ tokens })).toEqual([
    [2, 3],
    [2, 6],
    [1, 4],
    [1, 5],
  ]);
});

test('a queue per key: all heads are visible, the oldest starts (S3, S10)', () => {
  const tokens = [
    [1, 0],
    [2, 0],
    [0, 1],
    [3, 1],
  ];
  // By age: (0, 1), (1, 0), (2, 0), (3, 1). Visible are (2, 0) and (3, 1), then, one step later each, (1, 0) and (0, 1).
  expect(leaving({ key: ['k'], tokens })).toEqual([
    [2, 0],
    [3, 1],
    [1, 0],
    [0, 1],
  ]);
});

/** Number of firings with the given inputs on a queue with these values and equal priorities. */
function inRow(values: number[], inputs: NetParts['transitions'][string]['inputs'] & object): number {
  const tokens = values.map((v) => [0, v]);
  // Tokens arrive one after the other, in the given order.
  const net: Net = netOf({
    places: {
      n: { fields: [{ name: 'n', colour: INT }], tokens: [[0]] },
      q: queue,
      done: {},
    },
    tables: [{ kind: 'int', name: 'v', values: Int32Array.from(values), low: 0, high: 9 }],
    transitions: {
      come: {
        inputs: [take('n', { n: x('n') })],
        outputs: [
          put('q', { p: num(0), k: { op: 'at', table: 'v', index: x('n') } }),
          put('n', { n: { op: 'add', a: x('n'), b: num(1) } }),
        ],
        guard: { op: 'lt', a: x('n'), b: num(tokens.length) },
      },
      // Fires after all arrivals.
      t: { inputs, outputs: [put('done')], priority: -1 },
    },
  });
  return referenceRun(net).firings['t']!;
}

test('taken tokens must be equal and consecutive (S3)', () => {
  expect(inRow([7, 7, 8], [take('q', pk, 2)])).toBe(1);
  expect(inRow([7, 8, 7], [take('q', pk, 2)])).toBe(0);
  expect(inRow([7, 7, 7, 7], [take('q', pk, 2)])).toBe(2);
});

test('arcs that take the same token add up, arcs that read do not (S3)', () => {
  expect(inRow([7, 7, 7], [take('q', pk, 2), take('q', pk, 1)])).toBe(1);
  expect(inRow([7, 7], [take('q', pk, 2), take('q', pk, 1)])).toBe(0);
  expect(inRow([7, 7, 7], [take('q', pk, 2), read('q', pk, 3)])).toBe(1);
  expect(inRow([7, 7], [take('q', pk, 2), read('q', pk, 3)])).toBe(0);
  expect(inRow([7, 7, 8], [take('q', pk, 1), read('q', pk, 2)])).toBe(1);
});

test('an overtaken token is hidden: its clock is lost and restarts when it is first again (S3, S9a)', () => {
  const net = netOf({
    places: {
      q: { ...queue, tokens: [[1, 0]] },
      later: { tokens: 1 },
      out: { fields, order: 'fifo' },
    },
    transitions: {
      come: { inputs: [take('later')], outputs: [put('q', { p: num(2), k: num(0) })], delay: num(2) },
      serve: { inputs: [take('q', pk)], outputs: [put('out', pk)], delay: num(3), timing: 'race' },
    },
  });
  const run = referenceRun(net);
  expect(run.marking['out']).toEqual([
    [2, 0],
    [1, 0],
  ]);
  expect(run.arrivals['out']).toEqual([5, 8]);
  expect(run.happened).toMatchObject({ 'queue: overtaken': 1, 'race: clock lost': 1 });
});

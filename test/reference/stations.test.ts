import { expect, test } from 'vitest';
import type { StationService } from '../../src/net/net.ts';
import { INT, netOf, num, put, take, x } from './nets.ts';
import { type ReferenceRun, referenceRun } from './token-game.ts';

/** Tokens 0, 1, 2 arrive at 0, 1 and 2 s, and need 5, 4 and 1 s of service. */
function three(service: StationService, order: 'bag' | 'fifo' = 'fifo'): ReferenceRun {
  return referenceRun(
    netOf({
      tables: [
        { kind: 'real', name: 'need', values: Float64Array.of(5, 4, 1) },
        { kind: 'int', name: 'low first', values: Int32Array.of(1, 0, 2), low: 0, high: 2 },
      ],
      places: {
        coming: { fields: [{ name: 'k', colour: INT }], tokens: [[0], [1], [2]] },
        station: { fields: [{ name: 'k', colour: INT }], order, service },
      },
      transitions: {
        come: { inputs: [take('coming', { k: x('k') })], outputs: [put('station', { k: x('k') })], delay: x('k') },
      },
    }),
  );
}

/** Served tokens with their completion times. */
const served = (run: ReferenceRun): [number, number][] =>
  run.arrivals['station']!.map((time, n) => [run.marking['station']![n]![0]!, time]);

const time = { op: 'at', table: 'need', index: x('k') } as const;
const priority = { op: 'at', table: 'low first', index: x('k') } as const;

test('first come, first served (S4)', () => {
  expect(served(three({ kind: 'fcfs', servers: 1, time }))).toEqual([
    [0, 5],
    [1, 9],
    [2, 10],
  ]);
});

test('two servers: the step in which a token is served starts the next service', () => {
  expect(served(three({ kind: 'fcfs', servers: 2, time }))).toEqual([
    [0, 5],
    [1, 5],
    [2, 6],
  ]);
});

test('infinite servers', () => {
  expect(served(three({ kind: 'is', time }))).toEqual([
    [2, 3],
    [0, 5],
    [1, 5],
  ]);
});

test('last come, first served: a preempted token resumes its remaining service', () => {
  // 0 s: 0 starts. 1 s: 1 displaces it, 4 s are left. 2 s: 2 displaces 1, 3 s are left. 3 s: 1 resumes; 6 s: 0 resumes.
  const run = three({ kind: 'lcfs-pr', servers: 1, time });
  expect(served(run)).toEqual([
    [2, 3],
    [1, 6],
    [0, 10],
  ]);
  expect(run.happened['service: lcfs-pr displaced']).toBe(2);
});

test('last come, first served with two servers preempts the earliest token', () => {
  // 2 s: 2 displaces 0, 3 s are left. 3 s: 0 resumes.
  expect(served(three({ kind: 'lcfs-pr', servers: 2, time }))).toEqual([
    [2, 3],
    [1, 5],
    [0, 6],
  ]);
});

test('by priority: the highest waiting token', () => {
  expect(served(three({ kind: 'priority', servers: 1, time, priority, preemptive: false }))).toEqual([
    [0, 5],
    [2, 6],
    [1, 10],
  ]);
});

test('preemptive priority: only tokens of lower priority are displaced', () => {
  // 1 s: 1 ranks behind 0 and waits. 2 s: 2 displaces 0, 3 s are left. 3 s: 0 resumes before 1.
  const run = three({ kind: 'priority', servers: 1, time, priority, preemptive: true });
  expect(served(run)).toEqual([
    [2, 3],
    [0, 6],
    [1, 10],
  ]);
  expect(run.happened['service: priority displaced']).toBe(1);
});

test('equal priority does not displace: the first token stays', () => {
  const run = three({ kind: 'priority', servers: 1, time, priority: num(1), preemptive: true });
  expect(served(run).map(([k]) => k)).toEqual([0, 1, 2]);
  expect(run.happened['service: priority displaced']).toBeUndefined();
});

test('a token whose service is due at this instant is not displaced', () => {
  // The firing that brings token 2 starts before the service of token 0, so that it ends before, both at 2 s.
  const come = (from: string, k: number): object => ({
    inputs: [take(from)],
    outputs: [put('station', { k: num(k) })],
    delay: num(k),
  });
  const run = referenceRun(
    netOf({
      places: {
        first: { tokens: 1 },
        second: { tokens: 1 },
        station: {
          fields: [{ name: 'k', colour: INT }],
          order: 'fifo',
          service: { kind: 'lcfs-pr', servers: 1, time: num(2) },
        },
      },
      transitions: { t: come('first', 2), u: come('second', 0) },
    }),
  );
  expect(served(run)).toEqual([
    [0, 2],
    [2, 4],
  ]);
  expect(run.happened['service: due, so not displaced']).toBe(1);
});

test('processor sharing: each of n tokens at the rate min(1, servers / n)', () => {
  // 0–1 s: 0 alone; 1–2 s: 1/2 each; from 2 s on 1/3 each; at 5 s token 2 has its 1 s, tokens 0 and 1 have 2.5 s left each.
  const run = three({ kind: 'ps', servers: 1, time }, 'bag');
  expect(served(run)).toEqual([
    [2, 5],
    [0, 10],
    [1, 10],
  ]);
});

test('tokens of one step enter service in the order of their colours (S11)', () => {
  const run = referenceRun(
    netOf({
      places: {
        station: {
          fields: [{ name: 'k', colour: INT }],
          order: 'fifo',
          tokens: [[2], [1], [3]],
          service: { kind: 'fcfs', servers: 1, time: x('k') },
        },
      },
      transitions: {},
    }),
  );
  expect(served(run)).toEqual([
    [1, 1],
    [2, 3],
    [3, 6],
  ]);
});

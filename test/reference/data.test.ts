import { expect, test } from 'vitest';
import { Streams } from '../../src/base/random/streams.ts';
import { drawn as normal } from '../../src/net/distributions/normal.ts';
import { INT, netOf, num, put, take, x } from './nets.ts';
import { referenceRun } from './token-game.ts';

test('a field of composite colour is its columns side by side (S1)', () => {
  const run = referenceRun(
    netOf({
      colours: [
        { kind: 'unit', name: 'Unit' },
        { kind: 'range', name: 'Small', low: 0, high: 3 },
        {
          kind: 'record',
          name: 'Point',
          fields: [
            { name: 'y', colour: 'Small' },
            { name: 'nothing', colour: 'Unit' },
            { name: 'x', colour: 'Small' },
          ],
        },
        { kind: 'product', name: 'Two', parts: ['Point', INT] },
      ],
      places: {
        p: {
          fields: [{ name: 'f', colour: 'Two' }],
          order: 'fifo',
          key: ['f.1.x'],
          tokens: [
            [3, 1, 9],
            [2, 1, 8],
          ],
        },
      },
      transitions: {
        t: {
          inputs: [take('p', { 'f.1.y': num(2), 'f.1.x': x('x'), 'f.2': x('n') })],
          outputs: [put('p', { 'f.1.y': x('x'), 'f.1.x': num(0), 'f.2': x('n') })],
        },
      },
    }),
  );
  // Tokens of one step arrive in the order of their columns: (2, 1, 8) is older and hides the other.
  expect(run.marking['p']).toEqual([
    [3, 1, 9],
    [1, 0, 8],
  ]);
  expect(run.trace[0]!.binding).toEqual({ x: 1, n: 8 });
});

test('functions of the host language are called with numbers (S7)', () => {
  const run = referenceRun(
    netOf({
      functions: [{ name: 'half', apply: (a) => a! / 2 }],
      places: { p: { fields: [{ name: 'k', colour: INT }], tokens: [[3]] } },
      transitions: {
        t: { inputs: [take('p', { k: x('k') })], delay: { op: 'call', function: 'half', args: [x('k')] } },
      },
    }),
  );
  expect(run.time).toBe(1.5);
});

test('a run stops at a time limit, or when no event is left before it', () => {
  const net = netOf({
    places: { p: { fields: [{ name: 'k', colour: INT }], tokens: [[1], [2], [3]] } },
    transitions: { t: { inputs: [take('p', { k: x('k') })], delay: x('k') } },
  });
  const ends = (until: number): [number, number] => {
    const run = referenceRun(net, { until });
    return [run.time, run.trace.filter((e) => e.what === 'end').length];
  };
  expect(ends(2)).toEqual([2, 2]);
  expect(ends(2.5)).toEqual([2.5, 2]);
  expect(ends(10)).toEqual([3, 3]);
});

test('delays and service times are drawn from the streams of their owners, in order (S15)', () => {
  const unit = { dist: 'uniform', low: num(0), high: num(1) } as const;
  const run = referenceRun(
    netOf({
      places: {
        p: { tokens: 1 },
        s: {
          fields: [{ name: 'k', colour: INT }],
          tokens: [[0], [1]],
          service: { kind: 'fcfs', servers: 1, time: unit },
        },
      },
      transitions: { t: { inputs: [take('p')], delay: unit } },
    }),
    { seed: 'owners' },
  );
  const streams = new Streams('owners');
  const time = streams.stream('service', 's');
  const first = time.next();
  expect(run.arrivals['s']).toEqual([first, first + time.next()]);
  expect(run.trace[1]!.time).toBe(streams.stream('delay', 't').next());
});

test("delays of a process's transitions are drawn from the stream of the process, in order (S15)", () => {
  const colours = ['p', 'n'].map((name) => ({ name, colour: INT }));
  const net = (first: readonly number[][]) =>
    netOf({
      places: { at: { fields: colours, tokens: first } },
      transitions: {
        t: {
          inputs: [take('at', { p: x('p'), n: x('n') })],
          outputs: [put('at', { p: x('p'), n: { op: 'sub', a: x('n'), b: num(1) } })],
          guard: { op: 'gt', a: x('n'), b: num(0) },
          process: x('p'),
          delay: { dist: 'normal', mean: num(1), deviation: num(1) },
        },
      },
    });
  const own = new Streams('owners').ofProcesses('delay', 't');
  const delays = (p: number, n: number): number[] =>
    Array.from({ length: n }, () => {
      own.begin(p);
      return normal(own.draw, 1, 1);
    });
  const expected = { '-4': delays(-4, 6), 7: delays(7, 9) };
  const lasted = (first: readonly number[][], p: number): number[] => {
    const events = referenceRun(net(first), { seed: 'owners' }).trace.filter((e) => e.binding['p'] === p);
    return events.flatMap((e, k) => (e.what === 'end' ? [e.time - events[k - 1]!.time] : []));
  };
  const both = [
    [7, 9],
    [-4, 6],
  ];
  for (const [k, d] of lasted(both, 7).entries()) expect(d).toBeCloseTo(expected[7][k]!, 12);
  for (const [k, d] of lasted(both, -4).entries()) expect(d).toBeCloseTo(expected['-4'][k]!, 12);
  expect(lasted([[7, 9]], 7)[0]).toBe(expected[7][0]);
});

import { expect, test } from 'vitest';
import { INT, inhibit, type NetParts, netOf, num, put, reset, take, x } from './nets.ts';
import { referenceRun } from './token-game.ts';

const events = (parts: NetParts): [number, string, string][] =>
  referenceRun(netOf(parts)).trace.map((e) => [e.time, e.what, e.transition]);

test('an inhibitor of count 2 lets one token through (S8)', () => {
  const run = referenceRun(
    netOf({
      places: { source: { tokens: 5 }, buffer: {} },
      transitions: { fill: { inputs: [take('source'), inhibit('buffer', {}, 2)], outputs: [put('buffer')] } },
    }),
  );
  expect(run.marking['buffer']).toHaveLength(2);
});

test('an inhibitor counts tokens that match, hidden ones included (S3, S8)', () => {
  const fields = [{ name: 'k', colour: INT }];
  const fires = (count: number): number =>
    referenceRun(
      netOf({
        places: { go: { tokens: 1 }, q: { fields, order: 'fifo', tokens: [[1], [2], [2]] } },
        transitions: { t: { inputs: [take('go'), inhibit('q', { k: num(2) }, count)] } },
      }),
    ).firings['t']!;
  expect([1, 2, 3].map(fires)).toEqual([0, 0, 1]);
});

test('a reset acts at the start, after takes; later and non-matching tokens remain (S8, S9)', () => {
  const fields = [{ name: 'k', colour: INT }];
  const run = referenceRun(
    netOf({
      places: { go: { tokens: 1 }, later: { tokens: 1 }, p: { fields, tokens: [[1], [1], [2]] }, out: { fields } },
      transitions: {
        clear: {
          inputs: [take('go'), take('p', { k: x('k') }), reset('p', { k: x('k') })],
          outputs: [put('out', { k: x('k') })],
          delay: num(2),
        },
        come: { inputs: [take('later')], outputs: [put('p', { k: num(1) })], delay: num(1) },
      },
    }),
  );
  expect(run.marking['p']).toEqual([[2], [1]]);
  expect(run.marking['out']).toEqual([[1]]);
  expect(run.happened['reset: token removed']).toBe(1);
});

test('a holding firing reserves capacity for its outputs (S8a)', () => {
  expect(
    events({
      places: { source: { tokens: 2 }, slot: { capacity: 1 } },
      transitions: {
        fill: { inputs: [take('source')], outputs: [put('slot')], delay: num(2) },
        use: { inputs: [take('slot')], delay: num(1) },
      },
    }),
  ).toEqual([
    [0, 'start', 'fill'],
    [2, 'end', 'fill'],
    [2, 'start', 'use'],
    [2, 'start', 'fill'],
    [3, 'end', 'use'],
    [4, 'end', 'fill'],
    [4, 'start', 'use'],
    [5, 'end', 'use'],
  ]);
});

test('tokens in service and served tokens count (S8a)', () => {
  const run = referenceRun(
    netOf({
      places: {
        source: { tokens: 5 },
        station: { capacity: 2, service: { kind: 'fcfs', servers: 1, time: num(1) } },
        gone: {},
      },
      transitions: {
        enter: { inputs: [take('source')], outputs: [put('station')] },
        leave: { inputs: [take('station')], outputs: [put('gone')] },
      },
    }),
  );
  expect(run.trace.filter((e) => e.transition === 'enter').map((e) => e.time)).toEqual([0, 0, 1, 2, 3]);
});

test('taken tokens free capacity, reset tokens do not, and no output needs no capacity (S8a)', () => {
  const one = (t: NetParts['transitions'][string]): number =>
    referenceRun(netOf({ places: { go: { tokens: 1 }, full: { tokens: 2, capacity: 2 } }, transitions: { t } }), {
      maxSteps: 1,
    }).firings['t']!;
  expect(one({ inputs: [take('full')], outputs: [put('full')] })).toBe(1);
  expect(one({ inputs: [take('go')], outputs: [put('full')] })).toBe(0);
  expect(one({ inputs: [take('go'), reset('full')], outputs: [put('full')] })).toBe(0);
  expect(one({ inputs: [take('go')], outputs: [put('full', {}, 0)] })).toBe(1);
  expect(one({ inputs: [take('full')], outputs: [put('full'), put('full')] })).toBe(0);
});

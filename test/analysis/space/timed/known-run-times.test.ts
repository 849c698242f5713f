import { expect, test } from 'vitest';
import { type RunTimes, runTimes } from '../../../../src/analysis/space/timed/run-times.ts';
import type { Net } from '../../../../src/net/net.ts';
import { netOf, num, take } from '../../../reference/nets.ts';

const put = (place: string) => ({ place, values: {}, count: num(1) });

function seconds({ shortest, longest }: RunTimes): (number | undefined)[] {
  return [shortest?.seconds, longest?.seconds];
}

/** One transition that can take either of two ways. */
function choice(...delays: (number | undefined)[]): Net {
  return netOf({
    places: { start: { tokens: 1 }, end: {} },
    transitions: Object.fromEntries(
      delays.map((delay, k) => [
        `way ${k}`,
        { inputs: [take('start')], outputs: [put('end')], ...(delay === undefined ? {} : { delay: num(delay) }) },
      ]),
    ),
  });
}

test('a choice, with the steps of both orders', () => {
  const found = runTimes(choice(2, 0.25, 1));
  expect(found).toEqual({
    complete: true,
    states: 8,
    deadlocks: 0,
    shortest: {
      seconds: 0.25,
      steps: [
        { kind: 'start', node: 1, binding: {}, seconds: 0 },
        { kind: 'end', node: 1, binding: {}, seconds: 0.25 },
      ],
    },
    longest: {
      seconds: 2,
      steps: [
        { kind: 'start', node: 0, binding: {}, seconds: 0 },
        { kind: 'end', node: 0, binding: {}, seconds: 2 },
      ],
    },
  });
});

test('times that are equal as decimals are one instant', () => {
  // 0.1 + 0.2 s and 0.3 s: the third place is reached in both orders.
  const net = netOf({
    places: { a: { tokens: 1 }, b: {}, c: { tokens: 1 }, lock: { tokens: 1 }, d: {}, e: {}, end: {} },
    transitions: {
      first: { inputs: [take('a')], outputs: [put('b')], delay: num(0.1) },
      second: { inputs: [take('b')], outputs: [put('d')], delay: num(0.2) },
      other: { inputs: [take('c')], outputs: [put('e')], delay: num(0.3) },
      long: { inputs: [take('d'), take('lock')], outputs: [put('end')], delay: num(2) },
      short: { inputs: [take('e'), take('lock')], outputs: [put('end')], delay: num(1) },
    },
  });
  expect(seconds(runTimes(net))).toEqual([1.3, 2.3]);
});

test('thirds of a second, which no decimal equals, end with a second', () => {
  const third = { delay: num(1 / 3) };
  const net = netOf({
    places: { a: { tokens: 1 }, b: {}, c: {}, d: {}, second: { tokens: 1 }, lock: { tokens: 1 }, e: {}, end: {} },
    transitions: {
      first: { inputs: [take('a')], outputs: [put('b')], ...third },
      next: { inputs: [take('b')], outputs: [put('c')], ...third },
      last: { inputs: [take('c')], outputs: [put('d')], ...third },
      other: { inputs: [take('second')], outputs: [put('e')], delay: num(1) },
      long: { inputs: [take('d'), take('lock')], outputs: [put('end')], delay: num(2) },
      short: { inputs: [take('e'), take('lock')], outputs: [put('end')], delay: num(1) },
    },
  });
  const [shortest, longest] = seconds(runTimes(net));
  expect(shortest).toBeCloseTo(2, 12);
  expect(longest).toBeCloseTo(3, 12);
});

test('run times that are not known have a reason', () => {
  const random = netOf({
    places: { a: { tokens: 1 }, b: {} },
    transitions: {
      go: { inputs: [take('a')], outputs: [put('b')], delay: { dist: 'exponential', rate: num(1) } },
    },
  });
  expect(runTimes(random)).toEqual({
    complete: false,
    states: 0,
    deadlocks: 0,
    because: 'transition "go" has a random delay',
  });
  const clock = netOf({
    places: { a: { tokens: 1 } },
    transitions: { tick: { inputs: [take('a')], outputs: [put('a')], delay: num(1) } },
  });
  expect(runTimes(clock)).toMatchObject({ complete: true, because: 'no order ever ends' });
  const loop = netOf({
    places: { a: { tokens: 1 }, b: {} },
    transitions: {
      again: { inputs: [take('a')], outputs: [put('a')], delay: num(1) },
      end: { inputs: [take('a')], outputs: [put('b')], delay: num(4) },
    },
  });
  const endless = runTimes(loop);
  expect(seconds(endless)).toEqual([4, undefined]);
  expect(endless.because).toBe('some order never ends: timed states form a cycle');
  const limited = runTimes(choice(2, 0.25, 1), { maxStates: 5 });
  expect(limited).toMatchObject({
    complete: false,
    truncation: 'states',
    because: 'the limit of timed states was reached',
  });
});

test('runs that stop without a final marking have no run time', () => {
  const net = { ...choice(2, undefined), name: 'stops' };
  const stopping = {
    ...net,
    transitions: [net.transitions[0]!, { ...net.transitions[1]!, outputs: [] }],
  };
  const final = { places: [stopping.places.findIndex(({ name }) => name === 'end')], tokens: 1 };
  const found = runTimes(stopping, { final });
  expect(seconds(found)).toEqual([2, 2]);
  expect(found.deadlocks).toBe(1);
  expect(runTimes(stopping, { final: { ...final, tokens: 2 } }).because).toBe('every order that ends is a deadlock');
});

test('tokens that share a link slow each other down, those on fatpipes do not', () => {
  const of = (fatpipe: boolean, tokens: number): Net =>
    netOf({
      tables: [
        {
          kind: 'routes',
          name: 'routes',
          start: Int32Array.of(0, 1),
          link: Int32Array.of(0),
          coefficient: Float64Array.of(1),
        },
      ],
      places: {
        net: {
          tokens,
          service: {
            kind: 'max-min',
            links: [{ name: 'wire', capacity: 2, fatpipe }],
            amount: num(6),
            weight: num(1),
            bound: num(Number.POSITIVE_INFINITY),
            routes: 'routes',
            route: num(0),
          },
        },
        end: {},
      },
      transitions: { arrive: { inputs: [take('net')], outputs: [put('end')] } },
    });
  expect(seconds(runTimes(of(true, 2)))).toEqual([3, 3]);
  expect(seconds(runTimes(of(false, 1)))).toEqual([3, 3]);
  expect(runTimes(of(false, 2)).because).toBe('tokens in "net" share "wire"');
});

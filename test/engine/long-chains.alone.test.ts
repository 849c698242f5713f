import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { stochasticNet } from '../analysis/markov/stochastic-nets.ts';

/** Processor time in milliseconds of a run with this number of steps, the least of three. */
function processorTime(net: ReturnType<typeof stochasticNet>, maxSteps: number): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage();
      const { run } = simulate(net, { maxSteps, maxInstantSteps: 1e9 });
      const { user } = process.cpuUsage(before);
      expect(run.tokens('b').length).toBeGreaterThan(maxSteps / 8);
      return user / 1000;
    }),
  );
}

/** A place `b` that gets a token in most steps, and a race that takes from it. */
const grows = (drain: Parameters<typeof stochasticNet>[2][string]) =>
  stochasticNet('grows', { a: 1, b: 0 }, { add: { take: 'a', put: 'a b', race: 1 }, drain });

describe('the time of a step does not depend on the number of equal tokens', () => {
  test.each([
    ['one server', { take: 'b', put: '', race: 0.25, single: true }],
    ['a clock for each token', { take: 'b', put: '', race: 1e-9 }],
    ['two tokens at a time', { take: 'b b', put: '', race: 0.1, single: true }],
    ['a race that reads', { take: 'a', read: 'b b b', put: 'a', race: 0.25, single: true }],
  ])('of a race with %s', (_, drain) => {
    const net = grows(drain);
    // Eight times the steps take eight times as long; if steps took time in proportion to the tokens, 64 times.
    const [few, many] = [processorTime(net, 5000), processorTime(net, 40_000)];
    expect(many / few).toBeLessThan(24);
  });
});

test('candidates whose tokens have left take no memory, also within one instant', () => {
  const requests = 6000;
  const n = new NetBuilder('one after the other');
  const number = n.range('number', 0, requests);
  const server = n.place('server', {}, { initial: 1 });
  const request = n.place(
    'request',
    { number },
    { initial: Array.from({ length: requests }, (_, k) => ({ number: k })) },
  );
  const served = n.place('served', { number });
  n.transition('serve', (t) => {
    t.take(server);
    t.put(served, t.take(request));
    t.put(server, {});
  });
  const before = process.resourceUsage().maxRSS;
  const { run } = simulate(n.build(), { maxInstantSteps: 1e9 });
  expect(run.tokens('served').map(({ values }) => values[0])).toEqual(Array.from({ length: requests }, (_, k) => k));
  // Each time the server is free, every waiting request is a candidate: 18 million, of 32 bytes.
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(200 * 1024);
});

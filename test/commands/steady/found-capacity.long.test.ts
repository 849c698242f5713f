import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyDocument } from '../../../src/commands/steady/steady-result.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import type { Net } from '../../../src/net/net.ts';
import { add } from '../../../src/net/terms.ts';
import { type Arcs, stochasticNet } from '../../analysis/markov/stochastic-nets.ts';
import { effort } from '../../effort.ts';

/** A queue with arrivals of `batch` customers at a time, and its servers. */
function queue(rate: number, servers: number, batch = 1, further: Readonly<Record<string, Arcs>> = {}): Net {
  return stochasticNet(
    'queue',
    { waiting: 0 },
    {
      arrive: { take: '', put: Array.from({ length: batch }, () => 'waiting').join(' '), race: rate },
      serve: { take: 'waiting', put: '', race: 1, servers },
      ...further,
    },
  );
}

function expectProved(found: SteadyDocument, means: Readonly<Record<string, number>>): void {
  expect([found.method, found.complete]).toEqual(['ctmc', true]);
  expect(found.reason).toContain('a capacity was found');
  for (const [name, mean] of Object.entries(means)) {
    const { lower, upper } = found.places.find((p) => p.name === name)!;
    expect([name, lower! <= mean * (1 + 1e-12), upper! >= mean * (1 - 1e-12)]).toEqual([name, true, true]);
    expect(upper! - lower!).toBeLessThanOrEqual(3e-8 * mean);
  }
}

test('M^X/M/1 of random load and batch: auto finds a capacity at which the closed form is known to 1e-8', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.05, max: 0.93, noNaN: true }), fc.integer({ min: 1, max: 4 }), (load, batch) => {
      // Mean customers in the system: load (1 + batch) / 2 / (1 - load) for batches of constant size.
      expectProved(steady(queue(load / batch, 1, batch)), { waiting: (load * (1 + batch)) / 2 / (1 - load) });
    }),
    { numRuns: effort(60) },
  );
});

test('a load of 0.99 is solved, and so are two queues in a row and two classes with priorities', {
  timeout: 120_000,
}, () => {
  expectProved(steady(queue(0.99, 1)), { waiting: 99 });
  const row = stochasticNet(
    'row',
    { a: 0, b: 0 },
    {
      arrive: { take: '', put: 'a', race: 0.3 },
      one: { take: 'a', put: 'b', race: 1, single: true },
      two: { take: 'b', put: '', race: 0.6, single: true },
    },
  );
  expectProved(steady(row), { a: 3 / 7, b: 1 });
  // Non-preemptive priority, equal service times (Cobham 1954): the wait of a class is 0.5 / ((1 - higher) (1 - higher - own)).
  const classes = stochasticNet(
    'classes',
    { a: 0, b: 0, server: 1, servesA: 0, servesB: 0 },
    {
      arriveA: { take: '', put: 'a', race: 0.3 },
      arriveB: { take: '', put: 'b', race: 0.2 },
      startA: { take: 'a server', put: 'servesA', priority: 1 },
      startB: { take: 'b server', put: 'servesB' },
      endA: { take: 'servesA', put: 'server', race: 1 },
      endB: { take: 'servesB', put: 'server', race: 1 },
    },
  );
  expectProved(steady(classes), { a: (0.3 * 0.5) / 0.7, b: (0.2 * 0.5) / (0.7 * 0.5), server: 0.5 });
});

test('all: the chain of an infinite net, bounds and a simulation are compared', () => {
  const found = steady(queue(0.5, 1), { method: 'all', precision: '5%' });
  expect(found.complete).toBe(true);
  expect(found.methods!.map(({ method, agree }) => [method, agree])).toContainEqual(['ctmc', true]);
  expect(found.methods!.map(({ method, agree }) => [method, agree])).toContainEqual(['simulate', true]);
});

/** Its integers grow without end, so that it cannot be unfolded. */
function counter(): Net {
  const n = new NetBuilder('counter');
  const p = n.place('p', { x: n.integer('Int') }, { initial: [{ x: 0 }] });
  n.transition('up', (t) => {
    const { x } = t.take(p);
    t.put(p, { x: add(x, 1) });
    t.race({ delay: exponential(1) });
  });
  return n.build();
}

test('auto simulates an infinite net with a load of 1 or more, with growing integers, or where estimates are asked for', () => {
  const simulated = (net: Net, options = {}): void => {
    expect(steady(net, { maxFirings: 20_000, ...options }).method).toBe('simulate');
  };
  simulated(queue(1, 1));
  simulated(queue(3, 2));
  simulated(counter());
  simulated(queue(0.5, 1), { precision: '20%' });
  simulated(queue(0.5, 1), { replications: 4, workers: 1 });
});

test('a limit of states that is too small for the capacity leaves the simulation', () => {
  expect(steady(queue(0.9, 1), { maxStates: 100, maxFirings: 20_000 }).method).toBe('simulate');
});

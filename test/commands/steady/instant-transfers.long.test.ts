import { expect, test } from 'vitest';
import { withoutInstants } from '../../../src/commands/exact/instant-transfers.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { idealNetwork } from '../../../src/machine/ideal-network.ts';
import { noise, spmd } from '../../../src/models.ts';
import type { Net } from '../../../src/net/net.ts';
import { netOf, num, take } from '../../reference/nets.ts';

const random = { noise: noise.exponential() };
const real = cluster({
  nodes: 4,
  coresPerNode: 1,
  speed: '1Gf',
  link: { latency: '1us', bandwidth: '1GB/s' },
  eagerBelow: 4096,
});
const machine = idealNetwork(real);
const rank = (which: (rank: number) => boolean) => (s: { readonly rank: number }) => which(s.rank);

/** Rank 0 hands its result to rank 1, which needs it. */
const handOver = (bytes: number) =>
  spmd({
    name: 'hand over',
    build(m) {
      m.when(
        rank((r) => r === 0),
        () => {
          m.compute({ seconds: 1, ...random });
          m.send({ to: 1, bytes });
        },
      );
      m.when(
        rank((r) => r === 1),
        () => {
          m.recv({ from: 0 });
          m.compute({ seconds: 0.5, ...random });
        },
      );
    },
  });

/** Rounds of computing, with a barrier after each. */
const rounds = (count: number) =>
  spmd({
    name: 'rounds',
    build(m) {
      for (let k = 0; k < count; k++) {
        m.compute({ seconds: 1, ...random });
        m.barrier();
      }
    },
  });

test.each([
  // 1 + 1/2, 1 + 1/4: one exponential time after another.
  ['an eager message', handOver(8), 2, 3 / 2, 5 / 4],
  ['a message that waits for its receive', handOver(1e6), 2, 3 / 2, 5 / 4],
  // The maximum of n exponential times: mean 1 + 1/2 + … + 1/n, variance 1 + 1/4 + … + 1/n².
  ['barriers of two ranks', rounds(2), 2, 2 * (3 / 2), 2 * (5 / 4)],
  ['barriers of three ranks', rounds(1), 3, 11 / 6, 49 / 36],
] as const)('programs with messages on an ideal network are solved: %s', (_, model, ranks, mean, variance) => {
  const found = steady(model, { machine, ranks, method: 'ctmc', absorption: true });
  expect(found).toMatchObject({ method: 'ctmc', complete: true });
  const { absorption, runTime } = found;
  for (const { lower, upper } of [absorption!, runTime!]) {
    expect(lower! <= mean && mean <= upper!, `${lower} ≤ ${mean} ≤ ${upper}`).toBe(true);
    expect(upper! - lower!).toBeLessThan(1e-11);
  }
  expect(absorption!.variance).toBeCloseTo(variance, 10);
  expect(steady(model, { machine, ranks }).method).toBe('ctmc');
  const { exact } = predict(model, { machine, ranks, exact: true });
  expect(exact!.distribution).toEqual(absorption);
  // Latencies are constant and not 0.
  expect(() => steady(model, { machine: real, ranks, method: 'ctmc' })).toThrow(/CTMC001/);
});

test('only what is 0 for every binding is immediate', () => {
  const of = (values: readonly number[]): Net =>
    netOf({
      tables: [{ kind: 'real', name: 'latency', values: Float64Array.from(values) }],
      places: { a: { tokens: 1 }, b: {} },
      transitions: {
        go: {
          inputs: [take('a')],
          outputs: [{ place: 'b', values: {}, count: num(1) }],
          delay: { op: 'mul', a: { op: 'at', table: 'latency', index: num(0) }, b: num(3) },
        },
      },
    });
  const none = { net: of([0, 0]) };
  expect(withoutInstants(none).net.transitions[0]).not.toHaveProperty('delay');
  const some = { net: of([0, 1e-9]) };
  expect(withoutInstants(some)).toBe(some);
});

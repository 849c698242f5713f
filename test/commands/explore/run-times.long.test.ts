import { expect, test } from 'vitest';
import { explore } from '../../../src/commands/explore/explore.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { spmd } from '../../../src/models.ts';

const machine = cluster({
  nodes: 2,
  coresPerNode: 1,
  speed: '1Gf',
  link: { latency: '1us', bandwidth: '1GB/s' },
  eagerBelow: 4096,
});

/** Rank 0 sends to rank 1, which computes before and after it has received. */
const handOver = spmd({
  name: 'hand over',
  build(m) {
    const first = (s: { readonly rank: number }): boolean => s.rank === 0;
    m.when(first, () => {
      m.compute({ flops: 2e9 });
      m.send({ to: 1, bytes: 1e6 });
    });
    m.when(
      (s) => !first(s),
      () => {
        m.compute({ flops: 1e9 });
        m.recv({ from: 0 });
        m.compute({ flops: 1e9 });
      },
    );
  },
});

test('the run time of a program in which all orders take the same time is that of its prediction', () => {
  const { runTime } = explore(handOver, { machine, ranks: 2 });
  const predicted = predict(handOver, { machine, ranks: 2 }).figures.runTime.value;
  expect(runTime).toMatchObject({ complete: true, because: null, deadlocks: 0 });
  expect(runTime!.shortest.value).toBeCloseTo(predicted, 12);
  expect(runTime!.longest.value).toBeCloseTo(predicted, 12);
  expect(predicted).toBeGreaterThan(3.001);
});

test('a request is answered with a reason where there is no run time', () => {
  const loop = spmd({
    name: 'loop',
    build: (m) =>
      m.while(
        () => true,
        () => m.compute({ flops: 1e9 }),
      ),
  });
  expect(explore(loop, { machine, ranks: 1, runTime: true }).runTime).toMatchObject({
    complete: false,
    because: 'no order ever ends',
    shortest: { value: null, unit: 's' },
  });
});

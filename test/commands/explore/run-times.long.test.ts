import { describe, expect, test } from 'vitest';
import { explore } from '../../../src/commands/explore/explore.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { noise, spmd } from '../../../src/models.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential, uniform } from '../../../src/net/builder/distributions.ts';
import type { Distribution } from '../../../src/net/distribution.ts';
import type { Net } from '../../../src/net/net.ts';

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

describe('a random run time', () => {
  const step = spmd({ name: 'step', build: (m) => m.compute({ seconds: 1, noise: noise.exponential() }) });

  /** A job that is done again with some probability. */
  const retried = (delay: Distribution, again = 0): Net => {
    const n = new NetBuilder('retried');
    const [todo, tried, done] = [n.place('todo', {}, { initial: 1 }), n.place('tried'), n.place('done')];
    n.transition('try', (t) => {
      t.take(todo);
      t.put(tried, {});
      t.race({ delay });
    });
    n.transition('end', (t) => {
      t.take(tried);
      t.put(done, {});
      t.weight(1);
    });
    if (again > 0)
      n.transition('again', (t) => {
        t.take(tried);
        t.put(todo, {});
        t.weight(again);
      });
    return n.build();
  };

  test('of a program has the mean and the variance of the maximum of exponential times', () => {
    const { runTime, distribution } = explore(step, { machine, ranks: 2 });
    expect(runTime).toBeUndefined();
    expect(distribution!.lower!).toBeLessThanOrEqual(1.5);
    expect(distribution!.upper!).toBeGreaterThanOrEqual(1.5);
    expect(distribution!.variance).toBeCloseTo(1.25, 12);
    // (1 - e^-t)^2 = 1/2.
    expect(distribution!.quantiles[2]!.time).toBeCloseTo(-Math.log(1 - Math.sqrt(0.5)), 9);
  });

  test('is that of `predict --exact`, for any number of threads', () => {
    const { exact } = predict(step, { machine, ranks: 2, exact: true });
    expect(explore(step, { machine, ranks: 2 }).distribution).toEqual(exact!.distribution);
    expect(explore(step, { machine, ranks: 2, workers: 2 }).distribution).toEqual(exact!.distribution);
  });

  test('of a net with a loop is known on request, with no range over all orders', () => {
    const net = retried(exponential(4), 1);
    expect(explore(net).distribution).toBeUndefined();
    const { runTime, distribution } = explore(net, { runTime: true });
    expect(runTime).toMatchObject({ complete: false, because: 'transition "try" has a random delay' });
    expect(distribution!.mean).toBeCloseTo(0.5, 12);
    expect(explore(retried(exponential(4))).distribution!.mean).toBeCloseTo(0.25, 12);
  });

  test('that is not known has its reason on request', () => {
    const net = retried(uniform(1, 2));
    expect(explore(net)).not.toHaveProperty('distribution');
    const { runTime, distribution } = explore(net, { runTime: true });
    expect(distribution).toBeUndefined();
    expect(runTime!.because).toContain('its distribution: transition try: has a delay with the distribution "uniform"');
  });
});

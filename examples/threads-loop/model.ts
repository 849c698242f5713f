import { threads } from 'foretoken/models';

/** A loop of uneven iterations, cut into tasks of `grain` iterations, then a sum of partial results under a lock. */
export default threads({
  name: 'threads-loop',
  params: { n: 20_000, grain: 50, flops: 2e3 },
  build(t) {
    const total = t.mutex('total');
    t.parallelFor({
      name: 'iterations',
      n: t.p.n,
      grain: t.p.grain,
      body(b) {
        // The work of an iteration grows from 1 to 3 times `flops` along the loop.
        b.compute({ flops: ({ first, count, p }) => p.flops * (count + (2 * count * (first + count / 2)) / p.n) });
        b.critical(total, () => b.compute({ seconds: 20e-9 }));
      },
    });
  },
  // The state space of the whole program is too large.
  verifyWith: { workers: 2, n: 200 },
});

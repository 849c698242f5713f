import { threads } from 'foretoken/models';

/** A parallel loop with dynamic scheduling and chunk 3 around a cheap body. */
export default threads({
  name: 'dynamic-chunk',
  params: { n: 600_000, chunk: 3 },
  build(t) {
    t.parallelFor({
      n: t.p.n,
      schedule: 'dynamic',
      chunk: t.p.chunk,
      name: 'loop',
      body: (b) => b.compute({ seconds: ({ count }) => count * 40e-9 }),
    });
  },
  // The state space of the whole program is too large.
  verifyWith: { workers: 2, n: 18 },
});

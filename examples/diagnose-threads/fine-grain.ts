import { threads } from 'foretoken/models';

/** A parallel loop with grain size 1 around a cheap body. */
export default threads({
  name: 'fine-grain',
  params: { n: 20_000, grain: 1 },
  build(t) {
    t.parallelFor({
      n: t.p.n,
      grain: t.p.grain,
      name: 'loop',
      body: (b) => b.compute({ seconds: ({ count }) => count * 40e-9 }),
    });
  },
  // The state space of the whole program is too large.
  verifyWith: { workers: 2, n: 6 },
});

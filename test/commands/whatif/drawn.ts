import { noise, spmd } from '../../../src/models.ts';

/** Iterations of noisy computation and a barrier. */
export default spmd({
  name: 'drawn',
  params: { turns: 5, cv: 0.05 },
  build(m) {
    m.loop(m.p.turns, () => {
      m.compute({ flops: 1e6, noise: noise.lognormal(m.p.cv) });
      m.barrier();
    });
  },
});

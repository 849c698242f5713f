import { threads } from 'foretoken/models';

/** The loop of loop.c: iteration i of n takes `seconds` · (1 + 2 i / n). A chunk of 0 is the default of a static loop. */
export default threads({
  name: 'openmp-loop',
  params: { n: 2000, seconds: 1e-6, schedule: 'dynamic', chunk: 16 },
  build(t) {
    t.parallel(t.workers, () => {
      t.parallelFor({
        name: 'loop',
        n: t.p.n,
        schedule: t.p.schedule as 'static' | 'dynamic' | 'guided',
        ...(t.p.chunk === 0 ? {} : { chunk: t.p.chunk }),
        body(b) {
          // The sum over the iterations of the chunk.
          b.compute({
            seconds: ({ first, count, p }) => p.seconds * count * (1 + (2 * first + count - 1) / p.n),
          });
        },
      });
    });
  },
  // The state space of the whole program is too large.
  verifyWith: { workers: 2, n: 80 },
});

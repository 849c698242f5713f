import { counter, noise, spmd } from '../../../src/models.ts';

/** A ring: ranks exchange, compute with noise, and sometimes call an allreduce; rank 0 has 50 % more work. */
export const jacobi = spmd({
  name: 'ring',
  params: { n: 1000, turns: 20, spread: 0.02, even: false },
  vars: { it: counter() },
  build(m) {
    const { spread } = m.p;
    m.loop('it', m.p.turns, () => {
      const sent = m.isend({ to: (s) => (s.rank + 1) % s.size, bytes: 8 * m.p.n });
      const received = m.irecv({ from: (s) => (s.rank + s.size - 1) % s.size });
      m.compute({
        flops: (s) => ((m.p.n * m.p.n) / s.size) * (s.rank === 0 && !s.p.even ? 1.5 : 1),
        ...(spread > 0 ? { noise: noise.lognormal(spread) } : {}),
      });
      m.waitAll([sent, received]);
      m.when(
        (s) => s.it % 5 === 4,
        () => m.allreduce({ bytes: 8 }),
      );
    });
  },
});

/** A different model with the same name. */
export const other = spmd({
  name: 'ring',
  params: { n: 1000, turns: 20, spread: 0.02, even: false },
  build: (m) => m.compute({ flops: m.p.n }),
});

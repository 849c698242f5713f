import { counter, spmd } from 'foretoken/models';

/**
 * Uneven work between collective operations: the work of the ranks grows linearly, and the last rank has twice the work
 * of the first. In every fourth iteration one rank has three times its usual work. Iterations end alternately with an
 * allreduce and a barrier.
 */
export default spmd({
  name: 'imbalance',
  params: { turns: 8, flops: 2e7, doubles: 128 },
  vars: { turn: counter() },
  build(m) {
    const usual = (rank: number): number => m.p.flops * (1 + rank / Math.max(1, m.size - 1));
    const slow = (rank: number, turn: number): boolean => turn % 4 === 3 && rank === (7 * turn) % m.size;
    m.loop('turn', m.p.turns, () => {
      m.compute({ flops: (s) => usual(s.rank) * (slow(s.rank, s.turn) ? 3 : 1) });
      m.when(
        (s) => s.turn % 2 === 0,
        () => m.allreduce({ bytes: 8 * m.p.doubles }),
        () => m.barrier(),
      );
    });
  },
});

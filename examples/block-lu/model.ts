import { counter, spmd } from 'foretoken/models';

/**
 * LU factorization of an n x n matrix in blocks of `b` columns, which are assigned to the ranks round-robin. For each
 * block column k, its owner factors the diagonal block and the blocks below it and broadcasts them. Then every rank
 * updates its own block columns to the right of k.
 */
export default spmd({
  name: 'block-lu',
  params: { n: 1024, b: 64 },
  vars: { k: counter() },
  build(m) {
    const { n, b } = m.p;
    const columns = Math.ceil(n / b);
    const owner = (k: number): number => k % m.size;
    /** Number of block columns after k that a rank owns. */
    const ownedAfter = (k: number, rank: number): number =>
      Math.floor((columns - 1 - rank) / m.size) - Math.floor((k - rank) / m.size);
    const rows = (k: number): number => columns - 1 - k;
    m.loop('k', columns, () => {
      m.when(
        (s) => s.rank === owner(s.k),
        () => m.interval('factor', () => m.compute({ flops: (s) => b ** 3 * (rows(s.k) + 2 / 3) })),
      );
      m.interval('broadcast', () => m.bcast({ bytes: (s) => 8 * b * (n - s.k * b), root: (s) => owner(s.k) }));
      m.when(
        (s) => ownedAfter(s.k, s.rank) > 0,
        () =>
          m.interval('update', () =>
            m.compute({ flops: (s) => ownedAfter(s.k, s.rank) * b ** 3 * (2 * rows(s.k) + 1) }),
          ),
      );
    });
    m.allreduce({ bytes: 8 });
  },
});

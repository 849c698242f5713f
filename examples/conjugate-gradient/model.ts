import { counter, grid3d, spmd } from 'foretoken/models';

/**
 * Conjugate gradients with a sparse matrix of 27 values per row and n x n x n rows per rank. An iteration multiplies the
 * matrix by a vector, which needs the faces of six neighbours, adds up two dot products over all ranks, and updates
 * three vectors. `pipelined` is the variant of Ghysels and Vanroose (2014): both sums are reduced during the product, at
 * the cost of three more vector updates.
 */
export default spmd({
  name: 'conjugate-gradient',
  params: { n: 32, turns: 25, pipelined: false },
  vars: { turn: counter() },
  build(m) {
    const g = grid3d(m.size);
    const { n, pipelined } = m.p;
    const rows = n ** 3;
    const directions = [
      [1, 0, 0],
      [-1, 0, 0],
      [0, 1, 0],
      [0, -1, 0],
      [0, 0, 1],
      [0, 0, -1],
    ] as const;

    const product = (): void =>
      m.interval('product', () => {
        const faces = directions.flatMap(([x, y, z], tag) => [
          m.irecv({ from: (s) => g.neighbour(s.rank, -x, -y, -z), tag }),
          m.isend({ to: (s) => g.neighbour(s.rank, x, y, z), bytes: 8 * n * n, tag }),
        ]);
        m.waitAll(faces);
        // Per matrix entry, a value of 8 bytes and an index of 4; per row, one vector is read and one written.
        m.compute({ flops: 2 * 27 * rows, bytes: (27 * 12 + 2 * 8) * rows });
      });
    const dots = (count: number): void =>
      m.interval('dot products', () => m.compute({ flops: count * 2 * rows, bytes: count * 2 * 8 * rows }));
    const updates = (count: number): void =>
      m.interval('updates', () => m.compute({ flops: count * 2 * rows, bytes: count * 3 * 8 * rows }));
    const sum = (): void => m.interval('sums', () => m.allreduce({ bytes: 8 }));

    m.loop('turn', m.p.turns, () => {
      if (pipelined) {
        dots(2);
        const sums = m.iallreduce({ bytes: 16 });
        product();
        m.interval('sums', () => m.wait(sums));
        updates(6);
      } else {
        product();
        dots(1);
        sum();
        updates(2);
        dots(1);
        sum();
        updates(1);
      }
    });
  },
});

import { counter, spmd } from 'foretoken/models';

/**
 * Heat in a ring of cells, with one piece per rank. In each iteration a rank computes its piece, which takes 2 to
 * 3.2 Mflop in a pattern that moves from rank to rank, and then shifts its edges to the right and to the left.
 */
export default spmd({
  name: 'heat-1d',
  params: { turns: 6, bytes: 30_000 },
  vars: { turn: counter() },
  build(m) {
    const right = (rank: number): number => (rank + 1) % m.size;
    const left = (rank: number): number => (rank + m.size - 1) % m.size;
    const { bytes } = m.p;
    m.loop('turn', m.p.turns, () => {
      m.compute({ flops: (s) => 2e6 + 2e5 * ((5 * s.turn + 6 * s.rank) % 7) });
      m.sendrecv({ to: (s) => right(s.rank), from: (s) => left(s.rank), bytes });
      m.sendrecv({ to: (s) => left(s.rank), from: (s) => right(s.rank), bytes });
    });
  },
});

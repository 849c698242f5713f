import { counter, grid2d, spmd } from 'foretoken/models';

/**
 * Jacobi's method on n x n points, in blocks on a grid of ranks. In each iteration every rank exchanges the edges of its
 * block with its neighbours, computes the points that need no edge meanwhile, and then the other points. Every `check`
 * iterations all ranks add up the error.
 */
export default spmd({
  name: 'jacobi-2d',
  params: { n: 2048, turns: 20, check: 1 },
  vars: { turn: counter() },
  build(m) {
    const g = grid2d(m.size);
    const width = Math.ceil(m.p.n / g.px);
    const height = Math.ceil(m.p.n / g.py);
    const edges = [
      { peer: g.west, opposite: g.east, bytes: 8 * height },
      { peer: g.east, opposite: g.west, bytes: 8 * height },
      { peer: g.north, opposite: g.south, bytes: 8 * width },
      { peer: g.south, opposite: g.north, bytes: 8 * width },
    ];
    m.loop('turn', m.p.turns, () => {
      m.interval('sweep', () => {
        // At the border a rank has no neighbour: the peer is null, and nothing is sent or received.
        const received = edges.map(({ peer }, side) => m.irecv({ from: (s) => peer(s.rank), tag: side }));
        const sent = edges.map(({ opposite, bytes }, side) =>
          m.isend({ to: (s) => opposite(s.rank), bytes, tag: side }),
        );
        m.compute({ flops: 5 * (width - 2) * (height - 2) });
        m.waitAll([...received, ...sent]);
        m.compute({ flops: 5 * 2 * (width + height) });
      });
      m.when(
        (s) => s.turn % s.p.check === s.p.check - 1,
        () => m.interval('error', () => m.allreduce({ bytes: 8 })),
      );
    });
  },
});

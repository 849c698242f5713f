import { counter, grid2d, spmd } from 'foretoken/models';

/**
 * A sweep over a grid of ranks, plane by plane: a rank computes a plane of its block after it has received the edges of
 * its western and northern neighbours, and sends its own edges to the east and the south. Then a sweep runs back.
 */
export default spmd({
  name: 'wavefront',
  params: { planes: 16, sweeps: 2, bytes: 8000, flops: 1e6 },
  vars: { sweep: counter(), plane: counter() },
  build(m) {
    const g = grid2d(m.size);
    type Neighbour = (rank: number) => number | null;
    const pass = (name: string, before: readonly Neighbour[], after: readonly Neighbour[]): void =>
      m.interval(name, () => {
        m.loop('plane', m.p.planes, () => {
          before.forEach((peer, tag) => {
            m.recv({ from: (s) => peer(s.rank), tag });
          });
          m.compute({ flops: m.p.flops });
          after.forEach((peer, tag) => {
            m.send({ to: (s) => peer(s.rank), bytes: m.p.bytes, tag });
          });
        });
      });
    m.loop('sweep', m.p.sweeps, () => {
      pass('down', [g.west, g.north], [g.east, g.south]);
      pass('up', [g.east, g.south], [g.west, g.north]);
    });
    m.reduce({ bytes: 8 });
  },
});

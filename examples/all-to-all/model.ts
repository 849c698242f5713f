import { counter, spmd } from 'foretoken/models';

/** Every pair of ranks exchanges a message; the ranks of even number have twice the work of the others. */
export default spmd({
  name: 'all-to-all',
  params: { bytes: 2000, work: 2e5 },
  vars: { round: counter() },
  build(m) {
    const { bytes, work } = m.p;
    m.loop('round', m.size - 1, () => {
      m.interval('work', () => m.compute({ flops: (s) => work * (s.rank % 2 === 0 ? 2 : 1) }));
      m.interval('exchange', () => {
        const sent = m.isend({ to: (s) => (s.rank + s.round + 1) % s.size, bytes });
        m.recv({ from: (s) => (s.rank - s.round - 1 + s.size) % s.size });
        m.wait(sent);
      });
    });
  },
});

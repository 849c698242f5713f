import { counter, spmd } from 'foretoken/models';

/**
 * A token travels round a ring. Rank 0 computes, sends the token, and receives it from the last rank; every other rank
 * receives it from the left, computes, and sends it to the right. The tag is the iteration number.
 */
export default spmd({
  name: 'ring',
  params: { turns: 4, bytes: 1000, flops: 1e5 },
  vars: { turn: counter() },
  build(m) {
    const right = (rank: number): number => (rank + 1) % m.size;
    const left = (rank: number): number => (rank + m.size - 1) % m.size;
    const take = (): void => m.recv({ from: (s) => left(s.rank), tag: (s) => s.turn });
    const give = (): void => {
      m.compute({ flops: m.p.flops });
      m.send({ to: (s) => right(s.rank), bytes: m.p.bytes, tag: (s) => s.turn });
    };
    m.loop('turn', m.p.turns, () => {
      m.when(
        (s) => s.rank === 0,
        () => {
          give();
          take();
        },
        () => {
          take();
          give();
        },
      );
    });
  },
});

import { counter, spmd } from 'foretoken/models';

/** Message sizes in bytes: small, around 64 KiB (where many libraries change their protocol), and large. */
const sizes = [0, 1, 1024, 16384, 65535, 65536, 65537, 262144, 1048576, 4194304];

/**
 * Rank 0 sends a message of every size to rank 1 and receives it back. Then it sends all sizes again, with `early` flops
 * of work after each send, to a receiver that computes `late` flops before each receive.
 */
export default spmd({
  name: 'ping-pong',
  params: { early: 1e6, late: 2e7 },
  vars: { k: counter() },
  build(m) {
    m.interval('there and back', () => {
      m.loop('k', sizes.length, () => {
        m.when(
          (s) => s.rank === 0,
          () => {
            m.send({ to: 1, bytes: (s) => sizes[s.k]!, tag: (s) => s.k });
            m.recv({ from: 1, tag: (s) => s.k });
          },
          () => {
            m.recv({ from: 0, tag: (s) => s.k });
            m.send({ to: 0, bytes: (s) => sizes[s.k]!, tag: (s) => s.k });
          },
        );
      });
    });
    m.interval('late receiver', () => {
      m.loop('k', sizes.length, () => {
        m.when(
          (s) => s.rank === 0,
          () => {
            m.send({ to: 1, bytes: (s) => sizes[s.k]!, tag: (s) => s.k });
            m.compute({ flops: m.p.early });
          },
          () => {
            m.compute({ flops: m.p.late });
            m.recv({ from: 0, tag: (s) => s.k });
          },
        );
      });
    });
  },
  verifyWith: { ranks: 2 },
});

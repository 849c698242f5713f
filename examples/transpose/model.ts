import { spmd } from 'foretoken/models';

/** A Fourier transform in several dimensions: work along one of them, then all ranks exchange all parts, and so on. */
export default spmd({
  name: 'transpose',
  params: { turns: 4, flops: 5e6, bytes: 4096 },
  build(m) {
    m.loop(m.p.turns, () => {
      m.compute({ flops: m.p.flops });
      m.alltoall({ bytes: m.p.bytes });
    });
    m.compute({ flops: m.p.flops });
    m.barrier();
  },
});

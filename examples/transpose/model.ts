import { spmd } from 'foretoken/models';

/** A multidimensional Fourier transform: work along one dimension alternates with an exchange among all ranks. */
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

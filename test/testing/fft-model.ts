import { counter, type ProgramModel, spmd } from '../../src/models.ts';

/** A fast Fourier transform: in stage k each rank exchanges half of its data with the rank that differs in bit k. */
export function fft(): ProgramModel<{ points: number }> {
  return spmd({
    name: 'fft',
    params: { points: 2 ** 16 },
    vars: { k: counter() },
    verifyWith: { ranks: 16 },
    build(m) {
      const stages = Math.log2(m.size);
      const bytes = (16 * m.p.points) / m.size;
      m.loop('k', stages, () => {
        m.compute({ flops: (5 * m.p.points * Math.log2(m.p.points)) / m.size });
        const to = (s: { readonly rank: number; readonly k: number }): number => s.rank ^ (1 << s.k);
        m.sendrecv({ to, from: to, bytes });
      });
    },
  }) as ProgramModel<{ points: number }>;
}

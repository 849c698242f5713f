import { counter, mpmd, spmd } from 'foretoken/models';

/** Number of ranks of the ocean; all other ranks compute the atmosphere. */
const OCEANS = 4;
/** Bytes of the surface that the codes exchange: 1024 x 512 values. */
const SURFACE = 8 * 1024 * 512;

const ocean = spmd({
  name: 'ocean',
  params: { days: 5, flops: 8e8 },
  vars: { k: counter() },
  build(m) {
    const next = (rank: number): number => (rank + 1) % m.size;
    const previous = (rank: number): number => (rank + m.size - 1) % m.size;
    // In `everyone`, the ranks of the atmosphere follow those of the ocean.
    const atmospheres = m.everyone.sizeOf(0) - OCEANS;
    const partners = (rank: number): number => Math.ceil((atmospheres - rank) / OCEANS);
    const partner = (rank: number, k: number): number => OCEANS + rank + k * OCEANS;
    m.loop(m.p.days, () => {
      m.interval('ocean', () => {
        m.sendrecv({ to: (s) => next(s.rank), from: (s) => previous(s.rank), bytes: 65_536 });
        m.compute({ flops: m.p.flops });
      });
      m.interval('coupling', () => {
        m.loop(
          'k',
          (s) => partners(s.rank),
          () => {
            m.recv({ from: (s) => partner(s.rank, s.k), comm: m.everyone });
          },
        );
        m.loop(
          'k',
          (s) => partners(s.rank),
          () => {
            m.send({ to: (s) => partner(s.rank, s.k), bytes: Math.ceil(SURFACE / atmospheres), comm: m.everyone });
          },
        );
      });
    });
  },
});

const atmosphere = spmd({
  name: 'atmosphere',
  params: { days: 5, steps: 4, flops: 1.5e8 },
  build(m) {
    const next = (rank: number): number => (rank + 1) % m.size;
    const previous = (rank: number): number => (rank + m.size - 1) % m.size;
    const partner = (rank: number): number => rank % OCEANS;
    m.loop(m.p.days, () => {
      m.interval('atmosphere', () => {
        m.loop(m.p.steps, () => {
          m.sendrecv({ to: (s) => next(s.rank), from: (s) => previous(s.rank), bytes: 32_768 });
          m.compute({ flops: m.p.flops });
        });
      });
      m.interval('coupling', () => {
        m.send({ to: (s) => partner(s.rank), bytes: Math.ceil(SURFACE / m.size), comm: m.everyone });
        m.recv({ from: (s) => partner(s.rank), comm: m.everyone });
      });
    });
  },
});

/** Two codes that compute one day independently and then exchange the state of the surface. */
export default mpmd({
  name: 'coupled',
  parts: [
    { model: ocean, ranks: OCEANS },
    { model: atmosphere, ranks: 'rest' },
  ],
});

import { predict } from '../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../src/commands/predict/prediction.ts';
import { cluster, counter, grid2d, noise, spmd } from '../../src/models.ts';

/** Four nodes of four cores; two cores saturate the memory of a node. */
export const machine = cluster({
  name: 'four nodes',
  nodes: 4,
  coresPerNode: 4,
  speed: '2.4Gf',
  memory: '40GB/s',
  memoryPerCore: '20GB/s',
  link: { latency: '1.5us', bandwidth: '12.5GB/s' },
  eagerBelow: 65536,
});

/** Halo exchange on a grid with occasional residuals; the first row of ranks computes 50 % more. */
export const jacobi = spmd({
  name: 'jacobi2d',
  params: { n: 2048, turns: 20, check: 10 },
  vars: { it: counter() },
  build(m) {
    const g = grid2d(m.size);
    const nx = Math.ceil(m.p.n / g.px);
    const ny = Math.ceil(m.p.n / g.py);
    m.loop('it', m.p.turns, () => {
      m.interval('halo', () => {
        const requests = [g.west, g.east, g.north, g.south].map((peer, side) => {
          m.isend({ to: (s) => peer(s.rank), bytes: 8 * (side < 2 ? ny : nx), tag: side ^ 1 });
          return m.irecv({ from: (s) => peer(s.rank), tag: side });
        });
        m.waitAll(requests);
      });
      m.interval('sweep', () =>
        m.compute({
          flops: (s) => (s.rank < g.px ? 7.5 : 5) * (nx - 2) * (ny - 2),
          bytes: 16 * nx * ny,
          noise: noise.lognormal(0.02),
        }),
      );
      m.when(
        (s) => s.it % s.p.check === s.p.check - 1,
        () => m.interval('residual', () => m.allreduce({ bytes: 8, flops: 1 })),
      );
    });
  },
});

/** Half of the ranks call a barrier where the others call an allreduce. */
export const disagreeing = spmd({
  name: 'disagreeing',
  build(m) {
    m.compute({ seconds: (s) => 1e-3 * (s.rank + 1) });
    m.when(
      (s) => s.rank < 2,
      () => m.barrier(),
      () => m.interval('check', () => m.allreduce({ bytes: 8 })),
    );
  },
});

/** Every rank sends to the next before it receives, which deadlocks under rendezvous. */
export const ring = spmd({
  name: 'ring',
  params: { bytes: 1e6 },
  build(m) {
    m.send({ to: (s) => (s.rank + 1) % s.size, bytes: m.p.bytes });
    m.recv({ from: (s) => (s.rank + s.size - 1) % s.size });
  },
});

/** Predictions of the models, each computed once. */
const predictions: Readonly<Record<string, () => PredictionDocument>> = {
  jacobi: () => predict(jacobi, { machine, ranks: 16, placement: 'block', seed: 'a' }),
  'jacobi-assumed': () => predict(jacobi.with({ n: 512, turns: 4, check: 2 }), { ranks: 4, seed: 'a' }),
  disagreeing: () => predict(disagreeing, { machine, ranks: 4, placement: 'block' }),
  'disagreeing-many': () => predict(disagreeing, { machine, ranks: 16, placement: 'block' }),
  ring: () => predict(ring, { machine, ranks: 3, placement: 'block' }),
};

export const predicted: Readonly<Record<string, () => PredictionDocument>> = Object.fromEntries(
  Object.entries(predictions).map(([name, make]) => {
    let document: PredictionDocument | undefined;
    return [
      name,
      () => {
        document ??= make();
        return document;
      },
    ];
  }),
);

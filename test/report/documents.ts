import type { PredictionDocument, RankFigures, ResourceFigures } from '../../src/commands/predict/prediction.ts';

/** A document of ranks with the given computing, communicating, waiting and idle times in seconds. */
export function documentOf(
  runTime: number,
  ranks: readonly (readonly [number, number | null, number | null, number])[],
  more: Partial<PredictionDocument> = {},
): PredictionDocument {
  const computing = ranks.map((rank) => rank[0]);
  const most = computing.reduce((a, b) => Math.max(a, b), 0);
  const total = computing.reduce((a, b) => a + b, 0);
  return {
    format: 'foretoken',
    version: 1,
    kind: 'prediction',
    product: 'foretoken 0.1.0',
    seed: '1',
    complete: true,
    inputs: { trace: { path: 'app.ti', sha256: '00' }, machine: { path: 'cluster.xml', sha256: '00' } },
    options: {
      ranks: ranks.length,
      networkModel: 'simgrid-smpi',
      collectives: 'simgrid',
      placement: 'one rank per host, in file order',
      eagerBelow: 0,
      detachedBelow: 65536,
    },
    figures: {
      runTime: { value: runTime, unit: 's' },
      parallelism: {
        max: { value: ranks.length, unit: '1' },
        mean: { value: runTime > 0 ? total / runTime : 0, unit: '1' },
      },
      loadBalance: { value: most > 0 ? total / ranks.length / most : 1, unit: '1' },
      actions: { value: 1234, unit: '1' },
    },
    ranks: ranks.map(
      ([c, m, w, i], rank): RankFigures => ({
        rank,
        host: `node${rank}`,
        endTime: runTime - i,
        computing: c,
        communicating: m,
        waiting: w,
        idle: i,
      }),
    ),
    resources: ranks.map(([c], rank) => host(`node${rank}`, runTime > 0 ? c / runTime : 0)),
    firings: { compute: 12, deliver: 3 },
    profile: { width: { value: runTime / 4, unit: 's' }, values: [ranks.length, ranks.length / 2, 1, 0] },
    deadlock: [],
    warnings: [],
    ...more,
  };
}

export function host(name: string, utilisation: number): ResourceFigures {
  return {
    name,
    kind: 'host',
    utilisation,
    amount: { value: utilisation * 4e9, unit: 'flop' },
    capacity: { value: 4e9, unit: 'flop/s' },
  };
}

export function link(name: string, utilisation: number): ResourceFigures {
  return {
    name,
    kind: 'link',
    utilisation,
    amount: { value: utilisation * 1.25e9, unit: 'B' },
    capacity: { value: 1.25e9, unit: 'B/s' },
  };
}

/** One rank computes 60 % more than the mean, the others wait for it. */
export const imbalanced: PredictionDocument = documentOf(
  0.00815670233862679,
  [
    [0.00367, 0.00121, 0.003113, 0.000163],
    [0.00367, 0.00083, 0.003547, 0.000109],
    [0.00367, 0.00052, 0.003866, 0.0001],
    [0.00734, 0.00027, 0.000546, 0],
  ],
  { resources: [host('node3', 0.9), host('node0', 0.45), link('backbone', 0.31), link('node0_UP', 0.02)] },
);

/** Four ranks share a saturated link. */
export const saturated: PredictionDocument = documentOf(
  12.5,
  [
    [2.5, 8, 1.5, 0.5],
    [2.5, 8.5, 1, 0.5],
    [2.4, 9, 1.1, 0],
    [2.5, 8, 2, 0],
  ],
  { resources: [host('node0', 0.2), link('n0_UP', 0.97), link('n1_DOWN', 0.5)] },
);

/** Ranks compute one after the other. */
export const serial: PredictionDocument = documentOf(
  4,
  [
    [1, 0.1, 2.9, 0],
    [1, 0.1, 2.9, 0],
    [1, 0.1, 2.9, 0],
    [1, 0.1, 2.9, 0],
  ],
  {
    profile: { width: { value: 1, unit: 's' }, values: [1, 1, 1, 1] },
    figures: {
      runTime: { value: 4, unit: 's' },
      parallelism: {
        max: { value: 1, unit: '1' },
        mean: { value: 1, unit: '1' },
        none: { value: 0, unit: '1' },
        one: { value: 1, unit: '1' },
      },
      loadBalance: { value: 1, unit: '1' },
    },
    resources: [link('n0_UP', 0.01)],
  },
);

const waiting: PredictionDocument = documentOf(
  0.001,
  [
    [0.0004, 0, 0.0006, 0],
    [0.0005, 0, 0.0005, 0],
    [0.0002, 0, 0.0008, 0],
    [0.001, 0, 0, 0],
  ],
  {
    deadlock: [
      { rank: 0, operation: 'recv 1 0 1e6', file: 'app.ti', line: 12, waitsFor: [1], since: 0.0004 },
      { rank: 1, operation: 'waitall', file: 'app.ti', line: 40, waitsFor: [0, 3], since: 0.0005 },
      { rank: 2, operation: 'recv -1 0 8', file: 'app.ti', line: 55, waitsFor: null, since: 0.0002 },
    ],
  },
);

/** Two ranks wait for each other, one of them also for an ended rank; a third waits for any rank. */
export const deadlocked: PredictionDocument = {
  ...waiting,
  ranks: waiting.ranks.map((rank) => (rank.rank < 3 ? { ...rank, endTime: null } : rank)),
};

/** A net without processes. */
export const plainNet: PredictionDocument = documentOf(3, [], {
  inputs: { net: { path: 'net.json', sha256: '00' } },
  options: { net: 'producer consumer', ranks: 0 },
  firings: { produce: 120000, consume: 119999, start: 1 },
  resources: [link('wire', 0.4)],
});

/** A thousand ranks with work that grows with the rank. */
export const many: PredictionDocument = documentOf(
  100,
  Array.from({ length: 1000 }, (_, r) => [50 + r / 25, 5 + (r % 7) / 7, 44 - r / 25 - (r % 7) / 7, 1]),
);

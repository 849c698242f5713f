import { expect, test } from 'vitest';
import { mapModel } from '../../../src/commands/predict/model/stages.ts';
import { ANY, cluster, type ProgramModel, rankVar, spmd } from '../../../src/models.ts';

/** Rank 0 answers requests from any source. */
const farm = spmd({
  name: 'farm',
  vars: { who: rankVar() },
  build(m) {
    m.when(
      (s) => s.rank === 0,
      () =>
        m.loop(m.size - 1, () => {
          m.recv({ from: ANY, into: { source: 'who' } });
          m.send({ to: (s) => s.who, bytes: 8 });
        }),
      () => {
        m.send({ to: 0, bytes: 8 });
        m.recv({ from: 0 });
      },
    );
  },
}) as unknown as ProgramModel;

test.each([10, 300])('a master and %i ranks have two pairs for each worker', (ranks) => {
  const machine = cluster({
    nodes: ranks,
    coresPerNode: 1,
    speed: '1Gf',
    link: { latency: '1us', bandwidth: '1GB/s' },
    eagerBelow: 65536,
  });
  const { program } = mapModel(farm, { machine, ranks });
  // Each worker with the master in both directions, and the master with itself, which its variable may denote.
  expect(program.world.pairs.count).toBeLessThanOrEqual(2 * ranks);
  // No table has an entry for every pair of ranks.
  const lengths = program.net.tables.flatMap((t) => (t.kind === 'int' ? [t.values.length] : []));
  expect(lengths.length).toBeGreaterThan(0);
  expect(Math.max(...lengths)).toBeLessThan(20 * ranks);
});

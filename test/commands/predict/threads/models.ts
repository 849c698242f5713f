import { cluster } from '../../../../src/machine/cluster.ts';
import { NO_COSTS } from '../../../../src/models/threads/costs.ts';
import type { ThreadModel } from '../../../../src/models/threads/program/threads.ts';
import { threads } from '../../../../src/models/threads/program/threads.ts';

/** A node of 8 cores at 1 Gflop/s without costs of threads. */
export const free = cluster({
  name: 'free',
  nodes: 1,
  coresPerNode: 8,
  socketsPerNode: 2,
  speed: '1Gf',
  memory: '20GB/s',
  link: { latency: '1us', bandwidth: '1GB/s' },
  eagerBelow: 0,
  threads: NO_COSTS,
});

/** The same node with the default costs. */
export const node = cluster({
  name: 'node',
  nodes: 1,
  coresPerNode: 8,
  speed: '1Gf',
  link: { latency: '1us', bandwidth: '1GB/s' },
  eagerBelow: 0,
});

/** A loop of tasks with a lock, in two regions. */
export const loop = threads({
  name: 'loop',
  params: { n: 64, grain: 1 },
  build(t) {
    const sum = t.mutex('sum');
    t.compute({ seconds: 1e-6 });
    t.region('first', () => t.compute({ seconds: 2e-6 }));
    t.parallelFor({
      n: t.p.n,
      grain: t.p.grain,
      name: 'tasks',
      body: (b) => {
        b.compute({ flops: ({ count }) => 5e3 * count });
        b.critical(sum, () => b.compute({ seconds: 1e-7 }));
      },
    });
  },
});

/** Two threads that lock two mutexes in opposite order. */
export const deadlocked = threads({
  name: 'deadlocked',
  build(t) {
    const m = t.mutex('m', 2);
    t.parallel(2, () => {
      t.lock(m, ({ thread }) => thread);
      t.compute({ seconds: 1 });
      t.lock(m, ({ thread }) => 1 - thread);
      t.unlock(m, ({ thread }) => 1 - thread);
      t.unlock(m, ({ thread }) => thread);
    });
  },
});

export const asModel = (model: unknown): ThreadModel => model as ThreadModel;

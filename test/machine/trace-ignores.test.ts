import { expect, it } from 'vitest';
import { type ClusterOptions, cluster } from '../../src/machine/cluster.ts';
import { traceIgnores } from '../../src/machine/machine.ts';

const link = { latency: '1us', bandwidth: '1GB/s' } as const;
const plain = { nodes: 2, coresPerNode: 4, speed: '1Gf', link, eagerBelow: '64KiB' } as const;

it.each<[Partial<ClusterOptions>, string[]]>([
  [{}, []],
  [{ memory: '1GB/s', memoryPerCore: '1GB/s', memoryAccess: 'overlapped' }, []],
  [{ overhead: { send: 0, receive: 0 } }, []],
  [{ overhead: { send: 1e-6, receive: 0 } }, ['overhead']],
  [{ overhead: { send: 0, receive: '1us' } }, ['overhead']],
  [{ overhead: { send: 0, receive: 0, perByte: '1ps' } }, ['overhead']],
  [{ noise: 'exponential' }, ['noise']],
  [{ noise: { kind: 'normal', cv: 0.1 }, overhead: { send: 1, receive: 1 } }, ['overhead', 'noise']],
])('of %j a trace has no use for %j', (more, ignored) => {
  expect(traceIgnores(cluster({ ...plain, ...more } as ClusterOptions))).toEqual(ignored);
});

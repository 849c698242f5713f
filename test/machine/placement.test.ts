import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cluster } from '../../src/machine/cluster.ts';
import { checkCores, placeRanks } from '../../src/machine/placement.ts';
import type { Platform } from '../../src/machine/platform.ts';
import { machinePlatform } from '../../src/machine/topology/machine-platform.ts';

/** Hosts with the given numbers of cores. */
function hosts(...cores: number[]): Platform {
  const groups = cores.map((coresPerNode) => ({ nodes: 1, coresPerNode }));
  return machinePlatform(cluster({ groups, speed: 1, link: { latency: 0, bandwidth: 1 }, eagerBelow: 0 }));
}

describe('ranks are placed', () => {
  it.each<['block' | 'cyclic', number[], number, number[]]>([
    ['block', [2, 2], 3, [0, 0, 1]],
    ['block', [1, 3, 1], 5, [0, 1, 1, 1, 2]],
    ['block', [2, 1], 5, [0, 0, 1, 0, 0]],
    ['cyclic', [2, 2], 3, [0, 1, 0]],
    ['cyclic', [1, 3, 2], 6, [0, 1, 2, 1, 2, 1]],
    ['cyclic', [2, 1], 5, [0, 1, 0, 0, 1]],
  ])('%s on cores %j, %i ranks', (how, cores, ranks, expected) =>
    expect([...placeRanks(hosts(...cores), ranks, how)]).toEqual(expected),
  );

  it('one per core while there are cores', () => {
    const cores = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(cores, fc.nat(), fc.constantFrom('block' as const, 'cyclic' as const), (cores, n, how) => {
        const all = cores.reduce((a, b) => a + b, 0);
        const platform = hosts(...cores);
        const ranks = 1 + (n % all);
        const placed = placeRanks(platform, ranks, how);
        expect(() => checkCores(platform, placed)).not.toThrow();
        const over = placeRanks(platform, all + ranks, how);
        expect([...over.subarray(all)]).toEqual([...placed]);
        expect(() => checkCores(platform, over)).toThrow('MACH021');
      }),
    );
  });
});

it('too many ranks are rejected with the numbers', () => {
  const platform = hosts(2, 2);
  expect(() => checkCores(platform, Int32Array.of(0, 0, 1, 1, 0))).toThrow(
    'MACH021 5 ranks, and machine "cluster" has 4 cores. Let ranks share cores with --oversubscribe.',
  );
  expect(() => checkCores(platform, Int32Array.of(0, 0, 0))).toThrow(
    'MACH021 more ranks than cores (group0-0: 3 ranks on 2 cores). Let ranks share cores with --oversubscribe.',
  );
});

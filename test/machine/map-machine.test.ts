import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClusterOptions, cluster } from '../../src/machine/cluster.ts';
import { mapMachine, rankMemory } from '../../src/machine/map-machine.ts';
import { mapMessagePassing } from '../../src/machine/map-message-passing.ts';
import { ownModel } from '../../src/machine/network-model.ts';
import { placeRanks } from '../../src/machine/placement.ts';
import { machinePlatform } from '../../src/machine/topology/machine-platform.ts';
import type { MessagePassingMachine } from '../../src/models/message-passing-parts.ts';
import { effort } from '../effort.ts';

const plain = {
  coresPerNode: 4,
  speed: '1Gf',
  link: { latency: '1us', bandwidth: '1GB/s' },
  eagerBelow: 0,
} as const;
const pairs = { from: Int32Array.of(0), to: Int32Array.of(1) };
const none = Number.POSITIVE_INFINITY;

function mapped(options: object, ...placement: number[]): MessagePassingMachine {
  const description = cluster({ ...plain, ...options } as unknown as ClusterOptions);
  const target = { platform: machinePlatform(description), model: ownModel(description), description };
  return mapMachine(target, Int32Array.from(placement), pairs);
}

describe('the memory of ranks', () => {
  it('is that of their node if it has one socket', () => {
    const { memory, overlapped } = mapped({ nodes: 3, memory: '200GB/s', memoryPerCore: '15GB/s' }, 2, 0, 2);
    expect(memory).toMatchObject({
      links: [
        { name: 'node0.memory', capacity: 2e11, fatpipe: false },
        { name: 'node2.memory', capacity: 2e11, fatpipe: false },
      ],
      ofRank: Int32Array.of(1, 0, 1),
      perCore: Float64Array.of(15e9, 15e9, 15e9),
    });
    expect(overlapped).toBe(false);
  });

  it('is that of their socket; sockets are filled core by core', () => {
    const { memory } = mapped({ nodes: 2, socketsPerNode: 2, memory: 1e11 }, 0, 0, 1, 0, 1, 0);
    expect(memory!.links.map(({ name, capacity }) => [name, capacity])).toEqual([
      ['node0.memory0', 5e10],
      ['node0.memory1', 5e10],
      ['node1.memory0', 5e10],
    ]);
    expect([...memory!.ofRank]).toEqual([0, 0, 2, 1, 2, 1]);
    expect([...memory!.perCore]).toEqual([none, none, none, none, none, none]);
  });

  it('wraps around if ranks share cores', () => {
    const { memory } = mapped({ nodes: 1, coresPerNode: 2, socketsPerNode: 2, memory: 2 }, 0, 0, 0, 0, 0);
    expect([...memory!.ofRank]).toEqual([0, 1, 0, 1, 0]);
    expect(memory!.links).toHaveLength(2);
  });

  it('counts all threads of a rank', () => {
    const description = cluster({ ...plain, nodes: 1, socketsPerNode: 2, memory: 2 } as unknown as ClusterOptions);
    const two = rankMemory(description, Int32Array.of(0, 0), Int32Array.of(2, 2))!;
    expect([...two.ofRank]).toEqual([0, 1]);
    const wide = rankMemory(description, Int32Array.of(0), Int32Array.of(4))!;
    expect([0, 1, 2, 3].map((thread) => wide.ofThread!(0, thread))).toEqual([0, 0, 1, 1]);
  });

  it('is that of their group, or unknown', () => {
    const groups = [{ nodes: 1 }, { name: 'fat', nodes: 2, memory: 8, memoryPerCore: 3, socketsPerNode: 4 }];
    const { memory } = mapped({ groups }, 0, 2, 2, 1);
    expect(memory).toMatchObject({
      links: ['fat0.memory0', 'fat1.memory0', 'fat1.memory1'].map((name) => ({ name, capacity: 2, fatpipe: false })),
      ofRank: Int32Array.of(-1, 1, 2, 0),
      perCore: Float64Array.of(none, 3, 3, 3),
    });
    expect(mapped({ groups }, 0, 0).memory).toBeUndefined();
    expect(mapped({ nodes: 2 }, 0, 1).memory).toBeUndefined();
  });

  it('has one link for every socket with ranks, and no others', () => {
    const group = fc.record({
      nodes: fc.integer({ min: 1, max: 3 }),
      sockets: fc.integer({ min: 1, max: 4 }),
      per: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom('block' as const, 'cyclic' as const),
        (list, ranks, how) => {
          const groups = list.map(({ nodes, sockets, per }) => ({
            nodes,
            socketsPerNode: sockets,
            coresPerNode: sockets * per,
            memory: 12 * sockets,
          }));
          const { coresPerNode: _, ...rest } = plain;
          const machine = cluster({ ...rest, groups });
          const placement = placeRanks(machinePlatform(machine), ranks, how);
          const { links, ofRank } = rankMemory(machine, placement)!;
          expect(new Set(links.map((l) => l.name)).size).toBe(links.length);
          expect(new Set(ofRank)).toEqual(new Set(links.keys()));
          expect(links.every((l) => l.capacity === 12)).toBe(true);
          const cores = list.flatMap(({ nodes, sockets, per }) => Array<number>(nodes * sockets).fill(per));
          if (ranks <= cores.reduce((a, b) => a + b, 0)) {
            const used = new Map<number, number>();
            for (const l of ofRank) used.set(l, 1 + (used.get(l) ?? 0));
            expect(Math.max(...used.values())).toBeLessThanOrEqual(Math.max(...cores));
          }
        },
      ),
    );
  });
});

describe('links of large machines', () => {
  /** Links of each route, by name, with the capacity that a byte uses. */
  const routesOf = ({ links, routes: { start, link, coefficient } }: MessagePassingMachine): unknown =>
    [...start.slice(1)].map((end, pair) =>
      Array.from({ length: end - start[pair]! }, (_, k) => [
        links[link[start[pair]! + k]!],
        coefficient[start[pair]! + k],
      ]),
    );

  // Links that no route crosses are left out from 4,096 links on.
  it('are those of small ones, also where nodes fail or change', () => {
    const change = fc.oneof(
      fc.record({ of: fc.constantFrom('node0', 'node1', 'node2'), fails: fc.constantFrom(1, 2) }),
      fc.record({ of: fc.constantFrom('node0.up', 'node1.down'), fails: fc.constant(1), returns: fc.constant(3) }),
    );
    const changes = fc.uniqueArray(change, { selector: ({ of }) => of, maxLength: 3 });
    const placement = fc.array(fc.nat(2), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(changes, placement, (given, on) => {
        const more = given.length === 0 ? {} : { changes: given };
        const [small, large] = [4, 3000].map((nodes) => mapped({ nodes, ...more }, ...on));
        expect(routesOf(large!)).toEqual(routesOf(small!));
        expect(large!.links.length).toBeLessThanOrEqual(4 + given.length);
      }),
      { numRuns: effort(200) },
    );
  });
});

describe('a mapped machine', () => {
  it('agrees with its platform', () => {
    const description = cluster({ ...plain, nodes: 2, memory: 1, noise: 'exponential' });
    const platform = machinePlatform(description);
    const model = ownModel(description);
    const placement = Int32Array.of(0, 1, 1);
    const alone = mapMessagePassing(platform, model, placement, pairs);
    expect(mapMachine({ platform, model, description }, placement, pairs)).toMatchObject(alone);
    expect(mapMachine({ platform, model }, placement, pairs)).toEqual(alone);
  });

  it('has overhead, noise and overlap only if given', () => {
    const full = mapped(
      {
        nodes: 2,
        memory: 1,
        memoryAccess: 'overlapped',
        overhead: { send: '1us', receive: 0 },
        noise: { kind: 'uniform', spread: 0.1 },
      },
      ...[0, 1],
    );
    expect(full).toMatchObject({
      overlapped: true,
      overhead: { send: 1e-6, receive: 0, perByte: 0 },
      noise: { kind: 'uniform', spread: 0.1 },
    });
    const bare = mapped({ nodes: 2, memoryAccess: 'overlapped', overhead: { send: 0, receive: 0 } }, 0, 1);
    for (const part of ['memory', 'overlapped', 'overhead', 'noise']) expect(bare).not.toHaveProperty(part);
  });
});

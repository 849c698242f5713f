import { describe, expect, it } from 'vitest';
import { formatProblem, InputError } from '../../src/base/problem.ts';
import type { Noise } from '../../src/base/random/noise.ts';
import { type ClusterOptions, cluster } from '../../src/machine/cluster.ts';
import { BUILT_IN_MACHINES, builtInMachine } from '../../src/machine/description/built-in-machines.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { machinePlatform } from '../../src/machine/topology/machine-platform.ts';
import { NETWORK_KINDS } from '../../src/machine/topology/topologies.ts';

const link = { latency: '1us', bandwidth: '1GB/s' } as const;
const plain = { nodes: 2, coresPerNode: 4, speed: '1Gf', link, eagerBelow: '64KiB' } as const;

/** Problems of the options, one line each. */
function problems(options: unknown): string[] {
  try {
    cluster(options as ClusterOptions);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(formatProblem);
  }
  return [];
}

describe('cluster', () => {
  it('fills in omitted parts, in SI units', () => {
    expect(cluster(plain)).toEqual({
      name: 'cluster',
      nodes: [
        {
          name: 'node',
          count: 2,
          sockets: 1,
          cores: 4,
          speed: 1e9,
          link: { latency: 1e-6, bandwidth: 1e9 },
          intraNode: { latency: 1e-6, bandwidth: 1e9 },
        },
      ],
      network: { kind: 'crossbar' },
      eagerBelow: 65536,
      detachedBelow: 65536,
      memoryAccess: 'after',
      overhead: { send: 0, receive: 0, perByte: 0 },
      gap: 0,
    });
  });

  it('reads times of cores for memory, messages and the system, in SI units', () => {
    const machine = cluster({
      ...plain,
      socketsPerNode: 2,
      memory: '200GB/s',
      memoryPerCore: '12GiB/s',
      memoryAccess: 'overlapped',
      overhead: { send: '400ns', receive: 5e-7, perByte: '0.1ns' },
      noise: { kind: 'lognormal', cv: 0.02 },
    });
    expect(machine.nodes[0]).toMatchObject({ memory: 2e11, memoryPerCore: 12 * 2 ** 30 });
    expect(machine).toMatchObject({
      memoryAccess: 'overlapped',
      overhead: { send: 4e-7, receive: 5e-7, perByte: 1e-10 },
      noise: { kind: 'lognormal', cv: 0.02 },
    });
    expect(cluster({ ...plain, overhead: { send: 1, receive: 0 } }).overhead).toEqual({
      send: 1,
      receive: 0,
      perByte: 0,
    });
  });

  it.each<[NonNullable<ClusterOptions['noise']>, Noise]>([
    ['exponential', { kind: 'exponential' }],
    [{ kind: 'exponential' }, { kind: 'exponential' }],
    [
      { kind: 'uniform', spread: 1 },
      { kind: 'uniform', spread: 1 },
    ],
    [
      { kind: 'normal', cv: 0.2 },
      { kind: 'normal', cv: 0.2 },
    ],
  ])('takes noise %j', (written, noise) => expect(cluster({ ...plain, noise: written }).noise).toEqual(noise));

  it('gives a group without memory the memory of the machine', () => {
    const groups = [{ nodes: 1 }, { nodes: 1, memory: '1GB/s', memoryPerCore: 5e8 }] as const;
    const { nodes: _, ...outside } = plain;
    const memories = (machine: Machine): unknown => machine.nodes.map((n) => [n.memory, n.memoryPerCore]);
    expect(memories(cluster({ ...outside, groups }))).toEqual([
      [undefined, undefined],
      [1e9, 5e8],
    ]);
    expect(memories(cluster({ ...outside, groups, memory: 4e9 }))).toEqual([
      [4e9, undefined],
      [1e9, 5e8],
    ]);
  });

  it('reads groups; parts that a group omits are those of the machine', () => {
    const machine = cluster({
      name: 'mixed',
      coresPerNode: 8,
      speed: '2Gf',
      link,
      groups: [
        { name: 'fat', nodes: 1, coresPerNode: 64, socketsPerNode: 2, speed: 3e9 },
        { nodes: 2, link: { latency: 0, bandwidth: '8Gb/s' } },
      ],
      network: { kind: 'backbone', latency: '2us', bandwidth: '4GB/s' },
      eagerBelow: 0,
      detachedBelow: '1MiB',
    });
    expect(machine.nodes.map(({ name, count, cores, speed }) => [name, count, cores, speed])).toEqual([
      ['fat', 1, 64, 3e9],
      ['group1-', 2, 8, 2e9],
    ]);
    expect(machine.nodes[1]!.intraNode).toEqual({ latency: 0, bandwidth: 1e9 });
    expect(machinePlatform(machine).hosts.map((h) => h.name)).toEqual(['fat0', 'group1-0', 'group1-1']);
    expect([machine.eagerBelow, machine.detachedBelow]).toEqual([0, 2 ** 20]);
  });

  it.each<[string, unknown, string[]]>([
    ['no object', 7, ['MACH007 cluster: expected an object with $schema, name']],
    ['nothing', {}, ['nodes', 'coresPerNode', 'speed', 'link', 'eagerBelow'].map((part) => `lacks "${part}"`)],
    [
      'a loggops network without a parameter, and one in nanoseconds without their unit',
      { nodes: 1, coresPerNode: 1, speed: 1, network: { kind: 'loggops', L: 2500, o: 0, g: 0 } },
      ['MACH006 cluster.network: a LogGOPS network lacks "G"'],
    ],
    [
      'a time of loggops of a second or more',
      { nodes: 1, coresPerNode: 1, speed: 1, network: { kind: 'loggops', L: 1e-6, o: 0, g: 0, G: 6 } },
      [
        'MACH011 cluster.network.G: G is 6 s/B: expected less than 1 s per byte; numbers are in seconds, so nanoseconds need their unit, as in G: 6ns',
      ],
    ],
    [
      'a part that is missing',
      { nodes: 1, eagerBelow: 0 },
      ['MACH006 cluster: the machine lacks "coresPerNode"', 'lacks "speed"', 'lacks "link"'],
    ],
    [
      'a key misspelt',
      { ...plain, coresPerNodes: 4 },
      ['MACH005 cluster.coresPerNodes: the machine has no "coresPerNodes". Did you mean "coresPerNode"?'],
    ],
    [
      'no whole number',
      { ...plain, nodes: 1.5 },
      ['MACH008 cluster.nodes: expected an integer from 1 to 262144, got 1.5'],
    ],
    [
      'a number as a text',
      { ...plain, nodes: '2' },
      ['MACH007 cluster.nodes: expected an integer from 1 to 262144, got "2"'],
    ],
    [
      'too many nodes',
      { ...plain, nodes: 1e9 },
      ['MACH008 cluster.nodes: expected an integer from 1 to 262144, got 1000000000'],
    ],
    [
      'zero bandwidth',
      { ...plain, link: { ...link, bandwidth: 0 } },
      ['UNIT003 cluster.link.bandwidth: 0: must be greater than 0'],
    ],
    [
      'bytes where a rate is expected',
      { ...plain, memory: '12GB' },
      ['UNIT002 cluster.memory: "12GB": "GB" is a unit of a data size; expected a data rate'],
    ],
    ['a negative gap between messages', { ...plain, gap: -1 }, ['UNIT003 cluster.gap: -1: must not be negative']],
    [
      'a gap of a group',
      { ...plain, nodes: undefined, groups: [{ nodes: 1, gap: 1 }] },
      ['MACH005 cluster.groups.0.gap'],
    ],
    ['no bandwidth of memory', { ...plain, memory: 0 }, ['UNIT003 cluster.memory: 0: must be greater than 0']],
    [
      'a part of no memory',
      { ...plain, memoryPerCore: 1 },
      ['MACH011 cluster.memoryPerCore: memoryPerCore requires memory'],
    ],
    [
      'another word for accesses',
      { ...plain, memoryAccess: 'overlap' },
      ['MACH009 cluster.memoryAccess: expected after or overlapped, got "overlap". Known: after, overlapped.'],
    ],
    [
      'accesses that are no word',
      { ...plain, memoryAccess: true },
      ['MACH007 cluster.memoryAccess: expected after or overlapped, got true'],
    ],
    [
      'an overhead of one number',
      { ...plain, overhead: '1us' },
      ['MACH007 cluster.overhead: expected an object with send, receive, perByte; got "1us"'],
    ],
    [
      'overheads that are none',
      { ...plain, overhead: { send: -1, perByte: '1B' } },
      [
        'UNIT003 cluster.overhead.send: -1: must not be negative',
        'UNIT002 cluster.overhead.perByte: "1B": "B" is a unit of a data size; expected a time',
        'MACH006 cluster.overhead: overhead lacks "receive"',
      ],
    ],
    [
      'noise of one number',
      { ...plain, noise: 0.02 },
      ['MACH007 cluster.noise: expected one of lognormal, exponential, uniform, normal; got 0.02'],
    ],
    [
      'noise without its number',
      { ...plain, noise: 'uniform' },
      ['MACH009 cluster.noise: "uniform" requires parameters', 'MACH006 cluster.noise: uniform noise lacks "spread"'],
    ],
    [
      'noise below nothing',
      { ...plain, noise: { kind: 'uniform', spread: 1.5 } },
      ['MACH008 cluster.noise.spread: expected a number from 0 to 1, got 1.5'],
    ],
    [
      'normal noise whose mean would not be 1',
      { ...plain, noise: { kind: 'normal', cv: 0.5 } },
      ['MACH008 cluster.noise.cv: expected a number from 0 to 0.2, got 0.5'],
    ],
    [
      'noise that is no number',
      { ...plain, noise: { kind: 'lognormal', cv: '2%' } },
      ['MACH007 cluster.noise.cv: expected a number from 0 to 10, got "2%"'],
    ],
    [
      'an unknown network',
      { ...plain, network: 'ethernet' },
      [`MACH009 cluster.network: the network cannot be "ethernet". Known: ${NETWORK_KINDS.join(', ')}.`],
    ],
    [
      'an unknown kind',
      { ...plain, network: { kind: 'tours', sizes: [2] } },
      ['MACH009 cluster.network.kind: the network cannot be "tours". Did you mean "torus"?'],
    ],
    [
      'a network without its numbers',
      { ...plain, network: 'torus' },
      [
        'MACH009 cluster.network: "torus" requires parameters: write { kind: torus, … }',
        'MACH006 cluster.network: a torus lacks "sizes"',
      ],
    ],
    [
      'a torus of another size',
      { ...plain, network: { kind: 'torus', sizes: [3, 2] } },
      ['MACH011 cluster.network.sizes: 3 × 2 = 6 places for 2 nodes: give 6 nodes in all, or other numbers here'],
    ],
    [
      'an empty list',
      { ...plain, network: { kind: 'torus', sizes: [] } },
      ['MACH008 cluster.network.sizes: expected a list of 1 to 16 items, got 0'],
    ],
    [
      'a fat tree of another size',
      { ...plain, network: { kind: 'fat-tree', down: [4, 4], up: [1, 2] } },
      ['MACH011 cluster.network.down: 4 × 4 = 16 places for 2 nodes: give 16 nodes in all, or other numbers here'],
    ],
    [
      'unequal lists',
      { ...plain, network: { kind: 'fat-tree', down: [2], up: [1, 2] } },
      ['MACH011 cluster.network: expected one number per level (1), got 2'],
    ],
    [
      'a dragonfly of another size',
      { ...plain, network: { kind: 'dragonfly', groups: 1, chassis: 2, blades: 2, perBlade: 3 } },
      ['MACH011 cluster.network: 1 × 2 × 2 × 3 = 12 places for 2 nodes: give 12 nodes in all, or other numbers here'],
    ],
    [
      'a dragonfly with groups that no blade leads to',
      { ...plain, network: { kind: 'dragonfly', groups: 2, chassis: 1, blades: 1, perBlade: 1 } },
      [
        'MACH011 cluster.network.groups: blade n of a chassis leads to group n: at most 1 group, as many as blades, got 2',
      ],
    ],
    [
      'too few wires',
      { ...plain, network: { kind: 'dragonfly', groups: 1, chassis: 1, blades: 2, perBlade: 1, wires: [1, 2] } },
      ['MACH008 cluster.network.wires: expected a list of 3 items, got 2'],
    ],
    [
      'a huge dragonfly',
      { ...plain, nodes: 200000, network: { kind: 'dragonfly', groups: 1, chassis: 1, blades: 200000, perBlade: 1 } },
      ['MACH012 cluster: the machine has 40000400000 links: expected at most 2097152'],
    ],
    [
      'a huge tree',
      { ...plain, network: { kind: 'fat-tree', down: [2], up: [200000], cables: [200000] } },
      ['MACH011 cluster.network: the tree is too large'],
    ],
    [
      'too many links',
      { ...plain, network: { kind: 'fat-tree', down: [2], up: [1000], cables: [1000] } },
      ['MACH012 cluster: the machine has 4000002 links: expected at most 2097152'],
    ],
    [
      'nodes and groups',
      { ...plain, groups: [{ nodes: 1 }] },
      ['MACH011 cluster.nodes: a machine with groups has no "nodes"'],
    ],
    [
      'groups of one name',
      {
        ...plain,
        nodes: undefined,
        groups: [
          { name: 'a', nodes: 1 },
          { name: 'a', nodes: 1 },
        ],
      },
      ['MACH011 cluster.groups.1.name: duplicate group "a"'],
    ],
    [
      'a name with a number at its end',
      { ...plain, nodes: undefined, groups: [{ name: 'a1', nodes: 1 }] },
      ['MACH009 cluster.groups.0.name: expected letters, digits'],
    ],
    [
      'too many nodes in groups',
      { ...plain, nodes: undefined, groups: [{ nodes: 200000 }, { nodes: 200000 }] },
      ['MACH012 cluster.groups: the machine has 400000 nodes: expected at most 262144'],
    ],
    [
      'unequal cables of a torus',
      {
        ...plain,
        nodes: undefined,
        network: { kind: 'torus', sizes: [2] },
        groups: [{ nodes: 1 }, { nodes: 1, link: { latency: 0, bandwidth: 1 } }],
      },
      ['MACH011 cluster.groups.1.link: all cables of a torus are equal'],
    ],
    [
      'a group that lacks something',
      { groups: [{ nodes: 1, speed: 1, link }], eagerBelow: 0 },
      ['MACH011 cluster.groups.0: neither the group nor the machine has "coresPerNode"'],
    ],
    [
      'cores that sockets do not divide',
      { ...plain, socketsPerNode: 3 },
      ['MACH011 cluster: the number of cores, 4, is not a multiple of the number of sockets, 3'],
    ],
    [
      'eager and not detached',
      { ...plain, detachedBelow: 1 },
      ['MACH011 cluster.detachedBelow: expected at least eagerBelow, 65536'],
    ],
  ])('rejects %s', (_, options, expected) => {
    const found = problems(options);
    expect(found, found.join('\n')).toHaveLength(Math.max(1, expected.length));
    for (const [k, part] of expected.entries()) expect(found[k]).toContain(part.replace('cluster: MACH006', 'MACH006'));
  });

  it('stops after a hundred problems', () => {
    const groups = Array.from({ length: 4000 }, () => ({ nodes: 0 }));
    expect(problems({ groups, eagerBelow: 0 })).toHaveLength(101);
  });
});

it('errors are also type errors', () => {
  // @ts-expect-error bytes where a rate is expected
  const bytes = () => cluster({ nodes: 1, coresPerNode: 1, speed: 1e9, memory: '12GB', link, eagerBelow: 0 });
  // @ts-expect-error a time where a rate is expected
  const time = () => cluster({ ...plain, link: { latency: '1us', bandwidth: '1us' } });
  // @ts-expect-error both nodes and groups
  const both = () => cluster({ ...plain, groups: [{ nodes: 1 }] });
  // @ts-expect-error no cores
  const coreless = () => cluster({ nodes: 1, speed: 1, link, eagerBelow: 0 });
  // @ts-expect-error a torus without sizes
  const torus = () => cluster({ ...plain, network: { kind: 'torus' } });
  // @ts-expect-error an unknown option
  const unknown = () => cluster({ ...plain, cores: 4 });
  // @ts-expect-error no protocol
  const silent = () => cluster({ nodes: 1, coresPerNode: 1, speed: 1, link });
  // @ts-expect-error send overhead without receive overhead
  const half = () => cluster({ ...plain, overhead: { send: 1 } });
  // @ts-expect-error noise without a standard deviation
  const noise = () => cluster({ ...plain, noise: { kind: 'lognormal' } });
  for (const wrong of [half, noise]) expect(wrong).toThrow(InputError);
  for (const wrong of [bytes, time, both, coreless, torus, unknown, silent]) expect(wrong).toThrow(InputError);
});

describe('built-in machines', () => {
  it.each(BUILT_IN_MACHINES)('%s is valid and names the source of its numbers', (name) => {
    const machine = builtInMachine(name)!;
    expect(machine.name).toBe(name);
    expect(machine.source!.length).toBeGreaterThan(20);
    expect(machinePlatform(machine).route(0, 1).links.length).toBeGreaterThan(0);
  });

  it('other names are unknown', () => {
    for (const name of ['', 'constructor', 'griffon']) expect(builtInMachine(name)).toBeUndefined();
  });
});

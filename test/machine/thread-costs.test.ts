import { describe, expect, it } from 'vitest';
import { formatProblem, InputError } from '../../src/base/problem.ts';
import { DEFAULT_COSTS } from '../../src/base/thread-costs.ts';
import { type ClusterOptions, cluster } from '../../src/machine/cluster.ts';
import { changeMachine, machineParameters } from '../../src/machine/description/machine-parameters.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { mapThreads, type ThreadNode } from '../../src/machine/map-machine.ts';
import { readSimgridPlatform } from '../../src/machine/simgrid/simgrid-xml.ts';
import { machinePlatform } from '../../src/machine/topology/machine-platform.ts';

const plain = {
  nodes: 2,
  coresPerNode: 4,
  speed: '2Gf',
  link: { latency: '1us', bandwidth: '1GB/s' },
  eagerBelow: 0,
} as const;
const mapped = (description: Machine, group?: string): ThreadNode =>
  mapThreads({ platform: machinePlatform(description), description }, group);

function problems(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(formatProblem).join('\n');
  }
  return '';
}

describe('costs of threads in a machine', () => {
  it('are absent unless given; omitted ones have their default', () => {
    expect(cluster(plain).threads).toBeUndefined();
    const { threads } = cluster({ ...plain, threads: { steal: '1us', lock: 3e-8 } });
    expect(threads).toEqual({ ...DEFAULT_COSTS, steal: 1e-6, lock: 3e-8 });
  });

  it('have units and names', () => {
    const wrong = (threads: object): string =>
      problems(() => cluster({ ...plain, threads } as unknown as ClusterOptions));
    expect(wrong({ steel: 1 })).toMatch(
      /MACH005 cluster\.threads\.steel: threads has no "steel"\. Did you mean "steal"/,
    );
    expect(wrong({ spawn: '50 parsec' })).toMatch(/UNIT\d+ cluster\.threads\.spawn/);
    expect(wrong({ spawn: -1 })).toMatch(/UNIT\d+ cluster\.threads\.spawn/);
  });

  it('are parameters: always for a change, in the list if given', () => {
    const paths = (machine: Machine): string[] =>
      machineParameters(machine)
        .map(({ path }) => path)
        .filter((path) => path.startsWith('threads.'));
    const machine = cluster(plain);
    expect(paths(machine)).toEqual([]);
    const changed = changeMachine(machine, 'threads.steal', 'x2');
    expect(changed.threads).toEqual({ ...DEFAULT_COSTS, steal: 2 * DEFAULT_COSTS.steal });
    expect(paths(changed)).toHaveLength(Object.keys(DEFAULT_COSTS).length);
    expect(changeMachine(changed, 'threads.steal', '1us').threads!.steal).toBe(1e-6);
    expect(problems(() => changeMachine(changed, 'threads.steel', 'x2'))).toMatch(
      /MACH030 .*Did you mean "threads\.steal"/,
    );
  });
});

describe('the node of a thread program', () => {
  it('is the first one, with the memory of each socket', () => {
    const machine = cluster({ ...plain, socketsPerNode: 2, memory: '40GB/s', memoryPerCore: '8GB/s' });
    expect(mapped(machine)).toEqual({
      name: 'node0',
      sockets: 2,
      machine: {
        speed: 2e9,
        cores: 4,
        numaNodes: 2,
        costs: DEFAULT_COSTS,
        memory: {
          links: [
            { name: 'node0.memory0', capacity: 2e10, fatpipe: false },
            { name: 'node0.memory1', capacity: 2e10, fatpipe: false },
          ],
          ofCore: Int32Array.of(0, 0, 1, 1),
          perCore: 8e9,
        },
      },
    });
  });

  it('is the first one of a group', () => {
    const { nodes: _, ...node } = plain;
    const machine = cluster({
      ...node,
      groups: [
        { name: 'thin', nodes: 1 },
        { name: 'fat', nodes: 1, coresPerNode: 16 },
      ],
    });
    expect(mapped(machine, 'fat')).toMatchObject({ name: 'fat0', machine: { cores: 16 } });
    expect(mapped(machine).name).toBe('thin0');
    expect(problems(() => mapped(machine, 'fatt'))).toMatch(
      /MACH030 the machine has no group "fatt"\. Did you mean "fat"/,
    );
  });

  it('of a SimGrid platform has the default costs', () => {
    const platform = readSimgridPlatform('examples/stencil/cluster.xml');
    const { speed, cores } = platform.hosts[0]!;
    expect(mapThreads({ platform }).machine).toEqual({ speed, cores, costs: DEFAULT_COSTS });
  });
});

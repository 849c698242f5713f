import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatProblem, InputError } from '../../src/base/problem.ts';
import { type ClusterOptions, cluster } from '../../src/machine/cluster.ts';
import { builtInMachine } from '../../src/machine/description/built-in-machines.ts';
import {
  changeMachine,
  checkWritten,
  machineParameters,
  writtenMachine,
} from '../../src/machine/description/machine-parameters.ts';
import type { Machine } from '../../src/machine/machine.ts';

const link = { latency: '1us', bandwidth: '1GB/s' } as const;
const plain = { nodes: 8, coresPerNode: 4, speed: '1Gf', link, eagerBelow: '64KiB' } as const;
const full = {
  ...plain,
  source: 'the lab',
  socketsPerNode: 2,
  intraNode: { latency: '100ns', bandwidth: '5GB/s' },
  memory: '100GB/s',
  memoryPerCore: '10GB/s',
  memoryAccess: 'overlapped',
  network: { kind: 'backbone', latency: '3us', bandwidth: '40Gb/s' },
  detachedBelow: '1MiB',
  overhead: { send: '1us', receive: '2us', perByte: '1ns' },
  gap: '2us',
  noise: 'exponential',
} as const satisfies ClusterOptions;
const groups = cluster({
  ...{ coresPerNode: 4, speed: '1Gf', link, eagerBelow: 0 },
  groups: [
    { name: 'thin', nodes: 6 },
    { name: 'fat.2-', nodes: 2, speed: '3Gf', memory: '50GB/s' },
  ],
});

const values = (machine: Machine): Record<string, number | undefined> =>
  Object.fromEntries(machineParameters(machine).map(({ path, value }) => [path, value]));

/** Problems of a change. */
function problems(machine: Machine, path: unknown, change: unknown): string {
  try {
    changeMachine(machine, path as string, change as string);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(formatProblem).join('\n');
  }
  return '';
}

describe('the parameters of a machine', () => {
  it('have paths, units and values', () => {
    expect(machineParameters(cluster(full))).toEqual([
      { path: 'nodes', unit: '1', value: 8 },
      { path: 'coresPerNode', unit: '1', value: 4 },
      { path: 'speed', unit: 'flop/s', value: 1e9 },
      { path: 'memory', unit: 'B/s', value: 1e11 },
      { path: 'memoryPerCore', unit: 'B/s', value: 1e10 },
      { path: 'link.latency', unit: 's', value: 1e-6 },
      { path: 'link.bandwidth', unit: 'B/s', value: 1e9 },
      { path: 'intraNode.latency', unit: 's', value: 1e-7 },
      { path: 'intraNode.bandwidth', unit: 'B/s', value: 5e9 },
      { path: 'network.latency', unit: 's', value: 3e-6 },
      { path: 'network.bandwidth', unit: 'B/s', value: 5e9 },
      { path: 'eagerBelow', unit: 'B', value: 65536 },
      { path: 'detachedBelow', unit: 'B', value: 2 ** 20 },
      { path: 'overhead.send', unit: 's', value: 1e-6 },
      { path: 'overhead.receive', unit: 's', value: 2e-6 },
      { path: 'overhead.perByte', unit: 's/B', value: 1e-9 },
      { path: 'gap', unit: 's', value: 2e-6 },
    ]);
  });

  it('of several groups apply to all groups and to each', () => {
    expect(values(groups)).toMatchObject({
      nodes: 8,
      speed: undefined,
      memory: undefined,
      'link.latency': 1e-6,
      'groups.thin.nodes': 6,
      'groups.thin.memory': undefined,
      'groups.fat.2-.speed': 3e9,
      'groups.fat.2-.memory': 5e10,
    });
    expect(values(groups)).not.toHaveProperty(['network.latency']);
    const many = cluster({
      ...{ coresPerNode: 4, speed: '1Gf', link, eagerBelow: 0 },
      groups: Array.from({ length: 4096 }, () => ({ nodes: 1 })),
    });
    expect(machineParameters(many)).toHaveLength(9 + 6 + 9 * 4096);
    expect(values(changeMachine(many, 'groups.group4095-.speed', 'x2'))['groups.group4095-.speed']).toBe(2e9);
  });

  it('are those of the machine written and read again', () => {
    for (const machine of [cluster(full), groups, cluster(plain), builtInMachine('simgrid-fat-tree')!])
      expect(checkWritten(writtenMachine(machine), 'other', '')).toEqual(machine);
  });
});

describe('a parameter is changed', () => {
  it.each<[string, string | number, number]>([
    ['link.latency', '2us', 2e-6],
    ['link.latency', 0, 0],
    ['link.latency', 'x0', 0],
    ['link.latency', 'x0.5', 0.5e-6],
    ['link.latency', '×2', 2e-6],
    ['link.bandwidth', '-100.0e-1%', 0.9e9],
    ['link.bandwidth', '100Gb/s', 12.5e9],
    ['nodes', '+50%', 12],
    ['nodes', 'x1.125', 9],
    ['nodes', '16', 16],
    ['nodes', 3, 3],
    ['coresPerNode', 'x2', 8],
    ['speed', '+10%', 1.1e9],
    ['memory', 'x4', 4e11],
    ['memoryPerCore', 5e9, 5e9],
    ['network.bandwidth', 'x10', 5e10],
    ['eagerBelow', '512KiB', 2 ** 19],
    ['detachedBelow', '64KiB', 2 ** 16],
    ['overhead.perByte', '0.5ns', 0.5e-9],
  ])('%s is changed by %s', (path, change, expected) => {
    const machine = cluster(full);
    const before = structuredClone(machine);
    const changed = changeMachine(machine, path, change);
    expect(machine).toEqual(before);
    expect(values(changed)).toEqual({ ...values(machine), [path]: expected });
    // Setting the old value restores the machine.
    expect(changeMachine(changed, path, values(machine)[path]!)).toEqual(machine);
  });

  it('ten percent of ten nodes are one', () => {
    const ten = cluster({ ...plain, nodes: 10 });
    expect(values(changeMachine(ten, 'nodes', '+10%'))['nodes']).toBe(11);
    expect(values(changeMachine(ten, 'nodes', 'x1.1'))['nodes']).toBe(11);
  });

  it('x2 doubles the value, then x0.5 restores the machine', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...machineParameters(cluster(full))),
        fc.constantFrom(2, 4, 0.5),
        ({ path }, factor) => {
          const machine = cluster({ ...full, nodes: 16, coresPerNode: 8, detachedBelow: '8MiB' });
          const changed = changeMachine(machine, path, `x${factor}`);
          expect(values(changed)).toEqual({ ...values(machine), [path]: values(machine)[path]! * factor });
          expect(changeMachine(changed, path, `x${1 / factor}`)).toEqual(machine);
          const percent = `${factor > 1 ? '+' : ''}${100 * (factor - 1)}%`;
          expect(changeMachine(machine, path, percent)).toEqual(changed);
        },
      ),
    );
  });

  it('every changed parameter has its new value', () => {
    const real = machineParameters(cluster(full)).filter(({ unit }) => unit !== '1' && unit !== 'B');
    fc.assert(
      fc.property(fc.constantFrom(...real), fc.double({ min: 1e-12, max: 1e12, noNaN: true }), ({ path }, value) => {
        expect(values(changeMachine(cluster(full), path, value))[path]).toBe(value);
      }),
    );
  });

  it('in all groups, or in one', () => {
    expect(values(changeMachine(groups, 'speed', 'x2'))).toMatchObject({
      'groups.thin.speed': 2e9,
      'groups.fat.2-.speed': 6e9,
    });
    expect(values(changeMachine(groups, 'groups.fat.2-.speed', '1Gf'))).toMatchObject({ speed: 1e9 });
    expect(values(changeMachine(groups, 'nodes', 'x2'))).toMatchObject({ nodes: 16, 'groups.thin.nodes': 12 });
    expect(values(changeMachine(groups, 'groups.thin.nodes', 1))).toMatchObject({ nodes: 3, 'groups.thin.nodes': 1 });
    // If only some groups have the parameter, a factor changes these; an absolute value sets it for all groups.
    expect(values(changeMachine(groups, 'memory', 'x2'))).toMatchObject({
      'groups.thin.memory': undefined,
      'groups.fat.2-.memory': 1e11,
    });
    expect(values(changeMachine(groups, 'memory', '1GB/s'))['memory']).toBe(1e9);
  });

  it('with detachedBelow if the two are equal, but never with intraNode', () => {
    const machine = cluster(plain);
    const changed = changeMachine(machine, 'eagerBelow', 'x2');
    expect(values(changed)).toMatchObject({ eagerBelow: 131072, detachedBelow: 131072 });
    expect(changeMachine(changed, 'eagerBelow', 'x0.5')).toEqual(machine);
    expect(values(changeMachine(machine, 'link.latency', 'x2'))['intraNode.latency']).toBe(1e-6);
  });
});

describe('a change is rejected', () => {
  const torus = cluster({ ...plain, network: { kind: 'torus', sizes: [4, 2] } });
  const tree = cluster({ ...plain, network: { kind: 'fat-tree', down: [4, 2], up: [1, 2] } });
  it.each<[string, Machine, unknown, unknown, string]>([
    [
      'unknown path',
      cluster(full),
      'link.latecny',
      'x2',
      'MACH030 the machine has no parameter "link.latecny". Did you mean "link.latency"? Known: nodes, coresPerNode',
    ],
    ['unknown group', groups, 'groups.thick.speed', 'x2', 'Did you mean "groups.thin.speed"?'],
    ['unknown part of a group', groups, 'groups.thin.sped', 'x2', 'Did you mean "groups.thin.speed"?'],
    ['name of all objects', groups, 'constructor', 'x2', 'MACH030'],
    ['path that is none', groups, 7, 'x2', 'MACH030 path of a parameter: expected a string, got 7'],
    [
      'network that has none',
      torus,
      'network.latency',
      'x2',
      'MACH030 the machine has no parameter "network.latency": its network is a torus, not a backbone',
    ],
    [
      'other unit',
      cluster(full),
      'link.latency',
      '2GB',
      'UNIT002 link.latency: "2GB": "GB" is a unit of a data size; expected a time such as "1.5us", or a number in seconds, or a change: a factor such as "x2"',
    ],
    ['no unit', cluster(full), 'link.latency', '2', 'UNIT001 link.latency: "2": missing unit'],
    ['percentage without a sign', cluster(full), 'speed', '10%', 'UNIT002 speed: "10%": unknown unit "%"'],
    [
      'sum',
      cluster(full),
      'link.latency',
      '+2us',
      'MACH031 link.latency: expected a factor such as "x2", a percentage such as "+10%" or a new value without a sign, got "+2us"',
    ],
    ['negative factor', cluster(full), 'speed', 'x-2', 'MACH031 speed: expected a factor such as "x2"'],
    ['huge factor', cluster(full), 'speed', 'x1e999', 'MACH031 speed: "x1e999" exceeds the range of a double'],
    ['loss of more than all', cluster(full), 'speed', '-101%', 'MACH031 speed: "-101%" subtracts more than 100 %'],
    ['no change at all', cluster(full), 'speed', undefined, 'UNIT001 speed: nothing is not a quantity'],
    ['NaN', cluster(full), 'speed', Number.NaN, 'UNIT001 speed: NaN is not a quantity'],
    ['negative value', cluster(full), 'speed', -1, 'UNIT003 speed: -1: must not be negative'],
    ['no bandwidth', cluster(full), 'link.bandwidth', 'x0', 'UNIT003 link.bandwidth x0: 0: must be greater than 0'],
    ['all of it', groups, 'speed', '-100%', 'UNIT003 speed -100%: 0: must be greater than 0'],
    [
      'overflow',
      cluster(full),
      'speed',
      'x1e200',
      'UNIT003 speed x1e200: 9.999999999999999e+208: exceeds 1e+100 in SI units',
    ],
    [
      'part of a node',
      cluster(full),
      'nodes',
      'x0.3',
      'MACH008 nodes x0.3: expected an integer from 1 to 262144, got 2.4',
    ],
    ['no number of nodes', cluster(full), 'nodes', 'many', 'MACH031 nodes: expected an integer, or a change'],
    [
      'number of nodes for groups',
      groups,
      'nodes',
      4,
      'MACH032 nodes: the nodes are in 2 groups; change groups.thin.nodes',
    ],
    [
      'memory that is not there',
      cluster(plain),
      'memory',
      'x2',
      'MACH032 memory: the machine has no value to multiply by "x2"',
    ],
    [
      'part of no memory',
      cluster(plain),
      'memoryPerCore',
      '1GB/s',
      'MACH011 memoryPerCore 1GB/s: memoryPerCore requires memory',
    ],
    [
      'torus',
      torus,
      'nodes',
      'x2',
      'MACH011 nodes x2: 4 × 2 = 8 places for 16 nodes: give 8 nodes in all, or other numbers here',
    ],
    [
      'fat tree',
      tree,
      'nodes',
      16,
      'MACH011 nodes 16: 4 × 2 = 8 places for 16 nodes: give 8 nodes in all, or other numbers here',
    ],
    [
      'too many nodes',
      cluster(full),
      'nodes',
      'x1e6',
      'MACH008 nodes x1e6: expected an integer from 1 to 262144, got 8000000',
    ],
    ['sockets', cluster(full), 'coresPerNode', 5, 'MACH011 coresPerNode 5: the number of cores, 5, is not a multiple'],
    [
      'threshold above the other',
      cluster(full),
      'eagerBelow',
      'x100',
      'MACH011 eagerBelow x100: expected at least eagerBelow, 6553600',
    ],
  ])('a change is refused: %s', (_, machine, path, change, expected) => {
    const found = problems(machine, path, change);
    expect(found).toContain(expected);
    expect(found.split('\n')).toHaveLength(1);
  });

  it('if the cables of a torus would differ', () => {
    const { nodes: _, ...outside } = plain;
    const two = [{ nodes: 4 }, { nodes: 4 }];
    const machine = cluster({ ...outside, groups: two, network: { kind: 'torus', sizes: [4, 2] } });
    expect(problems(machine, 'groups.group1-.link.latency', 'x2')).toContain('all cables of a torus are equal');
    expect(values(changeMachine(machine, 'link.latency', 'x2'))['link.latency']).toBe(2e-6);
  });
});

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dimension, quantity, quantityText } from '../../src/base/units.ts';
import { type ClusterOptions, cluster, type GroupOptions } from '../../src/machine/cluster.ts';
import { BUILT_IN_MACHINES, builtInMachine } from '../../src/machine/description/built-in-machines.ts';
import { readMachineFile } from '../../src/machine/description/machine-file.ts';
import { THREAD_COSTS } from '../../src/machine/description/machine-schema.ts';
import { writeMachineFile } from '../../src/machine/description/write-machine.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { mapMachine } from '../../src/machine/map-machine.ts';
import { networkModel } from '../../src/machine/network-model.ts';
import { machinePlatform } from '../../src/machine/topology/machine-platform.ts';
import { exampleNetwork, TOPOLOGIES, TOPOLOGY_NAMES } from '../../src/machine/topology/topologies.ts';
import { effort } from '../effort.ts';
import { temporary } from './fixtures.ts';

/** The machine that is read from the file written of a machine, and the text of the file. */
function again(machine: Machine, ending: string): { machine: Machine; text: string } {
  const file = temporary('', `written${ending}`);
  writeMachineFile(machine, file);
  return { machine: readMachineFile(file), text: readFileSync(file, 'utf8') };
}

/** Tables of the model of all pairs of nodes, with one rank per node. */
function mapped(machine: Machine): unknown {
  const platform = machinePlatform(machine);
  const n = platform.hosts.length;
  const all = Array.from({ length: n * n }, (_, k) => [Math.floor(k / n), k % n] as const);
  const pairs = { from: Int32Array.from(all, ([from]) => from), to: Int32Array.from(all, ([, to]) => to) };
  const { memory, ...tables } = mapMachine(
    { platform, model: networkModel('foretoken', machine), description: machine },
    Int32Array.from({ length: n }, (_, k) => k),
    pairs,
  );
  return { ...tables, memory: memory === undefined ? undefined : { ...memory, ofThread: undefined } };
}

const seconds = fc.oneof(
  fc.double({ min: 1e-90, max: 1e9, noNaN: true }),
  fc.constantFrom(0, 1e-6, 1.5e-3, 12e-6, 3600),
);
const rate = fc.oneof(fc.double({ min: 1e-3, max: 1e30, noNaN: true }), fc.constantFrom(1.25e9, 2 ** 30, 1e8));
const transport = fc.record({ latency: seconds, bandwidth: rate });
const size = fc.oneof(fc.nat(1 << 20), fc.constantFrom(0, 65536, 12288, 1e6, 0.5));
/** The values of an optional member: a member, or none. */
const maybe = <K extends string, T>(name: K, value: fc.Arbitrary<T>): fc.Arbitrary<{ [k in K]?: T }> =>
  fc.option(value, { nil: undefined }).map((one) => (one === undefined ? {} : { [name]: one }) as { [k in K]?: T });
const merged = <T extends object>(...parts: fc.Arbitrary<object>[]): fc.Arbitrary<T> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as T);
const node = merged<GroupOptions>(
  fc.record({
    nodes: fc.integer({ min: 1, max: 3 }),
    socketsPerNode: fc.constantFrom(1, 2),
    coresPerNode: fc.constantFrom(2, 4, 16),
    speed: rate,
  }),
  maybe('intraNode', transport),
  fc.option(merged(fc.record({ memory: rate }), maybe('memoryPerCore', rate)), { nil: {} }),
);
const NAMES = ['a', 'node', 'true', 'n', 'null', 'x.y-', 'fast_', 'constructor'];
const noise = fc.constantFrom<ClusterOptions['noise']>(
  'exponential',
  { kind: 'lognormal', cv: 0.3 },
  { kind: 'uniform', spread: 1 },
  { kind: 'normal', cv: 0 },
);
/** Machines with all parts: topologies, groups, texts of all characters. */
const machines: fc.Arbitrary<Machine> = fc
  .tuple(
    fc.array(node, { minLength: 1, maxLength: 3 }),
    fc.array(transport, { minLength: 3, maxLength: 3 }),
    fc.constantFrom(...TOPOLOGY_NAMES),
    fc.shuffledSubarray(NAMES, { minLength: 3 }),
    fc.boolean(),
    merged<object>(
      fc.record({ name: fc.string({ unit: 'binary' }), eagerBelow: size }),
      maybe('source', fc.string({ unit: 'binary' })),
      maybe('collectives', fc.constantFrom('ompi', 'mpich, bcast=linear', 'any text')),
      maybe('memoryAccess', fc.constantFrom('after', 'overlapped')),
      maybe('overhead', fc.record({ send: seconds, receive: seconds })),
      maybe('gap', seconds),
      maybe('storage', transport),
      maybe('noise', noise),
      maybe('threads', fc.dictionary(fc.constantFrom(...THREAD_COSTS), seconds)),
    ),
    fc.nat(5),
  )
  .map(([nodes, links, topology, names, isPlain, rest, detached]) => {
    const { eagerBelow } = rest as { eagerBelow: number };
    const count = nodes.reduce((sum, group) => sum + group.nodes, 0);
    const equalCables = TOPOLOGIES[topology].equalCables;
    const network = exampleNetwork(
      topology,
      isPlain ? nodes[0]!.nodes : count,
      links[0]!,
      isPlain
        ? undefined
        : nodes.flatMap((group, k) => Array.from({ length: group.nodes }, (_, n) => `${names[k]!}${n}`)),
    );
    const own = nodes.map((group, k) => ({ ...group, link: links[equalCables ? 0 : k]! }));
    const groups = own.map((group, k) => ({ ...group, name: names[k]! }));
    const some = { ...rest, network, ...(detached === 0 ? {} : { detachedBelow: eagerBelow + detached }) };
    return cluster({ ...some, ...(isPlain ? own[0] : { groups }) } as unknown as ClusterOptions);
  });

describe('written machines', () => {
  it.each(['.yaml', '.yml', '.json'])('read back from %s are equal, and so is what they are mapped to', (ending) => {
    let checked = 0;
    fc.assert(
      fc.property(machines, (machine) => {
        const { machine: found, text } = again(machine, ending);
        expect(found, text).toEqual(machine);
        expect(mapped(found)).toEqual(mapped(machine));
        expect(again(found, ending).text).toBe(text);
        checked++;
      }),
      { numRuns: effort(100) },
    );
    expect(checked).toBeGreaterThanOrEqual(20);
  });

  it.each(BUILT_IN_MACHINES)('built-in machine %s reads back equal', (name) => {
    const machine = builtInMachine(name)!;
    for (const ending of ['.yaml', '.json']) expect(again(machine, ending).machine).toEqual(machine);
  });

  it('omit defaults, have units in YAML, and say once what all groups have', () => {
    const link = { latency: 1e-6, bandwidth: 1.25e9 };
    const plain = cluster({
      name: 'm',
      nodes: 2,
      coresPerNode: 4,
      speed: '4Gf',
      link,
      intraNode: link,
      eagerBelow: '64KiB',
      gap: 0,
      detachedBelow: 65536,
    });
    expect(again(plain, '.yaml').text).toBe(
      'name: m\nnodes: 2\ncoresPerNode: 4\nspeed: 4Gf\nlink: { latency: 1us, bandwidth: 1.25GB/s }\neagerBelow: 64KiB\n',
    );
    const groups = [
      { name: 'a', nodes: 1, coresPerNode: 4 },
      { name: 'b', nodes: 2, coresPerNode: 8 },
    ];
    const grouped = cluster({
      name: 'true',
      groups,
      speed: '4Gf',
      link,
      eagerBelow: 0,
      noise: 'exponential',
      network: { kind: 'torus', sizes: [3] },
    });
    expect(again(grouped, '.json').text).toBe(`{
  "name": "true",
  "speed": 4000000000,
  "link": { "latency": 0.000001, "bandwidth": 1250000000 },
  "groups": [
    { "name": "a", "nodes": 1, "coresPerNode": 4 },
    { "name": "b", "nodes": 2, "coresPerNode": 8 }
  ],
  "network": { "kind": "torus", "sizes": [3] },
  "eagerBelow": 0,
  "noise": "exponential"
}
`);
    expect(again(grouped, '.yaml').text).toContain('name: "true"\n');
  });

  it('are refused with another ending, or if they were too large to read', () => {
    const machine = builtInMachine('sdsc-trestles')!;
    expect(() => writeMachineFile(machine, '/nowhere/a.xml')).toThrow(
      /^\/nowhere\/a.xml: APP005 unknown output extension ".xml"/,
    );
    expect(() => writeMachineFile({ ...machine, source: 'x'.repeat(2 ** 20) }, 'a.yaml')).toThrow(
      /MACH012 the file would have/,
    );
    expect(() => writeMachineFile({ ...machine, eagerBelow: -1 }, 'a.yaml')).toThrow(/UNIT003/);
  });

  it('quantities read back exactly, with few digits where they have few', () => {
    const dimensions: Dimension[] = ['time', 'size', 'rate', 'speed'];
    fc.assert(
      fc.property(
        fc.constantFrom(...dimensions),
        fc.double({ min: 1e-100, max: 1e100, noNaN: true }),
        (dimension, value) => {
          expect(quantity(dimension, quantityText(dimension, value))).toBe(value);
        },
      ),
      { numRuns: effort(500) },
    );
    const cases: [Dimension, number, string | number][] = [
      ['time', 1e-7, '100ns'],
      ['time', 0.5e-3, '500us'],
      ['time', 7200, '7200s'],
      ['time', 0, 0],
      ['size', 65536, '64KiB'],
      ['size', 1e6, '1MB'],
      ['rate', 2.25e9, '2.25GB/s'],
      ['rate', 1e30, 1e30],
      ['speed', 9.6e9, '9.6Gf'],
    ];
    for (const [dimension, value, text] of cases) expect(quantityText(dimension, value)).toBe(text);
  });
});

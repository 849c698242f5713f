import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cluster } from '../../src/machine/cluster.ts';
import { changeMachine } from '../../src/machine/description/machine-parameters.ts';
import { idealNetwork } from '../../src/machine/ideal-network.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { readSimgridPlatform } from '../../src/machine/simgrid/simgrid-xml.ts';
import { machinePlatform } from '../../src/machine/topology/machine-platform.ts';
import { effort } from '../effort.ts';
import { temporary } from './fixtures.ts';

interface Cable {
  readonly between: readonly [string, string];
  readonly wires?: number;
  readonly length?: number;
}

const plain = {
  coresPerNode: 1,
  speed: '1Gf',
  link: { latency: '1us', bandwidth: '1GB/s' },
  intraNode: { latency: '1us', bandwidth: '5GB/s' },
  eagerBelow: 0,
} as const;
const machine = (nodes: number, cables: readonly Cable[]): Machine =>
  cluster({ ...plain, nodes, network: { kind: 'graph', cables } });

/** A tree over nodes and switches, each of which has a node below it, and further cables. */
const graphs = fc
  .record({
    nodes: fc.integer({ min: 2, max: 6 }),
    switches: fc.nat(4),
    above: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
    more: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }),
    wires: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 30, maxLength: 30 }),
    order: fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
  })
  .map(({ nodes, switches, above, more, wires, order }) => {
    const inner = Array.from({ length: switches }, (_, k) => `s${k}`);
    const names = [...inner, ...Array.from({ length: nodes }, (_, k) => `node${k}`)];
    const pairs = new Map<string, readonly [string, string]>();
    const join = (a: number, b: number): void => {
      if (a !== b) pairs.set([a, b].sort((x, y) => x - y).join(), [names[a]!, names[b]!]);
    };
    for (let k = 1; k < names.length; k++) join(k, k < switches ? k - 1 : above[k]! % k);
    // Every switch has two cables at least.
    for (let k = 0; k < switches; k++) join(k, switches + (above[k]! % nodes));
    for (const [a, b] of more) join(a % names.length, b % names.length);
    const cables = [...pairs.values()].map((between, k): Cable => ({ between, wires: wires[k % 30]! }));
    const at = new Map(cables.map((cable, k) => [cable, order[k % 30]!]));
    return { nodes, cables: cables.sort((a, b) => at.get(a)! - at.get(b)!) };
  })
  .filter(({ cables }) => {
    const ends = cables.flatMap(({ between }) => between);
    return ends.every((name) => name.startsWith('node') || ends.filter((end) => end === name).length > 1);
  });

/** The points of a route: each link leads from one end of a cable to the other one. */
function walk(names: readonly string[], from: string): string[] {
  const at = [from];
  for (const name of names) {
    const [, a, b, direction] = /^(.*)\/(.*)\.(up|down)$/.exec(name)!;
    const [start, end] = direction === 'up' ? [a!, b!] : [b!, a!];
    expect(start).toBe(at.at(-1));
    at.push(end);
  }
  return at;
}

/** Numbers of cables from one point to all others, by search in waves. */
function distances(cables: readonly Cable[], from: string): Map<string, number> {
  const found = new Map([[from, 0]]);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { between } of cables)
      for (const [a, b] of [between, [...between].reverse()] as [string, string][])
        if (found.has(a)) found.set(b, Math.min(found.get(b) ?? Infinity, found.get(a)! + 1));
  }
  return found;
}

it('routes cross the fewest cables, and bandwidths are those of their wires', () => {
  fc.assert(
    fc.property(graphs, ({ nodes, cables }) => {
      const { links, route } = machinePlatform(machine(nodes, cables));
      for (let from = 0; from < nodes; from++) {
        const far = distances(cables, `node${from}`);
        for (let to = 0; to < nodes; to++) {
          if (from === to) continue;
          const crossed = route(from, to).links.map((l) => links[l]!);
          const points = walk(
            crossed.map(({ name }) => name),
            `node${from}`,
          );
          expect(points.at(-1)).toBe(`node${to}`);
          expect(crossed).toHaveLength(far.get(`node${to}`)!);
          for (const { name, bandwidth } of crossed)
            expect(bandwidth).toBe(
              1e9 * cables.find(({ between }) => name.startsWith(`${between.join('/')}.`))!.wires!,
            );
        }
      }
    }),
    { numRuns: effort(300) },
  );
});

// The routes of zones of routing Dijkstra are compared with those of SimGrid 3.32 in routes.test.ts and zone-routings.test.ts.
it('routes are those of a SimGrid zone of routing Dijkstra with the same cables', () => {
  fc.assert(
    fc.property(graphs, ({ nodes, cables }) => {
      const own = machinePlatform(machine(nodes, cables));
      const switches = [...new Set(cables.flatMap(({ between }) => between))].filter((name) => name.startsWith('s'));
      const lines = [
        ...Array.from({ length: nodes }, (_, k) => `<host id="node${k}" speed="1Gf"/>`),
        ...switches.map((name) => `<router id="${name}"/>`),
        ...cables.map(
          ({ between: [a, b], wires }) =>
            `<link id="${a}/${b}" bandwidth="${wires}GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>`,
        ),
        ...cables.map(
          ({ between: [a, b] }) => `<route src="${a}" dst="${b}"><link_ctn id="${a}/${b}" direction="UP"/></route>`,
        ),
      ];
      const platform = readSimgridPlatform(
        temporary(
          `<?xml version="1.0"?>\n<platform version="4.1"><zone id="w" routing="Dijkstra">${lines.join('\n')}</zone></platform>\n`,
        ),
      );
      for (let from = 0; from < nodes; from++)
        for (let to = 0; to < nodes; to++) {
          if (from === to) continue;
          const [ours, theirs] = [own, platform].map(({ links, route, hosts }) =>
            route(
              hosts.findIndex(({ name }) => name === `node${from}`),
              hosts.findIndex(({ name }) => name === `node${to}`),
            ).links.map((l) => links[l]!.name.replace(/_UP$/, '.up').replace(/_DOWN$/, '.down')),
          );
          expect(ours).toEqual(theirs);
        }
    }),
    { numRuns: effort(200) },
  );
});

const star = (...names: string[]): Cable[] => names.map((name) => ({ between: [name, 'top'] }));

it('cables are changed with the link of the machine, and cost nothing on an ideal network', () => {
  const own = machine(2, [{ between: ['node0', 'node1'], wires: 4, length: 3 }]);
  const linkOf = (of: Machine) => machinePlatform(of).links.at(-1);
  expect(linkOf(own)).toMatchObject({ latency: 3e-6, bandwidth: 4e9 });
  const changed = changeMachine(changeMachine(own, 'link.latency', 'x2'), 'link.bandwidth', 'x0.5');
  expect(linkOf(changed)).toMatchObject({ latency: 6e-6, bandwidth: 2e9 });
  expect(linkOf(idealNetwork(own))!.latency).toBe(0);
});

it.each<[string, number, readonly Cable[], string]>([
  ['a node without a cable', 3, star('node0', 'node1'), 'node "node2" has no cable'],
  [
    'a misspelt node',
    2,
    [...star('node0', 'node1'), { between: ['nod1', 'top'] }],
    'switch "nod1" has one cable: expected two or more. Did you mean "node1"?',
  ],
  [
    'two parts',
    4,
    [{ between: ['node0', 'node1'] }, { between: ['node2', 'node3'] }],
    'no path of cables joins "node0" and "node2"',
  ],
  [
    'two cables between the same ends',
    2,
    [{ between: ['node0', 'node1'] }, { between: ['node1', 'node0'] }],
    'two cables join "node1" and "node0": write one with wires: 2',
  ],
  ['a cable to itself', 2, [{ between: ['node0', 'node0'] }], 'a cable from "node0" to itself joins nothing'],
  ['one end', 2, [{ between: ['node0'] as never }], 'expected a list of 2 items, got 1'],
  ['a name with a space', 2, [{ between: ['node0', 'the switch'] }], 'a name without spaces and /'],
  ['no cables', 2, [], 'expected a list of 1 to'],
  ['no wires', 2, [{ between: ['node0', 'node1'], wires: 0 }], 'cables.0.wires: expected an integer from 1'],
])('refused: %s', (_, nodes, cables, message) => expect(() => machine(nodes, cables)).toThrow(message));

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explore } from '../../../src/analysis/space/explore.ts';
import { InputError } from '../../../src/base/problem.ts';
import { graphOf, type StateGraphNode } from '../../../src/commands/graph/graph-of.ts';
import type { GraphView } from '../../../src/commands/graph/graph-view.ts';
import { machinePlatform } from '../../../src/machine/topology/machine-platform.ts';
import { cluster, spmd, threads } from '../../../src/models.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { netToJson } from '../../../src/net/json/json.ts';
import type { Net } from '../../../src/net/net.ts';
import { arbitraryNet as finiteNet } from '../../../src/testing/arbitrary-net.ts';
import { effort } from '../../effort.ts';
import { arbitraryNet } from '../../engine/random-net.ts';

const program = spmd({ name: 'one', build: (m) => m.compute({ flops: 1 }) });
const pool = threads({
  name: 'two tasks',
  build: (t) => t.parallelFor({ name: 'loop', n: 2, grain: 1, body: (b) => b.compute({ seconds: 1 }) }),
});

/** A place, then `steps` transitions and places in a row; closed to a ring, or open. */
function chain(steps: number, closed: boolean): Net {
  const n = new NetBuilder('chain');
  const places = Array.from({ length: closed ? steps : steps + 1 }, (_, k) =>
    n.place(`p${k}`, {}, k === 0 ? { initial: 1 } : {}),
  );
  for (let k = 0; k < steps; k++)
    n.transition(`t${k}`, (t) => {
      t.take(places[k]!);
      t.put(places[(k + 1) % places.length]!, {});
    });
  return n.build();
}

/** Every node that each node reaches by edges, by repeated search. */
function reachable({ graph }: GraphView): Map<string, Set<string>> {
  return new Map(
    graph.nodes().map((from) => {
      const found = new Set<string>();
      const open = [from];
      for (let node = open.pop(); node !== undefined; node = open.pop())
        for (const next of graph.successors(node) ?? [])
          if (!found.has(next)) {
            found.add(next);
            open.push(next);
          }
      return [from, found];
    }),
  );
}

/** Distances by breadth-first search. */
function distances({ graph }: GraphView, from: string): Map<string, number> {
  const found = new Map([[from, 0]]);
  for (const [node, distance] of found)
    for (const next of graph.successors(node) ?? []) if (!found.has(next)) found.set(next, distance + 1);
  return found;
}

function expectAnswers(view: GraphView): void {
  const nodes = view.graph.nodes();
  const reach = reachable(view);
  const components = view.components();
  expect(components.flat().sort()).toEqual([...nodes].sort());
  const of = new Map(components.flatMap((c, k) => c.map((node) => [node, k] as const)));
  for (const a of nodes)
    for (const b of nodes)
      if (a !== b) expect(of.get(a) === of.get(b)).toBe(reach.get(a)!.has(b) && reach.get(b)!.has(a));
  const cyclic = components.filter(([first]) => reach.get(first!)!.has(first!));
  const cycles = view.cycles();
  expect(cycles.map(([first]) => first)).toEqual(cyclic.map(([first]) => first));
  for (const cycle of cycles)
    for (const [k, node] of cycle.entries())
      expect(view.graph.successors(node)).toContain(cycle[(k + 1) % cycle.length]);
  const order = view.order();
  expect(order === undefined).toBe(cycles.length > 0);
  if (order !== undefined) {
    const at = new Map(order.map((node, k) => [node, k]));
    for (const { v, w } of view.graph.edges()) expect(at.get(v)).toBeLessThan(at.get(w)!);
  }
  for (const from of nodes.slice(0, 3)) {
    const least = distances(view, from);
    for (const to of nodes) expect(view.path(from, to)?.length).toBe(least.get(to));
  }
}

describe('graphOf', () => {
  test('answers as a plain search does, for random nets', () => {
    fc.assert(
      fc.property(arbitraryNet, (net) => expectAnswers(graphOf(net))),
      { numRuns: effort(60) },
    );
  });

  test('answers as a plain search does, for the markings of random nets', () => {
    let several = 0;
    fc.assert(
      fc.property(finiteNet({ places: 3, transitions: 6, tokens: 3, with: ['colours', 'inhibitors'] }), (net) => {
        const space = explore(net, { maxStates: 60 });
        fc.pre(space.complete);
        if (space.states > 3) several++;
        const view = graphOf(net, { markings: true });
        expect([view.graph.nodeCount(), view.graph.edgeCount()]).toEqual([space.states, space.edges]);
        expectAnswers(view);
      }),
      { numRuns: effort(60) },
    );
    expect(several).toBeGreaterThanOrEqual(3);
  });

  const rest = { coresPerNode: 1, speed: '1Gf', eagerBelow: 4096 } as const;
  const link = { latency: '2us', bandwidth: '1GB/s' } as const;
  test.each([
    ['crossbar', 'crossbar'],
    ['backbone', { kind: 'backbone', latency: '1us', bandwidth: '2GB/s' }],
    ['torus', { kind: 'torus', sizes: [4, 2] }],
    ['fat tree', { kind: 'fat-tree', down: [4, 2], up: [1, 2] }],
  ] as const)('a shortest path of a %s takes as long as the route', (_, network) => {
    const machine = cluster({ nodes: 8, ...rest, link, network: network as never });
    const platform = machinePlatform(machine);
    const view = graphOf(machine);
    expect(graphOf(platform).graph.edges()).toEqual(view.graph.edges());
    for (const [a, from] of platform.hosts.entries())
      for (const [b, to] of platform.hosts.entries()) {
        const path = view.path(`host:${from.name}`, `host:${to.name}`)!;
        if (a !== b) expect(path.length).toBeCloseTo(platform.route(a, b).latency, 15);
        else expect(path).toEqual({ nodes: [`host:${from.name}`], length: 0 });
      }
  });

  test('takes a model: its net, and its markings', () => {
    expect(graphOf(program, { ranks: 1 }).order()).toBeDefined();
    const markings = graphOf(program, { ranks: 1, markings: true });
    expect((markings.graph.node('state:0') as StateGraphNode).marking.length).toBeGreaterThan(0);
    expect(markings.order()![0]).toBe('state:0');
  });

  test('takes a thread model on its workers', () => {
    const [one, two] = [1, 2].map((workers) => graphOf(pool, { workers, markings: true }));
    expectAnswers(one!);
    expect(two!.graph.nodeCount()).toBeGreaterThan(one!.graph.nodeCount());
    expect(graphOf(pool, { workers: 1 }).graph.node('transition:finds own')).toBeDefined();
  });

  test('the largest graphs do not overflow the stack, larger ones are refused', () => {
    const ring = graphOf(chain(1_000, true));
    expect(ring.components()[0]).toHaveLength(2_000);
    expect(ring.cycles()[0]).toHaveLength(2_000);
    expect(ring.order()).toBeUndefined();
    const open = graphOf(chain(999, false));
    expect(open.order()).toHaveLength(1_999);
    expect(open.parts()).toHaveLength(1);
    expect(open.path('place:p0', 'place:p999')!.length).toBe(1_998);
    const line = graphOf(counter(1_999), { markings: true });
    expect(line.order()).toHaveLength(2_000);
    expect(codesOf(() => graphOf(chain(1_001, true)))).toEqual(['GRAPH001']);
    expect(codesOf(() => graphOf(counter(2_000), { markings: true }))).toEqual(['GRAPH001']);
    expect(codesOf(() => graphOf(cluster({ nodes: 501, ...rest, link })))).toEqual(['GRAPH001']);
  });

  test('takes paths of net and machine files, and names of machines, as their values', () => {
    const folder = mkdtempSync(join(tmpdir(), 'foretoken-graph-'));
    try {
      const [netPath, machinePath] = [join(folder, 'net.json'), join(folder, 'machine.yaml')];
      writeFileSync(netPath, netToJson(chain(3, true)));
      writeFileSync(
        machinePath,
        'nodes: 2\nspeed: 1Gf\nlink: { latency: 3us, bandwidth: 1GB/s }\neagerBelow: 64KiB\ncoresPerNode: 1\n',
      );
      expect(graphOf(netPath).cycles()).toEqual(graphOf(chain(3, true)).cycles());
      expect(graphOf(netPath, { markings: true }).graph.nodeCount()).toBe(3);
      expect(graphOf(machinePath).path('host:node0', 'host:node1')!.length).toBeGreaterThanOrEqual(3e-6);
      expect(graphOf('sdsc-gordon-switch').graph.nodeCount()).toBeGreaterThan(1);
      // Options of another kind are refused for paths, too.
      expect(codesOf(() => graphOf(machinePath, { markings: true }))).toEqual(['APP004']);
      expect(codesOf(() => graphOf(netPath, { ranks: 2 }))).toEqual(['APP004']);
      for (const missing of ['none.json', 'none.yaml', 'none.pnml', 'none.txt'])
        expect(() => graphOf(join(folder, missing))).toThrow(/no such file/);
      expect(() => graphOf('model.ts')).toThrow(
        'APP061 graphOf: "model.ts" is a module, which graphOf cannot import: import it and give the value that it exports',
      );
      writeFileSync(join(folder, 'a.txt'), 'text');
      expect(() => graphOf(join(folder, 'a.txt'))).toThrow(/APP061 graphOf: expected a net.*Nets: \.json/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('refuses what is no graph, unknown nodes and unknown options', () => {
    const net = chain(2, true);
    expect(codesOf(() => graphOf(5 as never))).toEqual(['APP061']);
    expect(codesOf(() => graphOf(net, { markings: 'yes' as never }))).toEqual(['APP061']);
    for (const other of [null, undefined, {}, '', []])
      expect(() => graphOf(other as never)).toThrow(
        /^APP061 graphOf: expected a net, a model, a machine or a platform, or the path of a net or machine file, got /,
      );
    const machine = cluster({ nodes: 1, ...rest, link });
    // A misspelt option would give the graph of the net in place of that of the markings.
    for (const x of [net, program, pool, machine, machinePlatform(machine)])
      expect(() => graphOf(x, { marking: true } as never)).toThrow(/^APP060 graphOf: unknown option "marking"/);
    expect(codesOf(() => graphOf(machine, { markings: true }))).toEqual(['APP004']);
    expect(codesOf(() => graphOf(machine, { ranks: 2 }))).toEqual(['APP004']);
    expect(codesOf(() => graphOf(net, { set: { n: 1 } }))).toEqual(['APP004']);
    expect(codesOf(() => graphOf(program, { workers: 2 }))).toEqual(['THR011']);
    expect(codesOf(() => graphOf(pool, { ranks: 2 }))).toEqual(['THR011']);
    expect(codesOf(() => graphOf(net).path('place:p0', 'place:p9'))).toEqual(['GRAPH002']);
    expect(() => graphOf(net).path('place:p0', 'transition:p0')).toThrow(/unknown node "transition:p0"/);
  });
});

/** A net of `count` + 1 markings in a row. */
function counter(count: number): Net {
  const n = new NetBuilder('counter');
  const left = n.place('left', {}, { initial: count });
  n.transition('less', (t) => t.take(left));
  return n.build();
}

function codesOf(run: () => unknown): string[] {
  try {
    run();
  } catch (e) {
    if (e instanceof InputError) return e.problems.map(({ code }) => code);
    throw e;
  }
  return [];
}

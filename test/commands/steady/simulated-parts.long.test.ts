import { expect, test } from 'vitest';
import type { Interval } from '../../../src/commands/exact/exact-parts.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyDocument } from '../../../src/commands/steady/steady-result.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { idealNetwork } from '../../../src/machine/ideal-network.ts';
import { noise, spmd } from '../../../src/models.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import type { Net } from '../../../src/net/net.ts';

const random = { noise: noise.exponential() };

/** Two processes that compute, and compute more under a lock, forever. */
function locking(): Net {
  const n = new NetBuilder('locking');
  const P = n.range('P', 0, 1);
  const [own, locked] = [n.place('own', { p: P }, { initial: [{ p: 0 }, { p: 1 }] }), n.place('locked', { p: P })];
  const free = n.place('free', {}, { initial: 1, kind: 'resource' });
  n.processes(P, n.place('ended', { p: P }));
  n.transition('compute', (t) => {
    const { p } = t.take(own);
    t.process(p);
    t.kind('compute');
    t.put(locked, { p });
    t.delay(exponential(1));
  });
  n.transition('in lock', (t) => {
    const { p } = t.take(locked);
    t.process(p);
    t.take(free);
    t.kind('compute');
    t.put(free, {});
    t.put(own, { p });
    t.delay(exponential(0.5));
  });
  return n.build();
}

const ideal = idealNetwork(
  cluster({ nodes: 2, coresPerNode: 1, speed: '1Gf', eagerBelow: 0, link: { latency: '1us', bandwidth: '1GB/s' } }),
);

/** Ranks that meet again and again. */
const meeting = spmd({
  name: 'meeting',
  build(m) {
    m.while(
      () => true,
      () => {
        m.compute({ seconds: (s) => 1 + s.rank, ...random });
        m.barrier();
      },
    );
  },
});

type Figures = Map<string, readonly [number, Interval]>;

function partsOf({ parallelism, fragments = [], nodes = [] }: SteadyDocument): Figures {
  return new Map<string, readonly [number, Interval]>([
    ['parallelism', [parallelism!.mean, parallelism!]],
    ...fragments.map((f) => [`fragment ${f.processes.join()}`, [f.probability, f]] as const),
    ...nodes.map((n) => [n.name, [n.load, n]] as const),
  ]);
}

/** Three times as wide as an interval of 95 %. */
function expectNear(name: string, value: number, [mean, { lower, upper }]: readonly [number, Interval]): void {
  if (lower === null) expect(mean, name).toBeCloseTo(value, 9);
  else expect(Math.abs(mean - value), name).toBeLessThan(1.5 * (upper! - lower));
}

test.each([
  ['a net, one long run', locking(), {}],
  ['a net, several runs', locking(), { replications: 10 }],
  ['a program, one long run', meeting, { ranks: 2, machine: ideal }],
  ['a program, several runs', meeting, { ranks: 2, machine: ideal, replications: 10 }],
] as const)('%s that never ends: fragments and degree of parallelism agree with the chain', (_, input, options) => {
  const { replications: __, ...asked } = { replications: 0, ...options };
  const exact = partsOf(steady(input as Net, { ...asked, method: 'ctmc' }));
  const simulated = partsOf(
    steady(input as Net, { ...options, method: 'simulate', precision: '5%', maxFirings: 20_000 }),
  );
  expect(exact.size).toBeGreaterThan(3);
  expect([...simulated.keys()].sort()).toEqual([...exact.keys()].sort());
  for (const [name, [value]] of exact) expectNear(name, value, simulated.get(name)!);
  expect([...simulated.values()].filter(([, { lower }]) => lower !== null).length).toBeGreaterThan(3);
});

test('a net that dies has the fragment of its last marking', () => {
  const n = new NetBuilder('dies');
  const P = n.range('P', 0, 0);
  const [begin, ended] = [n.place('begin', { p: P }, { initial: [{ p: 0 }] }), n.place('ended', { p: P })];
  n.processes(P, ended);
  n.transition('compute', (t) => {
    const { p } = t.take(begin);
    t.process(p);
    t.kind('compute');
    t.put(ended, { p });
    t.delay(exponential(1));
  });
  const { fragments, parallelism } = steady(n.build(), { method: 'simulate' });
  expect(fragments!.filter((f) => f.probability > 0)).toMatchObject([{ processes: [], probability: 1 }]);
  expect(parallelism!.mean).toBe(0);
});

/*
 * Ranks 0 and 1 share the core of node 0, and each has 1 s of work on average: it is done after 2 s. Then rank 0 sends 125 MB to rank 2,
 * of another node, over a link of 1 Gbit/s: 1 s.
 */
const machine = cluster({
  nodes: 2,
  coresPerNode: 1,
  eagerBelow: 4096,
  speed: 1e9,
  link: { latency: 1e-12, bandwidth: 125e6 },
  intraNode: { latency: 1e-12, bandwidth: 1e12 },
});
const options = { ranks: 3, oversubscribe: true, placement: [0, 0, 1], machine };
const sharing = (isEndless: boolean, isRandom: boolean): ReturnType<typeof spmd> =>
  spmd({
    name: 'sharing',
    build(m) {
      const body = (): void => {
        m.when(
          (s) => s.rank < 2,
          () => {
            if (isRandom)
              m.chance(
                0.5,
                () => m.compute({ flops: 0.5e9 }),
                () => m.compute({ flops: 1.5e9 }),
              );
            else m.compute({ flops: 1e9 });
          },
        );
        m.when(
          (s) => s.rank === 1,
          () => m.send({ to: 0, bytes: 0 }),
        );
        m.when(
          (s) => s.rank === 0,
          () => {
            m.recv({ from: 1 });
            m.send({ to: 2, bytes: 125e6 });
          },
        );
        m.when(
          (s) => s.rank === 2,
          () => m.recv({ from: 0 }),
        );
        m.barrier();
      };
      if (isEndless) m.while(() => true, body);
      else body();
    },
  });

const utilisations = (document: SteadyDocument): Figures =>
  new Map(document.resources!.map((r) => [r.name, [r.utilisation, r]] as const));
const EXPECTED = { node0: 2 / 3, 'node0.up': 1 / 3, 'node1.down': 1 / 3 };

test('a shared core and a link without random times are used as the prediction says', () => {
  const predicted = predict(sharing(false, false), options);
  const found = steady(sharing(false, false), { ...options, method: 'simulate' });
  const used = utilisations(found);
  for (const [name, share] of Object.entries(EXPECTED)) {
    expect(used.get(name)![0], name).toBeCloseTo(share, 6);
    expect(used.get(name)![0], name).toBeCloseTo(predicted.resources.find((r) => r.name === name)!.utilisation, 12);
  }
  expect(found.resources!.find(({ name }) => name === 'node0')).toMatchObject({ kind: 'host', capacity: 1 });
  expect(found.resources!.find(({ name }) => name === 'node0.up')).toMatchObject({ kind: 'link', capacity: 125e6 });
});

test.each([
  ['restarted', false],
  ['endless', true],
])('a shared core and a link of a random program, %s, are used for the expected share of time', (_, isEndless) => {
  const found = steady(sharing(isEndless, true), {
    ...options,
    method: 'simulate',
    precision: '5%',
    maxFirings: 20_000,
  });
  const used = utilisations(found);
  for (const [name, share] of Object.entries(EXPECTED)) {
    expect(used.get(name)![1].lower, name).not.toBe(null);
    expectNear(name, share, used.get(name)!);
  }
});

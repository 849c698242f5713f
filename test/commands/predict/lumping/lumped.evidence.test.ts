import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { predict } from '../../../../src/index.ts';
import { type ClusterOptions, cluster, counter, grid2d, type ProgramModel, spmd } from '../../../../src/models.ts';
import { effort } from '../../../effort.ts';
import { expectSame } from './same-figures.ts';

/** A lumped run has the figures of the run of all ranks, or is not lumped: the plain reference is the full run. */
const link = { latency: '1us', bandwidth: '10GB/s' };
const protocol = { eagerBelow: 4096, detachedBelow: 65536 };
const machine = (nodes: number, coresPerNode: number, more: Partial<ClusterOptions> = {}) =>
  cluster({
    ...{ nodes, coresPerNode, speed: '1Gf', link, ...protocol },
    intraNode: { latency: '0.3us', bandwidth: '20GB/s' },
    ...more,
  } as ClusterOptions);

const allreduce = (bytes: number): ProgramModel =>
  spmd({
    name: 'allreduce',
    params: {},
    build(m) {
      m.compute({ seconds: 1e-6 });
      m.allreduce({ bytes });
    },
  });

/** Three exchanges with the neighbours on a periodic grid; rank `other`, if any, sends other bytes. */
const halo = (width: number, bytes: number, other = -1): ProgramModel =>
  spmd({
    name: 'halo',
    params: {},
    vars: { t: counter() },
    build(m) {
      const height = m.size / width;
      const at = (r: number, dx: number, dy: number): number =>
        ((r + dx + width) % width) + width * ((Math.floor(r / width) + dy + height) % height);
      const sides = [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const;
      m.loop('t', 3, () => {
        const received = sides.map(([dx, dy], tag) => m.irecv({ from: (s) => at(s.rank, -dx, -dy), tag }));
        const sent = sides.map(([dx, dy], tag) =>
          m.isend({ to: (s) => at(s.rank, dx, dy), bytes: (s) => (s.rank === other ? 2 * bytes : bytes), tag }),
        );
        m.compute({ flops: 1e5 });
        m.waitAll([...received, ...sent]);
      });
    },
  });

test('an allreduce by recursive doubling is one rank, and takes its closed form', () => {
  for (const k of [1, 3, 6, 9]) {
    const ranks = 2 ** k;
    const on = { machine: machine(ranks, 1), ranks };
    expect(expectSame(allreduce(8), on)).toEqual({ ranks, simulated: 1, factor: ranks });
    // k rounds of a latency of two cables and 8 bytes; both directions of a cable are links of their own.
    const { figures } = predict(allreduce(8), { ...on, lump: true });
    expect(figures.runTime.value).toBeCloseTo(1e-6 + k * (2e-6 + 8 / 10e9), 15);
  }
});

test('ranks that share a node are lumped with all their messages on its links', () => {
  const on = { machine: machine(16, 4), ranks: 64 };
  expect(expectSame(allreduce(1e6), on).simulated).toBe(1);
  expect(expectSame(allreduce(8), { ...on, networkModel: 'simgrid-smpi', collectives: 'logarithmic' }).simulated).toBe(
    1,
  );
  expect(expectSame(halo(8, 1e5), on).simulated).toBe(4);
  expect(expectSame(allreduce(1e6), { ...on, placement: 'cyclic' }).factor).toBeGreaterThan(1);
});

test('a halo exchange on a torus is one rank; a slower node, other bytes or a slower link leave more', () => {
  const network = { kind: 'torus', sizes: [8, 8] } as const;
  const on = { machine: machine(64, 1, { network }), ranks: 64 };
  expect(expectSame(halo(8, 1e5), on).simulated).toBe(1);
  expect(expectSame(halo(8, 1e5, 5), on).simulated).toBe(64);
  const { nodes: _, ...uneven } = { ...protocol, nodes: 0, coresPerNode: 1, link, network };
  const groups = [
    { name: 'slow', nodes: 1, speed: '0.5Gf' },
    { name: 'fast', nodes: 63, speed: '1Gf' },
  ];
  const slower = cluster({ ...uneven, groups } as unknown as ClusterOptions);
  expect(expectSame(halo(8, 1e5), { machine: slower, ranks: 64 })).toMatchObject({
    simulated: 64,
    reason: 'more than 32 of 64 ranks differ',
  });
  const cables = [
    { name: 'slow', nodes: 1, speed: '1Gf', link: { latency: '1us', bandwidth: '5GB/s' } },
    { name: 'fast', nodes: 63, speed: '1Gf', link },
  ];
  const thin = cluster({ ...uneven, network: 'crossbar', groups: cables } as unknown as ClusterOptions);
  expect(expectSame(halo(8, 1e5), { machine: thin, ranks: 64 }).simulated).toBe(64);
  // On a crossbar the ranks of an allreduce differ by the rounds after which they depend on the slower cable.
  const { simulated } = expectSame(allreduce(8), { machine: thin, ranks: 64 });
  expect(simulated).toBeGreaterThan(1);
});

test('other parts that differ are not lumped, with the reason', () => {
  const on = { machine: machine(8, 1), ranks: 8 };
  const reasons = (model: ProgramModel, more = {}): string | undefined => expectSame(model, { ...on, ...more }).reason;
  const one = (build: Parameters<typeof spmd>[0]['build']): ProgramModel => spmd({ name: 'one', params: {}, build });
  expect(reasons(one((m) => m.recv({ from: (s) => (s.rank === 1 ? 0 : null) })))).toBe(
    'rank 0 sends no message for a receive of rank 1',
  );
  expect(reasons(one((m) => m.send({ to: (s) => (s.rank === 0 ? 1 : null), bytes: 8 })))).toBe(
    'no receive of rank 1 takes a message of rank 0',
  );
  expect(reasons(one((m) => m.compute({ seconds: 1, noise: { kind: 'uniform', spread: 0.1 } as never })))).toMatch(
    /random times/,
  );
  expect(
    reasons(allreduce(8), { machine: machine(8, 1, { overhead: { send: '1us', receive: '1us' } } as never) }),
  ).toBe('messages take time of the cores');
  expect(reasons(allreduce(8), { machine: machine(8, 1, { gap: '1us' } as never) })).toBe(
    'the machine has a gap between messages',
  );
  expect(reasons(allreduce(8), { machine: machine(1, 4), oversubscribe: true })).toBe(
    'ranks share the cores of host node0',
  );
  // Large blocking sends to the next rank wait for each other.
  const ring = one((m) => {
    m.send({ to: (s) => (s.rank + 1) % s.size, bytes: 1e6 });
    m.recv({ from: (s) => (s.rank + s.size - 1) % s.size });
  });
  expect(reasons(ring)).toBe('ranks are blocked');
});

const part = fc.record({
  kind: fc.constantFrom('compute', 'sleep', 'shift', 'exchange', 'blocking', 'twice', 'collective', 'odd', 'one'),
  a: fc.nat({ max: 20 }),
  bytes: fc.constantFrom(0, 8, 4096, 65536, 300_000),
});
type Part = typeof part extends fc.Arbitrary<infer T> ? T : never;

const modelOf = (parts: readonly Part[]): ProgramModel =>
  spmd({
    name: 'random',
    params: {},
    vars: { t: counter() },
    build(m) {
      const say = ({ kind, a, bytes }: Part): void => {
        const d = 1 + (a % m.size);
        const shift = (tag: number) => [
          m.isend({ to: (s) => (s.rank + d) % s.size, bytes, tag }),
          m.irecv({ from: (s) => (s.rank - d + 2 * s.size) % s.size, tag }),
        ];
        if (kind === 'compute') m.compute({ flops: 1000 * a });
        else if (kind === 'sleep') m.sleep(a * 1e-7);
        else if (kind === 'shift') m.waitAll(shift(a % 3));
        else if (kind === 'twice') m.waitAll([...shift(1), ...shift(1)]);
        else if (kind === 'exchange') {
          const mask = 1 << (a % 3);
          const peer = (rank: number, size: number): number | null => ((rank ^ mask) < size ? rank ^ mask : null);
          const received = m.irecv({ from: (s) => peer(s.rank, s.size), tag: 5 });
          m.send({ to: (s) => peer(s.rank, s.size), bytes, tag: 5 });
          m.wait(received);
        } else if (kind === 'blocking') {
          // Pairs: the even rank sends first.
          const pair = (rank: number, size: number): number | null => ((rank ^ 1) < size ? rank ^ 1 : null);
          m.when(
            (s) => s.rank % 2 === 0,
            () => {
              m.send({ to: (s) => pair(s.rank, s.size), bytes, tag: 6 });
              m.recv({ from: (s) => pair(s.rank, s.size), tag: 6 });
            },
            () => {
              m.recv({ from: (s) => pair(s.rank, s.size), tag: 6 });
              m.send({ to: (s) => pair(s.rank, s.size), bytes, tag: 6 });
            },
          );
        } else if (kind === 'odd') m.compute({ flops: (s) => 500 * a * (s.rank % 2) });
        else if (kind === 'one') m.compute({ flops: (s) => (s.rank === a ? 7000 : 1000) });
        else {
          const all = [
            () => m.barrier(),
            () => m.allreduce({ bytes, flops: a }),
            () => m.allgather({ bytes: bytes % 70_000 }),
            () => m.alltoall({ bytes: bytes % 70_000 }),
            () => m.bcast({ bytes, root: 0 }),
          ];
          all[a % all.length]!();
        }
      };
      m.loop('t', 2, () => parts.forEach(say));
    },
  });

test('random programs on random machines have the figures of all ranks', { timeout: 600_000 }, () => {
  let lumped = 0;
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 5 }),
      fc.constantFrom([4, 1], [8, 1], [4, 2], [6, 1], [3, 2], [4, 4]),
      fc.constantFrom('crossbar', 'backbone', 'torus'),
      fc.constantFrom(undefined, 'simgrid-smpi', 'simgrid-plain'),
      fc.constantFrom('block', 'cyclic'),
      (parts, [nodes, cores], kind, networkModel, placement) => {
        const network = kind === 'torus' ? { kind, sizes: [nodes] } : kind === 'backbone' ? { kind, ...link } : kind;
        const on = machine(nodes!, cores!, { network } as never);
        const options = { machine: on, ranks: nodes! * cores!, placement, ...(networkModel && { networkModel }) };
        const { factor } = expectSame(modelOf(parts), options as never);
        if (factor > 1) lumped++;
      },
    ),
    { numRuns: effort(600) },
  );
  expect(lumped).toBeGreaterThan(0);
});

test('a grid of neighbours at its borders has more classes', () => {
  const model = spmd({
    name: 'open',
    params: {},
    build(m) {
      const g = grid2d(m.size);
      const received = m.irecv({ from: (s) => g.west(s.rank), tag: 0 });
      const sent = m.isend({ to: (s) => g.east(s.rank), bytes: 1000, tag: 0 });
      m.waitAll([received, sent]);
    },
  });
  const { simulated } = expectSame(model, { machine: machine(64, 1), ranks: 64 });
  // Rows of eight ranks: each column is a class.
  expect(simulated).toBe(8);
});

test('of more than 65,536 ranks the first of each class is listed, with the figures of few ranks', () => {
  const ranks = 2 ** 17;
  const many = predict(allreduce(8), { machine: machine(2 ** 12, 32), ranks, lump: true });
  expect(many.lumping).toEqual({ ranks, simulated: 1, factor: ranks });
  expect(many.ranks.map(({ rank, count }) => ({ rank, count }))).toEqual([{ rank: 0, count: ranks }]);
  // Both directions of all cables carry the same.
  expect(many.resources.map(({ name, count }) => [name, count]).sort()).toEqual([
    ['node0', 2 ** 12],
    ['node0.intra', 2 ** 12],
    ['node0.up', 2 ** 13],
  ]);
  // Five rounds within a node, twelve between nodes, in which 32 messages share each cable.
  const seconds = 1e-6 + 5 * (0.3e-6 + 8 / 20e9) + 12 * (2e-6 + (32 * 8) / 10e9);
  expect(Math.abs(many.figures.runTime.value - seconds)).toBeLessThan(1e-15);
  expect(many.figures.parallelism!.mean.value).toBeCloseTo((ranks * 1e-6) / seconds, 6);
});

test('more than 2^20 ranks are refused where they are not lumped', () => {
  const on = { machine: machine(4, 1), ranks: 2 ** 20 + 1, lump: true } as const;
  expect(() => predict(allreduce(8), { ...on, ties: 'random' })).toThrow(
    'MODEL004 ranks: expected an integer from 1 to 262144 without lumping, got 1048577: ties are drawn',
  );
});

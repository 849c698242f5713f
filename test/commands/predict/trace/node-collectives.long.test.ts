import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../../src/commands/predict/predict.ts';
import type { CollectiveSelector } from '../../../../src/models/collectives/choice.ts';
import { cluster, type ProgramModel, spmd } from '../../../../src/models.ts';

/** Models and several programs know which ranks share a host, as single traces do. */
const dir = mkdtempSync(join(tmpdir(), 'foretoken-nodes-'));
afterAll(() => rmSync(dir, { recursive: true }));
const written = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};

/** A line of selectors-3.32.jsonl. */
interface Recorded {
  readonly selector: string;
  readonly ranks: number;
  readonly call: string;
  readonly type: 'c' | 'd';
  readonly root: number;
  readonly nodes?: readonly number[];
  readonly cases: readonly (readonly [bytes: number, last: number, sum: number, weighted: number])[];
}

const models = new URL('../../../models/collectives/', import.meta.url);
const entries: readonly Recorded[] = readFileSync(new URL('selectors-3.32.jsonl', models), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
// Each rank on a core of its own.
const machine = written(
  'flat.xml',
  readFileSync(new URL('flat-nocontention.xml', models), 'utf8').replaceAll('speed=', 'core="4" speed='),
);
const hostfile = (nodes: readonly number[]): string =>
  written(`${nodes.join('-')}.txt`, nodes.map((node) => `n${node}\n`).join(''));

const CALLS = ['bcast', 'reduce', 'allreduce', 'gather', 'scatter', 'allgather'] as const;
const modelOf = (call: (typeof CALLS)[number], bytes: number, root: number): ProgramModel =>
  spmd({
    name: call,
    build(m) {
      if (call === 'allreduce' || call === 'allgather') m[call]({ bytes });
      else m[call]({ bytes, root });
    },
  });

describe.each(['mpich', 'mvapich2', 'impi'])('a model under %s', (selector) => {
  test.each(CALLS)('has the times of SimGrid for a %s of several ranks on each host', (call) => {
    const own = entries.filter(
      (e) => e.selector === selector && e.call === call && e.type === 'c' && e.nodes !== undefined && e.ranks <= 9,
    );
    let checked = 0;
    for (const { ranks, root, nodes, cases } of own) {
      const options = { machine, ranks, hostfile: hostfile(nodes!), networkModel: 'simgrid-plain' } as const;
      for (const [bytes, last] of cases.filter((_, k) => k % 6 === 0)) {
        const { figures } = predict(modelOf(call, bytes, root), { ...options, collectives: selector });
        const off = Math.abs(figures.runTime.value - last);
        expect(off, `${call} ${bytes} ${ranks}`).toBeLessThanOrEqual(1e-6 * last);
        checked++;
      }
    }
    // MPICH was recorded for the calls that depend on nodes.
    if (selector !== 'mpich' || !call.endsWith('ther') === (call !== 'scatter')) expect(checked).toBeGreaterThan(5);
  });
});

test('groups of a split have their own nodes: one rank of each node is a node, all ranks of one are its leader and others', () => {
  const on = (color: (rank: number) => number, collectives: CollectiveSelector): number =>
    predict(
      spmd({
        name: 'groups',
        build(m) {
          const comm = m.split({ color: (s) => color(s.rank) });
          m.allreduce({ bytes: 64, comm });
        },
      }),
      { machine: small, ranks: 8, collectives },
    ).figures.runTime.value;
  const small = cluster({
    ...{ nodes: 4, coresPerNode: 2, speed: '1Gf', eagerBelow: 1e6, link: { latency: '10us', bandwidth: '1GB/s' } },
    intraNode: { latency: '1us', bandwidth: '10GB/s' },
  });
  const apart = on((rank) => rank % 2, 'mpich');
  // Each rank of a group alone on its node: recursive doubling, as for ranks that do not share nodes.
  expect(apart).toBeCloseTo(2 * (20e-6 + 64e-9 * 2) - 2 * 64e-9, 6);
  // A group is one node: an allreduce there, and a bcast.
  expect(on((rank) => Math.floor(rank / 2), 'mpich')).toBeLessThan(apart / 5);
});

test.each(['mpich', 'mvapich2', 'impi'] as const)(
  'several programs under %s have the times that each has alone',
  (collectives) => {
    const lines = ['allreduce 64 0', 'bcast 30000 3', 'reduce 5000 0 1', 'scatter 600 600 2', 'allgather 40000 40000'];
    const trace = (name: string): string =>
      written(
        `${name}.ti`,
        Array.from({ length: 8 }, (_, r) =>
          ['init', ...lines, 'finalize'].map((line) => `${r} ${line}\n`).join(''),
        ).join(''),
      );
    const [A, B] = [trace('A'), trace('B')];
    const nodes = Array.from({ length: 8 }, (_, r) => r >> 1);
    const alone = predict(A, { machine, collectives, hostfile: hostfile(nodes) }).figures.runTime.value;
    const jobHostfiles = { A: hostfile(nodes), B: hostfile(nodes.map((node) => node + 4)) };
    const { jobs } = predict(A, { machine, collectives, otherPrograms: [B], jobHostfiles });
    expect(jobs!.map(({ runTime }) => runTime)).toEqual([expect.closeTo(alone, 12), expect.closeTo(alone, 12)]);
    // With one rank on each host the algorithms are others.
    expect(predict(A, { machine, collectives }).figures.runTime.value).not.toBeCloseTo(alone, 6);
  },
);

test.each(['mpich', 'mvapich2', 'impi'] as const)(
  'ranks of nodes are lumped under %s, with the time of all',
  (collectives) => {
    const on = {
      machine: cluster({
        ...{ nodes: 16, coresPerNode: 2, speed: '1Gf', eagerBelow: 1e6, link: { latency: '10us', bandwidth: '1GB/s' } },
        intraNode: { latency: '1us', bandwidth: '10GB/s' },
      }),
      ranks: 32,
      collectives,
    } as const;
    const model = spmd({
      name: 'sum',
      build(m) {
        m.allreduce({ bytes: 1000 });
      },
    });
    const full = predict(model, on).figures.runTime.value;
    const lumped = predict(model, { ...on, lump: true });
    expect(lumped.figures.runTime.value).toBeCloseTo(full, 12);
    expect(lumped.lumping!.simulated).toBeLessThan(32);
    const single = { ...on, placement: Array.from({ length: 16 }, (_, r) => r), ranks: 16 };
    expect(predict(model, single).figures.runTime.value).not.toBeCloseTo(full, 7);
  },
);

test('a model under LogGOPS knows the nodes, too', () => {
  const time = (placement: 'block' | 'cyclic'): number =>
    predict(modelOf('reduce', 3000, 1), {
      machine: cluster({
        ...{ nodes: 8, coresPerNode: 2, speed: '1Gf', eagerBelow: 1e6, link: { latency: '10us', bandwidth: '1GB/s' } },
      }),
      ...{ ranks: 8, placement, collectives: 'mvapich2', loggops: 'L=1000,o=100,G=1' },
    }).figures.runTime.value;
  expect(time('block')).not.toBe(time('cyclic'));
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { explore as exploreSpace } from '../../../src/analysis/space/explore.ts';
import { reachableFragments } from '../../../src/analysis/space/reachable-fragments.ts';
import type { Firing } from '../../../src/analysis/space/state-space.ts';
import { explore } from '../../../src/commands/explore/explore.ts';
import { spaceInput } from '../../../src/commands/explore/explore-input.ts';
import { givenInput } from '../../../src/commands/inputs/input.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import type { Machine } from '../../../src/machine/machine.ts';
import type { ProgramNet } from '../../../src/models/program/net/program-net.ts';
import type { TransitionInfo } from '../../../src/models/program/resolve/world.ts';
import { type ProgramModel, spmd } from '../../../src/models.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';

const link = { latency: '1us', bandwidth: '1GB/s' } as const;
const alone = { nodes: 3, coresPerNode: 1, speed: '1Gf', link, eagerBelow: 4096 } as const;
/** Cores of their own, shared cores, and memory before or beside the computation. */
const MACHINES: Readonly<Record<string, Machine>> = {
  cores: cluster(alone),
  shared: cluster({ ...alone, nodes: 1 }),
  memory: cluster({ ...alone, nodes: 1, coresPerNode: 3, memory: '2GB/s' }),
  overlapped: cluster({ ...alone, nodes: 1, coresPerNode: 3, memory: '2GB/s', memoryAccess: 'overlapped' }),
};

const KINDS = ['compute', 'seconds', 'load', 'bytes', 'sleep', 'reduce', 'begun', 'shift', 'threads', 'os'] as const;
/** A rank does several computations at once: its fragment has one process. */
const SEVERAL_AT_ONCE: readonly string[] = ['begun', 'threads', 'os'];
const programs = fc.record({
  machine: fc.constantFrom(...Object.keys(MACHINES)),
  ranks: fc.integer({ min: 1, max: 3 }),
  parts: fc.array(fc.record({ kind: fc.constantFrom(...KINDS), size: fc.integer({ min: 3, max: 5 }) }), {
    minLength: 1,
    maxLength: 2,
  }),
});
type Parts = (typeof programs extends fc.Arbitrary<infer T> ? T : never)['parts'];

const modelOf = (parts: Parts): ProgramModel =>
  spmd({
    name: 'random',
    build(m) {
      for (const { kind, size: digits } of parts) {
        const size = 10 ** digits;
        if (kind === 'compute') m.compute({ flops: (s) => size * (1 + s.rank) });
        else if (kind === 'seconds') m.compute({ seconds: size / 1e9 });
        else if (kind === 'load') m.compute({ flops: size, bytes: (s) => size * (1 + (s.rank % 2)) });
        else if (kind === 'bytes') m.compute({ bytes: size });
        else if (kind === 'sleep') m.sleep(size / 1e9);
        else if (kind === 'reduce') m.reduce({ bytes: 8, flops: size, root: 0 });
        else if (kind === 'begun') {
          const request = m.ireduce({ bytes: 8, flops: size, root: 0 });
          m.compute({ flops: 2 * size });
          m.wait(request);
        } else if (kind === 'shift')
          m.sendrecv({ to: (s) => (s.rank + 1) % s.size, from: (s) => (s.rank + s.size - 1) % s.size, bytes: size });
        else
          m.threads(kind === 'os' ? { workers: 1, scheduler: 'os' } : { workers: 2 }, (t) =>
            t.parallel(2, () => t.compute({ flops: size })),
          );
      }
    },
  });

test('every run stays within the fragments and the maximum of all markings', { timeout: 300_000 }, () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(programs, ({ machine, ranks, parts }) => {
      const options = { machine: MACHINES[machine]!, ranks, oversubscribe: true };
      const model = modelOf(parts);
      const { complete, fragments = [], parallelism } = explore(model, { ...options, maxStates: 10_000 });
      if (!complete) return;
      const run = predict(model, options);
      const sets = new Set(fragments.map(({ processes }) => processes.join()));
      for (const { processes } of run.fragments!.longest) expect(sets).toContain(processes.join());
      expect(run.figures.parallelism!.max.value).toBeLessThanOrEqual(parallelism!.maximum);
      // Numbers of processes that compute together for no time are not counted in the run.
      const lasting = run.fragments!.longest.filter(({ share }) => share > 1e-9).map(({ size }) => size);
      if (!parts.some(({ kind }) => SEVERAL_AT_ONCE.includes(kind)))
        expect(run.figures.parallelism!.max.value).toBe(Math.max(0, ...lasting));
      expect(parallelism!.complete).toBe(true);
      for (const { kind } of parts) seen.set(kind, Math.max(seen.get(kind) ?? 0, parallelism!.maximum));
    }),
    { numRuns: effort(60) },
  );
  expect([...seen.values()].some((most) => most > 2)).toBe(true);
});

/** What a step of a program's net adds to the computations of its rank in progress, by the meaning of its transition. */
function changeOf(program: ProgramNet, net: Net, { kind, node }: Firing): number {
  if (kind === 'serve') return 0;
  const { name, delay } = net.transitions[node]!;
  const info: TransitionInfo | undefined =
    name === 'collective compute'
      ? { statement: undefined, begins: true, ends: delay !== undefined, during: 'computing' }
      : name === 'collective computed'
        ? { statement: undefined, ends: true }
        : program.world.infos.get(name);
  const begins = info?.begins === true && kind !== 'end';
  const ends = info?.ends === true && (info.during !== undefined && delay !== undefined) === (kind === 'end');
  return Number(begins) - Number(ends);
}

test('the fragments are those of all orders of beginnings and ends', { timeout: 300_000 }, () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(programs, ({ machine, ranks, parts }) => {
      const options = { machine: MACHINES[machine]!, ranks, oversubscribe: true };
      const { net, activity, built } = spaceInput(givenInput('explore', modelOf(parts)), options);
      const space = exploreSpace(net, { maxStates: 5000 });
      if (!space.complete) return;
      const active: (readonly number[] | undefined)[] = [new Array<number>(ranks).fill(0)];
      for (let state = 0; state < space.states; state++)
        for (const firing of space.firings(state)) {
          const process = firing.kind === 'serve' ? undefined : net.transitions[firing.node]!.process;
          const by = changeOf(built!.program, net, firing);
          const rank = process?.op === 'var' ? firing.binding[process.name]! : -1;
          const after = active[state]!.map((n, r) => (r === rank ? n + by : n));
          active[firing.target] ??= after;
          expect(active[firing.target]).toEqual(after);
        }
      const sets = active.map((counts) => counts!.flatMap((n, rank) => (n > 0 ? [rank] : [])).join());
      const { fragments } = reachableFragments(space, activity!);
      expect(fragments.map(({ processes }) => processes.join()).sort()).toEqual([...new Set(sets)].sort());
      for (const { processes, markings } of fragments)
        expect(sets.filter((set) => set === processes.join()).length).toBe(markings);
      for (const { kind } of parts) seen.add(kind);
    }),
    { numRuns: effort(60) },
  );
  expect(seen.size).toBeGreaterThan(atFullEffort(KINDS.length - 3));
});

test('computations at the same time reach the maximum of the space in a run', () => {
  const model = spmd({ name: 'equal', build: (m) => m.compute({ flops: 1000 }) });
  for (const [name, machine] of Object.entries(MACHINES)) {
    const options = { machine, ranks: 3, oversubscribe: true };
    expect([name, explore(model, options).parallelism!.maximum]).toEqual([name, 3]);
    expect(predict(model, options).figures.parallelism!.max.value).toBe(3);
  }
});

test('ping-pong has the fragments of either rank', () => {
  const model = spmd({
    name: 'pingPong',
    build(m) {
      const turn = (from: number): void => {
        m.when(
          (s) => s.rank === from,
          () => {
            m.compute({ flops: 1000 });
            m.send({ to: 1 - from, bytes: 8 });
          },
          () => m.recv({ from }),
        );
      };
      turn(0);
      turn(1);
    },
  });
  const { fragments, parallelism } = explore(model, { ranks: 2 });
  expect(fragments!.map(({ processes }) => processes)).toEqual([[0], [1], []]);
  expect(parallelism).toMatchObject({ maximum: 1, fragments: 3, complete: true });
  expect(parallelism!.witness.steps!.at(-1)).toMatch(/^"compute 1"/);
});

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { explain } from '../../../src/commands/predict/view/explain.ts';
import { type ClusterOptions, cluster } from '../../../src/machine/cluster.ts';
import { changeMachine, machineParameters } from '../../../src/machine/description/machine-parameters.ts';
import type { Machine } from '../../../src/machine/machine.ts';
import { type ProgramModel, spmd, type ThreadModel, threads } from '../../../src/models.ts';
import { effort } from '../../effort.ts';

/** Parameters that are no resources: thresholds, and the number of nodes, which changes the placement. */
const NO_RESOURCE = /eagerBelow|detachedBelow|^nodes$/;
const isTime = (unit: string): boolean => unit === 's' || unit === 's/B';

/** The gains of all single doublings of a machine, straight from its list of parameters. */
function gains(
  run: (machine: Machine) => number,
  machine: Machine,
): { readonly path: string; readonly gain: number }[] {
  const time = run(machine);
  return machineParameters(machine).flatMap(({ path, unit, value }) => {
    if (NO_RESOURCE.test(path) || value === undefined || value === 0) return [];
    return [{ path, gain: time - run(changeMachine(machine, path, isTime(unit) ? 'x0.5' : 'x2')) }];
  });
}

const machines = fc
  .record({
    nodes: fc.constantFrom(1, 2, 4),
    coresPerNode: fc.constantFrom(1, 2),
    speed: fc.constantFrom(1e8, 1e9, 1e10),
    memory: fc.constantFrom(undefined, 1e9, 1e10),
    latency: fc.constantFrom(1e-6, 1e-4),
    bandwidth: fc.constantFrom(1e7, 1e9),
    eagerBelow: fc.constantFrom(0, 4096, 1e9),
    send: fc.constantFrom(0, 1e-5),
    gap: fc.constantFrom(0, 1e-5),
  })
  .map(({ latency, bandwidth, send, memory, ...rest }) =>
    cluster({
      ...rest,
      ...(memory === undefined ? {} : { memory, memoryPerCore: memory / 2 }),
      link: { latency, bandwidth },
      overhead: { send, receive: 0, perByte: 0 },
    } as unknown as ClusterOptions),
  );

const KINDS = ['compute', 'seconds', 'load', 'sleep', 'allreduce', 'shift', 'gather', 'threads'] as const;
const phases = fc.array(
  fc.record({ kind: fc.constantFrom(...KINDS), size: fc.integer({ min: 3, max: 6 }).map((k) => 10 ** k) }),
  { minLength: 1, maxLength: 4 },
);
type Phases = typeof phases extends fc.Arbitrary<infer T> ? T : never;

const programOf = (all: Phases): ProgramModel =>
  spmd({
    name: 'phases',
    build(m) {
      for (const { kind, size } of all)
        if (kind === 'compute') m.compute({ flops: (s) => size * (1 + (s.rank % 3)) });
        else if (kind === 'seconds') m.compute({ seconds: size / 1e9 });
        else if (kind === 'load') m.compute({ flops: size, bytes: (s) => size * (1 + (s.rank % 2)) });
        else if (kind === 'sleep') m.sleep(size / 1e9);
        else if (kind === 'allreduce') m.allreduce({ bytes: size });
        else if (kind === 'shift')
          m.sendrecv({
            to: (s) => (s.rank + 1) % s.size,
            from: (s) => (s.rank + s.size - 1) % s.size,
            bytes: size,
          });
        else if (kind === 'gather')
          m.when(
            (s) => s.rank === 0,
            () => {
              for (let k = 1; k < m.size; k++) m.recv({ from: k });
            },
            () => m.send({ to: 0, bytes: size }),
          );
        else m.threads({ workers: 2, scheduler: 'os' }, (t) => t.parallel(2, () => t.compute({ flops: size })));
    },
  });

/** Checks a limit against the gains of all single doublings. */
function expectLargest(document: PredictionDocument, all: readonly { readonly path: string; readonly gain: number }[]) {
  const time = document.figures.runTime.value;
  const { limit } = document;
  if (limit === undefined || limit.kind === 'unknown') throw new Error('no limit');
  // A resource that gains less than 1 % is not named.
  const least = limit.kind === 'dependencies' ? 0.01 * time : limit.gain;
  for (const { path, gain } of all) expect([path, gain]).toEqual([path, Math.min(gain, least + 1e-9 * time)]);
  if (limit.kind === 'dependencies' || limit.name === 'workers' || limit.name === 'machine.threads') return;
  const own = all.find(({ path }) => `machine.${path}` === limit.name)!;
  expect(limit.gain).toBeCloseTo(own.gain, 12);
  expect(limit.gain).toBeGreaterThanOrEqual(0.01 * time);
}

describe('the limit of a run', () => {
  test('no single doubling gains more: random programs on random machines', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(phases, machines, fc.integer({ min: 1, max: 6 }), (all, machine, ranks) => {
        const model = programOf(all);
        const options = { ranks, oversubscribe: true };
        const document = predict(model, { ...options, machine, secondRuns: true });
        if (document.figures.runTime.value === 0) return;
        const run = (m: Machine): number => predict(model, { ...options, machine: m }).figures.runTime.value;
        expectLargest(document, gains(run, machine));
        seen.add(document.limit!.kind);
      }),
      { numRuns: effort(250) },
    );
    expect(seen.size).toBeGreaterThan(2);
  });

  test('no single doubling gains more: thread programs', () => {
    fc.assert(
      fc.property(
        fc.record({
          n: fc.constantFrom(1, 4, 64),
          grain: fc.constantFrom(1, 8),
          flops: fc.constantFrom(0, 1e3, 1e6),
          bytes: fc.constantFrom(0, 1e4, 1e7),
          lock: fc.boolean(),
          scheduler: fc.constantFrom('os' as const, 'central' as const),
          workers: fc.constantFrom(undefined, 1, 4),
        }),
        ({ n, grain, flops, bytes, lock, scheduler, workers }) => {
          const model: ThreadModel = threads({
            name: 'loop',
            build(t) {
              const mutex = t.mutex('m');
              t.parallelFor({
                n,
                grain,
                schedule: 'dynamic',
                body(b) {
                  if (lock) b.lock(mutex);
                  b.compute({ flops: ({ count }) => flops * count!, bytes: ({ count }) => bytes * count! });
                  if (lock) b.unlock(mutex);
                },
              });
            },
          });
          const machine = cluster({
            nodes: 1,
            coresPerNode: 4,
            speed: 1e9,
            memory: 2e10,
            memoryPerCore: 1e10,
            link: { latency: 1e-6, bandwidth: 1e9 },
            eagerBelow: 0,
          } as unknown as ClusterOptions);
          const options = { scheduler, ...(workers === undefined ? {} : { workers }) };
          const document = predict(model, { ...options, machine, secondRuns: true });
          const run = (m: Machine): number => predict(model, { ...options, machine: m }).figures.runTime.value;
          const own = gains(run, machine);
          const more = { ...options, machine, workers: 2 * (workers ?? 4) };
          const time = document.figures.runTime.value;
          expectLargest(document, [
            ...own,
            { path: 'workers', gain: time - predict(model, more).figures.runTime.value },
          ]);
        },
      ),
      { numRuns: effort(120) },
    );
  });

  const plain = (more: object): Machine =>
    cluster({
      nodes: 8,
      coresPerNode: 1,
      speed: 1e9,
      link: { latency: 1e-6, bandwidth: 1e9 },
      eagerBelow: 65536,
      ...more,
    } as unknown as ClusterOptions);
  const limitOf = (model: ProgramModel | ThreadModel, machine: Machine, ranks?: number) => {
    const document = predict(model, { machine, secondRuns: true, ...(ranks === undefined ? {} : { ranks }) });
    return { limit: document.limit!, text: explain(document)?.limit ?? '', time: document.figures.runTime.value };
  };

  it('of one receiver is the bandwidth of its link, not its idle senders', () => {
    const model = programOf([{ kind: 'gather', size: 1e5 }]);
    const { limit, text } = limitOf(model, plain({}), 8);
    expect(limit).toMatchObject({ kind: 'bandwidth', name: 'machine.link.bandwidth' });
    expect(text).toContain('node0.down');
  });

  it('of work in seconds is no resource', () => {
    const { limit, text } = limitOf(programOf([{ kind: 'seconds', size: 1e9 }]), plain({}), 4);
    expect(limit).toMatchObject({ kind: 'dependencies', gain: 0 });
    expect(text).toContain('the work is given in seconds');
    expect(text).not.toMatch(/would|more cores/);
  });

  it('of constant work per rank is the speed of the cores: half of the run', () => {
    const { limit, time } = limitOf(programOf([{ kind: 'compute', size: 1e9 }]), plain({}), 1);
    expect(limit).toMatchObject({ kind: 'computing', name: 'machine.speed' });
    expect((limit as { gain: number }).gain).toBeCloseTo(time / 2, 9);
  });

  it('is not sought by default, nor for runs of many firings', () => {
    const model = spmd({ name: 'loop', build: (m) => m.loop(300_000, () => m.compute({ seconds: 1e-9 })) });
    expect(predict(model, { machine: plain({}), ranks: 1 }).limit).toBeUndefined();
    const { limit } = predict(model, { machine: plain({}), ranks: 1, secondRuns: true });
    expect(limit).toMatchObject({ kind: 'unknown', because: expect.stringContaining('firings') });
  });
});

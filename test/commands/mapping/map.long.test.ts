import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import type { InputError } from '../../../src/base/problem.ts';
import { map } from '../../../src/commands/mapping/map.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster, counter, type ProgramModel, spmd } from '../../../src/models.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { close } from '../../../src/net/merge/close.ts';
import { merge } from '../../../src/net/merge/merge.ts';
import { effort } from '../../effort.ts';

/** Machines that differ in what they share: cores, memory, storage, interfaces, the protocol. */
const machines = fc.record({
  nodes: fc.integer({ min: 1, max: 4 }),
  coresPerNode: fc.integer({ min: 1, max: 4 }),
  speed: fc.constantFrom('1Gf', '2.4Gf'),
  link: fc.constant({ latency: '10us', bandwidth: '1.25GB/s' }),
  intraNode: fc.constant({ latency: '1us', bandwidth: '10GB/s' }),
  eagerBelow: fc.constantFrom(0, 4096, '64KiB'),
  memory: fc.constantFrom(undefined, '20GB/s'),
  memoryAccess: fc.constantFrom('after' as const, 'overlapped' as const),
  storage: fc.constantFrom(undefined, { latency: '1ms', bandwidth: '100MB/s' }),
  gap: fc.constantFrom(undefined, '20us'),
});

const step = fc.record({
  flops: fc.integer({ min: 0, max: 1e7 }),
  bytes: fc.constantFrom(undefined, 100_000, 3_000_000),
  message: fc.integer({ min: 0, max: 200_000 }),
  shift: fc.integer({ min: 1, max: 3 }),
  what: fc.constantFrom('ring', 'allreduce', 'file', 'sleep'),
});

function modelOf(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): ProgramModel {
  return spmd({
    name: 'random',
    vars: { k: counter() },
    build(m) {
      m.loop('k', 2, () => {
        for (const { flops, bytes, message, shift, what } of steps) {
          m.compute({ flops: (s) => flops * (1 + s.rank), ...(bytes === undefined ? {} : { bytes }) });
          if (what === 'ring')
            m.sendrecv({
              to: (s) => (s.rank + shift) % s.size,
              from: (s) => (s.rank + s.size - (shift % s.size)) % s.size,
              bytes: (s) => message + s.rank,
              tag: 1,
            });
          else if (what === 'allreduce') m.allreduce({ bytes: message, flops: 1000 });
          else if (what === 'file') m.writeFile({ bytes: message });
          else m.sleep(1e-3);
        }
      });
    },
  }) as unknown as ProgramModel;
}

describe('mapping by synchronised merge', () => {
  test('gives the run time of the prediction, for every kind of machine', { timeout: 600_000 }, () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        machines,
        fc.array(step, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 5 }),
        (given, steps, ranks) => {
          const machine = cluster(
            Object.fromEntries(Object.entries(given).filter(([, v]) => v !== undefined)) as never,
          );
          const model = modelOf(steps);
          const { net, machine: module } = map(model, { machine, ranks, oversubscribe: true });
          for (const t of module.transitions) seen.add(t.name);
          const merged = predict(net);
          const { value } = predict(model, { machine, ranks, oversubscribe: true }).figures.runTime!;
          expect(merged.deadlock).toEqual([]);
          expect(Math.abs(merged.figures.runTime!.value - value)).toBeLessThanOrEqual(1e-12 * value);
        },
      ),
      { numRuns: effort(30) },
    );
    for (const label of ['compute', 'computed', 'load', 'loaded', 'access', 'accessed', 'transfer', 'transferred'])
      expect(seen).toContain(label);
  });

  const machine = cluster({
    nodes: 2,
    coresPerNode: 1,
    speed: '1Gf',
    link: { latency: '10us', bandwidth: '1GB/s' },
    eagerBelow: 0,
  });

  test('the modules are open nets with the labels of each other', () => {
    const model = spmd({ name: 'one', build: (m) => m.compute({ flops: 2e9 }) }) as unknown as ProgramModel;
    const { program, machine: module, net } = map(model, { machine, ranks: 2 });
    const labels = (n: typeof net): string[] => [...new Set(n.transitions.flatMap((t) => t.label?.name ?? []))].sort();
    expect(labels(program)).toEqual(['compute', 'computed']);
    expect(labels(module)).toEqual(['compute', 'computed']);
    expect(labels(net)).toEqual([]);
    const merged = predict(net);
    expect(merged.figures.runTime!.value).toBe(2);
    expect(merged.figures.parallelism!.max.value).toBe(2);
    expect(() => predict(module)).toThrow('takes no token');
  });

  test('a variable that a partner must bind may have an infinite colour set until the net runs', () => {
    const n = new NetBuilder('open');
    const Amount = n.integer('Amount');
    const idle = n.place('idle', {}, { initial: 1 });
    n.transition('work', (t) => {
      t.take(idle);
      const w = t.free('w', Amount);
      t.label('work', { w });
      t.delay(w);
    });
    const open = n.build();
    expect(() => simulate(open)).toThrow('no partner binds it, and colour set "Amount" is infinite');
    const asks = new NetBuilder('asks');
    const ask = asks.place('ask', { w: asks.integer('Amount') }, { initial: [{ w: 3 }] });
    asks.transition('ask work', (t) => t.label('work', { w: t.take(ask).w }));
    expect(simulate(close(merge([open, asks.build()]))).time).toBe(3);
  });

  test.each([
    [
      'an amount that is not whole',
      () => spmd({ name: 'x', build: (m) => m.compute({ flops: 1.5 }) }),
      /flops: expected a whole number, got 1\.5/,
    ],
    [
      'a region of threads',
      () => spmd({ name: 'x', build: (m) => m.threads({ workers: 2 }, (t) => t.compute({ flops: 8 })) }),
      /a region of threads/,
    ],
  ])('refuses %s', (_, make, message) => {
    try {
      map(make() as unknown as ProgramModel, { machine, ranks: 1 });
      expect.unreachable();
    } catch (e) {
      expect((e as InputError).problems[0]!.code).toBe('MODEL042');
      expect((e as InputError).problems[0]!.message).toMatch(message);
    }
  });
});

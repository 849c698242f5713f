import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { verifyProgram } from '../../src/commands/verify/program/verify-program.ts';
import { arbitraryProgram } from '../../src/fast-check.ts';
import { cluster, noise, type ProgramModel, spmd } from '../../src/models.ts';
import type { MatcherResult } from '../../src/testing/answer.ts';
import * as matchers from '../../src/testing/net-matchers.ts';
import { sharedWork } from '../../src/testing/subject.ts';
import { atFullEffort, effort } from '../effort.ts';
import { fft } from './fft-model.ts';

const machine = (detachedBelow: number) =>
  cluster({
    nodes: 8,
    coresPerNode: 1,
    speed: '1Gf',
    link: { latency: '5us', bandwidth: '1GB/s' },
    eagerBelow: 0,
    detachedBelow,
  });

const asks = (matcher: typeof matchers.toBeSound, model: ProgramModel, options = {}): boolean[] =>
  [false, true].map((isNot) => matcher.call({ isNot }, model, options).pass);

const messageOf = (result: MatcherResult): string => result.message();

describe('soundness of a model', () => {
  const sameVerdict = (model: ProgramModel, eager: boolean, byNet: boolean): 'sound' | 'deadlock' | 'other' => {
    const [one] = verifyProgram(model, { sends: eager ? 'eager' : 'rendezvous' }).instances;
    const on = { machine: machine(eager ? 1e9 : 0) };
    const free = one!.deadlock === undefined;
    expect(asks(matchers.toBeSound, model, on)).toEqual([one!.sound, one!.sound]);
    expect(asks(matchers.toBeDeadlockFree, model, on)).toEqual([free, free]);
    if (byNet) {
      // With an explicit final marking, the net is explored.
      const given = { ...on, final: `tokens(ended) = ${one!.ranks}` };
      expect(asks(matchers.toBeDeadlockFree, model, given)).toEqual([free, free]);
      expect(asks(matchers.toBeSound, model, given)).toEqual([one!.sound, one!.sound]);
    }
    return one!.sound === true ? 'sound' : free ? 'other' : 'deadlock';
  };

  test('is the same for toBeSound and verify, on random programs with faults', { timeout: 120_000 }, () => {
    const seen = { sound: 0, deadlock: 0, other: 0 };
    fc.assert(
      fc.property(arbitraryProgram({ ranks: 3, events: 5, mutated: true }), fc.boolean(), ({ model }, eager) => {
        seen[sameVerdict(model, eager, false)]++;
      }),
      { numRuns: effort(60), seed: 5 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(Math.max(0, atFullEffort(2)));
  });

  test('is the same for the net of the program, explored', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(arbitraryProgram({ ranks: 2, events: 3, mutated: true }), fc.boolean(), ({ model }, eager) => {
        sameVerdict(model, eager, true);
      }),
      { numRuns: 20, seed: 6 },
    );
  });

  test.each([
    ['a noisy computation', { flops: 1e6, noise: noise.normal(0.1) }],
    ['a noisy computation of nothing', { flops: 0, noise: noise.normal(0.1) }],
    ['a computation of nothing', { flops: 0 }],
    ['memory that is not moved', { flops: 0, bytes: 0 }],
  ])('%s is not a dead transition', (_, work) => {
    const model = spmd({ name: 'empty', verifyWith: { ranks: 2 }, build: (m) => m.compute(work) });
    expect(asks(matchers.toBeSound, model as ProgramModel)).toEqual([true, true]);
    expect(asks(matchers.toBeSound, model as ProgramModel, { final: 'tokens(ended) = 2' })).toEqual([true, true]);
    expect(verifyProgram(model).instances.map((i) => i.sound)).toEqual([true, true]);
  });

  test('a message without a partner counts as done, a statement that no rank reaches does not', () => {
    const none = spmd({ name: 'none', build: (m) => m.send({ to: () => null, bytes: 8 }) });
    const never = spmd({
      name: 'never',
      build: (m) =>
        m.when(
          (s) => s.rank > 7,
          () => m.compute({ flops: 1 }),
        ),
    });
    for (const [model, sound] of [
      [none, true],
      [never, false],
    ] as const) {
      expect(verifyProgram(model, { ranks: 2 }).instances.map((i) => i.sound)).toEqual([sound, sound]);
      expect(asks(matchers.toBeSound, model as ProgramModel, { ranks: 2 })).toEqual([sound, sound]);
    }
  });
});

describe('a failure of a model', () => {
  const ring = spmd({
    name: 'ring',
    verifyWith: { ranks: 3 },
    build(m) {
      m.send({ to: (s) => (s.rank + 1) % s.size, bytes: 1e6 });
      m.recv({ from: (s) => (s.rank + s.size - 1) % s.size });
    },
  }) as ProgramModel;

  test.each([
    ['toBeDeadlockFree', matchers.toBeDeadlockFree],
    ['toBeSound', matchers.toBeSound],
  ] as const)('%s explains it like verify', (_, matcher) => {
    const text = messageOf(matcher.call({}, ring));
    expect(text).toContain('Violated for 3 ranks, sends as on the machine: deadlock');
    expect(text).toMatch(
      /cycle: 0 → 1 → 2 → 0\n {2}rank 0: send, program-matchers\.long\.test\.ts:\d+, waits for rank 1/,
    );
    expect(text).toMatch(/^reproduce with: foretoken verify \S+ --property/m);
  });
});

describe('matchers of one model', () => {
  test('three matchers need a fraction of a second on 16 ranks', () => {
    const model = fft() as ProgramModel;
    const before = process.cpuUsage();
    expect(asks(matchers.toBeDeadlockFree, model, { ranks: 16 })).toEqual([true, true]);
    expect(asks(matchers.toBeSound, model, { ranks: 16 })).toEqual([true, true]);
    expect(matchers.toFinishWithin.call({}, model, 1, { ranks: 16 }).pass).toBe(true);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(4);
  });

  test('share the work of one net, but not of different nets', () => {
    const model = fft() as ProgramModel;
    const make = vi.fn(() => ({}));
    const net = (bytes: number) => ({ name: 'n', colours: [], tables: [], places: [], transitions: [], bytes });
    const first = sharedWork(model, net(1) as never)('x', make);
    expect(sharedWork(model, net(1) as never)('x', make)).toBe(first);
    expect(make).toHaveBeenCalledTimes(1);
    expect(sharedWork(model, net(2) as never)('x', make)).not.toBe(first);
    expect(sharedWork(fft(), net(1) as never)('x', make)).not.toBe(first);
    // Nets with functions of the host language are not shared, because their behaviour cannot be compared.
    const functions = { ...net(3), functions: [{ name: 'f' }] };
    expect(sharedWork(model, functions as never)('x', make)).not.toBe(sharedWork(model, functions as never)('x', make));
    // Only the last nets are kept.
    for (const n of [4, 5, 6, 7]) sharedWork(model, net(n) as never)('x', make);
    expect(sharedWork(model, net(1) as never)('x', make)).not.toBe(first);
  });

  test('see changes of a model between calls', () => {
    let receives = true;
    const model = spmd({
      name: 'changing',
      verifyWith: { ranks: 2 },
      build(m) {
        m.when(
          (s) => s.rank === 0,
          () => m.send({ to: 1, bytes: 8 }),
          () => {
            if (receives) m.recv({ from: 0 });
          },
        );
      },
    }) as ProgramModel;
    expect(asks(matchers.toBeSound, model)).toEqual([true, true]);
    receives = false;
    expect(asks(matchers.toBeSound, model)).toEqual([false, false]);
    receives = true;
    expect(asks(matchers.toBeSound, model)).toEqual([true, true]);
  });
});

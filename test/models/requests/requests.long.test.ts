import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { verifyProgram } from '../../../src/commands/verify/program/verify-program.ts';
import { counter, flag, range, spmd } from '../../../src/models.ts';

// biome-ignore lint/suspicious/noExplicitAny: builders of models with different variables
type Any = any;

interface Recorded {
  readonly call: 'testany' | 'testsome' | 'testall' | 'accumulate' | 'put' | 'get';
  readonly bytes: number;
  readonly step: number;
  readonly time: number;
}

const recorded = readFileSync(join(import.meta.dirname, 'requests-3.32.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);
const machine = join(import.meta.dirname, '../collectives/cluster.xml');

/** The program of requests.c: what rank 0 has found is a computation after its loop. */
const asking = (call: Recorded['call'], bytes: number, step: number) =>
  spmd({
    name: 'requests',
    ranks: (n) => n === 2,
    vars: { done: flag(), index: range(0, 1), found: range(0, 2), taken: range(0, 2), told: range(0, 8), k: counter() },
    build(m) {
      const second = Math.floor(bytes / 1024) % 2 === 0;
      m.when(
        (s) => s.rank === 1,
        () => {
          m.compute({ flops: 300_000 });
          m.send({ to: 0, tag: second ? 2 : 1, bytes });
          m.compute({ flops: 50_000 });
          m.send({ to: 0, tag: second ? 1 : 2, bytes });
        },
        () => {
          const all = [m.irecv({ from: 1, tag: 1 }), m.irecv({ from: 1, tag: 2 })];
          m.while(
            (s) => s.taken < 2,
            () => {
              if (call === 'testany') {
                m.testAny(all, { done: 'done', index: 'index' });
                m.when(
                  (s) => s.done,
                  () => {
                    m.let('told', (s) => 3 * s.told + s.index);
                    m.let('taken', (s) => s.taken + 1);
                  },
                );
              } else if (call === 'testsome') {
                m.testSome(all, { count: 'found' });
                m.when(
                  (s) => s.taken === 0,
                  () => m.let('told', (s) => s.found),
                );
                m.let('taken', (s) => s.taken + s.found);
              } else {
                m.testAll(all, { done: 'done' });
                m.when(
                  (s) => s.done,
                  () => m.let('taken', 2),
                );
              }
              m.compute({ flops: step });
            },
          );
          m.compute({ flops: (s) => 1e6 * s.told });
        },
      );
    },
  });

const oneSided = (call: Recorded['call'], bytes: number) =>
  spmd({
    name: 'one-sided',
    ranks: (n) => n === 2,
    build(m) {
      m.when(
        (s) => s.rank === 0,
        () => {
          if (call === 'accumulate') m.accumulate({ to: 1, bytes });
          else if (call === 'put') m.put({ to: 1, bytes });
          else m.get({ from: 1, bytes });
        },
      );
    },
  });

describe('requests, as SimGrid executes the same program', () => {
  test.each([...new Set(recorded.map(({ call }) => call))])('a program with %s ends at the same time', (call) => {
    const cases = recorded.filter((one) => one.call === call);
    expect(cases.length).toBeGreaterThanOrEqual(6);
    for (const { bytes, step, time } of cases) {
      const model = call.startsWith('test') ? asking(call, bytes, step) : oneSided(call, bytes);
      const { ranks } = predict(model, { machine, cfg: 'smpi/test:0' });
      const end = ranks[0]!.endTime!;
      expect(Math.abs(end - time), `${call} ${bytes} ${step}: ${end} instead of ${time}`).toBeLessThanOrEqual(
        1e-6 * time,
      );
    }
  });
});

describe('tests of several requests', () => {
  /** Seconds of a rank: 1 for each flag that was set, in the order of the bits. */
  const told = (build: (m: Any, all: readonly Any[]) => void): number => {
    const model = spmd({
      name: 'flags',
      ranks: (n) => n === 1,
      vars: { done: flag(), index: range(0, 2), count: range(0, 2) },
      build(m) {
        build(m, [m.irecv({ from: null }), m.irecv({ from: null, tag: 1 })]);
      },
    });
    return predict(model, { machine }).figures.runTime.value;
  };
  const tell = (m: Any): void => m.sleep((s: Any) => Number(s.done) + 2 * s.index + 8 * s.count);

  test('testAny takes one request at a time, and sets its flag when none is left, with the index as it was', () => {
    const times = (calls: number): number =>
      told((m, all) => {
        m.let('index', 2);
        for (let k = 0; k < calls; k++) m.testAny(all, { done: 'done', index: 'index' });
        tell(m);
        m.waitAll(all);
      });
    expect([0, 1, 2, 3].map(times)).toEqual([4, 1, 3, 3]);
    expect(
      told((m, all) => {
        m.testAny([], { done: 'done' });
        tell(m);
        m.waitAll(all);
      }),
    ).toBe(1);
  });

  test('testSome takes all that are complete, then none', () => {
    const times = (calls: number): number =>
      told((m, all) => {
        for (let k = 0; k < calls; k++) m.testSome(all, { count: 'count' });
        tell(m);
        m.waitAll(all);
      });
    expect([0, 1, 2].map(times)).toEqual([0, 16, 0]);
  });

  test('testAll holds for complete requests and for those that were taken', () => {
    expect(
      told((m, all) => {
        m.testAny(all, { done: 'done' });
        m.testAll(all, { done: 'done' });
        m.testAll(all, { done: 'done' });
        tell(m);
      }),
    ).toBe(1);
  });

  test.each<[string, (m: Any, all: readonly Any[]) => void, RegExp]>([
    [
      'a flag that is a number',
      (m, all) => m.testAny(all, { done: 'index' }),
      /MODEL016 variable "index" cannot hold true or false/,
    ],
    [
      'an unknown option',
      (m, all) => m.testAll(all, { done: 'done', index: 'index' }),
      /MODEL018 testAll has no option "index"/,
    ],
    ['a list that is none', (m) => m.testSome(3), /MODEL015 expected a list of requests, got 3/],
    [
      'bytes that are no number',
      (m, all) => {
        m.waitAll(all);
        m.accumulate({ to: 0, bytes: -1 });
      },
      /MODEL020 bytes of an accumulate: expected an integer >= 0/,
    ],
  ])('%s is refused', (_, build, message) => {
    expect(() => told(build)).toThrow(message);
  });
});

test('a model that tests and accumulates is free of deadlocks in every order', () => {
  const model = spmd({
    name: 'orders',
    ranks: (n) => n === 2,
    vars: { done: flag() },
    build(m) {
      const r = m.irecv({ from: (s) => 1 - s.rank });
      m.send({ to: (s) => 1 - s.rank, bytes: 8 });
      m.testAny([r], { done: 'done' });
      m.testAll([r], { done: 'done' });
      m.wait(r);
      m.accumulate({ to: (s) => 1 - s.rank, bytes: 8 });
      m.fence();
    },
  });
  const { instances } = verifyProgram(model, { sends: 'eager' });
  const verdicts = instances.map(({ properties }) => properties.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts).toEqual([['deadlock-free', 'ends', 'received', 'supplied'].map((id) => [id, true])]);
  expect(instances[0]!.sound).toBe(true);
});

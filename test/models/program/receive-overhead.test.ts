import { describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster, counter, flag, type ProgramModel, range, spmd } from '../../../src/models.ts';

const OVERHEAD = { send: 0, receive: 1e-3, perByte: 1e-6 };
const BYTES = 500;
/** Each byte takes time of both processors; a message crosses two links. */
const ARRIVES = BYTES * OVERHEAD.perByte + 2 * 10e-6 + BYTES / 1e9;
const SPENDS = OVERHEAD.receive + BYTES * OVERHEAD.perByte;
const machine = cluster({
  nodes: 2,
  coresPerNode: 1,
  speed: '1Gf',
  link: { latency: '10us', bandwidth: '1GB/s' },
  eagerBelow: 4096,
  overhead: OVERHEAD,
});

/** A model in which rank 0 sends one message and rank 1 completes its request in some way. */
function completing(complete: (m: never, request: never) => void): number {
  const model = spmd({
    name: 'receiver',
    vars: { which: range(0, 0), k: range(0, 1), done: flag(), i: counter() },
    build(m) {
      m.when(
        (s) => s.rank === 0,
        () => m.send({ to: 1, bytes: BYTES }),
        () => complete(m as never, m.irecv({ from: 0 }) as never),
      );
    },
  }) as unknown as ProgramModel;
  const { figures, deadlock } = predict(model, { machine, ranks: 2 });
  expect(deadlock).toEqual([]);
  return figures.runTime!.value;
}

// biome-ignore lint/suspicious/noExplicitAny: the builder of a model of any variables
type Any = any;

describe('the time of a receive is spent once, by whatever call completes it', () => {
  test.each([
    ['wait', (m: Any, r: Any) => m.wait(r)],
    ['waitAll', (m: Any, r: Any) => m.waitAll([r])],
    ['waitAny', (m: Any, r: Any) => m.waitAny([r], { index: 'which' })],
    ['waitSome', (m: Any, r: Any) => m.waitSome([r], { count: 'k' })],
    [
      'waitAny, then wait',
      (m: Any, r: Any) => {
        m.waitAny([r], { index: 'which' });
        m.wait(r);
      },
    ],
  ])('is spent by %s', (_, complete) => {
    expect(completing(complete)).toBeCloseTo(ARRIVES + SPENDS, 12);
  });

  test('a test that finds it complete', () => {
    const before = 1e-3;
    const time = completing((m: Any, r: Any) => {
      m.compute({ seconds: before });
      m.test(r, { done: 'done' });
    });
    expect(time).toBeCloseTo(before + SPENDS, 12);
  });
});

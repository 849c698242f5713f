import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { verifyProgram } from '../../../src/commands/verify/program/verify-program.ts';
import { ANY, cluster, counter, flag, rankVar, spmd } from '../../../src/models.ts';

interface Recorded {
  readonly call: 'probe' | 'any' | 'iprobe' | 'claimed';
  readonly bytes: number;
  readonly step: number;
  readonly eager: boolean;
  readonly time: number;
}

const recorded = readFileSync(join(import.meta.dirname, 'probes-3.32.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);
const machine = join(import.meta.dirname, '../collectives/cluster.xml');

/** The program of probes.c. */
const probing = (call: Recorded['call'], bytes: number, step: number) =>
  spmd({
    name: 'probes',
    ranks: (n) => n === 2,
    vars: { done: flag(), who: rankVar(), tag: counter(2), looks: counter(1000) },
    build(m) {
      const second = Math.floor(bytes / 1024) % 2 === 0;
      const tags = call === 'claimed' ? [1, 1] : second ? [2, 1] : [1, 2];
      m.when(
        (s) => s.rank === 1,
        () => {
          m.compute({ flops: 300_000 });
          const first = m.isend({ to: 0, tag: tags[0]!, bytes });
          m.compute({ flops: 50_000 });
          m.waitAll([first, m.isend({ to: 0, tag: tags[1]!, bytes })]);
        },
        () => {
          if (call === 'claimed') {
            const open = m.irecv({ from: 1, tag: 1 });
            m.probe({ from: 1, tag: 1 });
            m.compute({ flops: step });
            m.recv({ from: 1, tag: 1 });
            m.wait(open);
          } else if (call === 'any') {
            m.loop(2, () => {
              m.probe({ from: ANY, tag: ANY, into: { source: 'who', tag: 'tag' } });
              m.compute({ flops: (s) => 1e6 * s.tag });
              m.recv({ from: (s) => s.who, tag: (s) => s.tag });
            });
          } else {
            if (call === 'probe') {
              m.probe({ from: 1, tag: 1 });
              m.compute({ flops: step });
            } else {
              m.while(
                (s) => !s.done,
                () => {
                  m.compute({ flops: step });
                  m.iprobe({ from: 1, tag: 1, done: 'done' });
                  m.let('looks', (s) => s.looks + 1);
                },
              );
              m.compute({ flops: (s) => 10_000 * s.looks });
            }
            m.recv({ from: 1, tag: 1 });
            m.recv({ from: 1, tag: 2 });
          }
        },
      );
    },
  });

/** SimGrid's MPI_Probe looks every 0.1 µs in the recorded runs: a run with two of them is late by at most 0.2 µs. */
const LATE = 2e-7;

describe('probes, as SimGrid executes the same program', () => {
  test.each(['probe', 'any', 'iprobe', 'claimed'] as const)('a program with %s ends at the same time', (call) => {
    const cases = recorded.filter((one) => one.call === call);
    expect(cases.length).toBeGreaterThanOrEqual(12);
    for (const { bytes, step, eager, time } of cases) {
      const cfg = `smpi/async-small-thresh:${eager ? 65536 : 0}`;
      const end = predict(probing(call, bytes, step), { machine, cfg }).ranks[0]!.endTime!;
      const message = `${call} ${bytes} ${step} ${eager}: ${end} instead of ${time}`;
      expect(end, message).toBeLessThanOrEqual(time * (1 + 1e-9));
      expect(end, message).toBeGreaterThanOrEqual(time * (1 - 1e-9) - (call === 'iprobe' ? 0 : LATE));
    }
  });
});

describe('what a probe sees', () => {
  /** Seconds at which rank 0 ends, which are 1 for each flag that a look has set. */
  // biome-ignore lint/suspicious/noExplicitAny: builders of models with different variables
  type Any = any;
  const told = (receiver: (m: Any) => void, sender: (m: Any) => void = () => undefined, ranks = 2): number => {
    const model = spmd({
      name: 'seen',
      vars: { done: flag(), who: rankVar(), tag: counter(9) },
      build: (m) =>
        m.when(
          (s) => s.rank === 0,
          () => receiver(m),
          () => sender(m),
        ),
    });
    return predict(model, { machine: free, ranks }).ranks[0]!.endTime!;
  };
  const free = cluster({
    nodes: 4,
    coresPerNode: 1,
    speed: 1e9,
    link: { latency: 0, bandwidth: 1e12 },
    eagerBelow: 1e6,
  });
  const tell = (m: Any): void => m.sleep((s: Any) => Number(s.done));

  test('nothing before the send, the message after it, and nothing after the receive', () => {
    const at = (seconds: number, takes = false): number =>
      told(
        (m) => {
          m.sleep(seconds);
          if (takes) m.recv({ from: 1 });
          m.iprobe({ from: 1, done: 'done' });
          tell(m);
        },
        (m) => {
          m.sleep(2);
          m.send({ to: 0, bytes: 8 });
        },
      );
    expect([at(1), at(3), at(3, true)]).toEqual([1, 4, 3]);
  });

  test('messages of its source, tag and communicator only', () => {
    const sees = (look: object): number =>
      told(
        (m) => {
          m.sleep(1);
          m.iprobe({ ...look, done: 'done' });
          tell(m);
        },
        (m) =>
          m.when(
            (s: Any) => s.rank === 2,
            () => m.send({ to: 0, bytes: 8, tag: 5 }),
          ),
        3,
      ) - 1;
    expect(
      [
        { from: 2, tag: 5 },
        { from: 2 },
        { from: 1, tag: 5 },
        { from: ANY, tag: 5 },
        { from: ANY },
        { from: 2, tag: ANY },
        { from: 1, tag: ANY },
        { from: null },
      ].map(sees),
    ).toEqual([1, 0, 0, 1, 0, 1, 0, 1]);
  });

  test('source and tag of the message, also of a given source', () => {
    for (const from of [ANY, 1])
      expect(
        told(
          (m) => {
            m.probe({ from, tag: ANY, into: { source: 'who', tag: 'tag' } });
            m.sleep((s: Any) => 10 * s.who + s.tag);
            m.recv({ from: (s: Any) => s.who, tag: (s: Any) => s.tag });
          },
          (m) => m.send({ to: 0, bytes: 8, tag: 7 }),
        ),
      ).toBe(17);
  });

  test('of a sender, any tag is that of the first message, as a receive takes it', () => {
    const tags = (tag: number): number =>
      told(
        (m) => {
          m.sleep(1);
          m.probe({ from: 1, tag: ANY, into: { tag: 'tag' } });
          m.sleep((s: Any) => s.tag);
          m.recv({ from: 1, tag: ANY });
          m.recv({ from: 1, tag: ANY });
        },
        (m) => {
          m.send({ to: 0, bytes: 8, tag });
          m.send({ to: 0, bytes: 8, tag: 9 - tag });
        },
      );
    expect([tags(2), tags(7)]).toEqual([3, 8]);
  });

  test('a probe that no message ends is a deadlock, with its line; an answer that depends on times is examined in all orders', () => {
    const never = spmd({
      name: 'never',
      build: (m) =>
        m.when(
          (s) => s.rank === 0,
          () => m.probe({ from: 1 }),
        ),
    });
    const { deadlock } = predict(never, { machine: free, ranks: 2 });
    expect(deadlock).toMatchObject([{ rank: 0, operation: 'probe', waitsFor: [1] }]);
    const open = spmd({
      name: 'open',
      vars: { done: flag() },
      build: (m) =>
        m.when(
          (s) => s.rank === 0,
          () => {
            m.iprobe({ from: 1, done: 'done' });
            m.when(
              (s) => s.done,
              () => m.recv({ from: 1 }),
            );
          },
          () => m.send({ to: 0, bytes: 8 }),
        ),
    });
    // In one order the message is seen and received, in another it is left over.
    const { instances } = verifyProgram(open, { ranks: 2, sends: 'eager' });
    const received = instances[0]!.properties.find(({ id }) => id === 'received');
    expect(received?.verdict).toBe(false);
  });

  test.each<[string, (m: Any) => void, RegExp]>([
    ['a probe without a source', (m) => m.probe({ tag: 1 }), /MODEL014 probe requires from, which is missing/],
    ['a look without an answer', (m) => m.iprobe({ from: 0 }), /MODEL014 iprobe requires done, which is missing/],
    ['an unknown option', (m) => m.probe({ from: 0, done: 'done' }), /MODEL018 probe has no option "done"/],
    ['carried values', (m) => m.probe({ from: 0, into: { carry: ['who'] } }), /MODEL018 into has no option "carry"/],
    [
      'a flag that is a number',
      (m) => m.iprobe({ from: 0, done: 'tag' }),
      /MODEL016 variable "tag" cannot hold true or false/,
    ],
    [
      'a rank that does not exist',
      (m) => m.probe({ from: 7 }),
      /MODEL020 from of a probe: expected a rank from 0 to 1/,
    ],
  ])('%s is refused', (_, build, message) => {
    expect(() => told(build)).toThrow(message);
  });
});

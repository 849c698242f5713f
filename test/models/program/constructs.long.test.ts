import { describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster, noise, spmd } from '../../../src/models.ts';
import { ANY, L, machine, message, simulateModel, type TestBuilder } from './run.ts';

const ends = (ranks: number, build: (m: TestBuilder) => void): (number | null)[] =>
  simulateModel(ranks, build).ranks.map((r) => r.endTime);
const near = (found: readonly (number | null)[], expected: readonly number[]): void => {
  expect(found.length).toBe(expected.length);
  found.forEach((x, k) => {
    expect(Math.abs(x! - expected[k]!)).toBeLessThanOrEqual(1e-12 * expected[k]! + 1e-18);
  });
};

describe('send modes', () => {
  const late = (m: TestBuilder, send: () => void): void =>
    m.when(
      (s) => s.rank === 0,
      send,
      () => {
        m.sleep(1);
        m.recv({ from: 0 });
      },
    );

  test('an eager send continues at once and arrives before the receive', () => {
    near(
      ends(2, (m) => late(m, () => m.send({ to: 1, bytes: 999 }))),
      [0, 1],
    );
  });

  test('a detached send continues at once; the transfer starts when the receive is posted', () => {
    near(
      ends(2, (m) => late(m, () => m.send({ to: 1, bytes: 9999 }))),
      [0, 1 + message(9999)],
    );
  });

  test('a large send waits for the end of the transfer', () => {
    near(
      ends(2, (m) => late(m, () => m.send({ to: 1, bytes: 10_000 }))),
      [1 + message(10_000), 1 + message(10_000)],
    );
  });

  test('a synchronous send always waits, a buffered one never', () => {
    near(
      ends(2, (m) => late(m, () => m.send({ to: 1, bytes: 8, mode: 'synchronous' }))),
      [1 + message(8), 1 + message(8)],
    );
    near(
      ends(2, (m) => late(m, () => m.send({ to: 1, bytes: 1e6, mode: 'buffered' }))),
      [0, 1 + message(1e6)],
    );
    near(
      ends(2, (m) => late(m, () => m.send({ to: 1, bytes: 1e6, mode: 'ready' }))),
      [1 + message(1e6), 1 + message(1e6)],
    );
  });
});

describe('requests', () => {
  test('waitAny takes the first complete request and stores its index', () => {
    const run = simulateModel(3, (m) =>
      m.when(
        (s) => s.rank === 0,
        () => {
          const all = [m.irecv({ from: 1 }), m.irecv({ from: 2 })];
          m.waitAny(all, { index: 'k' });
          m.compute({ flops: (s) => 1e6 * (s.k + 1) });
          m.waitAny(all, { index: 'k' });
          m.compute({ flops: (s) => 1e6 * (s.k + 1) });
        },
        () => {
          m.sleep((s) => (s.rank === 1 ? 2 : 1));
          m.send({ to: 0, bytes: 0 });
        },
      ),
    );
    // Index 1 after a second, index 0 after two.
    near([run.ranks[0]!.endTime], [2 + L + 1e-3]);
    expect(run.deadlock).toEqual([]);
  });

  test('a request taken by waitAny is complete for a later wait', () => {
    const run = simulateModel(3, (m) =>
      m.when(
        (s) => s.rank === 0,
        () => {
          const all = [m.irecv({ from: 1 }), m.irecv({ from: 2 })];
          m.waitAny(all);
          m.waitAll(all);
        },
        () => {
          m.sleep((s) => s.rank);
          m.send({ to: 0, bytes: 0 });
        },
      ),
    );
    near([run.ranks[0]!.endTime], [2 + L]);
  });

  test('waitSome takes all that are complete', () => {
    const run = simulateModel(4, (m) =>
      m.when(
        (s) => s.rank === 0,
        () => {
          const all = [1, 2, 3].map((from) => m.irecv({ from }));
          m.sleep(2.5);
          m.waitSome(all, { count: 'k' });
          m.compute({ flops: (s) => 1e9 * s.k });
          m.waitSome(all, { count: 'k' });
          m.compute({ flops: (s) => 1e9 * s.k });
        },
        () => {
          m.sleep((s) => (s.rank === 3 ? 9 : s.rank));
          m.send({ to: 0, bytes: 0 });
        },
      ),
    );
    // Two at 2.5 s, the third when it arrives.
    near([run.ranks[0]!.endTime], [9 + L + 1]);
    expect(run.ranks[0]!.computing).toBe(3);
  });

  test('test checks whether a request is complete', () => {
    const run = simulateModel(2, (m) =>
      m.when(
        (s) => s.rank === 0,
        () => {
          const r = m.irecv({ from: 1 });
          m.while(
            (s) => !s.done,
            () => {
              m.compute({ flops: 1e6 });
              m.test(r, { done: 'done' });
            },
          );
        },
        () => {
          m.sleep(4.5e-3);
          m.send({ to: 0, bytes: 0 });
        },
      ),
    );
    near([run.ranks[0]!.endTime], [5e-3]);
  });

  test('persistent requests are started in every iteration', () => {
    near(
      ends(2, (m) => {
        const [out, into] = [
          m.sendInit({ to: (s) => 1 - s.rank, bytes: 500 }),
          m.recvInit({ from: (s) => 1 - s.rank }),
        ];
        m.loop(5, () => {
          m.start(out, into);
          m.waitAll([out, into]);
        });
      }),
      [5 * message(500), 5 * message(500)],
    );
  });

  test('sendrecv in a ring, and without a partner at the ends of a line', () => {
    near(
      ends(4, (m) => m.sendrecv({ to: (s) => (s.rank + 1) % 4, from: (s) => (s.rank + 3) % 4, bytes: 100_000 })),
      [1, 1, 1, 1].map(() => message(100_000)),
    );
    near(
      ends(3, (m) =>
        m.sendrecv({
          to: (s) => (s.rank < 2 ? s.rank + 1 : null),
          from: (s) => (s.rank > 0 ? s.rank - 1 : null),
          bytes: 8,
        }),
      ),
      [0, message(8), message(8)],
    );
  });
});

describe('wildcards and carried values', () => {
  test('a master answers every worker and stops all', () => {
    const run = simulateModel(4, (m) =>
      m.when(
        (s) => s.rank === 0,
        () => {
          m.loop('i', 6, () => {
            m.recv({ from: ANY, into: { source: 'who' } });
            m.send({ to: (s) => s.who, bytes: 4096, carry: { order: 'work' } });
          });
          m.loop('i', 3, () => {
            m.recv({ from: ANY, into: { source: 'who' } });
            m.send({ to: (s) => s.who, bytes: 0, carry: { order: 'stop' } });
          });
        },
        () => {
          m.let('order', 'work');
          m.while(
            (s) => s.order === 'work',
            () => {
              m.send({ to: 0, bytes: 64 });
              m.recv({ from: 0, into: { carry: ['order'] } });
              m.when(
                (s) => s.order === 'work',
                () => m.compute({ flops: 1e9 }),
              );
            },
          );
        },
      ),
    );
    expect(run.deadlock).toEqual([]);
    // Two tasks each.
    expect(run.ranks.map((r) => r.computing)).toEqual([0, 2, 2, 2]);
    expect(run.figures.runTime.value).toBeGreaterThan(2);
    expect(run.figures.runTime.value).toBeLessThan(2.001);
  });

  test('any tag, in the order of sending, and the tag received', () => {
    const run = simulateModel(2, (m) =>
      m.when(
        (s) => s.rank === 0,
        () => {
          for (const tag of [7, 3]) m.send({ to: 1, bytes: 1, tag });
        },
        () => {
          m.recv({ from: 0, tag: ANY, into: { tag: 'tag' } });
          m.compute({ flops: (s) => s.tag * 1e9 });
          m.recv({ from: 0, tag: 3 });
        },
      ),
    );
    near([run.ranks[1]!.computing], [7]);
  });

  test('a message without the value that its receiver needs', () => {
    const asks = (carries: boolean) => () =>
      simulateModel(3, (m) =>
        m.when(
          (s) => s.rank < 2,
          () => m.send({ to: 2, bytes: 1, ...(carries ? { carry: { k: 3 } } : {}) }),
          () => {
            m.recv({ from: 0, into: { carry: ['k'] } });
            m.recv({ from: 1 });
          },
        ),
      );
    expect(asks(true)).not.toThrow();
    expect(asks(false)).toThrow(/MODEL026 no message of the model carries "k"/);
    expect(() =>
      simulateModel(2, (m) =>
        m.when(
          (s) => s.rank === 0,
          () => {
            m.send({ to: 1, bytes: 1, carry: { k: 1 } });
            m.send({ to: 1, bytes: 1 });
          },
          () => m.loop('i', 2, () => m.recv({ from: 0, into: { carry: ['k'] } })),
        ),
      ),
    ).toThrow(/MODEL020 the received message carries no "k", at rank 1, i = 1/);
  });
});

describe('communicators', () => {
  test('collectives within rows; ranks count within the group', () => {
    const run = simulateModel(6, (m) => {
      const row = m.split({ color: (s) => Math.floor(s.rank / 3), key: (s) => -s.rank });
      m.when(
        (s) => row.rankOf(s.rank) === 0,
        () => m.compute({ flops: 1e9 }),
      );
      m.bcast({ bytes: 8, root: 0, comm: row });
    });
    expect(run.deadlock).toEqual([]);
    // The keys reverse the order: ranks 2 and 5 are first.
    expect(run.ranks.map((r) => r.computing)).toEqual([0, 0, 1, 0, 0, 1]);
  });

  test('messages on two communicators do not mix', () => {
    const run = simulateModel(2, (m) => {
      const twin = m.split({ color: () => 0 });
      m.when(
        (s) => s.rank === 0,
        () => {
          m.send({ to: 1, bytes: 1, comm: twin });
          m.sleep(1);
          m.send({ to: 1, bytes: 1 });
        },
        () => {
          m.recv({ from: ANY, tag: ANY });
          m.recv({ from: ANY, tag: ANY, comm: twin });
        },
      );
    });
    near([run.ranks[1]!.endTime], [1 + message(1)]);
  });

  test('a rank without a group does not participate', () => {
    expect(() =>
      simulateModel(2, (m) => m.barrier({ comm: m.split({ color: (s) => (s.rank === 0 ? 0 : null) }) })),
    ).toThrow(/MODEL020 .*not in the communicator, at rank 1/);
  });
});

describe('non-blocking collectives', () => {
  test('proceed while ranks compute, and do not mix', () => {
    const run = simulateModel(4, (m) => {
      const [large, small] = [m.iallreduce({ bytes: 2048 }), m.iallreduce({ bytes: 8 })];
      m.compute({ flops: (s) => 1e3 * s.rank });
      m.waitAll([small, large]);
    });
    expect(run.deadlock).toEqual([]);
    expect(run.figures.runTime.value).toBeLessThan(2 * (message(2048) + message(8)));
  });

  test('calls from different lines match', () => {
    const run = simulateModel(4, (m) => {
      m.when(
        (s) => s.rank % 2 === 0,
        () => m.wait(m.iallreduce({ bytes: 0 })),
        () => {
          m.compute({ flops: 1e6 });
          m.wait(m.iallreduce({ bytes: 0 }));
        },
      );
      m.wait(m.ibarrier());
    });
    expect(run.deadlock).toEqual([]);
    near([run.figures.runTime.value], [1e-3 + 4 * L]);
  });
});

describe('one-sided', () => {
  test('puts are complete after the fence, without action of the target', () => {
    const run = simulateModel(2, (m) => {
      m.when(
        (s) => s.rank === 0,
        () => {
          m.put({ to: 1, bytes: 1e6 });
          m.compute({ flops: 1e5 });
        },
      );
      m.fence();
    });
    expect(run.deadlock).toEqual([]);
    // The following barrier takes one round of empty messages.
    near([run.figures.runTime.value], [message(1e6) + L]);
  });

  test('overheads apply to collectives, too', () => {
    const slow = { ...machine, overhead: { send: 1e-3, receive: 2e-3, perByte: 0 } };
    const run = simulateModel(4, (m) => m.allreduce({ bytes: 8 }), { machine: slow });
    // Two rounds of send, then receive; the transfer overlaps with the sender's overhead.
    expect(run.figures.runTime.value).toBeGreaterThan(6e-3);
    expect(run.figures.runTime.value).toBeLessThan(6.1e-3);
    expect(run.ranks[0]!.communicating! + run.ranks[0]!.waiting!).toBeCloseTo(run.figures.runTime.value, 12);
  });

  test('a get transfers from the peer', () => {
    const run = simulateModel(3, (m) => {
      m.when(
        (s) => s.rank === 2,
        () => m.get({ from: 0, bytes: 500_000 }),
      );
      m.fence();
    });
    near([run.figures.runTime.value], [message(500_000) + 2 * L]);
  });
});

describe('computing', () => {
  const big = cluster({
    nodes: 1,
    coresPerNode: 4,
    speed: '1Gf',
    memory: '8GB/s',
    memoryPerCore: '4GB/s',
    link: { latency: 0, bandwidth: '1GB/s' },
    eagerBelow: 0,
  });
  const time = (ranks: number, flops: number, bytes: number, over: object = {}): number =>
    predict(spmd({ name: 'm', build: (m) => m.compute({ flops, bytes }) }), { machine: { ...big, ...over }, ranks })
      .figures.runTime.value;

  test('T = W/S + D/B, with B shared by the ranks that use the memory', () => {
    expect(time(1, 1e9, 4e9)).toBeCloseTo(1 + 1, 12);
    expect(time(2, 1e9, 4e9)).toBeCloseTo(1 + 1, 12);
    expect(time(4, 1e9, 4e9)).toBeCloseTo(1 + 2, 12);
  });

  test('T = max(W/S, D/B) with overlap', () => {
    const overlapped = { memoryAccess: 'overlapped' };
    expect(time(1, 1e9, 2e9, overlapped)).toBeCloseTo(1, 12);
    expect(time(4, 1e9, 4e9, overlapped)).toBeCloseTo(2, 12);
  });

  test('more ranks than cores share the cores', () => {
    const model = spmd({ name: 'm', build: (m) => m.compute({ flops: 1e9 }) });
    expect(() => predict(model, { machine: big, ranks: 8 })).toThrow(/MACH021/);
    expect(predict(model, { machine: big, ranks: 8, oversubscribe: true }).figures.runTime.value).toBeCloseTo(2, 12);
  });

  test('seconds are the same on any machine; the state is split', () => {
    const run = predict(
      spmd({
        name: 'm',
        build(m) {
          m.compute({ seconds: 2, bytes: 4e9 });
          m.sleep(0.5);
        },
      }),
      { machine: big, ranks: 1 },
    );
    expect(run.ranks[0]).toMatchObject({
      computing: 2,
      memory: 1,
      idle: 0.5,
      communicating: 0,
      waiting: 0,
      endTime: 3.5,
    });
  });

  test('files share the storage', () => {
    const files = spmd({
      name: 'files',
      build(m) {
        m.writeFile({ bytes: (s) => (s.rank === 0 ? 1e9 : 3e9) });
        m.readFile({ bytes: 0 });
      },
    });
    const disk = { ...big, storage: { latency: 0.1, bandwidth: 2e9 } };
    const run = predict(files, { machine: disk, ranks: 2 });
    near(
      run.ranks.map((r) => r.endTime),
      [0.1 + 1 + 0.1, 0.1 + 1 + 1 + 0.1],
    );
    expect(run.ranks[1]!.communicating).toBeCloseTo(2.2, 12);
    expect(run.warnings).toEqual([]);
    expect(predict(files, { machine: big, ranks: 2 }).warnings).toMatchObject([{ code: 'MODEL032' }]);
  });

  test('message overheads take time on both sides', () => {
    const slow = cluster({
      nodes: 2,
      coresPerNode: 1,
      speed: '1Gf',
      link: { latency: 0, bandwidth: '1GB/s' },
      overhead: { send: '1ms', receive: '2ms', perByte: 1e-6 },
      eagerBelow: 1e6,
    });
    const run = predict(
      spmd({
        name: 'm',
        build: (m) =>
          m.when(
            (s) => s.rank === 0,
            () => m.send({ to: 1, bytes: 100 }),
            () => m.recv({ from: 0 }),
          ),
      }),
      { machine: slow, ranks: 2 },
    );
    near(
      run.ranks.map((r) => r.endTime),
      [1e-3 + 1e-4, 1e-3 + 1e-4 + 100e-9 + 2e-3 + 1e-4],
    );
  });

  test.each([noise.lognormal(0.3), noise.exponential(), noise.uniform(0.5), noise.normal(0.2)])(
    'noise has mean 1: %j',
    (given) => {
      const model = spmd({ name: 'm', build: (m) => m.loop(20_000, () => m.compute({ flops: 1e6, noise: given })) });
      const { runTime } = predict(model, { machine, ranks: 1 }).figures;
      const cv = { lognormal: 0.3, exponential: 1, uniform: 0.5 / Math.sqrt(3), normal: 0.2 }[given.kind];
      expect(Math.abs(runTime.value / 20 - 1)).toBeLessThan((4 * cv) / Math.sqrt(20_000));
      expect(Math.abs(runTime.value / 20 - 1)).toBeGreaterThan(0);
    },
  );
});

describe('chance', () => {
  test('a branch by probability, and a geometric number of iterations', () => {
    const model = spmd({
      name: 'm',
      build: (m) =>
        m.loop(10_000, () => {
          m.chance(
            0.3,
            () => m.compute({ flops: 1e6 }),
            () => m.sleep(1e-3),
          );
          m.repeat(0.75, () => m.compute({ seconds: 1e-4 }));
        }),
    });
    const { firings } = predict(model, { machine, ranks: 1 });
    expect(Math.abs(firings['chance 1 yes']! - 3000)).toBeLessThan(4 * Math.sqrt(10_000 * 0.21));
    expect(firings['compute 2']! / 10_000).toBeGreaterThan(3.85);
    expect(firings['compute 2']! / 10_000).toBeLessThan(4.15);
  });

  test('certain and impossible branches', () => {
    const run = simulateModel(1, (m) => {
      m.chance(0, () => m.sleep(1));
      m.chance(1, () => m.sleep(2));
      m.chance(
        (s) => s.rank,
        () => m.sleep(4),
        () => m.sleep(8),
      );
    });
    near([run.ranks[0]!.endTime], [10]);
  });
});

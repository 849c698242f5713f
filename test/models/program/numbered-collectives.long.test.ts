import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { verifyProgram } from '../../../src/commands/verify/program/verify-program.ts';
import { mpmd, spmd } from '../../../src/models.ts';
import { machine, simulateModel, type TestBuilder } from './run.ts';

/*
 * Matching of non-blocking collectives: the k-th call of every rank on a communicator, independent of its line in the model.
 */

type Kind = 'ibarrier' | 'ibcast' | 'iallreduce' | 'ireduce';

interface Segment {
  readonly kinds: readonly Kind[];
  /** Order of the waits. */
  readonly waits: readonly number[];
  readonly work: number;
  /** Line of the model that each rank executes. */
  readonly line: readonly number[];
  readonly turns: number;
}

const RANKS = 4;
const LINES = 3;

function call(m: TestBuilder, kind: Kind): ReturnType<TestBuilder['ibarrier']> {
  if (kind === 'ibarrier') return m.ibarrier();
  if (kind === 'ibcast') return m.ibcast({ root: 1, bytes: 4096 });
  return kind === 'iallreduce' ? m.iallreduce({ bytes: 512 }) : m.ireduce({ root: 2, bytes: 64 });
}

function lines(m: TestBuilder, { kinds, waits, work, turns }: Segment): void {
  m.loop(turns, () => {
    const requests = kinds.map((kind) => call(m, kind));
    m.compute({ flops: (s) => work * (1 + s.rank) });
    for (const k of waits) m.wait(requests[k]!);
  });
}

const segments = fc.array(
  fc
    .record({
      kinds: fc.array(fc.constantFrom<Kind>('ibarrier', 'ibcast', 'iallreduce', 'ireduce'), {
        minLength: 1,
        maxLength: 3,
      }),
      work: fc.nat({ max: 100_000 }),
      line: fc.array(fc.nat({ max: LINES - 1 }), { minLength: RANKS, maxLength: RANKS }),
      turns: fc.integer({ min: 1, max: 3 }),
    })
    .chain((s) =>
      fc
        .shuffledSubarray(
          s.kinds.map((_, k) => k),
          { minLength: s.kinds.length },
        )
        .map((waits): Segment => ({ ...s, waits })),
    ),
  { minLength: 1, maxLength: 4 },
);

describe('non-blocking collectives on different lines', () => {
  test('take the same time as on one line', () => {
    fc.assert(
      fc.property(segments, (all) => {
        const one = simulateModel(RANKS, (m) => {
          for (const s of all) lines(m, s);
        });
        const many = simulateModel(RANKS, (m) => {
          for (const s of all)
            for (let k = 0; k < LINES; k++)
              m.when(
                (at) => s.line[at.rank] === k,
                () => lines(m, s),
              );
        });
        expect(many.deadlock).toEqual([]);
        expect(many.ranks.map((r) => r.endTime)).toEqual(one.ranks.map((r) => r.endTime));
      }),
      { numRuns: 20 },
    );
  });

  test('match in loops of different lengths', () => {
    const run = simulateModel(3, (m) =>
      m.when(
        (s) => s.rank === 0,
        () => m.loop(3, () => m.wait(m.ibarrier())),
        () => {
          m.wait(m.ibarrier());
          m.loop(2, () => m.wait(m.ibarrier()));
        },
      ),
    );
    expect(run.deadlock).toEqual([]);
  });

  test('match if the iteration determines the line', () => {
    const run = simulateModel(2, (m) =>
      m.loop('i', 4, () => {
        m.when(
          (s) => s.i % 2 === s.rank,
          () => m.wait(m.iallreduce({ bytes: 8 })),
        );
        m.when(
          (s) => s.i % 2 !== s.rank,
          () => m.wait(m.iallreduce({ bytes: 8 })),
        );
      }),
    );
    expect(run.deadlock).toEqual([]);
  });

  const long = (turns: number) => (): unknown =>
    simulateModel(2, (m) => {
      const first = m.ibarrier();
      m.when(
        (s) => s.rank === 0,
        () => m.loop(turns, () => m.wait(m.ibcast({ root: 0, bytes: 8 }))),
        () => {
          m.sleep(1);
          m.loop(turns, () => m.wait(m.ibcast({ root: 0, bytes: 8 })));
        },
      );
      m.wait(first);
    });

  test('may stay active during 63 later calls', () => {
    expect(long(63)).not.toThrow();
  });

  test('active after 64 later calls on its communicator are rejected', () => {
    expect(long(64)).toThrow(/MODEL020 a non-blocking collective is still active after 64 later calls .* at rank 0/);
  });

  test('match those of another program, with other requests pending', () => {
    const receiver = spmd({
      name: 'receiver',
      build(m) {
        const request = m.irecv({ from: 1, comm: m.everyone });
        m.wait(request);
        m.wait(m.ibarrier({ comm: m.everyone }));
      },
    });
    const sender = spmd({
      name: 'sender',
      build(m) {
        m.wait(m.ibarrier());
        m.send({ to: 0, bytes: 8, comm: m.everyone });
        m.wait(m.ibarrier({ comm: m.everyone }));
      },
    });
    const both = mpmd({
      name: 'both',
      parts: [
        { model: receiver, ranks: 1 },
        { model: sender, ranks: 1 },
      ],
    });
    expect(predict(both, { machine }).deadlock).toEqual([]);
  });

  test('are sound under both protocols', () => {
    const model = spmd({
      name: 'lines',
      build(m) {
        m.when(
          (s) => s.rank === 0,
          () => m.wait(m.ibcast({ root: 0, bytes: 8 })),
        );
        m.when(
          (s) => s.rank !== 0,
          () => m.wait(m.ibcast({ root: 0, bytes: 8 })),
        );
      },
    });
    const { instances } = verifyProgram(model, { ranks: 3 });
    expect(instances.map((i) => [i.sends, i.sound])).toEqual([
      ['eager', true],
      ['rendezvous', true],
    ]);
    expect(instances.map((i) => i.incidence?.findings)).toEqual([[], []]);
  });
});

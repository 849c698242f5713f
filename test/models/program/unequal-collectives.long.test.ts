import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError, type Problem } from '../../../src/base/problem.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { mpmd, spmd } from '../../../src/models.ts';
import { effort } from '../../effort.ts';
import { machine, simulateModel, type TestBuilder } from './run.ts';

/** The problem with which a program is rejected; `undefined` if it runs. */
function problemOf(run: () => unknown): Problem | undefined {
  try {
    run();
    return undefined;
  } catch (e) {
    expect(e).toBeInstanceOf(InputError);
    return (e as InputError).problems[0]!;
  }
}

/** Rank 0 executes `first`, the others execute `others`. */
const parted = (m: TestBuilder, first: () => void, others: () => void): void =>
  m.when((s) => s.rank === 0, first, others);

/** The messages of these calls match, so only the check detects the error. */
describe('different calls are rejected, with both lines and ranks', () => {
  const cases: readonly (readonly [what: string, code: string, says: RegExp, build: (m: TestBuilder) => void])[] = [
    [
      'another operation',
      'MODEL033',
      /^rank 1 calls exscan, but rank 0 calls scan \(unequal-collectives\.long\.test\.ts:(\d+)\): call 1 on/,
      (m) =>
        parted(
          m,
          () => m.scan({ bytes: 8 }),
          () => m.exscan({ bytes: 8 }),
        ),
    ],
    [
      'another operation, where nobody waits for anybody',
      'MODEL033',
      /^rank 1 calls reduce, but rank 0 calls bcast /,
      (m) =>
        parted(
          m,
          () => m.bcast({ bytes: 8 }),
          () => m.reduce({ bytes: 8 }),
        ),
    ],
    [
      'another size',
      'MODEL033',
      /^rank 1 calls allreduce with 9 B, but rank 0 with 8 B \(unequal-collectives\.long\.test\.ts:(\d+)\)/,
      (m) => m.allreduce({ bytes: (s) => 8 + s.rank }),
    ],
    [
      'another list of sizes',
      'MODEL033',
      /^rank 1 calls allgatherv with counts 8, 9, but rank 0 with counts 8, 8 /,
      (m) => m.allgatherv({ counts: (s) => [8, 8 + s.rank] }),
    ],
    [
      'other bytes sent than received, all to all',
      'MODEL033',
      /^rank 1 sends 8 B to rank 0 in call 1 on the communicator, alltoallv \(unequal-collectives\.long\.test\.ts:(\d+)\), but rank 0 receives 16 B/,
      (m) => m.alltoallv({ sendCounts: [8, 8], recvCounts: [8, 16] }),
    ],
    [
      'other bytes gathered than sent',
      'MODEL033',
      /^rank 1 sends 16 B to rank 0 in call 1 on the communicator, gatherv .* but rank 0 receives 8 B/,
      (m) => m.gatherv({ counts: (s) => [8, s.rank === 0 ? 8 : 16] }),
    ],
    [
      'other bytes scattered than received',
      'MODEL033',
      /^rank 0 sends 8 B to rank 1 in call 1 on the communicator, scatterv .* but rank 1 receives 16 B/,
      (m) => m.scatterv({ counts: (s) => [8, s.rank === 0 ? 8 : 16] }),
    ],
    [
      'another root, which a variable says',
      'MODEL027',
      /^rank 1 calls bcast with root 1, but rank 0 with root 0 /,
      (m) => {
        m.let('k', (s) => s.rank);
        m.bcast({ bytes: 8, root: (s) => s.k });
      },
    ],
    [
      'another operation in the 18th turn',
      'MODEL033',
      /^rank 1 calls exscan, but rank 0 calls scan .* call 18 on/,
      (m) =>
        m.loop('i', 20, () =>
          m.when(
            (s) => s.rank === 1 && s.i === 17,
            () => m.exscan({ bytes: 8 }),
            () => m.scan({ bytes: 8 }),
          ),
        ),
    ],
    [
      'one more',
      'MODEL033',
      /^rank 0 makes 2 collective calls on the communicator, the last one bcast, but rank 1 makes 1, the last one bcast \(unequal-collectives\.long\.test\.ts:(\d+)\)/,
      (m) => {
        m.bcast({ bytes: 8 });
        m.when(
          (s) => s.rank === 0,
          () => m.bcast({ bytes: 8 }),
        );
      },
    ],
    [
      'one where others have none',
      'MODEL033',
      /^rank 0 makes 1 collective call on the communicator, the last one bcast, but rank 1 makes none/,
      (m) =>
        m.when(
          (s) => s.rank === 0,
          () => m.bcast({ bytes: 8 }),
        ),
    ],
    [
      'a window instead of a barrier',
      'MODEL033',
      /^rank 0 calls fence, but rank 1 calls barrier /,
      (m) =>
        parted(
          m,
          () => m.fence(),
          () => m.barrier(),
        ),
    ],
    [
      'another one that does not wait',
      'MODEL033',
      /^rank 1 calls iexscan, but rank 0 calls iscan /,
      (m) =>
        parted(
          m,
          () => m.wait(m.iscan({ bytes: 8 })),
          () => m.wait(m.iexscan({ bytes: 8 })),
        ),
    ],
    [
      'another order of one that waits and one that does not',
      'MODEL033',
      /^rank 1 calls allreduce, but rank 0 calls ibarrier .* call 1 on/,
      (m) =>
        parted(
          m,
          () => {
            const posted = m.ibarrier();
            m.allreduce({ bytes: 8 });
            m.wait(posted);
          },
          () => {
            m.allreduce({ bytes: 8 });
            m.wait(m.ibarrier());
          },
        ),
    ],
  ];
  test.each(cases)('different calls of a collective are refused: %s (%s)', (_, code, says, build) => {
    const problem = problemOf(() => simulateModel(2, build))!;
    expect(problem).toMatchObject({ code, message: expect.stringMatching(says) });
    expect(problem.place!.file).toMatch(/unequal-collectives\.long\.test\.ts$/);
    expect(problem.place!.line).toBeGreaterThan(20);
  });

  test('the lines are those of the two calls', () => {
    const { message, place } = problemOf(() => simulateModel(2, cases[0]![3]))!;
    expect(Number(/:(\d+)\)/.exec(message)![1])).toBe(place!.line! - 1);
  });

  test('in a group of ranks', () => {
    const { message } = problemOf(() =>
      simulateModel(4, (m) => {
        const halves = m.split({ color: (s) => s.rank % 2 });
        m.when(
          (s) => s.rank === 3,
          () => m.exscan({ bytes: 8, comm: halves }),
          () => m.scan({ bytes: 8, comm: halves }),
        );
      }),
    )!;
    expect(message).toMatch(/^rank 3 calls exscan, but rank 1 calls scan /);
  });

  test('in coupled programs', () => {
    const part = (name: string, bytes: number) =>
      spmd({ name, build: (m) => m.allreduce({ bytes, comm: m.everyone }) });
    const coupled = (a: number, b: number) => () =>
      predict(
        mpmd({
          name: 'coupled',
          parts: [
            { model: part('air', a), ranks: 2 },
            { model: part('sea', b), ranks: 1 },
          ],
        }),
        { machine, ranks: 3 },
      );
    expect(problemOf(coupled(8, 8))).toBeUndefined();
    expect(problemOf(coupled(8, 16))!.message).toMatch(/^rank 2 calls allreduce with 16 B, but rank 0 with 8 B /);
  });
});

test('a deadlock stays the verdict, with a warning that gives the cause', () => {
  const run = simulateModel(2, (m) =>
    m.when(
      (s) => s.rank === 0,
      () => m.reduce({ bytes: 1e6, root: 1 }),
      () => m.barrier(),
    ),
  );
  expect(run.deadlock.map((d) => d.operation)).toEqual(['reduce', 'barrier']);
  expect(run.warnings).toContainEqual(
    expect.objectContaining({ code: 'MODEL033', message: expect.stringMatching(/^rank 1 calls barrier/) }),
  );
});

test('groups may call different collectives, and unchecked arguments may differ', () => {
  const run = simulateModel(4, (m) => {
    const halves = m.split({ color: (s) => s.rank % 2 });
    m.when(
      (s) => s.rank % 2 === 0,
      () => m.allreduce({ bytes: 8, comm: halves }),
      () => m.loop(3, () => m.bcast({ bytes: 16, root: 1, comm: halves })),
    );
    m.allreduce({ bytes: 8, flops: (s) => 1000 * s.rank });
    m.gatherv({ counts: (s) => [1, 2, 3, s.rank === 1 ? 5 : 4] });
    m.alltoallv({
      sendCounts: (s) => [0, 1, 2, 3].map((k) => k + s.rank),
      recvCounts: (s) => [0, 1, 2, 3].map((k) => k + s.rank),
    });
  });
  expect(run).toMatchObject({ complete: true, deadlock: [], warnings: [] });
});

type Kind = 'barrier' | 'bcast' | 'reduce' | 'allreduce' | 'alltoall' | 'iallreduce' | 'ibarrier';
const kinds: readonly Kind[] = ['barrier', 'bcast', 'reduce', 'allreduce', 'alltoall', 'iallreduce', 'ibarrier'];
const call = fc.record({ kind: fc.constantFrom(...kinds), bytes: fc.constantFrom(0, 8, 2000), root: fc.nat(2) });
type Drawn = { readonly kind: Kind; readonly bytes: number; readonly root: number };

/** Key of a call; calls of different ranks must have equal keys. */
const meaning = ({ kind, bytes, root }: Drawn): string =>
  kind.endsWith('barrier')
    ? kind
    : kind === 'bcast' || kind === 'reduce'
      ? `${kind} ${bytes} ${root}`
      : `${kind} ${bytes}`;

function make(m: TestBuilder, { kind, bytes, root }: Drawn): void {
  if (kind === 'barrier') m.barrier();
  else if (kind === 'ibarrier') m.wait(m.ibarrier());
  else if (kind === 'bcast' || kind === 'reduce') m[kind]({ bytes, root });
  else if (kind === 'iallreduce') m.wait(m.iallreduce({ bytes }));
  else m[kind]({ bytes });
}

test('ranks with separate lists of calls finish if and only if the lists are the same', () => {
  fc.assert(
    fc.property(
      fc.array(call, { minLength: 1, maxLength: 6 }),
      fc.nat(5),
      fc.nat(2),
      call,
      (list, position, odd, other) => {
        const at = position % list.length;
        const changed = list.map((c, k) => (k === at ? other : c));
        const run = (): Problem[] =>
          simulateModel(3, (m) => {
            const ranksFrom = (r: number): void => {
              if (r === 3) return;
              m.when(
                (s) => s.rank === r,
                () => {
                  m.sleep(r);
                  for (const c of r === odd ? changed : list) make(m, c);
                },
                () => ranksFrom(r + 1),
              );
            };
            ranksFrom(0);
          }).warnings as Problem[];
        let told: readonly Problem[];
        try {
          told = run();
        } catch (e) {
          told = (e as InputError).problems;
        }
        if (meaning(other) === meaning(list[at]!)) expect(told).toEqual([]);
        else {
          expect(told[0]!.code).toMatch(/^MODEL0(33|27)$/);
          expect(told[0]!.message).toMatch(new RegExp(`rank ${odd}.* call ${at + 1} on the communicator must`));
        }
      },
    ),
    { numRuns: effort(40) },
  );
}, 120_000);

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelSubject } from '../../../../src/commands/verify/program/model-subject.ts';
import type {
  IncidenceFinding,
  ProgramInstance,
} from '../../../../src/commands/verify/program/program-verification.ts';
import { renderProgramVerification } from '../../../../src/commands/verify/program/program-verify-view.ts';
import { verifyProgram } from '../../../../src/commands/verify/program/verify-program.ts';
import { ANY, counter, flag, type ProgramModel, type Request, rankVar, spmd } from '../../../../src/models.ts';
import { arbitraryProgram } from '../../../../src/testing/arbitrary-program.ts';
import { atFullEffort, effort } from '../../../effort.ts';
import { type Op, reference } from './reference.ts';

const runs = (usual: number): number => effort(usual);
const findings = (i: ProgramInstance): readonly IncidenceFinding[] => i.incidence!.findings;
const told = (i: ProgramInstance): string[] => findings(i).map((f) => `${f.kind}, ${f.status}: ${f.what}`);
const holds = (i: ProgramInstance): boolean => i.properties.every((p) => p.verdict === true);

const only = (
  rank: number,
  m: { when(test: (s: { rank: number }) => boolean, then: () => void): void },
  then: () => void,
): void => m.when((s) => s.rank === rank, then);

/** A model from the operations of each rank. */
function modelOf(programs: readonly (readonly Op[])[]): ProgramModel {
  return spmd({
    name: 'ops',
    build(m) {
      programs.forEach((ops, rank) => {
        m.when(
          (s) => s.rank === rank,
          () => {
            let open: Request[] = [];
            for (const o of ops) {
              if (o.op === 'send') m.send({ to: o.to, tag: o.tag, bytes: 8 });
              else if (o.op === 'isend') open.push(m.isend({ to: o.to, tag: o.tag, bytes: 8 }));
              else if (o.op === 'recv') m.recv({ from: o.from ?? ANY, tag: o.tag ?? ANY });
              else if (o.op === 'irecv') open.push(m.irecv({ from: o.from ?? ANY, tag: o.tag ?? ANY }));
              else {
                m.waitAll(open);
                open = [];
              }
            }
          },
        );
      });
    },
  }) as ProgramModel;
}

/** Random messages among two or three ranks; some lack their send or receive, some are received by wildcards. */
const programs = fc
  .tuple(
    fc.integer({ min: 2, max: 3 }),
    fc.array(
      fc.record({
        from: fc.integer({ min: 0, max: 2 }),
        to: fc.integer({ min: 0, max: 2 }),
        tag: fc.integer({ min: 0, max: 1 }),
        send: fc.constantFrom('send', 'isend'),
        receive: fc.constantFrom('recv', 'irecv'),
        anySource: fc.boolean(),
        anyTag: fc.boolean(),
        missing: fc.constantFrom('none', 'none', 'none', 'send', 'receive'),
        first: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    fc.boolean(),
  )
  .map(([ranks, messages, wild]) => {
    const all: Op[][] = Array.from({ length: ranks }, () => []);
    for (const m of messages) {
      const [from, to] = [m.from % ranks, m.to % ranks];
      const put = (rank: number, op: Op): void => void (m.first ? all[rank]!.unshift(op) : all[rank]!.push(op));
      if (m.missing !== 'send') put(from, { op: m.send, to, tag: m.tag } as Op);
      if (m.missing !== 'receive') {
        const [source, tag] = [wild && m.anySource ? null : from, wild && m.anyTag ? null : m.tag];
        put(to, { op: m.receive, from: source, tag } as Op);
      }
    }
    return { wild, programs: all.map((ops): Op[] => [...ops, { op: 'waitall' }]) };
  });

/** True if every sender, receiver and tag has equal numbers of sends and receives. */
function isMatched(all: readonly (readonly Op[])[]): boolean {
  const left = new Map<string, number>();
  all.forEach((ops, rank) => {
    for (const o of ops) {
      if (o.op === 'waitall') continue;
      const out = 'to' in o;
      const key = out ? `${rank} ${o.to} ${o.tag}` : `${o.from} ${rank} ${o.tag}`;
      left.set(key, (left.get(key) ?? 0) + (out ? 1 : -1));
    }
  });
  return [...left.values()].every((n) => n === 0);
}

describe('findings of random programs', () => {
  it('confirmed findings are errors for a plain interpreter, refuted ones are not', {
    timeout: 120_000,
  }, () => {
    const seen = { confirmed: 0, refuted: 0, suspected: 0, none: 0, bad: 0 };
    fc.assert(
      fc.property(programs, ({ wild, programs: all }) => {
        const bad = ([true, false] as const).map((eager) => {
          const { deadlock, lost, starved } = reference(all, eager);
          return deadlock || lost || starved;
        });
        const { instances } = verifyProgram(modelOf(all), { ranks: all.length });
        instances.forEach((one, k) => {
          for (const f of findings(one)) {
            seen[f.status]++;
            if (f.status === 'confirmed') expect(bad[k]).toBe(true);
            // An error confirmed by the state equation occurs in every order and under both protocols.
            if (f.by === 'state equation') expect(bad).toEqual([true, true]);
            if (f.status === 'refuted') expect(bad[k]).toBe(false);
          }
        });
        if (bad.includes(true)) seen.bad++;
        if (findings(instances[0]!).length === 0) seen.none++;
        // Without wildcards all counts are known, so the matrix shows every mismatch.
        if (wild) return;
        expect(findings(instances[0]!).length > 0).toBe(!isMatched(all));
        expect(findings(instances[0]!).every((f) => f.status === 'confirmed')).toBe(true);
      }),
      { numRuns: runs(25) },
    );
    expect([seen.confirmed > atFullEffort(10), seen.none > atFullEffort(3), seen.bad > atFullEffort(10)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('proved by the state equation hold for every draw, order and protocol', {
    timeout: 120_000,
  }, () => {
    // Rounds in which one rank sends with one of two tags and the other receives, each optionally depending on its own draw;
    // or both in a loop with a random number of iterations, for which the reference tries one to three.
    const round = fc.record({
      from: fc.nat({ max: 1 }),
      sends: fc.constantFrom('drawn', 'drawn', 'drawn', 'turns', 'plain', 'none'),
      receives: fc.constantFrom('drawn', 'drawn', 'drawn', 'turns', 'plain', 'any', 'none'),
    });
    interface Item {
      readonly rank: number;
      readonly ops: readonly Op[];
      /** Operations of the other random alternative; or `turns`: a random number of iterations of `ops`. */
      readonly other: readonly Op[] | 'turns' | undefined;
    }
    const itemsOf = ({ from, sends, receives }: typeof round extends fc.Arbitrary<infer T> ? T : never): Item[] => {
      const send = (tag: number): Op[] => [{ op: 'send', to: 1 - from, tag }];
      const recv = (tag: number | null): Op[] => [{ op: 'recv', from, tag }];
      const other = (way: string, ops: Op[]): Item['other'] =>
        way === 'drawn' ? ops : way === 'turns' ? way : undefined;
      // In a loop, the rank sends a request and receives an answer.
      const answered = sends === 'turns' ? [{ op: 'recv', from: 1 - from, tag: 1 } as const] : [];
      const answers = receives === 'turns' ? [{ op: 'send', to: from, tag: 1 } as const] : [];
      return [
        ...(sends === 'none' ? [] : [{ rank: from, ops: [...send(0), ...answered], other: other(sends, send(1)) }]),
        ...(receives === 'none'
          ? []
          : [
              {
                rank: 1 - from,
                ops: [...recv(receives === 'any' ? null : 0), ...answers],
                other: other(receives, recv(1)),
              },
            ]),
      ];
    };
    const waysOf = ({ ops, other }: Item): (readonly Op[])[] =>
      other === undefined
        ? [ops]
        : other === 'turns'
          ? [ops, [...ops, ...ops], [...ops, ...ops, ...ops]]
          : [ops, other];
    const seen = { proved: 0, together: 0, open: 0 };
    fc.assert(
      fc.property(fc.array(round, { minLength: 1, maxLength: 3 }), (rounds) => {
        const all = rounds.flatMap(itemsOf);
        const model = spmd({
          name: 'drawn',
          build(m) {
            for (const { rank, ops, other } of all) {
              const put = (list: readonly Op[]) => (): void => {
                for (const o of list) {
                  if (o.op === 'send') m.send({ to: o.to, tag: o.tag, bytes: 8 });
                  else if (o.op === 'recv') m.recv({ from: o.from ?? ANY, tag: o.tag ?? ANY });
                }
              };
              only(rank, m, () => {
                if (other === undefined) put(ops)();
                else if (other === 'turns') m.repeat(0.5, put(ops));
                else m.chance(0.5, put(ops), put(other));
              });
            }
          },
        }) as unknown as ProgramModel;
        const { all: found, size } = modelSubject(model, 2, {}).suspicions!();
        if (size!.open > 0) seen.open++;
        if (!found.some((f) => f.proved)) return;
        seen.proved++;
        if (found.some((f) => f.what.includes('for all numbers of loop iterations'))) seen.together++;
        const choices = all.reduce((n, item) => n * waysOf(item).length, 1);
        for (let choice = 0; choice < choices; choice++) {
          let rest = choice;
          const ops: Op[][] = [[], []];
          for (const item of all) {
            const ways = waysOf(item);
            ops[item.rank]!.push(...ways[rest % ways.length]!);
            rest = Math.floor(rest / ways.length);
          }
          for (const eager of [true, false]) {
            const { deadlock, lost, starved } = reference(ops, eager);
            expect(deadlock || lost || starved).toBe(true);
          }
        }
      }),
      { numRuns: runs(150) },
    );
    expect([seen.proved > atFullEffort(20), seen.together > atFullEffort(5), seen.open > atFullEffort(20)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('do not exist if everything matches, or if only the order is wrong', { timeout: 120_000 }, () => {
    for (const mutated of [false, 'swapped'] as const)
      fc.assert(
        fc.property(arbitraryProgram({ ranks: 4, events: 8, mutated }), ({ model }) => {
          for (const one of verifyProgram(model).instances) {
            expect(told(one)).toEqual([]);
            expect(one.incidence!.open).toBe(0);
          }
        }),
        { numRuns: runs(12) },
      );
  });

  it.each(['removed', 'tag', 'peer'] as const)('are confirmed where one is %s', { timeout: 120_000 }, (mutated) => {
    let planted = 0;
    fc.assert(
      fc.property(arbitraryProgram({ ranks: 4, events: 8, mutated }), ({ model, fault }) => {
        if (fault === undefined) return;
        planted++;
        for (const one of verifyProgram(model).instances) {
          expect(findings(one).length).toBeGreaterThan(0);
          expect(findings(one).every((f) => f.status === 'confirmed')).toBe(true);
          expect(holds(one)).toBe(false);
        }
      }),
      { numRuns: runs(20) },
    );
    expect(planted).toBeGreaterThan(atFullEffort(8));
  });
});

const first = (model: unknown, options = {}): ProgramInstance =>
  verifyProgram(model as ProgramModel, { sends: 'eager', ranks: 2, ...options }).instances[0]!;

describe('findings by kind', () => {
  it('a send without a receive, a receive without a send, counts that differ: with the name of the place', () => {
    const model = spmd({
      name: 'three',
      vars: { k: counter() },
      build(m) {
        only(0, m, () => {
          m.send({ to: 1, tag: 4, bytes: 8 });
          m.loop('k', 5, () => m.send({ to: 1, tag: 3, bytes: 8 }));
          m.recv({ from: 1, tag: 5 });
        });
        only(1, m, () => m.loop('k', 2, () => m.recv({ from: 0, tag: 3 })));
      },
    });
    const one = first(model);
    expect(findings(one).map((f) => [f.kind, f.places, f.what, f.status, f.by])).toEqual([
      [
        'lost message',
        ['messages from 0 to 1, tag 4'],
        'messages from rank 0 to rank 1, tag 4: 1 sent, none received',
        'confirmed',
        'state equation',
      ],
      [
        'unmatched counts',
        ['messages from 0 to 1, tag 3'],
        'messages from rank 0 to rank 1, tag 3: 5 sent, 2 received',
        'confirmed',
        'state equation',
      ],
      [
        'receive that nothing sends to',
        ['messages from 1 to 0, tag 5'],
        'messages from rank 1 to rank 0, tag 5: 1 received, none sent',
        'confirmed',
        'state equation',
      ],
    ]);
    expect(findings(one)[1]!.at.map((o) => [o.operation, o.ranks])).toEqual([
      ['send', [0]],
      ['recv', [1]],
    ]);
    expect(findings(one)[1]!.at.every((o) => o.file.endsWith('incidence.long.test.ts') && o.line > 0)).toBe(true);
  });

  it('findings after a random choice are suspected, then confirmed or refuted by the state space', () => {
    const drawn = (answered: boolean): unknown =>
      spmd({
        name: 'drawn',
        build(m) {
          only(0, m, () => m.chance(0.5, () => m.send({ to: 1, tag: 2, bytes: 8 })));
          if (answered) only(1, m, () => m.chance(0.5, () => m.recv({ from: 0, tag: 2 })));
        },
      });
    expect(findings(first(drawn(false))).map((f) => [f.kind, f.status, f.by])).toEqual([
      ['lost message', 'confirmed', 'state space'],
    ]);
    // The counts may or may not match: not a finding, but counted as open.
    expect(first(drawn(true)).incidence).toMatchObject({ findings: [], open: 1 });
  });

  it('a loop with unknown iterations relates its sends to its receives', () => {
    const model = (orders: number): unknown =>
      spmd({
        name: 'served',
        vars: { more: flag(), k: counter() },
        build(m) {
          m.when(
            (s) => s.rank === 0,
            () => {
              m.loop('k', 3, () => m.recv({ from: 1 }));
              m.loop('k', orders, () => m.send({ to: 1, bytes: 8, carry: { more: (s) => s.k + 1 < orders } }));
            },
            () => {
              m.let('more', true);
              m.while(
                (s) => s.more,
                () => {
                  m.isend({ to: 0, bytes: 8 });
                  m.recv({ from: 0, into: { carry: ['more'] } });
                },
              );
            },
          );
        },
      });
    expect(told(first(model(3)))).toEqual([]);
    expect(first(model(3)).incidence!.open).toBe(2);
    const [f, more] = findings(first(model(2)));
    expect(more).toBeUndefined();
    expect([f!.kind, f!.status, f!.by, [...f!.places].sort()]).toEqual([
      'unmatched counts',
      'confirmed',
      'state equation',
      ['messages from 0 to 1, tag 0', 'messages from 1 to 0, tag 0'],
    ]);
  });

  it('a receive behind a test that never holds is refuted', () => {
    const model = spmd({
      name: 'never',
      vars: { who: rankVar() },
      build(m) {
        only(0, m, () => m.send({ to: 1, bytes: 8 }));
        only(1, m, () => {
          m.recv({ from: 0, into: { source: 'who' } });
          m.when(
            (s) => s.who === 1,
            () => m.recv({ from: 0, tag: 9 }),
          );
        });
      },
    });
    expect(told(first(model))).toEqual([
      'receive that nothing sends to, refuted: messages from rank 0 to rank 1, tag 9: 0 to 1 received, none sent',
    ]);
    expect(findings(first(model))[0]!.by).toBe('one run');
  });

  it('a suspicion left open by a limit remains, with the reason', () => {
    const model = spmd({
      name: 'long',
      build(m) {
        m.loop(1000, () => m.barrier());
        only(0, m, () => m.chance(0.5, () => m.send({ to: 1, tag: 2, bytes: 8 })));
      },
    });
    const [f] = findings(first(model, { maxStates: 100 }));
    expect([f!.status, f!.reason]).toEqual(['suspected', 'the limit of 100 states was reached']);
  });

  it('a finding after another fault is not confirmed by that fault', () => {
    const model = spmd({
      name: 'behind',
      build(m) {
        m.recv({ from: (s) => 1 - s.rank });
        m.send({ to: (s) => 1 - s.rank, bytes: 8 });
        only(0, m, () => m.chance(0.5, () => m.send({ to: 1, tag: 2, bytes: 8 })));
      },
    });
    const [f] = findings(first(model));
    expect([f!.status, f!.reason]).toEqual(['suspected', 'the explored runs fail earlier or in another way']);
  });

  it('ranks that call a collective a different number of times, or never', () => {
    const model = (missing: boolean): unknown =>
      spmd({
        name: 'uneven',
        build(m) {
          if (missing) only(0, m, () => m.barrier());
          else
            m.when(
              (s) => s.rank === 0,
              () => m.loop(3, () => m.barrier()),
              () => m.loop(2, () => m.barrier()),
            );
        },
      });
    for (const [missing, counts] of [
      [true, 'rank 0 1, rank 1 0'],
      [false, 'rank 0 3, rank 1 2'],
    ] as const) {
      const [f, more] = findings(first(model(missing)));
      expect(more).toBeUndefined();
      expect([f!.kind, f!.status, f!.by]).toEqual(['unmatched counts', 'confirmed', 'state equation']);
      expect(f!.what).toContain(counts);
    }
  });

  it('a collective not called by all ranks is an error, even if no rank waits for it', () => {
    const model = spmd({ name: 'root', build: (m) => only(0, m, () => m.bcast({ bytes: 8 })) });
    expect(() => first(model)).toThrow(/MODEL033 rank 0 makes 1 collective call/);
  });

  it('communicators, persistent requests, tests, one-sided transfers and files have shapes', () => {
    const model = spmd({
      name: 'all',
      vars: { k: counter() },
      build(m) {
        const half = m.split({ color: (s) => s.rank % 2 });
        m.sendrecv({ to: (s) => (s.rank + 1) % s.size, from: (s) => (s.rank + s.size - 1) % s.size, bytes: 8 });
        const out = m.sendInit({ to: (s) => (s.rank + 1) % s.size, bytes: 8, tag: 1 });
        const into = m.recvInit({ from: (s) => (s.rank + s.size - 1) % s.size, tag: 1 });
        m.loop('k', 10, () => {
          m.start(out, into);
          m.waitAll([out, into]);
          m.allreduce({ bytes: 8, comm: half });
        });
        const sum = m.iallreduce({ bytes: 8 });
        m.send({ to: (s) => (s.rank === 0 ? null : 0), bytes: 8, tag: 5 });
        only(0, m, () => m.loop(m.size - 1, () => m.recv({ from: ANY, tag: 5 })));
        m.wait(sum);
        m.put({ to: (s) => (s.rank + 1) % s.size, bytes: 8 });
        m.fence();
        m.writeFile({ bytes: 8 });
        const [a, b] = [m.irecv({ from: (s) => s.size - 1 - s.rank, tag: 6 }), m.irecv({ from: null })];
        m.isend({ to: (s) => s.size - 1 - s.rank, bytes: 8, tag: 6 });
        m.waitAny([a, b]);
        m.waitAll([a, b]);
      },
    });
    for (const ranks of [2, 4]) {
      const one = first(model, { ranks, ...(ranks === 2 ? {} : { maxStates: 1000 }) });
      expect(told(one)).toEqual([]);
      if (ranks === 2) expect(holds(one)).toBe(true);
    }
  });

  it('a net that would be too large is skipped, with a reason', () => {
    const model = spmd({
      name: 'wide',
      vars: { who: rankVar() },
      build(m) {
        m.isend({ to: (s) => (s.rank + 1) % s.size, bytes: 8 });
        m.recv({ from: ANY, into: { source: 'who' } });
        m.isend({ to: (s) => s.who, bytes: 8 });
        m.recv({ from: ANY });
      },
    });
    const document = verifyProgram(model as unknown as ProgramModel, {
      ranks: 300,
      maxSteps: 10,
      maxStates: 10,
      sends: 'eager',
    });
    expect(document.instances[0]!.incidence).toEqual({
      places: 0,
      transitions: 0,
      open: 0,
      findings: [],
      reason: 'the control net would be too large',
    });
    expect(renderProgramVerification(document, { width: 100, colour: false, unicode: true })).toContain(
      'Incidence matrix: no findings, not checked for 300 ranks: the control net would be too large',
    );
  });

  it('the net does not grow with loop iterations', () => {
    const model = (turns: number): ProgramModel =>
      spmd({
        name: 'turns',
        build(m) {
          m.loop(turns, () => {
            m.isend({ to: (s) => 1 - s.rank, bytes: 8 });
            m.recv({ from: (s) => 1 - s.rank });
          });
        },
      }) as unknown as ProgramModel;
    const [few, many] = [2, 1_000_000].map((n) => first(model(n), { maxSteps: 10 }).incidence!);
    expect([many!.places, many!.transitions, many!.findings]).toEqual([few!.places, few!.transitions, []]);
  });
});

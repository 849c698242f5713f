import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { predict } from '../../../../src/commands/predict/predict.ts';
import type { ProgramInstance } from '../../../../src/commands/verify/program/program-verification.ts';
import { verifyProgram } from '../../../../src/commands/verify/program/verify-program.ts';
import { ANY, cluster, type ProgramModel, spmd } from '../../../../src/models.ts';
import { atFullEffort, effort } from '../../../effort.ts';
import { type Op, reference, traceOf } from './reference.ts';

/** A model from the operations of each rank. */
function modelOf(programs: readonly (readonly Op[])[]): ProgramModel {
  return spmd({
    name: 'lists',
    verifyWith: { ranks: programs.length },
    build(m) {
      const parts = programs.map((ops) => () => {
        const requests: ReturnType<typeof m.irecv>[] = [];
        for (const op of ops) {
          if (op.op === 'waitall') {
            if (requests.length > 0) m.waitAll(requests.splice(0));
          } else if (op.op === 'send') m.send({ to: op.to, tag: op.tag, bytes: 8 });
          else if (op.op === 'isend') requests.push(m.isend({ to: op.to, tag: op.tag, bytes: 8 }));
          else {
            const pattern: { from: number | typeof ANY; tag: number | typeof ANY } = {
              from: op.from ?? ANY,
              tag: op.tag ?? ANY,
            };
            if (op.op === 'recv') m.recv(pattern);
            else requests.push(m.irecv(pattern));
          }
        }
      });
      const ranksFrom = (r: number): void => {
        if (r === parts.length) return;
        m.when(
          (s) => s.rank === r,
          parts[r]!,
          () => ranksFrom(r + 1),
        );
      };
      ranksFrom(0);
    },
  });
}

const verdict = (i: ProgramInstance, id: string): boolean | null | undefined =>
  i.properties.find((p) => p.id === id)?.verdict;

/** Random programs in which the ranks send to rank 0, which receives with all kinds of wildcards. */
const programs = fc
  .record({
    senders: fc.array(
      fc.array(fc.record({ tag: fc.nat({ max: 2 }), blocking: fc.boolean() }), { minLength: 1, maxLength: 3 }),
      { minLength: 1, maxLength: 2 },
    ),
    receives: fc.array(
      fc.record({
        from: fc.constantFrom(null, null, 1, 2),
        tag: fc.constantFrom(null, null, 0, 1, 2),
        blocking: fc.boolean(),
      }),
      { minLength: 2, maxLength: 5 },
    ),
  })
  .map(({ senders, receives }): Op[][] => {
    const sent = senders.reduce((sum, s) => sum + s.length, 0);
    const rank0 = receives.slice(0, sent).map(
      ({ from, tag, blocking }): Op => ({
        op: blocking ? 'recv' : 'irecv',
        from: from !== null && from > senders.length ? 1 : from,
        tag,
      }),
    );
    const others = senders.map((messages) =>
      messages.map(({ tag, blocking }): Op => ({ op: blocking ? 'send' : 'isend', to: 0, tag })),
    );
    return [rank0, ...others].map((ops): Op[] => [...ops, { op: 'waitall' }]);
  });

describe('models with wildcards', () => {
  it('have the outcomes of an interpreter of all orders, never unknown', { timeout: 300_000 }, () => {
    const seen = { deadlock: 0, fine: 0, lost: 0, starved: 0 };
    fc.assert(
      fc.property(programs, fc.boolean(), (program, eager) => {
        const expected = reference(program, eager);
        const [found] = verifyProgram(modelOf(program), { sends: eager ? 'eager' : 'rendezvous' }).instances;
        expect(verdict(found!, 'deadlock-free')).toBe(!expected.deadlock);
        if (!expected.deadlock) {
          expect(verdict(found!, 'received')).toBe(!expected.lost);
          expect(verdict(found!, 'supplied')).toBe(!expected.starved);
          expect((found!.races ?? []).length > 0).toBe(expected.race);
        }
        for (const key of ['deadlock', 'lost', 'starved'] as const) if (expected[key]) seen[key]++;
        if (!expected.deadlock && !expected.lost) seen.fine++;
      }),
      { numRuns: effort(100), seed: 11 },
    );
    expect(seen.deadlock).toBeGreaterThan(atFullEffort(20));
    expect(seen.fine).toBeGreaterThan(atFullEffort(20));
    expect(seen.lost).toBeGreaterThan(atFullEffort(5));
  });
});

describe('messages of one sender do not overtake each other', () => {
  const machine = cluster({
    nodes: 4,
    coresPerNode: 1,
    speed: '1Gf',
    link: { latency: '5us', bandwidth: '1GB/s' },
    eagerBelow: 1000,
  });

  /** Two receives are posted at the same time: the second must not take a message of tag 2 before one of tag 1. */
  const waiting = [
    [
      { op: 'irecv', from: null, tag: null },
      { op: 'irecv', from: 1, tag: null },
      { op: 'waitall' },
      { op: 'recv', from: 1, tag: 2 },
    ],
    [
      { op: 'send', to: 0, tag: 1 },
      { op: 'send', to: 0, tag: 1 },
      { op: 'send', to: 0, tag: 2 },
    ],
  ] as const satisfies readonly (readonly Op[])[];

  it('in predictions of models with a late receiver', () => {
    const model = spmd({
      name: 'late',
      build(m) {
        m.when(
          (s) => s.rank === 0,
          () => {
            m.sleep(1);
            const both = [m.irecv({ from: ANY, tag: ANY }), m.irecv({ from: 1, tag: ANY })];
            m.waitAll(both);
            m.recv({ from: 1, tag: 2 });
          },
          () => {
            m.send({ to: 0, tag: 1, bytes: 8 });
            m.send({ to: 0, tag: 1, bytes: 8 });
            m.send({ to: 0, tag: 2, bytes: 8 });
          },
        );
      },
    });
    expect(predict(model, { machine, ranks: 2 })).toMatchObject({ complete: true, deadlock: [], warnings: [] });
  });

  it('in predictions of traces', () => {
    const dir = mkdtempSync(join(tmpdir(), 'foretoken-wildcards-'));
    try {
      const file = join(dir, 'late.ti');
      writeFileSync(file, traceOf(waiting).replace('0 init', '0 init\n0 sleep 1'));
      expect(predict(file, { machine })).toMatchObject({ complete: true, deadlock: [] });
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('in verification, but a receive of a definite tag skips other tags', () => {
    const skipping = modelOf([
      [
        { op: 'recv', from: 1, tag: 2 },
        { op: 'recv', from: 1, tag: 1 },
      ],
      [
        { op: 'send', to: 0, tag: 1 },
        { op: 'send', to: 0, tag: 2 },
      ],
    ]);
    const [eager, rendezvous] = verifyProgram(skipping).instances;
    expect(verdict(eager!, 'deadlock-free')).toBe(true);
    expect(verdict(rendezvous!, 'deadlock-free')).toBe(false);
    expect(verdict(verifyProgram(modelOf(waiting)).instances[0]!, 'deadlock-free')).toBe(true);
  });

  it('a wildcard that takes a message meant for a later receive is reported, with a shortest path', () => {
    const theft = modelOf([
      [
        { op: 'recv', from: null, tag: null },
        { op: 'recv', from: null, tag: null },
        { op: 'recv', from: 1, tag: 2 },
        { op: 'recv', from: 2, tag: 2 },
      ],
      [
        { op: 'send', to: 0, tag: 1 },
        { op: 'send', to: 0, tag: 2 },
      ],
      [
        { op: 'send', to: 0, tag: 1 },
        { op: 'send', to: 0, tag: 2 },
      ],
    ]);
    const { instances } = verifyProgram(theft);
    for (const one of instances) {
      expect(verdict(one, 'deadlock-free')).toBe(false);
      expect(one.deadlock).toMatchObject({ shortest: true });
      expect(one.deadlock!.choices).toHaveLength(2);
    }
  });

  it('in predictions: a random program without a deadlock in any order has none', { timeout: 300_000 }, () => {
    let played = 0;
    fc.assert(
      fc.property(programs, (program) => {
        fc.pre(!reference(program, true).deadlock);
        played++;
        expect(predict(modelOf(program), { machine, ranks: program.length }).deadlock).toEqual([]);
      }),
      { numRuns: effort(45), seed: 3 },
    );
    expect(played).toBeGreaterThan(atFullEffort(30));
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { ProgramInstance } from '../../../../src/commands/verify/program/program-verification.ts';
import { verifyProgram } from '../../../../src/commands/verify/program/verify-program.ts';
import { atFullEffort, effort } from '../../../effort.ts';
import { type Op, reference, traceOf } from './reference.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-verify-program-'));
afterAll(() => rmSync(dir, { recursive: true }));
let files = 0;

function verified(trace: string, sends: 'eager' | 'rendezvous', options = {}): ProgramInstance {
  const file = join(dir, `${files++}.ti`);
  writeFileSync(file, trace);
  return verifyProgram(file, { sends, ...options }).instances[0]!;
}

const verdict = (i: ProgramInstance, id: string): boolean | null | undefined =>
  i.properties.find((p) => p.id === id)?.verdict;

/** Random programs of two or three ranks in which most sends have a matching receive. */
const programs = fc.integer({ min: 2, max: 3 }).chain((ranks) => {
  const rank = fc.integer({ min: 0, max: ranks - 1 });
  const message = fc.record({
    from: rank,
    to: rank,
    tag: fc.integer({ min: 0, max: 1 }),
    blockingSend: fc.boolean(),
    blockingReceive: fc.boolean(),
    anySource: fc.boolean(),
    anyTag: fc.boolean(),
    missing: fc.constantFrom('none', 'none', 'none', 'none', 'send', 'receive'),
  });
  return fc.tuple(fc.constant(ranks), fc.array(message, { minLength: 1, maxLength: 4 }), fc.boolean(), fc.boolean());
});

function programsOf([ranks, messages, wild, reverse]: [number, { [k: string]: unknown }[], boolean, boolean]): Op[][] {
  const all: Op[][] = Array.from({ length: ranks }, () => []);
  for (const given of messages) {
    const m = given as {
      from: number;
      to: number;
      tag: number;
      blockingSend: boolean;
      blockingReceive: boolean;
      anySource: boolean;
      anyTag: boolean;
      missing: string;
    };
    const put = (r: number, op: Op): void =>
      void (reverse && all[r]!.length % 2 === 1 ? all[r]!.unshift(op) : all[r]!.push(op));
    if (m.missing !== 'send') put(m.from, { op: m.blockingSend ? 'send' : 'isend', to: m.to, tag: m.tag });
    if (m.missing !== 'receive')
      put(m.to, {
        op: m.blockingReceive ? 'recv' : 'irecv',
        from: wild && m.anySource ? null : m.from,
        tag: wild && m.anyTag ? null : m.tag,
      });
  }
  return all.map((ops) => [...ops, { op: 'waitall' }]);
}

describe('the outcomes of traces', () => {
  it('agree with a plain interpreter of all orders', { timeout: 120_000 }, () => {
    const seen = { oneRun: 0, space: 0, deadlock: 0, lost: 0, race: 0 };
    fc.assert(
      fc.property(programs, fc.boolean(), (given, eager) => {
        const program = programsOf(given as never);
        const expected = reference(program, eager);
        const found = verified(traceOf(program), eager ? 'eager' : 'rendezvous');
        expect(verdict(found, 'deadlock-free')).toBe(!expected.deadlock);
        if (!expected.deadlock) {
          expect(verdict(found, 'received')).toBe(!expected.lost);
          expect(verdict(found, 'supplied')).toBe(!expected.starved);
        }
        if (found.method === 'state space') expect((found.races ?? []).length > 0).toBe(expected.race);
        else expect(expected.race).toBe(false);
        seen[found.method === 'one run' ? 'oneRun' : 'space']++;
        for (const key of ['deadlock', 'lost', 'race'] as const) if (expected[key]) seen[key]++;
      }),
      { numRuns: effort(150), seed: 7 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(atFullEffort(5));
  });

  it('reports which rank waits for which, with lines and the cycle', () => {
    const trace = '0 init\n0 send 1 1 8\n0 recv 1 1 8\n0 finalize\n1 init\n1 send 0 1 8\n1 recv 0 1 8\n1 finalize\n';
    expect(verified(trace, 'eager').properties.every((p) => p.verdict)).toBe(true);
    const { deadlock } = verified(trace, 'rendezvous');
    expect(deadlock!.cycle).toEqual([0, 1]);
    expect(deadlock!.blocked.map(({ rank, operation, line, waitsFor }) => [rank, operation, line, waitsFor])).toEqual([
      [0, 'send 1 1 8', 2, [1]],
      [1, 'send 0 1 8', 6, [0]],
    ]);
  });

  it('names unreceived sends and unmatched receives, with their counts', () => {
    const sends = Array.from({ length: 5 }, () => '0 isend 1 3 8\n').join('');
    const trace = `0 init\n${sends}0 finalize\n1 init\n1 recv 0 3 8\n1 recv 0 3 8\n1 irecv 0 4 8\n1 finalize\n`;
    const found = verified(trace, 'eager');
    expect(verdict(found, 'received')).toBe(false);
    expect(verdict(found, 'supplied')).toBe(false);
    expect(found.sound).toBe(false);
    expect(
      found.unmatched.map(({ kind, rank, peer, tag, count, at }) => [kind, rank, peer, tag, count, at[0]!.line]),
    ).toEqual([
      ['send', 0, 1, 3, 3, 4],
      ['receive', 1, 0, 4, 1, 11],
    ]);
  });

  it('a rank that waits after a completed send is reported at its waiting operation', () => {
    const trace = '0 init\n0 send 1 1 8\n0 recv 1 2 8\n0 finalize\n1 init\n1 recv 0 9 8\n1 finalize\n';
    const { deadlock } = verified(trace, 'eager');
    expect(deadlock!.blocked.map(({ rank, line }) => [rank, line])).toEqual([
      [0, 3],
      [1, 6],
    ]);
  });

  it('a limit of steps or states leaves the verdict open', () => {
    const trace = '0 init\n0 send 1 1 8\n0 finalize\n1 init\n1 recv 0 1 8\n1 finalize\n';
    const cut = verified(trace, 'eager', { maxSteps: 1 });
    expect(cut.properties.map((p) => p.verdict)).toEqual([null, null, null]);
    const wild = trace.replace('recv 0', 'recv -555');
    const short = verified(wild, 'eager', { maxStates: 2 });
    expect(verdict(short, 'deadlock-free')).toBeNull();
    expect(verdict(verified(wild, 'eager'), 'deadlock-free')).toBe(true);
  });

  it('the maximum number of waiting messages is that of the worst order', () => {
    const trace = `0 init\n0 send 1 1 8\n0 send 1 1 8\n0 send 1 1 8\n0 finalize\n1 init\n1 recv 0 1 8\n1 recv 0 1 8\n1 recv 0 1 8\n1 finalize\n`;
    const found = verified(trace, 'eager', { buffer: 2 });
    expect(found.buffer).toEqual({ most: 3, rank: 1, exact: true });
    expect(verdict(found, 'buffer')).toBe(false);
    expect(verified(trace, 'rendezvous', { buffer: 2 }).buffer).toEqual({ most: 1, rank: 1, exact: true });
  });

  it.each([
    [{ sends: 'buffered' }, 'VER001'],
    [{ maxSteps: 0 }, 'VER002'],
    [{ buffer: -1 }, 'VER002'],
    [{ set: { n: 1 } }, 'APP004'],
  ])('options %j are rejected: %s', (options, code) => {
    const file = join(dir, 'x.ti');
    writeFileSync(file, '0 init\n0 finalize\n');
    expect(() => verifyProgram(file, options as never)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code })] }),
    );
  });

  it.each([
    ['model.ts', 'export default 1;'],
    ['net.xml', '\n <?xml version="1.0"?><pnml/>'],
    ['net.txt', '{ "format": "foretoken" }'],
  ])('%s is rejected as a trace', (name, text) => {
    const file = join(dir, name);
    writeFileSync(file, text);
    expect(() => verifyProgram(file)).toThrow(/VER004/);
  });
});

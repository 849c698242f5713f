import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { compare } from '../../../../src/commands/compare/compare.ts';
import { predict as predictOn } from '../../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../../src/commands/predict/prediction.ts';
import { profile } from '../../../../src/commands/profile/profile-program.ts';
import type { ProgramVerificationDocument } from '../../../../src/commands/verify/program/program-verification.ts';
import { verifyProgram } from '../../../../src/commands/verify/program/verify-program.ts';
import { effort } from '../../../effort.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-missing-lines-'));
afterAll(() => rmSync(dir, { recursive: true }));
const machine = join(dir, 'cluster.xml');
writeFileSync(
  machine,
  '<?xml version="1.0"?>\n<platform version="4.1">\n<cluster id="c" prefix="n" radical="0-31" suffix="" speed="1Gf" bw="1GBps" lat="1us"/>\n</platform>\n',
);
const predict = (path: string): PredictionDocument => predictOn(path, { machine });
let files = 0;
const file = (lines: readonly string[]): string => {
  const path = join(dir, `t${files++}.ti`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
};
/** A trace from the lines of each rank, with init and finalize. */
const trace = (...ranks: readonly (readonly string[])[]): string =>
  file(ranks.flatMap((own, r) => ['init', ...own, 'finalize'].map((line) => `${r} ${line}`)));

const verdicts = (d: ProgramVerificationDocument): (boolean | null)[] =>
  d.instances.flatMap((i) => i.properties.map((p) => p.verdict));
const isUnknown = (path: string): { predicted: PredictionDocument; verified: ProgramVerificationDocument } => {
  const [predicted, verified] = [predict(path), verifyProgram(path)];
  expect(predicted.complete).toBe(false);
  expect(predicted.deadlock).toEqual([]);
  expect(predicted.because).not.toEqual([]);
  expect(verified.complete).toBe(false);
  expect(verdicts(verified)).not.toContain(false);
  return { predicted, verified };
};

/** The trace that SimGrid 3.32 records of a shift along a line of three ranks, MPI_PROC_NULL at its ends. */
const shift = [[], ['sendRecv 1 2 1 0 0 0'], []] as const;

test('a shift along a line: not known, and why, with both ranks and lines', () => {
  const { predicted, verified } = isUnknown(trace(...shift));
  for (const { because } of [predicted, verified]) {
    expect(because!.map((p) => p.message)).toEqual([
      expect.stringMatching(
        /^rank 1 receives from rank 0 in sendRecv 1 2 1 0 0 0 \(t0\.ti:4\), but rank 0 lacks 1 send line for it and ends regularly \(t0\.ti:2\): .*MPI_PROC_NULL.*"0 send 1 0 1 0"/,
      ),
      expect.stringMatching(
        /^rank 1 sends to rank 2 in .*t0\.ti:4.*rank 2 lacks 1 receive line.*t0\.ti:7.*"2 recv 1 0 1 0"/,
      ),
    ]);
    expect(because!.map((p) => [p.code, p.place?.line])).toEqual([
      ['TI044', 4],
      ['TI044', 4],
    ]);
  }
  expect(profile(trace(...shift), { machine })).toMatchObject({ complete: false, because: [{}, {}] });
});

test('with the lines that the message proposes the exchange is complete', () => {
  const path = trace(['send 1 0 1 0'], ['sendRecv 1 2 1 0 0 0'], ['recv 1 0 1 0']);
  expect(predict(path)).toMatchObject({ complete: true, deadlock: [] });
  expect(new Set(verdicts(verifyProgram(path)))).toEqual(new Set([true]));
});

describe('other sendRecv lines without a partner', () => {
  test.each([
    ['only the receive is missing', [['send 1 0 8'], ['sendRecv 8 2 8 0'], []]],
    ['only the send is missing', [[], ['sendRecv 8 2 8 0'], ['recv 1 0 8']]],
    ['from any source', [[], ['sendRecv 8 2 8 -555'], ['recv 1 0 8']]],
    ['as written by the tracer', [[], ['sendRecv 8 2 8 -333'], ['recv 1 0 8']]],
    [
      'the receiver receives from any source',
      [['send 1 0 8'], ['sendRecv 8 2 8 0'], ['recv 0 5 8'], ['send 2 5 8']].map((own, r) =>
        r === 2 ? ['recv -555 5 8'] : own,
      ),
    ],
    ['a later collective blocks all', [['barrier'], ['sendRecv 8 2 8 0', 'barrier'], ['barrier']]],
    ['one of many', [['sendRecv 8 1 8 1'], ['sendRecv 8 0 8 0', 'sendRecv 8 0 8 0'], []]],
    [
      'a plain receive takes the message of the sendRecv',
      [['send 1 0 8'], ['sendRecv 8 0 8 0', 'recv 0 0 8'], []].map((own, r) =>
        r === 0 ? [...own, 'recv 1 0 8'] : own,
      ),
    ],
    ['tags, which sendRecv lines do not have', [['sendRecv 8 1 8 1'], ['recv 0 5 8', 'send 0 5 8']]],
  ] as const)('sendRecv without a partner is unknown: %s', (_, ranks) => {
    isUnknown(trace(...ranks));
  });
});

describe('a receive that is truly missing stays a deadlock', () => {
  test.each([
    ['a plain receive', [['recv 1 0 8'], []]],
    ['a plain large send', [['send 1 0 1000000'], []]],
    ['next to an exchange that lacks lines', [...shift, ['recv 4 0 8'], []]],
    ['that another rank waits for', [...shift, ['recv 4 0 8'], ['recv 3 7 8', 'send 3 0 8']]],
    ['a cycle', [...shift, ['recv 4 0 8', 'send 4 0 8'], ['recv 3 0 8', 'send 3 0 8']]],
  ] as const)('a missing receive stays a deadlock: %s', (_, ranks) => {
    const path = trace(...ranks);
    expect(predict(path).complete).toBe(true);
    expect(predict(path).deadlock.length).toBeGreaterThan(0);
    expect(verifyProgram(path, { sends: 'rendezvous' }).instances[0]!.properties[0]).toMatchObject({ verdict: false });
  });

  test('a program that was blocked in its sendRecv while it was recorded', () => {
    const path = file(['0 init', '0 sendRecv 8 1 8 1', '1 init', '1 finalize']);
    expect(predict(path)).toMatchObject({ complete: true, deadlock: [{ rank: 0 }] });
    const other = file(['0 init', '0 sendRecv 8 1 8 1', '0 finalize', '1 init']);
    expect(predict(other)).toMatchObject({ complete: true, deadlock: [{ rank: 0 }] });
  });
});

/** Shifts along random grids, collectives, computing and a token ring: programs that cannot deadlock. */
const program = fc.record({
  dims: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 2, max: 4 })),
  steps: fc.array(
    fc.record({
      kind: fc.constantFrom('shift', 'shift', 'shift', 'barrier', 'compute', 'token'),
      along: fc.integer({ min: 0, max: 1 }),
      by: fc.constantFrom(-1, 1),
      periodic: fc.boolean(),
      bytes: fc.constantFrom(8, 100000),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

/** Lines of all ranks: as recorded, and with a line for each half of an exchange with MPI_PROC_NULL. */
function linesOf({ dims: [rows, columns], steps }: typeof program extends fc.Arbitrary<infer T> ? T : never): {
  recorded: string[][];
  full: string[][];
} {
  const ranks = rows * columns;
  const recorded: string[][] = Array.from({ length: ranks }, () => []);
  const full: string[][] = Array.from({ length: ranks }, () => []);
  for (const { kind, along, by, periodic, bytes } of steps)
    for (let r = 0; r < ranks; r++) {
      const both = (line: string): void => void [recorded[r]!, full[r]!].map((own) => own.push(line));
      const neighbour = (step: number): number | undefined => {
        const at = [Math.floor(r / columns), r % columns] as [number, number];
        const n = [rows, columns][along]!;
        const moved = at[along]! + step;
        if (!periodic && (moved < 0 || moved >= n)) return undefined;
        at[along] = (moved + n) % n;
        return at[0] * columns + at[1];
      };
      if (kind === 'barrier') both('barrier');
      else if (kind === 'compute') both(`compute ${1000 * (r + 1)}`);
      else if (kind === 'token') {
        if (r > 0) both(`recv ${r - 1} 4 ${bytes}`);
        if (r < ranks - 1) both(`send ${r + 1} 4 ${bytes}`);
      } else {
        const [to, from] = [neighbour(by), neighbour(-by)];
        if (to !== undefined && from !== undefined) both(`sendRecv ${bytes} ${to} ${bytes} ${from}`);
        else if (to !== undefined) full[r]!.push(`send ${to} 0 ${bytes}`);
        else if (from !== undefined) full[r]!.push(`recv ${from} 0 ${bytes}`);
      }
    }
  return { recorded, full };
}

/** True if some rank has another number of sendRecv lines to a partner than that partner has from it. */
function lacksLines({ recorded }: ReturnType<typeof linesOf>): boolean {
  const balance = new Map<string, number>();
  const count = (from: number | string, to: number | string, n: number): void =>
    void balance.set(`${from} ${to}`, (balance.get(`${from} ${to}`) ?? 0) + n);
  recorded.forEach((own, r) => {
    for (const [word, , to, , from] of own.map((line) => line.split(' '))) {
      if (word !== 'sendRecv') continue;
      count(r, to!, 1);
      count(from!, r, -1);
    }
  });
  return [...balance.values()].some((n) => n !== 0);
}

test('random grids: never violated; not known exactly if a sendRecv lacks a partner', () => {
  fc.assert(
    fc.property(program, (given) => {
      const lines = linesOf(given);
      const whole = trace(...lines.full);
      expect(new Set(verdicts(verifyProgram(whole)))).toEqual(new Set([true]));
      expect(predict(whole)).toMatchObject({ complete: true, deadlock: [] });
      const path = trace(...lines.recorded);
      const verified = verifyProgram(path);
      const predicted = predict(path);
      expect(verdicts(verified)).not.toContain(false);
      expect(predicted.deadlock).toEqual([]);
      expect(verified.complete).toBe(!lacksLines(lines));
      expect(predicted.complete).toBe(!lacksLines(lines));
    }),
    { numRuns: effort(25) },
  );
});

test('random grids next to a receive that is truly missing: a deadlock', () => {
  fc.assert(
    fc.property(program, fc.boolean(), (given, waits) => {
      const { recorded } = linesOf({ ...given, steps: given.steps.filter(({ kind }) => kind !== 'barrier') });
      const n = recorded.length;
      const path = trace(...recorded, [`recv ${n + 1} 3 8`], waits ? [`recv ${n} 3 8`] : ['compute 1']);
      const predicted = predict(path);
      expect(predicted).toMatchObject({ complete: true });
      expect(predicted.deadlock.map((b) => b.rank)).toContain(n);
      for (const { properties } of verifyProgram(path).instances)
        expect(properties.find((p) => p.id === 'deadlock-free')!.verdict).toBe(false);
    }),
    { numRuns: effort(20) },
  );
});

test('compare names the missing lines, too', () => {
  const given = { input: 'shift.ti', document: predict(trace(...shift)) };
  const { a, notes } = compare(given, given);
  expect(a.complete).toBe(false);
  expect(notes!.map((n) => n.code)).toEqual(['TI044', 'TI044']);
});

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UNPACKED } from '../../src/trace/ti/pages/page-columns.ts';
import { pageShift } from '../../src/trace/ti/pages/pages.ts';
import { effort } from '../effort.ts';
import { folder, meaning, open, parse, valueAt } from './support.ts';

/** Lines of one rank, without init and finalize: a few distinct lines, repeated irregularly. */
function rankLines(ranks: number): fc.Arbitrary<string[]> {
  const peer = fc.nat(ranks - 1);
  const tag = fc.nat(3);
  const size = fc.oneof(fc.constant('8192 6'), fc.nat(1e6).map(String), fc.constant('1e+06 0'), fc.constant('5e3'));
  const line = fc.oneof(
    { weight: 3, arbitrary: fc.double({ min: 0, max: 1e12, noNaN: true }).map((flops) => `compute ${flops}`) },
    { weight: 3, arbitrary: fc.nat(1e9).map((flops) => `compute ${flops}`) },
    {
      weight: 4,
      arbitrary: fc.tuple(fc.constantFrom('send', 'isend', 'recv', 'irecv'), peer, tag, size).map((x) => x.join(' ')),
    },
    fc.tuple(peer, size).map(([to, bytes]) => `sendRecv ${bytes.split(' ')[0]} ${to} 5 -555`),
    fc.constantFrom('waitall 4', 'waitall', 'sleep 0.5', 'comm_size 4', 'recv -555 -444 10 1', 'irecv -555 0 7'),
  );
  return fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.array(line, { minLength: 1, maxLength: 6 }), fc.nat(30))
    .map(([once, body, times]) => [...once, ...Array.from({ length: times }, () => body).flat()]);
}

const programs = fc.integer({ min: 1, max: 5 }).chain((ranks) =>
  fc.record({
    lines: fc.array(rankLines(ranks), { minLength: ranks, maxLength: ranks }),
    collectives: fc.array(fc.constantFrom('barrier', 'bcast 10 0', 'allreduce 8 0 0', 'alltoall 1 1'), {
      maxLength: 5,
    }),
    doubles: fc.array(fc.boolean(), { minLength: ranks, maxLength: ranks }),
    deal: fc.array(fc.nat(100), { minLength: 1, maxLength: 20 }),
    blockBytes: fc.integer({ min: 64, max: 2000 }),
  }),
);

/** All lines per rank, the collectives at the end. */
function texts(program: { lines: string[][]; collectives: string[]; doubles: boolean[] }): string[][] {
  return program.lines.map((lines, rank) =>
    [program.doubles[rank] ? 'init 1' : 'init', ...lines, ...program.collectives, 'finalize'].map(
      (x) => `${rank} ${x}`,
    ),
  );
}

/** Interleaves the lines of the ranks in one file, in rounds of varying length. */
function interleave(ranks: string[][], deal: number[]): string[] {
  const left = ranks.map((lines) => [...lines]);
  const out: string[] = [];
  for (let turn = 0; left.some((lines) => lines.length > 0); turn++) {
    // At least one line per round.
    const take = turn % left.length === 0 ? 1 : 0;
    out.push(...left[turn % left.length]!.splice(0, Math.max(take, deal[turn % deal.length]! % 4)));
    if (turn % left.length === 0) left.push(left.shift()!);
  }
  return out;
}

test('merged, interleaved, listed and compressed files give the same trace', () => {
  fc.assert(
    fc.property(programs, (program) => {
      const { blockBytes, deal } = program;
      const ranks = texts(program);
      const options = { blockBytes, packedBytes: 0 };
      const merged = ranks.flat().join('\n');
      const expected = parse(merged);
      expect(expected.program.map((lines) => lines.length - 1)).toEqual(
        ranks.map((lines) => lines.filter((line) => !/init|finalize|comm_size/.test(line)).length),
      );
      expect(parse(`${merged}\n`, options)).toEqual(expected);
      expect(parse(merged, { ...options, ranks: ranks.length })).toEqual(expected);
      expect(parse(interleave(ranks, deal).join('\n'), options)).toEqual(expected);
      expect(parse(gzipSync(merged), options)).toEqual(expected);
      const half = merged.length >> 1;
      expect(parse(Buffer.concat([gzipSync(merged.slice(0, half)), gzipSync(merged.slice(half))]), options)).toEqual(
        expected,
      );
      const members = ranks.map((lines, rank): [string, string | Uint8Array] => {
        const text = lines.join('\n');
        return [`m${rank}`, rank % 2 === 0 ? text : gzipSync(text)];
      });
      const list = members.map(([name]) => name).join('\n');
      const files = folder(
        Object.fromEntries([
          ...members,
          ['list', list],
          ['list.gz', gzipSync(list)],
          ['all', merged],
          ['one', 'all\n'],
        ]),
      );
      for (const name of ['list', 'list.gz', 'one']) {
        const opened = open(files.path(name), options);
        expect(meaning(opened)).toEqual(expected);
        opened.trace.close();
      }
      files.remove();
    }),
    { numRuns: effort(120), seed: 5 },
  );
});

test('every line is found again', () => {
  fc.assert(
    fc.property(programs, (program) => {
      const lines = interleave(texts(program), program.deal);
      const files = folder({ trace: lines.join('\n') });
      const { trace } = open(files.path('trace'), { blockBytes: program.blockBytes });
      const next = Array.from(trace.start);
      lines.forEach((text, index) => {
        const rank = Number(text.split(' ')[0]);
        if (/init|finalize|comm_size/.test(text)) return;
        expect(trace.locate(next[rank]!++)).toEqual({ file: files.path('trace'), line: index + 1, text });
      });
      expect(next).toEqual(Array.from(trace.end));
      for (const end of next) expect(trace.locate(end).text).toMatch(/finalize$/);
      expect(() => trace.locate(-1)).toThrow(RangeError);
      expect(() => trace.locate(trace.end[0]! + 1)).toThrow(RangeError);
      trace.close();
      files.remove();
    }),
    { numRuns: effort(60), seed: 6 },
  );
});

/** Positions per page of a trace of three ranks. */
const PAGE_SIZE = 1 << pageShift(3);

describe('traces of many pages', () => {
  const RANKS = 3;
  const PAGES = 108;
  const STEPS = PAGE_SIZE * (PAGES - 1) + 5;
  /** Amount of step `k` of a rank. */
  const amount = (rank: number, k: number): number => k * 10 + rank + (k % 3) / 4;
  const lines = (rank: number): string[] =>
    Array.from({ length: STEPS }, (_, k) => {
      return k % 5 === 0
        ? `${rank} send ${(rank + k) % RANKS} ${k % 2} ${Math.floor(amount(rank, k))}`
        : `${rank} compute ${amount(rank, k)}`;
    });
  const merged = Array.from({ length: RANKS }, (_, rank) => lines(rank))
    .flat()
    .join('\n');
  const turns = Array.from({ length: STEPS }, (_, k) =>
    Array.from({ length: RANKS }, (_, rank) => (lines.length > 0 ? ([rank, k] as const) : ([0, 0] as const))),
  ).flat();
  const byRank = Array.from({ length: RANKS }, (_, rank) => lines(rank));
  const interleaved = turns.map(([rank, k]) => byRank[rank]![k]!).join('\n');

  test.each([
    ['merged', merged],
    ['interleaved', interleaved],
    ['compressed', gzipSync(merged)],
  ])('%s: dropped pages are restored exactly', (_, text) => {
    const files = folder({ trace: text });
    const { trace, action } = open(files.path('trace'), { packedBytes: 0 });
    expect(Array.from(trace.end, (end, rank) => end - trace.start[rank]!)).toEqual([STEPS, STEPS, STEPS]);
    expect(Array.from(trace.start)).toEqual([0, PAGE_SIZE * PAGES, PAGE_SIZE * PAGES * 2]);
    expect(trace.length).toBe(PAGE_SIZE * PAGES * RANKS);
    const present = () => trace.code.pages.filter((page) => page !== undefined).length;
    const check = (rank: number, k: number): void => {
      const position = trace.start[rank]! + k;
      const much = k % 5 === 0 ? Math.floor(amount(rank, k)) : amount(rank, k);
      expect([valueAt(trace.amount, position), action(position)]).toEqual([
        much,
        k % 5 === 0 ? { kind: 'send', peer: (rank + k) % RANKS, tag: k % 2 } : { kind: 'compute' },
      ]);
    };
    for (let round = 0; round < 2; round++) {
      for (let k = 0; k < STEPS; k += 97) for (let rank = 0; rank < RANKS; rank++) check(rank, k);
      for (let k = STEPS - 1; k >= 0; k -= 997) for (let rank = 0; rank < RANKS; rank++) check(rank, k);
      expect(present()).toBeLessThanOrEqual(UNPACKED);
      expect(trace.amount.pages.map((page) => page !== undefined)).toEqual(
        trace.code.pages.map((page) => page !== undefined),
      );
    }
    trace.close();
    trace.close();
    files.remove();
  });

  test('forward readers load each page about once', () => {
    const files = folder({ trace: interleaved });
    const { trace } = open(files.path('trace'), { packedBytes: 0 });
    let loads = 0;
    for (let k = 0; k <= STEPS; k++) {
      for (let rank = 0; rank < RANKS; rank++) {
        const page = (trace.start[rank]! + k) / PAGE_SIZE;
        if (trace.code.pages[Math.floor(page)] === undefined) {
          loads++;
          trace.code.load(Math.floor(page));
        }
      }
    }
    expect(loads).toBeLessThanOrEqual(PAGES * RANKS);
    trace.close();
    files.remove();
  });
});

test.each([
  [0, 3],
  [1, 0],
  [63, 1],
  [64, 2],
  [65, 70],
  [PAGE_SIZE - 1, 2],
  [PAGE_SIZE, 1],
  [PAGE_SIZE + 1, PAGE_SIZE],
  [3 * PAGE_SIZE, 0],
])('ranks that continue after their finalize: %i actions before it, %i after', (before, after) => {
  const RANKS = 3;
  const line = (rank: number, k: number): string => `${rank} compute ${rank * 1000 + k}`;
  const some = (rank: number, from: number, count: number): string[] =>
    Array.from({ length: count }, (_, k) => line(rank, from + k));
  const ranks = Array.from({ length: RANKS }, (_, rank) => rank);
  const text = [
    ...ranks.flatMap((rank) => [...some(rank, 0, before), `${rank} finalize`]),
    ...ranks.flatMap((rank) => [...some(rank, before, after), `${rank} finalize`]),
  ].join('\n');
  const { program } = parse(text);
  for (const rank of ranks)
    expect(program[rank]!.map(([, amount]) => amount)).toEqual([
      ...Array.from({ length: before + after }, (_, k) => rank * 1000 + k),
      0,
    ]);
});

test('more ranks than actions need little memory', () => {
  const ranks = 20_000;
  const before = process.memoryUsage().arrayBuffers;
  const files = folder({ trace: Array.from({ length: ranks }, (_, rank) => `${rank} compute ${rank}`).join('\n') });
  const { trace } = open(files.path('trace'));
  expect(valueAt(trace.amount, trace.start[ranks - 1]!)).toBe(ranks - 1);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64e6);
  trace.close();
  files.remove();
});

test('an amount of −0 is 0', () => {
  const zeros = ['-0', '-0.0', '-0e5', `-0.${'0'.repeat(30)}`, '-1e-400'];
  const files = folder({ trace: ['0 init', ...zeros.map((z) => `0 compute ${z}`), '0 finalize'].join('\n') });
  const { trace } = open(files.path('trace'));
  expect(zeros.map((_, k) => valueAt(trace.amount, trace.start[0]! + k))).toEqual(zeros.map(() => 0));
  trace.close();
  files.remove();
});

test('the more ranks, the smaller their pages', () => {
  expect([1, 64, 128, 129, 256, 257, 512, 1024, 1e5].map(pageShift)).toEqual([9, 9, 9, 8, 8, 7, 7, 7, 7]);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COLLECTIVES, type CollectiveSelector } from '../../../src/models/collectives/choice.ts';
import { expandCollective, expandSendRecv } from '../../../src/models/collectives/expand.ts';
import { parseChoice } from '../../../src/models/collectives/parse-choice.ts';
import { collectiveTag, type PointToPoint } from '../../../src/models/collectives/steps.ts';
import type { Collective } from '../../../src/trace/collective.ts';
import { internal } from '../../oracle/program.ts';
import { type Machine, replay } from '../../oracle/replay.ts';

/** A collective call with the arguments of each rank. */
interface Call {
  readonly size: number;
  readonly kind: string;
  readonly of: (rank: number) => Collective;
  /** Total bytes transferred, without envelopes; omitted if it depends on the algorithm. */
  readonly total?: number;
}

const bytes = fc.oneof(fc.nat(600), fc.constantFrom(0, 65535, 65536, 524288, 1048576), fc.nat(2_000_000));
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

const call: fc.Arbitrary<Call> = fc
  .record({
    size: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(31, 32, 33, 64)),
    pick: fc.nat(99),
    root: fc.nat(99),
    one: bytes,
    flops: fc.nat(1000),
    parts: fc.array(bytes, { minLength: 64, maxLength: 64 }),
    elementBytes: fc.constantFrom(1, 8),
  })
  .map(({ size, pick, root: anyRoot, one, flops, parts: allParts, elementBytes }): Call => {
    const root = anyRoot % size;
    const parts = allParts.slice(0, size);
    const others = size - 1;
    const toRoot = sum(parts) - parts[root]!;
    const between = (i: number, j: number): number => parts[(i * 3 + j) % size]!;
    const all = parts.map((_, i) => i);
    const calls: Omit<Call, 'size' | 'kind'>[] = [
      { of: () => ({ kind: 'barrier' }), total: 0 },
      { of: () => ({ kind: 'bcast', bytes: one, root }), total: one * others },
      { of: () => ({ kind: 'reduce', bytes: one, root, flops }), total: one * others },
      { of: () => ({ kind: 'allreduce', bytes: one, flops }), total: 2 * one * others },
      { of: () => ({ kind: 'scan', bytes: one, flops }), total: (one * size * others) / 2 },
      { of: () => ({ kind: 'exscan', bytes: one, flops }), total: (one * size * others) / 2 },
      { of: () => ({ kind: 'gather', sendBytes: one, recvBytes: one, root }), total: one * others },
      { of: () => ({ kind: 'scatter', sendBytes: one, recvBytes: one, root }), total: one * others },
      { of: (r) => ({ kind: 'gatherv', sendBytes: parts[r]!, recvBytes: parts, root }), total: toRoot },
      { of: (r) => ({ kind: 'scatterv', sendBytes: parts, recvBytes: parts[r]!, root }), total: toRoot },
      { of: () => ({ kind: 'allgather', sendBytes: one, recvBytes: one }), total: one * size * others },
      { of: (r) => ({ kind: 'allgatherv', sendBytes: parts[r]!, recvBytes: parts }), total: sum(parts) * others },
      { of: () => ({ kind: 'alltoall', sendBytes: one, recvBytes: one }) },
      {
        of: (r) => ({
          kind: 'alltoallv',
          sendBytes: all.map((i) => between(r, i)),
          recvBytes: all.map((i) => between(i, r)),
        }),
        total: sum(all.flatMap((i) => all.filter((j) => j !== i).map((j) => between(i, j)))),
      },
      { of: () => ({ kind: 'reducescatter', recvBytes: parts, flops, elementBytes }) },
      {
        of: () => ({ kind: 'reducescatter', recvBytes: parts.map(() => one), flops }),
        total: one * others * (size + 1),
      },
    ];
    const chosen = calls[pick % calls.length]!;
    return { size, kind: chosen.of(0).kind, ...chosen };
  });

const expandedBy =
  (selector: CollectiveSelector, nonblocking: boolean) =>
  ({ size, of }: Call): PointToPoint[][] =>
    Array.from({ length: size }, (_, rank) => expandCollective(of(rank), rank, size, selector, nonblocking));

const isSend = (step: PointToPoint): boolean => step.op === 'send' || step.op === 'isend';

describe.each([
  ...COLLECTIVES.map((selector) => [selector, 'blocking'] as const),
  ['simgrid', 'non-blocking'] as const,
])('every collective, any number of ranks, any root (%s, %s)', (selector, calls) => {
  const expanded = expandedBy(selector, calls === 'non-blocking');

  test('each send has one receive with the same source, destination, tag, position in the order and bytes', () => {
    fc.assert(
      fc.property(call, (c) => {
        const sent = new Map<string, number[]>();
        const received = new Map<string, number[]>();
        expanded(c).forEach((steps, rank) => {
          for (const step of steps) {
            if (!('peer' in step)) continue;
            const [map, ends] = isSend(step) ? [sent, [rank, step.peer]] : [received, [step.peer, rank]];
            const key = `${ends} ${step.tag}`;
            map.set(key, [...(map.get(key) ?? []), step.bytes]);
          }
        });
        expect(received).toEqual(sent);
      }),
    );
  });

  test('tags are negative; each request is waited for once before its number is used again; no rank sends to itself', () => {
    fc.assert(
      fc.property(call, (c) => {
        expanded(c).forEach((steps, rank) => {
          const open = new Set<number>();
          for (const step of steps) {
            if (step.op === 'wait') expect(open.delete(step.request)).toBe(true);
            else if ('request' in step) {
              expect(open.has(step.request)).toBe(false);
              open.add(step.request);
            }
            if (!('peer' in step)) continue;
            // The throttled alltoall sends the own part through the network, as in SimGrid.
            if (!(['mpich', 'mvapich2', 'impi'].includes(selector) && c.kind === 'alltoall'))
              expect(step.peer).not.toBe(rank);
            expect(step.tag).toBeLessThan(0);
          }
          expect(open.size).toBe(0);
        });
      }),
    );
  });

  test.runIf(selector === 'simgrid' && calls === 'blocking')(
    'the transferred bytes are those of the collective',
    () => {
      fc.assert(
        fc.property(
          call.filter(({ total }) => total !== undefined),
          (c) => {
            const travelled = expanded(c).flatMap((steps) =>
              steps.map((step) => ('bytes' in step && isSend(step) ? step.bytes : 0)),
            );
            expect(sum(travelled)).toBe(c.total);
          },
        ),
      );
    },
  );

  test('ends under every protocol, also twice in a row; each rank computes its flops last', () => {
    fc.assert(
      fc.property(call, fc.constantFrom('plain', 'eager', 'rendezvous'), (c, protocol: Machine['protocol']) => {
        const machine: Machine = { latency: 1e-6, bandwidth: 1e9, speed: 1e9, protocol };
        const programs = expanded(c);
        replay(
          programs.map((steps) => [...steps, ...steps].map(internal)),
          machine,
        );
        programs.forEach((steps, rank) => {
          const given = c.of(rank);
          const flops = 'flops' in given ? given.flops : 0;
          expect(steps.filter((step) => step.op === 'compute')).toEqual(flops > 0 ? [{ op: 'compute', flops }] : []);
          if (flops > 0) expect(steps.at(-1)!.op).toBe('compute');
        });
      }),
    );
  });
});

describe('examples', () => {
  const of = (collective: Collective, rank: number, size: number): string[] =>
    expandCollective(collective, rank, size).map((step) =>
      'peer' in step ? `${step.op} ${step.peer} ${step.bytes}` : step.op,
    );

  test('a bcast of 6 ranks from 1: the root sends to the farthest first', () => {
    const bcast: Collective = { kind: 'bcast', bytes: 7, root: 1 };
    expect([0, 1, 2, 3, 4, 5].map((rank) => of(bcast, rank, 6).join(', '))).toEqual([
      'recv 5 7',
      'send 5 7, send 3 7, send 2 7',
      'recv 1 7',
      'recv 1 7, send 4 7',
      'recv 3 7',
      'recv 1 7, send 0 7',
    ]);
  });

  test("Bruck's alltoall of 20 ranks: five messages of 10, 10, 8, 8 and 4 blocks", () => {
    const sends = expandCollective({ kind: 'alltoall', sendBytes: 100, recvBytes: 100 }, 3, 20).filter(isSend);
    expect(sends).toEqual(
      [
        [4, 1000],
        [5, 1000],
        [7, 800],
        [11, 800],
        [19, 400],
      ].map(([peer, bytes], i) => ({ op: 'isend', peer, bytes, tag: collectiveTag.alltoall, request: 2 * i })),
    );
  });

  test('an unequal reducescatter counts elements: doubling up to 524288 of them, pairwise above', () => {
    const messages = (elementBytes: number): number =>
      expandCollective({ kind: 'reducescatter', recvBytes: [1e6, 0, 0, 0, 0], flops: 0, elementBytes }, 4, 5).filter(
        isSend,
      ).length;
    expect([messages(8), messages(1)]).toEqual([1, 4]);
  });

  test('a single rank sends nothing', () => {
    expect(expandCollective({ kind: 'alltoall', sendBytes: 600000, recvBytes: 600000 }, 0, 1)).toEqual([]);
    expect(expandCollective({ kind: 'reduce', bytes: 8, flops: 3, root: 0 }, 0, 1)).toEqual([
      { op: 'compute', flops: 3 },
    ]);
  });

  test('a sendRecv posts its send first; a sendRecv with itself transfers nothing', () => {
    expect(expandSendRecv({ to: 1, sendBytes: 5, from: null, recvBytes: 6 }, 0, 2)).toEqual([
      { op: 'isend', peer: 1, tag: 0, bytes: 5, request: 0 },
      { op: 'irecv', peer: null, tag: 0, bytes: 6, request: 1 },
      { op: 'wait', request: 0, group: true },
      { op: 'wait', request: 1, group: true },
    ]);
    expect(expandSendRecv({ to: 1, sendBytes: 5, from: 1, recvBytes: 6 }, 1, 2)).toEqual([]);
  });
});

describe('bad input', () => {
  const bcast: Collective = { kind: 'bcast', bytes: 8, root: 4 };
  test.each<[string, () => unknown]>([
    [
      'COLL001 expected an integer >= 1 as the number of ranks, got 0',
      () => expandCollective({ kind: 'barrier' }, 0, 0),
    ],
    ['COLL002 rank 4 is not one of the 4 ranks (0 to 3)', () => expandCollective({ kind: 'barrier' }, 4, 4)],
    ['COLL003 root 4 of a bcast is not one of the 4 ranks (0 to 3)', () => expandCollective(bcast, 0, 4)],
    [
      'COLL004 recvBytes of a gatherv has 3 entries: expected 4, one per rank',
      () => expandCollective({ kind: 'gatherv', sendBytes: 1, recvBytes: [1, 2, 3], root: 0 }, 0, 4),
    ],
    [
      'COLL005 bytes of a scan: expected a finite number >= 0, got -1',
      () => expandCollective({ kind: 'scan', bytes: -1, flops: 0 }, 0, 4),
    ],
    [
      'COLL007 the algorithm pair of alltoall needs a power of two of ranks, got 6. Did you mean "ring"?',
      () =>
        expandCollective(
          { kind: 'alltoall', sendBytes: 8, recvBytes: 8 },
          0,
          6,
          parseChoice('alltoall=pair', 'simgrid'),
        ),
    ],
    [
      'COLL006 peer 9 of a sendRecv is not one of the 4 ranks (0 to 3)',
      () => expandSendRecv({ to: 9, sendBytes: 1, from: 0, recvBytes: 1 }, 0, 4),
    ],
  ])('a collective is refused: %s', (message, act) => {
    expect(act).toThrow(message);
  });
});

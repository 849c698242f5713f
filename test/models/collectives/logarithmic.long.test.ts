import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COLLECTIVES, type CollectiveSelector } from '../../../src/models/collectives/choice.ts';
import { expandCollective } from '../../../src/models/collectives/expand.ts';
import type { PointToPoint } from '../../../src/models/collectives/steps.ts';
import type { Collective } from '../../../src/trace/collective.ts';
import { internal } from '../../oracle/program.ts';
import { replay } from '../../oracle/replay.ts';

/** By rank: the ranks whose data it has at the end, if each message carries all data that its sender had when it posted it. */
function knowledge(programs: readonly (readonly PointToPoint[])[]): Set<number>[] {
  const known = programs.map((_, rank) => new Set([rank]));
  const next = programs.map(() => 0);
  const mail = new Map<string, Set<number>[]>();
  const open = programs.map(() => new Map<number, string | null>());
  const take = (key: string, rank: number): boolean => {
    const message = mail.get(key)?.shift();
    for (const r of message ?? []) known[rank]!.add(r);
    return message !== undefined;
  };
  for (let moved = true; moved; ) {
    moved = false;
    programs.forEach((steps, rank) => {
      for (let step = steps[next[rank]!]; step !== undefined; step = steps[++next[rank]!]) {
        if (step.op === 'send' || step.op === 'isend') {
          const key = `${rank} ${step.peer} ${step.tag}`;
          mail.set(key, [...(mail.get(key) ?? []), new Set(known[rank])]);
          if (step.op === 'isend') open[rank]!.set(step.request, null);
        } else if (step.op === 'recv') {
          if (!take(`${step.peer} ${rank} ${step.tag}`, rank)) return;
        } else if (step.op === 'irecv') open[rank]!.set(step.request, `${step.peer} ${rank} ${step.tag}`);
        else if (step.op === 'wait') {
          const key = open[rank]!.get(step.request)!;
          if (key !== null && !take(key, rank)) return;
        }
        moved = true;
      }
    });
  }
  return known;
}

const sizes = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(63, 64, 65));
const everyone = (size: number): number[] => Array.from({ length: size }, (_, r) => r);

describe.each(COLLECTIVES)('results of each collective (%s)', (selector: CollectiveSelector) => {
  const knowledgeAfter = (size: number, collective: Collective): number[][] =>
    knowledge(everyone(size).map((rank) => expandCollective(collective, rank, size, selector))).map((s) =>
      [...s].sort((a, b) => a - b),
    );

  test('every rank has data of every rank after allreduce, allgather, alltoall, barrier', () => {
    fc.assert(
      fc.property(
        sizes,
        fc.constantFrom(8, 3000, 1e6),
        fc.constantFrom('allreduce', 'allgather', 'alltoall', 'barrier'),
        (size, bytes, kind) => {
          const collective = (
            kind === 'barrier'
              ? { kind }
              : kind === 'allreduce'
                ? { kind, bytes, flops: 0 }
                : { kind, sendBytes: bytes, recvBytes: bytes }
          ) as Collective;
          for (const known of knowledgeAfter(size, collective)) expect(known).toEqual(everyone(size));
        },
      ),
    );
  });

  test('the root has data of every rank after reduce and gather, every rank has data of the root after bcast and scatter', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.constantFrom(8, 20_000, 1e6), (size, any, bytes) => {
        const root = any % size;
        expect(knowledgeAfter(size, { kind: 'reduce', bytes, flops: 0, root })[root]).toEqual(everyone(size));
        expect(knowledgeAfter(size, { kind: 'gather', sendBytes: bytes, recvBytes: bytes, root })[root]).toEqual(
          everyone(size),
        );
        for (const known of knowledgeAfter(size, { kind: 'bcast', bytes, root })) expect(known).toContain(root);
        for (const known of knowledgeAfter(size, { kind: 'scatter', sendBytes: bytes, recvBytes: bytes, root }))
          expect(known).toContain(root);
      }),
    );
  });

  test('after a scan, a rank has data of exactly the ranks before it', () => {
    fc.assert(
      fc.property(sizes, (size) => {
        knowledgeAfter(size, { kind: 'scan', bytes: 8, flops: 0 }).forEach((known, rank) => {
          expect(known).toEqual(everyone(rank + 1));
        });
      }),
    );
  });
});

test.each(['barrier', 'allreduce', 'bcast', 'reduce', 'allgather'] as const)(
  '%s of 2^k ranks takes k rounds',
  (kind) => {
    const machine = { latency: 1e-3, bandwidth: 1e12, speed: 1e9, protocol: 'eager' } as const;
    for (let k = 0; k <= 7; k++) {
      const size = 2 ** k;
      const sizes = { bytes: 0, sendBytes: 0, recvBytes: 0 };
      const collective = (kind === 'barrier' ? { kind } : { kind, ...sizes, flops: 0, root: 0 }) as Collective;
      const programs = everyone(size).map((r) => expandCollective(collective, r, size, 'logarithmic').map(internal));
      expect(replay(programs, machine).time).toBeCloseTo(k * (1e-3 + 16 / 1e12), 12);
    }
  },
);

test.each<[string, Collective, size: number, messages: number]>([
  ["alltoall of 256 bytes: Bruck's", { kind: 'alltoall', sendBytes: 256, recvBytes: 256 }, 6, 3],
  ['alltoall of 257 bytes: pairwise', { kind: 'alltoall', sendBytes: 257, recvBytes: 257 }, 6, 5],
  ['allreduce of 2048 bytes: doubling', { kind: 'allreduce', bytes: 2048, flops: 0 }, 8, 3],
  ['allreduce of 2049 bytes: halving and doubling', { kind: 'allreduce', bytes: 2049, flops: 0 }, 8, 6],
  ['bcast of 12287 bytes: a tree', { kind: 'bcast', bytes: 12_287, root: 0 }, 8, 3],
  ['bcast of 12288 bytes: scatter and doubling', { kind: 'bcast', bytes: 12_288, root: 0 }, 8, 3 + 3],
  ['bcast of 12288 bytes to other ranks: scatter and ring', { kind: 'bcast', bytes: 12_288, root: 0 }, 9, 4 + 8],
  ['bcast of 524288 bytes: scatter and ring', { kind: 'bcast', bytes: 524_288, root: 0 }, 8, 3 + 7],
  ['allgather of 8 · 65535 bytes: doubling', { kind: 'allgather', sendBytes: 65_535, recvBytes: 65_535 }, 8, 3],
  ['allgather of 8 · 65536 bytes: a ring', { kind: 'allgather', sendBytes: 65_536, recvBytes: 65_536 }, 8, 7],
  ['allgather of 10 · 8191 bytes: Bruck', { kind: 'allgather', sendBytes: 8191, recvBytes: 8191 }, 10, 4],
  ['allgather of 10 · 8192 bytes: a ring', { kind: 'allgather', sendBytes: 8192, recvBytes: 8192 }, 10, 9],
  ['bcast of 12288 bytes to few ranks: a tree', { kind: 'bcast', bytes: 12_288, root: 0 }, 7, 3],
  ['reducescatter of 524288 bytes: doubling', { kind: 'reducescatter', recvBytes: parts(65_536), flops: 0 }, 8, 3],
  ['reducescatter of 524296 bytes: pairwise', { kind: 'reducescatter', recvBytes: parts(65_537), flops: 0 }, 8, 7],
])('messages of rank 0 by size of %s', (_, collective, size, messages) => {
  const steps = expandCollective(collective, 0, size, 'logarithmic');
  expect(steps.filter(({ op }) => op === 'send' || op === 'isend')).toHaveLength(messages);
});

function parts(bytes: number): number[] {
  return everyone(8).map(() => bytes);
}

test.each([0, 2])('in a tree of 6 ranks a message has the parts of its subtree (root %i)', (root) => {
  const bytesAt = (collective: Collective): number[] =>
    expandCollective(collective, root, 6, 'logarithmic').map((step) => ('bytes' in step ? step.bytes : -1));
  // Subtrees of one, two and two ranks: the last would have four of eight.
  expect(bytesAt({ kind: 'gather', sendBytes: 10, recvBytes: 10, root })).toEqual([10, 20, 20]);
  expect(bytesAt({ kind: 'scatter', sendBytes: 10, recvBytes: 10, root })).toEqual([20, 20, 10]);
});

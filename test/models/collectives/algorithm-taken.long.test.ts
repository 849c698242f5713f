import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { algorithmTaken } from '../../../src/models/collectives/algorithm-taken.ts';
import { COLLECTIVES, selectorChoice } from '../../../src/models/collectives/choice.ts';
import { expandCollective } from '../../../src/models/collectives/expand.ts';
import { nodesOf } from '../../../src/models/collectives/nodes.ts';
import { parseChoice } from '../../../src/models/collectives/parse-choice.ts';
import { SELECTABLE, type Selectable } from '../../../src/models/collectives/selectors/decision.ts';
import { bytesOf } from '../../../src/models/collectives/smpi/elements.ts';
import type { Collective } from '../../../src/trace/collective.ts';
import { effort } from '../../effort.ts';
import { callsItself } from './calls-itself.ts';

/** A call as each rank makes it. */
type Call = (rank: number, ranks: number) => Collective;

const callOf = (kind: Selectable, bytes: number, elementBytes: number): Call => {
  const part = (i: number): number => bytes * ((i * 7 + 3) % 5);
  const parts = (ranks: number, of: (i: number) => number): number[] => Array.from({ length: ranks }, (_, i) => of(i));
  return (rank, ranks) => {
    switch (kind) {
      case 'barrier':
        return { kind };
      case 'bcast':
        return { kind, bytes, root: ranks - 1, elementBytes };
      case 'reduce':
        return { kind, bytes, root: ranks - 1, flops: 7, elementBytes };
      case 'allreduce':
        return { kind, bytes, flops: 7, elementBytes };
      case 'gather':
      case 'scatter':
        return { kind, sendBytes: bytes, recvBytes: bytes, root: 0 };
      case 'allgather':
      case 'alltoall':
        return { kind, sendBytes: bytes, recvBytes: bytes };
      case 'allgatherv':
        return { kind, sendBytes: part(rank), recvBytes: parts(ranks, part), elementBytes };
      case 'alltoallv':
        return {
          kind,
          sendBytes: parts(ranks, (i) => part(rank + 2 * i)),
          recvBytes: parts(ranks, (i) => part(i + 2 * rank)),
        };
      default:
        return { kind, recvBytes: parts(ranks, part), flops: 7, elementBytes };
    }
  };
};

const sizes = fc.oneof(fc.nat(64), fc.nat(40_000), fc.nat(200_000)).map((n) => 8 * n);

describe('the algorithm that a selector takes', () => {
  test('has a name that --collectives takes, and by that name sends the same messages unless it calls itself', () => {
    let direct = 0;
    let calling = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...COLLECTIVES),
        fc.constantFrom(...SELECTABLE),
        fc.oneof(fc.integer({ min: 2, max: 20 }), fc.constantFrom(31, 32, 64)),
        sizes,
        fc.constantFrom(1, 8),
        (selector, kind, ranks, bytes, elementBytes) => {
          const call = callOf(kind, bytes, elementBytes);
          const { option, name, selector: by } = algorithmTaken(selectorChoice(selector), call(0, ranks), ranks, false);
          expect(by).toBe(selector);
          if (option === undefined) {
            // Libraries leave out calls without bytes; by name they have empty messages.
            expect([bytes, ['bcast', 'reduce', 'allreduce'].includes(kind)]).toEqual([0, true]);
            expect(['mpich', 'mvapich2', 'impi']).toContain(selector);
            for (const rank of [0, ranks - 1])
              expect(
                expandCollective(call(rank, ranks), rank, ranks, selector).filter(({ op }) => op !== 'compute'),
              ).toEqual([]);
            return;
          }
          expect(option).toBe(`${kind}=${selector === 'logarithmic' ? selector : name}`);
          const forced = parseChoice(option, selector);
          for (const rank of new Set([0, 1, ranks >> 1, ranks - 1])) {
            const collective = call(rank, ranks);
            // All ranks of a call take the same algorithm.
            expect(algorithmTaken(forced, collective, ranks, false).name).toBe(name);
            // A name applies to inner calls of the operation, too: `bcast=NAME` for the rest of a bcast that is split.
            if (callsItself(collective, rank, ranks, selector)) {
              calling++;
              continue;
            }
            direct++;
            expect(expandCollective(collective, rank, ranks, forced)).toEqual(
              expandCollective(collective, rank, ranks, selector),
            );
          }
        },
      ),
      { numRuns: effort(5000) },
    );
    expect(calling).toBeLessThan(0.05 * direct);
  });

  test('chosen by name, or by a selector of its own', () => {
    const bcast: Collective = { kind: 'bcast', bytes: 20_000, root: 0 };
    const taken = (text: string, call: Collective = bcast, ranks = 8) =>
      algorithmTaken(parseChoice(text, 'simgrid'), call, ranks, false);
    expect(taken('ompi,bcast=pipeline')).toEqual({ name: 'ompi_pipeline', option: 'bcast=ompi_pipeline' });
    expect(taken('ompi,bcast=logarithmic')).toEqual({
      name: 'binomial scatter, then recursive doubling',
      option: 'bcast=logarithmic',
      selector: 'logarithmic',
    });
    expect(taken('mpich', { kind: 'scan', bytes: 8, flops: 0 })).toEqual({ name: 'default', selector: 'mpich' });
    // Selectors take `pair` on any number of ranks; by name it needs a power of two.
    const alltoall: Collective = { kind: 'alltoall', sendBytes: 1 << 20, recvBytes: 1 << 20 };
    expect(taken('mpich', alltoall, 7).option).toBe('alltoall=ring');
    expect(taken('mpich', alltoall, 8).name).not.toBe('pair');
  });

  test('of two levels, where ranks share nodes, is that of MVAPICH2 by name', () => {
    const calls: readonly Collective[] = [
      { kind: 'bcast', bytes: 20_000, root: 3 },
      { kind: 'reduce', bytes: 20_000, root: 3, flops: 0 },
      { kind: 'gather', sendBytes: 200, recvBytes: 200, root: 3 },
      { kind: 'scatter', sendBytes: 200, recvBytes: 200, root: 3 },
      { kind: 'allgather', sendBytes: 20_000, recvBytes: 20_000 },
    ];
    const hosts = Array.from({ length: 32 }, (_, r) => r >> 1);
    const nodes = nodesOf(hosts);
    const names = calls.map((call) => {
      const { option, ...taken } = algorithmTaken(selectorChoice('mvapich2'), call, 32, false, nodes);
      const forced = parseChoice(option!, 'mvapich2');
      for (const rank of [0, 1, 3, 16])
        expect(expandCollective(call, rank, 32, forced, false, { nodes })).toEqual(
          expandCollective(call, rank, 32, 'mvapich2', false, { nodes }),
        );
      return taken.name;
    });
    expect(names).toEqual(['mvapich2', 'mvapich2', 'ompi_basic_linear', 'mvapich2', 'mvapich2']);
    // Ranks of a node that do not follow each other: MPICH's allgather, a binomial scatter.
    const apart = nodesOf(hosts.map((_, r) => r % 16));
    expect(calls.map((call) => algorithmTaken(selectorChoice('mvapich2'), call, 32, false, apart).name)).toEqual([
      'mvapich2',
      'mvapich2',
      'ompi_binomial',
      'ompi_binomial',
      'ring',
    ]);
  });

  test('non-blocking calls of traces post their messages, without a choice', () => {
    const call: Collective = { kind: 'allreduce', bytes: 8, flops: 0 };
    expect(algorithmTaken(parseChoice('ompi,allreduce=lr', 'ompi'), call, 4, true)).toEqual({
      name: 'posted',
      selector: 'simgrid',
    });
  });

  test('the size of a call is that of its message, of a pair of ranks, or of all parts', () => {
    const size = (kind: Selectable): number => bytesOf(callOf(kind, 8, 1)(1, 3));
    expect(SELECTABLE.map((kind) => [kind, size(kind)])).toEqual([
      ['allgather', 8],
      ['allgatherv', 24 + 0 + 16],
      ['allreduce', 8],
      ['alltoall', 8],
      ['alltoallv', 0 + 24 + 32],
      ['barrier', 0],
      ['bcast', 8],
      ['gather', 8],
      ['reduce', 8],
      ['reducescatter', 24 + 0 + 16],
      ['scatter', 8],
    ]);
  });
});

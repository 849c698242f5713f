import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { spmd } from '../../../src/models/program/model.ts';
import type { CollectiveKind, Request } from '../../../src/models/program/record/statement.ts';
import { countCases, effort } from '../../effort.ts';

/** Recorded by record_nonblocking.py. */
interface Recorded {
  readonly call: CollectiveKind;
  readonly ranks: number;
  readonly bytes: number;
  readonly computing: 0 | 1;
  readonly end: readonly number[];
  /** Times of SimGrid with `network/optim:Full`, if they differ from its default. */
  readonly full?: readonly number[];
}

const here = (name: string): string => new URL(name, import.meta.url).pathname;
const all: readonly Recorded[] = readFileSync(here('nonblocking-3.32.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

/** The same program as nonblocking.c. */
function program({ call, ranks, bytes, computing }: Recorded): ReturnType<typeof spmd> {
  const list = (of: (i: number) => number): number[] => Array.from({ length: ranks }, (_, i) => of(i));
  const counts = list((i) => (((i * 7 + 3) % 5) * bytes) / 4);
  const between = (i: number, j: number): number => (((i * 3 + j * 5) % 4) * bytes) / 4;
  const root = Math.floor(ranks / 2);
  return spmd({
    name: call,
    build(m) {
      const post: Partial<Record<CollectiveKind, () => Request>> = {
        barrier: () => m.ibarrier(),
        bcast: () => m.ibcast({ bytes, root }),
        reduce: () => m.ireduce({ bytes, root }),
        allreduce: () => m.iallreduce({ bytes }),
        scan: () => m.iscan({ bytes }),
        exscan: () => m.iexscan({ bytes }),
        gather: () => m.igather({ bytes, root }),
        scatter: () => m.iscatter({ bytes, root }),
        allgather: () => m.iallgather({ bytes }),
        alltoall: () => m.ialltoall({ bytes }),
        gatherv: () => m.igatherv({ counts, root }),
        scatterv: () => m.iscatterv({ counts, root }),
        allgatherv: () => m.iallgatherv({ counts }),
        alltoallv: () =>
          m.ialltoallv({
            sendCounts: (s) => list((i) => between(s.rank, i)),
            recvCounts: (s) => list((i) => between(i, s.rank)),
          }),
        reducescatter: () => m.ireducescatter({ counts }),
      };
      if (computing === 1) m.compute({ flops: (s) => ((s.rank * 5 + 2) % 7) * 40000 });
      for (let times = 0; times <= computing; times++) {
        const request = post[call]!();
        if (computing === 1) m.compute({ flops: (s) => 200000 + ((s.rank * 3 + 1) % 4) * 30000 });
        m.wait(request);
      }
    },
  });
}

/** True if the end of some rank differs by more than 1e-6. */
function differs(entry: Recorded): boolean {
  const { ranks } = predict(program(entry), { machine: here('cluster.xml'), ranks: entry.ranks });
  const far = (end: number, r: number): boolean => Math.abs(ranks[r]!.endTime! - end) > 1e-6 * end;
  return (entry.full ?? entry.end).some(far);
}

test('non-blocking collectives end when SimGrid 3.32 says that executes them', { timeout: 600_000 }, () => {
  expect(all.length).toBe(1710);
  // Every n-th entry, and all with `full`; n is prime to 57, the number of cases of one number of ranks.
  const stride = [1, 2, 5, 11, 23, 47].findLast((n) => n * effort(all.length) <= all.length)!;
  const chosen = all.filter(({ full }, k) => k % stride === 0 || full !== undefined);
  countCases(chosen.length);
  const wrong = chosen.filter(differs);
  expect(wrong.map(({ end: _, full: _full, ...entry }) => entry)).toEqual([]);
});

test('SimGrid agrees with itself in all but a few cases', () => {
  expect(all.filter(({ full }) => full !== undefined).length).toBe(30);
});

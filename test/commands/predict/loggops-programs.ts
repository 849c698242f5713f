import fc from 'fast-check';
import type { LogGops } from '../../../src/trace/goal/schedule.ts';

/** A call of a rank; `index` numbers the moves, so that the two ends of a message know each other. */
export type Call =
  | { readonly op: 'compute'; readonly ns: number }
  | {
      readonly op: 'send' | 'isend' | 'recv' | 'irecv';
      readonly peer: number;
      readonly tag: number;
      readonly size: number;
      readonly index: number;
    }
  | {
      readonly op: 'wait';
      readonly peer: number;
      readonly tag: number;
      readonly sends: boolean;
      readonly index: number;
    }
  | { readonly op: 'bcast'; readonly size: number; readonly root: number }
  | { readonly op: 'allreduce'; readonly size: number; readonly flops: number };

/** The calls of each rank. Messages all match, and a blocking call never waits for a later one of another rank under eager sends. */
export const programs: fc.Arbitrary<readonly (readonly Call[])[]> = fc
  .record({
    ranks: fc.integer({ min: 2, max: 5 }),
    moves: fc.array(
      fc.record({
        kind: fc.constantFrom('compute', 'message', 'message', 'message', 'bcast', 'allreduce'),
        a: fc.nat(4),
        b: fc.nat(4),
        tag: fc.nat(1),
        size: fc.constantFrom(1, 8, 100, 1000, 5000),
        ns: fc.integer({ min: 1, max: 9999 }),
        posts: fc.boolean(),
        receives: fc.boolean(),
      }),
      { maxLength: 20 },
    ),
  })
  .map(({ ranks, moves }) => {
    const all: Call[][] = Array.from({ length: ranks }, () => []);
    const waits: Call[][] = Array.from({ length: ranks }, () => []);
    moves.forEach(({ kind, a, b, tag, size, ns, posts, receives }, index) => {
      const [from, to] = [a % ranks, b % ranks];
      if (kind === 'bcast') for (const own of all) own.push({ op: 'bcast', size, root: from });
      else if (kind === 'allreduce') for (const own of all) own.push({ op: 'allreduce', size, flops: ns });
      else if (kind === 'compute' || from === to) all[from]!.push({ op: 'compute', ns });
      else {
        all[from]!.push({ op: posts ? 'isend' : 'send', peer: to, tag, size, index });
        if (posts) waits[from]!.push({ op: 'wait', peer: to, tag, sends: true, index });
        all[to]!.push({ op: receives ? 'irecv' : 'recv', peer: from, tag, size, index });
        if (receives) waits[to]!.push({ op: 'wait', peer: from, tag, sends: false, index });
        // Waits come late, several at once.
        for (const r of [from, to]) if (waits[r]!.length > 2) all[r]!.push(...waits[r]!.splice(0));
      }
    });
    return all.map((own, r) => [...own, ...waits[r]!, { op: 'compute', ns: 1 } as Call]);
  });

export const parameters: fc.Arbitrary<LogGops> = fc.record({
  L: fc.integer({ min: 0, max: 3000 }),
  o: fc.integer({ min: 1, max: 2000 }),
  g: fc.integer({ min: 0, max: 3000 }),
  G: fc.nat(7),
  O: fc.nat(3),
  S: fc.constantFrom(65_535, 500),
});

/** The programs as a time-independent trace; a core computes 1 flop in 1 ns, and messages are of bytes (datatype 6). */
export function traceText(all: readonly (readonly Call[])[]): string {
  const lines = all.flatMap((own, rank) => [
    `${rank} init`,
    ...own.map((call) => `${rank} ${lineOf(rank, call)}`),
    `${rank} finalize`,
  ]);
  return `${lines.join('\n')}\n`;
}

/** A call in a trace, without its rank. */
export function lineOf(rank: number, call: Call): string {
  switch (call.op) {
    case 'compute':
      return `compute ${call.ns}`;
    case 'wait':
      return `wait ${call.sends ? `${rank} ${call.peer}` : `${call.peer} ${rank}`} ${call.tag}`;
    case 'bcast':
      return `bcast ${call.size} ${call.root} 6`;
    case 'allreduce':
      return `allreduce ${call.size} ${call.flops} 6`;
    default:
      return `${call.op} ${call.peer} ${call.tag} ${call.size} 6`;
  }
}

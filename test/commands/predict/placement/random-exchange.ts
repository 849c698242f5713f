import * as fc from 'fast-check';
import { type ClusterOptions, cluster } from '../../../../src/machine/cluster.ts';
import type { Machine } from '../../../../src/machine/machine.ts';

/** A message of a round. */
export interface Exchange {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** A program that repeats a round: each rank computes and takes part in all exchanges at once. */
export interface RandomProgram {
  readonly work: readonly number[];
  readonly exchanges: readonly Exchange[];
  readonly rounds: number;
}

/** Random communication graphs: a few messages of unequal size between random ranks, and unequal work. */
export const programs = (ranks: number): fc.Arbitrary<RandomProgram> =>
  fc.record({
    work: fc.array(fc.constantFrom(1e5, 1e6, 2e6), { minLength: ranks, maxLength: ranks }),
    exchanges: fc.array(
      fc.record({
        from: fc.nat({ max: ranks - 1 }),
        to: fc.nat({ max: ranks - 1 }),
        bytes: fc.constantFrom(1e3, 1e5, 1e6, 4e6),
      }),
      { minLength: 1, maxLength: 3 * ranks },
    ),
    rounds: fc.constantFrom(1, 2),
  });

/** The lines of its time-independent trace. */
export function traceOf({ work, exchanges, rounds }: RandomProgram): string {
  const lines: string[] = [];
  for (const [rank, flops] of work.entries()) {
    lines.push(`${rank} init`);
    for (let k = 0; k < rounds; k++) {
      lines.push(`${rank} compute ${flops}`);
      let requests = 0;
      for (const [tag, { from, to, bytes }] of exchanges.entries()) {
        if (from === to) continue;
        if (from === rank) lines.push(`${rank} isend ${to} ${tag} ${bytes} 6`);
        if (to === rank) lines.push(`${rank} irecv ${from} ${tag} ${bytes} 6`);
        if (from === rank || to === rank) requests++;
      }
      if (requests > 0) lines.push(`${rank} waitall ${requests}`);
    }
    lines.push(`${rank} finalize`);
  }
  return `${lines.join('\n')}\n`;
}

const common = {
  coresPerNode: 2,
  speed: '1Gf',
  link: { latency: '1us', bandwidth: '1GB/s' },
  intraNode: { latency: '200ns', bandwidth: '8GB/s' },
  eagerBelow: '64KiB',
} as const;

/** Small machines on which 8 ranks have more than 200 placements. */
export const MACHINES: Readonly<Record<string, Machine>> = Object.fromEntries(
  Object.entries({
    torus: { ...common, nodes: 4, network: { kind: 'torus', sizes: [4] } },
    'fat tree': { ...common, nodes: 4, network: { kind: 'fat-tree', down: [2, 2], up: [1, 1], cables: [1, 1] } },
    'nodes of two speeds': {
      ...common,
      groups: [
        { name: 'slow', nodes: 2 },
        { name: 'fast', nodes: 2, speed: '3Gf', link: { latency: '1us', bandwidth: '300MB/s' } },
      ],
    },
    'more cores than ranks': {
      ...common,
      coresPerNode: 3,
      nodes: 4,
      network: { kind: 'backbone', latency: 0, bandwidth: '1GB/s' },
    },
  } satisfies Record<string, ClusterOptions>).map(([name, options]) => [name, cluster(options as ClusterOptions)]),
);

/** The shortest time over all placements of ranks on hosts with this room, straight from the definition. */
export function shortest(ranks: number, room: readonly number[], seconds: (placement: Int32Array) => number): number {
  const placement = new Int32Array(ranks);
  const left = [...room];
  const place = (rank: number): number => {
    if (rank === ranks) return seconds(placement);
    let best = Number.POSITIVE_INFINITY;
    for (const [host, free] of left.entries()) {
      if (free === 0) continue;
      left[host] = free - 1;
      placement[rank] = host;
      best = Math.min(best, place(rank + 1));
      left[host] = free;
    }
    return best;
  };
  return place(0);
}

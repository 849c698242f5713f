import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { scaledTrace } from '../../../src/trace/scale/scaled-trace.ts';
import type { Scaling } from '../../../src/trace/scale/scaling-law.ts';
import { openTrace } from '../../../src/trace/ti/input/listing.ts';
import { Unpacked } from '../../../src/trace/ti/input/open-source.ts';
import { folder } from '../support.ts';

const files = folder({});

/** What all processes of a grid do, in turn. */
export type Phase =
  | { readonly kind: 'halo'; readonly tagged: boolean; readonly count: number }
  /** Blocking, from the first to the last process of a dimension, or back. */
  | { readonly kind: 'sweep'; readonly dimension: number; readonly back: boolean; readonly count: number }
  /** Blocking with the next process of a dimension: those at even places send first. */
  | { readonly kind: 'turns'; readonly dimension: number; readonly count: number }
  /** Around the ends of a dimension. */
  | { readonly kind: 'shift'; readonly dimension: number; readonly count: number }
  /** More flops with each neighbour that is missing. */
  | { readonly kind: 'compute'; readonly flops: number; readonly edge: number }
  | { readonly kind: 'allreduce' | 'bcast' | 'allgather' | 'barrier'; readonly count: number }
  /** `total` is divided among all ranks. */
  | { readonly kind: 'alltoall'; readonly total: number };

export interface GridProgram {
  /** By dimension: neighbours around the ends. */
  readonly around: readonly boolean[];
  readonly phases: readonly Phase[];
  readonly turns: number;
}

const placeOf = (grid: readonly number[], rank: number): number[] => {
  let left = rank;
  return grid.map((n) => {
    const at = left % n;
    left = (left - at) / n;
    return at;
  });
};

/** The trace of a program on a grid: one line for each action. The reference: it knows the grid, and needs no recorded trace. */
export function linesOf({ around, phases, turns }: GridProgram, grid: readonly number[]): string[] {
  const ranks = grid.reduce((a, b) => a * b, 1);
  const lines: string[] = [];
  for (let rank = 0; rank < ranks; rank++) {
    const at = placeOf(grid, rank);
    const neighbour = (k: number, way: number): number | undefined => {
      const to = at[k]! + way;
      if ((to < 0 || to >= grid[k]!) && !around[k]!) return undefined;
      const place = at.with(k, (to + grid[k]!) % grid[k]!);
      return place.reduceRight((sum, one, j) => sum * grid[j]! + one, 0);
    };
    const neighbours = grid.flatMap((_, k) =>
      [-1, 1].flatMap((way) => {
        const peer = neighbour(k, way);
        return peer === undefined ? [] : [{ k, way, peer }];
      }),
    );
    const say = (...words: (string | number)[]): number => lines.push(`${rank} ${words.join(' ')}`);
    say('init');
    for (let turn = 0; turn < turns; turn++)
      for (const phase of phases) {
        switch (phase.kind) {
          case 'halo': {
            const tag = (k: number, way: number): number => (phase.tagged ? 2 * k + (way > 0 ? 1 : 2) : 7);
            for (const { k, way, peer } of neighbours) say('irecv', peer, tag(k, -way), phase.count, 0);
            for (const { k, way, peer } of neighbours) say('isend', peer, tag(k, way), phase.count, 0);
            say('waitall', 4);
            break;
          }
          case 'sweep': {
            const way = phase.back ? -1 : 1;
            const [from, to] = [neighbour(phase.dimension, -way), neighbour(phase.dimension, way)];
            if (from !== undefined) say('recv', from, 20, phase.count, 0);
            say('compute', 1000);
            if (to !== undefined) say('send', to, 20, phase.count, 0);
            break;
          }
          case 'turns': {
            const [before, after] = [neighbour(phase.dimension, -1), neighbour(phase.dimension, 1)];
            const even = at[phase.dimension]! % 2 === 0;
            const send = (to: number | undefined): unknown => to !== undefined && say('send', to, 30, phase.count, 0);
            const receive = (from: number | undefined): unknown =>
              from !== undefined && say('recv', from, 30, phase.count, 0);
            for (const act of even ? [send, receive] : [receive, send]) {
              act(after);
              act(before);
            }
            break;
          }
          case 'shift':
            say(
              'sendRecv',
              phase.count,
              neighbour(phase.dimension, 1)!,
              phase.count,
              neighbour(phase.dimension, -1)!,
              0,
              0,
            );
            break;
          case 'compute':
            say('compute', phase.flops + phase.edge * (2 * grid.length - neighbours.length));
            break;
          case 'allreduce':
            say('allreduce', phase.count, 0, 0);
            break;
          case 'bcast':
            say('bcast', phase.count, 0, 0);
            break;
          case 'allgather':
            say('allgather', phase.count, phase.count, 0, 0);
            break;
          case 'alltoall':
            say('alltoall', phase.total / ranks, phase.total / ranks, 0, 0);
            break;
          default:
            say('barrier');
        }
      }
    say('finalize');
  }
  return lines;
}

/** The lines of a trace on another number of ranks, and what was recognised. */
export function scaledLines(
  lines: readonly string[],
  from: number,
  to: number,
  scaling: Scaling = 'weak',
): { readonly lines: string[]; readonly remarks: readonly string[] } {
  const path = files.path('grid.ti');
  writeFileSync(path, `${lines.join('\n')}\n`);
  const recorded = openTrace(path, new Unpacked(), { lineBytes: 1 << 20, maxBytes: 2 ** 30 });
  const { files: made, remarks } = scaledTrace(path, recorded, from, to, scaling);
  const [source] = made.sources;
  const text = Buffer.alloc(source!.size);
  // In pieces that end within lines and within ranks.
  source!.open(({ read }) => {
    for (let at = 0; at < text.length; ) at += read(text, at, Math.min(97, text.length - at), at);
  });
  return { lines: text.toString('latin1').trimEnd().split('\n'), remarks };
}

/** Programs on grids of at least three processes along each dimension, and a factor for each of its sides. */
export const gridPrograms = fc
  .record({
    grid: fc.array(fc.integer({ min: 3, max: 5 }), { minLength: 1, maxLength: 3 }),
    factor: fc.integer({ min: 1, max: 3 }),
    turns: fc.integer({ min: 1, max: 3 }),
    ring: fc.boolean(),
  })
  .filter(({ grid, factor }) => grid.reduce((a, b) => a * b * factor, 1) <= 1200)
  .chain(({ grid, factor, turns, ring }) => {
    const count = fc.integer({ min: 1, max: 500 });
    const dimension = fc.integer({ min: 0, max: grid.length - 1 });
    const ranks = grid.reduce((a, b) => a * b, 1);
    const halo = fc.record({ kind: fc.constant('halo' as const), tagged: fc.boolean(), count });
    const others: fc.Arbitrary<Phase>[] = [
      halo,
      fc.record({
        kind: fc.constant('compute' as const),
        flops: fc.integer({ min: 1, max: 10 ** 9 }),
        edge: fc.nat(100),
      }),
      fc.record({ kind: fc.constantFrom('allreduce' as const, 'bcast', 'allgather', 'barrier'), count }),
      fc.constant({ kind: 'alltoall' as const, total: 6 * ranks * ranks * factor ** grid.length }),
      ...(ring
        ? [fc.record({ kind: fc.constant('shift' as const), dimension, count })]
        : [
            fc.record({ kind: fc.constant('sweep' as const), dimension, back: fc.boolean(), count }),
            // Between the ends there are ranks at even and at odd places, and the last one stays at a place of its kind.
            ...grid.flatMap((n, k) =>
              n > 3 && (n * (factor - 1)) % 2 === 0
                ? [fc.record({ kind: fc.constant('turns' as const), dimension: fc.constant(k), count })]
                : [],
            ),
          ]),
    ];
    return fc.record({
      grid: fc.constant(grid),
      target: fc.constant(grid.map((n) => n * factor)),
      program: fc.record({
        around: fc.constant(grid.map(() => ring)),
        // The halo shows all dimensions of the grid.
        phases: fc.tuple(halo, fc.array(fc.oneof(...others), { maxLength: 4 })).map(([one, more]) => [one, ...more]),
        turns: fc.constant(turns),
      }),
    });
  });

import { isCooperative } from '../../threads/net/thread-net.ts';
import { elaborate } from '../../threads/program/elaborate.ts';
import type { ThreadProgram } from '../../threads/program/rows.ts';
import { poolOfStrands } from '../../threads/program/strand-pools.ts';
import type { Statement } from '../record/statement.ts';
import type { Shape } from '../resolve/shape.ts';

/** A region of threads of all ranks of a program: pool p is that of rank `first` + p. */
export interface ProgramRegion {
  readonly program: ThreadProgram;
  readonly first: number;
  /** Number of the region's carrier 0 among the carriers of all regions. */
  readonly base: number;
  /** The pool of each carrier, and its thread within the pool. */
  readonly poolOf: Int32Array;
  readonly threadOf: Int32Array;
  /** Whether the carriers of a pool share its `workers` cores. */
  readonly shares: boolean;
}

/** The regions of threads of all programs by statement, and their number of carriers. */
export interface ThreadCarriers {
  readonly regions: ReadonlyMap<Statement, ProgramRegion>;
  readonly count: number;
}

/** Elaborates the regions of threads of programs and numbers their carriers. O(rows and strands). */
export function threadCarriers(shapes: readonly Shape[]): ThreadCarriers {
  const regions = new Map<Statement, ProgramRegion>();
  let count = 0;
  for (const { program: ranks, of } of shapes)
    for (const [s, { label: name }] of of) {
      if (s.kind !== 'threads') continue;
      const { recorded, workers, scheduler } = s.region;
      const { first, size: pools, params } = ranks;
      // Under a cooperative scheduler, threads are joined by primitives.
      const joins = isCooperative(scheduler) ? 'object' : 'counter';
      const program = elaborate(recorded, { name, params, workers, pools, repeats: true, joins });
      const own = scheduler === 'os';
      const carriers = own ? program.strands.count : workers * pools;
      const poolOf = own
        ? poolOfStrands(program)
        : Int32Array.from({ length: carriers }, (_, w) => Math.floor(w / workers));
      const seen = new Int32Array(pools);
      const threadOf = poolOf.map((pool) => seen[pool]!++);
      regions.set(s, { program, first, base: count, poolOf, threadOf, shares: carriers > workers * pools });
      count += carriers;
    }
  return { regions, count };
}

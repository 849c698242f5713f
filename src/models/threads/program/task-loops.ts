import { evenPieces, exactPieces, type Pieces } from '../chunks.ts';
import { type Frame, frameOf, outsideTeams } from './frames.ts';
import { jobOf, type StrandJob } from './pending-strands.ts';
import { type RangeLoop, ROW } from './rows.ts';
import { inner, type Scope } from './state.ts';
import type { StatementOf, TaskSizes } from './statements.ts';
import type { StrandWriter } from './strand-writer.ts';
import type { Tasks } from './tasks.ts';

type Loop = StatementOf<'parallelFor'>;

/**
 * The iterations of each task of a loop. `least` and `tasks` cut as libgomp does (`taskloop.c`: `grainsize`, `num_tasks`), and LLVM's
 * `__kmp_taskloop`; OpenMP 5.2 (12.6.1 and 12.6.2) leaves the sizes open within the limits of {@link TaskSizes}.
 */
export function piecesOf(n: number, chunk: number, sizes: TaskSizes = 'exact'): Pieces {
  switch (sizes) {
    case 'exact':
      return exactPieces(n, chunk);
    case 'least':
      return evenPieces(n, Math.max(1, Math.floor(n / chunk)));
    case 'tasks':
      return evenPieces(n, chunk);
  }
}

/** Loops whose pieces are tasks. */
export class TaskLoops {
  readonly ranges: RangeLoop[] = [];
  /** Affinity partitioners by the name of their loops. */
  readonly #affinities = new Map<string, number>();
  readonly #writer: StrandWriter;
  readonly #tasks: Tasks;

  constructor(writer: StrandWriter, tasks: Tasks) {
    this.#writer = writer;
    this.#tasks = tasks;
  }

  /** Spawns one piece after the other. */
  linear(f: Frame, s: Loop, pieces: Pieces): void {
    if (pieces.count === 0) return;
    const group = this.#writer.open(f, s.site);
    this.#each(f, s, pieces, () => this.#writer.child(f, group, s.site, s.name));
    this.#writer.join(group, s.site);
  }

  /** Spawns upper halves until one piece is left, executes that, and combines the results. */
  recursive(f: Frame, s: Loop, pieces: Pieces): void {
    this.#halves(f, s, { low: 0, high: pieces.count }, pieces, this.#halvesJob(f, s, pieces));
  }

  /** Tasks divide their ranges of pieces at run time. */
  adaptive(f: Frame, s: Loop, pieces: Pieces): void {
    if (pieces.count === 0) return;
    const { site } = s;
    const group = this.#writer.open(f, site);
    const number = this.ranges.length;
    const pieceRows = new Int32Array(pieces.count);
    const firstStrand = this.#writer.strands.count;
    const affinity = this.#affinityOf(s);
    this.ranges.push({
      name: s.name,
      pieceRows,
      owner: f.strand,
      group: group.number,
      firstStrand,
      ...(affinity === undefined ? {} : { affinity }),
    });
    const job = jobOf(0, (strand) => {
      this.#writer.strands.start[strand] = this.#writer.rows.add(ROW.divide, site, number);
      this.#writer.ended(strand, site);
    });
    for (let k = 1; k < pieces.count; k++) this.#writer.later(job, this.#writer.child(f, group, site, s.name));
    // Members of the group are counted as they are made.
    group.count = 0;
    this.#writer.rows.add(ROW.divide, site, number);
    this.#writer.join(group, site);
    // Outer names are inherited: a copy of own names would lose them.
    const scope = Object.create(null) as Record<string, Scope[string]>;
    for (const name in f.scope) if (name !== 'thread') scope[name] = f.scope[name]!;
    this.#writer.defer(() => {
      for (let k = 0; k < pieces.count; k++) {
        pieceRows[k] = this.#writer.rows.count;
        const own = { strand: -1, scope: inner(scope, pieceOf(pieces, k)), team: undefined, member: 0, region: -1 };
        this.#writer.block({ ...frameOf(own), chunkOf: s }, s.body);
        this.#writer.rows.add(ROW.pieceEnd, site, number);
      }
    });
  }

  #affinityOf({ partitioner, name }: Loop): number | undefined {
    if (partitioner !== 'affinity') return undefined;
    const known = this.#affinities.get(name) ?? this.#affinities.size;
    this.#affinities.set(name, known);
    return known;
  }

  /** Spawns the pieces as tasks of the strand, which waits for them at the next `sync`. */
  spawn(f: Frame, s: Loop, pieces: Pieces): void {
    if (s.spawning === 'linear') {
      this.#each(f, s, pieces, () => this.#tasks.spawned(f, s.site, s.name));
      return;
    }
    if (pieces.count === 0) return;
    const child = this.#tasks.spawned(f, s.site, s.name);
    this.#writer.ready(child, s.site);
    this.#writer.later(this.#halvesJob(f, s, pieces), child, 0, pieces.count);
  }

  #each(f: Frame, s: Loop, pieces: Pieces, made: () => number): void {
    const futures = this.#writer.known(f);
    const job = jobOf(1, (strand, [chunk]) => {
      const scope = inner(f.scope, pieceOf(pieces, chunk!));
      this.#writer.strandRows(frameOf(outsideTeams(strand, scope, f), futures, f.chain), s.body, s.site);
    });
    for (let chunk = 0; chunk < pieces.count; chunk++) {
      const child = made();
      this.#writer.ready(child, s.site);
      this.#writer.later(job, child, chunk);
      if (s.reduce !== undefined) this.#writer.compute(f.scope, s.reduce, s.site);
    }
  }

  /** Writes the rows of a strand for pieces from one number to before another. */
  #halvesJob(f: Frame, s: Loop, pieces: Pieces): StrandJob {
    const futures = this.#writer.known(f);
    const job = jobOf(2, (strand, [low, high]) => {
      const frame = frameOf(outsideTeams(strand, f.scope, f), futures, f.chain);
      this.#writer.strands.start[strand] = this.#writer.rows.count;
      this.#halves(frame, s, { low: low!, high: high! }, pieces, job);
      this.#writer.ended(strand, s.site);
    });
    return job;
  }

  #halves(
    f: Frame,
    s: Loop,
    { low, high }: { readonly low: number; readonly high: number },
    pieces: Pieces,
    job: StrandJob,
  ): void {
    if (low >= high) return;
    const group = high - low > 1 ? this.#writer.open(f, s.site) : undefined;
    let end = high;
    while (end - low > 1) {
      const middle = low + Math.ceil((end - low) / 2);
      const child = this.#writer.child(f, group!, s.site, s.name);
      this.#writer.ready(child, s.site);
      this.#writer.later(job, child, middle, end);
      end = middle;
    }
    this.#writer.body(f, pieceOf(pieces, low), s.body, s.site);
    if (group === undefined) return;
    this.#writer.join(group, s.site);
    if (s.reduce !== undefined) for (let k = 0; k < group.count; k++) this.#writer.compute(f.scope, s.reduce, s.site);
  }
}

/** Names that the body of a piece sees. */
function pieceOf(
  pieces: Pieces,
  chunk: number,
): { readonly first: number; readonly count: number; readonly chunk: number } {
  const first = pieces.first(chunk);
  return { first, count: pieces.first(chunk + 1) - first, chunk };
}

import type { Parameters } from '../../parameters.ts';
import type { Scope } from './state.ts';
import type { Future, Statement, StatementOf } from './statements.ts';

/** Members of a parallel section. */
export interface Team {
  readonly firstStrand: number;
  readonly threads: number;
  /** Loops of the team, by statement and pass. */
  readonly shared: Map<string, TeamLoop>;
  /** How many threads have come to a barrier for the k-th time, by barrier and k. */
  readonly came: Map<string, number>;
}

/** State of a loop that the threads of a team share. */
export interface TeamLoop {
  readonly n: number;
  readonly chunk: number | undefined;
  readonly loops: number[];
  /** Latch of its end, followed by the lock of a reduction. */
  readonly latch: number;
  /** Names in scope with equal values in all threads. */
  readonly names: Map<string, number | Parameters>;
  /** True if some thread comes to the loop with tasks for which it has not waited. */
  hasTasks: boolean;
}

/** The chain of tasks above a strand. A task below one with the same arguments would spawn it again, without end. */
export interface Chain {
  readonly depth: number;
  /** The task at the last depth that is a power of two (Brent's algorithm); undefined outside tasks. */
  readonly mark: ChainMark | undefined;
}

/** A task as it was spawned. */
export interface ChainMark {
  readonly task: string;
  readonly threads: number | Parameters | undefined;
  readonly args: readonly number[];
}

/** The strands of one construct, for which its owner waits: a loop, a section, a pipeline, or the tasks until a `sync`. */
export interface Group {
  readonly number: number;
  readonly open: number;
  count: number;
}

/** A region that has begun; `isMain`: its rows mark a region of results. */
export interface Region {
  readonly number: number;
  readonly isMain: boolean;
}

/** State of a strand, or of an iteration that is executed as part of one: shared by its blocks. */
export interface Own {
  /** Tasks spawned since the last `sync`. */
  tasks?: Group | undefined;
  /** Region of a main strand from its first task to the `sync`; undefined within another region. */
  tasksRegion?: Region | undefined;
  /** Passes through each statement of a team, by statement. */
  passes?: Map<Statement, number> | undefined;
  /** Of a chunk that is assigned at run time: whether the thread that executes it may have tasks. */
  mayHaveTasks?: boolean;
  /** Last writer, and readers since, by key of dependences. */
  uses?: Map<number | string, Use> | undefined;
}

export interface Use {
  writer: number | undefined;
  readers: number[];
}

/** A strand whose rows are to be written. */
export interface Frame {
  readonly strand: number;
  readonly scope: Scope;
  readonly team: Team | undefined;
  /** Index within the team. */
  readonly member: number;
  readonly region: number;
  /** True if a named region of this strand is open. */
  readonly isInRegion: boolean;
  /** Strands by future, of this strand and those around it. */
  readonly futures: Map<Future, number>;
  readonly own: Own;
  readonly chain: Chain;
  /** The loop whose chunk this is; its rows belong to no strand. */
  readonly chunkOf: StatementOf<'parallelFor'> | undefined;
}

/** The parts of a frame that are known when its strand is made. */
export type FrameStart = Pick<Frame, 'strand' | 'scope' | 'team' | 'member' | 'region'>;

/** Futures of all strands of a program that waits for none: never changed, and shared. */
export const NO_FUTURES: ReadonlyMap<Future, number> = new Map();
const NO_TASK: Chain = { depth: 0, mark: undefined };

/** Maximum value of a count. */
export const MAX_COUNT: number = 2 ** 31 - 1;

/** The frame of a strand that begins. It has a copy of the futures, unless they are {@link NO_FUTURES}. */
export function frameOf(
  { strand, scope, team, member, region }: FrameStart,
  futures?: ReadonlyMap<Future, number>,
  chain = NO_TASK,
): Frame {
  const own = futures === NO_FUTURES ? (futures as Map<Future, number>) : new Map(futures);
  return { strand, scope, team, member, region, isInRegion: false, futures: own, chain, own: {}, chunkOf: undefined };
}

/** The same frame with another scope. Written out: a spread takes ten times as long. */
export function inScope(f: Frame, scope: Scope): Frame {
  const { strand, team, member, region, isInRegion, futures, chain, own, chunkOf } = f;
  return { strand, scope, team, member, region, isInRegion, futures, chain, own, chunkOf };
}

/** The frame of a task that is executed as part of a strand: it belongs to no section, and has its own tasks. */
export function insideStrand({ strand, region, futures, chain, chunkOf }: Frame, scope: Scope): Frame {
  const own = futures === NO_FUTURES ? futures : new Map(futures);
  return { strand, scope, team: undefined, member: 0, region, isInRegion: true, futures: own, chain, own: {}, chunkOf };
}

/** A strand outside teams. */
export function outsideTeams(strand: number, scope: Scope, { region }: Pick<Frame, 'region'>): FrameStart {
  return { strand, scope, team: undefined, member: 0, region };
}

import type { Noise } from '../../../base/random/noise.ts';
import type { Parameters } from '../../parameters.ts';
import type { Site } from '../../site.ts';
import type { LockKind, ObjectKind } from './object-kinds.ts';
import type { Absence, ThreadProgram } from './rows.ts';

export {
  type LockKind,
  MUTEX_KINDS,
  type MutexKind,
  OBJECT_KINDS,
  type ObjectKind,
  RWLOCK_KINDS,
  type RwlockKind,
} from './object-kinds.ts';

/** A value, or a function of a strand's state. */
export type Argument = unknown;

export interface Block {
  readonly statements: readonly Statement[];
}

/** Synchronisation objects of one name. */
export interface Objects<K extends ObjectKind = ObjectKind> {
  readonly kind: K;
  readonly name: string;
  /** Number of objects; operations choose one by its index, from 0. */
  readonly count: number;
  /** Initial value: permits of a semaphore, 1 for an event that is set, parties of a barrier, value of a counter. */
  readonly initial: number;
  /** Of mutexes and reader-writer locks. Default for other objects: handed over. */
  readonly lock?: LockKind;
  /** Of mutexes: the holder has the priorities of its waiters. */
  readonly inherits?: true;
  readonly site: Site;
}

/** Handle of a spawned task, for `get`. */
export interface Future {
  /** From 1, in order of creation. */
  readonly number: number;
  readonly site: Site;
}

/** Operations on a synchronisation object. */
export const SYNC_CALLS = [
  'lock',
  'unlock',
  'readLock',
  'readUnlock',
  'writeLock',
  'writeUnlock',
  'acquire',
  'release',
  'wait',
  'set',
  'clear',
  'signal',
  'broadcast',
  'barrier',
  'atomic',
  'add',
] as const;
export type SyncCall = (typeof SYNC_CALLS)[number];

/** Operations that may be tried: they take an object, or wait for it. */
export type TryCall = 'lock' | 'readLock' | 'writeLock' | 'acquire' | 'wait';

/** How the iterations of a parallel loop are distributed. `tasks`: as tasks of the pool; the others: among a team. */
export const SCHEDULES = ['tasks', 'static', 'dynamic', 'guided', 'affinity'] as const;
/** How the iterations of a parallel loop are distributed: as tasks of the pool, or among the threads of a section. */
export type Schedule = (typeof SCHEDULES)[number];

/**
 * Meaning of the chunk of a loop whose iterations are tasks. `exact`: iterations of each task but the last. `least`: each task has at
 * least as many, and less than twice as many; tasks differ by one iteration at most. `tasks`: number of tasks, which differ by one
 * iteration at most.
 */
export type TaskSizes = 'exact' | 'least' | 'tasks';

/** Options that give the size of the pieces of a loop, or their number. */
export type ChunkOption = 'chunk' | 'grain' | 'grainsize' | 'numTasks';

/** How tasks of a loop are spawned: all by one strand, or by halves. */
export const SPAWNINGS = ['recursive', 'linear'] as const;
/** How the tasks of a loop are spawned: by halves, or one after the other. */
export type Spawning = (typeof SPAWNINGS)[number];

/** How far the tasks of a loop that are spawned by halves divide their ranges, and who executes them. */
export const PARTITIONERS = ['simple', 'auto', 'affinity'] as const;
/**
 * How far the tasks of a loop that are spawned by halves divide their ranges: always down to the grain, or by demand of other workers.
 * `affinity`: by demand, and tasks go to the workers that executed them when a loop of this name ran before.
 */
export type Partitioner = (typeof PARTITIONERS)[number];

/**
 * Where the threads of a section come from when it is not the first of its strand: the team of the section before, whose
 * threads have parked or spin meanwhile; or new threads.
 */
export const TEAMS = ['park', 'spin', 'new'] as const;
/** Where the threads of a section come from. */
export type TeamKind = (typeof TEAMS)[number];

/**
 * Work: operations, seconds, bytes of private data, bytes of data that other threads have changed; a factor on the time of the first two;
 * bytes of a data block that are in the caches of the carrier that used the block last.
 */
export interface Work {
  readonly flops: Argument;
  readonly seconds: Argument;
  readonly bytes: Argument;
  readonly shared: Argument;
  readonly noise: Noise | undefined;
  readonly reused?: Argument;
  /** Absent: the block of the first iteration of the chunk, or block 0. */
  readonly block?: Argument;
}

/** Repeated waiting on a condition, with its mutex released, until a counter has reached a value; once without a counter. */
interface Waiting {
  readonly condition: Objects<'condition'>;
  readonly mutex: Objects<'mutex'>;
  readonly counter: Objects<'counter'> | undefined;
  readonly index: Argument;
  readonly atLeast: Argument;
}

/** A stage of a pipeline. `serial`: one item at a time, in order. */
export interface Stage {
  readonly name: string;
  readonly serial: boolean;
  readonly body: Block;
}

export type Statement = { readonly site: Site } & (
  | ({ readonly kind: 'compute' } & Work)
  | {
      readonly kind: 'sleep';
      readonly reason: Absence;
      readonly seconds: Argument;
      readonly noise: Noise | undefined;
    }
  | { readonly kind: 'loop'; readonly variable: string; readonly count: Argument; readonly body: Block }
  | { readonly kind: 'when'; readonly test: Argument; readonly holds: Block; readonly otherwise: Block }
  | {
      readonly kind: 'parallel';
      readonly name: string;
      readonly threads: Argument;
      readonly team: TeamKind;
      /** Absent: that of the strand that forks. */
      readonly priority?: Argument;
      readonly body: Block;
    }
  | {
      readonly kind: 'parallelFor';
      readonly name: string;
      readonly n: Argument;
      readonly chunk: Argument;
      /** The option that gave it, for messages. */
      readonly chunkOption: ChunkOption;
      /** Absent: `simple`. */
      readonly partitioner?: Exclude<Partitioner, 'simple'>;
      /** Absent: `exact`. */
      readonly sizes?: TaskSizes;
      /** The tasks are waited for as spawned ones are, and not at the end of the loop. */
      readonly nogroup?: true;
      readonly schedule: Schedule;
      readonly spawning: Spawning;
      readonly nowait: boolean;
      /** If the loop forks a separate team. */
      readonly team: TeamKind;
      readonly reduce: Work | undefined;
      readonly body: Block;
    }
  | {
      readonly kind: 'pipeline';
      readonly name: string;
      readonly items: Argument;
      readonly tokens: Argument;
      readonly stages: readonly Stage[];
    }
  | {
      readonly kind: 'spawn';
      readonly task: string;
      readonly args: Readonly<Record<string, Argument>>;
      readonly reads: Argument;
      readonly writes: Argument;
      readonly future: Future;
    }
  | {
      /** Calls of tasks by the iterations of a loop, spawned in chunks: made by a change of a loop that spawns tasks. */
      readonly kind: 'spawnLoop';
      readonly variable: string;
      readonly count: Argument;
      readonly grain: number;
      readonly spawning: Spawning;
      readonly body: Block;
    }
  | {
      /** Executes a task as part of the strand. */
      readonly kind: 'call';
      readonly task: string;
      readonly args: Readonly<Record<string, Argument>>;
    }
  | { readonly kind: 'sync' }
  | { readonly kind: 'get'; readonly future: Future }
  | {
      readonly kind: 'object';
      readonly call: SyncCall;
      readonly objects: Objects;
      readonly index: Argument;
      /** Added to a counter, or cost of an atomic operation. */
      readonly by: Argument;
    }
  | {
      /** Takes an object if that is possible at once or within a time, and executes one of two blocks. */
      readonly kind: 'try';
      readonly call: TryCall;
      readonly objects: Objects;
      readonly index: Argument;
      /** How long it waits for the object; absent: not at all. */
      readonly seconds?: Argument;
      readonly holds: Block;
      readonly otherwise: Block;
    }
  | ({ readonly kind: 'waitUntil' } & Waiting)
  | ({
      /** Waits for a limited time, and executes one of two blocks with the mutex held: after a notification, or after the time. */
      readonly kind: 'waitFor';
      readonly seconds: Argument;
      readonly holds: Block;
      readonly otherwise: Block;
    } & Waiting)
  | { readonly kind: 'region'; readonly name: string; readonly body: Block }
  | {
      /** The main strand of a module of a composition: its functions read the module's own parameters. */
      readonly kind: 'module';
      readonly params: Parameters;
      readonly body: Block;
    }
);

export type StatementOf<K extends Statement['kind']> = Extract<Statement, { kind: K }>;

/** True if a statement has two blocks, of which each strand executes one. */
export const isChoice = (s: Statement): s is StatementOf<'when' | 'try' | 'waitFor'> =>
  s.kind === 'when' || s.kind === 'try' || s.kind === 'waitFor';

/** A recorded thread program: blocks with functions of the state. */
export interface RecordedThreads {
  readonly body: Block;
  readonly tasks: ReadonlyMap<string, RecordedTask>;
  readonly objects: readonly Objects[];
  /** A change of its rows, for the prediction of a gain. */
  readonly rowChange?: (program: ThreadProgram) => ThreadProgram;
}

export interface RecordedTask {
  readonly name: string;
  readonly defaults: Readonly<Record<string, number>>;
  readonly body: Block;
  readonly site: Site;
}

/** Name of the region from a spawn of the main strand, outside regions, to the join. */
export function taskRegion({ site }: Pick<Statement, 'site'>): string {
  return site.short === '' ? 'tasks' : `tasks ${site.short}`;
}

/** All statements of a program, those of blocks and tasks included, in the order of the text. */
export function* statementsOf({ body, tasks }: Pick<RecordedThreads, 'body' | 'tasks'>): Generator<Statement> {
  yield* within(body);
  for (const task of tasks.values()) yield* within(task.body);
}

function* within(block: Block): Generator<Statement> {
  for (const s of block.statements) {
    yield s;
    if (isChoice(s)) {
      yield* within(s.holds);
      yield* within(s.otherwise);
    } else if (s.kind === 'pipeline') for (const stage of s.stages) yield* within(stage.body);
    else if ('body' in s) yield* within(s.body);
  }
}

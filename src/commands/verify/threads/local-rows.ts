import {
  ACQUIRE,
  blocksOfTry,
  isLimitedWait,
  RELEASE,
  ROW,
  type ThreadProgram,
} from '../../../models/threads/program/rows.ts';

/**
 * Rows whose order with the rows of other strands is irrelevant to the dead markings that can be reached: each alone is a stubborn
 * set. An enabled row of this kind can be executed before all others.
 *
 * - Operations on the strand itself, its children and its group. Arrivals commute: whoever is last, the owner continues.
 * - Arrivals at latches and waits for them; events that are never cleared.
 * - Releases. A release commutes with acquisitions, because waiters are served in order of arrival. Unlocks only of locks that the
 *   strand itself has acquired: otherwise the order decides whether they are faults.
 *   Not of objects that are tried: the order decides whether a try succeeds.
 * - Read locks that nobody locks for writing, and that only their holders release; objects that one strand uses; words that nobody tests.
 * - Semaphores that one strand acquires: it gets the same units, whether it comes before the releases or after them.
 * - Locks of mutexes that are always released and order nothing ({@link quietMutexes}).
 * - Conditions and counters that are used only while one and the same mutex is held. Not signals of a condition that a strand waits for within a
 *   time: the order decides whether the signal reaches it.
 * - Chunks of loops without operations on others.
 *
 * @param queues whether strands share the queues of a pool: then making, ending and joining strands is not local, nor is
 *   waiting for a task
 * @param stays whether a strand that waits for a task stays on its worker, which looks before each task that it takes whether the
 *   awaited one has ended: then the end of an awaited task is not local
 */
export function localRows(
  program: ThreadProgram,
  isMerged: (strand: number) => boolean,
  queues: boolean,
  stays = false,
): Uint8Array {
  const { rows, loops, objects } = program;
  const use = usesOf(program, isMerged);
  const quiet = quietMutexes(program, use);
  const local = new Uint8Array(rows.count);
  for (let r = 0; r < rows.count; r++) local[r] = isLocal(r) ? 1 : 0;
  // A chunk is local if all its rows are.
  const isQuiet = loops.map(({ chunkRows }) =>
    chunkRows.every((start) => {
      for (let r = start; rows.op[r] !== ROW.chunkEnd; r++) if (local[r] === 0) return false;
      return true;
    }),
  );
  for (let r = 0; r < rows.count; r++) if (rows.op[r] === ROW.fetch && isQuiet[rows.a[r]!]!) local[r] = 1;
  return local;

  function isLocal(r: number): boolean {
    const op = rows.op[r]!;
    const o = rows.a[r]!;
    switch (op) {
      case ROW.acquire:
        return isLocalAcquire(ACQUIRE[rows.b[r]!]!.name, o);
      case ROW.release: {
        const { name } = RELEASE[rows.b[r]!]!;
        // A try before the release fails, and one after it succeeds.
        if (use.tried.has(o) && !use.single(o)) return false;
        if (name === 'release' || name === 'arrive') return true;
        if (name === 'unlock' || name === 'readUnlock' || name === 'writeUnlock') return !use.unbalanced.has(o);
        if (name === 'set') return isLasting(o) && !(stays && use.awaited.has(o));
        return use.single(o) || (use.isGuarded(o) && !use.left.has(o));
      }
      case ROW.try:
      case ROW.note:
        return use.single(o);
      case ROW.wait:
        // It releases a mutex.
        if (use.tried.has(rows.b[r]!)) return false;
        return use.isGuarded(o) && !use.unbalanced.has(rows.b[r]!);
      case ROW.atomic:
        return !use.tested.has(o) || use.single(o) || use.isGuarded(o);
      case ROW.test:
        return use.single(o) || use.isGuarded(o);
      case ROW.fetch:
      // Without times it continues at either row.
      case ROW.late:
        return false;
      case ROW.limit:
      case ROW.open:
      case ROW.jump:
      case ROW.chunkEnd:
        return true;
      default:
        return !queues;
    }
  }

  function isLocalAcquire(mode: string, o: number): boolean {
    if (mode === 'future') return !queues;
    if (mode === 'latch' || use.single(o)) return true;
    if (mode === 'wait') return isLasting(o);
    // In a pool a strand that waits gives its worker to others, in the order of the queues.
    if (!queues && !use.tried.has(o)) {
      if (mode === 'acquire' && use.isAcquiredByOne(o)) return true;
      if (mode === 'lock' && quiet.has(o)) return true;
    }
    // A release by another strand would be a fault before the acquisition, and none after it.
    return mode === 'readLock' && !use.written.has(o) && !use.unbalanced.has(o);
  }

  function isLasting(o: number): boolean {
    return objects[o]!.kind === 'event' && !use.cleared.has(o);
  }
}

type Held = Map<number, number>;
type Section = readonly [lock: number, unlock: number];

/**
 * Mutexes of which every critical section ends and leaves the same behind in any order of the strands: straight-line code that waits for
 * nothing but other quiet mutexes, which were found before it, so that no cycle of waiting exists. Whoever comes first, the sections of
 * the others follow. O(rows × depth of nesting).
 */
function quietMutexes(program: ThreadProgram, use: Uses): ReadonlySet<number> {
  const { rows, objects } = program;
  const targets = new Set<number>();
  for (let r = 0; r < rows.count; r++) if (JUMPS.has(rows.op[r]!)) targets.add(rows.b[r]!);
  /** By mutex: the mutexes that are locked while it is held. Absent: not quiet. */
  const inside = new Map<number, Set<number>>();
  for (const [mutex, sections] of use.sections) {
    if (use.tried.has(mutex) || use.unbalanced.has(mutex) || use.kept.has(mutex)) continue;
    const nested = new Set<number>();
    if (sections.every(([lock, unlock]) => isStraight(lock + 1, unlock, nested))) inside.set(mutex, nested);
  }
  const quiet = new Set<number>();
  for (let more = true; more; ) {
    more = false;
    for (const [mutex, nested] of inside)
      if (!quiet.has(mutex) && [...nested].every((other) => quiet.has(other))) {
        quiet.add(mutex);
        more = true;
      }
  }
  return quiet;

  function isStraight(from: number, to: number, nested: Set<number>): boolean {
    for (let r = from; r < to; r++) {
      if (targets.has(r)) return false;
      const o = rows.a[r]!;
      switch (rows.op[r]) {
        case ROW.acquire:
          if (ACQUIRE[rows.b[r]!]!.name !== 'lock') return false;
          nested.add(o);
          break;
        case ROW.release: {
          const { name } = RELEASE[rows.b[r]!]!;
          const isCounted = name === 'release' || name === 'arrive';
          if (
            use.tried.has(o) ||
            use.unbalanced.has(o) ||
            !(isCounted || (name === 'unlock' && objects[o]!.kind === 'mutex'))
          )
            return false;
          break;
        }
        case ROW.atomic:
          if (use.tested.has(o)) return false;
          break;
        default:
          return false;
      }
    }
    return !targets.has(to);
  }
}

const JUMPS: ReadonlySet<number> = new Set([ROW.test, ROW.jump, ROW.late]);

interface Uses {
  /** Objects that some strand releases without having acquired them before. */
  readonly unbalanced: ReadonlySet<number>;
  readonly tested: ReadonlySet<number>;
  readonly cleared: ReadonlySet<number>;
  readonly written: ReadonlySet<number>;
  /** Events of the ends of tasks that a strand waits for. */
  readonly awaited: ReadonlySet<number>;
  readonly tried: ReadonlySet<number>;
  /** Conditions whose waiters may give up. */
  readonly left: ReadonlySet<number>;
  /** By mutex: the critical sections in which it is held, from the row of the lock to that of the unlock. */
  readonly sections: ReadonlyMap<number, readonly Section[]>;
  /** Mutexes that a strand still holds at its end, or holds twice. */
  readonly kept: ReadonlySet<number>;
  isAcquiredByOne(semaphore: number): boolean;
  /** True if only one strand uses the object. */
  single(object: number): boolean;
  /** True if some mutex is held at every use of a condition or counter. */
  isGuarded(object: number): boolean;
}

/** Walks the rows of each strand and chunk, which are consecutive, with the locks held. O(rows × locks held). */
function usesOf({ rows, strands, loops, objects }: ThreadProgram, isMerged: (strand: number) => boolean): Uses {
  const unbalanced = new Set<number>();
  const [tested, cleared, written, awaited, tried, left] = Array.from({ length: 6 }, () => new Set<number>()) as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  const user = new Map<number, number>();
  const acquirer = new Map<number, number>();
  const sections = new Map<number, Section[]>();
  const kept = new Set<number>();
  const guards = new Map<number, ReadonlySet<number>>();
  const MANY = -2;
  const walk = (strand: number, start: number): void => {
    const by = (list: Map<number, number>, o: number): void => {
      const before = list.get(o);
      list.set(o, (before === undefined || before === strand) && strand >= 0 ? strand : MANY);
    };
    const uses = (o: number): void => by(user, o);
    /** By mutex that is held: the row that has locked it. */
    const lockedAt = new Map<number, number>();
    const guarded = (o: number, held: Held): void => {
      const now = [...held.keys()].filter((m) => objects[m]!.kind === 'mutex');
      const before = guards.get(o);
      guards.set(o, new Set(before === undefined ? now : now.filter((m) => before.has(m))));
    };
    const releases = (o: number, held: Held): void => {
      const count = held.get(o) ?? 0;
      if (count === 0) unbalanced.add(o);
      else if (count === 1) held.delete(o);
      else held.set(o, count - 1);
    };
    /** The rows from one to before another, or to the end of the strand or chunk. Changes the locks held. */
    const part = (from: number, to: number, held: Held): void => {
      for (let r = from; r < to; r++) {
        const op = rows.op[r]!;
        const o = rows.a[r]!;
        if (op === ROW.end || op === ROW.chunkEnd) {
          for (const o of lockedAt.keys()) kept.add(o);
          return;
        }
        if (op === ROW.acquire) {
          const { name } = ACQUIRE[rows.b[r]!]!;
          if (name === 'writeLock') written.add(o);
          if (name === 'future') awaited.add(o);
          if (name === 'acquire') by(acquirer, o);
          if (name === 'lock') {
            if (lockedAt.has(o)) kept.add(o);
            lockedAt.set(o, r);
          }
          held.set(o, (held.get(o) ?? 0) + 1);
          uses(o);
        } else if (op === ROW.try) {
          if (ACQUIRE[rows.b[r]!]!.name === 'writeLock') written.add(o);
          tried.add(o);
          uses(o);
          r = blocks(r, held, () => held.set(o, (held.get(o) ?? 0) + 1)) - 1;
        } else if (op === ROW.release) {
          const { name } = RELEASE[rows.b[r]!]!;
          uses(o);
          if (name === 'clear') cleared.add(o);
          else if (name === 'signal' || name === 'broadcast') guarded(o, held);
          else if (name.endsWith('nlock')) {
            releases(o, held);
            const lock = lockedAt.get(o);
            if (lock !== undefined) sectionsOf(o).push([lock, r]);
            lockedAt.delete(o);
          }
        } else if (op === ROW.wait) {
          uses(o);
          uses(rows.b[r]!);
          guarded(o, held);
          if (!held.delete(rows.b[r]!)) unbalanced.add(rows.b[r]!);
          if (isLimitedWait(rows, r)) {
            left.add(o);
            kept.add(rows.b[r]!);
            r = blocks(r, held, () => {}) - 1;
          }
        } else if (op === ROW.test || op === ROW.atomic || op === ROW.note) {
          uses(o);
          guarded(o, held);
          if (op === ROW.test) tested.add(o);
        }
      }
    };
    /** Reads the two blocks of a row, and returns the row behind them. Then the strand holds the locks that it holds after both. */
    const blocks = (r: number, held: Held, succeeds: () => void): number => {
      const { failure, failureEnd, success, end } = blocksOfTry(rows, r);
      const without = new Map(held);
      part(failure, failureEnd, without);
      succeeds();
      part(success, end, held);
      for (const [m, count] of held) {
        const least = Math.min(count, without.get(m) ?? 0);
        if (least === 0) held.delete(m);
        else held.set(m, least);
      }
      return end;
    };
    part(start, rows.count, new Map());
  };
  const sectionsOf = (mutex: number): Section[] => {
    const list = sections.get(mutex) ?? [];
    if (list.length === 0) sections.set(mutex, list);
    return list;
  };
  for (let s = 0; s < strands.count; s++) walk(isMerged(s) ? -1 : s, strands.start[s]!);
  for (const { chunkRows } of loops) for (const start of chunkRows) walk(-1, start);
  return {
    unbalanced,
    tested,
    cleared,
    written,
    awaited,
    tried,
    left,
    sections,
    kept,
    isAcquiredByOne: (o) => acquirer.get(o) !== undefined && acquirer.get(o) !== MANY,
    single: (o) => user.get(o) !== undefined && user.get(o) !== MANY,
    isGuarded: (o) => [...(guards.get(o) ?? [])].some((m) => !unbalanced.has(m)),
  };
}

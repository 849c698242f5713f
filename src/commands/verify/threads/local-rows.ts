import { ACQUIRE, blocksOfTry, RELEASE, ROW, type ThreadProgram } from '../../../models/threads/program/rows.ts';

/**
 * Rows whose order with the rows of other strands is irrelevant to the dead markings that can be reached: each is a stubborn
 * set by itself. An enabled row of this kind can be executed before all others.
 *
 * - Operations on the strand itself, its children and its group. Arrivals commute: whoever is last, the owner continues.
 * - Arrivals at latches and waits for them; events that are never cleared.
 * - Releases. A release commutes with acquisitions, because waiters are served in order of arrival. Unlocks only of what the
 *   strand itself has locked: otherwise the order decides whether they are faults.
 *   Not of objects that are tried: the order decides whether a try succeeds.
 * - Read locks that nobody locks for writing, and that only their holders release; objects that one strand uses; words that nobody tests.
 * - Conditions and counters that are used only while one and the same mutex is held.
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
        return use.single(o) || use.isGuarded(o);
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
        return false;
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
    // A release by another strand would be a fault before the acquisition, and none after it.
    return mode === 'readLock' && !use.written.has(o) && !use.unbalanced.has(o);
  }

  function isLasting(o: number): boolean {
    return objects[o]!.kind === 'event' && !use.cleared.has(o);
  }
}

type Held = Map<number, number>;

interface Uses {
  /** Objects that some strand releases without having acquired them before. */
  readonly unbalanced: ReadonlySet<number>;
  readonly tested: ReadonlySet<number>;
  readonly cleared: ReadonlySet<number>;
  readonly written: ReadonlySet<number>;
  /** Events of the ends of tasks that a strand waits for. */
  readonly awaited: ReadonlySet<number>;
  readonly tried: ReadonlySet<number>;
  /** True if only one strand uses the object. */
  single(object: number): boolean;
  /** True if some mutex is held at every use of a condition or counter. */
  isGuarded(object: number): boolean;
}

/** Walks the rows of each strand and chunk, which are consecutive, with the locks held. O(rows × locks held). */
function usesOf({ rows, strands, loops, objects }: ThreadProgram, isMerged: (strand: number) => boolean): Uses {
  const unbalanced = new Set<number>();
  const [tested, cleared, written, awaited, tried] = Array.from({ length: 5 }, () => new Set<number>()) as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  const user = new Map<number, number>();
  const guards = new Map<number, ReadonlySet<number>>();
  const MANY = -2;
  const walk = (strand: number, start: number): void => {
    const uses = (o: number): void => {
      const before = user.get(o);
      user.set(o, (before === undefined || before === strand) && strand >= 0 ? strand : MANY);
    };
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
        if (op === ROW.end || op === ROW.chunkEnd) return;
        if (op === ROW.acquire) {
          const { name } = ACQUIRE[rows.b[r]!]!;
          if (name === 'writeLock') written.add(o);
          if (name === 'future') awaited.add(o);
          held.set(o, (held.get(o) ?? 0) + 1);
          uses(o);
        } else if (op === ROW.try) {
          if (ACQUIRE[rows.b[r]!]!.name === 'writeLock') written.add(o);
          tried.add(o);
          uses(o);
          const { failure, failureEnd, success, end } = blocksOfTry(rows, r);
          const without = new Map(held);
          part(failure, failureEnd, without);
          held.set(o, (held.get(o) ?? 0) + 1);
          part(success, end, held);
          // Afterwards the strand holds what it holds after both blocks.
          for (const [m, count] of held) {
            const least = Math.min(count, without.get(m) ?? 0);
            if (least === 0) held.delete(m);
            else held.set(m, least);
          }
          r = end - 1;
        } else if (op === ROW.release) {
          const { name } = RELEASE[rows.b[r]!]!;
          uses(o);
          if (name === 'clear') cleared.add(o);
          else if (name === 'signal' || name === 'broadcast') guarded(o, held);
          else if (name.endsWith('nlock')) releases(o, held);
        } else if (op === ROW.wait) {
          uses(o);
          uses(rows.b[r]!);
          guarded(o, held);
          if (!held.delete(rows.b[r]!)) unbalanced.add(rows.b[r]!);
        } else if (op === ROW.test || op === ROW.atomic || op === ROW.note) {
          uses(o);
          guarded(o, held);
          if (op === ROW.test) tested.add(o);
        }
      }
    };
    part(start, rows.count, new Map());
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
    single: (o) => user.get(o) !== undefined && user.get(o) !== MANY,
    isGuarded: (o) => [...(guards.get(o) ?? [])].some((m) => !unbalanced.has(m)),
  };
}

import {
  ACQUIRE,
  FUTURE,
  isLimited,
  ROW,
  type SyncObject,
  type ThreadProgram,
} from '../../../models/threads/program/rows.ts';

/** A thread program with fewer rows and strands whose net has the same dead markings, up to names. */
export interface ReducedProgram {
  readonly program: ThreadProgram;
  /** By row: the row of the given program. */
  readonly rowOf: Int32Array;
  /** Strands that a strand represents, itself included; only itself for most. */
  readonly members: ReadonlyMap<number, readonly number[]>;
}

/** Rows that affect only times and results. */
const TIMES: ReadonlySet<number> = new Set([ROW.work, ROW.memory, ROW.sleep, ROW.reuse, ROW.region, ROW.unlimit]);

/**
 * True if the clock that a row starts affects the order of operations. Without the clock, a try fails wherever its object can be held, and succeeds
 * wherever it can be free, as if its strand had come later. Only a waiter that stops others adds further orders ({@link holdsUpOthers}). Waits
 * for conditions have both continuations with and without a clock.
 */
const isOfOrder = ({ rows, objects }: ThreadProgram, r: number): boolean =>
  rows.op[r + 1] === ROW.try && holdsUpOthers(objects[rows.a[r + 1]!]!, rows.b[r + 1]!);

/**
 * True if a waiter stops others that could have the object. Only writers do: any other waiter waits while no strand could take the object, or
 * behind such a writer. At barging locks, and at those that prefer readers, others pass the waiting writers.
 */
function holdsUpOthers({ kind, lock }: SyncObject, mode: number): boolean {
  const passes = lock === 'barging' || lock === 'readers-first';
  return kind === 'rwlock' && !passes && ACQUIRE[mode]!.name === 'writeLock';
}

/** Rows by which a strand neither waits for another one, but for its own tasks and theirs, nor decides what is executed. */
const PASSES: ReadonlySet<number> = new Set([
  ...[ROW.end, ROW.open, ROW.spawn, ROW.meet, ROW.sync, ROW.jump, ROW.fetch, ROW.chunkEnd, ROW.atomic],
  ...TIMES,
]);

/**
 * True if no operation of a program waits for an object, or tests one. Then it ends in every order, with the same rows executed, if a worker
 * that waits takes any task that it finds: of the strands that have not ended, one that waits for tasks waits for strands below it in the tree of
 * strands, and a task that is not ready for tasks spawned before it. The deepest and first of these runs, or is in a queue of a worker that
 * looks there. On a stack, the strands above one that waits began later, and depend on strands of their own only. O(rows).
 */
export const neverBlocks = ({ rows }: ThreadProgram): boolean => rows.op.every((op) => PASSES.has(op));

/**
 * True if only the main strand spawns and waits for strands, one group after the other. Then a pool with stacks behaves as a migrating one: the worker
 * of a waiting main strand takes any task, and when the last awaited strand has ended, none is above the main strand on its stack. Isolated pools differ:
 * they take tasks in another order, and a wait for an event keeps its worker. O(rows).
 */
export function waitsInMainOnly({ rows, strands, pools }: ThreadProgram): boolean {
  const { op, a, b } = rows;
  if (pools !== 1) return false;
  let isMain = false;
  /** Groups with strands that have been spawned and not awaited. */
  const open = new Set<number>();
  for (let r = 0; r < rows.count; r++) {
    if (r === strands.start[0]) isMain = true;
    if (op[r] === ROW.acquire && b[r] === FUTURE) return false;
    if (op[r] === ROW.spawn || op[r] === ROW.sync) {
      if (!isMain) return false;
      if (op[r] === ROW.spawn) open.add(strands.group[a[r]!]!);
      else {
        open.delete(a[r]!);
        if (open.size > 0) return false;
      }
    }
    if (isMain && op[r] === ROW.end) {
      if (open.size > 0) return false;
      isMain = false;
    }
  }
  return true;
}

/**
 * Removes the rows that only take time, and merges equal strands of a group: threads with the same rows are tokens of equal
 * colour, so that markings which differ only in their numbers are one (symmetry). O(rows).
 */
export function reducedProgram(given: ThreadProgram): ReducedProgram {
  const { program, rowOf } = withoutTimes(given, false);
  const members = equalStrands(program);
  if (members.size === 0) return { program, rowOf, members };
  const standsFor = Int32Array.from({ length: program.strands.count }, (_, s) => s);
  for (const [first, all] of members) for (const s of all) standsFor[s] = first;
  const a = program.rows.a.slice();
  for (let r = 0; r < a.length; r++) if (program.rows.op[r] === ROW.spawn) a[r] = standsFor[a[r]!]!;
  const copies = Math.max(...[...members.values()].map((all) => all.length));
  return { program: { ...program, copies, rows: { ...program.rows, a } }, rowOf, members };
}

/**
 * Removes the rows that only take time. O(rows).
 *
 * @param callsSystem whether a strand that sleeps gives its carrier to others, so that the row decides on orders
 */
export function withoutTimes(
  given: ThreadProgram,
  callsSystem: boolean,
): { readonly program: ThreadProgram; readonly rowOf: Int32Array } {
  const { rows, strands } = given;
  /** By given row: the number of the next row that is kept. */
  const at = new Int32Array(rows.count + 1);
  const kept: number[] = [];
  for (let r = 0; r < rows.count; r++) {
    at[r] = kept.length;
    const op = rows.op[r]!;
    const isTime = op === ROW.limit ? callsSystem || !isOfOrder(given, r) : TIMES.has(op);
    if (!isTime || (callsSystem && op === ROW.sleep)) kept.push(r);
  }
  at[rows.count] = kept.length;
  const rowOf = Int32Array.from(kept);
  const moved = (list: Int32Array): Int32Array => list.map((r) => (r < 0 ? r : at[r]!));
  const ints = (column: Int32Array | Uint8Array): Int32Array => Int32Array.from(rowOf, (r) => column[r]!);
  const reals = (column: Float64Array): Float64Array => Float64Array.from(rowOf, (r) => column[r]!);
  const op = Uint8Array.from(rowOf, (r) => rows.op[r]!);
  const b = ints(rows.b).map((target, k) => (JUMPS.has(op[k]!) ? at[target]! : target));
  const program: ThreadProgram = {
    ...given,
    rows: {
      count: kept.length,
      op,
      a: ints(rows.a),
      b,
      flops: reals(rows.flops),
      seconds: reals(rows.seconds),
      bytes: reals(rows.bytes),
      shared: reals(rows.shared),
      site: ints(rows.site),
    },
    strands: { ...strands, start: moved(strands.start) },
    groupNext: moved(given.groupNext),
    poolRows: moved(given.poolRows),
    loops: given.loops.map((l) => ({ ...l, chunkRows: moved(l.chunkRows), fetchRows: moved(l.fetchRows) })),
  };
  return { program, rowOf };
}

/** Rows whose column b is a row: they are compared by distance. */
const JUMPS: ReadonlySet<number> = new Set([ROW.test, ROW.jump, ROW.late]);
/** Rows of strands that make others, or that others wait for by name: these have no equals. */
const UNIQUE: ReadonlySet<number> = new Set([ROW.open, ROW.spawn, ROW.meet, ROW.sync]);

/** Strands of one group with the same rows, by the first of them. Their names may differ: modules of a composition, made of one model. */
function equalStrands({ rows, strands, sites }: ThreadProgram): Map<number, number[]> {
  const places: string[] = [];
  /** Each module has its own sites of the same lines. */
  const placeOf = (site: number): string => {
    places[site] ??= JSON.stringify(sites[site]!.place);
    return places[site];
  };
  const byContent = new Map<string, number[]>();
  for (let s = 0; s < strands.count; s++) {
    if (strands.group[s]! < 0 || strands.conditions[s]! > 0) continue;
    const content = [`${strands.group[s]}`];
    const start = strands.start[s]!;
    for (let r = start; ; r++) {
      const op = rows.op[r]!;
      // A strand that gives up leaves the queue of its object, where the order distinguishes equal strands.
      if (UNIQUE.has(op) || isLimited(rows, r)) {
        content.length = 0;
        break;
      }
      const target = JUMPS.has(op) ? rows.b[r]! - r : rows.b[r]!;
      content.push(`${op} ${rows.a[r]} ${target} ${op === ROW.test ? rows.seconds[r] : ''} ${placeOf(rows.site[r]!)}`);
      if (op === ROW.end) break;
    }
    if (content.length === 0) continue;
    const key = content.join('\n');
    const list = byContent.get(key);
    if (list === undefined) byContent.set(key, [s]);
    else list.push(s);
  }
  return new Map([...byContent.values()].filter((list) => list.length > 1).map((list) => [list[0]!, list]));
}

import { isZeroColumn, zeroColumn } from '../../../base/columns.ts';
import { ROW, type Rows, type SyncObject, type ThreadProgram } from './rows.ts';

/** No thread changes data in a cache line that others use: `shared` bytes cost nothing. O(rows). */
export function withoutSharing(program: ThreadProgram): ThreadProgram {
  return { ...program, rows: { ...program.rows, shared: zeroColumn(program.rows.count) } };
}

/**
 * Every strand has its own object instead of those of a group: operations cost the same, and nobody waits. With `every`, only
 * each k-th acquisition and its release, or each k-th atomic operation of a strand.
 *
 * @param isOf whether an object is of the group
 * @returns undefined if the value of the objects decides what strands do, as for a semaphore or a counter that is tested
 * @complexity linear in rows and objects
 */
export function ownObjects(
  program: ThreadProgram,
  isOf: (object: SyncObject) => boolean,
  every = 1,
): ThreadProgram | undefined {
  const { rows, objects, strands, loops, ranges } = program;
  const inGroup = Uint8Array.from(objects, (object) => (isOf(object) && SPLITTABLE.has(object.kind) ? 1 : 0));
  for (let k = 0; k < rows.count; k++) {
    const [op, a, b] = [rows.op[k]!, rows.a[k]!, rows.b[k]!];
    // A condition belongs to its mutex.
    if ((op === ROW.test || op === ROW.try) && inGroup[a] === 1) return undefined;
    if (op === ROW.wait && (inGroup[a] === 1 || inGroup[b] === 1)) return undefined;
  }
  if (!inGroup.includes(1)) return undefined;
  const a = rows.a.slice();
  const added: SyncObject[] = [];
  const change = (start: number, last: number): void => {
    const own = new Map<number, number>();
    const passes = new Map<number, { count: number; isOwn: boolean }>();
    for (let k = start; ; k++) {
      const op = rows.op[k]!;
      const object = rows.a[k]!;
      if ((op === ROW.acquire || op === ROW.release || op === ROW.atomic) && inGroup[object] === 1) {
        const pass = passes.get(object) ?? { count: 0, isOwn: false };
        passes.set(object, pass);
        // A release follows its acquisition.
        if (op !== ROW.release) pass.isOwn = ++pass.count % every === 0;
        if (pass.isOwn) {
          let mine = own.get(object);
          if (mine === undefined) {
            mine = objects.length + added.push(objects[object]!) - 1;
            own.set(object, mine);
          }
          a[k] = mine;
        }
      }
      if (op === last) return;
    }
  };
  for (let s = 0; s < strands.count; s++) change(strands.start[s]!, ROW.end);
  for (const { chunkRows } of loops) for (const row of chunkRows) change(row, ROW.chunkEnd);
  for (const { pieceRows } of ranges) for (const row of pieceRows) change(row, ROW.pieceEnd);
  return { ...program, objects: [...objects, ...added], rows: { ...rows, a } };
}

/**
 * The holder of some mutexes has the priorities of its waiters; such mutexes are handed over. Undefined if none is a mutex without this.
 * O(objects).
 */
export function inheriting(program: ThreadProgram, isOf: (object: SyncObject) => boolean): ThreadProgram | undefined {
  const { objects } = program;
  const changes = objects.map((object) => isOf(object) && object.kind === 'mutex' && object.inherits !== true);
  if (!changes.includes(true)) return undefined;
  const changed = objects.map(({ lock: _, ...object }, o): SyncObject => {
    if (!changes[o]) return objects[o]!;
    return { ...object, inherits: true };
  });
  return { ...program, objects: changed };
}

const SPLITTABLE: ReadonlySet<string> = new Set(['mutex', 'rwlock', 'atomic', 'counter']);

/** Multiplies the work of the rows of some source lines by a factor. O(rows). */
export function scaledLine(program: ThreadProgram, isOf: (site: number) => boolean, factor: number): ThreadProgram {
  const { rows } = program;
  const scaled = (values: Float64Array): Float64Array =>
    isZeroColumn(values)
      ? values
      : values.map((value, k) => (WORKS.has(rows.op[k]!) && isOf(rows.site[k]!) ? value * factor : value));
  const changed: Rows = {
    ...rows,
    flops: scaled(rows.flops),
    seconds: scaled(rows.seconds),
    bytes: scaled(rows.bytes),
    shared: scaled(rows.shared),
  };
  return { ...program, rows: changed };
}

const WORKS: ReadonlySet<number> = new Set([ROW.work, ROW.memory, ROW.sleep]);

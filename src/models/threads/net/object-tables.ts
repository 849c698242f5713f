import type { NumberTable } from '../../../net/builder/builder.ts';
import { add, and, eq, ge, le, max, min, type Term, when } from '../../../net/terms.ts';
import {
  ACQUIRE,
  acquireMode,
  isAcquisition,
  MOST,
  RELEASE,
  ROW,
  releaseMode,
  type ThreadProgram,
} from '../program/rows.ts';
import type { NetPart, ObjectFields, ObjectPlace, ThreadPorts } from './ports.ts';

/** Declares the place of objects; programs without objects have none. */
export function objectPlace(ports: ThreadPorts): ObjectPlace {
  return { ...acquireTables(ports.net), ...plainObjects(ports) };
}

function plainObjects(ports: ThreadPorts): Pick<ObjectPlace, 'place' | 'count'> {
  const { objects } = ports.program;
  const fields = objectFields(ports);
  const initial = objects.map(({ initial: v }, o) => ({ o, v, n: 0 }));
  const place = ports.net.place('objects', fields, { kind: 'synchronisation', initial });
  return { place, count: Math.max(1, objects.length) };
}

/** Colour sets of an object's number, value and number of waiters. */
export function objectFields({ net, program }: ThreadPorts): ObjectFields {
  return {
    o: net.range('object', 0, Math.max(0, program.objects.length - 1)),
    v: net.range('value', ...valueBounds(program)),
    n: net.range('waiters', 0, program.strands.count),
  };
}

/** Bounds and changes of values by mode of acquisition. */
export function acquireTables(net: NetPart): Pick<ObjectPlace, 'low' | 'high' | 'change'> {
  const table = (name: string, of: (m: (typeof ACQUIRE)[number]) => number): NumberTable =>
    net.intTable(name, Int32Array.from(ACQUIRE, of));
  return {
    low: table('acquire from', (m) => m.low),
    high: table('acquire to', (m) => m.high),
    change: table('acquire change', (m) => m.change),
  };
}

/** A number of a row, as a term of the row's position. */
export interface OfRow {
  at(row: Term<number>): Term<number>;
}

/** Modes and objects of rows, in ranges that make look-ups by them safe. */
export interface RowModes {
  /** Mode in which the strand at a row acquires the object it waits for; a condition is acquired by a signal. */
  readonly acquire: OfRow;
  /** Object and mode of the release at a row; `wait` releases its mutex. */
  readonly released: OfRow;
  readonly release: OfRow;
}

/**
 * The modes of rows, as terms of their columns: tables of their own took 12 bytes per row. A row with another operation has
 * some number in the range.
 */
export function rowModes({ program, op, a, b }: ThreadPorts): RowModes {
  const { rows, objects } = program;
  const waits = rows.op.includes(ROW.wait);
  const [signal, unlock] = [acquireMode('acquire'), releaseMode('unlock')];
  const ofWaits = (
    of: (at: Term<number>) => Term<number>,
    other: (at: Term<number>) => Term<number> | number,
  ): OfRow => ({
    at: (row) => (waits ? when(eq(op.at(row), ROW.wait), other(row), of(row)) : of(row)),
  });
  const objectIn = (column: NumberTable) => (at: Term<number>) => within(column.at(at), objects.length - 1);
  return {
    acquire: ofWaits(
      (at) => within(b.at(at), ACQUIRE.length - 1),
      () => signal,
    ),
    released: ofWaits(objectIn(a), objectIn(b)),
    release: ofWaits(
      (at) => within(b.at(at), RELEASE.length - 1),
      () => unlock,
    ),
  };
}

/** A number as it is between 0 and a bound. */
const within = (x: Term<number>, high: number): Term<number> => max(0, min(Math.max(0, high), x));

/** Releases: the test whether a value may be released in a mode, and the value afterwards. */
interface ReleaseTerms {
  allowed(v: Term<number>, mode: Term<number>): Term<boolean>;
  /** The new value of an object with n waiters. */
  value(v: Term<number>, n: Term<number>, mode: Term<number>): Term<number>;
}

/** Makes the tables of the modes of release. */
export function releaseTerms(net: NetPart): ReleaseTerms {
  const table = (name: string, of: (m: (typeof RELEASE)[number]) => number): NumberTable =>
    net.intTable(name, Int32Array.from(RELEASE, of));
  const low = table('release from', (m) => m.low);
  const high = table('release to', (m) => m.high);
  const added = table('release adds', (m) => m.add);
  const kept = table('release keeps', (m) => (m.set === undefined ? 1 : 0));
  const set = table('release sets', (m) => m.set ?? 0);
  const kind = table('release waiters', (m) => (m.waiters === undefined ? 0 : m.waiters === 'one' ? 1 : 2));
  return {
    allowed: (v, mode) => and(ge(v, low.at(mode)), le(v, high.at(mode))),
    value: (v, n, mode) => {
      const plain = when(eq(kept.at(mode), 1), add(v, added.at(mode)), set.at(mode));
      return when(eq(kind.at(mode), 0), plain, when(eq(kind.at(mode), 1), min(n, plain), n));
    },
  };
}

/**
 * Bounds of the values of all objects: each strand that has a row executes it at most once, or the program begins again from
 * its start.
 */
export function valueBounds({ objects, rows, strands, copies = 1 }: ThreadProgram): [low: number, high: number] {
  let [low, high] = [-1, strands.count];
  for (const { initial } of objects) [low, high] = [Math.min(low, initial), Math.max(high, initial)];
  let [less, more] = [0, 1];
  for (let k = 0; k < rows.count; k++)
    if (rows.op[k] === ROW.release || (isAcquisition(rows.op[k]!) && ACQUIRE[rows.b[k]!]!.change > 0)) more++;
    else if (rows.op[k] === ROW.atomic || rows.op[k] === ROW.note) {
      less += Math.min(0, rows.b[k]!);
      more += Math.max(0, rows.b[k]!);
    }
  return [Math.max(-MOST, low + copies * less), Math.min(MOST, high + copies * more)];
}

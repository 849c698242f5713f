import { ACQUIRE, foreignRelease, RELEASE, ROW, type ThreadProgram } from './rows.ts';

/** Locks by the names of their modes: what releases them. */
const RELEASED_BY: ReadonlyMap<string, string> = new Map([
  ['lock', 'unlock'],
  ['readLock', 'readUnlock'],
  ['writeLock', 'writeUnlock'],
]);
const RELEASES: ReadonlySet<string> = new Set(RELEASED_BY.values());

/**
 * The program with the releases of locks that their strand does not hold, which are faults whatever the lock is then: a lock
 * belongs to the strand that has taken it. Chunks that are assigned at run time belong to no strand, and are left as they are.
 * O(rows).
 */
export function withForeignReleases(program: ThreadProgram): ThreadProgram {
  const { rows, strands } = program;
  let b: Int32Array | undefined;
  const [locks, unlocks] = [isLock(ACQUIRE, RELEASED_BY), isLock(RELEASE, RELEASES)];
  if (!rows.op.some((op, k) => op === ROW.release && unlocks[rows.b[k]!] === 1)) return program;
  for (let s = 0; s < strands.count; s++) {
    const held = new Map<string, number>();
    for (let k = strands.start[s]!; rows.op[k] !== ROW.end; k++) {
      const mode = rows.b[k]!;
      const isTaken = rows.op[k] === ROW.acquire && locks[mode] === 1;
      if (!isTaken && (rows.op[k] !== ROW.release || unlocks[mode] !== 1)) continue;
      const name = isTaken ? RELEASED_BY.get(ACQUIRE[mode]!.name)! : RELEASE[mode]!.name;
      const key = `${name} ${rows.a[k]}`;
      const count = held.get(key) ?? 0;
      if (isTaken) held.set(key, count + 1);
      else if (count > 0) held.set(key, count - 1);
      else {
        b ??= rows.b.slice();
        b[k] = foreignRelease(name);
      }
    }
  }
  return b === undefined ? program : { ...program, rows: { ...rows, b } };
}

const isLock = (
  modes: readonly { readonly name: string }[],
  names: { readonly has: (name: string) => boolean },
): Uint8Array => Uint8Array.from(modes, ({ name }) => (names.has(name) ? 1 : 0));

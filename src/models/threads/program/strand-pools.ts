import type { ThreadProgram } from './rows.ts';

/** The pool of each strand: that of the main strand above it. */
export function poolOfStrands({ strands: { count, parent } }: ThreadProgram): Int32Array {
  const pool = new Int32Array(count);
  // Parents come before their children.
  for (let s = 0; s < count; s++) pool[s] = parent[s]! < 0 ? s : pool[parent[s]!]!;
  return pool;
}

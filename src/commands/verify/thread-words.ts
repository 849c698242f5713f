import { operationName } from '../../models/threads/program/operation-name.ts';
import { ROW, strandName, type ThreadProgram } from '../../models/threads/program/rows.ts';
import type { ThreadStep } from './thread-verification.ts';

/** Rows that a program names. */
const NAMED: ReadonlySet<number> = new Set([ROW.acquire, ROW.release, ROW.wait, ROW.atomic, ROW.test, ROW.fetch]);

/** The operation of a row in words; undefined for rows that a program does not name. */
export function operationOf(program: ThreadProgram, row: number): string | undefined {
  const { op, a, seconds } = program.rows;
  if (!NAMED.has(op[row]!)) return undefined;
  if (op[row] === ROW.fetch) return `take a chunk of ${program.loops[a[row]!]!.name}`;
  if (op[row] === ROW.test) return `test ${program.objects[a[row]!]!.name} >= ${seconds[row]}`;
  return operationName(program, row);
}

/** A row of a strand with its place in the model. */
export function stepOf(program: ThreadProgram, strand: number, row: number, operation: string): ThreadStep {
  return { strand: strandName(program, strand), operation, ...placeOf(program, row) };
}

/** File and line of a row. */
export function placeOf({ rows, sites }: ThreadProgram, row: number): { readonly file: string; readonly line: number } {
  const { file = '', line = 0 } = sites[rows.site[row]!]!.place;
  return { file, line };
}

import { ACQUIRE, RELEASE, ROW, strandName, type SyncObject, type ThreadProgram } from '../../models/threads/program/rows.ts';
import type { ThreadStep } from './thread-verification.ts';

/** `mutex fork[1]`, `barrier b`; the barriers, futures and joins of the product are latches. */
export function objectName(program: ThreadProgram, o: number): string {
  const { kind, name, index } = program.objects[o]!;
  const word = kind === 'latch' ? '' : kind === 'autoEvent' ? 'event ' : `${kind} `;
  return word + name + (isArray(program, o) ? `[${index}]` : '');
}

function isArray({ objects }: ThreadProgram, o: number): boolean {
  const same = (other: SyncObject | undefined): boolean =>
    other !== undefined && other.site === objects[o]!.site && other.name === objects[o]!.name;
  return objects[o]!.kind !== 'latch' && (objects[o]!.index > 0 || (same(objects[o + 1]) && objects[o + 1]!.index === 1));
}

/** The operation of a row in words; undefined for rows that a program does not name. */
export function operationOf(program: ThreadProgram, row: number): string | undefined {
  const { rows } = program;
  const o = rows.a[row]!;
  switch (rows.op[row]) {
    case ROW.acquire: {
      const { name } = ACQUIRE[rows.b[row]!]!;
      if (name === 'latch') return `wait at ${objectName(program, o)}`;
      if (name === 'future') return `get ${objectName(program, o)}`;
      const call = name === 'lock' && program.objects[o]!.kind !== 'mutex' ? 'wait' : name;
      return `${call} ${objectName(program, o)}`;
    }
    case ROW.release: {
      const { name } = RELEASE[rows.b[row]!]!;
      return name === 'arrive' ? `arrive at ${objectName(program, o)}` : `${name} ${objectName(program, o)}`;
    }
    case ROW.wait:
      return `wait for ${objectName(program, o)}, releasing ${objectName(program, rows.b[row]!)}`;
    case ROW.atomic:
      return program.objects[o]!.kind === 'counter' ? `add ${rows.b[row]} to ${objectName(program, o)}` : undefined;
    case ROW.test:
      return `test ${objectName(program, o)} >= ${rows.seconds[row]}`;
    case ROW.sync:
      return 'wait for the threads or tasks that it has made';
    case ROW.fetch:
      return `take a chunk of ${program.loops[o]!.name}`;
    default:
      return undefined;
  }
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

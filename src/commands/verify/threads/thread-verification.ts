import type { Truncation } from '../../../analysis/space/state-space.ts';
import { ranges } from '../../../base/listing.ts';
import type { Problem } from '../../../base/problem.ts';
import type { PoolKind } from '../../../models/threads/net/worker-stacks.ts';
import {
  callName,
  objectName,
  operationName,
  strandName,
  USES_OBJECT,
} from '../../../models/threads/program/row-names.ts';
import { ROW, type ThreadProgram } from '../../../models/threads/program/rows.ts';
import type { InputFile, Limit, PoolSettings } from '../../inputs/document-parts.ts';

/** Settings of the verification of a thread program. */
export interface ThreadSettings extends Pick<PoolSettings, 'workers' | 'scheduler' | 'pool' | 'allocator'> {
  /** Scheduler `a2`: releases that meet a passing state of a primitive are not retried. */
  readonly retry?: 'no';
  /** Name of the model. */
  readonly program?: string;
  /** Reductions were not allowed. */
  readonly reduce?: 'none';
  /** Maximum number of stored states. */
  readonly maxStates?: Limit;
}

/** A property of a thread program; null if a limit was reached before it was decided. */
export interface ThreadProperty {
  /** Name of the property. */
  readonly id: 'deadlock-free' | 'no-lost-wake-up' | 'no-fault' | 'locks-free' | 'executed';
  /** True: holds; false: violated; null: unknown. */
  readonly verdict: boolean | null;
  /** Why the verdict is unknown, or a limitation of it. */
  readonly reason?: string;
}

/** Current operation of a strand, executed or awaited, with its source line. */
export interface ThreadStep {
  /** Thread, task or `main`. */
  readonly strand: string;
  /** The operation in words. */
  readonly operation: string;
  /** File of the operation; empty if unknown. */
  readonly file: string;
  /** Line of the operation, from 1; 0 if unknown. */
  readonly line: number;
}

/** A marking that violates a property, and a shortest firing sequence to it. */
export interface ThreadViolation {
  /** Kind of the violation. */
  readonly kind: 'deadlock' | 'lost-wake-up' | 'fault' | 'locks-held';
  /** Firings of the explored net. */
  readonly firings: number;
  /** The operations on objects of the program among them. */
  readonly steps: readonly ThreadStep[];
  /** Strands that wait forever, or the strand at fault. */
  readonly stuck: readonly ThreadStep[];
  /** Objects that are held, in words: `mutex fork[1]`. */
  readonly held: readonly string[];
}

/** The verification of a program for a number of workers under a scheduler. */
export interface ThreadInstance {
  /** Number of workers. */
  readonly workers: number;
  /** Name of the scheduler. */
  readonly scheduler: string;
  /** Kind of the pool; absent for schedulers without one. */
  readonly pool?: PoolKind;
  /** Parameters of the model. Open: names of the model. */
  readonly parameters: Readonly<Record<string, number | string | boolean>>;
  /** Number of strands: threads, tasks and `main`. */
  readonly strands: number;
  /** Verdicts, in a fixed order. */
  readonly properties: readonly ThreadProperty[];
  /** Violated properties, each with a shortest firing sequence. */
  readonly violations: readonly ThreadViolation[];
  /** Operations that are never executed. */
  readonly neverExecuted: readonly Omit<ThreadStep, 'strand'>[];
  /** The kind of pool whose exploration decides this one, too: only the main strand waits for tasks. Absent: its own. */
  readonly decidedBy?: PoolKind;
  /** Number of explored states; 0 if another instance has explored them. */
  readonly states: number;
  /** Number of explored edges. */
  readonly edges: number;
  /** The limit that ended the exploration; absent if none did. */
  readonly truncation?: Truncation;
  /** Computing time of the verification, in seconds. */
  readonly seconds: number;
}

/** Result of the verification of a thread program. */
export interface ThreadVerificationDocument {
  /** Always `foretoken`: distinguishes results from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'thread-verification';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /** True if every property was decided. */
  readonly complete: boolean;
  /** Input files by role, with their digests. */
  readonly inputs: { readonly [role in 'model' | 'machine' | 'hostfile' | 'collectives']?: InputFile } & {
    readonly members?: readonly InputFile[];
  };
  /** Limits and other options. */
  readonly options: ThreadSettings;
  /** One result for each scheduler and kind of pool. */
  readonly instances: readonly ThreadInstance[];
  /** Computing time of the whole verification, in seconds. */
  readonly seconds: number;
  /** Warnings about the inputs and the run, each once. */
  readonly warnings: readonly string[];
  /** Limitations of all verdicts from such input. Absent if empty. */
  readonly notes?: readonly Problem[];
}

/** Rows that a program names. */
const NAMED: ReadonlySet<number> = new Set([...USES_OBJECT, ROW.test, ROW.fetch]);

/** The operation of a row in words; undefined for rows that a program does not name. */
export function operationOf(program: ThreadProgram, row: number): string | undefined {
  const { op, a, seconds } = program.rows;
  if (!NAMED.has(op[row]!)) return undefined;
  // Tests of the strand's own counts of held objects are not operations of the program.
  if (op[row] === ROW.test && program.objects[a[row]!]!.isMemory === true) return undefined;
  if (op[row] === ROW.fetch) return `take a chunk of ${program.loops[a[row]!]!.name}`;
  if (op[row] === ROW.test) return `test ${program.objects[a[row]!]!.name} >= ${seconds[row]}`;
  return operationName(program, row);
}

/** The first operation of the rows of one statement in words, with all objects of its array: `set done[0-3]`. */
export function operationsOf(program: ThreadProgram, rows: readonly number[]): string {
  const { op, a } = program.rows;
  const first = rows[0]!;
  const name = (row: number): string => `${callName(program, row)} ${program.objects[a[row]!]!.name}`;
  if (!USES_OBJECT.has(op[first]!) || objectName(program, a[first]!) === program.objects[a[first]!]!.name)
    return operationOf(program, first)!;
  const family = rows.filter((row) => USES_OBJECT.has(op[row]!) && name(row) === name(first));
  const indices = new Set(family.map((row) => program.objects[a[row]!]!.index));
  return `${name(first)}[${ranges([...indices].sort((x, y) => x - y))}]`;
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

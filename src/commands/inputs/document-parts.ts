import { type Problem, quote } from '../../base/problem.ts';

/** A figure with its unit: `s`, `1` (a plain number), `B`, `flop`. */
export interface Figure {
  /** The value, in `unit`. */
  readonly value: number;
  /** The unit; `1` for numbers and shares. */
  readonly unit: string;
}

/** A permanently blocked rank. */
export interface BlockedRank {
  /** The blocked rank, from 0. */
  readonly rank: number;
  /** The operation, as in the trace: `recv 1 0 1e6`. */
  readonly operation: string;
  /** File of the operation that the rank is blocked in; empty if unknown. */
  readonly file: string;
  /** Line of the operation that the rank is blocked in, from 1; 0 if unknown. */
  readonly line: number;
  /** The ranks it waits for; null if any rank would do. */
  readonly waitsFor: readonly number[] | null;
  /** Time at which it became blocked (s). */
  readonly since: number;
  /** Thread models, where `rank` and `waitsFor` are numbers of strands: name of the strand, its worker, and the object. */
  readonly strand?: string;
  readonly worker?: number;
  readonly object?: string;
  /** Stack-based pools: the strand above this one on the stack of its worker. */
  readonly below?: string;
  /** A region of threads in a rank: its threads and tasks that wait forever. */
  readonly strands?: readonly BlockedStrand[];
}

/** A permanently blocked thread or task of a rank. */
export interface BlockedStrand {
  /** Its name: `thread 1 of parallel model.ts:7`, `task fib`. */
  readonly strand: string;
  /** Operation at which it waits: `lock m[1]`. */
  readonly operation: string;
  /** File and line of the operation; empty and 0 if unknown. */
  readonly file: string;
  readonly line: number;
  /** The object that it waits for. Absent if it has no worker. */
  readonly object?: string;
  /** The strand that holds the object, if it is a lock. */
  readonly heldBy?: string;
}

/** An input file, recorded so that a result can be reproduced: path relative to the working directory, SHA-256 in hex. */
export interface InputFile {
  /** Path as given. */
  readonly path: string;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
}

/** Warning of a library's result: nobody has given the machine, so this one was taken. */
export function assumedMachine(name: unknown): Problem {
  return { code: 'MACH034', message: `ASSUMED machine ${quote(String(name))}: give option machine for another one` };
}

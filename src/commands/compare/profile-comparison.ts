import type { ProcessFigure } from '../../analysis/efficiency/interval-figures.ts';
import type { Problem } from '../../base/problem.ts';
import type { ProfileDocument } from '../profile/profile-document.ts';
import type { ComparedFigure } from './comparison.ts';

/** One of the two profiles. */
export interface ComparedProfile {
  /** As given on the command line: a profile, a run record, a model or a trace. */
  readonly input: string;
  /** Input files by role, with their digests. */
  readonly inputs: ProfileDocument['inputs'];
  /** Name of the program. */
  readonly program: string;
  /** Origin of the run. */
  readonly origin: 'simulated' | 'recorded';
  /** Number of processes. */
  readonly processes: number;
  /** False if the run was cut short. */
  readonly complete: boolean;
}

/** Figures of an interval that are compared: those over all its processes. */
export type ComparedName = ProcessFigure | 'processors' | 'totalTime' | 'efficiency' | 'executions';

/** An interval of either profile, with its figures in both. */
export interface ComparedInterval {
  /** Path, `solve/iteration[1]`; empty for the program. */
  readonly interval: string;
  /** 0 for the program, 1 for the outermost intervals. */
  readonly level: number;
  /** Absent if both profiles have the interval; otherwise the one that has it, whose figures are next to null. */
  readonly only?: 'a' | 'b';
  /** The figures, in seconds or plain numbers; `executionTime` is the longest of a process, other times are sums. */
  readonly figures: readonly (ComparedFigure & { readonly name: ComparedName })[];
}

/** A kind of collective operation in both profiles: sums over all processes, in seconds, and executions. */
export interface ComparedOperation {
  /** Name of the operation. */
  readonly operation: string;
  /** For an asynchronous operation: its start or its wait. */
  readonly phase?: 'start' | 'wait';
  /** Its figures in both profiles. */
  readonly figures: readonly ComparedFigure[];
}

/** The result of `foretoken compare` for two profiles or run records. */
export interface ProfileComparisonDocument {
  /** Always `foretoken`: distinguishes results from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'profile-comparison';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /** The first profile. */
  readonly a: ComparedProfile;
  /** The second profile, which is compared with the first. */
  readonly b: ComparedProfile;
  /** The program, then its intervals in the order of the first profile, then those of the second alone. */
  readonly intervals: readonly ComparedInterval[];
  /** Collective operations of either profile. */
  readonly operations: readonly ComparedOperation[];
  /** Warnings of both profiles. */
  readonly warnings: readonly Problem[];
}

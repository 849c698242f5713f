import type { Problem } from '../base/problem.ts';
import type { InputFile } from './prediction.ts';

/** One figure of both predictions. */
export interface ComparedFigure {
  readonly name: string;
  /** Unit: `s`, `1` (a plain number), or `rank s` and `worker s`, seconds summed over all ranks or workers. */
  readonly unit: string;
  /** Null if the prediction does not have the figure, or its sum over the ranks exceeds the range of a double. */
  readonly a: number | null;
  readonly b: number | null;
  /** b − a; null if either is null or the difference exceeds the range of a double. */
  readonly difference: number | null;
  /** (b − a) / |a|; null if a is 0, the difference is null, or the ratio exceeds the range of a double. */
  readonly relative: number | null;
}

/** One rank in both predictions: end times in seconds, and the state whose time changed most. */
export interface ComparedRank {
  readonly rank: number;
  readonly endTime: { readonly a: number | null; readonly b: number | null };
  /** The state whose time changed most, and by how much: seconds in b minus seconds in a. */
  readonly state: 'computing' | 'communicating' | 'waiting' | 'idle';
  readonly change: number;
}

/** A host, memory or link with its utilisation (share 0 … 1) in both predictions; null if a prediction does not use it. */
export interface ComparedResource {
  readonly name: string;
  readonly kind: 'host' | 'memory' | 'link';
  readonly a: number | null;
  readonly b: number | null;
  /** b − a; an unused resource counts as 0. */
  readonly change: number;
}

/** One of the two predictions. */
export interface ComparedSide {
  /** As given on the command line: a result, a trace or a net. */
  readonly input: string;
  readonly inputs: { readonly [role: string]: InputFile };
  readonly options: Readonly<Record<string, string | number>>;
  readonly complete: boolean;
  readonly deadlocked: number;
}

/** The result of `foretoken compare`, version 1. `--json` prints it and the terminal view reads it. */
export interface ComparisonDocument {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'comparison';
  readonly product: string;
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  readonly figures: readonly ComparedFigure[];
  /** Ranks of both predictions, the largest change first. */
  readonly ranks: readonly ComparedRank[];
  /** Resources of either prediction, the largest change first. */
  readonly resources: readonly ComparedResource[];
  /** Notes of both predictions; absent if there are none. */
  readonly notes?: readonly Problem[];
}

import type { Problem } from '../base/problem.ts';
import type { InputFile } from './prediction.ts';

/** A figure of both predictions. */
export interface ComparedFigure {
  readonly name: string;
  /** `s`, `1`; `rank s` is seconds summed over all ranks. */
  readonly unit: string;
  /** Null where the prediction does not have it, or the sum over its ranks exceeds the range of a double. */
  readonly a: number | null;
  readonly b: number | null;
  /** b − a; null where either is null, or the difference exceeds the range of a double. */
  readonly difference: number | null;
  /** (b − a) / |a|; null where a is 0, the difference is null, or the ratio exceeds the range of a double. */
  readonly relative: number | null;
}

/** A rank of both predictions: its times in seconds, and the largest change of what it does with them. */
export interface ComparedRank {
  readonly rank: number;
  readonly endTime: { readonly a: number | null; readonly b: number | null };
  /** What changed most: seconds in b less seconds in a. */
  readonly state: 'computing' | 'communicating' | 'waiting' | 'idle';
  readonly change: number;
}

/** A host or link, and which share of it is used; null where a prediction does not use it. */
export interface ComparedResource {
  readonly name: string;
  readonly kind: 'host' | 'memory' | 'link';
  readonly a: number | null;
  readonly b: number | null;
  /** b − a, where one that is not used counts as 0. */
  readonly change: number;
}

/** One of the two sides. */
export interface ComparedSide {
  /** As it was given: a result, a trace, a net. */
  readonly input: string;
  readonly inputs: { readonly [role: string]: InputFile };
  readonly options: Readonly<Record<string, string | number>>;
  readonly complete: boolean;
  readonly deadlocked: number;
}

/** The result of `foretoken compare`, version 1: what `--json` prints and what the page reads. */
export interface ComparisonDocument {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'comparison';
  readonly product: string;
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  readonly figures: readonly ComparedFigure[];
  /** Ranks that both have, the largest change first. */
  readonly ranks: readonly ComparedRank[];
  /** Resources that either has, the largest change first. */
  readonly resources: readonly ComparedResource[];
  /** Of either prediction. Absent: none. */
  readonly notes?: readonly Problem[];
}

import type { Problem } from '../../base/problem.ts';
import type { InputFile } from '../inputs/document-parts.ts';
import type { PredictionSettings } from '../predict/prediction.ts';

/** One figure of both predictions. */
export interface ComparedFigure {
  /** Name of the figure; of nets without processes also `tokens PLACE` and `rate TRANSITION`, means over the run. */
  readonly name: string;
  /** Unit: `s`, `1` (a plain number), `1/s`, or `rank s` and `worker s`, seconds summed over all ranks or workers. */
  readonly unit: string;
  /** Null if the prediction does not have the figure, or its sum over the ranks exceeds the range of a double. */
  readonly a: number | null;
  /** Value in prediction b, in the figure's unit; null if it has none. */
  readonly b: number | null;
  /** b − a; null if either is null or the difference exceeds the range of a double. */
  readonly difference: number | null;
  /** (b − a) / |a|; null if a is 0, the difference is null, or the ratio exceeds the range of a double. */
  readonly relative: number | null;
}

/** One rank in both predictions: end times in seconds, and the state whose time changed most. */
export interface ComparedRank {
  /** The rank, from 0. */
  readonly rank: number;
  /** End times of the rank in both predictions, in seconds. */
  readonly endTime: {
    /** In the first prediction. */
    readonly a: number | null;
    /** In the second prediction. */
    readonly b: number | null;
  };
  /** The state whose time changed most, and by how much: seconds in b minus seconds in a. */
  readonly state: 'computing' | 'communicating' | 'waiting' | 'idle';
  /** Time in `state` in b minus that in a, in seconds. */
  readonly change: number;
}

/** A host, memory or link with its utilisation (share 0 … 1) in both predictions; null if a prediction does not use it. */
export interface ComparedResource {
  /** Name of the host, memory or link. */
  readonly name: string;
  /** Kind of the resource. */
  readonly kind: 'host' | 'memory' | 'link';
  /** Utilisation in prediction a, 0 … 1; null if the resource is absent there. */
  readonly a: number | null;
  /** Utilisation in prediction b, 0 … 1; null if the resource is absent there. */
  readonly b: number | null;
  /** b − a; an unused resource counts as 0. */
  readonly change: number;
}

/** One of the two predictions. */
export interface ComparedSide {
  /** As given on the command line: a result, a trace or a net. */
  readonly input: string;
  /** Input files by role, with their digests. */
  readonly inputs: {
    readonly [role in 'trace' | 'net' | 'model' | 'machine' | 'hostfile' | 'collectives']?: InputFile;
  };
  /** Options of the prediction. */
  readonly options: PredictionSettings;
  /** False if the run was cut short. */
  readonly complete: boolean;
  /** Number of ranks that are blocked forever. */
  readonly deadlocked: number;
}

/** The result of `foretoken compare`, version 1. `--json` prints it and the terminal view reads it. */
export interface ComparisonDocument {
  /** Always `foretoken`: distinguishes results from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'comparison';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /** The first prediction. */
  readonly a: ComparedSide;
  /** The second prediction, which is compared with the first. */
  readonly b: ComparedSide;
  /** Figures of the whole run, in both predictions. */
  readonly figures: readonly ComparedFigure[];
  /** Ranks of both predictions, the largest change first. */
  readonly ranks: readonly ComparedRank[];
  /** Resources of either prediction, the largest change first. */
  readonly resources: readonly ComparedResource[];
  /** Notes of both predictions. Absent if empty. */
  readonly notes?: readonly Problem[];
}

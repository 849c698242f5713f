import type { OperationFigure } from '../../analysis/efficiency/efficiency.ts';
import type { ProcessFigure } from '../../analysis/efficiency/interval-figures.ts';
import type { Figure, Unit } from '../inputs/document-parts.ts';

/** A value for each figure of a process. Not exported: schemas then have the descriptions where the figures are. */
interface ByFigure<T> extends Readonly<Record<ProcessFigure, T>> {
  /** CPU time, input/output and communication of a process, up to its end. */
  readonly executionTime: T;
  /** CPU time without insufficient parallelism, and input/output: a forecast of the time on one processor. */
  readonly productiveTime: T;
  /** CPU time without insufficient parallelism. */
  readonly productiveCpuTime: T;
  /** Time in input and output. */
  readonly ioTime: T;
  /** Insufficient parallelism, communication and idle time. */
  readonly lostTime: T;
  /** CPU time that several processes spend on the same work, except once. */
  readonly insufficientParallelism: T;
  /** Insufficient parallelism in sequential sections, where all processes compute the same. */
  readonly insufficientParallelismSequential: T;
  /** Insufficient parallelism in parallel sections: iterations that several processes compute. */
  readonly insufficientParallelismParallel: T;
  /** Time in which a process communicates, waits, or is in the message system; also idle time before its end. */
  readonly communication: T;
  /** Part of communication: time in the message system itself. */
  readonly overhead: T;
  /** Time from the end of a process to that of the interval. */
  readonly idle: T;
  /** Time from each start of a collective operation to its last start. */
  readonly synchronization: T;
  /** Time from each end of a collective operation to its last end. */
  readonly timeVariation: T;
  /** Time computing between start and wait of asynchronous operations. */
  readonly overlap: T;
  /** Largest CPU time of a process in parallel sections, minus that of the process. */
  readonly loadImbalance: T;
  /** CPU time in sequential sections. */
  readonly cpuTimeSequential: T;
  /** CPU time in parallel sections. */
  readonly cpuTimeParallel: T;
  /** Number of loop iterations. */
  readonly loopIterations: T;
}

/** Figures of an interval over all processes; `executionTime` is the longest of a process, all other times are sums. */
export interface ProfileFigures extends ByFigure<Figure> {
  /** Number of processes that execute the interval. */
  readonly processors: Figure;
  /** Number of processes times execution time. */
  readonly totalTime: Figure;
  /** Productive time as a share of the total time. */
  readonly efficiency: Figure;
}

/** A value for each figure of an operation. Not exported, as {@link ByFigure}. */
interface ByOperationFigure<T> extends Readonly<Record<OperationFigure, T>> {
  /** Time in the operation. */
  readonly communication: T;
  /** Time from each start to the last start. */
  readonly synchronization: T;
  /** Time from each end to the last end. */
  readonly timeVariation: T;
  /** Time computing between start and wait. */
  readonly overlap: T;
}

/** Smallest and largest value of a figure, each with its process (−1 without processes), and the mean over the processes. */
export interface FigureSpread {
  /** Minimum over the processes, in `unit`. */
  readonly min: number;
  /** Process with the minimum. */
  readonly minProcess: number;
  /** Maximum over the processes, in `unit`. */
  readonly max: number;
  /** Process with the maximum. */
  readonly maxProcess: number;
  /** Mean over the processes, in `unit`. */
  readonly mean: number;
  /** The unit; `1` for numbers and shares. */
  readonly unit: Unit;
}

/** Figures of one process in an interval, in the units of {@link ProfileFigures}. */
export interface ProfiledProcess {
  /** Number of the process, from 0. */
  readonly process: number;
  /** Name of its node. */
  readonly node: string;
  /** Its figures in the interval. */
  readonly figures: ByFigure<Figure>;
}

/** Figures of an interval or of the program. */
export interface ProfiledSection {
  /** Figures over all processes. */
  readonly figures: ProfileFigures;
  /** Minimum, maximum and mean over the processes, by figure. */
  readonly spread: ByFigure<FigureSpread>;
  /** The processes that execute it; absent if the list would exceed a million figures. The spread is always complete. */
  readonly processes?: readonly ProfiledProcess[];
}

/** An interval of the program: all its executions together. */
export interface ProfiledInterval extends ProfiledSection {
  /** Name, with the value of its expression: `iteration[1]`. */
  readonly name: string;
  /** Depth: 1 for the outermost intervals. */
  readonly level: number;
  /** Source file without folders, where it is known. */
  readonly file?: string;
  /** Line in this file, from 1. */
  readonly line?: number;
  /** Kind of its computing, or of its rows if nothing is computed: sequential, parallel, or both (combined). */
  readonly kind: 'sequential' | 'parallel' | 'combined';
  /** Number of executions, over all processes. */
  readonly executions: number;
  /** The intervals directly inside. */
  readonly children: readonly ProfiledInterval[];
}

/** A kind of collective operation: sums over all executions and processes, in seconds. */
export interface ProfiledOperation {
  /** Name of the operation. */
  readonly kind: string;
  /** For an asynchronous operation: its start or its wait. */
  readonly phase?: 'start' | 'wait';
  /** Number of executions. */
  readonly count: number;
  /** Time in the operation. */
  readonly communication: number;
  /** Time from each start to the last start. */
  readonly synchronization: number;
  /** Time from each end to the last end. */
  readonly timeVariation: number;
  /** Time computing between start and wait. */
  readonly overlap: number;
  /** Number of processes that execute the operation. */
  readonly processors: number;
  /** Minimum, maximum and mean over these processes, by figure. */
  readonly spread: ByOperationFigure<FigureSpread>;
  /** These processes; absent if the list would exceed a million figures. */
  readonly processes?: readonly ProfiledOperationPart[];
}

/** Figures of an operation on one process, in seconds. */
export interface ProfiledOperationPart extends ByOperationFigure<number> {
  /** Number of the process, from 0. */
  readonly process: number;
}

/** An outermost interval among the others, by lost time. */
export interface RankedInterval {
  /** Its name, with the value of its expression. */
  readonly interval: string;
  /** Its lost time in seconds. */
  readonly lostTime: number;
  /** Its lost time over that of the program. Can exceed 1: while one interval waits for a process, another one may use it. */
  readonly share: number;
  /** Its efficiency. */
  readonly efficiency: number;
}

import type { EfficiencyMeter } from './efficiency.ts';
import type { IntervalNode } from './interval-tree.ts';
import { SUM, SUM_COUNT } from './time-columns.ts';

/** Figures of one process in an interval; times in seconds. */
export interface ProcessFigures {
  readonly executionTime: number;
  /** Productive CPU time and input/output. */
  readonly productiveTime: number;
  readonly productiveCpuTime: number;
  readonly ioTime: number;
  readonly lostTime: number;
  readonly insufficientParallelism: number;
  readonly insufficientParallelismSequential: number;
  readonly insufficientParallelismParallel: number;
  readonly communication: number;
  /** Part of communication: time in the message system itself. */
  readonly overhead: number;
  readonly idle: number;
  readonly synchronization: number;
  readonly timeVariation: number;
  readonly overlap: number;
  readonly loadImbalance: number;
  readonly cpuTimeSequential: number;
  readonly cpuTimeParallel: number;
  readonly loopIterations: number;
}
export type ProcessFigure = keyof ProcessFigures;

/** Figures of a process that executes the interval. */
export interface ExecutingProcess extends ProcessFigures {
  /** Number of the process, from 0. */
  readonly process: number;
}

/** Figures of an interval over all processes: sums, except the first three and the efficiency. */
export interface IntervalFigures extends ProcessFigures {
  readonly processors: number;
  readonly executionTime: number;
  /** `processors × executionTime`. */
  readonly totalTime: number;
  /** Productive time as a share of the total time; 1 if the total time is 0. */
  readonly efficiency: number;
}

/** Minimum and maximum over the processes, each with its process, and the mean. */
export interface Spread {
  readonly min: number;
  readonly minProcess: number;
  readonly max: number;
  readonly maxProcess: number;
  readonly mean: number;
}

/**
 * Figures of an interval, for each process that executes it, in ascending order, from the sums of a finished {@link EfficiencyMeter}.
 *
 * - execution time of a process: its CPU time, input/output and communication in the interval
 * - communication: communicating, waiting and overhead, and idle time before the process's end
 * - idle: the interval's execution time minus that of the process
 * - insufficient parallelism, sequential: all n processes that execute the interval compute the same, so all but 1/n of it is
 *   lost
 * - insufficient parallelism, parallel: of iterations that n processors repeat, all but 1/n is lost
 * - load imbalance: the largest CPU time of a process in parallel sections minus its own
 *
 * Lost time = insufficient parallelism + communication + idle, up to rounding. O(processes).
 */
export function processFigures(meter: EfficiencyMeter, node: IntervalNode): ExecutingProcess[] {
  const { processes } = meter.sums;
  const executing = Array.from({ length: processes }, (_, p) => p).filter((p) => meter.executes(node.index, p));
  const columns = meter.sums.of(node.index) ?? new Float64Array(processes * SUM_COUNT);
  const sum = (p: number, k: number): number => columns[p * SUM_COUNT + k]!;
  const parallel = (p: number): number => sum(p, SUM.computingParallel);
  const communicationOf = (p: number): number =>
    sum(p, SUM.communicating) + sum(p, SUM.waiting) + sum(p, SUM.overhead) + sum(p, SUM.innerIdle);
  const executionOf = (p: number): number =>
    sum(p, SUM.computingSequential) + parallel(p) + sum(p, SUM.io) + communicationOf(p);
  let longest = 0;
  let maxParallelism = 0;
  for (const p of executing) {
    longest = Math.max(longest, executionOf(p));
    maxParallelism = Math.max(maxParallelism, parallel(p));
  }
  return executing.map((p) => {
    const cpuTimeSequential = sum(p, SUM.computingSequential);
    const cpuTimeParallel = parallel(p);
    const insufficientParallelismSequential = sum(p, SUM.repeatedSequential);
    const insufficientParallelismParallel = sum(p, SUM.repeated);
    const insufficientParallelism = insufficientParallelismSequential + insufficientParallelismParallel;
    const productiveCpuTime = cpuTimeSequential + cpuTimeParallel - insufficientParallelism;
    const ioTime = sum(p, SUM.io);
    const communication = communicationOf(p);
    const executionTime = executionOf(p);
    const idle = longest - executionTime;
    return {
      process: p,
      executionTime,
      productiveTime: productiveCpuTime + ioTime,
      productiveCpuTime,
      ioTime,
      lostTime: insufficientParallelism + communication + idle,
      insufficientParallelism,
      insufficientParallelismSequential,
      insufficientParallelismParallel,
      communication,
      overhead: sum(p, SUM.overhead),
      idle,
      synchronization: sum(p, SUM.synchronization),
      timeVariation: sum(p, SUM.timeVariation),
      overlap: sum(p, SUM.overlap),
      loadImbalance: maxParallelism - cpuTimeParallel,
      cpuTimeSequential,
      cpuTimeParallel,
      loopIterations: sum(p, SUM.iterations),
    };
  });
}

/** Totals of {@link processFigures}. */
export function intervalFigures(processes: readonly ProcessFigures[]): IntervalFigures {
  const total = (name: ProcessFigure): number => processes.reduce((sum, figures) => sum + figures[name], 0);
  const executionTime = processes.reduce((longest, figures) => Math.max(longest, figures.executionTime), 0);
  const totalTime = processes.length * executionTime;
  const sums = Object.fromEntries(FIGURES.map((name) => [name, total(name)])) as unknown as ProcessFigures;
  return {
    ...sums,
    processors: processes.length,
    executionTime,
    totalTime,
    efficiency: totalTime > 0 ? sums.productiveTime / totalTime : 1,
  };
}

/**
 * Minimum, maximum and mean of a value over the processes; the first process counts where several are equal. Without
 * processes, all are 0 and the processes −1.
 */
export function spread<T extends { readonly process: number }>(
  processes: readonly T[],
  value: (figures: T) => number,
): Spread {
  const [first] = processes;
  if (first === undefined) return { min: 0, minProcess: -1, max: 0, maxProcess: -1, mean: 0 };
  let [min, max, sum] = [first, first, 0];
  for (const figures of processes) {
    sum += value(figures);
    if (value(figures) < value(min)) min = figures;
    if (value(figures) > value(max)) max = figures;
  }
  return {
    min: value(min),
    minProcess: min.process,
    max: value(max),
    maxProcess: max.process,
    mean: sum / processes.length,
  };
}

/** Names of the figures of a process, in the order of documents. */
export const FIGURES: readonly ProcessFigure[] = [
  'executionTime',
  'productiveTime',
  'productiveCpuTime',
  'ioTime',
  'lostTime',
  'insufficientParallelism',
  'insufficientParallelismSequential',
  'insufficientParallelismParallel',
  'communication',
  'overhead',
  'idle',
  'synchronization',
  'timeVariation',
  'overlap',
  'loadImbalance',
  'cpuTimeSequential',
  'cpuTimeParallel',
  'loopIterations',
];

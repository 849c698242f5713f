import type { FindingCause } from '../../analysis/diagnosis/causes.ts';
import { given } from '../../base/given.ts';
import { unlessRejected } from '../../base/problem.ts';
import { changedModel, type ThreadModel } from '../../models/threads/program/threads.ts';
import { speedupBounds, workSpan } from '../../models/threads/work-span.ts';
import { withWorkers } from '../inputs/thread-options.ts';
import type { PredictOptions } from '../predict/options.ts';
import { runThreads } from '../predict/threads/run-threads.ts';
import { threadModelNet } from '../predict/threads/thread-model-net.ts';
import { optionsFor, type RemovedCause } from './predicted-gain.ts';

/** A number of workers on the speed-up curve. Speed-ups are over the work of the program on that number of workers. */
export interface SpeedupPoint {
  /** Number of workers. */
  readonly workers: number;
  /** min(workers, work / span): no schedule is faster. */
  readonly upper: number;
  /** Estimate from the burdened span; not a bound. */
  readonly lower: number;
  /** Of the simulated run; absent if it deadlocks. */
  readonly simulated?: number;
  /** Run time of this run, in seconds. */
  readonly runTime?: number;
}

/** Simulated speed-ups of the program with the change that removes a cause, on the numbers of workers of the curve. */
export interface CauseCurve {
  /** Region of the finding. */
  readonly region: string;
  readonly cause: FindingCause;
  /** The change of the program that was run. */
  readonly change: string;
  /** Speed-ups are over the work of the program; absent where the changed program does not end. */
  readonly points: readonly Pick<SpeedupPoint, 'workers' | 'simulated' | 'runTime'>[];
}

/** Speed-up analysis of a thread program. Times are in seconds. */
export interface Speedup {
  /** Time of all computing, in seconds: the run time on one worker without overhead. */
  readonly work: number;
  /** Time of the longest chain of dependent steps, in seconds: the run time on any number of workers without overhead. */
  readonly span: number;
  /** work / span: workers beyond it cannot help. */
  readonly parallelism: number;
  /** The span with the overhead of the scheduler in its steps, in seconds. */
  readonly burdenedSpan: number;
  /** work / burdened span. */
  readonly burdenedParallelism: number;
  /** Strands that are spawned. */
  readonly spawns: number;
  /** Constructs whose waiting is not in the span, which is then a lower bound. Empty: the span is exact. */
  readonly notCovered: readonly string[];
  /** The speed-up by number of workers. */
  readonly points: readonly SpeedupPoint[];
  /** Curves without a cause, the one that gains most first; absent if no change shortens the run. */
  readonly without?: readonly CauseCurve[];
}

/** Maximum number of causes whose curves are computed. */
const MAX_CURVES = 4;

/**
 * Work, span and speed-up curve of a model: on 1, 2, 4, … workers, up to the number of workers asked for. How much a cause limits
 * the speed-up is the distance between this curve and that without the cause.
 *
 * @param causes causes with the changes that remove them; a change of the number of workers has no curve
 */
export function speedupOf(model: ThreadModel, options: PredictOptions, causes: readonly RemovedCause[] = []): Speedup {
  const all = threadModelNet(model, options);
  const { work, span, burdenedSpan, spawns, notCovered } = workSpan(all.net.program, all.net.machine);
  const points = workerCounts(all.workers).map((workers): SpeedupPoint => {
    const { net } = workers === all.workers ? all : threadModelNet(model, withWorkers(options, workers));
    const own = workSpan(net.program, net.machine);
    const run = runThreads(net, given(options, ['seed']));
    const { upper, lower } = speedupBounds(own, Math.min(workers, net.machine.cores));
    return {
      workers,
      upper,
      lower,
      ...(run.ended ? { simulated: run.time > 0 ? own.work / run.time : 1, runTime: run.time } : {}),
    };
  });
  const over = (length: number): number => (length > 0 ? work / length : 1);
  const without = causes
    .filter(({ variant }) => !('workers' in variant))
    .slice(0, MAX_CURVES)
    .map(({ region, cause, variant }): CauseCurve => {
      const changed = 'change' in variant ? changedModel(model, variant.change) : model;
      const settings = optionsFor(options, variant);
      return {
        region,
        cause,
        change: variant.text,
        points: points.map(({ workers, simulated, runTime }) => {
          const time = runTimeOf(changed, withWorkers(settings, workers));
          if (time === undefined || simulated === undefined || runTime === undefined) return { workers };
          return { workers, simulated: time > 0 ? (simulated * runTime) / time : 1, runTime: time };
        }),
      };
    });
  return {
    work,
    span,
    parallelism: over(span),
    burdenedSpan,
    burdenedParallelism: over(burdenedSpan),
    spawns,
    notCovered,
    points,
    ...(without.length === 0 ? {} : { without }),
  };
}

/** Run time of a model in seconds; undefined if it cannot be run, or deadlocks. */
export function runTimeOf(model: ThreadModel, options: PredictOptions): number | undefined {
  return unlessRejected(() => {
    const run = runThreads(threadModelNet(model, options).net, given(options, ['seed']));
    return run.ended ? run.time : undefined;
  });
}

/** Powers of two below a number, and the number. */
function workerCounts(most: number): number[] {
  const counts: number[] = [];
  for (let k = 1; k < most; k *= 2) counts.push(k);
  return [...counts, most];
}

import {
  causesOf,
  DEFAULT_THRESHOLDS,
  type DiagnosisThresholds,
  type FindingCause,
  handlingSeconds,
  MAX_HANDLING,
  type RegionFacts,
} from '../../analysis/diagnosis/causes.ts';
import type { KnownLoss } from '../../analysis/diagnosis/known-losses.ts';
import { absentSeconds, figuresOf, type RegionFigures, tasksOf } from '../../analysis/diagnosis/region-figures.ts';
import type { MeasuredRegion } from '../../analysis/diagnosis/worker-meter.ts';
import { given } from '../../base/given.ts';
import type { Problem } from '../../base/problem.ts';
import { formatSeconds } from '../../report/units.ts';
import { COUNTERS, type Counter } from '../../trace/workers/worker-states.ts';
import type { DiagnosedRegion, DiagnosedWorker, DiagnosisFinding } from './diagnosis-document.ts';
import type { DiagnoseOptions } from './diagnosis-options.ts';
import { taskRateOf } from './threshold-sources.ts';

/** Most workers that a document lists, over all regions. */
const MAX_LISTED = 100_000;

/** True if the document lists the workers of all regions. */
export const listsWorkers = (measured: readonly MeasuredRegion[]): boolean =>
  measured.reduce((sum, { workers }) => sum + workers.size, 0) <= MAX_LISTED;

/** The warning of a document that does not list workers. */
export const sumsOnly = (listed: boolean): readonly Problem[] =>
  listed ? [] : [{ code: 'DIAG005', message: `more than ${MAX_LISTED} workers: the document has sums only` }];

/** Facts about a region of a model. Its losses follow from its figures. */
export interface ModelFacts extends Omit<RegionFacts, 'counting' | 'losses'> {
  readonly losses?: (figures: RegionFigures) => readonly KnownLoss[];
  /** Cores that workers share, which bound the speed-up. */
  readonly cores?: number;
}

/**
 * The diagnosis of a measured region.
 *
 * @param nameOf name of a worker; undefined where workers are not listed
 */
export function diagnosed(
  region: MeasuredRegion,
  options: DiagnoseOptions,
  { losses, cores, ...known }: ModelFacts,
  nameOf: ((worker: number) => string) | undefined,
): DiagnosedRegion {
  const { name, from, to, seconds: time, workers } = region;
  const counting = options.counting ?? 'default';
  const figures = figuresOf(region, counting, known.comesAndGoes);
  const thresholds = thresholdsOf(options);
  const facts = { ...known, ...(losses === undefined ? {} : { losses: losses(figures) }) };
  const list = (of: (worker: number) => string): DiagnosedWorker[] =>
    [...workers]
      .sort(([a], [b]) => a - b)
      .map(([number, totals]) => {
        const { seconds, counters, activities } = totals;
        const [exec, local, global, wait] = [...seconds] as [number, number, number, number];
        const [computing, overhead, waiting, idle] = [...activities] as [number, number, number, number];
        const absent = facts.comesAndGoes === true ? 0 : absentSeconds(totals, time);
        const { own, other } = tasksOf(totals, counting);
        return {
          worker: of(number),
          ...{ computing, overhead, waiting, idle: idle + absent },
          ...{ ownTasks: own, otherTasks: other },
          seconds: { exec, local, global, wait },
          ...(totals.own.size === 0 ? {} : { own: Object.fromEntries(totals.own) }),
          counters: Object.fromEntries(COUNTERS.map((c, k) => [c, counters[k]!])) as Record<Counter, number>,
        };
      });
  // Computing beyond the work, such as the traffic of shared cache lines, is no speed-up.
  const beyond = facts.losses?.reduce((sum, { explains }) => sum + (explains.computing ?? 0), 0) ?? 0;
  const speedup = time > 0 ? Math.max(0, figures.activities.computing - beyond) / time : 0;
  const most = Math.min(figures.workers, cores ?? figures.workers);
  return {
    name,
    from,
    to,
    seconds: time,
    workersCount: figures.workers,
    ...(cores !== undefined && cores < figures.workers ? { cores } : {}),
    speedup,
    activeShare: figures.activeShare,
    inactiveShare: figures.inactiveShare,
    ownTasks: figures.ownTasks,
    otherTasks: figures.otherTasks,
    tasks: figures.tasks,
    ...(known.sequential === undefined ? {} : { serialTime: known.sequential }),
    ...(nameOf === undefined ? {} : { workers: list(nameOf) }),
    findings: causesOf(figures, thresholds, { ...facts, counting }).map(
      (found): DiagnosisFinding => ({
        ...found,
        speedupWithout: found.share < 1 ? Math.min(most, speedup / (1 - found.share)) : most,
        advice: adviceFor(found.cause, figures, thresholds, facts),
      }),
    ),
  };
}

export function thresholdsOf(options: Parameters<typeof taskRateOf>[0]): DiagnosisThresholds {
  const taskRate = taskRateOf(options);
  return {
    ...DEFAULT_THRESHOLDS,
    ...given(options, ['active', 'inactive', 'stealRatio', 'searchRate']),
    ...(taskRate === undefined ? {} : { taskRate }),
  };
}

/** What to change about a cause. */
function adviceFor(
  cause: FindingCause,
  figures: RegionFigures,
  { active, taskRate }: DiagnosisThresholds,
  facts: Omit<RegionFacts, 'counting'>,
): string {
  const { activities, tasks, workers, seconds } = figures;
  switch (cause) {
    case 'fine-grain': {
      const handling = handlingSeconds(figures, facts);
      const enough = taskRate === undefined ? handling / MAX_HANDLING - handling : 1 / taskRate;
      return (
        `give each task more work, for instance with a larger grain or chunk: tasks take ${formatSeconds(activities.computing / tasks)} ` +
        `on average; aim at more than ${formatSeconds(enough)}`
      );
    }
    case 'slower-host':
      return 'give ranks on slower hosts less work, in proportion to their speed, or use hosts of one speed';
    case 'lock-contention':
      return 'hold the lock for a shorter time or less often, divide the data among several locks, or collect results by thread';
    case 'contended-atomic':
      return 'give each thread a word of its own, and add the words at the end';
    case 'object-operations':
      return 'use the object less often: collect several items for one operation';
    case 'false-sharing':
      return 'keep the data of each thread in cache lines of its own, and exchange results less often';
    case 'moved-data':
      return 'let the worker that used the data before execute the part again: an affinity partitioner, or static shares';
    case 'memory-bandwidth':
      return 'move fewer bytes for each operation: reuse data in caches, or use the memory of more sockets';
    case 'barrier-waiting':
      return 'balance the work between barriers, or leave barriers out where threads need not wait for each other';
    case 'waiting-for-others':
      return 'shorten the work on which strands wait, or let them go on with other work: a slower strand determines the rate';
    case 'priority-inversion':
      return 'let the lock inherit priorities (PTHREAD_PRIO_INHERIT), or give the threads that hold it the priority of the most urgent one';
    case 'system-calls':
      return 'use more workers than cores, or calls that return at once: workers wait in calls while cores are free';
    case 'oversubscription':
      return 'use as many threads as cores: threads wait for a core';
    case 'forks-in-time-loop':
      return 'fork once around the time loop, or give each fork more work';
    case 'critical-path':
      return 'let more tasks be independent: no number of workers shortens the chain, and one worker would save the steals';
    case 'thread-creation':
      return 'create threads once and reuse them, or create fewer';
    case 'linear-spawning':
      return 'spawn tasks recursively, or let every worker spawn its own: workers take most tasks from the queues of others';
    case 'too-few-tasks':
      return `cut the work into more tasks, several for each of the ${workers} workers, or use fewer workers`;
    case 'excessive-waiting':
      return 'cut the work more evenly or finer, and begin with the longest tasks: some workers have ended while others work';
    case 'unknown': {
      const parts: readonly (readonly [string, number])[] = [
        ...(figures.activeShare > active
          ? ([
              ['operations of the scheduler and of objects', activities.overhead - seconds.LOCAL - seconds.GLOBAL],
              ['looking into the own queue', seconds.LOCAL],
              ['looking elsewhere', seconds.GLOBAL],
            ] as const)
          : []),
        ['workers that wait or sleep within tasks', activities.waiting],
      ];
      const [largest, most] = parts.reduce((a, b) => (b[1] > a[1] ? b : a));
      return `find out what takes the time: the largest part is ${largest}, ${formatSeconds(most)}`;
    }
  }
}

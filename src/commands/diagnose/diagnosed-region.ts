import {
  type Cause,
  causesOf,
  DEFAULT_THRESHOLDS,
  type DiagnosisThresholds,
  figuresOf,
  type RegionFacts,
  type RegionFigures,
} from '../../analysis/diagnosis/causes.ts';
import type { MeasuredRegion } from '../../analysis/diagnosis/worker-meter.ts';
import { given } from '../../base/given.ts';
import type { Problem } from '../../base/problem.ts';
import { formatSeconds } from '../../report/units.ts';
import { COUNTERS, type Counter } from '../../trace/workers/worker-states.ts';
import type { DiagnosedRegion, DiagnosedWorker, DiagnosisFinding } from './diagnosis-document.ts';
import type { DiagnoseOptions } from './diagnosis-options.ts';

/** Most workers that a document lists, over all regions. */
const MAX_LISTED = 100_000;

/** Whether the document lists the workers of all regions. */
export const listsWorkers = (measured: readonly MeasuredRegion[]): boolean =>
  measured.reduce((sum, { workers }) => sum + workers.size, 0) <= MAX_LISTED;

/** The warning of a document that does not list workers. */
export const sumsOnly = (listed: boolean): readonly Problem[] =>
  listed ? [] : [{ code: 'DIAG005', message: `more than ${MAX_LISTED} workers: the document has sums only` }];

/**
 * The diagnosis of a measured region.
 *
 * @param nameOf name of a worker; undefined where workers are not listed
 */
export function diagnosed(
  region: MeasuredRegion,
  options: DiagnoseOptions,
  facts: Omit<RegionFacts, 'counting'>,
  nameOf: ((worker: number) => string) | undefined,
): DiagnosedRegion {
  const { name, from, to, seconds: time, workers } = region;
  const counting = options.counting ?? 'default';
  const figures = figuresOf(region, counting);
  const thresholds = thresholdsOf(options);
  const list = (of: (worker: number) => string): DiagnosedWorker[] =>
    [...workers]
      .sort(([a], [b]) => a - b)
      .map(([number, { seconds, counters }]) => {
        const [exec, local, global, wait] = [...seconds] as [number, number, number, number];
        return {
          worker: of(number),
          seconds: { exec, local, global, wait },
          counters: Object.fromEntries(COUNTERS.map((c, k) => [c, counters[k]!])) as Record<Counter, number>,
        };
      });
  return {
    name,
    from,
    to,
    seconds: time,
    workersCount: figures.workers,
    activeShare: figures.activeShare,
    inactiveShare: figures.inactiveShare,
    ownTasks: figures.ownTasks,
    otherTasks: figures.otherTasks,
    ...(nameOf === undefined ? {} : { workers: list(nameOf) }),
    findings: causesOf(figures, thresholds, { ...facts, counting }).map(
      (found): DiagnosisFinding => ({ ...found, advice: adviceFor(found.cause, figures, thresholds) }),
    ),
  };
}

export function thresholdsOf(options: Partial<DiagnosisThresholds>): DiagnosisThresholds {
  return {
    ...DEFAULT_THRESHOLDS,
    ...given(options, ['active', 'inactive', 'taskRate', 'stealRatio', 'searchRate']),
  };
}

/** What to change about a cause. */
function adviceFor(cause: Cause, figures: RegionFigures, { taskRate }: DiagnosisThresholds): string {
  const tasks = figures.ownTasks + figures.otherTasks;
  switch (cause) {
    case 'fine-grain':
      return (
        `give each task more work, for instance with a larger grain or chunk: tasks take ${formatSeconds(figures.seconds.EXEC / tasks)} ` +
        `on average; aim at more than ${formatSeconds(1 / taskRate)}`
      );
    case 'linear-spawning':
      return 'spawn tasks recursively, or let every worker spawn its own: workers take most tasks from the queues of others';
    case 'too-few-tasks':
      return `cut the work into more tasks, several for each of the ${figures.workers} workers, or use fewer workers`;
    case 'excessive-waiting':
      return 'cut the work more evenly or finer, and begin with the longest tasks: some workers have ended while others work';
  }
}

import { COUNTERS, type Counter, WORKER_STATES, type WorkerState } from '../../trace/workers/worker-states.ts';
import type { MeasuredRegion } from './worker-meter.ts';

/** Causes of parallel overhead. `too-few-tasks` and `excessive-waiting` exclude each other in one region. */
export const CAUSES = ['fine-grain', 'linear-spawning', 'too-few-tasks', 'excessive-waiting'] as const;
export type Cause = (typeof CAUSES)[number];

/** Ways to count tasks: from the entries into EXEC, or as the source describes it. */
export const COUNTINGS = ['default', 'document'] as const;
export type Counting = (typeof COUNTINGS)[number];

/** Thresholds of the diagnosis. A figure above its threshold is reported. */
export interface DiagnosisThresholds {
  /** Share of the workers' time in LOCAL and GLOBAL. Default 0.1. */
  readonly active: number;
  /** Share of the workers' time in WAIT. Default 0.1. */
  readonly inactive: number;
  /** Tasks per second and worker. Default 400,000: 5,000 ticks a task at 2 GHz. */
  readonly taskRate: number;
  /** Tasks from elsewhere per task from the own queue. Default 1. */
  readonly stealRatio: number;
  /** GLOBAL→GLOBAL and GLOBAL→WAIT per second and worker. Default 1,000. */
  readonly searchRate: number;
}

export const DEFAULT_THRESHOLDS: DiagnosisThresholds = {
  active: 0.1,
  inactive: 0.1,
  taskRate: 400_000,
  stealRatio: 1,
  searchRate: 1000,
};

/** Figures of a region in one monitoring period; T is the time in which workers are in it, in seconds. */
export interface RegionFigures {
  readonly workers: number;
  /** Workers × T, in worker-seconds. */
  readonly workerSeconds: number;
  readonly seconds: Readonly<Record<WorkerState, number>>;
  readonly counters: Readonly<Record<Counter, number>>;
  /** LOCAL and GLOBAL, and WAIT, as shares of workers × T. */
  readonly activeShare: number;
  readonly inactiveShare: number;
  /** Tasks from the own queue, and from elsewhere. */
  readonly ownTasks: number;
  readonly otherTasks: number;
}

/** A figure on which a finding is based. */
export interface Evidence {
  readonly figure: 'overheadShare' | 'taskRate' | 'stealRatio' | 'searchRate';
  /** Absent if infinite: tasks from elsewhere, but none from the worker's own queue. */
  readonly value?: number;
  readonly threshold: number;
  readonly unit: '1' | '1/s';
}

export interface FoundCause {
  readonly cause: Cause;
  readonly evidence: readonly Evidence[];
  /** Worker-seconds of the overhead: active for the first two causes, inactive for the others. */
  readonly secondsLost: number;
}

/** Sums over the workers of a region. */
export function figuresOf({ seconds: time, workers }: MeasuredRegion, counting: Counting): RegionFigures {
  const seconds = Object.fromEntries(WORKER_STATES.map((s) => [s, 0])) as Record<WorkerState, number>;
  const counters = Object.fromEntries(COUNTERS.map((c) => [c, 0])) as Record<Counter, number>;
  for (const totals of workers.values()) {
    WORKER_STATES.forEach((s, k) => {
      seconds[s] += totals.seconds[k]!;
    });
    COUNTERS.forEach((c, k) => {
      counters[c] += totals.counters[k]!;
    });
  }
  const workerSeconds = workers.size * time;
  const isDocument = counting === 'document';
  return {
    workers: workers.size,
    workerSeconds,
    seconds,
    counters,
    activeShare: (seconds.LOCAL + seconds.GLOBAL) / workerSeconds,
    inactiveShare: seconds.WAIT / workerSeconds,
    ownTasks: isDocument ? counters.execLocal : counters.localExec + counters.execExec,
    otherTasks: isDocument ? counters.localGlobal + counters.globalGlobal : counters.globalExec,
  };
}

/** What is known of a region besides its figures. */
export interface RegionFacts {
  readonly counting: Counting;
  /** Seconds of the region on one worker without overhead. */
  readonly sequential?: number;
  /**
   * With a sequential time, overhead is reported where its mean per worker reaches the gain, sequential − T: `gain`, instead
   * of above a share; `either`, above a share, or else the larger overhead there.
   */
  readonly rule?: 'gain' | 'either';
  /** Whether workers take tasks from each other: otherwise no task is stolen. Default true. */
  readonly steals?: boolean;
}

/**
 * Causes of the overhead of a region, after Pegushin and Kurylev, CN 102918501: nothing is reported unless an overhead
 * exceeds its threshold; a high rate of tasks is a fine grain; more tasks from elsewhere than from the own queue are linear
 * spawning; with inactive overhead, many unsuccessful searches indicate too few tasks, few indicate excessive waiting.
 *
 * The first two are causes of active overhead, and reported only where that is. The counting `document` follows the source,
 * which reports them with either overhead.
 */
export function causesOf(figures: RegionFigures, thresholds: DiagnosisThresholds, facts: RegionFacts): FoundCause[] {
  const { seconds, counters, workerSeconds, ownTasks, otherTasks } = figures;
  const active = seconds.LOCAL + seconds.GLOBAL;
  const { isActive, isInactive, isByShare } = exceeded(figures, thresholds, facts);
  if (!isActive && !isInactive) return [];
  const overhead = (value: number, threshold: number): Evidence => ({
    figure: 'overheadShare',
    value,
    threshold: isByShare ? threshold : gainShare(figures, facts.sequential!),
    unit: '1',
  });
  const found: FoundCause[] = [];
  const add = (cause: Cause, evidence: Evidence[], secondsLost: number): void => {
    found.push({ cause, evidence, secondsLost });
  };
  const shares = [
    ...(isActive ? [overhead(figures.activeShare, thresholds.active)] : []),
    ...(isInactive ? [overhead(figures.inactiveShare, thresholds.inactive)] : []),
  ];
  const isDocument = facts.counting === 'document';
  const taskRate = (ownTasks + otherTasks) / workerSeconds;
  if ((isActive || isDocument) && taskRate > thresholds.taskRate)
    add('fine-grain', [...shares, rate('taskRate', taskRate, thresholds.taskRate)], active);
  if ((isActive || isDocument) && facts.steals !== false && otherTasks > thresholds.stealRatio * ownTasks) {
    const ratio = ownTasks === 0 ? {} : { value: otherTasks / ownTasks };
    add(
      'linear-spawning',
      [...shares, { figure: 'stealRatio', ...ratio, threshold: thresholds.stealRatio, unit: '1' }],
      active,
    );
  }
  if (isInactive) {
    const searchRate = (counters.globalGlobal + counters.globalWait) / workerSeconds;
    const cause = searchRate > thresholds.searchRate ? 'too-few-tasks' : 'excessive-waiting';
    const share = overhead(figures.inactiveShare, thresholds.inactive);
    add(cause, [share, rate('searchRate', searchRate, thresholds.searchRate)], seconds.WAIT);
  }
  return found;
}

const rate = (figure: Evidence['figure'], value: number, threshold: number): Evidence => ({
  figure,
  value,
  threshold,
  unit: '1/s',
});

/** The gain over a sequential run, as a share of the workers' time; 0 if there is no gain. */
function gainShare({ workers, workerSeconds }: RegionFigures, sequential: number): number {
  const time = workerSeconds / workers;
  return Math.max(0, sequential - time) / time;
}

/** Which overheads are to be reported. By gain, the larger one also if only both together reach it. */
function exceeded(
  figures: RegionFigures,
  thresholds: DiagnosisThresholds,
  { sequential, rule = 'gain' }: RegionFacts,
): { isActive: boolean; isInactive: boolean; isByShare: boolean } {
  const { activeShare, inactiveShare } = figures;
  const byShare = { isActive: activeShare > thresholds.active, isInactive: inactiveShare > thresholds.inactive };
  if (sequential === undefined || (rule === 'either' && (byShare.isActive || byShare.isInactive)))
    return { ...byShare, isByShare: true };
  const gain = gainShare(figures, sequential);
  const together = activeShare + inactiveShare > 0 && activeShare + inactiveShare >= gain;
  const reported = (share: number, other: number): boolean =>
    share > 0 && ((share >= gain && rule === 'gain') || (together && share >= other));
  return {
    isActive: reported(activeShare, inactiveShare),
    isInactive: reported(inactiveShare, activeShare),
    isByShare: false,
  };
}

import {
  type DiagnosisThresholds,
  type Evidence,
  evidenceOf,
  type KnownLoss,
  LOSS_CAUSES,
  type LossCause,
  type LossSubject,
  reportedLosses,
  type SlowHost,
} from './known-losses.ts';
import type { Counting, RegionFigures } from './region-figures.ts';

export type { DiagnosisThresholds, Evidence } from './known-losses.ts';

/** Causes of parallel overhead that states and transitions of workers show. `too-few-tasks` and `excessive-waiting` exclude each other in one region. */
export const CAUSES = ['fine-grain', 'linear-spawning', 'too-few-tasks', 'excessive-waiting'] as const;
export type Cause = (typeof CAUSES)[number];
/** Causes of findings; `unknown`: overhead whose cause is not known. */
export type FindingCause = Cause | LossCause | 'unknown';
export const FINDINGS: readonly FindingCause[] = [...CAUSES, ...LOSS_CAUSES, 'unknown'];

export const DEFAULT_THRESHOLDS: DiagnosisThresholds = {
  active: 0.1,
  inactive: 0.1,
  stealRatio: 1,
};
/** 5,000 ticks a task at 2 GHz: the rate of the source. */
const DOCUMENT_TASK_RATE = 400_000;
/** With this number of tasks of a worker, a grain four times as large still leaves several for each. */
const MANY_TASKS = 16;
/** An overhead below this share of the workers' time does not explain a missing gain. */
const MIN_SHARE = 0.01;
/** Share of the time in which a worker neither waits nor is idle, for handling its tasks, above which they are too short. */
export const MAX_HANDLING = 0.1;

export interface FoundCause {
  /** `unknown`: overhead above its threshold that no rule explains. */
  readonly cause: FindingCause;
  readonly evidence: readonly Evidence[];
  /**
   * Worker-seconds of the overhead: active for the first two causes, inactive for the next two. Of forks and thread creation,
   * seconds of the region.
   */
  readonly secondsLost: number;
  /** `secondsLost` as a share of the workers' time, or of the region's. */
  readonly share: number;
  readonly subject?: LossSubject;
  /** The slower hosts, the slowest first. */
  readonly hosts?: readonly SlowHost[];
  /** Objects or lines that share the cause, if only together they exceed the threshold. */
  readonly subjects?: number;
}

/** Properties of a region and its counting that its figures do not contain. */
export interface RegionFacts {
  readonly counting: Counting;
  /** Seconds of the region on one worker without overhead. */
  readonly sequential?: number;
  /**
   * With a sequential time, overhead is reported where its mean per worker reaches the gain, sequential − T: `gain`, instead
   * of above a share; `either`, above a share, or else the larger overhead there.
   */
  readonly rule?: 'gain' | 'either';
  /** True if workers are threads that begin and end within the region: the time before and after does not count. */
  readonly comesAndGoes?: boolean;
  /** True if workers take tasks from each other: otherwise no task is stolen. Default true. */
  readonly steals?: boolean;
  /** True if all workers take their tasks from one queue. A look into it (GLOBAL) is then part of handling a task. Default false. */
  readonly sharesQueue?: boolean;
  /** Seconds of overhead in operations of locks and other objects of the program, which no grain changes. Default 0. */
  readonly objectSeconds?: number;
  /** Losses that operations of the program show. What reported ones explain is not reported again. */
  readonly losses?: readonly KnownLoss[];
}

/**
 * Causes of the overhead of a region, after Pegushin and Kurylev, CN 102918501. Nothing is reported unless an overhead exceeds
 * its threshold. Overhead above its threshold that no rule explains is reported as `unknown`.
 *
 * - Active overhead, also of a worker that handles tasks for more than {@link MAX_HANDLING} of its busy time: a fine grain. That
 *   worker has {@link MANY_TASKS}, so that the grain can be enlarged. With a given rate of tasks, that rate decides, as in the
 *   source.
 * - Active overhead and more tasks from elsewhere than from the own queue: linear spawning.
 * - Inactive overhead and fewer tasks than workers, or workers without a task: too few tasks; otherwise excessive waiting. With
 *   a given rate of searches, that rate decides, as in the source. Where workers are blocked within tasks, neither holds.
 *
 * All figures are counts and ratios of times, so that causes are the same if all times are multiplied by a constant; only the two
 * rates that can be given are absolute. The counting `document` follows the source, which reports the first two with either
 * overhead, and has its rate of tasks.
 */
export function causesOf(figures: RegionFigures, thresholds: DiagnosisThresholds, facts: RegionFacts): FoundCause[] {
  const reported = reportedLosses(facts.losses ?? [], thresholds);
  const found: FoundCause[] = reported.map((loss) => ({
    cause: loss.cause,
    evidence: [evidenceOf(loss, thresholds)],
    secondsLost: loss.seconds,
    share: loss.seconds / loss.base,
    ...(loss.subject === undefined ? {} : { subject: loss.subject }),
    ...(loss.hosts === undefined ? {} : { hosts: loss.hosts }),
    ...(loss.subjects === undefined ? {} : { subjects: loss.subjects }),
  }));
  return [...found, ...causesOfStates(figures, unexplained(figures, reported), thresholds, facts)];
}

/** Worker-seconds of overhead, waiting and idle time. */
interface Overhead {
  readonly active: number;
  readonly waiting: number;
  readonly idle: number;
  /** True if losses explain a part. */
  readonly isPart: boolean;
}

/** The overhead that reported losses do not explain. */
function unexplained({ activities }: RegionFigures, reported: readonly KnownLoss[]): Overhead {
  const rest = (all: number, of: 'overhead' | 'waiting' | 'idle'): number =>
    Math.max(
      0,
      reported.reduce((left, { explains }) => left - (explains[of] ?? 0), all),
    );
  return {
    active: rest(activities.overhead, 'overhead'),
    waiting: rest(activities.waiting, 'waiting'),
    idle: rest(activities.idle, 'idle'),
    isPart: reported.length > 0,
  };
}

function causesOfStates(
  figures: RegionFigures,
  { active, waiting, idle, isPart }: Overhead,
  thresholds: DiagnosisThresholds,
  facts: RegionFacts,
): FoundCause[] {
  const { ownTasks, otherTasks, workerSeconds } = figures;
  const inactive = waiting + idle;
  const shares = { active: active / workerSeconds, inactive: inactive / workerSeconds };
  const { isActive, isInactive, isByShare } = exceeded(figures, shares, thresholds, {
    ...facts,
    // A loss that is reported explains why the region gains little.
    ...(isPart ? { sequential: undefined } : {}),
  });
  if (!isActive && !isInactive) return [];
  const overhead = (kind: 'active' | 'inactive'): Evidence => ({
    figure: 'overheadShare',
    value: shares[kind],
    threshold: isByShare ? thresholds[kind] : gainShare(figures, facts.sequential!),
    unit: '1',
    kind,
  });
  const found: FoundCause[] = [];
  const add = (cause: FoundCause['cause'], evidence: readonly Evidence[], secondsLost: number): void => {
    found.push({ cause, evidence, secondsLost, share: secondsLost / workerSeconds });
  };
  const activeShare = overhead('active');
  const inactiveShare = overhead('inactive');
  const both = [...(isActive ? [activeShare] : []), ...(isInactive ? [inactiveShare] : [])];
  const isDocument = facts.counting === 'document';
  if (isActive || isDocument) {
    const grain = fineGrain(figures, thresholds, facts, isDocument ? -1 : activeShare.threshold);
    if (grain.length > 0) add('fine-grain', [...both, ...grain], active);
    if (facts.steals !== false && otherTasks > thresholds.stealRatio * ownTasks) {
      const ratio = ownTasks === 0 ? {} : { value: otherTasks / ownTasks };
      const steals: Evidence = { figure: 'stealRatio', ...ratio, threshold: thresholds.stealRatio, unit: '1' };
      add('linear-spawning', [...both, steals], active);
    }
  }
  let isBlocked = false;
  if (isInactive) {
    const { cause, evidence } = inactivity(figures, waiting > idle, thresholds);
    isBlocked = cause === 'unknown';
    if (!isBlocked) add(cause, [inactiveShare, ...evidence], inactive);
  }
  // Searching by idle workers is not overhead in addition to their idleness.
  const isUnexplained = isActive && found.length === 0;
  if (isByShare && (isUnexplained || isBlocked))
    add(
      'unknown',
      [...(isUnexplained ? [activeShare] : []), ...(isBlocked ? [inactiveShare] : [])],
      (isUnexplained ? active : 0) + (isBlocked ? inactive : 0),
    );
  return found;
}

/**
 * Evidence of tasks that are too short; empty if they are not.
 *
 * @param active share of a worker's time above which overhead is reported
 */
function fineGrain(
  figures: RegionFigures,
  { taskRate }: DiagnosisThresholds,
  facts: RegionFacts,
  active: number,
): Evidence[] {
  const given = taskRate ?? (facts.counting === 'document' ? DOCUMENT_TASK_RATE : undefined);
  const least = given === undefined ? MANY_TASKS : 1;
  const fastest = figures.ofWorkers.reduce((most, worker) => {
    const own = given === undefined ? worker.busyRate : worker.rate;
    return worker.activeShare > active && worker.tasks >= least && own > most ? own : most;
  }, 0);
  if (given !== undefined) return fastest > given ? [rate('taskRate', fastest, given)] : [];
  // Other workers may have made some of its tasks.
  const handling = fastest === 0 ? 0 : Math.min(1, fastest * handlingSeconds(figures, facts));
  return handling > MAX_HANDLING ? [{ figure: 'handling', value: handling, threshold: MAX_HANDLING, unit: '1' }] : [];
}

/**
 * Mean seconds to handle a task: to make it, and to take it from the worker's own queue. Searches of other queues are left out:
 * where there is no task, they take long at any grain.
 */
export function handlingSeconds(
  { activities, seconds, ownTasks, otherTasks }: RegionFigures,
  { sharesQueue = false, objectSeconds = 0 }: Pick<RegionFacts, 'sharesQueue' | 'objectSeconds'>,
): number {
  const searching = sharesQueue ? 0 : seconds.GLOBAL;
  return Math.max(0, activities.overhead - searching - objectSeconds) / (ownTasks + otherTasks);
}

/**
 * The cause of inactive overhead, with its evidence.
 *
 * @param isWaiting whether workers are blocked within tasks longer than idle: then they do not wait for work
 */
function inactivity(
  figures: RegionFigures,
  isWaiting: boolean,
  { searchRate }: DiagnosisThresholds,
): { readonly cause: FoundCause['cause']; readonly evidence: readonly Evidence[] } {
  const { counters, workerSeconds, tasks, stays, withoutTasks } = figures;
  if (searchRate !== undefined) {
    const searches = (counters.globalGlobal + counters.globalWait) / workerSeconds;
    const cause = searches > searchRate ? 'too-few-tasks' : 'excessive-waiting';
    return { cause, evidence: [rate('searchRate', searches, searchRate)] };
  }
  if (isWaiting) return { cause: 'unknown', evidence: [] };
  const few = tasks < stays || withoutTasks > 0.5;
  const evidence: Evidence = { figure: 'tasksPerWorker', value: tasks / stays, threshold: 1, unit: '1' };
  return { cause: few ? 'too-few-tasks' : 'excessive-waiting', evidence: [evidence] };
}

const rate = (figure: Evidence['figure'], value: number, threshold: number): Evidence => ({
  figure,
  value,
  threshold,
  unit: '1/s',
});

/** The gain over a sequential run, as a share of the workers' time; at least {@link MIN_SHARE}. */
function gainShare({ workers, workerSeconds }: RegionFigures, sequential: number): number {
  const time = workerSeconds / workers;
  return Math.max(MIN_SHARE, (sequential - time) / time);
}

/** Which overheads are to be reported. By gain, the larger one also if only both together reach it. */
function exceeded(
  figures: RegionFigures,
  { active, inactive }: { readonly active: number; readonly inactive: number },
  thresholds: DiagnosisThresholds,
  { sequential, rule = 'gain' }: { readonly sequential?: number | undefined; readonly rule?: RegionFacts['rule'] },
): { isActive: boolean; isInactive: boolean; isByShare: boolean } {
  const byShare = { isActive: active > thresholds.active, isInactive: inactive > thresholds.inactive };
  if (sequential === undefined || (rule === 'either' && (byShare.isActive || byShare.isInactive)))
    return { ...byShare, isByShare: true };
  const gain = gainShare(figures, sequential);
  const together = active + inactive >= gain;
  const reported = (share: number, other: number): boolean =>
    share > 0 && ((share >= gain && rule === 'gain') || (together && share >= other));
  return { isActive: reported(active, inactive), isInactive: reported(inactive, active), isByShare: false };
}

/** Thresholds of the diagnosis. A figure above its threshold is reported. */
export interface DiagnosisThresholds {
  /** Share of the workers' time in LOCAL and GLOBAL. Default 0.1. */
  readonly active: number;
  /** Share of the workers' time in WAIT. Default 0.1. */
  readonly inactive: number;
  /**
   * Tasks per second of one worker, an absolute rate as in the source. Default: the time to handle tasks is compared with the
   * time of the worker; with the counting `document`, 400,000, 5,000 ticks a task at 2 GHz.
   */
  readonly taskRate?: number;
  /** Tasks from elsewhere per task from the own queue. Default 1. */
  readonly stealRatio: number;
  /** GLOBAL→GLOBAL and GLOBAL→WAIT per second and worker, as in the source. Default: tasks and workers are compared. */
  readonly searchRate?: number;
}

/** A figure on which a finding is based. */
export interface Evidence {
  /** The figure that exceeds its threshold. */
  readonly figure:
    | 'overheadShare'
    | 'taskRate'
    | 'handling'
    | 'stealRatio'
    | 'tasksPerWorker'
    | 'searchRate'
    | 'lossShare';
  /** Absent if infinite: tasks from elsewhere, but none from the worker's own queue. */
  readonly value?: number;
  /** The threshold. */
  readonly threshold: number;
  /** Unit of both. */
  readonly unit: '1' | '1/s';
  /** With `overheadShare`: `active`, or `inactive`, the sum of waiting and idle time. */
  readonly kind?: 'active' | 'inactive';
  /** With `lossShare`: number of events; together they take `secondsLost`. */
  readonly count?: number;
}

/** Causes that the operations of a program show, with their objects and lines. */
export const LOSS_CAUSES = [
  'slower-host',
  'priority-inversion',
  'lock-contention',
  'contended-atomic',
  'object-operations',
  'false-sharing',
  'moved-data',
  'memory-bandwidth',
  'barrier-waiting',
  'waiting-for-others',
  'system-calls',
  'oversubscription',
  'forks-in-time-loop',
  'thread-creation',
  'critical-path',
] as const;
export type LossCause = (typeof LOSS_CAUSES)[number];

/** A source line. */
export interface SourceLine {
  /** Source file. */
  readonly file: string;
  /** Line in this file, from 1. */
  readonly line: number;
}

/** The object or line that loses time. */
export interface LossSubject extends SourceLine {
  /** Name of the object; absent for a line. `file` and `line` are those of its declaration. */
  readonly object?: string;
  /** Kind of the object: `mutex`, `atomic`, … */
  readonly kind?: string;
  /** The line at which most of the time is lost, if it is another one. */
  readonly at?: SourceLine;
}

/** A host that computes more slowly than others. */
export interface SlowHost {
  /** Name of the host. */
  readonly name: string;
  /** Mean speed of one of its cores over the run, in flop/s. */
  readonly speed: number;
  /** That of the fastest host of the region, in flop/s. */
  readonly others: number;
}

/** Time of a region that is lost for a cause that is known from its operations, whether it is much or little. */
export interface KnownLoss {
  readonly cause: LossCause;
  readonly subject?: LossSubject;
  /** The slower hosts, the slowest first. */
  readonly hosts?: readonly SlowHost[];
  /** Seconds lost: of workers, or of the region if `isElapsed`. */
  readonly seconds: number;
  /** Seconds in which workers exist, or in which the region is executed. */
  readonly base: number;
  /** Number of events: waits, transfers, operations, forks. */
  readonly count: number;
  readonly isElapsed?: true;
  /** Worker-seconds of overhead, of waiting and of idle time that the loss explains, and of computing beyond the work. */
  readonly explains: {
    readonly overhead?: number;
    readonly waiting?: number;
    readonly idle?: number;
    readonly computing?: number;
  };
  /** Objects or lines that share the cause, where only together they exceed the threshold. */
  readonly subjects?: number;
  /** Loss that counts as inactive overhead: compared with that threshold. */
  readonly isInactive?: true;
}

/**
 * The losses above their threshold, the largest first. Losses of one cause that exceed it only together are one, with the largest
 * of their objects.
 */
export function reportedLosses(losses: readonly KnownLoss[], thresholds: DiagnosisThresholds): KnownLoss[] {
  const isMuch = (loss: KnownLoss): boolean => loss.seconds > thresholdOf(loss, thresholds) * loss.base;
  const found = losses.filter(isMuch);
  for (const cause of LOSS_CAUSES) {
    const all = losses.filter((loss) => loss.cause === cause);
    if (all.length < 2 || all.some(isMuch)) continue;
    const sum = together(all);
    if (isMuch(sum)) found.push(sum);
  }
  return found.sort((a, b) => b.seconds / b.base - a.seconds / a.base);
}

function together(all: readonly KnownLoss[]): KnownLoss {
  const largest = all.reduce((a, b) => (b.seconds > a.seconds ? b : a));
  const sum = (of: (loss: KnownLoss) => number | undefined): number => all.reduce((s, loss) => s + (of(loss) ?? 0), 0);
  return {
    ...largest,
    seconds: sum(({ seconds }) => seconds),
    count: sum(({ count }) => count),
    explains: {
      overhead: sum(({ explains }) => explains.overhead),
      waiting: sum(({ explains }) => explains.waiting),
      idle: sum(({ explains }) => explains.idle),
      computing: sum(({ explains }) => explains.computing),
    },
    subjects: all.filter(({ seconds }) => seconds > 0).length,
  };
}

export const thresholdOf = (loss: KnownLoss, { active, inactive }: DiagnosisThresholds): number =>
  loss.isInactive === true ? inactive : active;

/** The share of the time that a loss takes, with its time and count. */
export function evidenceOf(loss: KnownLoss, thresholds: DiagnosisThresholds): Evidence {
  const { seconds, base, count } = loss;
  return {
    figure: 'lossShare',
    value: seconds / base,
    threshold: thresholdOf(loss, thresholds),
    unit: '1',
    count,
  };
}

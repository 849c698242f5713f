import type { FindingCause } from '../../analysis/diagnosis/causes.ts';
import type { LossSubject } from '../../analysis/diagnosis/known-losses.ts';
import {
  affinityPartitioner,
  type Cut,
  dynamicSchedule,
  hoistedForks,
  type NamedChange,
  scaledGrain,
  spawnedByHalves,
} from '../../models/threads/program/changes.ts';
import { inheriting, ownObjects, withoutSharing } from '../../models/threads/program/row-changes.ts';
import type { SyncObject } from '../../models/threads/program/rows.ts';
import type { RecordedThreads } from '../../models/threads/program/statements.ts';
import type { Change } from '../../models/threads/program/threads.ts';
import type { WorkAmounts } from '../../models/threads/work-amounts.ts';
import { formatSeconds } from '../../report/units.ts';
import { type ThreadOptions, withWorkers } from '../inputs/thread-options.ts';

/** Maximum number of grains that are tried of one cut. */
const MAX_GRAINS = 24;
/** Maximum factor by which the number of workers is increased. */
const MAX_MORE = 32;
/** Chunks of a thread that are tried for a dynamic schedule. */
const CHUNKS = [4, 16, 64] as const;
/** A change is an improvement if it saves this share of the region's time. */
const SMALLEST = 0.01;
/** If times are drawn, a mean gain of fewer standard errors may be chance. */
const STANDARD_ERRORS = 2;

/** A changed program: a change of its statements, another number of workers, or a pool instead of separate threads. */
export type Variant = { readonly text: string } & (
  | (Pick<NamedChange, 'change'> & {
      /** The change removes transfers of cache lines, and is compared without them. */
      readonly isWithoutSharing?: true;
    })
  | { readonly workers: number }
  | { readonly scheduler: 'stealing' }
);

/** The best change that was tried, and the seconds that it saves; or the reason for a missing gain. */
export type Gain =
  | {
      readonly change: string;
      readonly seconds: number;
      /** Absent for a change of the machine. */
      readonly variant?: Variant;
      /** The change removes a cost without saying how the program does so: no rewriting of it gains more. */
      readonly isBound?: true;
    }
  | { readonly reason: string };

/** A cause, and the change that removes most of it. */
export interface RemovedCause {
  readonly region: string;
  readonly cause: FindingCause;
  /** Seconds by which the change shortens the run. */
  readonly gain: number;
  readonly variant: Variant;
}

/** A region of a thread program, and how to run variants of the program. */
export interface GainQuestion {
  readonly cuts: readonly Cut[];
  readonly workers: number;
  /** The program as recorded, name of the region in it, and the object or line of the cause. */
  readonly recorded: RecordedThreads;
  readonly region: string;
  readonly subject?: LossSubject | undefined;
  readonly scheduler: string;
  /** Run times of the program as it is, in seconds: one, or those of its replications if its times are drawn. */
  readonly times: RunTimes;
  /** Seconds of the region in it. */
  readonly regionTime: number;
  /**
   * Run times of a variant in the same replications; undefined if it cannot be run, {@link OTHER_WORK} if it is not the same
   * program any more.
   */
  timesOf(variant: Variant): RunTimes | typeof OTHER_WORK | undefined;
  /** Seconds of priority inversion of the program as it is, and of a variant. */
  readonly inverted?: number;
  invertedOf?(variant: Variant): number | undefined;
}

/** Run times in seconds by replication. */
export type RunTimes = readonly number[];

/** A variant that does other work than the program: its run time says nothing about the change. */
export const OTHER_WORK = 'other work';

/**
 * The gain from removing a cause, by running changed programs: a larger grain for `fine-grain`, recursive spawning for
 * `linear-spawning`, a smaller grain or fewer workers for `too-few-tasks`, a smaller grain or a dynamic schedule for
 * `excessive-waiting`. Grains are doubled or halved until the run time stops improving; an improvement saves 1 % of the region's time.
 * With several replications, their mean gain counts if it is at least two standard errors.
 */
export function predictedGain(cause: FindingCause, question: GainQuestion): Gain {
  const { cuts, workers } = question;
  const search = new Search(question);
  const tasks = cuts.filter(({ hasGrain }) => hasGrain);
  switch (cause) {
    case 'fine-grain':
      for (const cut of tasks) search.along((k) => scaledGrain(cut, 2 ** k));
      break;
    case 'linear-spawning':
      for (const cut of cuts) if (cut.isLinear) search.tries(spawnedByHalves(cut));
      break;
    case 'too-few-tasks':
      smallerGrains(search, tasks);
      if (!search.improves) search.along((k) => fewerWorkers(workers, k));
      break;
    case 'excessive-waiting':
      smallerGrains(search, tasks);
      dynamicSchedules(search, cuts);
      break;
    case 'barrier-waiting':
      smallerGrains(search, tasks);
      dynamicSchedules(search, cuts);
      break;
    case 'lock-contention':
    case 'contended-atomic':
      search.tries(ownObjectsOf(question.subject));
      break;
    case 'priority-inversion':
      if (question.subject?.kind === 'mutex') return gainOfInheritance(search, question);
      break;
    case 'false-sharing':
      search.tries({ text: NO_SHARING, change: withRows(withoutSharing), isWithoutSharing: true });
      break;
    case 'moved-data':
      if (question.scheduler === 'stealing')
        for (const cut of cuts) if (cut.mayHaveAffinity) search.tries(affinityPartitioner(cut));
      break;
    case 'system-calls':
      search.along((k) => moreWorkers(workers, k));
      break;
    case 'oversubscription':
    case 'critical-path':
      search.along((k) => fewerWorkers(workers, k));
      break;
    case 'forks-in-time-loop':
      for (const change of hoistedForks(question.recorded, question.region)) search.tries(change);
      if (question.scheduler === 'os') search.tries(POOL);
      break;
    case 'thread-creation':
      if (question.scheduler === 'os') search.tries(POOL);
      break;
    case 'slower-host':
    case 'object-operations':
    case 'memory-bandwidth':
    case 'waiting-for-others':
    case 'unknown':
      break;
  }
  return search.result(
    MISSING[cause],
    cause === 'lock-contention' || cause === 'contended-atomic' || cause === 'false-sharing',
  );
}

/** Why no change applies. */
const MISSING: Readonly<Record<FindingCause, string>> = {
  'fine-grain': 'the region has no loop whose grain can be changed',
  'linear-spawning': 'the region has no loop that only spawns tasks',
  'too-few-tasks': 'the region has no loop with a grain above 1, and the pool has one worker',
  'excessive-waiting': 'the region has no loop with a grain above 1 or a schedule that can be changed',
  'slower-host': 'the speed of the hosts cannot be changed',
  unknown: 'no change is known for overhead of unknown cause',
  'lock-contention': 'the lock cannot be divided',
  'contended-atomic': 'the word cannot be divided',
  'object-operations':
    'fewer operations would be another program; --speedup shows what cheaper lines and locks would gain',
  'priority-inversion': 'the lock inherits priorities already, or cannot',
  'false-sharing': 'the region has no shared bytes',
  'moved-data': 'the region has no loop that can have an affinity partitioner',
  'memory-bandwidth': 'fewer bytes would be another program; --speedup shows what cheaper lines would gain',
  'barrier-waiting': 'the region has no loop with a grain above 1 or a schedule that can be changed',
  'waiting-for-others':
    'the order of the strands is that of the program; --speedup shows what cheaper lines would gain',
  'system-calls': 'the number of workers cannot be increased',
  oversubscription: 'the pool has one worker',
  'critical-path': 'the pool has one worker',
  'forks-in-time-loop': 'the region is not a loop that executes only parallel loops with a schedule',
  'thread-creation': 'the workers are a pool already',
};

const NO_SHARING = 'shared bytes: as given → none';
const POOL = {
  text: 'scheduler: os → stealing, a pool whose workers are created once',
  scheduler: 'stealing',
} as const;

/** A change of the rows of the program. */
const withRows =
  (rowChange: NonNullable<RecordedThreads['rowChange']>): Change =>
  (recorded) => ({ ...recorded, rowChange });

/** Every strand has its own objects: an upper bound of what finer or fewer locks gain. */
function ownObjectsOf(subject: LossSubject | undefined): Variant {
  const isOf = (object: SyncObject): boolean => isSubject(object, subject);
  const text = `${subject?.kind ?? 'object'} ${subject?.object ?? ''}: one for all strands → one for each`;
  return { text, change: withRows((program) => ownObjects(program, isOf) ?? program) };
}

/** Inheritance may let urgent threads go on earlier, in a run that is as long as before: then the reason says how long they wait. */
function gainOfInheritance(search: Search, question: GainQuestion): Gain {
  const variant = inheritance(question.subject);
  search.tries(variant);
  const left = search.improves ? undefined : question.invertedOf?.(variant);
  if (left === undefined) return search.result(MISSING['priority-inversion']);
  const before = formatSeconds(question.inverted ?? 0);
  return {
    reason: `${variant.text} does not shorten the run; less urgent threads would then delay waiters of locks for ${formatSeconds(left)} instead of ${before}`,
  };
}

/** The holder of a mutex has the priorities of its waiters. */
function inheritance(subject: LossSubject | undefined): Variant {
  return {
    text: `priority of mutex ${subject?.object ?? ''}: none → inherit`,
    change: withRows((program) => inheriting(program, (object) => isSubject(object, subject)) ?? program),
  };
}

/** True if an object is one that a finding names. */
export const isSubject = (
  { name, kind, site }: SyncObject,
  subject: Pick<LossSubject, 'object' | 'kind' | 'line'> | undefined,
): boolean => name === subject?.object && kind === subject.kind && (site?.place.line ?? 0) === subject.line;

function dynamicSchedules(search: Search, cuts: readonly Cut[]): void {
  for (const cut of cuts)
    if (cut.kind === 'loop' && cut.schedule !== 'dynamic' && cut.schedule !== 'tasks')
      for (const chunks of CHUNKS) search.tries(dynamicSchedule(cut, chunks));
}

function smallerGrains(search: Search, cuts: readonly Cut[]): void {
  for (const cut of cuts) {
    const most = cut.grain === undefined ? MAX_GRAINS : Math.ceil(Math.log2(cut.grain));
    search.along((k) => (k > most ? undefined : scaledGrain(cut, 2 ** -k)));
  }
}

function fewerWorkers(workers: number, halvings: number): Variant | undefined {
  const fewer = Math.floor(workers / 2 ** halvings);
  return fewer < 1 ? undefined : { text: `workers: ${workers} → ${fewer}`, workers: fewer };
}

/** The options for a run of a variant. */
export function optionsFor<O extends Pick<ThreadOptions, 'workers' | 'scheduler' | 'resize'>>(
  options: O,
  variant: Variant,
): O {
  if ('change' in variant) return options;
  return 'workers' in variant ? withWorkers(options, variant.workers) : { ...options, scheduler: variant.scheduler };
}

/** The amounts of work that a variant must keep. */
export const amountsOf = (variant: Variant): readonly (keyof WorkAmounts)[] =>
  'isWithoutSharing' in variant ? ['flops', 'seconds', 'bytes'] : ['flops', 'seconds', 'bytes', 'shared'];

/** Workers that wait in system calls leave their cores to others. */
function moreWorkers(workers: number, doublings: number): Variant | undefined {
  const more = workers * 2 ** doublings;
  return more > MAX_MORE * workers ? undefined : { text: `workers: ${workers} → ${more}`, workers: more };
}

/** Mean seconds by which the second runs are shorter than the first ones, replication by replication. */
function meanGain(before: RunTimes, after: RunTimes): number {
  return before.reduce((sum, time, k) => sum + time - after[k]!, 0) / before.length;
}

/** Standard error of the mean gain; 0 for a single run. */
function errorOfGain(before: RunTimes, after: RunTimes): number {
  const n = before.length;
  if (n < 2) return 0;
  const mean = meanGain(before, after);
  const squares = before.reduce((sum, time, k) => sum + (time - after[k]! - mean) ** 2, 0);
  return Math.sqrt(squares / (n - 1) / n);
}

/** The fastest of the variants tried so far. */
class Search {
  readonly #question: GainQuestion;
  #best: { readonly times: RunTimes; readonly variant: Variant } | undefined;
  #tried = 0;
  /** The first variant that was refused because it does other work. */
  #refused: string | undefined;

  constructor(question: GainQuestion) {
    this.#question = question;
  }

  get improves(): boolean {
    return this.#best !== undefined;
  }

  /** Tries variants k = 1, 2, … until two in a row are not faster than the best of them, or there are no more. */
  along(variant: (k: number) => Variant | undefined): void {
    let fastest: RunTimes | undefined;
    for (let [k, worse] = [1, 0]; k <= MAX_GRAINS && worse < 2; k++) {
      const next = variant(k);
      const times = next === undefined ? undefined : this.tries(next);
      if (times === undefined) return;
      worse = fastest === undefined || this.#isShorter(times, fastest) ? 0 : worse + 1;
      if (fastest === undefined || meanGain(fastest, times) > 0) fastest = times;
    }
  }

  /** The run times of a variant; undefined if it cannot be run. */
  tries(variant: Variant): RunTimes | undefined {
    const times = this.#question.timesOf(variant);
    if (times === OTHER_WORK) {
      this.#refused ??= variant.text;
      return undefined;
    }
    this.#tried++;
    if (times !== undefined && this.#isShorter(times, this.#best?.times ?? this.#question.times))
      this.#best = { times, variant };
    return times;
  }

  #isShorter(times: RunTimes, than: RunTimes): boolean {
    const gain = meanGain(than, times);
    return gain >= SMALLEST * this.#question.regionTime && gain >= STANDARD_ERRORS * errorOfGain(than, times);
  }

  /** @param isBound whether the changes remove a cost without saying how */
  result(missing: string, isBound = false): Gain {
    if (this.#best !== undefined)
      return {
        change: this.#best.variant.text,
        seconds: meanGain(this.#question.times, this.#best.times),
        variant: this.#best.variant,
        ...(isBound ? { isBound: true as const } : {}),
      };
    if (this.#refused !== undefined)
      return {
        reason: `${this.#refused} would change the work of the program: what the body does must follow from its iterations, as in s.count * seconds`,
      };
    if (this.#tried === 0) return { reason: missing };
    return {
      reason:
        this.#tried === 1
          ? 'the change tried does not shorten the run'
          : `none of the ${this.#tried} changes tried shortens the run`,
    };
  }
}

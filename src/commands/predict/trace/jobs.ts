import type { NetRun } from '../../../engine/compile.ts';
import type { RankStates } from '../../../models/rank-states.ts';
import type { BlockedRank } from '../../inputs/document-parts.ts';
import { inputFiles, listedFiles } from '../../inputs/inputs.ts';
import { shortTrace } from '../../subjects/compact-trace.ts';
import type { Job } from '../../subjects/jobs/joint-trace.ts';
import { assertCutOff } from '../../subjects/read-trace.ts';
import type { JobFigures, PredictionDocument } from '../prediction.ts';
import { MissingLines } from './missing-lines.ts';

/** The job of a rank, by its number among the ranks of all jobs. */
export const jobOf = (jobs: readonly Job[], rank: number): Job => jobs.findLast(({ first }) => first <= rank)!;

/**
 * The outcome of a run of several jobs, each judged like the run of a single trace: a job whose lines are incomplete makes the
 * result incomplete, unless another job deadlocks.
 *
 * @throws InputError TI032 for a trace that was cut off otherwise than by a deadlock
 */
export function jobsOutcome(
  jobs: readonly Job[],
  blocked: readonly BlockedRank[],
  marking: NetRun,
): Pick<PredictionDocument, 'complete' | 'deadlock' | 'because'> {
  const unmatched = ['sends', 'receives', 'wildcardSends', 'wildcardReceives'].some(
    (place) => marking.tokens(place).length > 0,
  );
  const deadlock: BlockedRank[] = [];
  const because: NonNullable<PredictionDocument['because']>[number][] = [];
  for (const job of jobs) {
    const { first, trace, encoder, name } = job;
    const own = blocked.filter(({ rank }) => jobOf(jobs, rank) === job);
    const local = own.map((b) => ({ ...b, rank: b.rank - first, waitsFor: b.waitsFor?.map((r) => r - first) ?? null }));
    assertCutOff(trace, local);
    if (own.length === 0 && !unmatched) continue;
    const missing = new MissingLines(shortTrace(trace), encoder);
    if (missing.some && (own.length === 0 || missing.explain(local))) because.push(...missing.problems());
    else deadlock.push(...own.map((b) => ({ ...b, job: name })));
  }
  if (deadlock.length > 0 || because.length === 0) return { complete: true, deadlock };
  return { complete: false, deadlock, because };
}

/** Blocked ranks with the names of their jobs. */
export const inJobs = (jobs: readonly Job[], blocked: readonly BlockedRank[]): BlockedRank[] =>
  blocked.map((one) => ({ ...one, job: jobOf(jobs, one.rank).name }));

/** When each job ran, and how its ranks spent their time. */
export function jobFigures(
  jobs: readonly Job[],
  states: RankStates,
  digestOf: ((path: string) => string | undefined) | undefined,
): JobFigures[] {
  return jobs.map(({ name, path, start, hostfile, first, trace: { ranks } }): JobFigures => {
    const of = (column: Float64Array): number => column.subarray(first, first + ranks).reduce((a, b) => a + b, 0);
    const last = states.ended.subarray(first, first + ranks).reduce((a, b) => (b > a || Number.isNaN(b) ? b : a), 0);
    const ended = states.ended.subarray(first, first + ranks).some(Number.isNaN) ? null : last;
    return {
      name,
      ...(inputFiles({ input: path, hostfile }, digestOf) as Pick<JobFigures, 'input' | 'hostfile'>),
      start,
      end: ended,
      runTime: ended === null ? null : ended - start,
      firstRank: first,
      ranks,
      computing: of(states.computing),
      communicating: of(states.communicating),
      waiting: of(states.waiting),
    };
  });
}

/** The files that the traces of jobs list. */
export const listedByJobs = (jobs: readonly Job[]): readonly string[] =>
  jobs.flatMap(({ path, trace }) => listedFiles(path, trace));

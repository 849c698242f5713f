import { statSync } from 'node:fs';
import { readInput } from '../base/input-file.ts';
import type { Answer, Job } from '../commands/command-line/job.ts';
import type { PredictJob } from '../commands/predict/job.ts';

/** Maximum size of each input file of a small job, in bytes. */
const MAX_BYTES = 1 << 16;
/** Limit of processor time in milliseconds; a job that exceeds it is not small. A loaded machine does not start it twice. */
const PATIENCE = 1000;
/** A trace of at most 100 ranks in one uncompressed file: every line begins with a rank. Excludes listings of files. */
const FEW_RANKS = /^(?:\d\d? [^\n]*\n)*$/;

/** Options that write a run in a thread, that make a page by a second job, or that take many runs. */
const OTHER_JOBS = /^--(?:trace|run|report|suggest-placement)\b/;

/**
 * Guesses from the unparsed arguments if the job is small: it predicts a small trace on a machine. Then no worker thread is started
 * in advance, and `small-script.ts` runs it.
 */
export function looksSmall([command, ...rest]: readonly string[]): boolean {
  if (command !== 'predict' || rest.some((a) => OTHER_JOBS.test(a))) return false;
  // Arguments that are not files may be option values.
  const files = rest.filter((a) => !a.startsWith('-') && sizeOf(a) < Infinity);
  return (
    files.length > 1 &&
    files.every((file) => sizeOf(file) <= MAX_BYTES) &&
    files.some((file) => FEW_RANKS.test(textOf(file)))
  );
}

/**
 * Runs a small job in this thread: starting a worker thread takes longer than predicting a small trace. Returns
 * `undefined`, without side effects, if the job is not small, writes a file, or exceeds the limit. While it runs,
 * Ctrl-C ends the process immediately.
 *
 * @param patience limit of processor time in milliseconds
 */
export async function smallJob(job: Job, patience: number = PATIENCE): Promise<Answer | undefined> {
  if (!isSmall(job)) return undefined;
  const { answer } = await import('./answer.ts');
  const began = process.cpuUsage();
  let late = false;
  const answered = await answer(job, {
    cancelled: () => {
      const { user, system } = process.cpuUsage(began);
      late ||= user + system > 1000 * patience;
      return late;
    },
  });
  return late ? undefined : answered;
}

function isSmall(job: Job): boolean {
  if (job.command !== 'predict') return false;
  const { input, options } = job as PredictJob;
  const { machine, placement, ranks = 0, trace, run, otherPrograms, jobHostfiles, suggestPlacement } = options;
  const hostfile = options.hostfile ?? (/^(?:block|cyclic)$/.test(placement ?? 'block') ? undefined : placement);
  if (otherPrograms !== undefined || jobHostfiles !== undefined) return false;
  if (input === '-' || trace !== undefined || run !== undefined || suggestPlacement === true || ranks > 100)
    return false;
  const files = [input, ...(machine === undefined ? [] : [machine]), ...(hostfile === undefined ? [] : [hostfile])];
  return files.every((file) => sizeOf(file) <= MAX_BYTES) && FEW_RANKS.test(textOf(input));
}

const sizeOf = (path: string): number => fileSize(path) ?? Infinity;

function textOf(path: string): string {
  try {
    return readInput(path, { code: 'APP001', limit: MAX_BYTES }).toString('latin1');
  } catch {
    return '?';
  }
}

/** Size of a regular file in bytes; `undefined` if `path` is not one or `stat` fails (the job then reports the problem). */
export function fileSize(path: string): number | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true ? stat.size : undefined;
  } catch {
    return undefined;
  }
}

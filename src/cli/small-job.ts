import { readInput } from '../base/input-file.ts';
import { fileSize } from './file-size.ts';
import type { Answer, Job } from './job.ts';

/** Most bytes of a file of a small job. */
const MAX_BYTES = 1 << 16;
/** How long a small job may play, in milliseconds, before it turns out to be none. */
const PATIENCE = 200;
/** A trace of up to a hundred ranks, in one file: every line begins with a rank. No listing, nothing that is packed. */
const FEW_RANKS = /^(?:\d\d? [^\n]*\n)*$/;

/**
 * Whether these arguments are likely to be those of a small job, as far as can be said before they are understood: then
 * a thread would be started in vain.
 */
export function looksSmall([command, ...rest]: readonly string[]): boolean {
  if (command !== 'predict' || rest.some((a) => /^--(trace|run)\b/.test(a))) return false;
  const sizes = rest.filter((a) => !a.startsWith('-')).map(sizeOf);
  // What is no file may be the value of an option.
  const files = sizes.filter((size) => size < Infinity);
  return files.length > 1 && files.every((size) => size <= MAX_BYTES);
}

/**
 * Does a small job in this thread: a thread of its own takes longer to start than a small trace to predict. Returns
 * undefined where the job is not small after all, and nothing has come of it; so it is with everything that writes a
 * file, too. As long as it takes, Ctrl-C ends the process at once.
 */
export async function smallJob(job: Job, patience: number = PATIENCE): Promise<Answer | undefined> {
  if (!isSmall(job)) return undefined;
  const { answer } = await import('./answer.ts');
  const end = performance.now() + patience;
  let late = false;
  const answered = await answer(job, {
    cancelled: () => {
      late ||= performance.now() > end;
      return late;
    },
  });
  return late ? undefined : answered;
}

function isSmall(job: Job): boolean {
  if (job.command !== 'predict') return false;
  const { input, options } = job;
  const { machine, placement, ranks = 0, trace, run } = options;
  const hostfile = options.hostfile ?? (/^(?:block|cyclic)$/.test(placement ?? 'block') ? undefined : placement);
  if (input === '-' || trace !== undefined || run !== undefined || ranks > 100) return false;
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

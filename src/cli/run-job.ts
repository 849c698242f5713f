import { Worker } from 'node:worker_threads';
import { existingFilesAreKept, outputsAreIncomplete } from '../base/files/output-file.ts';
import { noteRead } from '../base/files/reads.ts';
import type { Problem } from '../base/problem.ts';
import { crashOf, problemsOf } from '../base/thrown.ts';
import { type Answered, type Job, type JobEnd, Shared } from '../commands/command-line/job.ts';
import { Progress, progressText, TimeLeft } from '../commands/command-line/progress.ts';
import { buildLimit, buildLimitMessage } from '../commands/inputs/build-phase.ts';
import { type PathFacts, pathFacts } from '../commands/inputs/path-kinds.ts';
import { JOBS } from './answer.ts';
import { type AnswerMessage, fromMessage } from './answer-message.ts';
import { fileSize } from './small-job.ts';
import type { Given } from './worker.ts';

/** Young generation of the heap. A job keeps typed arrays; its other objects are short-lived, so more room only costs memory. */
const YOUNG_MEBIBYTES = 8;
/**
 * From this input size in bytes on, a larger young generation saves time; its memory is small compared with the job's. A net is
 * kept as objects, which a small young generation promotes one MiB at a time; traces become typed arrays line by line.
 */
const LARGE_NET = 1 << 20;
const LARGE_TRACE = 1 << 26;
/** Commands whose large inputs are nets. */
const ON_NETS: ReadonlySet<Job['command']> = new Set(['explore', 'verify', 'structure', 'steady', 'convert']);
const YOUNG_IF_LARGE = 24;

interface Started {
  readonly command: Job['command'];
  readonly worker: Worker;
  readonly shared: Shared;
  readonly answer: Promise<Ended>;
}

/** A thread's answer, or the cause of an end without an answer. */
type Ended = Answered | { readonly answer: JobEnd['answer']; readonly warnings: readonly [] };

let started: Started | undefined;

/**
 * Starts the worker thread of a command before its job is known: starting the thread and parsing the command line take
 * about 20 ms each. Does nothing for other commands. A thread without a job does not keep the process alive.
 */
export function startWorker([command, ...rest]: readonly string[]): void {
  const known = Object.keys(JOBS).find((name) => name === command);
  if (known === 'whatif' && !rest.some((path) => pathFacts(path).isCode)) return;
  // These jobs run in separate processes.
  if (rest.includes('--serve')) return;
  if (known === 'profile' && rest.some((path) => pathFacts(path).isRecord)) return;
  if (known !== undefined) started = start(known, rest);
}

/** @param files arguments that may include the job's input */
function start(command: Job['command'], files: readonly string[]): Started {
  const least = ON_NETS.has(command) ? LARGE_NET : LARGE_TRACE;
  const large = files.some((file) => (fileSize(file) ?? 0) >= least);
  const shared = new Shared();
  const here = import.meta.url;
  const worker = new Worker(new URL(here.endsWith('.ts') ? './worker.ts' : './worker.js', here), {
    workerData: { command, buffer: shared.buffer },
    resourceLimits: { maxYoungGenerationSizeMb: large ? YOUNG_IF_LARGE : YOUNG_MEBIBYTES },
    // Standard output is reserved for the result: output of the model is redirected to standard error.
    stdout: true,
  });
  const answer = new Promise<Ended>((resolve) => {
    const end = (answer: JobEnd['answer']): void => resolve({ answer, warnings: [] });
    worker.once('message', (message: AnswerMessage) => {
      for (const [key, path] of message.read ?? []) noteRead(key, path);
      resolve(fromMessage(message));
    });
    worker.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') end({ kind: 'memory' });
      else end({ kind: 'crash', crash: crashOf(error) });
    });
    worker.once('exit', () => end({ kind: 'ended' }));
  });
  worker.unref();
  return { command, worker, shared, answer };
}

/**
 * Time limit for a cancelled job to return its results so far, in milliseconds. Explorations get more time: they compute
 * the bounds of places at the end, over up to many million states.
 */
const graceOf = (command: Job['command']): number => (command === 'explore' ? 60_000 : 10_000);
/**
 * Signals within this time of the first are the same request, in milliseconds: `timeout` signals its child, and then the group that
 * the child is in, too.
 */
const ONE_REQUEST = 300;
/** Time limit for a terminated thread to exit, in milliseconds. */
const LAST = 500;

/**
 * Runs a job in a worker thread; this thread remains free for signals and the progress line.
 *
 * The engine computes synchronously and Node delivers signals to the main thread only. In a single thread, the handler of
 * Ctrl-C would not run before the job ends. The worker costs about 15 ms of start-up (measured on Node 20, two cores).
 * Rejected alternative: an engine that yields to the event loop between slices makes every library caller asynchronous.
 *
 * The first Ctrl-C (or SIGTERM) sets a flag that the simulation polls between slices; it then returns its results so far.
 * Before the simulation starts there are no results, and a second Ctrl-C does not wait for them: in both cases the thread
 * is terminated. A thread blocked in a read of a terminal or pipe cannot be terminated (process.exit would wait for it);
 * then the signal is raised again with its default action.
 *
 * @param onKilled called if the thread ended without cleaning up: terminated, failed, or out of memory
 */
export async function runJob(job: Job, onKilled: () => void = () => {}): Promise<JobEnd> {
  const {
    worker,
    shared,
    answer: ending,
  } = started?.command === job.command ? started : start(job.command, [job.input]);
  started = undefined;
  worker.ref();
  // Only now: reading the stream keeps the process alive.
  worker.stdout.on('data', (chunk: Uint8Array) => process.stderr.write(chunk));
  const endOffloaded = await give(worker, job, shared);
  const left = new TimeLeft();
  const progress = new Progress(process.stderr, () => progressText(shared.progress, left));
  let signal: JobEnd['signal'];
  let grace: NodeJS.Timeout | undefined;
  let asked = Number.NEGATIVE_INFINITY;
  const kill = (): void => {
    onKilled();
    setTimeout(() => {
      process.stderr.write('foretoken: interrupted before any result was available\n');
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
      process.kill(process.pid, signal);
    }, LAST).unref();
    void worker.terminate();
  };
  const interrupt = (name: NodeJS.Signals): void => {
    const again = signal !== undefined;
    if (again && performance.now() - asked < ONE_REQUEST) return;
    asked = performance.now();
    signal = name === 'SIGTERM' ? 'SIGTERM' : 'SIGINT';
    outputsAreIncomplete();
    clearTimeout(grace);
    progress.stop();
    if (again || shared.progress === undefined) {
      kill();
      return;
    }
    shared.cancel();
    grace = setTimeout(kill, graceOf(job.command));
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const { isCode } = pathFacts(job.input);
  let building: BuildTimer | undefined;
  try {
    if (isCode) building = buildTimer(job.input, shared);
    const ended = await (building === undefined ? ending : Promise.race([ending, building.answer]));
    const { answer, warnings } = isCode && signal === undefined ? withoutAnswer(job.input, ended) : ended;
    if (['memory', 'crash', 'problems', 'ended'].includes(answer.kind)) onKilled();
    if (warnings.length > 0) {
      const { problemText } = await import('../commands/command-line/failure.ts');
      process.stderr.write(problemText(warnings, 'warning: '));
    }
    return signal === undefined ? { answer } : { answer, signal };
  } catch (error) {
    const problems = problemsOf(error);
    if (problems === undefined) throw error;
    return { answer: { kind: 'problems', problems } };
  } finally {
    clearTimeout(grace);
    building?.stop();
    // Timers and endless loops of a model would keep the process alive.
    if (isCode) void worker.terminate();
    endOffloaded();
    progress.stop();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Sends the job to the worker; for a long trace, starts offloaded work in this thread. Returns a function that ends it. */
async function give(worker: Worker, job: Job, shared: Shared): Promise<() => void> {
  const keepsExisting = existingFilesAreKept();
  if (!isLongTrace(job)) {
    worker.postMessage({ job, keepsExisting } satisfies Given);
    return () => {};
  }
  const [{ offloadDigest }, { offloadStates }] = await Promise.all([
    import('./digest-offload.ts'),
    import('./states-offload.ts'),
  ]);
  const endDigest = offloadDigest(job, shared);
  const ranks = offloadStates();
  worker.postMessage({ job, keepsExisting, offloaded: ranks.end } satisfies Given, [ranks.end.port]);
  return () => {
    endDigest();
    ranks.close();
  };
}

/** Reports APP045 if the thread ended without an answer: only code of the model can cause that. */
function withoutAnswer(file: string, ended: Ended): Ended {
  if (ended.answer.kind !== 'ended') return ended;
  const message = 'the thread of the model ended without an answer: does the model close its port?';
  return { answer: { kind: 'problems', problems: [{ code: 'APP045', message, place: { file } }] }, warnings: [] };
}

interface BuildTimer {
  readonly answer: Promise<Ended>;
  stop(): void;
}

/**
 * Answers with APP027 when one build of a model exceeds its time limit; an endless loop would block its thread forever.
 *
 * @throws InputError APP044 if the limit is not a number of seconds
 */
function buildTimer(file: string, shared: Shared): BuildTimer {
  const limit = buildLimit();
  let timer: NodeJS.Timeout | undefined;
  let [build, since] = [0, 0];
  const answer = new Promise<Ended>((resolve) => {
    const look = (): void => {
      const now = performance.now();
      if (shared.build !== build || build % 2 === 0) [build, since] = [shared.build, now];
      else if (now - since >= 1000 * limit) {
        const problem: Problem = { code: 'APP027', message: buildLimitMessage(limit), place: { file } };
        resolve({ answer: { kind: 'problems', problems: [problem] }, warnings: [] });
      }
    };
    timer = setInterval(look, Math.min(1000, 100 * limit));
  });
  return { answer, stop: () => clearInterval(timer) };
}

/** Minimum size in bytes from which offloading work to the main thread pays off. */
const LONG = 1 << 24;

/** The files whose ranks another thread can follow. */
const OFFLOADED: Readonly<Record<PathFacts['role'], boolean>> = { model: false, net: false, trace: true };

/** True if a job predicts a trace whose file is at least 16 MiB. */
function isLongTrace({ command, input }: Job): boolean {
  if (command !== 'predict' || !OFFLOADED[pathFacts(input).role]) return false;
  return (fileSize(input) ?? 0) >= LONG;
}

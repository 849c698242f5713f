import { Worker } from 'node:worker_threads';
import { buildLimit, buildLimitMessage } from '../app/build-phase.ts';
import { isModelFile } from '../app/model-endings.ts';
import { crashOf, problemsOf } from '../base/thrown.ts';
import { fileSize } from './file-size.ts';
import { type Answer, type Answered, type Job, Shared } from './job.ts';
import { isLongTrace } from './long-trace.ts';
import { Progress, progressText } from './progress.ts';
import type { Given } from './worker.ts';

/** How a job ended, seen from the main thread. `signal` says that the user asked for the end. */
export interface JobEnd {
  readonly answer: Answer | { readonly kind: 'memory' } | { readonly kind: 'ended' };
  readonly signal?: 'SIGINT' | 'SIGTERM';
}

/** What a job keeps are columns of numbers; its other objects die young, and more room for them only takes memory. */
const YOUNG_MEBIBYTES = 3;
/** With a file of so many bytes, which takes seconds and much memory anyway, they may have more: that takes less time. */
const LARGE = 1 << 26;
const YOUNG_IF_LARGE = 24;

interface Started {
  readonly command: Job['command'];
  readonly worker: Worker;
  readonly shared: Shared;
  readonly answer: Promise<Ended>;
}

/** A thread's answer, or how it ended without one. */
type Ended = Answered | { readonly answer: JobEnd['answer']; readonly warnings: readonly [] };

let started: Started | undefined;

/** Commands whose jobs go to a thread. */
const COMMANDS: readonly Job['command'][] = ['predict', 'convert', 'explore', 'verify', 'structure', 'whatif'];

/**
 * Starts the thread of a command's job before the job is known: to start it and to parse the command line take some
 * 20 ms each. Does nothing for other commands. Without a job the thread does not keep the process alive.
 */
export function startWorker([command, ...rest]: readonly string[]): void {
  const known = COMMANDS.find((name) => name === command);
  if (known === 'whatif' && !rest.some(isModelFile)) return;
  if (known !== undefined) started = start(known, rest);
}

/** @param files among which may be the job's input */
function start(command: Job['command'], files: readonly string[]): Started {
  const large = files.some((file) => (fileSize(file) ?? 0) >= LARGE);
  const shared = new Shared();
  const here = import.meta.url;
  const worker = new Worker(new URL(here.endsWith('.ts') ? './worker.ts' : './worker.js', here), {
    workerData: { command, buffer: shared.buffer },
    resourceLimits: { maxYoungGenerationSizeMb: large ? YOUNG_IF_LARGE : YOUNG_MEBIBYTES },
    // Standard output holds the result alone: prints of a model go to standard error.
    stdout: true,
  });
  const answer = new Promise<Ended>((resolve) => {
    const end = (answer: JobEnd['answer']): void => resolve({ answer, warnings: [] });
    worker.once('message', (answer: Answered) => resolve(answer));
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
 * How long a job that was asked to end may take to hand over what it has, in milliseconds. Of a space of many million
 * states the most tokens are counted at the end.
 */
const graceOf = (command: Job['command']): number => (command === 'explore' ? 60_000 : 10_000);
/** How long a thread that was terminated may take to be gone, in milliseconds. */
const LAST = 500;

/**
 * Runs a job in a worker thread while this thread stays free for signals and for the progress line.
 *
 * The engine computes synchronously, so in one thread the handler of Ctrl-C would not run before the end, and Node gives
 * signals to the main thread only. The thread costs about 15 ms of start-up (measured on Node 20, two cores); an engine
 * that returns to the event loop between slices would make every caller of the library asynchronous.
 *
 * The first Ctrl-C (or SIGTERM) sets a flag that the simulation looks at between slices: it then answers with what is
 * known so far. Before the simulation there is nothing to show, and a second Ctrl-C asks for no more: the thread is
 * terminated. A thread that is blocked in a read of a terminal or pipe cannot be terminated (process.exit would wait for
 * it), so then the signal is raised again with its default action.
 *
 * @param onKilled called when the thread ended without cleaning up: by force, or out of memory
 */
export async function runJob(job: Job, onKilled: () => void = () => {}): Promise<JobEnd> {
  const {
    worker,
    shared,
    answer: ending,
  } = started?.command === job.command ? started : start(job.command, [job.input]);
  started = undefined;
  worker.ref();
  // Not earlier: reading keeps the process alive.
  worker.stdout.on('data', (chunk: Uint8Array) => process.stderr.write(chunk));
  const endOffloaded = await give(worker, job, shared);
  const progress = new Progress(process.stderr, () => progressText(shared.progress));
  let signal: JobEnd['signal'];
  let grace: NodeJS.Timeout | undefined;
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
    signal = name === 'SIGTERM' ? 'SIGTERM' : 'SIGINT';
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
  const isModel = isModelFile(job.input);
  let building: BuildTimer | undefined;
  try {
    if (isModel) building = buildTimer(job.input, shared);
    const ended = await (building === undefined ? ending : Promise.race([ending, building.answer]));
    const { answer, warnings } = isModel && signal === undefined ? withoutAnswer(job.input, ended) : ended;
    if (['memory', 'crash', 'problems', 'ended'].includes(answer.kind)) onKilled();
    if (warnings.length > 0) {
      const { problemText } = await import('./failure.ts');
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
    // Timers of a model, and code that never returns, would keep the process alive.
    if (isModel) void worker.terminate();
    endOffloaded();
    progress.stop();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Gives the thread its job; of a long trace, this one takes a part of the work. Returns what ends that. */
async function give(worker: Worker, job: Job, shared: Shared): Promise<() => void> {
  if (!isLongTrace(job)) {
    worker.postMessage({ job } satisfies Given);
    return () => {};
  }
  const [{ offloadDigest }, { offloadStates }] = await Promise.all([
    import('./digest-offload.ts'),
    import('./states-offload.ts'),
  ]);
  const endDigest = offloadDigest(job, shared);
  const ranks = offloadStates();
  worker.postMessage({ job, offloaded: ranks.end } satisfies Given, [ranks.end.port]);
  return () => {
    endDigest();
    ranks.close();
  };
}

/** The only cause of a model's thread that ends without an answer is the model. */
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
 * Answers with APP027 when one build of a model exceeds its limit: code that never ends would never leave its thread.
 *
 * @throws InputError APP044 for a limit that is not a number of seconds
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
        const problem = { code: 'APP027', message: buildLimitMessage(limit), place: { file } };
        resolve({ answer: { kind: 'problems', problems: [problem] }, warnings: [] });
      }
    };
    timer = setInterval(look, Math.min(1000, 100 * limit));
  });
  return { answer, stop: () => clearInterval(timer) };
}

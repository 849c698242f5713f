import { Worker } from 'node:worker_threads';
import { isModelFile } from '../app/model-endings.ts';
import { fileSize } from './file-size.ts';
import { type Answer, type Job, Shared } from './job.ts';
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
  readonly answer: Promise<JobEnd['answer']>;
}

let started: Started | undefined;

/** Commands whose jobs go to a thread. */
const COMMANDS: readonly Job['command'][] = ['predict', 'convert', 'explore', 'verify', 'structure'];

/**
 * Starts the thread of a command's job before the job is known: to start it and to parse the command line take some
 * 20 ms each. Does nothing for other commands. Without a job the thread does not keep the process alive.
 */
export function startWorker([command, ...rest]: readonly string[]): void {
  const known = COMMANDS.find((name) => name === command);
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
  });
  const answer = new Promise<JobEnd['answer']>((resolve) => {
    worker.once('message', (answer: Answer) => resolve(answer));
    worker.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ kind: 'memory' });
      else resolve({ kind: 'crash', crash: { message: error.message, stack: error.stack ?? error.message } });
    });
    worker.once('exit', () => resolve({ kind: 'ended' }));
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
  const endAside = await give(worker, job, shared);
  const progress = new Progress(process.stderr, () => progressText(shared.progress));
  let signal: JobEnd['signal'];
  let grace: NodeJS.Timeout | undefined;
  const kill = (): void => {
    onKilled();
    setTimeout(() => {
      process.stderr.write('foretoken: interrupted before there was anything to show\n');
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
  const building = isModelFile(job.input) ? buildLimit(shared, worker, onKilled) : undefined;
  try {
    const answer = await (building === undefined ? ending : Promise.race([ending, building.answer]));
    if (answer.kind === 'memory' || answer.kind === 'crash') onKilled();
    return signal === undefined ? { answer } : { answer, signal };
  } finally {
    clearTimeout(grace);
    building?.stop();
    endAside();
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
  const [{ digestAside }, { statesAside }] = await Promise.all([
    import('./digest-aside.ts'),
    import('./states-aside.ts'),
  ]);
  const endDigest = digestAside(job, shared);
  const ranks = statesAside();
  worker.postMessage({ job, aside: ranks.end } satisfies Given, [ranks.end.port]);
  return () => {
    endDigest();
    ranks.close();
  };
}

/** How long a model may take to be built, in milliseconds: code that never ends would never let go of its thread. */
const BUILD_LIMIT = Number(process.env['FORETOKEN_BUILD_LIMIT'] ?? 300) * 1000;

/** Ends the thread of a model that is not built in time. */
function buildLimit(
  shared: Shared,
  worker: Worker,
  onKilled: () => void,
): { readonly answer: Promise<JobEnd['answer']>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const answer = new Promise<JobEnd['answer']>((resolve) => {
    timer = setTimeout(() => {
      if (shared.progress !== undefined) return;
      onKilled();
      const message = `the model is not built after ${BUILD_LIMIT / 1000} s (FORETOKEN_BUILD_LIMIT): does its build end?`;
      resolve({ kind: 'problems', problems: [{ code: 'APP027', message }] });
      void worker.terminate();
    }, BUILD_LIMIT);
  });
  return { answer, stop: () => clearTimeout(timer) };
}

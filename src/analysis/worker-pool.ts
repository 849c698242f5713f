import type { Worker } from 'node:worker_threads';
import { InputError } from '../base/problem.ts';
import { startThread } from '../base/start-thread.ts';
import type { Job, Replication, Share, ShareAnswer } from './replication.ts';

/** Target duration of a share in milliseconds: long compared with the message that starts it, short enough for progress reports. */
const SHARE_TIME = 100;

/**
 * Computes replications 0 … `count` − 1 in worker threads, which are always terminated at the end. If replications fail, the
 * error is that of the one with the lowest number, regardless of timing.
 *
 * @param progress called with the number of replications done
 */
export async function overWorkers(
  job: Job,
  count: number,
  workers: number,
  progress: (done: number) => void,
  signal: AbortSignal | undefined,
): Promise<Replication[]> {
  const results = new Array<Replication>(count);
  const pool: PoolWorker[] = [];
  let next = 0;
  let done = 0;
  let failure: Failure | undefined;
  /** Records a failure. Shares after it are stopped; earlier ones continue because they may fail, too. */
  const fail = (from: number, error: unknown): void => {
    if (failure !== undefined && failure.from < from) return;
    failure = { from, error };
    for (const worker of pool) if (worker.from > from) void worker.end();
  };
  const work = async (worker: PoolWorker): Promise<void> => {
    for (let size = 1; next < count && failure === undefined; ) {
      const share = { from: next, to: Math.min(count, next + size) };
      next = share.to;
      const began = performance.now();
      try {
        for (const r of await worker.compute(share)) results[r.replication] = r;
      } catch (error) {
        fail(share.from, error);
        return;
      }
      done += share.to - share.from;
      progress(done);
      const fitting = (size * SHARE_TIME) / Math.max(1, performance.now() - began);
      size = Math.max(1, Math.floor(Math.min(fitting, (count - next) / (2 * workers))));
    }
  };
  const abort = (): void => fail(-Infinity, signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    while (pool.length < workers) pool.push(new PoolWorker(job));
    await Promise.all(pool.map(work));
  } finally {
    signal?.removeEventListener('abort', abort);
    await Promise.all(pool.map((worker) => worker.end()));
  }
  if (failure !== undefined) throw (failure as Failure).error;
  return results;
}

interface Failure {
  /** The first replication of the share that failed; −Infinity if the work was cancelled. */
  readonly from: number;
  readonly error: unknown;
}

/** A worker thread and the share it is computing. */
class PoolWorker {
  readonly #worker: Worker;
  #dead: Error | undefined;
  #waiting: { resolve(results: readonly Replication[]): void; reject(error: unknown): void } | undefined;
  /** First replication of the current share; −1 before the first share. */
  from = -1;

  constructor(job: Job) {
    this.#worker = startWorker(job);
    this.#worker.on('message', (answer: ShareAnswer) => this.#answered(answer));
    this.#worker.on('messageerror', (error) => this.#die(error));
    this.#worker.on('error', (error) => this.#die(error));
    this.#worker.on('exit', (code) => this.#die(new Error(`a worker thread ended with exit code ${code}`)));
  }

  compute(share: Share): Promise<readonly Replication[]> {
    this.from = share.from;
    return new Promise((resolve, reject) => {
      if (this.#dead !== undefined) reject(this.#dead);
      this.#waiting = { resolve, reject };
      this.#worker.postMessage(share);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #answered(answer: ShareAnswer): void {
    if ('results' in answer) this.#waiting?.resolve(answer.results);
    else this.#waiting?.reject('problems' in answer ? new InputError(answer.problems) : new Error(answer.crash));
  }

  #die(error: unknown): void {
    this.#dead ??= error instanceof Error ? error : new Error(String(error));
    this.#waiting?.reject(this.#dead);
  }
}

function startWorker(job: Job): Worker {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const file = new URL(`./replicate-worker.${ending}`, import.meta.url);
  return startThread(file, { workerData: job }, 'href' in job.net && job.net.href.endsWith('ts'));
}

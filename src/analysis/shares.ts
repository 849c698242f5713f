import { startThread } from '../base/workers/start-thread.ts';
import { WorkerPool } from '../base/workers/worker-pool.ts';
import type { Job, Replication, Share } from './replication.ts';

/** Target duration of a share in milliseconds: long compared with the message that starts it, short enough for progress reports. */
const SHARE_TIME = 100;

interface Failure {
  /** The first replication of the share that failed; −Infinity if the work was cancelled. */
  readonly from: number;
  readonly error: unknown;
}

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
  const pool = replicators(job, workers);
  /** Abandons the shares being computed, by their first replication. */
  const running = new Map<number, () => void>();
  let next = 0;
  let done = 0;
  let failure: Failure | undefined;
  /** Records a failure. Shares after it are abandoned; earlier ones continue because they may fail, too. */
  const fail = (from: number, error: unknown): void => {
    if (failure !== undefined && failure.from < from) return;
    failure = { from, error };
    for (const [first, abandon] of running) if (first > from) abandon();
  };
  const compute = async (share: Share): Promise<void> => {
    const abandoned = new Promise<undefined>((resolve) => running.set(share.from, () => resolve(undefined)));
    try {
      const replications = await Promise.race([pool.ask(share), abandoned]);
      if (replications === undefined) return;
      for (const r of replications) results[r.replication] = r;
      done += share.to - share.from;
      progress(done);
    } catch (error) {
      fail(share.from, error);
    } finally {
      running.delete(share.from);
    }
  };
  const work = async (): Promise<void> => {
    for (let size = 1; next < count && failure === undefined; ) {
      const share = { from: next, to: Math.min(count, next + size) };
      next = share.to;
      const began = performance.now();
      await compute(share);
      const fitting = (size * SHARE_TIME) / Math.max(1, performance.now() - began);
      size = Math.max(1, Math.floor(Math.min(fitting, (count - next) / (2 * workers))));
    }
  };
  const abort = (): void => fail(-Infinity, signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    await Promise.all(Array.from({ length: workers }, work));
  } finally {
    signal?.removeEventListener('abort', abort);
    await pool.end();
  }
  if (failure !== undefined) throw (failure as Failure).error;
  return results;
}

/** Threads that compute shares. */
function replicators(job: Job, workers: number): WorkerPool<Share, readonly Replication[]> {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const file = new URL(`./replicate-worker.${ending}`, import.meta.url);
  const typed = 'href' in job.net && job.net.href.endsWith('ts');
  return new WorkerPool(
    {
      start: () => startThread(file, { workerData: job }, typed),
      died: (_, error) => error,
    },
    workers,
  );
}

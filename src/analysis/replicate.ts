import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { fail, InputError, type Problem } from '../base/problem.ts';
import type { Net } from '../net/net.ts';
import { assertValid } from '../net/validate.ts';
import type { Figures, MonitorSpec } from './monitor.ts';
import { type Ended, prepare } from './simulate.ts';

export interface ReplicateOptions {
  readonly replications: number;
  /** Seed of all replications: each has streams of its own. Default `foretoken`. */
  readonly seed?: string;
  /** Worker threads, default one per core; 1 computes in the calling thread. Results do not depend on it. */
  readonly workers?: number;
  readonly until?: number;
  readonly maxSteps?: number;
  readonly maxInstantSteps?: number;
  readonly monitors?: Readonly<Record<string, MonitorSpec>>;
}

/** What is known of one replication. */
export interface Replication {
  readonly replication: number;
  readonly ended: Ended;
  /** Seconds. */
  readonly time: number;
  readonly steps: number;
  readonly firings: Readonly<Record<string, number>>;
  readonly monitors: Readonly<Record<string, Figures>>;
}

/** A piece of work of a worker: replications `from` … `to` − 1. */
export interface Share {
  readonly net: Net;
  readonly options: Omit<ReplicateOptions, 'workers'>;
  readonly from: number;
  readonly to: number;
}

/** What a worker answers. */
export type ShareAnswer =
  | { readonly results: readonly Replication[] }
  | { readonly problems: readonly Problem[] }
  | { readonly crash: string };

/** Most replications of one call: all results are kept. */
const MOST_REPLICATIONS = 1e7;

/**
 * Runs a net many times with independent random numbers, over the cores of the machine, and returns the results in the
 * order of the replications: the same for any number of workers. O(replications) memory.
 *
 * @throws InputError for an invalid net or option, and where a run fails; SIM006 where a net has functions that were not
 * tabulated, which only the calling thread can compute (`workers: 1`).
 */
export async function replicate(net: Net, options: ReplicateOptions): Promise<readonly Replication[]> {
  const { replications, workers: wanted = availableParallelism() } = options;
  if (!(Number.isInteger(replications) && replications >= 1 && replications <= MOST_REPLICATIONS))
    fail('SIM003', `replications ${replications}: a whole number from 1 to ${MOST_REPLICATIONS} is expected`, {
      part: 'replicate',
    });
  if (!(Number.isInteger(wanted) && wanted >= 1))
    fail('SIM003', `workers ${wanted}: a whole number from 1 is expected`, { part: 'replicate' });
  assertValid(net);
  const { workers: _, ...rest } = options;
  const workers = Math.min(wanted, replications);
  if (workers === 1) return runShare({ net, options: rest, from: 0, to: replications });
  const functions = net.functions ?? [];
  if (functions.length > 0)
    fail(
      'SIM006',
      `function "${functions[0]!.name}" could not be tabulated and cannot go to a worker: use workers: 1`,
      { part: `net ${net.name}` },
    );
  // A few shares per worker, so that none waits long for another.
  const size = Math.ceil(replications / (workers * 4));
  const shares: Share[] = [];
  for (let from = 0; from < replications; from += size)
    shares.push({ net, options: rest, from, to: Math.min(replications, from + size) });
  return (await overWorkers(shares, workers)).flat();
}

/** Runs a share in this thread. */
export function runShare({ net, options, from, to }: Share): Replication[] {
  const { replications: _, monitors = {}, ...rest } = options;
  const play = prepare(net, { monitors });
  return Array.from({ length: to - from }, (_, k) => {
    const { ended, time, steps, firings, monitors: figures } = play({ ...rest, replication: from + k });
    return { replication: from + k, ended, time, steps, firings, monitors: figures };
  });
}

/** Deals shares to workers as they become free. */
async function overWorkers(shares: readonly Share[], workers: number): Promise<Replication[][]> {
  const results: Replication[][] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    const worker = startWorker();
    try {
      while (next < shares.length) {
        const k = next++;
        results[k] = await answerOf(worker, shares[k]!);
      }
    } catch (error) {
      next = shares.length;
      throw error;
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, shares.length) }, one));
  return results;
}

function startWorker(): Worker {
  // In the sources files end in .ts, which a bare thread does not read.
  const source = import.meta.url.endsWith('.ts');
  const file = new URL(source ? './replicate-worker.ts' : './replicate-worker.js', import.meta.url);
  return new Worker(file, source ? { execArgv: ['--import', 'tsx'] } : {});
}

function answerOf(worker: Worker, share: Share): Promise<Replication[]> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => {
      worker.off('message', answered);
      reject(error);
    };
    const answered = (answer: ShareAnswer): void => {
      worker.off('error', failed);
      if ('results' in answer) resolve([...answer.results]);
      else if ('problems' in answer) reject(new InputError(answer.problems));
      else reject(new Error(answer.crash));
    };
    worker.once('error', failed);
    worker.once('message', answered);
    worker.postMessage(share);
  });
}

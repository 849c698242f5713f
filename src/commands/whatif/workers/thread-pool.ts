import type { Worker } from 'node:worker_threads';
import { InputError, type Problem } from '../../../base/problem.ts';
import { startThread } from '../../../base/start-thread.ts';
import { thrown } from '../../../base/thrown.ts';
import { buildLimit, buildLimitMessage } from '../../inputs/build-phase.ts';
import type { Work, WorkSpec } from './work.ts';

/** Answer of a worker thread to a task. */
export type ThreadAnswer =
  | { readonly result: unknown }
  | { readonly problems: readonly Problem[] }
  | { readonly crash: { readonly message: string; readonly stack: string } };

/**
 * Message of a worker thread: an answer (`last` if the thread then ends), or a notice that model code with a time limit
 * begins or ends.
 */
export type ThreadMessage = (ThreadAnswer & { readonly last?: true }) | { readonly building: boolean };

/** Worker threads for tasks of one kind; each task goes to a free worker. */
export interface ThreadPool<Task, Result> {
  /** Executes a task; waits for a free worker. */
  readonly ask: (task: Task) => Promise<Result>;
  /** Resolves once a worker is prepared; rejects with the problems of its preparation. */
  ready(): Promise<void>;
  /** Terminates all workers, including busy ones. */
  end(): Promise<void>;
}

/**
 * Creates a pool of at most `workers` threads. A thread is started when a task finds none free, and prepares the work of
 * `spec` once. If a thread dies (out of memory), its task fails with WHAT015 and the next task gets a new thread.
 */
export function threadPool<Spec extends WorkSpec>(
  spec: Spec,
  workers: number,
): ThreadPool<Work[Spec['kind']]['task'], Work[Spec['kind']]['result']> {
  const free: PoolThread[] = [];
  const all = new Set<PoolThread>();
  const waiting: ((thread: PoolThread) => void)[] = [];
  const limit = buildLimit();
  let ended = false;
  const take = (): PoolThread | Promise<PoolThread> => {
    for (let thread = free.pop(); thread !== undefined; thread = free.pop()) {
      if (!thread.dead) return thread;
      all.delete(thread);
    }
    if (all.size >= workers) return new Promise((resolve) => waiting.push(resolve));
    const made = new PoolThread(spec, limit);
    all.add(made);
    return made;
  };
  const give = (thread: PoolThread): void => {
    let ready = thread;
    if (thread.dead) {
      all.delete(thread);
      if (waiting.length === 0 || ended) return;
      ready = new PoolThread(spec, limit);
      all.add(ready);
    }
    const next = waiting.shift();
    if (next === undefined) free.push(ready);
    else next(ready);
  };
  const send = async (message: object): Promise<unknown> => {
    const thread = await take();
    try {
      return await thread.send(message);
    } finally {
      give(thread);
    }
  };
  return {
    ask: (task) => send({ task }) as Promise<Work[Spec['kind']]['result']>,
    ready: async () => void (await send({})),
    end: async () => {
      ended = true;
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}

class PoolThread {
  readonly #worker: Worker;
  readonly #limit: number;
  readonly #place: Pick<Problem, 'place'>;
  #waiting: { resolve(result: unknown): void; reject(error: unknown): void } | undefined;
  #building: NodeJS.Timeout | undefined;
  dead = false;

  /** @param limit time limit for one build of a model, in seconds */
  constructor(spec: WorkSpec, limit: number) {
    this.#place = spec.kind === 'trace' ? {} : { place: { file: spec.file } };
    const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#limit = limit;
    this.#worker = startThread(new URL(`./scenario-worker.${ending}`, import.meta.url), {
      workerData: spec,
      stdout: true,
    });
    // Standard output is reserved for results: output of the model is redirected to standard error.
    this.#worker.stdout.on('data', (chunk: Uint8Array) => process.stderr.write(chunk));
    this.#worker.on('message', (message: ThreadMessage) => this.#received(message));
    this.#worker.on('error', (error: NodeJS.ErrnoException) => this.#die(error));
    this.#worker.on('exit', (code) => this.#die(new Error(`the thread has ended with exit code ${code}`)));
  }

  send(message: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#worker.postMessage(message);
    });
  }

  async end(): Promise<void> {
    this.dead = true;
    clearTimeout(this.#building);
    await this.#worker.terminate();
  }

  #received(message: ThreadMessage): void {
    clearTimeout(this.#building);
    if ('building' in message) {
      if (message.building) this.#building = setTimeout(() => this.#exceeded(), 1000 * this.#limit);
      return;
    }
    if (message.last === true) void this.end();
    if ('result' in message) this.#waiting?.resolve(message.result);
    else if ('problems' in message) this.#waiting?.reject(new InputError(message.problems));
    else this.#waiting?.reject(Object.assign(new Error(message.crash.message), { stack: message.crash.stack }));
  }

  #exceeded(): void {
    const problem: Problem = { code: 'APP027', message: buildLimitMessage(this.#limit), ...this.#place };
    this.#waiting?.reject(new InputError([problem]));
    void this.end();
  }

  #die(error: NodeJS.ErrnoException): void {
    this.dead = true;
    clearTimeout(this.#building);
    const why = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : thrown(error).message;
    this.#waiting?.reject(new InputError([{ code: 'WHAT015', message: `it ended without an answer: ${why}` }]));
  }
}

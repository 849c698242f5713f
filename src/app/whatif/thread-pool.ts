import type { Worker } from 'node:worker_threads';
import { InputError, type Problem } from '../../base/problem.ts';
import { startThread } from '../../base/start-thread.ts';
import { thrown } from '../../base/thrown.ts';
import { buildLimit, buildLimitMessage } from '../build-phase.ts';
import type { Work, WorkSpec } from './work.ts';

/** What a thread answers to a task. */
export type ThreadAnswer =
  | { readonly result: unknown }
  | { readonly problems: readonly Problem[] }
  | { readonly crash: { readonly message: string; readonly stack: string } };

/**
 * What a thread sends: an answer, the last one if it ends now; or that code of a model begins or ends whose time is
 * limited.
 */
export type ThreadMessage = (ThreadAnswer & { readonly last?: true }) | { readonly building: boolean };

/** Threads that do tasks of one kind; each task goes to one of them that is free. */
export interface ThreadPool<Task, Result> {
  readonly ask: (task: Task) => Promise<Result>;
  /** Comes once a thread has all that it needs; throws what is wrong with that. */
  ready(): Promise<void>;
  /** Ends the threads, whatever they are about. */
  end(): Promise<void>;
}

/**
 * A crew of up to `workers` threads; each is started with the first task that finds none free, and prepares the work of
 * `spec` once. A task whose thread dies (out of memory) fails with WHAT015, and the next gets a new thread.
 */
export function threadPool<Spec extends WorkSpec>(
  spec: Spec,
  workers: number,
): ThreadPool<Work[Spec['kind']]['task'], Work[Spec['kind']]['result']> {
  const free: Hand[] = [];
  const all = new Set<Hand>();
  const waiting: ((hand: Hand) => void)[] = [];
  const limit = buildLimit();
  let ended = false;
  const take = (): Hand | Promise<Hand> => {
    for (let hand = free.pop(); hand !== undefined; hand = free.pop()) {
      if (!hand.dead) return hand;
      all.delete(hand);
    }
    if (all.size >= workers) return new Promise((resolve) => waiting.push(resolve));
    const made = new Hand(spec, limit);
    all.add(made);
    return made;
  };
  const give = (hand: Hand): void => {
    let ready = hand;
    if (hand.dead) {
      all.delete(hand);
      if (waiting.length === 0 || ended) return;
      ready = new Hand(spec, limit);
      all.add(ready);
    }
    const next = waiting.shift();
    if (next === undefined) free.push(ready);
    else next(ready);
  };
  const send = async (message: object): Promise<unknown> => {
    const hand = await take();
    try {
      return await hand.send(message);
    } finally {
      give(hand);
    }
  };
  return {
    ask: (task) => send({ task }) as Promise<Work[Spec['kind']]['result']>,
    ready: async () => void (await send({})),
    end: async () => {
      ended = true;
      await Promise.all([...all].map((hand) => hand.end()));
    },
  };
}

class Hand {
  readonly #worker: Worker;
  readonly #limit: number;
  readonly #place: Pick<Problem, 'place'>;
  #waiting: { resolve(result: unknown): void; reject(error: unknown): void } | undefined;
  #building: NodeJS.Timeout | undefined;
  dead = false;

  /** @param limit seconds that one build of a model may take */
  constructor(spec: WorkSpec, limit: number) {
    this.#place = spec.kind === 'trace' ? {} : { place: { file: spec.file } };
    const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#limit = limit;
    this.#worker = startThread(new URL(`./scenario-worker.${ending}`, import.meta.url), {
      workerData: spec,
      stdout: true,
    });
    // Standard output may hold a result: prints of a model go to standard error.
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
    const problem = { code: 'APP027', message: buildLimitMessage(this.#limit), ...this.#place };
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

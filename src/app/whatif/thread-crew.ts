import type { Worker } from 'node:worker_threads';
import { InputError, type Problem } from '../../base/problem.ts';
import { startThread } from '../../base/start-thread.ts';
import type { Work, WorkSpec } from './work.ts';

/** What a thread answers to a task. */
export type ThreadAnswer =
  | { readonly result: unknown }
  | { readonly problems: readonly Problem[] }
  | { readonly crash: { readonly message: string; readonly stack: string } };

/** Threads that do tasks of one kind; each task goes to one of them that is free. */
export interface ThreadCrew<Task, Result> {
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
export function threadCrew<Spec extends WorkSpec>(
  spec: Spec,
  workers: number,
): ThreadCrew<Work[Spec['kind']]['task'], Work[Spec['kind']]['result']> {
  const free: Hand[] = [];
  const all = new Set<Hand>();
  const waiting: ((hand: Hand) => void)[] = [];
  let ended = false;
  const take = (): Hand | Promise<Hand> => {
    for (let hand = free.pop(); hand !== undefined; hand = free.pop()) {
      if (!hand.dead) return hand;
      all.delete(hand);
    }
    if (all.size >= workers) return new Promise((resolve) => waiting.push(resolve));
    const made = new Hand(spec);
    all.add(made);
    return made;
  };
  const give = (hand: Hand): void => {
    let ready = hand;
    if (hand.dead) {
      all.delete(hand);
      if (waiting.length === 0 || ended) return;
      ready = new Hand(spec);
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
  #waiting: { resolve(result: unknown): void; reject(error: unknown): void } | undefined;
  dead = false;

  constructor(spec: WorkSpec) {
    const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#worker = startThread(new URL(`./scenario-worker.${ending}`, import.meta.url), { workerData: spec });
    this.#worker.on('message', (answer: ThreadAnswer) => this.#answered(answer));
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
    await this.#worker.terminate();
  }

  #answered(answer: ThreadAnswer): void {
    if ('result' in answer) this.#waiting?.resolve(answer.result);
    else if ('problems' in answer) this.#waiting?.reject(new InputError(answer.problems));
    else this.#waiting?.reject(Object.assign(new Error(answer.crash.message), { stack: answer.crash.stack }));
  }

  #die(error: NodeJS.ErrnoException): void {
    this.dead = true;
    const why = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : error.message;
    this.#waiting?.reject(new InputError([{ code: 'WHAT015', message: `it ended without an answer: ${why}` }]));
  }
}

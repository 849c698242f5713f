import type { Worker } from 'node:worker_threads';
import { InputError } from '../problem.ts';
import { thrown } from '../thrown.ts';
import type { ThreadAnswer, ThreadMessage } from './answer-tasks.ts';

/** How the threads of a pool are started, and what their failures mean. */
export interface WorkerKind {
  /** Starts a thread that runs `answerTasks`. */
  start(): Worker;
  /**
   * The error of the task of a thread that ends without an answer (out of memory, `process.exit`, an error outside a task).
   *
   * @param why the message of `error`, or its meaning
   */
  died(why: string, error: Error): Error;
  /** Time limit of the phases that a thread reports as limited. */
  readonly limit?: { readonly seconds: number; exceeded(): Error };
}

/**
 * Worker threads for tasks of one kind; each task goes to a free thread. A thread is started when a task finds none free.
 * If a thread dies, its task fails and the next task gets a new thread.
 */
export class WorkerPool<Task, Result> {
  readonly #kind: WorkerKind;
  readonly #size: number;
  readonly #free: PoolThread[] = [];
  readonly #all = new Set<PoolThread>();
  readonly #waiting: ((thread: PoolThread) => void)[] = [];
  #ended = false;

  /** @param size maximum number of threads */
  constructor(kind: WorkerKind, size: number) {
    this.#kind = kind;
    this.#size = size;
  }

  /**
   * Executes a task; waits for a free thread.
   *
   * @throws InputError with the problems of the task; Error if the thread failed
   */
  async ask(task: Task): Promise<Result> {
    return (await this.#send({ task })) as Result;
  }

  /** Resolves once a thread is prepared; rejects with the problems of its preparation. */
  async ready(): Promise<void> {
    await this.#send({});
  }

  /** Terminates all threads, including busy ones, whose tasks never settle. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all([...this.#all].map((thread) => thread.end()));
  }

  async #send(message: object): Promise<unknown> {
    const thread = await this.#take();
    try {
      return await thread.send(message);
    } finally {
      this.#give(thread);
    }
  }

  #take(): PoolThread | Promise<PoolThread> {
    for (let thread = this.#free.pop(); thread !== undefined; thread = this.#free.pop()) {
      if (!thread.dead) return thread;
      this.#all.delete(thread);
    }
    if (this.#all.size >= this.#size) return new Promise((resolve) => this.#waiting.push(resolve));
    return this.#started();
  }

  #give(thread: PoolThread): void {
    let ready = thread;
    if (thread.dead) {
      this.#all.delete(thread);
      if (this.#waiting.length === 0 || this.#ended) return;
      ready = this.#started();
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(ready);
    else next(ready);
  }

  #started(): PoolThread {
    const thread = new PoolThread(this.#kind);
    this.#all.add(thread);
    return thread;
  }
}

class PoolThread {
  readonly #worker: Worker;
  readonly #kind: WorkerKind;
  #waiting: { resolve(result: unknown): void; reject(error: unknown): void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  dead = false;

  constructor(kind: WorkerKind) {
    this.#kind = kind;
    this.#worker = kind.start();
    this.#worker.on('message', (message: ThreadMessage) => this.#received(message));
    this.#worker.on('messageerror', (error) => this.#die(error));
    this.#worker.on('error', (error) => this.#die(error));
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
    clearTimeout(this.#timer);
    await this.#worker.terminate();
  }

  #received(message: ThreadMessage): void {
    clearTimeout(this.#timer);
    if ('limited' in message) {
      const { limit } = this.#kind;
      if (message.limited && limit !== undefined)
        this.#timer = setTimeout(() => this.#failed(limit.exceeded()), 1000 * limit.seconds);
      return;
    }
    if (message.last === true) void this.end();
    if ('result' in message) this.#waiting?.resolve(message.result);
    else this.#waiting?.reject(errorOf(message));
  }

  #failed(error: Error): void {
    this.#waiting?.reject(error);
    void this.end();
  }

  #die(error: NodeJS.ErrnoException): void {
    this.dead = true;
    clearTimeout(this.#timer);
    const why = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : thrown(error).message;
    this.#waiting?.reject(this.#kind.died(why, error));
  }
}

function errorOf(answer: Exclude<ThreadAnswer, { readonly result: unknown }>): Error {
  if ('problems' in answer) return new InputError(answer.problems);
  return Object.assign(new Error(answer.crash.message), { stack: answer.crash.stack });
}

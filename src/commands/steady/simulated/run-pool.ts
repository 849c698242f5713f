import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Replicate, RunsOfRound } from '../../../analysis/long-run/replicated-runs.ts';
import { InputError, type Problem } from '../../../base/problem.ts';
import { startThread } from '../../../base/workers/start-thread.ts';
import { pathFacts } from '../../inputs/path-kinds.ts';
import type { Again } from '../steady-options.ts';

/** Positions in the memory that the threads of a simulation share, in 32-bit integers. */
export const CONTROL = {
  /** 1: runs end early. */
  stop: 0,
  /** 1: threads end. */
  quit: 1,
  /** Counts answers; the calling thread waits here. */
  answers: 2,
  /** From here four numbers for each thread. */
  threads: 3,
} as const;

/** Numbers of a thread, counted from `CONTROL.threads + 4 k`. */
export const OWN = {
  /** 1 once the thread has compiled its net; −1 if it cannot. */
  ready: 0,
  /** Counts tasks; the thread waits here. */
  tasks: 1,
  /** Grows while the thread works. */
  beats: 2,
} as const;

/** Position of a number of thread k. */
export const at = (thread: number, own: keyof typeof OWN): number => CONTROL.threads + 4 * thread + OWN[own];

/** A run that a thread is asked for. */
export interface RunTask {
  readonly replication: number;
  /** Simulated seconds. */
  readonly until: number;
}

/** Answer of a thread to a task; without a result or problems, the thread crashed in it. */
export interface RunAnswer {
  readonly replication: number;
  readonly result?: Replicate;
  readonly problems?: readonly Problem[];
}

/** Data with which a thread starts. */
export interface ThreadStart {
  /** Number of the thread, from 0. */
  readonly thread: number;
  readonly control: Int32Array;
  /** Delivers tasks, and takes answers. */
  readonly port: MessagePort;
  readonly again: Again;
}

/** Milliseconds of work before threads are started: a short simulation ends before they are ready. */
const PATIENCE_TO_START = 100;
/** Milliseconds between two questions whether to stop. */
const TICK = 50;
/** Milliseconds without any sign of life after which a thread is considered dead. */
const PATIENCE = 60_000;

interface RunThread {
  readonly port: MessagePort;
  /** Replications that it was asked for and has not answered. */
  readonly asked: Set<number>;
  isLost: boolean;
  beats: number;
  /** Time of its last sign of life. */
  seen: number;
}

/**
 * Threads that run replications together with the calling thread, which blocks: `steady` is synchronous. Each thread reads the
 * input again and compiles its own net. A replication is a function of the seed, its number and its time, so the results do not
 * depend on the threads: those of a thread that cannot start, or dies, are computed in the calling thread.
 */
export class RunPool {
  readonly #again: Again;
  readonly #others: number;
  readonly #control: Int32Array;
  readonly #begun = performance.now();
  #threads: readonly RunThread[] = [];

  /** @param workers number of threads, the calling one included */
  constructor(again: Again, workers: number) {
    this.#again = again;
    this.#others = workers - 1;
    this.#control = new Int32Array(new SharedArrayBuffer(4 * at(workers, 'ready')));
  }

  /**
   * The runs of a round, in the order of their numbers; undefined if `stop` ended it.
   *
   * @throws InputError the problems of the first replication that fails
   */
  readonly round: RunsOfRound = (count, until, run, stop) => {
    const results = new Array<Replicate | undefined>(count);
    const failed = new Map<number, unknown>();
    let next = 0;
    const again: number[] = [];
    const fail = (replication: number, error: unknown): void => {
      failed.set(replication, error);
      // Lower ones may fail, too; higher ones do not matter any more.
      next = Math.max(next, count);
    };
    const own = (replication: number): void => {
      try {
        results[replication] = run(replication);
      } catch (error) {
        fail(replication, error);
      }
    };
    const collect = (): void => {
      for (const thread of this.#threads)
        for (let m = receiveMessageOnPort(thread.port); m !== undefined; m = receiveMessageOnPort(thread.port)) {
          const { replication, result, problems } = m.message as RunAnswer;
          if (!thread.asked.delete(replication)) continue;
          if (result !== undefined) results[replication] = result;
          else if (problems !== undefined) fail(replication, new InputError(problems));
          else again.push(replication);
        }
    };
    for (;;) {
      collect();
      this.#start();
      // Two tasks for each thread at most, so that it need not wait; the last ones are spread evenly.
      for (let most = 1; most <= 2; most++)
        for (const [k, thread] of this.#threads.entries())
          if (this.#isReady(k) && thread.asked.size < most && count - next > (most - 1) * this.#threads.length + 1)
            this.#ask(k, { replication: next++, until });
      const replication = again.pop() ?? (next < count ? next++ : undefined);
      if (replication !== undefined) own(replication);
      else if (!this.#threads.some(({ asked }) => asked.size > 0)) break;
      else this.#wait(again);
      if (stop()) {
        Atomics.store(this.#control, CONTROL.stop, 1);
        return undefined;
      }
    }
    const [first] = [...failed.keys()].sort((a, b) => a - b);
    if (first !== undefined) throw failed.get(first);
    return results as readonly Replicate[];
  };

  /** Ends the threads. */
  end(): void {
    Atomics.store(this.#control, CONTROL.stop, 1);
    Atomics.store(this.#control, CONTROL.quit, 1);
    for (const [k, { port }] of this.#threads.entries()) {
      Atomics.add(this.#control, at(k, 'tasks'), 1);
      Atomics.notify(this.#control, at(k, 'tasks'));
      port.close();
    }
  }

  #isReady(thread: number): boolean {
    return !this.#threads[thread]!.isLost && Atomics.load(this.#control, at(thread, 'ready')) === 1;
  }

  #ask(thread: number, task: RunTask): void {
    const own = this.#threads[thread]!;
    if (own.asked.size === 0) own.seen = performance.now();
    own.asked.add(task.replication);
    own.port.postMessage(task);
    Atomics.add(this.#control, at(thread, 'tasks'), 1);
    Atomics.notify(this.#control, at(thread, 'tasks'));
  }

  /** Waits for an answer. Tasks of a thread without a sign of life are done again. */
  #wait(again: number[]): void {
    const control = this.#control;
    const answers = Atomics.load(control, CONTROL.answers);
    // An answer may have come since they were collected.
    if (this.#answers === answers) Atomics.wait(control, CONTROL.answers, answers, TICK);
    this.#answers = Atomics.load(control, CONTROL.answers);
    const now = performance.now();
    for (const [k, thread] of this.#threads.entries()) {
      const beats = Atomics.load(control, at(k, 'beats'));
      if (beats !== thread.beats) thread.seen = now;
      thread.beats = beats;
      if (thread.asked.size === 0 || now - thread.seen < PATIENCE) continue;
      thread.isLost = true;
      again.push(...thread.asked);
      thread.asked.clear();
    }
  }

  #answers = 0;

  #start(): void {
    if (this.#threads.length > 0 || performance.now() - this.#begun < PATIENCE_TO_START) return;
    const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const module = new URL(`./steady-worker.${ending}`, import.meta.url);
    this.#threads = Array.from({ length: this.#others }, (_, thread): RunThread => {
      const { port1, port2 } = new MessageChannel();
      const start: ThreadStart = { thread, control: this.#control, port: port2, again: this.#again };
      // The calling thread has imported the module already, and has shown its output.
      const options = { workerData: start, transferList: [port2], stdout: true, stderr: true };
      const worker = startThread(module, options, pathFacts(this.#again.file).isCode);
      worker.on('error', () => {});
      worker.unref();
      return { port: port1, asked: new Set(), isLost: false, beats: 0, seen: 0 };
    });
  }
}

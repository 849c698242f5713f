import type { Worker } from 'node:worker_threads';
import { InputError, type Problem } from '../../base/problem.ts';
import { startThread } from '../../base/start-thread.ts';
import type { Scenario } from './grid.ts';
import type { Outcome, Predictor } from './predictor.ts';
import type { PredictorSpec } from './predictor-spec.ts';

/** What a thread answers to a scenario. */
export type ThreadAnswer =
  | { readonly outcome: Outcome }
  | { readonly problems: readonly Problem[] }
  | { readonly crash: { readonly message: string; readonly stack: string } };

/** Threads that predict scenarios, and the predictor that hands each scenario to one of them that is free. */
export interface ThreadCrew {
  readonly predict: Predictor;
  /** Ends the threads, whatever they are about. */
  end(): Promise<void>;
}

/**
 * A crew of up to `workers` threads; each is started with the first scenario that finds none free, and makes the
 * predictor of `spec` once. A scenario whose thread dies (out of memory) fails with WHAT015, and the next gets a new
 * thread.
 */
export function threadCrew(spec: PredictorSpec, workers: number): ThreadCrew {
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
  return {
    predict: async (scenario) => {
      const hand = await take();
      try {
        return await hand.predict(scenario);
      } finally {
        give(hand);
      }
    },
    end: async () => {
      ended = true;
      await Promise.all([...all].map((hand) => hand.end()));
    },
  };
}

class Hand {
  readonly #worker: Worker;
  #waiting: { resolve(outcome: Outcome): void; reject(error: unknown): void } | undefined;
  dead = false;

  constructor(spec: PredictorSpec) {
    const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#worker = startThread(new URL(`./scenario-worker.${ending}`, import.meta.url), { workerData: spec });
    this.#worker.on('message', (answer: ThreadAnswer) => this.#answered(answer));
    this.#worker.on('error', (error: NodeJS.ErrnoException) => this.#die(error));
    this.#worker.on('exit', (code) => this.#die(new Error(`the thread has ended with exit code ${code}`)));
  }

  predict(scenario: Scenario): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#worker.postMessage(scenario);
    });
  }

  async end(): Promise<void> {
    this.dead = true;
    await this.#worker.terminate();
  }

  #answered(answer: ThreadAnswer): void {
    if ('outcome' in answer) this.#waiting?.resolve(answer.outcome);
    else if ('problems' in answer) this.#waiting?.reject(new InputError(answer.problems));
    else this.#waiting?.reject(Object.assign(new Error(answer.crash.message), { stack: answer.crash.stack }));
  }

  #die(error: NodeJS.ErrnoException): void {
    this.dead = true;
    const why = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : error.message;
    this.#waiting?.reject(new InputError([{ code: 'WHAT015', message: `it ended without an answer: ${why}` }]));
  }
}

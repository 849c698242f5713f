import { fail, type Place, quote } from '../../base/problem.ts';
import { counterOf, WORKER_STATES, type WorkerConsumer, type WorkerState } from './worker-states.ts';

/** States of workers by the names of spans. */
export type SpanNames = Readonly<Record<string, WorkerState>>;

const [LOCAL, GLOBAL, WAIT] = [1, 2, 3] as const;

/**
 * States that a worker passes through between two spans, by 4 × (state before) + (state after). They take no time.
 * Undefined if the life cycle has no such path without executing a task.
 */
const PASSED: readonly (readonly number[] | undefined)[] = [
  ...[[], [], [LOCAL], [LOCAL, GLOBAL]],
  ...[[], undefined, [], [GLOBAL]],
  ...[[], undefined, [], []],
  ...[[GLOBAL], undefined, [], undefined],
];

/** Seconds by which adjacent spans may overlap or be separated, because recorded times are rounded. */
const ROUNDING = 1e-9;

interface Last {
  state: number;
  end: number;
  region: string;
}

/**
 * Converts spans of workers to sequences of states. Adjacent spans in LOCAL or WAIT are merged. States omitted between two
 * spans take no time (EXEC before GLOBAL passes LOCAL). A gap between spans of a worker becomes a span in the state of
 * gaps. Memory: O(workers).
 */
export class WorkerSpans {
  readonly #consumer: WorkerConsumer;
  readonly #gap: number;
  readonly #last = new Map<number, Last>();

  constructor(consumer: WorkerConsumer, gap: WorkerState) {
    this.#consumer = consumer;
    this.#gap = WORKER_STATES.indexOf(gap);
  }

  /**
   * Adds a span; those of one worker come in the order of time.
   *
   * @throws InputError WRK001 for spans that cannot follow each other, WRK002 for spans that overlap
   */
  add(
    worker: number,
    name: string,
    region: string,
    state: WorkerState,
    start: number,
    end: number,
    place: Place,
  ): void {
    const last = this.#last.get(worker);
    if (last !== undefined && start < last.end - ROUNDING)
      fail(
        'WRK002',
        `worker ${quote(name)}: a span begins at ${start} s, before the end of its predecessor at ${last.end} s`,
        place,
      );
    const index = WORKER_STATES.indexOf(state);
    if (last !== undefined && last.region === region) {
      if (start > last.end + ROUNDING) this.#enter(worker, name, last, this.#gap, start, place);
      this.#enter(worker, name, last, index, Math.max(end, last.end), place);
      return;
    }
    this.#consumer.span(worker, region, index, start, end);
    this.#last.set(worker, { state: index, end, region });
  }

  /** The worker of `last` enters a state and stays in it until `end`. */
  #enter(worker: number, name: string, last: Last, state: number, end: number, place: Place): void {
    const { region, end: time } = last;
    const isJoined = last.state === state && (state === LOCAL || state === WAIT);
    const passed = isJoined ? [] : PASSED[4 * last.state + state];
    if (passed === undefined)
      fail(
        'WRK001',
        `worker ${quote(name)}: ${WORKER_STATES[state]} at ${time} s cannot follow ${WORKER_STATES[last.state]}: no worker looks into its own queue without having executed a task`,
        place,
      );
    if (!isJoined)
      for (const next of [...passed, state]) {
        this.#consumer.transition(worker, region, counterOf(last.state, next), time);
        last.state = next;
      }
    this.#consumer.span(worker, region, state, time, end);
    last.end = end;
  }
}

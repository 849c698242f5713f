import { fail, type Place, type Problem, quote } from '../../base/problem.ts';
import {
  ACTIVITIES,
  begins,
  counterOf,
  transition,
  WORKER_STATES,
  type WorkerConsumer,
  type WorkerState,
} from './worker-states.ts';

const [EXEC, LOCAL, GLOBAL, WAIT] = [0, 1, 2, 3] as const;
const WAITING = ACTIVITIES.indexOf('waiting');

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

/** The workers of a file in any form. */
export interface ReadWorkers {
  /** By their number in the consumer's calls. */
  readonly names: readonly string[];
  /** As a run record says; other inputs are recorded runs. */
  readonly origin?: 'recorded' | 'simulated';
  readonly warnings: readonly Problem[];
  /** Run records of which it is known: node of each worker, and name and speed of a core (flop/s) of each node. */
  readonly nodes?: {
    readonly nodeOf: readonly number[];
    readonly names: readonly string[];
    readonly speeds: readonly number[];
  };
}

/** Seconds by which adjacent spans may overlap or be separated, because recorded times are rounded. */
const ROUNDING = 1e-9;

interface Last {
  state: number;
  end: number;
  region: string;
  execution: number | undefined;
}

/** Details of a row in the record of a thread model, besides its state. */
export interface RecordedRow {
  readonly activity: number;
  readonly execution: number | undefined;
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
   * @param row how the time is spent, for records that say so, and the execution of the region. Adjacent spans in EXEC are
   * then one task
   * @param own the user's own state
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
    row?: RecordedRow,
    own?: string,
  ): void {
    const last = this.#last.get(worker);
    if (last !== undefined && start < last.end - ROUNDING)
      fail(
        'WRK002',
        `worker ${quote(name)}: a span begins at ${start} s, before the end of its predecessor at ${last.end} s: expected spans of one worker that follow each other. Leave out those inside others, such as calls of functions: a worker is in one state at a time`,
        place,
      );
    const index = WORKER_STATES.indexOf(state);
    if (own !== undefined) this.#consumer.own?.(worker, region, own, Math.max(start, last?.end ?? start), end);
    if (last !== undefined && last.region === region) {
      if (start > last.end + ROUNDING) this.#enter(worker, name, last, this.#gap, start, place);
      if (row?.execution !== last.execution) this.#consumer.stay?.(worker, region, start);
      last.execution = row?.execution;
      this.#enter(worker, name, last, index, Math.max(end, last.end), place, row?.activity);
      return;
    }
    begins(this.#consumer, worker, region, index, start);
    this.#consumer.span(worker, region, index, start, end, row?.activity);
    this.#last.set(worker, { state: index, end, region, execution: row?.execution });
  }

  /** The worker of `last` enters a state and stays in it until `end`. */
  #enter(worker: number, name: string, last: Last, state: number, end: number, place: Place, activity?: number): void {
    const { region, end: time } = last;
    last.end = end;
    // A worker is blocked within a task.
    if (activity === WAITING) {
      if (last.state !== EXEC) this.#pass(worker, last, [...(PASSED[4 * last.state + EXEC] ?? []), EXEC], time);
      this.#consumer.span(worker, region, WAIT, time, end, activity);
      return;
    }
    const isTask = state === EXEC && activity !== undefined;
    const isJoined = last.state === state && (state === LOCAL || state === WAIT || isTask);
    // The record of a thread model has no row of a task that takes no time.
    const unseen = activity === undefined ? undefined : last.state === WAIT ? [GLOBAL, EXEC] : [EXEC];
    const passed = isJoined ? [] : (PASSED[4 * last.state + state] ?? unseen);
    if (passed === undefined)
      fail(
        'WRK001',
        `worker ${quote(name)}: ${WORKER_STATES[state]} at ${time} s cannot follow ${WORKER_STATES[last.state]}: no worker looks into its own queue without having executed a task`,
        place,
      );
    if (!isJoined) this.#pass(worker, last, [...passed, state], time);
    this.#consumer.span(worker, region, state, time, end, activity);
  }

  /** Counts the transitions of a worker into several states in turn. */
  #pass(worker: number, last: Last, states: readonly number[], time: number): void {
    for (const next of states) {
      transition(this.#consumer, worker, last.region, counterOf(last.state, next), time);
      last.state = next;
    }
  }
}

import type { Window } from '../run/run-window.ts';
import { CARRIED, WORKER_STATES, type WorkerConsumer } from './worker-states.ts';

const EXEC = WORKER_STATES.indexOf('EXEC');

/** True if an instant is in a part of a run. That at the end belongs to the next part, unless the run ends there. */
export const isInWindow = ({ from, to, isLast }: Window, time: number): boolean =>
  time >= from && (time < to || (isLast === true && time === to));

/**
 * Passes on the part of a run between two instants. Spans are cut at its edges; a worker that is in a region at the begin
 * begins a stay there, and a task that it executes has begun before. Transitions at the end belong to the time after it,
 * unless the run ends there.
 */
export class WorkerWindow implements WorkerConsumer {
  readonly #next: WorkerConsumer;
  readonly #window: Window;

  constructor(next: WorkerConsumer, window: Window) {
    this.#next = next;
    this.#window = window;
  }

  span(worker: number, region: string, state: number, start: number, end: number, activity?: number): void {
    const { from, to } = this.#window;
    if (!this.#cuts(start, end)) return;
    if (start < from) {
      this.#next.stay?.(worker, region, from);
      if (state === EXEC) this.#next.task?.(worker, region, CARRIED, from);
    }
    this.#next.span(worker, region, state, Math.max(start, from), Math.min(end, to), activity);
  }

  own(worker: number, region: string, name: string, start: number, end: number): void {
    const { from, to } = this.#window;
    if (this.#cuts(start, end)) this.#next.own?.(worker, region, name, Math.max(start, from), Math.min(end, to));
  }

  transition(worker: number, region: string, counter: number, time: number): void {
    if (this.#has(time)) this.#next.transition(worker, region, counter, time);
  }

  task(worker: number, region: string, origin: number, time: number, count?: number): void {
    if (this.#has(time)) this.#next.task?.(worker, region, origin, time, count);
  }

  stay(worker: number, region: string, time: number): void {
    if (this.#has(time)) this.#next.stay?.(worker, region, time);
  }

  #has(time: number): boolean {
    return isInWindow(this.#window, time);
  }

  /** True if a span has a part in the window, or, for a span without length, if the window contains its instant. */
  #cuts(start: number, end: number): boolean {
    return start === end ? this.#has(start) : end > this.#window.from && start < this.#window.to;
  }
}

/** First and last instant of a run. */
export class WorkerExtent implements WorkerConsumer {
  from: number = Number.POSITIVE_INFINITY;
  to: number = Number.NEGATIVE_INFINITY;

  span(_worker: number, _region: string, _state: number, start: number, end: number): void {
    this.from = Math.min(this.from, start);
    this.to = Math.max(this.to, end);
  }

  transition(): void {
    // Transitions take no time.
  }
}

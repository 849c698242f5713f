import type { CountObserver } from '../engine/observers.ts';

/** A place seen as a queue over a time T. Tokens in service and served tokens not yet taken count alike. */
export interface QueueFigures {
  /** ∫ tokens dt / T. */
  readonly mean: number;
  /** Maximum number of tokens. */
  readonly most: number;
  /** Number of tokens that arrived. */
  readonly arrivals: number;
  /** Mean sojourn time of a token in seconds, by Little's law: ∫ tokens dt / arrivals. NaN before the first arrival. */
  readonly response: number;
  /** Tokens at the end. */
  readonly left: number;
}

/** Tracks the number of tokens of a place. O(1) per change. */
export class QueueMeter {
  #tokens = 0;
  #area = 0;
  #since = 0;
  #max = 0;
  #arrivals = 0;

  readonly observer: CountObserver = (time, change) => {
    this.#area += this.#tokens * (time - this.#since);
    this.#since = time;
    this.#tokens += change;
    if (change > 0) this.#arrivals += change;
    if (this.#tokens > this.#max) this.#max = this.#tokens;
  };

  /** @param time end of the run, in seconds */
  figures(time: number): QueueFigures {
    const area = this.#area + this.#tokens * (time - this.#since);
    return {
      mean: time > 0 ? area / time : this.#tokens,
      most: this.#max,
      arrivals: this.#arrivals,
      response: area / this.#arrivals,
      left: this.#tokens,
    };
  }
}

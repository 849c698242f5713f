import { freemem } from 'node:os';

/** Limits of a command. */
export interface BudgetOptions {
  /** Time limit of the whole command in seconds. Default: no limit. */
  readonly seconds?: number;
  /** Memory limit of the whole process in bytes. Default: half of the machine's free memory, at most 8 GB. */
  readonly memory?: number;
  readonly cancelled?: () => boolean;
  /** Start time of the command, as from `performance.now()`. Default: now. */
  readonly begun?: number;
}

/** Usable share of each limit; the rest is reserved for writing the answer and exiting. */
const USABLE = 0.96;
/** Milliseconds between two queries of the process's memory, each of which takes about 20 µs. */
const CHECK_EVERY_MS = 5;

/**
 * Time and memory left to a command, start-up included. All phases share one budget: reading, exploration, concurrent searches,
 * components, decisions and witnesses.
 */
export class Budget {
  /** As from `performance.now()`; Infinity without a time limit. */
  readonly #deadline: number;
  readonly #made: number = performance.now();
  readonly #memory: number;
  readonly #cancelled: () => boolean;
  #checked = Number.NEGATIVE_INFINITY;
  #full = false;

  private constructor(deadline: number, memory: number, cancelled: () => boolean) {
    this.#deadline = deadline;
    this.#memory = memory;
    this.#cancelled = cancelled;
  }

  static of(options: BudgetOptions = {}): Budget {
    const { seconds = Number.POSITIVE_INFINITY, begun = performance.now(), cancelled = () => false } = options;
    return new Budget(begun + 1000 * USABLE * seconds, USABLE * memoryLimit(options), cancelled);
  }

  /**
   * A budget whose deadline is this share of the remaining time from now.
   *
   * @param memory share of the memory that may be allocated from now on
   */
  before(share: number, memory = 1): Budget {
    const now = performance.now();
    const deadline = Math.min(this.#deadline, now + share * Math.max(0, this.#deadline - now));
    const kept = memory === 1 ? 0 : (1 - memory) * this.bytesLeft;
    return new Budget(deadline, this.#memory - kept, this.#cancelled);
  }

  /** A budget whose deadline is this number of milliseconds earlier. */
  keeping(milliseconds: number): Budget {
    return new Budget(this.#deadline - milliseconds, this.#memory, this.#cancelled);
  }

  /** True if a time limit is set. */
  get isTimed(): boolean {
    return this.#deadline < Number.POSITIVE_INFINITY;
  }

  get secondsLeft(): number {
    return Math.max(0, this.#deadline - performance.now()) / 1000;
  }

  /** Bytes that the process may still allocate. */
  get bytesLeft(): number {
    return Math.max(0, this.#memory - process.memoryUsage.rss());
  }

  /** Share of its limits that is used: the greatest of those of the time since it was made, of the memory, and of the states. */
  used(states: number, maxStates: number = Number.POSITIVE_INFINITY): number {
    const time = (performance.now() - this.#made) / (this.#deadline - this.#made);
    return Math.min(1, Math.max(states / maxStates, time, process.memoryUsage.rss() / this.#memory));
  }

  /** Reason to stop other than memory: deadline passed or cancelled by the user. O(1). */
  get late(): 'interrupted' | 'time' | undefined {
    if (this.#cancelled()) return 'interrupted';
    return performance.now() >= this.#deadline ? 'time' : undefined;
  }

  /** Reason to stop, including the memory limit. */
  get exceeded(): Exclude<Truncation, 'states'> | undefined {
    const late = this.late;
    if (late !== undefined) return late;
    const now = performance.now();
    if (now - this.#checked >= CHECK_EVERY_MS) {
      this.#checked = now;
      this.#full = process.memoryUsage.rss() > this.#memory;
    }
    return this.#full ? 'memory' : undefined;
  }

  /** True if the deadline has passed or the user cancelled. */
  readonly stop = (): boolean => this.late !== undefined;
}

const MAX_MEMORY = 8e9;

/** Memory limit of this process in bytes: the given limit, or half of the machine's free memory, at most 8 GB. */
export function memoryLimit({ memory }: { readonly memory?: number }): number {
  return memory ?? Math.min(freemem() / 2, MAX_MEMORY);
}

/** Reason why an exploration ended early. */
export type Truncation = 'states' | 'memory' | 'time' | 'interrupted';

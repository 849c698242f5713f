import { ParallelismMeter } from '../../../analysis/parallelism.ts';

/**
 * The number of computing ranks over time, from the ranks of each class, which start and stop together. The maximum is that of
 * the numbers that last: the order of the ranks within one instant is not known.
 */
export class ClassParallelism {
  readonly meter: ParallelismMeter = new ParallelismMeter();
  readonly #ranks: readonly number[];
  #level = 0;
  #since = 0;
  #max = 0;

  /** @param ranks number of ranks of each class */
  constructor(ranks: readonly number[]) {
    this.#ranks = ranks;
  }

  /** A rank of each class: it starts (1) or stops (−1) computing. */
  change(time: number, by: 1 | -1, rank: number): void {
    this.#pass(time);
    this.#level += by * this.#ranks[rank]!;
    this.meter.change(time, by * this.#ranks[rank]!);
  }

  /** The run ends. */
  end(time: number): void {
    this.#pass(time);
    this.meter.change(time, 0);
    this.meter.max = this.#max;
  }

  #pass(time: number): void {
    if (time > this.#since) this.#max = Math.max(this.#max, this.#level);
    this.#since = time;
  }
}

/** Maximum number of windows. From half of it on, a series is fine enough for warm-up and batches. */
const MAX_WINDOWS = 2048;

/**
 * Means of figures over windows of equal simulated time. If there are too many windows, pairs are merged, so that memory stays
 * O(figures) for runs of any length. O(figures) per window.
 */
export class Windows {
  /** Number of windows. */
  count = 0;
  /** Length of a window in seconds. */
  width: number;
  readonly #figures: number;
  readonly #series: Float64Array[];

  constructor(figures: number, width: number) {
    this.width = width;
    this.#figures = figures;
    this.#series = Array.from({ length: figures }, () => new Float64Array(MAX_WINDOWS));
  }

  /** True if the next window would be too many: merge pairs first. */
  get isFull(): boolean {
    return this.count === MAX_WINDOWS;
  }

  /** Adds a window; the function gives its mean of each figure. Further series get 0. */
  add(mean: (figure: number) => number): void {
    this.#series.forEach((series, figure) => {
      series[this.count] = figure < this.#figures ? mean(figure) : 0;
    });
    this.count += 1;
  }

  /** Adds a further series, which is 0 in all windows until now. Returns its number. */
  addSeries(): number {
    return this.#series.push(new Float64Array(MAX_WINDOWS)) - 1;
  }

  /** Sets the mean of a further series in the last window. */
  set(series: number, mean: number): void {
    this.#series[series]![this.count - 1] = mean;
  }

  /** Merges neighbouring windows; their width doubles. */
  merge(): void {
    this.count /= 2;
    this.width *= 2;
    for (const series of this.#series)
      for (let k = 0; k < this.count; k++) series[k] = (series[2 * k]! + series[2 * k + 1]!) / 2;
  }

  /** The means of a figure, in order of time. */
  of(figure: number): Float64Array {
    return this.#series[figure]!.subarray(0, this.count);
  }
}

/** The state of a meter as plain data. */
export interface ParallelismState {
  readonly max: number;
  readonly integral: number;
  readonly none: number;
  readonly one: number;
  readonly width: number;
  readonly bins: Float64Array;
  readonly level: number;
  readonly since: number;
}

/** Relative difference of times that may be rounding. */
const ROUNDING = 1e-12;

/** The number of active processes over time: its maximum, its integral, and its mean in at most 512 equal bins. */
export class ParallelismMeter {
  /**
   * The largest number that lasts: the order of starts and ends within one instant, and of instants that only rounding sets apart, says
   * nothing about how many compute together.
   */
  max = 0;
  /** ∫ active processes dt, in process-seconds. */
  integral = 0;
  /** Seconds in which no process is active, and exactly one. */
  none = 0;
  one = 0;
  /** Width of a bin in seconds. */
  width: number = 0;
  readonly #bins = new Float64Array(512);
  #level = 0;
  #since = 0;

  state(): ParallelismState {
    const { max, integral, none, one, width } = this;
    return { max, integral, none, one, width, bins: this.#bins, level: this.#level, since: this.#since };
  }

  restore({ max, integral, none, one, width, bins, level, since }: ParallelismState): void {
    Object.assign(this, { max, integral, none, one, width });
    this.#bins.set(bins);
    this.#level = level;
    this.#since = since;
  }

  change(time: number, by: number): void {
    const elapsed = time - this.#since;
    if (elapsed > 0) {
      if (this.#level > this.max && elapsed > ROUNDING * time) this.max = this.#level;
      this.integral += this.#level * elapsed;
      if (this.#level === 0) this.none += elapsed;
      else if (this.#level === 1) this.one += elapsed;
      this.#spread(this.#since, time);
      this.#since = time;
    }
    this.#level += by;
  }

  /** The mean level in each of `slices` equal parts of the time 0 … `end` (seconds). */
  profile(end: number, slices: number): number[] {
    const out = new Array<number>(slices).fill(0);
    if (!(end > 0)) return out;
    const slice = end / slices;
    for (let k = 0; k < this.#bins.length && k * this.width < end; k++) {
      const [from, to] = [k * this.width, Math.min((k + 1) * this.width, end)];
      const density = this.#bins[k]! / (to - from);
      for (let s = Math.floor(from / slice); s < slices && s * slice < to; s++)
        out[s]! += (density * Math.max(0, Math.min(to, (s + 1) * slice) - Math.max(from, s * slice))) / slice;
    }
    return out;
  }

  /** Adds the level to the bins of the interval; if the bins do not reach its end, pairs of bins are merged first. */
  #spread(from: number, to: number): void {
    const bins = this.#bins;
    if (this.width === 0) this.width = (to / bins.length) * 4;
    while (to > this.width * bins.length) {
      for (let k = 0; k < bins.length / 2; k++) bins[k] = bins[2 * k]! + bins[2 * k + 1]!;
      bins.fill(0, bins.length / 2);
      this.width *= 2;
    }
    if (this.#level === 0) return;
    let k = Math.min(bins.length - 1, Math.floor(from / this.width));
    for (let at = from; at < to; k++) {
      const next = Math.min(to, (k + 1) * this.width);
      if (k >= bins.length - 1) {
        bins[bins.length - 1]! += this.#level * (to - at);
        break;
      }
      bins[k]! += this.#level * Math.max(0, next - at);
      at = Math.max(at, next);
    }
  }
}

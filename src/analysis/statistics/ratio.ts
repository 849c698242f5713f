import { studentQuantile } from './student-t.ts';

/** Ratios that differ by less than this share are equal. */
const ROUNDING = 1e-13;

/**
 * Independent pairs (x, y), y ≥ 0, added one by one, for the ratio of their expectations: for example the busy time and the whole
 * time of each replication. O(1) each.
 */
export class RunningRatio {
  count = 0;
  #x = 0;
  #y = 0;
  #xx = 0;
  #xy = 0;
  #yy = 0;
  #least: number = Number.POSITIVE_INFINITY;
  #most: number = Number.NEGATIVE_INFINITY;

  add(x: number, y: number): void {
    this.count += 1;
    const [dx, dy] = [x - this.#x, y - this.#y];
    this.#x += dx / this.count;
    this.#y += dy / this.count;
    this.#xx += dx * (x - this.#x);
    this.#xy += dx * (y - this.#y);
    this.#yy += dy * (y - this.#y);
    if (y === 0) return;
    this.#least = Math.min(this.#least, x / y);
    this.#most = Math.max(this.#most, x / y);
  }

  /** Σ x / Σ y; NaN for Σ y = 0. */
  get value(): number {
    return this.#least === this.#most ? this.#least : this.#x / this.#y;
  }

  /** True if all pairs have the same ratio, except for rounding. From the moments, the interval would have a width of √ROUNDING. */
  get #isConstant(): boolean {
    return this.#most - this.#least <= ROUNDING * Math.max(Math.abs(this.#most), Math.abs(this.#least));
  }

  /**
   * The interval of E x / E y: the ratios r for which the mean of x − r y does not differ from 0 by Student's t (E. C. Fieller, JRSS B
   * 16, 1954). To first order it equals the interval of the delta method, which is too narrow and off centre if y varies
   * much. For equal y it is the interval of a mean.
   *
   * @returns undefined for fewer than two pairs, or if y varies too much to exclude E y = 0: every ratio is possible then
   */
  interval(confidence: number): { readonly lower: number; readonly upper: number } | undefined {
    const { count: n, value } = this;
    if (n < 2 || Number.isNaN(value)) return undefined;
    if (this.#isConstant) return { lower: this.#least, upper: this.#most };
    const [xx, xy, yy] = [this.#xx, this.#xy, this.#yy].map((sum) => sum / (n - 1)) as [number, number, number];
    const c = studentQuantile((1 - confidence) / 2, n - 1) ** 2 / n;
    const [x, y] = [this.#x, this.#y];
    const scale = y * y - c * yy;
    if (!(scale > 0)) return undefined;
    // The discriminant without the cancellation of its textbook form.
    const spread = Math.max(0, xx - 2 * value * xy + value * value * yy);
    const root = Math.sqrt(Math.max(0, c * y * y * spread - c * c * Math.max(0, xx * yy - xy * xy)));
    const middle = x * y - c * xy;
    return { lower: Math.min(value, (middle - root) / scale), upper: Math.max(value, (middle + root) / scale) };
  }
}

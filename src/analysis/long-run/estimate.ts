import type { BatchMean, NoInterval } from '../statistics/batch-means.ts';

/** A figure of a long run. */
export type Estimate =
  | { readonly mean: number; readonly lower: number; readonly upper: number }
  | { readonly mean: number; readonly because: Because };

/** Why a figure has no interval. `full`: tokens arrive as fast as they can leave. */
export type Because = NoInterval['because'] | 'grows' | 'full' | 'dead' | 'equal' | 'unended';

/** True if no end of an interval is further from the mean than a share of it. */
export function isNarrow({ mean, lower, upper }: Omit<BatchMean, 'batches' | 'warmUp'>, share: number): boolean {
  return Math.max(mean - lower, upper - mean) <= share * Math.abs(mean);
}

/**
 * How far work is that ends when intervals are narrow enough: their width falls with the root of the amount of work, such as firings
 * (Law, §9.4.1). The share is an estimate, and may fall when the widths are looked at again.
 */
export class Outlook {
  readonly #goal: number;
  readonly #margin: number;
  #needed = Number.NaN;

  /**
   * @param goal half-width of the intervals relative to their means
   * @param margin work until narrow intervals are confirmed, as a multiple of that until they are narrow
   */
  constructor(goal: number, margin: number) {
    this.#goal = goal;
    this.#margin = margin;
  }

  /** Takes the intervals after an amount of work. O(estimates). */
  look(done: number, estimates: Iterable<Estimate>): void {
    let widest = 0;
    for (const found of estimates) widest = Math.max(widest, needsMore(found) ? Number.NaN : relativeWidth(found));
    this.#needed = this.#margin * done * Math.max(1, (widest / this.#goal) ** 2);
  }

  /** The share of the work that is done, from 0 to 1; NaN while it is not known. */
  share(done: number): number {
    return Math.min(1, done / this.#needed);
  }
}

/** True if a figure has no interval yet. */
const needsMore = (found: Estimate): boolean =>
  'because' in found && found.because !== 'constant' && found.because !== 'equal';

/** Half-width of an interval relative to its mean; 0 without one. */
export function relativeWidth(found: Estimate): number {
  if ('because' in found || found.mean === 0) return 0;
  return Math.max(found.mean - found.lower, found.upper - found.mean) / Math.abs(found.mean);
}

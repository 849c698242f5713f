import { InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { fullPlaces } from '../bounds/full-load.ts';
import { provedBounds } from '../flows/place-proofs.ts';
import { drawsNumbers } from '../monitor.ts';
import { flatten } from '../petri/flatten.ts';
import { trend } from '../statistics/independence.ts';

/** Batches, and the number of standard deviations of their trend, from which tokens are taken to grow without end. */
const TREND_BATCHES = 32;
const TREND = 6;
/** Firings, and looks in a row, before growth is believed: a net may take long to drain its initial marking. */
const TREND_FIRINGS = 1e6;
export const TREND_LOOKS = 4;
/**
 * Growth is believed after fewer firings if the tokens of a place are a larger share of all firings than a stable queue reaches: after
 * n firings, the queue of a server at load 1 has about √n tokens, which is 0.3 % of 10⁵.
 */
export const EARLY_FIRINGS = 1e5;
const EARLY_SHARE = 0.02;

/** Places of a net whose tokens may grow throughout a run. Proofs are searched for when they are first asked for. */
export class Growth {
  readonly #net: Net;
  readonly #stop: () => boolean;
  #most: readonly number[] | undefined;
  #full: ReadonlySet<number> | undefined;

  constructor(net: Net, stop: () => boolean) {
    this.#net = net;
    this.#stop = stop;
  }

  /** True if a trend is not the warm-up: the run is long, or many tokens are left at its end. */
  isLong(firings: number, series: Float64Array): boolean {
    return firings >= TREND_FIRINGS || (firings >= EARLY_FIRINGS && (series.at(-1) ?? 0) >= EARLY_SHARE * firings);
  }

  /**
   * True if the tokens of a place grow almost without exception. A place with a proved maximum may fill for as long as a run takes, but not
   * without end.
   */
  grows(place: number, series: Float64Array): boolean {
    return hasTrend(series) && this.#isUnlimited(place);
  }

  #isUnlimited(place: number): boolean {
    this.#most ??= provedMaxima(this.#net);
    return this.#most[place] === Number.POSITIVE_INFINITY;
  }

  /** True if tokens arrive at a place as fast as they can leave, at random times. */
  isFull(place: number): boolean {
    if (!drawsNumbers(this.#net) || !this.#isUnlimited(place)) return false;
    this.#full ??= new Set(fullPlaces(this.#net, this.#stop).map((full) => full.place));
    return this.#full.has(place);
  }

  /** Why a place has no mean, as independent runs show; undefined if it may have one. */
  inAll(
    place: number,
    runs: readonly { readonly growing: readonly number[] }[],
    isKnown: boolean,
  ): 'full' | 'grows' | undefined {
    const doAllGrow = runs.every(({ growing }) => growing.includes(place)) && this.#isUnlimited(place);
    if ((doAllGrow || !isKnown) && this.isFull(place)) return 'full';
    return doAllGrow ? 'grows' : undefined;
  }

  /** Why a place has no mean; undefined if it may have one. */
  because(place: number, series: Float64Array): 'full' | 'grows' | undefined {
    if (this.isFull(place)) return 'full';
    return this.grows(place, series) ? 'grows' : undefined;
  }
}

/** By place: a proved maximum of its tokens; Infinity if none is proved. */
function provedMaxima(net: Net): readonly number[] {
  const most = net.places.map(({ capacity }) => (capacity === undefined ? 0 : capacity));
  try {
    const petri = flatten(net);
    const bounds = provedBounds(petri);
    for (const [k, { kind, node }] of petri.places.entries())
      if (kind !== 'busy' && net.places[node]!.capacity === undefined) most[node]! += bounds[k]!;
    return most;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return net.places.map(({ capacity }) => capacity ?? Number.POSITIVE_INFINITY);
  }
}

/** True if the means of batches grow almost without exception. */
export function hasTrend(series: Float64Array): boolean {
  const size = Math.floor(series.length / TREND_BATCHES);
  if (size === 0) return false;
  const batches = Float64Array.from({ length: TREND_BATCHES }, (_, b) => {
    const batch = series.subarray(b * size, (b + 1) * size);
    return batch.reduce((sum, x) => sum + x, 0) / size;
  });
  return trend(batches) >= TREND;
}

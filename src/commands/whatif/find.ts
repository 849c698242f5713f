/** Result of one measurement of a search. */
export type Judged =
  /** A run time in seconds. */
  | number
  /** No run time: the scenario failed or deadlocks. It is neither slow nor fast. */
  | undefined
  /** No run time, and none at later positions either, unless a later one is found to run. */
  | 'none from here'
  /** The search was cancelled. */
  | 'cancelled';

/** The result of a search along an axis. */
export interface Found<M> {
  /** True if a position meets the target. */
  readonly met: boolean;
  /** The position found; if none meets the target, that with the smallest run time; `undefined` if no position ran. */
  readonly position: number | undefined;
  /**
   * If met: no smaller position meets the target, provided that run times fall along the axis. If not
   * met: every position was measured, up to those known not to run.
   */
  readonly verified: boolean;
  /** All measurements, in the order of positions. */
  readonly tried: readonly { readonly position: number; readonly measured: M }[];
}

/**
 * Finds the smallest position of 0 … `count` − 1 whose run time is at most `target`.
 *
 * 1. Positions 0, 2, 6, 14 … are measured until one meets the target.
 * 2. Bisection between that position and the last one that is too slow.
 *
 * Run times are assumed to fall along the axis. A position without a run time says nothing about its neighbours, so it
 * never moves a bound of the search: its nearest neighbours are measured instead. If no position of step 1 meets the
 * target, the positions between the last slow one and the end are measured, too. Every position between the result and the
 * last slow one has therefore been measured. Positions behind `none from here` are measured in step 1 only. About
 * 2 log₂(count) measurements if all positions run; at most `max`.
 *
 * Even if run times do not fall, the position found meets the target, but an unmeasured smaller one might meet it, too.
 *
 * @param measure measures a position
 * @param judge interprets a measurement
 */
export async function findMinimum<M>(
  count: number,
  target: number,
  measure: (position: number) => Promise<M> | M,
  judge: (measured: M) => Judged,
  max: number = Number.POSITIVE_INFINITY,
): Promise<Found<M>> {
  const tried = new Map<number, M>();
  let slow = -1;
  /** Positions from here on are presumed not to run. */
  let end = count;
  let ran = -1;
  const ends: number[] = [];
  let met: number | undefined;
  let stopped = false;
  /** Measures a position; true if a bound of the search moved. */
  const probe = async (position: number): Promise<boolean> => {
    const measured = await measure(position);
    tried.set(position, measured);
    const judged = judge(measured);
    stopped = judged === 'cancelled' || tried.size >= max;
    if (judged === 'cancelled' || judged === undefined) return false;
    if (judged === 'none from here') ends.push(position);
    else {
      ran = Math.max(ran, position);
      if (judged <= target) met = position;
      else slow = position;
    }
    end = ends.reduce((first, at) => (at > ran ? Math.min(first, at) : first), count);
    return true;
  };
  for (let last = -1, step = 1; met === undefined && !stopped && last < count - 1; step *= 2) {
    last = Math.min(count - 1, last + step);
    await probe(last);
  }
  for (let moved = true; moved && !stopped; ) {
    moved = false;
    for (const position of outward(slow, met ?? end)) {
      if (tried.has(position)) continue;
      moved = await probe(position);
      if (moved || stopped) break;
    }
  }
  const all = [...tried].sort(([a], [b]) => a - b).map(([position, measured]) => ({ position, measured }));
  if (met !== undefined) return { met: true, position: met, verified: !stopped || met - slow === 1, tried: all };
  let closest: number | undefined;
  let min = Number.POSITIVE_INFINITY;
  for (const { position, measured } of all) {
    const time = judge(measured);
    if (typeof time === 'number' && time < min) [closest, min] = [position, time];
  }
  const covered = all.filter(({ position }) => position < end).length;
  return { met: false, position: closest, verified: covered === end, tried: all };
}

/** Positions strictly between two bounds, from the middle outwards. */
function* outward(below: number, above: number): Generator<number> {
  const middle = Math.floor((below + above) / 2);
  for (let by = 0; middle - by > below || middle + by < above; by++) {
    if (middle - by > below) yield middle - by;
    if (by > 0 && middle + by < above) yield middle + by;
  }
}

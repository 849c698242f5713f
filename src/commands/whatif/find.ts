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
  /** False if no measured position meets the target, but one that was not measured might. */
  readonly decided: boolean;
  /** The position found; if none meets the target, that with the smallest run time; `undefined` if no position ran. */
  readonly position: number | undefined;
  /**
   * If met: no smaller position meets the target, provided that run times fall along the axis up to it. If not
   * met: every position was measured, up to those known not to run.
   */
  readonly verified: boolean;
  /** True if the measured run times do not fall all along the axis. */
  readonly rises: boolean;
  /** All measurements, in the order of positions. */
  readonly tried: readonly { readonly position: number; readonly measured: M }[];
}

/** Axes of at most this many positions are measured whole before a target is called out of reach. */
export const SHORT = 32;

/**
 * Finds the smallest position of 0 … `count` − 1 whose run time is at most `target`.
 *
 * 1. Positions 0, 2, 6, 14 … are measured until one meets the target.
 * 2. If none does and run times do not fall all along, the minimum between the neighbours of the fastest position is searched, until a
 *    position meets the target. This assumes that run times fall and then rise.
 * 3. Bisection between the position that meets the target and the last one before it that is too slow.
 * 4. If none meets the target, an axis of at most {@link SHORT} positions is measured whole. On a longer one the answer is not
 *    decided, unless run times fall all along.
 *
 * A position without a run time says nothing about its neighbours, so it never moves a bound of the search: its nearest
 * neighbours are measured instead. Positions behind `none from here` are measured in step 1 only. About 2 log₂(count)
 * measurements if all positions run and times fall; at most `max`.
 *
 * The position found meets the target in any case, but an unmeasured smaller one might meet it, too.
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
  /** Run times in seconds of the positions that ran. */
  const times = new Map<number, number>();
  /** Positions from here on are presumed not to run. */
  let end = count;
  const ends: number[] = [];
  let met: number | undefined;
  let stopped = false;
  /** The nearest position below or above one that ran, or the end of the axis. */
  const below = (position: number): number =>
    [...times.keys()].reduce((m, p) => (p < position ? Math.max(m, p) : m), -1);
  const above = (position: number): number =>
    [...times.keys()].reduce((m, p) => (p > position ? Math.min(m, p) : m), end);
  /** Measures a position; true if a bound of the search moved. */
  const probe = async (position: number): Promise<boolean> => {
    const measured = await measure(position);
    tried.set(position, measured);
    const judged = judge(measured);
    stopped = judged === 'cancelled' || tried.size >= max;
    if (judged === 'cancelled' || judged === undefined) return false;
    if (judged === 'none from here') ends.push(position);
    else {
      times.set(position, judged);
      if (judged <= target && (met === undefined || position < met)) met = position;
    }
    const ran = below(count);
    end = ends.reduce((first, at) => (at > ran ? Math.min(first, at) : first), count);
    return true;
  };
  /** Measures the first position that is left of some; true if a bound of the search moved. */
  const probeFirst = async (positions: Iterable<number>): Promise<boolean> => {
    for (const position of positions) {
      if (stopped) return false;
      if (!tried.has(position) && (await probe(position))) return true;
    }
    return false;
  };
  const fastest = (): number | undefined =>
    [...times].reduce<number | undefined>(
      (best, [p, time]) =>
        best === undefined || time < times.get(best)! || (time === times.get(best)! && p < best) ? p : best,
      undefined,
    );
  for (let last = -1, step = 1; met === undefined && !stopped && last < count - 1; step *= 2) {
    last = Math.min(count - 1, last + step);
    await probe(last);
  }
  while (met === undefined && !stopped && isUneven(times)) {
    const best = fastest()!;
    const [low, high] = [below(best), above(best)];
    const [larger, smaller] =
      best - low > high - best
        ? [
            [low, best],
            [best, high],
          ]
        : [
            [best, high],
            [low, best],
          ];
    if (
      !(await probeFirst(outward(larger![0]!, larger![1]!))) &&
      !(await probeFirst(outward(smaller![0]!, smaller![1]!)))
    )
      break;
  }
  while (
    !stopped &&
    (met !== undefined || !isUneven(times)) &&
    (await probeFirst(outward(below(met ?? end), met ?? end)))
  );
  if (met === undefined && count <= SHORT)
    for (let position = 0; position < end && met === undefined && !stopped; position++)
      if (!tried.has(position)) await probe(position);
  const rises = isUneven(times);
  const all = [...tried].sort(([a], [b]) => a - b).map(([position, measured]) => ({ position, measured }));
  if (met !== undefined) {
    const verified = !stopped || met - below(met) === 1;
    return { met: true, decided: true, position: met, verified, rises, tried: all };
  }
  const covered = all.filter(({ position }) => position < end).length;
  const verified = covered === end;
  // Run times that fall up to the last position have their minimum there.
  const decided = verified || (!rises && !stopped);
  return { met: false, decided, position: fastest(), verified, rises, tried: all };
}

/** True if a position does not take less time than an earlier one. Between two equal times, lower ones may be hidden. */
function isUneven(times: ReadonlyMap<number, number>): boolean {
  let least = Number.POSITIVE_INFINITY;
  for (const [, time] of [...times].sort(([a], [b]) => a - b)) {
    if (time >= least) return true;
    least = time;
  }
  return false;
}

/** Positions strictly between two bounds, from the middle outwards. */
function* outward(below: number, above: number): Generator<number> {
  const middle = Math.floor((below + above) / 2);
  for (let by = 0; middle - by > below || middle + by < above; by++) {
    if (middle - by > below) yield middle - by;
    if (by > 0 && middle + by < above) yield middle + by;
  }
}

/** What a search along an axis found. */
export interface Found<M> {
  /** Whether a position meets the target. */
  readonly met: boolean;
  /** The position found; where none meets the target, that of the least run time tried. Undefined: nothing could be measured. */
  readonly position: number | undefined;
  /** Whether the position just before was tried, too, and does not meet the target (true of the first position). */
  readonly verified: boolean;
  /** All that was measured, in the order of positions. */
  readonly tried: readonly { readonly position: number; readonly measured: M }[];
}

/**
 * The least position of 0 … `count` − 1 whose run time is at most `target`: positions 0, 2, 6, 14 … until one meets it, then
 * bisection between that and the last that did not. About 2 log₂(count) measurements.
 *
 * A run time need not fall along the axis. What is promised is what was measured: the position meets the target, and the
 * one before it does not; a still smaller one that was not tried might. Where neither the positions of the doubling nor
 * the last meets it, none is searched further.
 *
 * @param measure what is measured at a position
 * @param runTime its run time (s); undefined where there is none, which does not meet the target
 */
export async function findLeast<M>(
  count: number,
  target: number,
  measure: (position: number) => Promise<M> | M,
  runTime: (measured: M) => number | undefined,
): Promise<Found<M>> {
  const tried = new Map<number, M>();
  const meets = async (position: number): Promise<boolean> => {
    const measured = tried.get(position) ?? (await measure(position));
    tried.set(position, measured);
    return (runTime(measured) ?? Infinity) <= target;
  };
  let failed = -1;
  let met: number | undefined;
  for (let step = 1; met === undefined && failed < count - 1; step *= 2) {
    const position = Math.min(count - 1, failed + step);
    if (await meets(position)) met = position;
    else failed = position;
  }
  while (met !== undefined && met - failed > 1) {
    const middle = Math.floor((failed + met) / 2);
    if (await meets(middle)) met = middle;
    else failed = middle;
  }
  const all = [...tried].sort(([a], [b]) => a - b).map(([position, measured]) => ({ position, measured }));
  if (met !== undefined) return { met: true, position: met, verified: true, tried: all };
  let closest: number | undefined;
  let least = Infinity;
  for (const { position, measured } of all) {
    const time = runTime(measured) ?? Infinity;
    if (time < least) [closest, least] = [position, time];
  }
  return { met: false, position: closest, verified: tried.size === count, tried: all };
}

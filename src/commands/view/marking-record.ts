import { TokenHistoryWriter } from '../../analysis/game/token-history.ts';
import { simulate } from '../../analysis/simulate.ts';
import { compile } from '../../engine/compile.ts';
import type { Net } from '../../net/net.ts';

/** Changes of a marking that a page holds: about 4 bytes each. */
const MAX_CHANGES = 2_000_000;

/** The changes of the marking of a run, or the reason for leaving them out. */
export type MarkingRecord = { readonly pieces: readonly Uint8Array[] } | { readonly why: string };

/**
 * Repeats a run of a net and records its marking: the engine itself reports each token that a place gets or loses. The run is the same as
 * that of the prediction, because nets, seeds and steps are; the firings are compared. Costs a second run, slower by the reports.
 *
 * @param firings numbers of firings of the run that is repeated
 * @param options `until`: seconds at which the record ends; `progress` receives the simulated time in seconds; `cancelled` returns true to end the work
 */
export function recordMarking(
  net: Net,
  seed: string,
  firings: unknown,
  {
    maxChanges = MAX_CHANGES,
    until,
    progress,
    cancelled = () => false,
  }: {
    readonly maxChanges?: number;
    readonly until?: number;
    readonly progress?: (time: number) => void;
    readonly cancelled?: () => boolean;
  } = {},
): MarkingRecord {
  const writer = new TokenHistoryWriter();
  const numbers = net.places.map(({ name, fields }, place) => ({ name, place, isColoured: fields.length > 0 }));
  const compiled = compile(net, {
    counts: Object.fromEntries(
      numbers.map(({ name, place }) => [
        name,
        (time: number, by: number, ...values: number[]) => writer.change(time, place, by, values),
      ]),
    ),
    coloured: numbers.filter(({ isColoured }) => isColoured).map(({ name }) => name),
  });
  const run = simulate(compiled, {
    seed,
    maxInstantSteps: 1e9,
    ...(until === undefined ? {} : { until }),
    ...(progress === undefined ? {} : { progress: ({ now }) => progress(now) }),
    cancelled: () => writer.count > maxChanges || cancelled(),
  });
  if (writer.count > maxChanges)
    return { why: `its marking changes more often than ${maxChanges.toLocaleString('en')} times` };
  if (cancelled()) return { why: 'the work was interrupted' };
  if (typeof firings === 'object' && firings !== null)
    for (const [transition, count] of Object.entries(firings))
      if (run.firings[transition] !== count) return { why: 'the run of the net is not that of the prediction' };
  return { pieces: writer.finish() };
}

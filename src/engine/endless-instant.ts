import { listing } from '../base/listing.ts';
import { InputError } from '../base/problem.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { isDistribution } from '../net/distribution.ts';
import { cdf } from '../net/distributions/laws.ts';
import type { Expression } from '../net/expression.ts';
import type { Delay, Net, Transition } from '../net/net.ts';
import { constantOf } from '../net/validation/validate-expression.ts';
import type { Emission } from './emit/emission.ts';

/** Maximum number of transitions of a cycle that an error lists. */
const MAX_LISTED = 12;

/** Steps of the first search for a cycle; each further one has twice as many. */
const FIRST_SEARCH = 1000;

/**
 * The error for more than `max` steps at one instant. Runs up to `max` further steps, or four for each transition, to find the transitions
 * that fire on and on: a cycle may have many of them.
 */
export function endlessInstant(
  { net, plans }: Emission,
  kernel: Kernel,
  firings: () => Float64Array,
  max: number,
): InputError {
  const now = kernel.get('now');
  const before = firings().slice();
  let fired: readonly Transition[] = [];
  let cycle: readonly Transition[] = [];
  for (let steps = FIRST_SEARCH, left = Math.max(FIRST_SEARCH, max, 4 * plans.length); left > 0; steps *= 2) {
    let goesOn = true;
    let ends = false;
    try {
      ends = kernel.call['run']!(Math.min(steps, left), Number.POSITIVE_INFINITY, now) === 0;
    } catch {
      // The cycle is reported despite the error.
      goesOn = false;
    }
    const after = firings();
    fired = plans.filter(({ number: k }) => after[k]! > before[k]!).map(({ transition }) => transition);
    // If the instant ends, or no transition fires any more, there is no cycle, only many steps.
    cycle = ends ? [] : cycleWithoutDelay(net, fired, now);
    if (ends || !goesOn || cycle.length > 0) break;
    left -= steps;
  }
  const named = (transitions: readonly Transition[]): string =>
    listing(
      transitions.map(({ name }) => name),
      { max: MAX_LISTED },
    );
  const why =
    cycle.length > 0
      ? `endless cycle without delay through ${named(cycle)}`
      : `${fired.length === 0 ? '' : `as many firings of ${named(fired)} fall on it, but no cycle without delay was seen; `}raise maxInstantSteps to allow more`;
  return new InputError([{ code: 'RUN001', message: `more than ${max} steps at time ${now} s: ${why}` }]);
}

/**
 * The transitions that can fire without end at the time `now`. Each takes tokens only from places that one of them fills, and no delay
 * of a firing or a place is certain to pass time: one far below `now` adds nothing to it. O(arcs × transitions).
 */
export function cycleWithoutDelay(
  { places }: Pick<Net, 'places'>,
  transitions: readonly Transition[],
  now: number,
): readonly Transition[] {
  const slow = new Set(
    places.flatMap(({ name, service }) =>
      service !== undefined && 'time' in service && takesTime(service.time, now) ? [name] : [],
    ),
  );
  let left = transitions.filter(({ delay }) => delay === undefined || !takesTime(delay, now));
  for (;;) {
    const filled = new Set(left.flatMap(({ outputs }) => outputs.map(({ place }) => place)));
    const kept = left.filter(({ inputs }) =>
      inputs.every(({ kind, place }) => kind !== 'take' || (filled.has(place) && !slow.has(place))),
    );
    if (kept.length === left.length) return left;
    left = kept;
  }
}

/** Probability of a draw that passes no time from which a delay cannot end a cycle. */
const MAX_STILL = 0.5;

/**
 * True if a delay passes time at `now`, where draws of up to about `now` · 2⁻⁵³ are lost to rounding. Values that depend on bindings
 * are taken as 0: of distributions that are defined there, some draw may be 0; all others draw positive times only.
 */
function takesTime(delay: Delay, now: number): boolean {
  const value = (e: Expression): number => constantOf(e) ?? 0;
  if (!isDistribution(delay)) return now + value(delay) > now;
  return !(cdf(delay, value)((now * Number.EPSILON) / 2) > MAX_STILL);
}

import { ROUNDING } from '../../analysis/markov/elimination.ts';
import type { Net } from '../../net/net.ts';
import { NO_INTERVAL } from '../exact/absorption.ts';
import type { Interval } from '../exact/exact-parts.ts';
import type { Valued } from './steady-figures.ts';
import type { SteadyPlace, SteadyRunTime, SteadyTransition } from './steady-result.ts';

/** Expected time of a run in seconds, from the restarts per second. */
export function runTimeOf(restarts: Valued): SteadyRunTime {
  const { value: mean, ...interval } = quotient(known(1), restarts);
  return { mean, ...interval };
}

/**
 * Arrivals at each place, and the mean time that a token stays, by Little's law. Both follow from other figures: if each interval holds with
 * probability c, intervals of k of them hold together with at least 1 − k(1 − c).
 *
 * @param restarts restarts per second, each of which adds the initial tokens to the arrivals
 */
export function withResponse(
  net: Net,
  places: readonly SteadyPlace[],
  transitions: readonly SteadyTransition[],
  restarts: Valued | undefined,
): SteadyPlace[] {
  const rates = new Map(
    transitions.map(({ name, throughput: value, enabledProbability: _, enabled: __, ...error }) => [
      name,
      { value, ...error },
    ]),
  );
  const parts = new Map<string, Part[] | undefined>(places.map(({ name }) => [name, []]));
  for (const { name, outputs } of net.transitions)
    for (const { place, count } of outputs)
      if (count.op === 'const') parts.get(place)?.push({ rate: rates.get(name)!, factor: count.value });
      else parts.set(place, undefined);
  return places.map((place, k) => {
    const coming = parts.get(place.name);
    if (coming === undefined) return place;
    const initial = net.places[k]!.initial.reduce((n, { count }) => n + count, 0);
    const all = restarts === undefined ? coming : [...coming, { rate: restarts, factor: initial }];
    const arrivals = sum(all.filter(({ factor }) => factor > 0));
    if (!(arrivals.value > 0)) return place;
    const { mean: value, ...error } = place;
    const response = quotient({ value, ...intervalOf(error) }, arrivals);
    return { ...place, arrivals: { ...arrivals, unit: '1/s' }, response: { ...response, unit: 's' } };
  });
}

/** The arrivals that one transition contributes to a place: firings per second, and tokens of a firing. */
interface Part {
  readonly rate: Valued;
  readonly factor: number;
}

/** A number that is known exactly. */
export const known = (value: number): Valued => ({ value, halfWidth: 0, lower: value, upper: value, certainty: 1 });

const intervalOf = ({ lower, upper, certainty, halfWidth }: Interval): Interval => ({
  halfWidth,
  lower,
  upper,
  certainty,
});

/** A sum of multiples of figures ≥ 0, with its interval; a factor may have one rounding. */
export function sum(parts: readonly Part[]): Valued {
  const off = (parts.length + 4) * ROUNDING;
  const value = parts.reduce((all, { rate, factor }) => all + factor * rate.value, 0);
  const certainty = together(parts.map(({ rate }) => rate));
  if (certainty === 0) return { value, ...NO_INTERVAL };
  const lower = parts.reduce((all, { rate, factor }) => all + factor * Math.max(0, rate.lower!), 0) * (1 - off);
  const upper =
    parts.reduce((all, { rate, factor }) => all + factor * (rate.upper ?? Number.POSITIVE_INFINITY), 0) * (1 + off);
  return bounded(value, lower, upper, certainty);
}

/** A quotient of figures ≥ 0, with its interval. */
export function quotient(a: Valued, b: Valued): Valued {
  const value = a.value / b.value;
  const certainty = together([a, b]);
  if (certainty === 0) return { value, ...NO_INTERVAL };
  const lower = b.upper === null ? 0 : (Math.max(0, a.lower!) / b.upper) * (1 - 2 * ROUNDING);
  const upper = a.upper === null ? Number.POSITIVE_INFINITY : (a.upper / Math.max(0, b.lower!)) * (1 + 2 * ROUNDING);
  return bounded(value, lower, upper, certainty);
}

function bounded(value: number, lower: number, upper: number, certainty: number): Valued {
  const isBounded = upper < Number.POSITIVE_INFINITY;
  const mean = Math.min(Math.max(value, lower), upper);
  const halfWidth = isBounded ? Math.max(mean - lower, upper - mean) : null;
  return { value: mean, halfWidth, lower, upper: isBounded ? upper : null, certainty };
}

/** Probability at least that all intervals hold; 0 if one has none. */
function together(figures: readonly Interval[]): number {
  if (figures.some(({ certainty }) => certainty === 0)) return 0;
  return Math.max(0, 1 - figures.reduce((off, { certainty }) => off + (1 - certainty), 0));
}

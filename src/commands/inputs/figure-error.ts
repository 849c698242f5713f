import type { FigureError } from './document-parts.ts';

/** Confidence level of intervals that no option sets. */
export const CONFIDENCE = 0.95;

/**
 * The error of a mean: its confidence interval. An end that exceeds the range of a double is null.
 *
 * @param half half-width of the interval
 * @param certainty confidence level of the interval
 */
export function errorOfMean(mean: number, half: number, certainty: number): FigureError {
  return { lower: finite(mean - half), upper: finite(mean + half), certainty };
}

/** The error of a count that was stopped early: what was counted is a lower bound, for certain. */
export function errorOfPart(counted: number): FigureError {
  return { lower: counted, upper: null, certainty: 1 };
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

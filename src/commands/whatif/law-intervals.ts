import { RunningRatio } from '../../analysis/statistics/ratio.ts';
import { summary } from '../../analysis/statistics/summary.ts';
import { CONFIDENCE, errorOfMean, type FigureError } from '../inputs/document-parts.ts';
import { amdahlOf, gustafsonOf, type Measured, scalabilityOf } from './scaling-laws.ts';
import type { AmdahlFit, GustafsonFit, ScalabilityFit, ScalingPoint } from './whatif-result.ts';

/** A measured point with its replications; replication k drew the same random numbers in all points. */
export interface Replicated extends Measured {
  /** Run time of each replication, in seconds. */
  readonly seconds: readonly number[];
  /** Mean number of ranks at work in each replication, if it is known. */
  readonly parallel?: readonly number[] | undefined;
}

/** Maximum number of groups of replications; Student's t with 49 degrees of freedom is 3 % above the normal quantile. */
const MAX_GROUPS = 50;

/** Errors of the run time, the speed-up and the efficiency of each point; empty with fewer than two replications. */
export function pointErrors(
  all: readonly Replicated[],
  points: readonly ScalingPoint[],
  confidence: number = CONFIDENCE,
): ScalingPoint[] {
  const count = replicationsOf(all);
  const first = all.find(({ ranks }) => ranks === points[0]?.ranks);
  if (count < 2 || first === undefined) return [...points];
  return points.map((point) => {
    const { seconds } = all.find(({ ranks }) => ranks === point.ranks)!;
    const { mean, half } = summary(seconds, confidence);
    const ratio = ratioOf(first.seconds, seconds, confidence);
    const scaled = (value: number | null): FigureError =>
      ratio === undefined || value === null || point.speedUp === null
        ? { lower: null, upper: null, certainty: 0 }
        : {
            lower: (ratio.lower * value) / ratio.value,
            upper: (ratio.upper * value) / ratio.value,
            certainty: confidence,
          };
    return {
      ...point,
      errors: {
        runTime: errorOfMean(mean, half, confidence),
        speedUp: scaled(point.speedUp),
        efficiency: scaled(point.efficiency),
      },
    };
  });
}

/** The error of the growth of the run time from the fewest to the most ranks. */
export function growthError(all: readonly Replicated[], confidence: number = CONFIDENCE): FigureError | undefined {
  const ascending = [...all].sort((a, b) => a.ranks - b.ranks);
  const found =
    replicationsOf(all) < 2 ? undefined : ratioOf(ascending.at(-1)!.seconds, ascending[0]!.seconds, confidence);
  return found === undefined ? undefined : { lower: found.lower - 1, upper: found.upper - 1, certainty: confidence };
}

/** The ratio of mean run times of the same replications. */
function ratioOf(
  numerators: readonly number[],
  denominators: readonly number[],
  confidence: number,
): { readonly value: number; readonly lower: number; readonly upper: number } | undefined {
  const ratio = new RunningRatio();
  for (const [k, x] of numerators.entries()) ratio.add(x, denominators[k]!);
  const found = ratio.interval(confidence);
  return found === undefined ? undefined : { value: ratio.value, ...found };
}

/** Amdahl's law with the errors of its numbers. */
export const amdahlErrors = (all: readonly Replicated[], fit: AmdahlFit, confidence: number = CONFIDENCE): AmdahlFit =>
  withErrors(all, fit, confidence, (measured) => amdahlOf(measured, true), {
    serialTime: [0, Infinity],
    serialShare: [0, 1],
  });

/** The universal scalability law with the errors of its numbers. */
export const scalabilityErrors = (
  all: readonly Replicated[],
  fit: ScalabilityFit,
  confidence: number = CONFIDENCE,
): ScalabilityFit =>
  withErrors(all, fit, confidence, (measured) => scalabilityOf(measured, true), {
    serialTime: [0, Infinity],
    contention: [0, 1],
    coherence: [0, Infinity],
  });

/** Gustafson's law with the errors of its numbers. */
export const gustafsonErrors = (
  all: readonly Replicated[],
  fit: GustafsonFit,
  confidence: number = CONFIDENCE,
): GustafsonFit =>
  withErrors(all, fit, confidence, (measured) => gustafsonOf(measured, true), {
    serialTime: [0, Infinity],
    serialShare: [0, 1],
  });

/**
 * The errors of the numbers of a law by the jackknife over replications (R. G. Miller, Biometrika 61, 1974): the law is fitted again
 * for each group of replications without this group. A group is left out in all points at once, because replication k draws the same
 * random numbers in them. These fits may leave the ranges of the numbers: at an end of its range, a number would not vary. The interval is
 * cut to the range. It contains the number that fits the expected run times, and does not say how well the law describes them.
 */
function withErrors<Fit extends object, Name extends Exclude<keyof Fit & string, 'errors'>>(
  all: readonly Replicated[],
  fit: Fit,
  confidence: number,
  fitted: (measured: readonly Measured[]) => Readonly<Record<NoInfer<Name>, number>> | undefined,
  ranges: Readonly<Record<Name, readonly [least: number, most: number]>>,
): Fit {
  const count = replicationsOf(all);
  if (count < 2) return fit;
  const groups = Math.min(count, MAX_GROUPS);
  const whole = fitted(without(all, undefined, groups));
  const parts = Array.from({ length: groups }, (_, g) => fitted(without(all, g, groups)));
  if (whole === undefined || parts.includes(undefined)) return fit;
  const errors = Object.fromEntries(
    (Object.entries(ranges) as [Name, readonly [number, number]][]).map(
      ([name, [least, most]]): [Name, FigureError] => {
        const pseudo = parts.map((part) => groups * whole[name] - (groups - 1) * part![name]);
        if (!pseudo.every(Number.isFinite)) return [name, { lower: null, upper: null, certainty: 0 }];
        const { low, high } = summary(pseudo, confidence);
        const value = fit[name] as number;
        const cut = (x: number): number => Math.min(most, Math.max(least, x));
        return [name, { lower: Math.min(value, cut(low)), upper: Math.max(value, cut(high)), certainty: confidence }];
      },
    ),
  );
  return { ...fit, errors };
}

/** Means over all replications but those of a group. */
function without(all: readonly Replicated[], group: number | undefined, groups: number): Measured[] {
  const mean = (values: readonly number[]): number => {
    const left = group === undefined ? values : values.filter((_, k) => k % groups !== group);
    return left.reduce((sum, x) => sum + x, 0) / left.length;
  };
  return all.map(({ ranks, seconds, parallel }) => ({
    ranks,
    runTime: mean(seconds),
    ...(parallel === undefined ? {} : { parallelism: mean(parallel) }),
  }));
}

/** The number of replications of all points; 0 if they differ. */
function replicationsOf(all: readonly Replicated[]): number {
  const [first, ...others] = all.map(({ seconds }) => seconds.length);
  return first !== undefined && others.every((one) => one === first) ? first : 0;
}

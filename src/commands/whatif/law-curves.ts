import type { AmdahlFit, GustafsonFit, ScalabilityFit } from './whatif-result.ts';

/** A law over numbers of ranks: its value, and the least and largest value while each of its numbers stays in its interval. */
export interface LawCurve {
  readonly law: 'Amdahl' | 'universal scalability law' | 'Gustafson';
  /** Quantity that the law describes: seconds of a run, or the scaled speed-up. */
  readonly of: 'runTime' | 'speedUp';
  readonly at: (ranks: number) => number;
  /** Absent without intervals. They are those of the numbers, so that the band says nothing about the misfit of the law. */
  readonly band?: (ranks: number) => readonly [lower: number, upper: number];
}

/** The numbers of a law that a band takes from their intervals. */
type Numbers<Fit> = { readonly [Name in keyof Fit]: number };

/** T(p) = T₁ (s + (1 − s) / p), in seconds. */
const amdahl = (
  p: number,
  { serialTime, serialShare }: Numbers<Pick<AmdahlFit, 'serialTime' | 'serialShare'>>,
): number => serialTime * (serialShare + (1 - serialShare) / p);

/** T(N) = T₁ (1 + σ (N − 1) + κ N (N − 1)) / N, in seconds. */
const scalability = (
  n: number,
  { serialTime, contention, coherence }: Numbers<Pick<ScalabilityFit, 'serialTime' | 'contention' | 'coherence'>>,
): number => (serialTime * (1 + contention * (n - 1) + coherence * n * (n - 1))) / n;

/** S(p) = p − s (p − 1). */
const gustafson = (p: number, { serialShare }: Numbers<Pick<GustafsonFit, 'serialShare'>>): number =>
  p - serialShare * (p - 1);

/**
 * The laws of a series as curves. For one rank or more, every law is monotonic in each of its numbers, so that the ends of a band are
 * those of the intervals.
 */
export function lawCurves(series: {
  readonly amdahl?: AmdahlFit;
  readonly scalability?: ScalabilityFit;
  readonly gustafson?: GustafsonFit;
}): LawCurve[] {
  return [
    ...curve('Amdahl', 'runTime', amdahl, ['serialTime', 'serialShare'], series.amdahl),
    ...curve(
      'universal scalability law',
      'runTime',
      scalability,
      ['serialTime', 'contention', 'coherence'],
      series.scalability,
    ),
    ...curve('Gustafson', 'speedUp', gustafson, ['serialShare'], series.gustafson),
  ];
}

function curve<Name extends string>(
  law: LawCurve['law'],
  of: LawCurve['of'],
  value: (ranks: number, numbers: Readonly<Record<Name, number>>) => number,
  names: readonly Name[],
  fit:
    | (Readonly<Record<Name, number>> & {
        readonly errors?: Readonly<Record<Name, { readonly lower: number | null; readonly upper: number | null }>>;
      })
    | undefined,
): LawCurve[] {
  if (fit === undefined) return [];
  const at = (ranks: number): number => value(ranks, fit);
  const { errors } = fit;
  const ends = (['lower', 'upper'] as const).map((end) => names.map((name) => errors?.[name][end] ?? null));
  if (errors === undefined || ends.flat().includes(null)) return [{ law, of, at }];
  const [low, high] = ends.map(
    (all) => Object.fromEntries(names.map((name, k) => [name, all[k]!])) as Record<Name, number>,
  ) as [Record<Name, number>, Record<Name, number>];
  const band = (ranks: number): readonly [number, number] => {
    const values = [value(ranks, low), value(ranks, high)] as const;
    return [Math.min(...values), Math.max(...values)];
  };
  return [{ law, of, at, band }];
}

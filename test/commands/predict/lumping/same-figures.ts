import { expect } from 'vitest';
import type { PredictionDocument } from '../../../../src/commands/predict/prediction.ts';
import { type PredictOptions, predict } from '../../../../src/index.ts';
import type { ProgramModel } from '../../../../src/models.ts';

/**
 * Predicts a model with all ranks and lumped, and expects all figures of the lumped result to be those of all ranks, up to 1e-12 of
 * the run time, or of their own value.
 */
export function expectSame(model: ProgramModel, options: PredictOptions): NonNullable<PredictionDocument['lumping']> {
  const full = predict(model, options) as PredictionDocument;
  const { lumping, ...lumped } = predict(model, { ...options, lump: true }) as PredictionDocument;
  expect(lumping!.factor).toBe(lumping!.ranks / lumping!.simulated);
  if (lumping!.reason !== undefined) {
    expect(lumping!.simulated).toBe(full.ranks.length);
    const { lump, ...settings } = lumped.options;
    expect({ ...lumped, options: settings }).toEqual(full);
    return lumping!;
  }
  const time = full.figures.runTime.value;
  const near = (got: number, expected: number, of: number): void => {
    if (!(Math.abs(got - expected) <= 1e-12 * of)) expect(got).toBe(expected);
  };
  expect(full.deadlock).toEqual([]);
  expect(full.warnings).toEqual(lumped.warnings);
  expect(lumped.ranks.length).toBe(full.ranks.length);
  for (const [r, own] of lumped.ranks.entries())
    for (const [name, value] of Object.entries(full.ranks[r]!)) {
      const got = own[name as keyof typeof own];
      if (typeof value === 'number') near(got as number, value, time);
      else expect(got).toBe(value);
    }
  // Shares of transfers depend on the order of events within one instant.
  const { parallelism, transfer: _, ...figures } = full.figures;
  expect(lumped.figures).not.toHaveProperty('transfer');
  same(figures, { ...lumped.figures, parallelism: undefined });
  for (const name of ['mean', 'none', 'one'] as const)
    near(lumped.figures.parallelism![name]!.value, parallelism![name]!.value, Math.max(1, parallelism![name]!.value));
  expect(lumped.figures.parallelism!.max.value).toBe(parallelism!.max.value);
  expect(lumped.profile!.values.length).toBe(full.profile!.values.length);
  // Parts of the curve are drawn from bins, whose width follows from the first change of a run: of several ranks at one instant the
  // full run may begin with another one. The area is exact, and no part leaves the range of the run.
  const area = ({ profile }: Pick<PredictionDocument, 'profile'>): number => profile!.values.reduce((a, b) => a + b, 0);
  near(area(lumped), area(full), Math.max(1, area(full)));
  for (const value of lumped.profile!.values)
    expect(value).toBeLessThanOrEqual(lumped.figures.parallelism!.max.value * (1 + 1e-9));
  const byName = (d: Pick<PredictionDocument, 'resources'>): object =>
    Object.fromEntries(d.resources.map((resource) => [resource.name, resource]));
  same(byName(full), byName(lumped));
  return lumping!;

  /** Numbers are near, everything else is equal. */
  function same(expected: object, got: object): void {
    expect(rounded(got)).toEqual(rounded(expected));
    const numbers = numbersIn(got);
    for (const [k, value] of numbersIn(expected).entries()) near(numbers[k]!, value, Math.abs(value));
  }
}

const rounded = (value: object): unknown =>
  JSON.parse(JSON.stringify(value, (_, v: unknown) => (typeof v === 'number' ? 0 : v)));

const numbersIn = (value: object): number[] =>
  Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, v]: [string, unknown]) =>
      typeof v === 'number' ? [v] : typeof v === 'object' && v !== null ? numbersIn(v) : [],
    );

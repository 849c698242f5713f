import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { compareProfiles } from '../../../src/commands/compare/compare-profiles.ts';
import { renderProfileComparison } from '../../../src/commands/compare/profile-comparison-view.ts';
import type { ProfileDocument } from '../../../src/commands/profile/profile-document.ts';
import { profile } from '../../../src/commands/profile/profile-program.ts';
import { spmd } from '../../../src/models.ts';

/** `work` shares 0.8 s among the ranks; `last` is named as the caller says. */
const run = (ranks: number, last = 'last'): ProfileDocument =>
  profile(
    spmd({
      name: 'shared',
      build(m) {
        m.interval('work', {}, () => {
          m.compute({ seconds: 0.8 / m.size });
          m.interval('exchange', {}, () => m.allreduce({ bytes: 8 }));
        });
        m.interval(last, { kind: 'sequential' }, () => m.compute({ seconds: 0.1 }));
      },
    }),
    { ranks },
  );

describe('the comparison of two profiles', () => {
  const [sequential, parallel] = [run(1), run(4, 'finish')];
  const document = compareProfiles({ input: 'seq', document: sequential }, { input: 'par', document: parallel });
  const of = (interval: string) => document.intervals.find((one) => one.interval === interval)!;
  const figure = (interval: string, name: string) => of(interval).figures.find((one) => one.name === name)!;

  test('intervals of one path are compared', () => {
    expect(document.intervals.map(({ interval, only }) => [interval, only])).toEqual([
      ['', undefined],
      ['work', undefined],
      ['work/exchange', undefined],
      ['last', 'a'],
      ['finish', 'b'],
    ]);
    expect(figure('work', 'cpuTimeParallel')).toMatchObject({ unit: 's' });
    expect(figure('work', 'cpuTimeParallel').relative).toBeCloseTo(0, 12);
    const time = figure('work', 'executionTime');
    expect(time.a).toBeCloseTo(0.8, 9);
    expect(time.difference).toBe(time.b! - time.a!);
    expect(time.relative!).toBeCloseTo((time.b! - time.a!) / time.a!, 12);
    expect(figure('work', 'processors')).toMatchObject({ a: 1, b: 4, difference: 3 });
    expect(figure('last', 'executionTime')).toMatchObject({ b: null, difference: null, relative: null });
  });

  test('the productive time of the parallel run is the sequential time', () => {
    const productive = figure('work', 'productiveTime');
    expect(productive.b! / productive.a!).toBeCloseTo(1, 9);
  });

  test('a run compared with itself has no difference', () => {
    const same = compareProfiles({ input: 'a', document: parallel }, { input: 'b', document: parallel });
    const differences = same.intervals.flatMap(({ figures }) => figures.map(({ difference }) => difference));
    expect(differences.length).toBeGreaterThan(60);
    expect(new Set(differences)).toEqual(new Set([0]));
    expect(renderProfileComparison(same, { width: 100, unicode: true, colour: false })).toMatch(/B takes as long as A/);
  });

  test('the text has both times of an interval and their change', () => {
    const text = renderProfileComparison(document, { width: 100, unicode: true, colour: false });
    expect(text).toMatch(/^work +800\.00 ms +201\.\d\d ms +-75 %$/m);
    expect(text).toMatch(/^finish +– +100\.00 ms +–$/m);
  });

  test.each([
    ['another kind', { ...parallel, kind: 'prediction' }, /expected a profile.*got "prediction"/],
    ['another version', { ...parallel, version: 2 }, /version: expected 1, got 2/],
    [
      'an interval without figures',
      { ...parallel, intervals: [{ name: 'x', level: 1, executions: 1 }] },
      /intervals\[0\]/,
    ],
    ['an operation without a sum', { ...parallel, operations: [{ kind: 'x' }] }, /operations\[0\]\.count/],
    ['a figure that is a string', { ...parallel, figures: { ...parallel.figures, idle: '0' } }, /figures\.idle/],
  ])('%s is refused', (_, damaged, message) => {
    const call = () =>
      compareProfiles({ input: 'a.json', document: damaged as never }, { input: 'b', document: parallel });
    expect(call).toThrow(InputError);
    expect(call).toThrow(message);
  });
});

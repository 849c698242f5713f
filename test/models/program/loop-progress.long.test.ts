import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { mapModel } from '../../../src/commands/predict/model/stages.ts';
import type { Progress } from '../../../src/commands/predict/options.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { shareOfLoops } from '../../../src/models/program/run/loop-progress.ts';
import { counter, flag, type ProgramBuilder, type ProgramModel, spmd } from '../../../src/models.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { arbitrary, modelOf } from './random-model.ts';
import { machine } from './run.ts';

/** Shares of the work at some points of a run, the last one at its end; undefined if the amount is unknown. */
function sharesOf(model: ProgramModel, ranks: number, until?: number): number | undefined {
  const { program } = mapModel(model, { machine, ranks });
  const names = program.net.transitions.map(({ name }) => name);
  const shareOf = shareOfLoops(program, names);
  if (shareOf === undefined) return undefined;
  const { firings } = simulate(program.net, until === undefined ? {} : { until });
  return shareOf(names.map((name) => firings[name] ?? 0));
}

const vars = { i: counter(), j: counter(), done: flag() };
type Builder = ProgramBuilder<Record<never, never>, typeof vars>;
const written = (build: (m: Builder) => void): ProgramModel =>
  spmd({ name: 'written', vars, build }) as unknown as ProgramModel;

describe('the share of the work that a run has done', () => {
  it('is 1 at the end of each random program, if the amount of work is known', () => {
    let known = 0;
    fc.assert(
      fc.property(arbitrary, ({ ranks, parts }) => {
        const share = sharesOf(modelOf(parts), ranks);
        if (share === undefined) return;
        known++;
        expect(share).toBeCloseTo(1, 10);
      }),
      { numRuns: effort(1000) },
    );
    expect(known).toBeGreaterThan(atFullEffort(100));
  });

  const second = (m: Builder): void => m.compute({ seconds: 1 });
  it.each<readonly [name: string, build: (m: Builder) => void, at: number, share: number | undefined]>([
    ['iterations that have begun, on all ranks', (m) => m.loop('i', 10, () => second(m)), 2.5, 0.3],
    [
      'counts by rank',
      (m) =>
        m.loop(
          'i',
          (s) => 4 * (s.rank + 1),
          () => second(m),
        ),
      3.5,
      8 / 12,
    ],
    [
      'a weight of one for each statement',
      (m) => {
        m.loop('i', 2, () => second(m));
        m.loop('i', 2, () => {
          second(m);
          second(m);
        });
      },
      1.5,
      1 / 3,
    ],
    [
      'tests by rank',
      (m) =>
        m.when(
          (s) => s.rank === 0,
          () => m.loop(5, () => second(m)),
        ),
      1.5,
      0.4,
    ],
    [
      'the outer loop, if the inner one is of unknown length',
      (m) =>
        m.loop('i', 4, () =>
          m.loop(
            'j',
            (s) => s.i,
            () => second(m),
          ),
        ),
      0.5,
      0.5,
    ],
    ['nothing without loops', second, 0, undefined],
    [
      'nothing with a loop that waits for a condition',
      (m) => {
        m.loop(9, () => second(m));
        m.while(
          (s) => !s.done,
          () => m.let('done', true),
        );
      },
      0,
      undefined,
    ],
    [
      'nothing if a loop repeats at random',
      (m) => {
        m.loop(9, () => second(m));
        m.repeat(0.5, () => second(m));
      },
      0,
      undefined,
    ],
    [
      'nothing if chance decides whether there is a loop',
      (m) => m.chance(0.5, () => m.loop(9, () => second(m))),
      0,
      undefined,
    ],
  ])('counts %s', (_, build, at, share) => {
    const found = sharesOf(written(build), 2, at);
    if (share === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(share, 10);
  });

  it('is reported by predict', () => {
    const reports: Progress[] = [];
    const model = written((m) => m.loop(20_000, () => second(m)));
    predict(model as never, { machine, ranks: 2, progress: (one) => reports.push(one) });
    expect(reports.length).toBeGreaterThan(2);
    // Every iteration lasts as long as each other: the share of the work is that of the time.
    for (const { time, share } of reports) expect(Math.abs(share - time / 20_000)).toBeLessThan(1e-3);
  });
});

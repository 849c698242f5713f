import { describe, expect, test } from 'vitest';
import { InputError, type Problem } from '../../../src/base/problem.ts';
import { explore } from '../../../src/commands/explore/explore.ts';
import { spaceRerunOf } from '../../../src/commands/explore/explore-rerun.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { verifyProgram } from '../../../src/commands/verify/program/verify-program.ts';
import { parseAxes } from '../../../src/commands/whatif/axes/axes.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { cluster, grid2d, mpmd, spmd } from '../../../src/models.ts';

/** Models that declare their rank counts, and one that rejects rank counts by throwing. */
const isSquare = (n: number): boolean => Number.isInteger(Math.sqrt(n));
const square = spmd({ name: 'square', ranks: isSquare, build: (m) => m.compute({ flops: 1e9 / m.size }) });
const throwing = spmd({
  name: 'throwing',
  build(m) {
    if (!isSquare(m.size)) throw new Error('squares only');
    m.compute({ flops: 1e9 / m.size });
  },
});
const grid = spmd({
  name: 'grid',
  params: { px: 2, py: 3 },
  ranks: (n, p) => n === p.px * p.py,
  build(m) {
    const { east, west } = grid2d(m.size, { sizes: [m.p.px, m.p.py] });
    m.sendrecv({ to: (s) => east(s.rank), from: (s) => west(s.rank), bytes: 8 });
  },
});
const machine = cluster({
  nodes: 20,
  coresPerNode: 1,
  speed: '4Gf',
  link: { latency: '1us', bandwidth: '1GB/s' },
  eagerBelow: 1000,
});

function problemOf(run: () => unknown): Problem {
  try {
    run();
  } catch (e) {
    if (e instanceof InputError) return e.problems[0]!;
    throw e;
  }
  throw new Error('nothing was thrown');
}

describe('a model that declares its rank counts', () => {
  test('allows exactly these counts', () => {
    expect([1, 2, 3, 4, 9, 10].filter((n) => square.allows(n))).toEqual([1, 4, 9]);
    expect(grid.allows(6)).toBe(true);
    expect(grid.with({ px: 4 }).allows(6)).toBe(false);
    expect(square.allows(4.5)).toBe(false);
    expect(throwing.allows(3)).toBe(true);
  });

  test.each([
    ['between two', square, 5, 'the nearest allowed are 4 and 9'],
    ['below all', grid, 2, 'the nearest allowed is 6'],
    ['above all', grid, 40, 'the nearest allowed is 6'],
  ])('predict rejects a number %s with the nearest ones and the line of the model', (_, model, ranks, says) => {
    const { code, message, place } = problemOf(() => predict(model, { machine, ranks }));
    expect(code).toBe('MODEL004');
    expect(message).toContain(`does not run on ${ranks} ranks; ${says}`);
    expect(place?.file).toBe(new URL(import.meta.url).pathname);
    expect(place?.line).toBeGreaterThan(0);
  });

  test('predict uses the largest number that fits on the cores if none is given', () => {
    expect(predict(square, { machine }).ranks.length).toBe(16);
    expect(predict(grid, { machine }).ranks.length).toBe(6);
  });

  test('verify chooses allowed counts and lists the others', () => {
    const { instances, refused } = verifyProgram(square);
    expect([...new Set(instances.map((i) => i.ranks))]).toEqual([4, 9]);
    expect(refused.map((r) => r.ranks)).toEqual([2, 3, 5, 6, 7, 8]);
    expect(refused[0]!.reason).toContain('declares');
    expect([...new Set(verifyProgram(grid).instances.map((i) => i.ranks))]).toEqual([6]);
    const one = spmd({ name: 'one', ranks: (n) => n === 1, build: (m) => m.barrier() });
    expect(verifyProgram(one).instances.map((i) => i.ranks)).toEqual([1, 1]);
    const many = spmd({ name: 'many', ranks: (n) => n >= 70, build: (m) => m.barrier() });
    expect(verifyProgram(many, { sends: 'eager' }).instances[0]!.ranks).toBe(70);
  });

  test('explore and verify of properties choose the smallest allowed number, with a warning, and repeat with it', () => {
    const space = explore(square);
    expect(space.options).toMatchObject({ ranks: 4, skippedRanks: '2,3' });
    expect(space.warnings).toEqual([
      'model "square" refuses 2,3 ranks (MODEL004 model "square" does not run on 2 ranks; the nearest allowed are 1 and 4): 4 ranks are explored; --ranks chooses others',
    ]);
    const inputs = { model: { path: 'package.json', sha256: '' } };
    expect(() => spaceRerunOf({ ...space, inputs }, 'x.json')).toThrow('APP011');
    expect(verify(square, ['safe']).options['ranks']).toBe(4);
  });

  test('coupled models run on the numbers on which all parts run', () => {
    const pair = mpmd({
      name: 'pair',
      parts: [
        { model: square, ranks: 'rest' },
        { model: throwing, ranks: 1 },
      ],
    });
    expect([1, 2, 3, 4, 5, 6].filter((n) => pair.allows(n))).toEqual([2, 5]);
    expect(problemOf(() => pair.record(4)).message).toBe(
      'model "pair" does not run on 4 ranks: its part "square" does not run on 3; the nearest allowed are 2 and 5',
    );
    const few = mpmd({ name: 'few', parts: [{ model: square, ranks: 'rest' }], ranks: (n) => n < 9 });
    expect([1, 4, 9].filter((n) => few.allows(n))).toEqual([1, 4]);
  });

  test.each([
    ['no function', 4, /ranks: expected a function, .* got 4/],
    ['no boolean', (n: number) => n & 1, /called with 3: expected true or false, got 1/],
    [
      'that throws',
      () => {
        throw new Error('no');
      },
      /called with 3, throws: no/,
    ],
  ])('a rule that is %s is rejected', (_, ranks, says) => {
    const problem = problemOf(() => spmd({ name: 'x', ranks: ranks as never, build: () => {} }).record(3));
    expect(problem).toMatchObject({ code: 'MODEL001', message: expect.stringMatching(says) });
    expect(problem.place?.line).toBeGreaterThan(0);
  });
});

describe('a model that rejects numbers of ranks by throwing', () => {
  test('is verified for the rank counts that it accepts', () => {
    const { instances, refused } = verifyProgram(throwing);
    expect([...new Set(instances.map((i) => i.ranks))]).toEqual([4, 9]);
    expect(refused[0]).toEqual({ ranks: 2, reason: 'build throws Error: squares only' });
    expect(explore(throwing).options).toMatchObject({ ranks: 4, skippedRanks: '2,3' });
  });

  test('is rejected with the first problem if it accepts none', () => {
    const never = spmd({
      name: 'never',
      build(m) {
        throw new Error(`not ${m.size}`);
      },
    });
    expect(problemOf(() => verifyProgram(never)).message).toContain('not 2');
    expect(problemOf(() => explore(never)).message).toContain('not 2');
  });
});

describe('whatif', () => {
  const study = (vary: readonly string[], model: typeof square = square, more = {}): ReturnType<typeof whatif> =>
    whatif(model, { machine, workers: 1, vary: parseAxes(vary), ...more });

  test('skips rejected numbers of a range, with a note', async () => {
    const { scenarios, warnings, axes } = await study(['ranks=1..18']);
    expect(scenarios.map((s) => [s.values['ranks'], s.status])).toEqual([1, 4, 9, 16].map((n) => [n, 'done']));
    expect(axes[0]!.values).toEqual([1, 4, 9, 16]);
    expect(warnings).toEqual([
      {
        code: 'WHAT021',
        message: 'model "square" does not run on 2,3,5-8,10-15,17,18 ranks: skipped',
        place: { part: 'axis ranks' },
      },
    ]);
  });

  test('searches among the allowed numbers', async () => {
    const { found } = await study(['ranks=1..20'], square, { find: { axis: 'ranks', target: 0.07 } });
    expect(found[0]).toMatchObject({ met: true, value: 4 });
  });

  test.each([
    [
      'a listed number',
      ['ranks=1,2,4'],
      {},
      'axis ranks: model "square" does not run on 2 ranks; the nearest allowed are 1 and 4',
    ],
    ['a range without an allowed number', ['ranks=5..8'], {}, 'the nearest allowed are 4 and 9'],
    ['a number for all scenarios', ['placement=block,cyclic'], { ranks: 7 }, 'the nearest allowed are 4 and 9'],
  ])('rejects %s', async (_, vary, more, says) => {
    await expect(study(vary, square, more)).rejects.toThrow(`MODEL004 ${says.startsWith('axis') ? says : ''}`);
    await expect(study(vary, square, more)).rejects.toThrow(says);
  });

  test('keeps numbers allowed by some values of varied parameters', async () => {
    const { scenarios } = await study(['model.px=1,2', 'ranks=1..7'], grid as never);
    expect(scenarios.map((s) => [s.values['model.px'], s.values['ranks'], s.status])).toEqual([
      [1, 3, 'done'],
      [1, 6, 'failed'],
      [2, 3, 'failed'],
      [2, 6, 'done'],
    ]);
  });
});

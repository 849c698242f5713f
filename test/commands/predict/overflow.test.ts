import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { nonFinitePath } from '../../../src/base/finite-figures.ts';
import { InputError, type Problem } from '../../../src/base/problem.ts';
import { compare } from '../../../src/commands/compare/compare.ts';
import { comparisonJson, renderComparison } from '../../../src/commands/compare/comparison-view.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { predictionJson } from '../../../src/commands/predict/prediction-json.ts';
import { readResult } from '../../../src/commands/rerun/result-file.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { spmd } from '../../../src/models.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { netToJson } from '../../../src/net/json/json.ts';
import { lt, sub } from '../../../src/net/terms.ts';
import { documentJson } from '../../../src/report/document-json.ts';
import { formatShare } from '../../../src/report/units.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-overflow-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const machine = (speed: string) =>
  cluster({
    nodes: 64,
    coresPerNode: 1,
    speed: speed as '1Gf',
    link: { latency: '12us', bandwidth: '1GB/s' },
    eagerBelow: 65536,
  });
const trace = (name: string, ...lines: string[]): string => file(name, `${lines.join('\n')}\n`);
const computing = (name: string, ranks: number, each: readonly string[]): string =>
  trace(
    name,
    ...Array.from({ length: ranks }, (_, r) => [`${r} init`, ...each.map((a) => `${r} ${a}`), `${r} finalize`]).flat(),
  );
const three = ['compute 1e308', 'compute 1e308', 'compute 1e308'];

function problemOf(run: () => unknown): Problem {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).problems[0]!;
  }
  throw new Error('no error was thrown');
}

describe('an overflow is an error with its place', () => {
  test.each([
    ['the flops of a host', computing('flops.ti', 1, three), '4Gf', 'RUN016', 3],
    ['one delay', computing('delay.ti', 1, three), '0.001f', 'RUN004', 2],
    ['the sum of delays', computing('sum.ti', 1, ['sleep 1e3', 'sleep 1e308', 'sleep 1e308']), '1f', 'RUN004', 4],
    ['the time of all ranks', computing('ranks.ti', 2, ['compute 1', 'compute 1e308']), '1f', 'RUN016', 3],
    ['flops on a second rank', computing('second.ti', 2, ['compute 1.5e308']), '4Gf', undefined, 0],
  ])('in a trace: %s', (_, path, speed, code, line) => {
    const run = (): PredictionDocument => predict(path, { machine: machine(speed) });
    if (code === undefined) expect(nonFinitePath(run())).toBeUndefined();
    else expect(problemOf(run)).toMatchObject({ code, place: { file: path, line } });
  });

  test.each([
    ['flops', { flops: 1e308 }, '4Gf', 'RUN016'],
    ['one delay', { flops: 1e308 }, '0.001f', 'RUN004'],
    ['seconds', { seconds: 1e308 }, '1f', 'RUN004'],
  ])('in a model: %s', (_, amount, speed, code) => {
    const model = spmd({
      name: 'large',
      build: (m) => {
        m.compute({ flops: 1 });
        for (let k = 0; k < 3; k++) m.compute(amount);
      },
    });
    const problem = problemOf(() => predict(model, { machine: machine(speed), ranks: 1 }));
    expect(problem).toMatchObject({ code, place: { file: 'test/commands/predict/overflow.test.ts' } });
    expect(problem.place!.line).toBeGreaterThan(70);
  });

  it('in a net', () => {
    const n = new NetBuilder('long');
    const Index = n.range('Index', 0, 3);
    const at = n.place('at', { i: Index }, { initial: [{ i: 3 }] });
    n.transition('step', (t) => {
      const { i } = t.take(at);
      t.guard(lt(0, i));
      t.delay(1e308);
      t.put(at, { i: sub(i, 1) });
    });
    const path = file('long.json', netToJson(n.build()));
    expect(problemOf(() => predict(path))).toMatchObject({ code: 'RUN004', place: { file: path } });
  });

  it('in a scenario, which fails while the others continue', async () => {
    const model = spmd({
      name: 'large',
      params: { flops: 1e300 },
      build: (m) => {
        for (let k = 0; k < 3; k++) m.compute({ flops: m.p.flops });
      },
    });
    const vary = { 'model.flops': [1e300, 1e308] };
    const { scenarios } = await whatif(model, { machine: machine('4Gf'), ranks: 1, vary, workers: 1 });
    expect(scenarios.map((s) => s.status)).toEqual(['done', 'failed']);
    expect(scenarios[1]!.problems).toMatchObject([{ code: 'RUN016' }]);
  });
});

describe('a document', () => {
  const small = (): PredictionDocument =>
    predict(computing('small.ti', 2, ['compute 1e6']), { machine: machine('1Gf') });

  it('is never written with a non-finite figure', () => {
    expect(problemOf(() => documentJson({ a: 1, b: { c: [0, Number.NaN] } }, ['a', 'b']))).toMatchObject({
      code: 'RUN016',
      message: expect.stringContaining('figure b.c[1] '),
    });
    expect(predictionJson({ ...small(), options: { eagerBelow: Number.POSITIVE_INFINITY } })).toContain(
      '"eagerBelow":null',
    );
  });

  it('is not read with a number beyond the range of a double', () => {
    const path = file('infinite.json', predictionJson(small()).replace(/"computing":[^,]+/, '"computing":1e999'));
    expect(problemOf(() => readResult(path))).toMatchObject({
      code: 'APP010',
      message: 'expected a finite number, got Infinity',
      place: { file: path, part: 'ranks[0].computing' },
    });
  });

  it('is compared with figures near the largest double: no infinite change, null only if undefined', () => {
    const a = small();
    const b: PredictionDocument = {
      ...a,
      figures: {
        ...a.figures,
        parallelism: { max: { value: 1e-10, unit: '1' }, mean: { value: 1e308, unit: '1' } },
        loadBalance: { value: 1e308, unit: '1' },
      },
      ranks: a.ranks.map((rank) => ({ ...rank, computing: 1.5e308 })),
    };
    const sides = [
      { input: 'a', document: a },
      { input: 'b', document: b },
    ] as const;
    for (const [x, y] of [sides, [...sides].reverse() as unknown as typeof sides]) {
      const document = compare(x, y);
      const page = renderComparison(document, { width: 100, colour: false, unicode: false });
      expect(page).not.toMatch(/infin|nan/i);
      const read = JSON.parse(comparisonJson(document));
      expect(read).toEqual(document);
      const of = (name: string) => document.figures.find((f) => f.name === name)!;
      expect(of('loadBalance').relative).not.toBeNull();
      expect(of('computing')).toMatchObject({ difference: null, relative: null });
    }
  });
});

test('large shares are printed with an exponent', () => {
  expect([9999.4, 1e4, 1.5e6, -1e308, 1e308].map(formatShare)).toEqual([
    '999940 %',
    '1.00e+6 %',
    '1.50e+8 %',
    '-1.00e+310 %',
    '1.00e+310 %',
  ]);
});

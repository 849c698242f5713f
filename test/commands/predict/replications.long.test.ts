import { describe, expect, it } from 'vitest';
import { summary } from '../../../src/analysis/statistics/summary.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { replicateModelFile } from '../../../src/commands/predict/replications/replicate-model-file.ts';
import {
  type EstimatedFigure,
  exponential,
  type FigureError,
  NetBuilder,
  type RunTimeQuantile,
} from '../../../src/index.ts';
import { cluster, noise, spmd } from '../../../src/models.ts';

const machine = cluster({
  nodes: 4,
  coresPerNode: 1,
  speed: '1Gf',
  link: { latency: '10us', bandwidth: '1GB/s' },
  eagerBelow: 4096,
});
const model = spmd({
  name: 'drawn',
  params: { cv: 0.1, deadlock: 0 },
  build(m) {
    m.compute({ flops: 1e6, ...(m.p.cv > 0 ? { noise: noise.lognormal(m.p.cv) } : {}) });
    if (m.p.deadlock > 0) m.chance(m.p.deadlock, () => m.recv({ from: 0 }));
    m.barrier();
  },
});
const common = { machine, ranks: 2 };

describe('replications of a model', () => {
  it('are independent runs; the other figures are those of replication 0', () => {
    const one = predict(model, common);
    const many = predict(model, { ...common, replications: 20, confidence: '90%' });
    const { replications, options, ...rest } = many;
    // The note of a single run says that it is one sample.
    const { notes, ...others } = one;
    expect(notes).toMatchObject([{ code: 'APP053' }]);
    expect({ ...rest, options: one.options }).toEqual(others);
    expect(options).toMatchObject({ replications: 20, confidence: '90%' });
    const { seconds, mean, deviation, halfWidth } = replications!;
    expect(seconds[0]).toBe(one.figures.runTime.value);
    expect(new Set(seconds).size).toBe(20);
    const expected = summary(seconds, 0.9);
    expect([mean, deviation, halfWidth]).toEqual([expected.mean, expected.deviation, expected.half]);
    expect(predict(model, { ...common, replications: 25 }).replications!.seconds.slice(0, 20)).toEqual(seconds);
  });

  it('continue until the mean has the requested precision', () => {
    const { replications } = predict(model, { ...common, precision: '2%' });
    const { count, seconds, mean, halfWidth, reached } = replications!;
    expect(reached).toBe(true);
    expect(count).toBeGreaterThan(10);
    expect(halfWidth! / mean).toBeLessThanOrEqual(0.02);
    const before = summary(seconds.slice(0, -1));
    expect(before.half / before.mean).toBeGreaterThan(0.02);
    const few = predict(model, { ...common, precision: 0.0001, replications: 12 });
    expect(few.replications).toMatchObject({ count: 12, reached: false });
  });

  it('estimate the figures of ten exponential jobs of two workers as often as they say', () => {
    const n = new NetBuilder('jobs');
    const [todo, worker] = [n.place('todo', {}, { initial: 10 }), n.place('worker', {}, { initial: 2 })];
    n.transition('work', (t) => {
      t.take(todo);
      t.take(worker);
      t.put(worker, {});
      t.delay(exponential(1));
    });
    const net = n.build();
    // Nine ends at rate 2, the last one at rate 1: 5.5 s, in which ten jobs of 1 s are in progress.
    const truth = { time: 5.5, 'transition work inProgress': 10 / 5.5, 'transition work rate': 10 / 5.5 };
    const inside: Record<string, number> = {};
    const seeds = 200;
    for (let seed = 0; seed < seeds; seed++) {
      const { runTime, means, quantiles, histogram, firings } = predict(net, { replications: 25, seed: String(seed) })
        .replications!;
      const found: Record<string, EstimatedFigure> = { time: runTime };
      for (const { of, name, figure, ...one } of means!) found[`${of} ${name} ${figure}`] = one;
      for (const [name, value] of Object.entries(truth)) {
        const { lower, upper } = found[name] as FigureError;
        if (lower! <= value && value <= upper!) inside[name] = (inside[name] ?? 0) + 1;
      }
      expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(25);
      expect(firings![0]!.firings).toMatchObject({ value: 10, lower: 10, upper: 10 });
      expect(quantiles.map((one) => [one.share, (one as RunTimeQuantile & FigureError).certainty])).toEqual(
        [0.05, 0.25, 0.5, 0.75, 0.95].map((share) => [share, 0.95]),
      );
    }
    for (const name of Object.keys(truth))
      expect(Math.abs(inside[name]! / seeds - 0.95), name).toBeLessThan(3.3 * Math.sqrt((0.95 * 0.05) / seeds));
  });

  it('of one run have no interval, and say why', () => {
    const { replications } = predict(model, { ...common, replications: 1 });
    expect(replications!.because).toContain('one replication');
    for (const figure of [replications!.runTime, ...replications!.means!, ...replications!.quantiles])
      expect(figure).not.toHaveProperty('lower');
  });

  it('that deadlock are shown', () => {
    const document = predict(model.with({ deadlock: 0.2 }), { ...common, replications: 100 });
    expect(document.deadlock.length).toBeGreaterThan(0);
    expect(document.replications).toBeUndefined();
  });

  it('are the same in threads', async () => {
    const file = 'test/commands/whatif/drawn.ts';
    const options = { machine: 'examples/stencil/cluster.yaml', ranks: 4, precision: '0.5%' } as const;
    const { default: same } = await import('../whatif/drawn.ts');
    const { inputs: _, ...here } = predict(same, options);
    for (const workers of [1, 2, 3]) {
      const { inputs, ...there } = (await replicateModelFile(file, options, { workers }))!;
      expect(there).toEqual(here);
      expect(inputs.model!.path).toBe(file);
    }
  });

  it.each([
    [{ precision: 0.01 }, 'APP024', 0],
    [{ replications: 0 }, 'APP025', 0.1],
    [{ replications: 1.5 }, 'APP025', 0.1],
    [{ precision: '200%' as const }, 'APP025', 0.1],
    [{ replications: 5, confidence: 1 }, 'APP025', 0.1],
    [{ confidence: 0.9 }, 'APP025', 0.1],
  ])('%j is rejected by %s', (options, code, cv) => {
    expect(() => predict(model.with({ cv }), { ...common, ...options })).toThrow(code);
  });

  it('do not exist for a trace', () => {
    expect(() => predict('examples/stencil/stencil-8.ti', { replications: 3 })).toThrow('APP004');
  });
});

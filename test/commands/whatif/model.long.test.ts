import { describe, expect, it } from 'vitest';
import { inputOf, type ModelInput } from '../../../src/commands/inputs/input.ts';
import { loadModel, loadModels } from '../../../src/commands/inputs/load-model.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { Scenario } from '../../../src/commands/whatif/axes/grid.ts';
import { balancing } from '../../../src/commands/whatif/predictors/model-predictor.ts';
import type { ModelStudy } from '../../../src/commands/whatif/predictors/model-study.ts';
import { studyOf } from '../../../src/commands/whatif/predictors/model-study.ts';
import type { Outcome } from '../../../src/commands/whatif/predictors/predictor.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { workPool } from '../../../src/commands/workers/work-pool.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { changeMachine } from '../../../src/machine/description/machine-parameters.ts';
import { spmd, threads } from '../../../src/models.ts';
import { jacobi, other } from './jacobi.ts';

const machine = cluster({
  nodes: 4,
  coresPerNode: 4,
  speed: '1Gf',
  link: { latency: '10us', bandwidth: '1GB/s' },
  eagerBelow: 4096,
});
const exact = jacobi.with({ spread: 0 });

describe('a model in scenarios', () => {
  it('is predicted as in each scenario alone, for any number of threads', async () => {
    const vary = { ranks: [2, 8], 'model.n': [500, 1000], 'machine.link.latency': ['x0.5', 'x1'] };
    const one = await whatif(jacobi, { machine, vary, workers: 1 });
    expect(await whatif(jacobi, { machine, vary, workers: 2 })).toEqual(one);
    const expected = vary.ranks.flatMap((ranks) =>
      vary['model.n'].flatMap((n) =>
        vary['machine.link.latency'].map(
          (by) =>
            predict(jacobi.with({ n }), { machine: changeMachine(machine, 'link.latency', by), ranks }).figures.runTime,
        ),
      ),
    );
    expect(one.scenarios.map((s) => s.figures?.['runTime'])).toEqual(expected);
    expect(one.inputs.map((i) => [i.role, i.path])).toEqual([['model', 'test/commands/whatif/jacobi.ts']]);
    expect(one.options).toEqual({ model: 'ring', machine: 'cluster' });
    expect(one.scaling).toHaveLength(4);
  }, 60_000);

  it('continues without impossible scenarios', async () => {
    const vary = { ranks: [4, 17], placement: ['block', 'cyclic'], collectives: ['logarithmic'] };
    const { scenarios } = await whatif(exact, { machine, vary, workers: 1 });
    expect(scenarios.map((s) => s.status)).toEqual(['done', 'done', 'failed', 'failed']);
  });

  it('finds the fewest ranks that meet a target', async () => {
    const vary = { ranks: [1, 2, 3, 4, 5, 6, 7, 8] };
    const target = predict(exact, { machine, ranks: 5 }).figures.runTime.value;
    const { found } = await whatif(exact, { machine, vary, find: { axis: 'ranks', target }, workers: 1 });
    expect(found).toMatchObject([{ met: true, value: 5, runTime: target, verified: true }]);
  });

  it('has elasticities that add up to 1 if only rates matter', async () => {
    const { elasticity } = await whatif(exact, { machine, ranks: 4, elasticity: ['all'], workers: 1 });
    const by = Object.fromEntries(elasticity.map((e) => [e.parameter, e.elasticity!]));
    expect(Object.keys(by)).not.toContain('machine.nodes');
    expect(elasticity[0]!.parameter).toBe('machine.speed');
    const parts = ['machine.speed', 'machine.link.bandwidth', 'machine.intraNode.bandwidth'].map((p) => -by[p]!);
    const times = [...parts, by['machine.link.latency']!, by['machine.intraNode.latency']!];
    expect(times.reduce((a, b) => a + b)).toBeCloseTo(1, 4);
  });

  it('has paired differences with replications', async () => {
    const vary = { 'machine.speed': ['x1', 'x1.01'] };
    const { scenarios } = await whatif(jacobi, { machine, ranks: 4, vary, replications: 8, workers: 1 });
    const [base, faster] = scenarios;
    expect(base!.replications).toHaveLength(8);
    expect(new Set(base!.replications).size).toBe(8);
    const { mean, low, high } = faster!.difference!;
    expect(high!).toBeLessThan(0);
    const spread = Math.max(...base!.replications!) - Math.min(...base!.replications!);
    expect(high! - low!).toBeLessThan(spread);
    expect(mean).toBeCloseTo(faster!.figures!['runTime']!.value - base!.figures!['runTime']!.value, 12);
  });

  it('has intervals of elasticities with replications, and a warning without', async () => {
    const once = await whatif(jacobi, { machine, ranks: 4, elasticity: ['machine.speed'], workers: 1 });
    expect(once.warnings).toMatchObject([{ code: 'WHAT018' }]);
    expect(once.elasticity[0]).not.toHaveProperty('low');
    const often = { machine, ranks: 4, elasticity: ['machine.speed'], replications: 4, workers: 1 };
    const { warnings, elasticity } = await whatif(jacobi, often);
    expect(warnings).toEqual([]);
    const { elasticity: value, low, high } = elasticity[0]!;
    expect(low!).toBeLessThan(value!);
    expect(high!).toBeGreaterThan(value!);
    // The speed scales all draws, so the replications vary little.
    expect(high! - low!).toBeLessThan(0.01);
    expect((await whatif(exact, { machine, ranks: 4, elasticity: ['machine.speed'], workers: 1 })).warnings).toEqual(
      [],
    );
  });

  it('is never faster on a slower network in any replication: the draws are the same', async () => {
    // Few bytes and no allreduce: latencies add up independently of the order.
    const alone = jacobi.with({ n: 500, turns: 4, spread: 0.2 });
    const slower = { 'machine.link.latency': ['x1', 'x2'] };
    const { scenarios } = await whatif(alone, { machine, ranks: 8, vary: slower, replications: 5, workers: 1 });
    const [base, slow] = scenarios.map((s) => s.replications!);
    for (const [k, t] of base!.entries()) expect(slow![k]! - t).toBeGreaterThanOrEqual(0);
  });
});

describe('idealised scenarios of a model', () => {
  it('remove the network time or the imbalance', async () => {
    const { scenarios } = await whatif(exact, { machine, ranks: 4, ideals: ['network', 'balance'], workers: 1 });
    const [real, network, balance] = scenarios.map((s) => s.figures!);
    expect(network!['communicating']!.value).toBeLessThan(1e-20);
    expect(network!['runTime']!.value).toBeLessThan(real!['runTime']!.value);
    expect(real!['loadBalance']!.value).toBeCloseTo((4 + 0.5) / 4 / 1.5, 12);
    expect(balance!['loadBalance']!.value).toBeCloseTo(1, 12);
    expect(balance!['computing']!.value).toBeCloseTo(real!['computing']!.value, 12);
    expect(balance!['runTime']!.value).toBeLessThan(real!['runTime']!.value);
  });

  it('keep the sum over the ranks, and ranks without computing', () => {
    const rank = { host: '', endTime: 0, communicating: 0, waiting: 0, idle: 0 };
    const ranks = [0, 1, 3].map((computing, k) => ({ ...rank, rank: k, computing }));
    expect([...balancing(ranks)]).toEqual([1, 2, 2 / 3]);
  });
});

describe('threads', () => {
  const first = { index: 0, values: {} };
  const common = { options: { machine, ranks: 2 }, replications: undefined };

  it('find a model by its name and behaviour', async () => {
    const study = studyOf(inputOf(jacobi.with({ n: 3 })) as ModelInput, first, common)!;
    expect(study.file).toMatch(/jacobi\.ts$/);
    expect(studyOf(inputOf(other) as ModelInput, first, common)!.again!.hash).not.toBe(study.again!.hash);
    expect((await loadModels(study.file)).map(({ model }) => model.name)).toEqual(['ring', 'ring']);
    await expect(loadModel(study.file)).rejects.toThrow('APP023');
    const pool = workPool<Scenario, Outcome>(study, 1);
    await pool.ready();
    const { runTime } = await pool.ask(first);
    expect(runTime).toBe(predict(jacobi.with({ n: 3 }), common.options).figures.runTime.value);
    await pool.end();
    const damaged: ModelStudy = { ...study, again: { ...study.again!, hash: '' } };
    const wrong = workPool(damaged, 1);
    await expect(wrong.ready()).rejects.toThrow('WHAT017');
    await wrong.end();
  });

  it('that cannot find it leave the study to the calling thread', async () => {
    const local = spmd({ name: 'local', build: (m) => m.compute({ flops: (s) => 1e6 * (s.rank + 1) }) });
    const options = { machine, vary: { ranks: [1, 2] } };
    const alone = await whatif(local, { ...options, workers: 1 });
    expect(await whatif(local, { ...options, workers: 2 })).toEqual(alone);
    expect(alone.scenarios.map((s) => s.figures!['runTime']!.value)).toEqual([0.001, 0.002]);
  });
});

describe('a wrong plan is rejected', () => {
  it.each([
    [{ 'model.m': [1] }, 'model "ring" has no axis "model.m". Did you mean "model.n"?'],
    [{ 'machine.link.latncy': ['x1'] }, 'Did you mean "link.latency"?'],
    [{ rank: [1] }, 'Did you mean "ranks"?'],
  ])('the plan %j is refused', async (vary, message) => {
    await expect(whatif(jacobi, { machine, vary: vary as never })).rejects.toThrow(message);
  });

  it('that varies a parameter of a model without parameters, without the name of another axis', async () => {
    const bare = spmd({ name: 'bare', build: (m) => m.compute({ flops: 1e6 }) });
    const message = 'model "bare" has no axis "model.x": it has no parameters. Known: network-model, ';
    await expect(whatif(bare, { machine, vary: { 'model.x': [1] } as never })).rejects.toThrow(message);
  });

  it('also by its types', () => {
    // The errors are at the axes; with overloads, they were at the model and named all signatures.
    const pool = threads({ name: 'pool', params: { n: 1 }, build: (t) => t.compute({ flops: 1 }) });
    const wrong = () => {
      whatif(jacobi, {
        machine,
        // @ts-expect-error a parameter that the model does not have
        vary: { 'model.m': [1] },
      });
      whatif(jacobi, {
        machine,
        // @ts-expect-error string instead of a number
        vary: { 'model.n': ['1'] },
      });
      whatif(jacobi, {
        machine,
        // @ts-expect-error no such axis
        vary: { rank: [1] },
      });
      whatif(pool, {
        machine,
        // @ts-expect-error an axis of models with message passing
        vary: { ranks: [1] },
      });
      whatif(pool, {
        machine,
        // @ts-expect-error no such option
        varies: { workers: [1] },
      });
      whatif(pool, { machine, vary: { workers: [1], 'model.n': [2], 'machine.threads.steal': ['1us'] } });
      whatif(jacobi, { machine, vary: { ranks: [1], 'model.even': [true], 'machine.link.latency': ['x1', 2e-6] } });
    };
    expect(wrong).toBeTypeOf('function');
  });
});

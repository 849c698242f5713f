import { expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { renderPrediction } from '../../../src/commands/predict/view/terminal.ts';
import { exponential, type Net, NetBuilder } from '../../../src/index.ts';
import { cluster, noise, spmd } from '../../../src/models.ts';
import { free, loop } from './threads/models.ts';

const machine = cluster({
  nodes: 2,
  coresPerNode: 2,
  speed: '1Gf',
  link: { latency: '10us', bandwidth: '1GB/s' },
  eagerBelow: 4096,
});

/** One token that a timed transition takes, and one of two transitions after it. */
function net(delay: number | ReturnType<typeof exponential>, weight?: number): Net {
  const n = new NetBuilder('n');
  const p = n.place('p', {}, { initial: 1 });
  const q = n.place('q', {});
  const [left, right] = [n.place('left', {}), n.place('right', {})];
  n.transition('work', (t) => {
    t.take(p);
    t.put(q, {});
    t.delay(delay);
  });
  for (const to of [left, right])
    n.transition(`to ${to.name}`, (t) => {
      t.take(q);
      t.put(to, {});
      if (weight !== undefined) t.weight(weight);
    });
  return n.build();
}

const program = (random: 'noise' | 'chance' | 'repeat' | 'sleep' | 'none') =>
  spmd({
    name: random,
    build(m) {
      const compute = () => m.compute({ flops: 1e6 });
      if (random === 'noise') m.compute({ flops: 1e6, noise: noise.lognormal(0.1) });
      else if (random === 'sleep') m.sleep(1, noise.lognormal(0.1));
      else if (random === 'chance') m.chance(0.5, compute);
      else if (random === 'repeat') m.repeat(0.5, compute);
      else compute();
      m.barrier();
    },
  });

type Seeded = (seed: string) => PredictionDocument;
const of =
  (random: Parameters<typeof program>[0]): Seeded =>
  (seed) =>
    predict(program(random), { machine, ranks: 2, seed });
const noisy = { ...machine, noise: noise.lognormal(0.1) };

const CASES: Readonly<Record<string, { readonly run: Seeded; readonly draws: boolean }>> = {
  'a net with constant delays': { run: (seed) => predict(net(1), { seed }), draws: false },
  'a net with a random delay': { run: (seed) => predict(net(exponential(1)), { seed }), draws: true },
  'a net with weights': { run: (seed) => predict(net(1, 1), { seed }), draws: true },
  'a net with drawn ties': { run: (seed) => predict(net(1), { seed, ties: 'random' }), draws: true },
  'a model': { run: of('none'), draws: false },
  'a model with noise': { run: of('noise'), draws: true },
  'a model with noise of its sleep': { run: of('sleep'), draws: true },
  'a model with a chance': { run: of('chance'), draws: true },
  'a model with a random number of repetitions': { run: of('repeat'), draws: true },
  'a model on a machine with noise': {
    run: (seed) => predict(program('none'), { machine: noisy, ranks: 2, seed }),
    draws: true,
  },
  'a thread model with central queue': {
    run: (seed) => predict(loop, { machine: free, workers: 4, scheduler: 'central', seed }),
    draws: false,
  },
  'a thread model with random victims': {
    run: (seed) => predict(loop, { machine: free, workers: 4, scheduler: 'stealing', victim: 'random', seed }),
    draws: true,
  },
};

test('one run says that it is one sample, exactly if another seed can give another run (APP053)', () => {
  for (const [name, { run, draws }] of Object.entries(CASES)) {
    const runs = Array.from({ length: 12 }, (_, k) => run(`seed ${k}`));
    const results = new Set(runs.map(({ seed: _, ...rest }) => JSON.stringify(rest)));
    expect(results.size > 1, name).toBe(draws);
    for (const { notes = [] } of runs)
      expect(notes.filter(({ code }) => code === 'APP053').length, name).toBe(draws ? 1 : 0);
    const text = renderPrediction(runs[0]!, { width: 200, colour: false, unicode: false });
    expect(text.includes('one run is one sample'), name).toBe(draws);
  }
});

test('replications have intervals or say why; the note is of single runs only', () => {
  const random = net(exponential(1));
  for (const replications of [1, 2]) {
    const document = predict(random, { replications });
    expect(document.notes).toBeUndefined();
    expect(document.replications!.because !== undefined).toBe(replications === 1);
    expect('lower' in document.replications!.runTime).toBe(replications > 1);
  }
});

test('the note names --exact where it applies and is not given', () => {
  const text = (options: Parameters<typeof predict<Net>>[1]) =>
    predict(net(exponential(1)), options).notes![0]!.message;
  expect(text({})).toMatch(/--replications 30 .*--exact/);
  expect(text({ exact: true })).not.toMatch('--exact');
  const threads = CASES['a thread model with random victims']!.run('1').notes!;
  expect(threads[0]!.message).toMatch('--replications 30');
  expect(threads[0]!.message).not.toMatch('--exact');
});

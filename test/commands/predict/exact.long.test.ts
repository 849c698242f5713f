import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exactFigures } from '../../../src/commands/exact/exact-figures.ts';
import { explorableNet } from '../../../src/commands/exact/explorable.ts';
import { explore } from '../../../src/commands/explore/explore.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { rerunOf } from '../../../src/commands/predict/predict-rerun.ts';
import { renderPrediction } from '../../../src/commands/predict/view/terminal.ts';
import { absorption } from '../../../src/commands/steady/steady-answers.ts';
import { noise, spmd } from '../../../src/models.ts';
import { netToJson } from '../../../src/net/json/json.ts';
import type { Net } from '../../../src/net/net.ts';
import { netOf, num, take } from '../../reference/nets.ts';

const put = (place: string) => ({ place, values: {}, count: num(1) });
const random = { noise: noise.exponential() };

/** Both ranks compute for an exponential time of mean 1; then rank 0 for another one of mean 1/2. */
const parts = spmd({
  name: 'parts',
  build(m) {
    m.compute({ seconds: 1, ...random });
    m.when(
      (s) => s.rank === 0,
      () => m.compute({ seconds: 0.5, ...random }),
    );
  },
});

/** Two workers share jobs of these times. */
function jobs(...times: readonly number[]): Net {
  const names = times.map((_, k) => `job ${k}`);
  return netOf({
    places: { worker: { tokens: 2 }, ...Object.fromEntries(names.map((name) => [`${name} waits`, { tokens: 1 }])) },
    transitions: Object.fromEntries(
      names.map((name, k) => [
        name,
        { inputs: [take(`${name} waits`), take('worker')], outputs: [put('worker')], delay: num(times[k]!) },
      ]),
    ),
  });
}

const page = (document: Parameters<typeof renderPrediction>[0]): string =>
  renderPrediction(document, { width: 100, colour: false, unicode: true });

test('a program of exponential times: moments of the run time as fractions, and parallelism over all markings', () => {
  const document = predict(parts, { ranks: 2, exact: true });
  const { distribution, parallelism, fragments, runTime, ...others } = document.exact!;
  expect(others).toEqual({ complete: true, because: {} });
  // E[max(A + B, C)] for A, C of rate 1 and B of rate 2: 11/6; its second moment is 85/18.
  expect(distribution!.mean).toBeCloseTo(11 / 6, 12);
  expect(distribution!.variance).toBeCloseTo(49 / 36, 11);
  expect(distribution).toEqual(absorption(parts, { ranks: 2 }).absorption);
  // P(A + B ≤ t) P(C ≤ t), by hand.
  for (const { time, probability } of distribution!.distribution)
    expect(probability).toBeCloseTo((1 - Math.exp(-time)) ** 2 * (1 - Math.exp(-time)), 10);
  expect({ parallelism, fragments }).toEqual(
    (({ parallelism, fragments }) => ({ parallelism, fragments }))(explore(parts, { ranks: 2 })),
  );
  expect(runTime).toMatchObject({ complete: false, because: expect.stringContaining('random delay') });
  expect(page(document)).toMatch(/^Run time in this run /);
  expect(page(document)).toContain('Parallelism over all orders: maximum 2, 4 fragments');
});

test('a net of constant times: shortest and longest run time, this run between them', () => {
  const net = jobs(1, 1, 2);
  const document = predict(net, { exact: true });
  const { runTime, ...others } = document.exact!;
  expect(others).toEqual({ complete: true, because: {} });
  expect(runTime).toMatchObject({ shortest: { value: 2 }, longest: { value: 3 }, complete: true });
  expect(runTime).toEqual(explore(net).runTime);
  expect([2, 3]).toContain(document.figures.runTime.value);
  expect(page(document)).toContain('Run time over all orders: shortest 2.000 s, longest 3.000 s');
  expect(predict(net).exact).toBeUndefined();
  expect(document.options.exact).toBe('yes');
  const path = join(mkdtempSync(join(tmpdir(), 'foretoken-exact-')), 'jobs.json');
  writeFileSync(path, netToJson(net));
  const ofFile = predict(path, { exact: true });
  expect(ofFile.exact).toEqual(document.exact);
  const again = rerunOf(ofFile, path);
  expect(predict(again.input, again.options).exact).toEqual(ofFile.exact);
});

test('a part that is not known has its reason; only a limit makes the figures incomplete', () => {
  const delay = { dist: 'exponential', rate: num(1) } as const;
  const mixed = netOf({
    places: { a: { tokens: 1 }, b: {}, c: {} },
    transitions: {
      first: { inputs: [take('a')], outputs: [put('b')], delay },
      second: { inputs: [take('b')], outputs: [put('c')], delay: num(1) },
    },
  });
  expect(exactFigures(explorableNet(mixed))).toMatchObject({
    complete: true,
    runTime: { because: 'transition "first" has a random delay' },
    because: { distribution: expect.stringContaining('transition second') },
  });
  const growing = netOf({
    places: { a: { tokens: 1 }, b: {} },
    transitions: { grow: { inputs: [take('a')], outputs: [put('a'), put('b')], delay } },
  });
  expect(exactFigures(explorableNet(growing))).toMatchObject({
    complete: true,
    because: { distribution: expect.stringMatching(/b/) },
  });
  const stuck = netOf({
    places: { a: { tokens: 1 }, b: {}, c: {} },
    transitions: {
      good: { inputs: [take('a')], outputs: [put('b')], delay, timing: 'race' },
      bad: { inputs: [take('a')], outputs: [put('c')], delay, timing: 'race' },
    },
  });
  const final = { finalMarkings: [[{ place: 'b', count: 1 }]] };
  expect(exactFigures(explorableNet({ ...stuck, ...final } as Net)).because.distribution).toMatch(/not final/);
  expect(exactFigures(explorableNet(stuck)).distribution!.certainty).toBe(1);
  expect(exactFigures(explorableNet(jobs(1, 2)), () => true)).toMatchObject({
    complete: false,
    runTime: { because: 'it was interrupted' },
  });
});

test('where markings are missing, the predicted run is a lower bound of the parallelism over all orders', () => {
  const model = spmd({ name: 'two', build: (m) => m.compute({ flops: 1e9 }) });
  const document = predict(model, { ranks: 2, exact: true });
  const { exact } = document;
  expect(page(document)).toContain('Parallelism over all orders: maximum 2, 4 fragments\n');
  const parallelism = { ...exact!.parallelism!, maximum: 0, fragments: 1, complete: false };
  const cut = { ...exact!, complete: false, parallelism, because: { parallelism: 'it was interrupted' } };
  const { count } = document.fragments!;
  expect(page({ ...document, exact: cut })).toContain(
    `Parallelism over all orders: maximum at least 2, at least ${count} fragment${count === 1 ? '' : 's'} (it was interrupted)\n`,
  );
});

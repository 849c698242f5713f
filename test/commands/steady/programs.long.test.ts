import { expect, test } from 'vitest';
import type { Interval } from '../../../src/commands/exact/exact-parts.ts';
import { mapModel } from '../../../src/commands/predict/model/stages.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyDocument } from '../../../src/commands/steady/steady-result.ts';
import { noise, spmd } from '../../../src/models.ts';
import { netFromJson, netToJson } from '../../../src/net/json/json.ts';

const random = { noise: noise.exponential() };

/** Both ranks compute for an exponential time of mean 1; then rank 0 for another one of mean 1/2. */
const two = spmd({
  name: 'two',
  build(m) {
    m.compute({ seconds: 1, ...random });
    m.when(
      (s) => s.rank === 0,
      () => m.compute({ seconds: 0.5, ...random }),
    );
  },
});

/** The interval is proved, narrow, and contains the fraction. */
function expectExact(value: number, { lower, upper, certainty }: Interval, fraction: number): void {
  expect(certainty).toBe(1);
  expect(lower! <= fraction && fraction <= upper!, `${lower} ≤ ${fraction} ≤ ${upper}`).toBe(true);
  expect(lower! <= value && value <= upper!).toBe(true);
  expect(upper! - lower!).toBeLessThan(1e-11);
}

/*
 * By hand. States: both in the first part (A), rank 0 in its second part while rank 1 computes (B), rank 0 in its second part alone (C),
 * rank 0 in its first part alone (D), rank 1 alone (E). Expected times: A 1/2; half of the runs go to B (rate 1 + 2), half to D (1); from B
 * 2/3 to E, 1/3 to C.
 */
const A = 1 / 2;
const B = 1 / 6;
const D = 1 / 2;
const E = 1 / 3;
const C = ((1 / 2) * (1 / 3) + 1 / 2) / 2;
const T = A + B + C + D + E;

test('the four results of the method for two processes, as fractions', () => {
  const found = steady(two, { ranks: 2 });
  expect(T).toBeCloseTo(11 / 6, 15);
  expect(found).toMatchObject({ method: 'ctmc', complete: true, states: 6 });
  // Result 3.
  expectExact(found.runTime!.mean, found.runTime!, 11 / 6);
  // Result 1: 1.5 s and 1 s of work in 11/6 s.
  const fragments = found.fragments!.map((f) => [f.processes, f] as const);
  expect(fragments.map(([processes]) => processes)).toEqual([[0, 1], [0], [1]]);
  for (const [k, share] of [4 / 11, 5 / 11, 2 / 11].entries())
    expectExact(found.fragments![k]!.probability, found.fragments![k]!, share);
  expect((A + B) / T).toBeCloseTo(4 / 11, 15);
  expect((C + D) / T).toBeCloseTo(5 / 11, 15);
  expect(E / T).toBeCloseTo(2 / 11, 15);
  expectExact(found.parallelism!.mean, found.parallelism!, 15 / 11);
  // Result 2.
  expect(found.nodes!.map(({ name, ranks }) => [name, ranks])).toEqual([
    ['node0', 1],
    ['node1', 1],
  ]);
  expectExact(found.nodes![0]!.load, found.nodes![0]!, 9 / 11);
  expectExact(found.nodes![1]!.load, found.nodes![1]!, 6 / 11);
  expectExact(found.balance!.value, found.balance!, 5 / 6);
  // Result 4.
  expect(found.resources!.map(({ kind, name, capacity }) => [kind, name, capacity])).toEqual([
    ['host', 'node0', 1],
    ['host', 'node1', 1],
  ]);
  expectExact(found.resources![0]!.utilisation, found.resources![0]!, 9 / 11);
  const second = found.transitions.find((t) => t.name === 'compute 2')!;
  expectExact(second.throughput, second, 6 / 11);
  expectExact(second.enabledProbability, second.enabled, 3 / 11);
  // Little's law: the tokens in "ended" wait for the other process, T − E[end of rank 0] and T − 1 on average.
  const ended = found.places.find((p) => p.name === 'ended')!;
  expectExact(ended.response!.value, ended.response!, (T - 1.5 + (T - 1)) / 2);
  expectExact(ended.arrivals!.value, ended.arrivals!, 12 / 11);
});

const figuresOf = ({ runTime, places, transitions, fragments, parallelism }: SteadyDocument) => ({
  runTime,
  places,
  transitions,
  fragments,
  parallelism,
});

test('the converted net, restarted, has the same figures', () => {
  const { net } = mapModel(two, { ranks: 2 }).program;
  const read = netFromJson(netToJson(net));
  expect(figuresOf(steady(read, { restart: true }))).toEqual(figuresOf(steady(two, { ranks: 2 })));
  expect(steady(read).runTime).toBeUndefined();
});

test('a program without random numbers is run once', () => {
  const same = spmd({ name: 'same', build: (m) => void m.compute({ seconds: (s) => 1 + s.rank }) });
  const found = steady(same, { ranks: 2 });
  expect(found).toMatchObject({
    method: 'simulate',
    complete: true,
    simulation: { replications: 1 },
    runTime: { mean: 2 },
  });
  expect(found.fragments!.map(({ processes, probability }) => [processes, probability])).toEqual([
    [[0, 1], 0.5],
    [[1], 0.5],
  ]);
  expect(found.parallelism!.mean).toBe(1.5);
  expect(found.balance!.value).toBe(0.75);
});

test('figures at a time are those of one run', () => {
  const { places, runTime } = steady(two, { ranks: 2, at: 1000 });
  expect(runTime).toBeUndefined();
  expect(places.find((p) => p.name === 'ended')!.mean).toBeCloseTo(2, 9);
});

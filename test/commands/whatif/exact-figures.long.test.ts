import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { whatIfCsv } from '../../../src/commands/whatif/whatif-csv.ts';
import { renderWhatIf } from '../../../src/commands/whatif/whatif-view.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { netToJson } from '../../../src/net/json/json.ts';
import { queue, stochasticNet } from '../../analysis/markov/stochastic-nets.ts';

const folder = mkdtempSync(join(tmpdir(), 'exact-figures-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plain = { width: 160, colour: false, unicode: true } as const;
const FIGURES = ['transitions.serve.throughput', 'places.waiting.mean', 'rewards.full'];

test('figures of each rate are those of steady, with derivatives by the varied rates', async () => {
  const rewards = { full: '#free = 0' };
  const vary = { 'transitions.serve.rate': [1, 3, 'x2'], 'transitions.arrive.delay': ['x1', 0.25] };
  const document = await whatif(queue(1, 2, 6), { vary, figures: FIGURES, rewards });
  const rates = [1, 3, 4].flatMap((service) => [1, 4].map((arrivals) => [arrivals, service] as const));
  for (const [k, [arrivals, service]] of rates.entries()) {
    const found = document.scenarios[k]!.figures!;
    const alone = steady(queue(arrivals, service, 6), { rewards });
    expect(Object.keys(found)).toEqual(FIGURES);
    expect(found[FIGURES[0]!]!.value).toBeCloseTo(alone.transitions[1]!.throughput, 12);
    expect(found[FIGURES[1]!]!.value).toBeCloseTo(alone.places[1]!.mean, 12);
    expect(found[FIGURES[2]!]!.value).toBeCloseTo(alone.rewards![0]!.mean, 12);
    // Mean tokens depend on the load only: the elasticities by rate and by delay are those by 1 / load and by load.
    const [byRate, byDelay] = found[FIGURES[1]!]!.derivatives!;
    expect([byRate!.by, byDelay!.by]).toEqual(Object.keys(vary));
    expect(byRate!.elasticity).toBeCloseTo(byDelay!.elasticity!, 9);
    expect(byRate!.value).toBeCloseTo((byRate!.elasticity! * found[FIGURES[1]!]!.value) / service, 12);
    expect(byRate!.lower! <= byRate!.value && byRate!.value <= byRate!.upper!).toBe(true);
  }
  const text = renderWhatIf(document, plain);
  expect(text).toContain('Derivatives');
  expect(text).toContain('elasticity');
  expect(whatIfCsv(document).split('\r\n')[0]).toBe(
    'transitions.serve.rate,transitions.arrive.delay,status,transitions.serve.throughput [1/s],places.waiting.mean,rewards.full,difference [s],relative difference,problem,transitions.serve.throughput lower [1/s],transitions.serve.throughput upper [1/s],transitions.serve.throughput certainty,places.waiting.mean lower,places.waiting.mean upper,places.waiting.mean certainty,rewards.full lower,rewards.full upper,rewards.full certainty',
  );
  for (const [k, line] of whatIfCsv(document).trim().split('\r\n').slice(1).entries()) {
    const cells = line.split(',').slice(-9).map(Number);
    const own = Object.values(document.scenarios[k]!.figures!);
    expect(cells).toEqual(own.flatMap(({ lower, upper, certainty }) => [lower, upper, certainty]));
  }
  expect(document.notes).toBeUndefined();
});

test('open queues: figures of the infinite chain below load 1, the load as reason from 1 on', async () => {
  const mm1 = stochasticNet(
    'mm1',
    { waiting: 0 },
    {
      arrive: { take: '', put: 'waiting', race: 1 },
      serve: { take: 'waiting', put: '', race: 2, single: true },
    },
  );
  const vary = { 'transitions.arrive.rate': [0.5, 1.8, 2, 3] };
  const { scenarios, notes } = await whatif(mm1, { vary, figures: ['places.waiting.mean'] });
  for (const [k, load] of [0.25, 0.9].entries()) {
    const { value, lower, upper } = scenarios[k]!.figures!['places.waiting.mean']!;
    expect(value).toBeCloseTo(load / (1 - load), 7);
    expect(lower! <= load / (1 - load) && load / (1 - load) <= upper!).toBe(true);
  }
  expect(JSON.stringify(scenarios[2]!.problems)).toContain('place waiting has load 1');
  expect(JSON.stringify(scenarios[3]!.problems)).toContain('place waiting has a load above 1');
  expect(notes!.map(({ code }) => code)).toEqual(['WHAT023']);
});

test('a mean delay in both spellings has the same derivative; other axes say why they have none', async () => {
  const figures = ['places.waiting.mean'];
  const byDelay = await whatif(queue(1, 2, 6), { vary: { 'delay.arrive': [0.5] }, figures });
  const byMean = await whatif(queue(1, 2, 6), { vary: { 'transitions.arrive.delay': [0.5] }, figures });
  const [one, other] = [byDelay, byMean].map((d) => d.scenarios[0]!.figures![figures[0]!]!.derivatives!);
  expect(one).toEqual(other!.map((d) => ({ ...d, by: 'delay.arrive' })));
  expect(one).toHaveLength(1);
  const byTokens = await whatif(queue(1, 2, 6), { vary: { 'tokens.free': [2, 3], 'delay.arrive': [1] }, figures });
  expect(byTokens.notes).toEqual([
    {
      code: 'WHAT023',
      message: 'no derivative by tokens.free: it is neither the rate nor the mean delay of a transition',
      place: { part: 'axis tokens.free' },
    },
  ]);
  for (const { figures: own } of byTokens.scenarios) expect(own![figures[0]!]!.derivatives).toHaveLength(1);
  expect(renderWhatIf(byTokens, plain)).toContain('No derivative by tokens.free');
});

test.each([
  ['delay.serve', 'transitions.serve.rate'],
  ['transitions.serve.rate', 'transitions.serve.delay'],
  ['transitions.serve.delay', 'delay.serve'],
])('axes %s and %s set one delay: refused', async (first, second) => {
  const error: unknown = await whatif(queue(1, 2, 3), { vary: { [first]: [1], [second]: ['x2'] } }).catch((e) => e);
  expect((error as InputError).problems).toMatchObject([
    { code: 'WHAT005', message: expect.stringContaining(`as axis ${first} does`), place: { part: `axis ${second}` } },
  ]);
});

test('a figure that is given twice is one figure', async () => {
  const figures = ['places.free.mean', 'places.free.mean'];
  const document = await whatif(queue(1, 2, 3), { vary: { 'transitions.serve.rate': [1] }, figures });
  expect(document.options).toMatchObject({ figures: 'places.free.mean' });
  expect(Object.keys(document.scenarios[0]!.figures!)).toEqual(['places.free.mean']);
});

test('scenarios whose chain exceeds the limit of states have no figures, and a warning says so once', async () => {
  const options = { vary: { 'tokens.free': [3, 40, 50] }, figures: ['places.free.mean'], maxStates: 20 };
  const document = await whatif(queue(1, 2, 3), options);
  expect(document.complete).toBe(false);
  expect(document.options).toMatchObject({ maxStates: 20 });
  expect(document.scenarios.map((s) => s.status)).toEqual(['done', 'incomplete', 'incomplete']);
  const reached = { code: 'WHAT024', message: expect.stringContaining('more than 20 states') };
  expect(document.warnings).toMatchObject([reached]);
  expect(document.warnings[0]!.message).toContain('maxStates (--max-states)');
});

test('worker threads find the same; rewards alone are figures, too', async () => {
  const file = join(folder, 'queue.json');
  writeFileSync(file, netToJson(queue(1, 2, 6)));
  const options = { vary: { 'transitions.arrive.rate': [1, 2] }, rewards: { full: '#free = 0' } };
  const [here, there] = [await whatif(queue(1, 2, 6), options), await whatif(file, options)];
  expect(there.scenarios).toEqual(here.scenarios);
  expect(there.options).toMatchObject({ figures: 'rewards.full', rewards: 'full = #free = 0' });
});

test('a change of all delays needs no constant rate; other delays are refused by scenario', async () => {
  const n = new NetBuilder('fixed');
  const [a, b] = [n.place('a', {}, { initial: 1 }), n.place('b', {})];
  n.transition('on', (t) => {
    t.take(a);
    t.put(b, {});
    t.delay(2);
  });
  const document = await whatif(n.build(), { vary: { 'transitions.on.rate': [1] }, figures: ['places.b.mean'] });
  expect(document.scenarios[0]).toMatchObject({ status: 'failed', problems: [{ code: 'CTMC001' }] });
});

test.each([0, -1, 'x0', '2Hz', '1s'])('the rate %j is refused in the words of a rate', async (rate) => {
  const vary = { 'transitions.serve.rate': [rate] };
  const { scenarios } = await whatif(queue(1, 2, 3), { vary, figures: ['places.free.mean'] });
  expect(scenarios[0]!.problems?.[0]?.message).toMatch(
    /expected a (positive rate|number per second), (or a change .*, )?got/,
  );
});

test.each([
  [
    { figures: ['transitions.server.throughput'] },
    'has no figure "transitions.server.throughput". Did you mean "transitions.serve.throughput"?',
  ],
  [{ figures: ['places.free.mean'], until: 5 }, 'option until does not apply to figures of the long run'],
  [{ figures: ['rewards.full'], rewards: { empty: '#waiting = 0' } }, 'has no figure "rewards.full"'],
  [{ figures: ['places.free.mean'], maxSteps: 5 }, 'option maxSteps (--max-steps) does not apply'],
  [{ maxStates: 5 }, 'option maxStates (--max-states) applies to figures of the long run only'],
])('%j is refused', async (options, message) => {
  const vary = { 'transitions.serve.rate': [1] };
  const error: unknown = await whatif(queue(1, 2, 3), { vary, ...options } as never).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(InputError);
  expect((error as InputError).problems[0]).toMatchObject({
    code: 'WHAT022',
    message: expect.stringContaining(message),
  });
});

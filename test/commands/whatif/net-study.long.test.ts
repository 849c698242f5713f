import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { whatIfCsv } from '../../../src/commands/whatif/whatif-csv.ts';
import { renderWhatIf } from '../../../src/commands/whatif/whatif-view.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import { fcfs } from '../../../src/net/builder/stations.ts';
import { netToJson } from '../../../src/net/json/json.ts';
import type { Net } from '../../../src/net/net.ts';

const folder = mkdtempSync(join(tmpdir(), 'net-study-'));
afterAll(() => rmSync(folder, { recursive: true }));

function queue(): Net {
  const n = new NetBuilder('mm1');
  const desk = n.place('my desk', {}, { service: fcfs({ time: exponential(1) }), kind: 'resource' });
  n.transition('arrive', (t) => {
    t.race({ delay: exponential(0.5) });
    t.put(desk, {});
  });
  n.transition('leave', (t) => t.take(desk));
  return n.build();
}

/** n tokens, each moved in 2 s by one of the servers of a transition that handles one at a time. */
function line(): Net {
  const n = new NetBuilder('line');
  const [from, to, free] = [
    n.place('from', {}, { initial: 3 }),
    n.place('to', {}),
    n.place('free', {}, { initial: 1 }),
  ];
  n.transition('move', (t) => {
    t.take(from);
    t.take(free);
    t.delay(2);
    t.put(free, {});
    t.put(to, {});
  });
  return n.build();
}

const runTimes = ({ scenarios }: Awaited<ReturnType<typeof whatif>>): (number | undefined)[] =>
  scenarios.map(({ figures }) => figures?.['runTime']?.value);

test('M/M/1: utilisation ρ and ρ / (1 − ρ) tokens for each service time', async () => {
  const vary = { 'service.my desk': ['x0.5', 'x1', '1.5s'] };
  const document = await whatif(queue(), { vary, until: 1e5, replications: 4 });
  for (const [k, rho] of [0.25, 0.5, 0.75].entries()) {
    const figures = document.scenarios[k]!.figures!;
    expect(figures['utilisation my desk']!.value).toBeCloseTo(rho, 2);
    expect(Math.abs(figures['tokens my desk']!.value / (rho / (1 - rho)) - 1)).toBeLessThan(0.05);
    expect(figures['rate arrive']!.value).toBeCloseTo(0.5, 2);
  }
  const view = renderWhatIf(document, { width: 100, colour: false, unicode: true });
  expect(view).toContain('utilisation my desk');
  // All runs end at the limit.
  expect(view).not.toContain('change');
});

test('delays, tokens and servers of a net without random parts', async () => {
  const vary = { 'delay.move': [1, '500ms', 'x2', '+50%'], 'tokens.from': [0, 2, 'x2'], 'tokens.free': [1, 2] };
  const times = runTimes(await whatif(line(), { vary }));
  const expected = [1, 0.5, 4, 3].flatMap((delay) =>
    [0, 2, 6].flatMap((tokens) => [1, 2].map((free) => delay * Math.ceil(tokens / free))),
  );
  expect(times).toEqual(expected);
});

test('the net of a file in worker threads, and the same net in this thread', async () => {
  const file = join(folder, 'mm1.json');
  writeFileSync(file, netToJson(queue()));
  const options = { vary: { 'servers.my desk': [1, 2, 3] }, until: 100, seed: 'a' };
  const read = await whatif(file, { ...options, workers: 2 });
  const built = await whatif(queue(), options);
  expect(read.scenarios).toEqual(built.scenarios);
  expect(read.inputs.map(({ role }) => role)).toEqual(['net']);
  expect(whatIfCsv(read).split('\n')[0]).toContain('utilisation my desk');
  expect(read.warnings.map(({ code }) => code)).toEqual(['WHAT018']);
});

test('a search finds the number of servers that meets a target', async () => {
  const { found } = await whatif(line(), {
    vary: { 'tokens.free': [1, 2, 3] },
    find: { axis: 'tokens.free', target: 4 },
  });
  expect(found).toMatchObject([{ met: true, value: 2, runTime: 4 }]);
});

test('a run that does not end leaves its scenario without figures', async () => {
  const { scenarios, complete } = await whatif(queue(), { vary: { 'delay.arrive': [1, 2] }, maxSteps: 100 });
  expect(scenarios.map(({ status, figures }) => [status, figures])).toEqual([
    ['incomplete', undefined],
    ['incomplete', undefined],
  ]);
  expect(complete).toBe(false);
});

async function problemOf(net: Net, options: object): Promise<string> {
  try {
    const { scenarios } = await whatif(net, options as never);
    return scenarios.map(({ problems = [] }) => problems.map((p) => `${p.code} ${p.message}`).join()).join();
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return e.message;
  }
}

test.each([
  [{ 'delay.moove': [1] }, /WHAT007.*Did you mean "delay\.move"/],
  [{ 'machine.speed': [1] }, /WHAT007.*no axis "machine\.speed"/],
  [{ ranks: [1] }, /WHAT007/],
  [{ 'delay.move': [-1] }, /UNIT003/],
  [{ 'delay.move': ['2kB'] }, /UNIT002/],
  [{ 'delay.move': [true] }, /WHAT009/],
  [{ 'tokens.from': [-1] }, /WHAT009.*from 0 on, got -1/],
  [{ 'tokens.from': [1.5] }, /WHAT009/],
  [{ 'tokens.from': ['x0.1'] }, /WHAT009/],
  [{ 'tokens.from': ['many'] }, /MACH031/],
])('refused: %o', async (vary, message) => {
  expect(await problemOf(line(), { vary })).toMatch(message);
});

test('a net has a simulated time in seconds, not a run time', async () => {
  const document = await whatif(queue(), { until: 10_000, vary: { 'delay.arrive': ['x1', 'x2'] } } as never);
  const view = renderWhatIf(document, { width: 120, colour: false, unicode: true });
  expect(view).toMatch(/^2 scenarios: simulated time 10,?000 s\n/);
  expect(view).toContain('Scenarios, times in s\n');
  expect(view).not.toMatch(/run time|\bh\b/);
});

test('options of machines and programs do not apply to a net', async () => {
  const vary = { 'tokens.from': [1] };
  for (const option of [{ machine: 'a.yaml' }, { ranks: 2 }, { ideals: ['network'] }, { scaling: 'weak' }])
    expect(await problemOf(line(), { vary, ...option })).toMatch(/APP004/);
});

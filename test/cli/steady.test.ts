import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SteadyDocument } from '../../src/commands/steady/steady-result.ts';
import { netToJson } from '../../src/net/json/json.ts';
import { queue, stochasticNet } from '../analysis/markov/stochastic-nets.ts';
import { warmly } from './warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-cli-steady-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);
writeFileSync(file('queue.json'), netToJson(queue(1, 2, 5)));
writeFileSync(file('large.json'), netToJson(queue(1, 2, 1e5)));
const ends = { a: 1, b: 0, c: 0 };
const race = { take: 'a', race: 1 };
writeFileSync(
  file('ends.json'),
  netToJson(stochasticNet('ends', ends, { left: { ...race, put: 'b' }, right: { ...race, put: 'c', race: 3 } })),
);
writeFileSync(
  file('conflict.json'),
  netToJson(stochasticNet('conflict', ends, { left: { take: 'a', put: 'b' }, right: { take: 'a', put: 'c' } })),
);

describe('steady', () => {
  it('prints a page', async () => {
    const { code, stdout, stderr } = await warmly(['steady', file('ends.json')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout.replace(/\d[\d.]* (?:ms|s)\b/, '… s')).toMatchFileSnapshot('steady-view.txt');
  });

  it('prints a document', async () => {
    const { code, stdout } = await warmly(['steady', file('queue.json'), '--json']);
    expect(code).toBe(0);
    const found = JSON.parse(stdout) as SteadyDocument;
    expect(found).toMatchObject({
      kind: 'steady',
      method: 'ctmc',
      complete: true,
      states: 6,
      vanishing: 0,
      components: [{ probability: 1, lower: 1, upper: 1, certainty: 1, states: 6 }],
      inputs: { net: { sha256: expect.any(String) } },
    });
    expect(found.places.map((p) => p.name)).toEqual(['free', 'waiting']);
    expect(found.transitions[1]).toMatchObject({ name: 'serve', certainty: 1 });
    expect(found.transitions[1]!.throughput).toBeCloseTo(62 / 63, 12);
    expect(found.transitions[1]!.enabledProbability).toBeCloseTo(31 / 63, 12);
  });

  it('adds rewards and the time until the end, and answers for one time', async () => {
    const more = ['--reward', 'both = #b + #c', '--reward', '#a > 0', '--absorption', '--json'];
    const long = JSON.parse((await warmly(['steady', file('ends.json'), ...more])).stdout) as SteadyDocument;
    expect(long.rewards).toMatchObject([
      { name: 'both', mean: 1 },
      { name: '#a > 0', mean: 0 },
    ]);
    expect(long.absorption!.mean).toBeCloseTo(0.25, 12);
    expect(long.absorption!.variance).toBeCloseTo(1 / 16, 12);
    const { stdout } = await warmly(['steady', file('ends.json'), '--at', '250ms', '--json']);
    const soon = JSON.parse(stdout) as SteadyDocument;
    expect(soon).toMatchObject({ solver: 'uniformisation', residual: null, options: { at: 0.25 }, components: [] });
    expect(soon.places[0]!.mean).toBeCloseTo(Math.exp(-1), 12);
  });

  it.each([
    [['--reward', 'x = #a', '--reward', 'x = #b'], 'APP062 --reward: reward "x" is given twice'],
    [['--reward', 'x = #d'], 'unknown place "d"'],
    [['--at', '-1'], 'must not be negative'],
    [['--at', '1e30'], 'jumps of the chain'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await warmly(['steady', file('ends.json'), ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('exits with 3 if a limit is reached', async () => {
    const { code, stdout } = await warmly(['steady', file('large.json'), '--method', 'ctmc', '--max-states', '1000']);
    expect(code).toBe(3);
    expect(stdout).toContain('NO FIGURES, because the state limit was reached: 1,000 states found');
  });

  it('refuses a net that is no Markov chain, with both transitions', async () => {
    const { code, stdout, stderr } = await warmly(['steady', file('conflict.json'), '--method', 'ctmc']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /conflict\.json:\d+(?::\d+)?: CTMC002 transition left: transitions "left" and "right" are enabled/,
    );
  });

  it('takes models, and refuses options that it does not have', async () => {
    const model = await warmly(['steady', 'examples/ring/model.ts', '--ranks', '3', '--json']);
    expect(model.code).toBe(0);
    expect(JSON.parse(model.stdout)).toMatchObject({
      method: 'simulate',
      options: { model: 'ring', ranks: 3 },
      simulation: { replications: 1 },
      nodes: [{ ranks: 1 }, { ranks: 1 }, { ranks: 1 }],
    });
    const threads = await warmly(['steady', 'examples/threads-loop/model.ts', '--json']);
    expect(threads).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(threads.stdout)).toMatchObject({
      method: 'simulate',
      options: { model: 'threads-loop', workers: 2 },
    });
    const option = await warmly(['steady', file('queue.json'), '--ranks', '2']);
    expect(option.code).toBe(2);
  });

  it('is repeated by rerun', async () => {
    const { stdout } = await warmly(['steady', file('ends.json'), '--reward', 'x = #c', '--restart', '--json']);
    writeFileSync(file('result.json'), stdout);
    const again = await warmly(['rerun', file('result.json')]);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('identical: ctmc, ') });
    writeFileSync(file('result.json'), stdout.replace(/"states": \d+/, '"states": 77'));
    const other = await warmly(['rerun', file('result.json')]);
    expect(other).toMatchObject({ code: 1, stdout: expect.stringContaining('differs in states') });
  });
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { progressText, TimeLeft } from '../../src/commands/command-line/progress.ts';
import type { SpaceDocument } from '../../src/commands/explore/space.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { netToJson } from '../../src/net/json/json.ts';
import { buffer, mutex } from '../analysis/space/small-nets.ts';
import { philosophers } from '../net/contest-nets.ts';
import { foretoken, hasComputed } from './run.ts';
import { warmly } from './warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-cli-explore-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);
writeFileSync(file('three.json'), netToJson(philosophers(3)));
writeFileSync(file('buffer.json'), netToJson(buffer(100)));
/** About 10¹² states. */
writeFileSync(file('endless.json'), netToJson(philosophers(25)));

const documentOf = (stdout: string): SpaceDocument => JSON.parse(stdout) as SpaceDocument;

describe('explore', () => {
  it('prints a page', async () => {
    const { code, stdout, stderr } = await warmly(['explore', file('three.json'), '--bounds', 'Think,Eat;Fork']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const timeless = stdout.replace(/first · .*/, 'first · …');
    await expect(timeless).toMatchFileSnapshot('explore-view.txt');
  });

  it('prints a document, which can be repeated', async () => {
    const { code, stdout, stderr } = await warmly(['explore', file('three.json'), '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const document = documentOf(stdout);
    expect(document).toMatchObject({
      kind: 'space',
      complete: true,
      figures: { states: { value: 27, unit: '1' }, edges: { value: 63 } },
      verdicts: { deadlock: true, live: false },
    });
    writeFileSync(file('result.json'), stdout);
    const rerun = await warmly(['rerun', '--trust', file('result.json')]);
    expect(rerun).toMatchObject({ code: 0, stdout: 'identical: 27 states, 63 edges\n', stderr: '' });
    writeFileSync(file('result.json'), stdout.replace('"value":63', '"value":64'));
    expect(await warmly(['rerun', '--trust', file('result.json')])).toMatchObject({
      code: 1,
      stdout: 'differs in figures: 27 states, 63 edges\n',
    });
    expect((await warmly(['compare', file('result.json'), file('result.json')])).stderr).toContain('APP010');
  });

  it('requests run times, and says with its exit code whether they are known', async () => {
    writeFileSync(file('timed.json'), netToJson(mutex(true)));
    const plain = await warmly(['explore', file('timed.json'), '--json']);
    expect(plain.code).toBe(0);
    expect(documentOf(plain.stdout).runTime).toBeUndefined();
    const asked = await warmly(['explore', file('timed.json'), '--run-time', '--json']);
    expect(asked.code).toBe(3);
    expect(documentOf(asked.stdout).runTime).toMatchObject({ complete: false, because: 'no order ever ends' });
    writeFileSync(file('result.json'), asked.stdout);
    expect((await warmly(['rerun', '--trust', file('result.json')])).stdout).toContain('identical');
  });

  it('draws the graph', async () => {
    const target = file('space.html');
    const { code } = await warmly(['explore', file('three.json'), '--graph', target]);
    expect(code).toBe(0);
    expect(readFileSync(target, 'utf8')).toContain('27 states, 63 edges, complete');
  });

  it('explores a model', async () => {
    const args = ['explore', 'examples/ping-pong/model.ts', '--ranks', '2', '--set', 'bytes=8', '--json'];
    const { code, stdout, stderr } = await warmly(args);
    if (code !== 0) expect(stderr).toContain('no parameter');
    const { stdout: plain } = await warmly(['explore', 'examples/ring/model.ts', '--ranks', '2', '--json']);
    expect(stdout + plain).toContain('"finalStates":{"value":1');
  });

  it.each(['--order=depth', '--workers=2'])('gives the same result with %s', async (option) => {
    const { code, stdout } = await warmly(['explore', file('buffer.json'), option, '--json']);
    expect(code).toBe(0);
    expect(documentOf(stdout).figures).toMatchObject({ states: { value: 101 }, sccs: { value: 1 } });
  });

  it.each([
    [['--max-states', '50'], 'states', /^$/],
    // On a loaded machine the time may end before the exploration has begun to watch it: the command ends it then, and says so.
    [['--seconds', '1'], 'time', /^(foretoken: the time limit of 1\.000 s was reached\n)?$/],
    [['--memory', '130MB'], 'memory', /^$/],
  ])('exits with 3 at a limit: %j', async (limit, truncation, notice) => {
    const { code, stdout, stderr } = await warmly(['explore', file('endless.json'), ...limit, '--json']);
    expect(code).toBe(3);
    expect(stderr).toMatch(notice);
    expect(documentOf(stdout)).toMatchObject({ complete: false, truncation, verdicts: { reversible: null } });
    const page = await warmly(['explore', file('endless.json'), ...limit]);
    expect(page.stdout).toMatch(
      /^[\d,]+ states?, [\d,]+ edges: TRUNCATED by the \w+ limit; figures cover the part explored\n/,
    );
  });

  it('rejects a memory limit below the needs of the process', async () => {
    const { code, stdout, stderr } = await warmly(['explore', file('endless.json'), '--memory', '20MB', '--json']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^EXPL005 memory: expected at least \d+MiB, .* got 20000000 bytes\n$/);
  });

  // `timeout` signals its child, and then the group of its child, too: one request.
  it.each([
    ['Ctrl-C', 'SIGINT', 1, 130],
    ['the two signals of timeout', 'SIGTERM', 2, 143],
  ] as const)('prints a partial result after %s', async (_, signal, times, expected) => {
    const { code, stdout } = await foretoken(['explore', file('endless.json'), '--json'], {
      during: async (child) => {
        await hasComputed(child, 2.5);
        for (let k = 0; k < times; k++, await sleep(20)) child.kill(signal);
      },
    });
    expect(code).toBe(expected);
    const document = documentOf(stdout);
    expect(document).toMatchObject({ complete: false, truncation: 'interrupted', figures: { sccs: { value: null } } });
    expect(document.figures.states.value).toBeGreaterThan(10);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('bad input is exit code 2, with nothing on standard output', () => {
  const n = new NetBuilder('counter');
  const Int = n.integer('Int');
  const p = n.place('p', { k: Int }, { initial: [{ k: 0 }] });
  n.transition('t', (t) => t.take(p));
  writeFileSync(file('broken.pnml'), '<pnml><net>');
  writeFileSync(file('empty.pnml'), '');
  it.each([
    [[file('absent.pnml')], 'APP001'],
    [[file('broken.pnml')], 'broken.pnml:1'],
    [[file('empty.pnml')], 'empty.pnml'],
    [['x.ti'], 'APP030 ".ti" is not the extension of a net'],
    [
      [file('three.json'), '--bounds', 'Think,Frok'],
      'EXPL001 group 1: the net has no place "Frok". Did you mean "Fork"?',
    ],
    [[file('three.json'), '--bounds', 'Think;;Fork'], 'EXPL002 group 2'],
    [[file('three.json'), '--graph', file('out.png')], 'EXPL004 unknown graph extension ".png"'],
    [[file('endless.json'), '--graph', file('out.svg')], 'EXPL003 graph: has '],
    [[file('three.json'), '--graph', file('three.json')], 'APP007'],
    [[file('three.json'), '--max-states', '0'], 'Expected an integer >= 1 such as 5000000 or 5e6.'],
    [[file('three.json'), '--memory', '0'], 'must be greater than 0'],
    [[file('three.json'), '--memory', '4 gib'], 'Did you mean'],
    [[file('three.json'), '--seconds', '-1'], '-1: must be greater than 0'],
    [[file('three.json'), '--workers', '0'], 'Expected an integer >= 1.'],
    [[file('three.json'), '--order', 'random'], 'Allowed choices are breadth, depth.'],
    [[file('three.json'), '--set', 'n=5'], 'APP004'],
    [['examples/ring/model.ts', '--set', 'nix=5'], 'nix'],
  ])('explore refuses %j with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await warmly(['explore', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(existsSync(file('out.svg'))).toBe(false);
  });
});

it('the progress line shows states, their rate, and the remainder', () => {
  const text = progressText({ states: 1_254_321, expanded: 1_200_000, seconds: 1.5 });
  expect(text).toBe('1.25 M states, 836 k/s, 54.3 k to go');
  expect(progressText({ states: 1, expanded: 0, seconds: 0 })).toBe('1 states, 1 to go');
  const left = new TimeLeft();
  // A third of the memory after 10 s, an eighth of it given back, and two thirds after 20 s.
  for (const [at, used] of [
    [0, 0],
    [10_000, 1 / 3],
    [10_200, 1 / 4],
  ] as const)
    left.most(used, at);
  expect(left.most(2 / 3, 20_000)).toBe('10 s');
  expect(left.most(1, 30_000)).toBe(undefined);
  expect(progressText({ states: 5e15, expanded: 5e15, seconds: 1 }).length).toBeLessThan(40);
});

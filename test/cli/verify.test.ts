import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { PropertyResult, VerificationDocument } from '../../src/commands/verify/net/verification.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { netToJson } from '../../src/net/json/json.ts';
import { philosophers } from '../net/contest-nets.ts';
import { foretoken, hasComputed } from './run.ts';
import { warmly } from './warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-cli-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);
const three = file('three.json');
writeFileSync(three, netToJson(philosophers(3)));
/** About 10¹² states. */
const endless = file('endless.json');
writeFileSync(endless, netToJson(philosophers(25)));

const documentOf = (stdout: string): VerificationDocument => JSON.parse(stdout) as VerificationDocument;
const verdicts = (stdout: string): unknown => documentOf(stdout).properties.map((p) => p.verdict);
const asked = (...properties: readonly string[]): string[] => properties.flatMap((p) => ['--property', p]);

describe('verify', () => {
  it('prints a page', async () => {
    const { code, stdout, stderr } = await warmly(['verify', three]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain('3 properties: 1 violated, 1 holds, 1 measured\n');
    expect(stdout).toContain('VIOLATED  deadlock-free\n');
    expect(stdout).toContain('all 27 states and 63 edges explored');
    expect(stdout).toContain('deadlock-free: 3 steps, shortest\n');
    expect(stdout).toMatch(/ 1 FF1a x=\d: Think\[\d\] -1, Fork\[\d\] -1, Catch1\[\d\] \+1\n/);
    expect(stdout).toContain(`reproduce with: foretoken verify ${three} --property deadlock-free\n`);
    for (const line of stdout.split('\n'))
      if (!line.startsWith('reproduce with')) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('exits with 0 if all properties hold', async () => {
    const { code, stdout } = await warmly(['verify', three, '-p', 'safe', '-p', 'upper-bound(Eat)', '--json']);
    expect(code).toBe(0);
    expect(documentOf(stdout)).toMatchObject({ format: 'foretoken', version: 1, kind: 'verification', complete: true });
    expect(verdicts(stdout)).toEqual([true, 1]);
  });

  it('repeats a violation with the printed command', async () => {
    const question = ['verify', three, ...asked('AG(tokens(Eat) = 0)')];
    const first = await warmly([...question, '--json']);
    expect(first.code).toBe(1);
    const [{ repeat, witness }] = documentOf(first.stdout).properties as [PropertyResult];
    expect(repeat).toBe(`foretoken verify ${three} --property 'AG(tokens(Eat) = 0)'`);
    const again = await warmly([...question, '--json', '--workers', '2']);
    expect(documentOf(again.stdout).properties[0]!.witness).toEqual(witness);
    expect(witness!.steps).toHaveLength(2);
  });

  it('exits with 3 at a limit, but with 1 for a violation', async () => {
    const limited = ['--max-states', '500', '--json'];
    const open = await warmly(['verify', endless, ...asked('deadlock-free'), ...limited]);
    expect(open.code).toBe(3);
    expect(documentOf(open.stdout)).toMatchObject({ complete: false, space: { truncation: 'states' } });
    expect(verdicts(open.stdout)).toEqual([null]);
    const both = await warmly(['verify', endless, ...asked('deadlock-free', 'one-safe'), ...limited]);
    expect(both.code).toBe(1);
    expect(verdicts(both.stdout)).toEqual([null, false]);
  });

  it('prints a partial result after Ctrl-C', async () => {
    const question = asked('deadlock-free', 'EF(tokens(Eat) = 1)');
    const { code, stdout } = await foretoken(['verify', endless, ...question, '--json'], {
      during: async (child) => {
        await hasComputed(child, 4);
        child.kill('SIGINT');
      },
    });
    expect(code).toBe(130);
    expect(verdicts(stdout)).toEqual([null, true]);
    const document = documentOf(stdout);
    expect(document).toMatchObject({ complete: false, space: { truncation: 'interrupted' } });
    expect(document.properties[0]!.reason).toBe('ended by request');
  });

  it('writes firing sequences', async () => {
    const [witness, trace] = [file('way.json'), file('way.trace.json')];
    const args = [...asked('deadlock-free'), '--witness', witness, '--trace', trace];
    expect((await warmly(['verify', three, ...args])).code).toBe(1);
    const node = 'FF1a';
    expect(JSON.parse(readFileSync(witness, 'utf8'))).toMatchObject({
      kind: 'witnesses',
      sequences: [{ id: 'deadlock-free', verdict: false, steps: [{ node }, { node }, { node }] }],
    });
    expect(JSON.parse(readFileSync(trace, 'utf8'))).toMatchObject({ displayTimeUnit: 'ns' });
  });

  it('reads the formulas of the contest', async () => {
    const formulas = file('f.xml');
    writeFileSync(
      formulas,
      `<property-set xmlns="http://mcc.lip6.fr/"><property><id>a-00</id><formula><exists-path><finally>
      <is-fireable><transition>End</transition></is-fireable></finally></exists-path></formula></property>
      <property><id>a-01</id><formula><place-bound><place>Eat</place></place-bound></formula></property></property-set>`,
    );
    const { code, stdout } = await warmly(['verify', three, '--formulas', formulas, '--json']);
    expect(code).toBe(0);
    expect(documentOf(stdout).properties.map((p) => [p.id, p.verdict])).toEqual([
      ['a-00', true],
      ['a-01', 1],
    ]);
    expect(documentOf(stdout).inputs.formulas?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('searches only a reduced net, and says so', async () => {
    const args = ['verify', endless, ...asked('deadlock-free'), '--reduce', 'all', '--max-states', '50', '--json'];
    const { code, stdout } = await warmly(args);
    expect(code).toBe(3);
    expect(documentOf(stdout)).toMatchObject({ options: { reduce: 'all' }, properties: [{ states: 50 }] });
    const page = await warmly(['verify', three, ...asked('deadlock-free'), '--reduce', 'stubborn']);
    expect(page.code).toBe(1);
    expect(page.stdout).toContain(`${three} · reduced: stubborn · `);
    expect(page.stdout).toMatch(/\d+ states and \d+ edges of the space reduced by stubborn sets/);
    expect(page.stdout).toContain(
      `reproduce with: foretoken verify ${three} --property deadlock-free --reduce stubborn\n`,
    );
    const refused = await warmly(['verify', three, ...asked('live'), '--reduce', 'stubborn']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('RED002 property live');
  });

  it('reports an unbounded place, with the loop that fills it', async () => {
    const n = new NetBuilder('source');
    const [idle, heap] = [n.place('idle', {}, { initial: 1 }), n.place('heap', {})];
    n.transition('make', (t) => {
      t.take(idle);
      t.put(idle, {});
      t.put(heap, {});
    });
    writeFileSync(file('source.json'), netToJson(n.build()));
    const bounds = await warmly(['verify', file('source.json'), ...asked('bounds'), '--json']);
    expect(bounds.code).toBe(0);
    expect(documentOf(bounds.stdout).properties[0]).toMatchObject({
      verdict: 'unbounded',
      bounds: { idle: 1, heap: 'unbounded' },
      witness: { loop: 0, steps: [{ node: 'make' }] },
    });
    const page = await warmly(['verify', file('source.json'), ...asked('bounds', 'bounded(9)', 'live')]);
    expect(page.code).toBe(1);
    expect(page.stdout).toContain(
      'unbounded bounds\n          place heap is unbounded: make can be repeated forever, and adds 1 token each time\n',
    );
    expect(page.stdout).toContain('heap unbounded, idle 1');
    expect(page.stdout).toContain('repeated from here: make');
    const open = await warmly(['verify', file('source.json'), ...asked('reversible'), '--max-states', '6000']);
    expect(open.code).toBe(3);
    const explored = await warmly(['explore', file('source.json')]);
    expect(explored.code).toBe(3);
    expect(explored.stderr).toContain('warning: place heap is unbounded');
    const played = await warmly(['predict', file('source.json'), '--max-steps', '500']);
    expect(played.code).toBe(3);
    expect(played.stderr).toMatch(/COV004 .*the net never stops/);
  });

  it('verifies a model: a completed run is not a deadlock', async () => {
    const model = ['examples/ring/model.ts', '--ranks', '2', '--set', 'turns=2'];
    const { code, stdout } = await warmly(['verify', ...model, ...asked('deadlock-free', 'AG !dead'), '--json']);
    expect(code).toBe(1);
    expect(verdicts(stdout)).toEqual([true, false]);
    expect(documentOf(stdout).final).toMatch(/^tokens\(.*\) = 2$/);
  });
});

it('the command that repeats a violation can be pasted, also under npx', async () => {
  const odd = file("it's 1 $net.json");
  writeFileSync(odd, readFileSync(three));
  const args = ['verify', odd, '-p', 'deadlock-free'];
  const [plain, npx] = [await warmly(args), await foretoken(args, { env: { npm_command: 'exec' } })];
  const command = `foretoken verify '${odd.replace("'", "'\\''")}' --property deadlock-free\n`;
  expect(plain.stdout).toContain(`reproduce with: ${command}`);
  expect(npx.stdout).toContain(`reproduce with: npx ${command}`);
});

it('a repeated property is answered twice, with one firing sequence', async () => {
  const { code, stdout } = await warmly(['verify', three, '-p', 'deadlock-free', '-p', 'deadlock-free']);
  expect(code).toBe(1);
  expect(stdout.match(/^VIOLATED {2}deadlock-free$/gm)?.length).toBe(2);
  expect(stdout.match(/^reproduce with: /gm)?.length).toBe(1);
});

describe('bad input is exit code 2, with nothing on standard output', () => {
  it.each([
    ['an empty property', ['-p', ''], 'PROP007'],
    ['an unknown place', ['-p', 'AG(tokens(Eta) <= 1)'], 'unknown place "Eta". Did you mean "Eat"?'],
    ['an unknown property', ['-p', 'dedlock-free'], 'Did you mean "deadlock-free"?'],
    ['the beginning of a name', ['-p', 'deadlok'], 'Did you mean "deadlock" or "deadlock-free"?'],
    [
      'two wrong properties, the first',
      ['-p', 'deadlok', '-p', 'AG(tokens(nope) <= 1)'],
      '1:1: PROP001 property "deadlok"',
    ],
    [
      'two wrong properties, the second',
      ['-p', 'deadlok', '-p', 'AG(tokens(nope) <= 1)'],
      '1:11: PROP002 property "AG(tok',
    ],
    ['a file of formulas that is none', ['--formulas', three], 'PROP021 not well-formed XML'],
    ['a file of formulas that is not there', ['--formulas', 'none.xml'], 'none.xml: PROP020'],
    ['a limit of zero', ['--max-states', '0'], 'Expected an integer >= 1'],
    ['memory of zero', ['--memory', '0'], 'must be greater than 0'],
    ['depth first', ['--order', 'depth'], 'PROP031'],
    ['a machine for a net', ['--machine', 'm.yaml'], 'APP004'],
    ['a witness over the net', ['--witness', three], 'APP007'],
    ['one file for two', ['--witness', file('w'), '--trace', file('w')], 'APP007'],
    ['a witness nowhere', ['--witness', file('no/where.json')], 'APP006'],
    ['a final marking of paths', ['--final', 'EF dead'], 'PROP008'],
  ])('verify refuses %s with exit code 2', async (_, args, message) => {
    const { code, stdout, stderr } = await warmly(['verify', three, ...args]);
    expect(stderr).toContain(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(existsSync(file('w'))).toBe(false);
    expect(readFileSync(three, 'utf8')).toBe(netToJson(philosophers(3)));
  });
});

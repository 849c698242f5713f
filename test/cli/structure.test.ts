import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { StructureDocument } from '../../src/commands/structure/structure-result.ts';
import type { VerificationDocument } from '../../src/commands/verify/net/verification.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { netToJson } from '../../src/net/json/json.ts';
import { buffer } from '../analysis/space/small-nets.ts';
import { philosophers } from '../net/contest-nets.ts';
import { warmly } from './warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-cli-structure-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);
writeFileSync(file('three.json'), netToJson(philosophers(3)));
writeFileSync(file('buffer.json'), netToJson(buffer(100)));
/** About 10¹² states. */
writeFileSync(file('endless.json'), netToJson(philosophers(25)));

/** An unbounded net. */
function counter(): string {
  const n = new NetBuilder('counter');
  const N = n.integer('N');
  const p = n.place('p', { n: N }, { initial: [{ n: 0 }] });
  n.transition('t', (t) => {
    const { n: k } = t.take(p);
    t.put(p, { n: k });
  });
  return netToJson(n.build());
}
writeFileSync(file('infinite.json'), counter());

const documentOf = (stdout: string): StructureDocument => JSON.parse(stdout) as StructureDocument;

describe('structure', () => {
  it('prints a page', async () => {
    const { code, stdout, stderr } = await warmly(['structure', file('three.json'), '-u', 'Eat >= 2']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout.replace(/\d[\d.]* (?:ms|s)\b/, '… s')).toMatchFileSnapshot('structure-view.txt');
  });

  it('prints a document', async () => {
    const { code, stdout } = await warmly(['structure', file('buffer.json'), '--json']);
    expect(code).toBe(0);
    expect(documentOf(stdout)).toMatchObject({
      kind: 'structure',
      figures: { places: { value: 2, unit: '1' }, placeSemiflows: { value: 1 }, largestBound: { value: 100 } },
      complete: { placeSemiflows: true, siphons: true },
      classes: { marked_graph: true, state_machine: true },
      verdicts: { safe: { value: false }, deadlockFree: { value: true }, live: { value: true } },
      proved: [
        { place: 'free', initial: 100, bound: 100, by: 'semiflow', weights: { free: 1, full: 1 }, tokens: 100 },
        { place: 'full', initial: 0, bound: 100, by: 'semiflow' },
      ],
      placeSemiflows: [{ weights: { free: 1, full: 1 }, tokens: 100 }],
      transitionSemiflows: [{ weights: { produce: 1, consume: 1 } }],
      siphons: [{ places: ['free', 'full'], tokens: 100, trap: ['free', 'full'] }],
    });
  });

  it('exits with 3 if a target is not proved', async () => {
    const args = ['structure', file('buffer.json'), '-u', 'full >= 101', '-u', 'full >= 100', '--json'];
    const { code, stdout } = await warmly(args);
    expect(code).toBe(3);
    expect(documentOf(stdout)).toMatchObject({
      solver: 'highs',
      unreachable: [
        { target: 'tokens(full) >= 101', unreachable: true },
        { target: 'tokens(full) >= 100', unreachable: null },
      ],
    });
  });

  it('works without linear programs', async () => {
    const target = 'tokens(Eat) >= 13';
    const both = await Promise.all([
      warmly(['structure', file('endless.json'), '-u', target, '--json']),
      warmly(['structure', file('endless.json'), '-u', target, '--json', '--no-linear-programs']),
    ]);
    expect(both.map(({ code }) => code)).toEqual([0, 3]);
    expect(both.map(({ stdout }) => documentOf(stdout).solver)).toEqual(['highs', 'off']);
    expect(documentOf(both[0].stdout).unreachable?.[0]?.certificates[0]).toMatchObject({
      by: 'linear program',
      tokens: 25,
    });
  });

  it.each([
    [['structure', 'missing.pnml'], 'APP001'],
    [['structure', 'examples/stencil/stencil-8.ti'], 'APP030'],
    [['structure', file('infinite.json')], 'UNF001'],
    [['structure', file('three.json'), '-u', 'Eet >= 1'], 'PROP002 target 1: unknown place "Eet". Did you mean "Eat"?'],
    [['structure', file('three.json'), '-u', ''], 'STR002'],
    [['structure', file('three.json'), '-u', 'EF(Eat >= 1)'], 'PROP001'],
    [['structure', file('three.json'), '--ranks', '3'], 'APP004'],
    [['structure', file('three.json'), '--sets', '0'], '--sets'],
  ])('rejects %j', async (args, message) => {
    const { code, stdout, stderr } = await warmly(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('verify with too many states to explore', () => {
  it('reports structural proofs', async () => {
    const asked = ['safe', 'AG(tokens(Eat[3], Eat[4]) <= 1)', 'EF(tokens(Eat[1]) >= 1 & tokens(Eat[2]) >= 1)'];
    const { stdout, stderr } = await warmly([
      'verify',
      file('endless.json'),
      '--json',
      ...asked.flatMap((p) => ['-p', p]),
    ]);
    expect(stderr).toBe('');
    const { properties, space, complete } = JSON.parse(stdout) as VerificationDocument;
    expect(complete).toBe(true);
    expect(space.complete).toBe(false);
    expect(properties.map(({ verdict, certificate }) => [verdict, certificate?.kind])).toEqual([
      [true, 'structure'],
      [true, 'structure'],
      [false, 'structure'],
    ]);
  });
});

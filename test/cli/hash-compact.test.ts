import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SpaceDocument } from '../../src/commands/explore/space.ts';
import { errorOfPart } from '../../src/commands/inputs/document-parts.ts';
import type { VerificationDocument } from '../../src/commands/verify/net/verification.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { netToJson } from '../../src/net/json/json.ts';
import { add } from '../../src/net/terms.ts';
import { philosophers } from '../net/contest-nets.ts';
import { warmly } from './warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-cli-compact-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);
const seven = file('seven.json');
writeFileSync(seven, netToJson(philosophers(7)));
/** About 10¹² states. */
writeFileSync(file('endless.json'), netToJson(philosophers(25)));
const RING = resolve('examples/ring/model.ts');

const parsed = <T>(text: string): T => JSON.parse(text) as T;

describe('explore --hash-compact', () => {
  it('finds what explore finds, but proves nothing: exit code 3', async () => {
    const plain = parsed<SpaceDocument>(
      (await warmly(['explore', seven, '--bounds', 'Think,Eat;Fork', '--json'])).stdout,
    );
    const { code, stdout, stderr } = await warmly([
      ...['explore', seven, '--bounds', 'Think,Eat;Fork', '--hash-compact', '--json'],
    ]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    const found = parsed<SpaceDocument>(stdout);
    expect(found.complete).toBe(false);
    expect(found.truncation).toBeUndefined();
    const bound = (2187 * 2188) / 2 / (2 ** 31 - 1) ** 2;
    expect(found.omission!.probability / bound).toBeCloseTo(1, 10);
    expect(found.omission!.bits).toBeCloseTo(62, 8);
    expect(found.options).toMatchObject({ hashCompact: 'yes', seed: '1' });
    for (const key of ['states', 'edges', 'maxTokensPerMarking', 'maxTokensInPlace', 'deadlockStates'] as const)
      expect([key, found.figures[key].value]).toEqual([key, plain.figures[key].value]);
    expect(found.figures.states).toEqual({ value: 2187, unit: '1', ...errorOfPart(2187) });
    expect([found.bounds, found.depths, found.branching]).toEqual([plain.bounds, plain.depths, plain.branching]);
    const markings = (d: SpaceDocument): string[] => d.dead.map((m) => JSON.stringify([m.marking, m.distance])).sort();
    expect(markings(found)).toEqual(markings(plain));
    // Found by a state; all others need every state or the edges.
    expect(found.verdicts).toEqual({
      deadlock: true,
      oneSafe: false,
      quasiLive: true,
      live: false,
      stableMarking: false,
      reversible: false,
    });
  });

  it('can be repeated, and another seed gives another run', async () => {
    const { stdout } = await warmly(['explore', seven, '--hash-compact', '--seed', 'b', '--json']);
    expect(parsed<SpaceDocument>(stdout).options.seed).toBe('b');
    writeFileSync(file('result.json'), stdout);
    expect(await warmly(['rerun', '--trust', file('result.json')])).toMatchObject({
      code: 0,
      stdout: 'identical: 2187 states, 11907 edges\n',
    });
  });

  it('says so on the page', async () => {
    const { stdout } = await warmly(['explore', seven, '--hash-compact']);
    expect(stdout.split('\n').slice(0, 2).join(' ')).toBe(
      '2,187 states, 11,907 edges: NOT PROVEN complete; 62-bit hashes omit a state with a probability of at most 5.2e-13',
    );
  });

  it('ends at each limit, with figures of the states found', async () => {
    const by = async (...limit: string[]): Promise<SpaceDocument> => {
      const { code, stdout } = await warmly(['explore', file('endless.json'), '--hash-compact', '--json', ...limit]);
      expect(code).toBe(3);
      return parsed<SpaceDocument>(stdout);
    };
    const states = await by('--max-states', '5000');
    expect([states.truncation, states.figures.states.value]).toEqual(['states', 5000]);
    const time = await by('--seconds', '4');
    expect(time.truncation).toBe('time');
    expect(time.branching!.most).toBeGreaterThan(10);
  });
});

describe('verify --hash-compact', () => {
  const verified = async (...args: string[]): Promise<VerificationDocument & { readonly code: number }> => {
    const { code, stdout } = await warmly(['verify', ...args, '--hash-compact', '--json']);
    return { ...parsed<VerificationDocument>(stdout), code: code! };
  };

  it('shows a violation by a path that replays: exit code 1', async () => {
    const { code, properties, space } = await verified(seven, '--reduce', 'none', '-p', 'deadlock-free');
    expect(code).toBe(1);
    const [found] = properties;
    expect([found!.verdict, found!.witness!.steps.length, found!.witness!.shortest]).toEqual([false, 7, false]);
    expect(space.omission!.probability).toBeGreaterThan(0);
    expect(found!.repeat).toContain('--hash-compact');
  });

  it('proves nothing by the states found: exit code 3', async () => {
    const asked = ['-p', 'AG(tokens(Eat) <= 3)', '-p', 'EF(tokens(Eat) = 4)', '-p', 'bounds'];
    const { code, complete, properties, space } = await verified(seven, '--reduce', 'none', ...asked);
    expect([code, complete, space.complete, space.states]).toEqual([3, false, false, 2187]);
    expect(properties.map(({ verdict }) => verdict)).toEqual([null, null, null]);
    expect(properties[2]!.atLeast).toBe(1);
    expect(properties[0]!.reason).toMatch(
      /^not proven, since 62-bit hashes omit a state with a probability of at most/,
    );
    expect(properties[0]!.certificate).toBeUndefined();
  });

  it('gives proofs that need no states', async () => {
    const { code, properties } = await verified(seven, '-p', 'safe');
    expect([code, properties[0]!.verdict, properties[0]!.certificate!.kind]).toEqual([0, true, 'structure']);
  });

  it('takes a program as a net', async () => {
    const found = await verified(RING, '-n', '2', '--reduce', 'none', '-p', 'AG(tokens(ended) < 2)');
    expect([found.code, found.properties[0]!.verdict]).toEqual([1, false]);
    expect(found.properties[0]!.failing ?? []).toEqual([]);
  });

  it('finds a violation in the initial marking', async () => {
    const { code, properties } = await verified(seven, '--reduce', 'none', '-p', 'AG(tokens(Think) < 7)');
    expect([code, properties[0]!.witness!.steps]).toEqual([1, []]);
  });
});

describe('refused with hash compaction', () => {
  const refusal = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await warmly(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    return stderr;
  };

  it('options that need edges or whole markings', async () => {
    const all = ['--liveness', '--run-time', '--graph', file('x.svg'), '--order', 'depth', '--workers', '2'];
    const text = await refusal('explore', seven, '--hash-compact', ...all);
    expect([...text.matchAll(/^EXPL006 ([\w-]+): /gm)].map(([, part]) => part).sort()).toEqual(
      ['graph', 'liveness', 'order', 'run-time', 'workers'].sort(),
    );
  });

  it('properties that need edges', async () => {
    const asked = ['-p', 'live', '-p', 'AF dead', '-p', 'deadlock-free', '-p', 'reversible'];
    const text = await refusal('verify', seven, '--hash-compact', ...asked);
    expect([...text.matchAll(/^EXPL006 property (.*?): hash compaction keeps no edges/gm)].map(([, id]) => id)).toEqual(
      ['live', 'AF dead', 'reversible'],
    );
  });

  it('a reduction, and a seed without hash compaction', async () => {
    expect(await refusal('verify', seven, '--hash-compact', '--reduce', 'stubborn', '-p', 'deadlock-free')).toContain(
      'EXPL006 reduce: searches of a reduced net keep whole markings: omit --reduce stubborn, or --hash-compact',
    );
    for (const command of ['explore', 'verify'])
      expect(await refusal(command, seven, '--seed', '2')).toContain('EXPL006 seed: chooses the hash functions');
  });

  it('a net that cannot be unfolded', async () => {
    const n = new NetBuilder('unbounded');
    const numbers = n.place('numbers', { x: n.integer('Number') }, { initial: [{ x: 0 }] });
    n.transition('next', (t) => {
      const { x } = t.take(numbers);
      t.put(numbers, { x: add(x!, 1) });
    });
    writeFileSync(file('unbounded.json'), netToJson(n.build()));
    const text = await refusal('explore', file('unbounded.json'), '--hash-compact');
    expect(text).toMatch(/EXPL007 unbounded: hash compaction needs a net that can be unfolded and packed: .*numbers/);
  });

  it('more states than fit, with the estimate', async () => {
    expect(await refusal('explore', seven, '--hash-compact', '--max-states', '1e8', '--memory', '512MiB')).toContain(
      'EXPL008 maxStates: expected a memory limit of at least 1025 MiB for the hashes of 100000000 states, got 512 MiB. ' +
        'Omit --max-states to explore until the memory is full.',
    );
    expect(await refusal('verify', seven, '--hash-compact', '--max-states', '1e9')).toContain(
      'EXPL008 maxStates: expected at most 251658240 states, whose hashes fit into a table, got 1000000000.',
    );
  });

  it('traces and thread programs to be verified', async () => {
    writeFileSync(file('trace.ti'), '0 init\n0 finalize\n');
    expect(await refusal('verify', file('trace.ti'), '--hash-compact')).toContain('--hash-compact');
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { convert } from '../../../../src/commands/convert/convert.ts';
import { explore } from '../../../../src/commands/explore/explore.ts';
import { readNetFile } from '../../../../src/commands/inputs/net-file.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { profile } from '../../../../src/commands/profile/profile-program.ts';
import { steady } from '../../../../src/commands/steady/steady.ts';
import { structure } from '../../../../src/commands/structure/structure.ts';
import { verify } from '../../../../src/commands/verify/net/verify.ts';
import { verifyThreads } from '../../../../src/commands/verify/threads/verify-threads.ts';
import { whatif } from '../../../../src/commands/whatif/whatif.ts';
import { compose, receives, sends, spmd, threads } from '../../../../src/models.ts';
import type { Net } from '../../../../src/net/net.ts';
import { label, net, num, place, put, take, transition } from '../../../net/merge-nets.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-compose-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A cycle of work and a step with the others. */
const cycle = (name: string, rate: number): Net =>
  net(name, {
    places: [place('busy', {}, { initial: [{ values: [], count: 1 }] }), place('done', {}, { initial: [] })],
    transitions: [
      transition('work', [take('busy')], [put('done')], { delay: { dist: 'exponential', rate: num(rate) } }),
      transition('meet', [take('done')], [put('busy')], { label: label('meet') }),
    ],
  });

/** Each module waits, works or is done. */
const STATES = 3 ** 2;

describe('commands on a composition of nets', () => {
  const both = compose([cycle('a', 1), cycle('b', 1)], { synchronise: ['meet'] });

  test('explore, structure and verify', async () => {
    expect(explore(both).figures.states.value).toBe(STATES);
    // Each module keeps its token: two invariants of places.
    expect(JSON.stringify(await structure(both))).toContain('a.busy');
    expect(verify(both, [{ kind: 'deadlock-free' }] as never).properties[0]!.verdict).toBe(true);
  });

  test('steady: cycles as often as the slower one of two allows', async () => {
    // The time of a cycle is the maximum of two exponential times of mean 1: 1.5 s.
    const { places } = await steady(both);
    expect(places.find(({ name }) => name === 'a.done')!.arrivals!.value).toBeCloseTo(1 / 1.5, 12);
  });

  test('predict and whatif', async () => {
    expect(predict(both, { until: 50, seed: '1' }).figures).toBeDefined();
    const result = await whatif(both, { vary: { 'transitions.a.work.rate': ['x1', 'x2'] }, until: 50 } as never);
    expect(result.scenarios).toHaveLength(2);
  });

  test('whatif: a module that is one of several nets', async () => {
    const stations = [cycle('slow', 1), cycle('fast', 4)];
    const chosen = compose([cycle('a', 1), { as: 'b', choose: stations }], {
      name: 'pair',
      synchronise: ['meet'],
      expose: { meet: 'a.meet' },
    });
    // A composition is a module, whose choices it keeps.
    const outer = compose([chosen, cycle('c', 1)], { name: 'all', synchronise: ['meet'] });
    const vary = (module: string) => ({ [`model.${module}`]: ['slow', 'fast'] });
    const reward = { done: 'firings("a.meet+b.meet")' };
    const { scenarios } = await whatif(chosen, { vary: vary('b'), rewards: reward } as never);
    // The mean maximum of exponential times of rates 1 and r: 1 + 1 / r - 1 / (1 + r).
    const means = scenarios.map((s) => s.figures!['rewards.done']!.value);
    for (const [k, r] of [1, 4].entries()) expect(means[k]).toBeCloseTo(1 / (1 + 1 / r - 1 / (1 + r)), 10);
    const nested = await whatif(outer, { vary: vary('pair.b'), until: 20 } as never);
    expect(nested.scenarios.map((s) => s.status)).toEqual(['done', 'done']);
    const wrong = whatif(chosen, { vary: { 'model.b': ['slow', 'fst'] }, until: 20 } as never);
    await expect(wrong).rejects.toThrow(/WHAT009 axis model\.b: .*Did you mean "fast"/);
    await expect(whatif(cycle('a', 1), { vary: vary('b') } as never)).rejects.toThrow('WHAT007');
  });

  test('convert', async () => {
    const out = join(folder, 'net.json');
    await convert(both, out);
    expect(explore(out).figures.states.value).toBe(STATES);
  });
});

describe('commands on a composition of thread models', () => {
  const user = (name: string, seconds: number) =>
    threads({
      name,
      params: { seconds },
      interface: { lock: 'mutex' },
      build(t) {
        const lock = t.mutex('lock');
        t.critical(lock, () => t.compute({ seconds: t.p.seconds }));
      },
    });
  const both = compose([{ as: 'first', choose: [user('fast', 1), user('slow', 2)] }, user('last', 4)], {
    synchronise: ['lock'],
  });

  test('predict, whatif and verify', async () => {
    expect(predict(both, { workers: 2 }).figures.runTime!.value).toBeCloseTo(5, 2);
    const { scenarios } = await whatif(both, { vary: { 'model.first': ['fast', 'slow'] }, workers: 2 } as never);
    expect(scenarios).toHaveLength(2);
    const verdicts = verifyThreads(both).instances.flatMap((one) => one.properties.map((p) => p.verdict));
    expect(new Set(verdicts)).toEqual(new Set([true]));
  });

  test('convert to a safe net in PNML, without colours', () => {
    const out = join(folder, 'safe.pnml');
    const options = { workers: 2, scheduler: 'central' } as const;
    // Without `safe` the order of its queues would be lost.
    expect(() => convert(both, out, options)).toThrow(/UNF00[49]/);
    convert(both, out, { ...options, safe: true });
    const written = readNetFile(out).net;
    expect(written.places.every((p) => p.fields.length === 0)).toBe(true);
    expect(predict(out).figures.runTime!.value).toBeCloseTo(predict(both, options).figures.runTime!.value, 9);
  });

  test('a program whose messages share a network is refused with UNF005, which names the network', () => {
    const end = (name: string, build: (m: never) => void) =>
      spmd({ name, interface: { x: name === 'a' ? sends() : receives() }, build: build as never });
    const pair = compose(
      [
        {
          model: end('a', (m: { send(o: object): void }) => {
            m.send({ label: 'x', bytes: 8 });
            m.send({ label: 'x', bytes: 16 });
          }),
          ranks: 1,
        },
        {
          model: end('b', (m: { recv(o: object): void }) => {
            m.recv({ label: 'x' });
            m.recv({ label: 'x' });
          }),
          ranks: 1,
        },
      ],
      { synchronise: ['x'] },
    );
    expect(() => convert(pair, join(folder, 'no.pnml'), { safe: true })).toThrow(
      /UNF005 place network: its service \(max-min\) is shared by/,
    );
  });

  test('profile, with its workers', () => {
    expect(profile(both, { workers: 2 }).intervals[0]!.figures.processors.value).toBe(2);
  });

  test('convert; explore of its net', async () => {
    const out = join(folder, 'threads.json');
    await convert(both, out, { workers: 2, scheduler: 'os' });
    expect(explore(out).figures.deadlockStates.value).toBe(1);
  });
});

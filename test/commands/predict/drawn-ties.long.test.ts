import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { differences, rerunOf } from '../../../src/commands/predict/predict-rerun.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { ANY, cluster, counter, noise, type ProgramModel, range, rankVar, spmd } from '../../../src/models.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-drawn-ties-'));
afterAll(() => rmSync(folder, { recursive: true }));

const machine = cluster({
  nodes: 4,
  coresPerNode: 1,
  speed: '1Gf',
  link: { latency: '1ns', bandwidth: '1TB/s' },
  eagerBelow: 0,
});
const ties = 'random';
const notesOf = ({ warnings }: PredictionDocument): readonly string[] =>
  warnings.filter(({ code }) => code === 'APP050').map(({ message }) => message);

/** The digits in base 10, the k-th first, of which rank 0 computes for digit · 10^k seconds after receive k. */
const digits = (seconds: number, count: number): string =>
  [...String(Math.floor(seconds)).padStart(count, '0')].reverse().join('');

/**
 * Rank 0 receives `tags` messages from each other rank, which come at the same instant if `apart` is 0. After its k-th
 * receive it computes for 10^k times the number of the message: the run time spells the order of the messages.
 */
function star({ tags = 1, apart = 0, from }: { tags?: number; apart?: number; from?: 'any' | 'each' }): ProgramModel {
  return spmd({
    name: 'star',
    vars: { k: counter(), t: counter(), who: rankVar(), what: range(0, 9) },
    build(m) {
      m.when(
        (s) => s.rank === 0,
        () =>
          m.loop('k', (m.size - 1) * tags, () => {
            if (from === 'each')
              m.recv({ from: (s) => 1 + (s.k % (s.size - 1)), into: { source: 'who', tag: 'what' } });
            else m.recv({ from: ANY, tag: ANY, into: { source: 'who', tag: 'what' } });
            m.compute({ seconds: (s) => ((s.who - 1) * tags + s.what + 1) * 10 ** s.k });
          }),
        () => {
          if (apart > 0) m.compute({ seconds: (s) => apart * s.rank });
          for (let tag = 0; tag < tags; tag++) m.send({ to: 0, bytes: 8, tag, mode: 'buffered' });
        },
      );
    },
  });
}

describe('drawn ties of programs', () => {
  test('every order of messages of one instant is drawn, with equal probability', () => {
    const { replications } = predict(star({}), { machine, ranks: 4, ties, replications: 600 });
    const orders = new Map<string, number>();
    for (const s of replications!.seconds) orders.set(digits(s, 3), (orders.get(digits(s, 3)) ?? 0) + 1);
    expect([...orders.keys()].sort()).toEqual(['123', '132', '213', '231', '312', '321']);
    // Chi-squared with 5 degrees of freedom: 20.5 is exceeded with probability 0.001 (fixed seed).
    expect([...orders.values()].reduce((sum, n) => sum + (n - 100) ** 2 / 100, 0)).toBeLessThan(20.5);
  });

  test('messages of one rank never overtake each other (MPI 4.1, §3.5)', () => {
    const { replications } = predict(star({ tags: 2 }), { machine, ranks: 4, ties, replications: 300 });
    for (const s of replications!.seconds) {
      const order = digits(s, 6);
      for (const [first, second] of ['12', '34', '56'].map((own) => [...own].map((d) => order.indexOf(d))))
        expect(first).toBeLessThan(second!);
    }
    expect(new Set(replications!.seconds).size).toBeGreaterThan(10);
  });

  test('messages of different instants keep their order, whatever the times are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.string(), (nanoseconds, seed) => {
        const model = star({ apart: nanoseconds * 1e-9 });
        const { figures } = predict(model, { machine, ranks: 4, ties, seed });
        expect(digits(figures.runTime.value, 3)).toBe('123');
        expect(notesOf(predict(model, { machine, ranks: 4 }))).toEqual([]);
      }),
      { numRuns: effort(60) },
    );
  });

  test('a warning names two results; receives that name their source have one', () => {
    const [note, ...more] = notesOf(predict(star({}), { machine, ranks: 4 }));
    expect(more).toEqual([]);
    expect(note).toMatch(
      /^simultaneous messages decide which one a wildcard receive takes, .*: the run takes .* or .*/,
    );
    expect(notesOf(predict(star({ from: 'each' }), { machine, ranks: 4 }))).toEqual([]);
    expect(notesOf(predict(star({}), { machine, ranks: 4, ties }))).toEqual([]);
    expect(notesOf(predict(star({}), { machine, ranks: 2 }))).toEqual([]);
  });

  test('an error in another order is a result, and not that of the run', () => {
    const model = spmd({
      name: 'late',
      vars: { k: counter(), who: rankVar() },
      build(m) {
        m.when(
          (s) => s.rank === 0,
          () =>
            m.loop('k', 2, () => {
              m.recv({ from: ANY, into: { source: 'who' } });
              m.compute({ seconds: (s) => (s.k === 0 && s.who === 2 ? -1 : 1) });
            }),
          () => m.send({ to: 0, bytes: 8 }),
        );
      },
    });
    const [note] = notesOf(predict(model, { machine, ranks: 3 }));
    expect(note).toMatch(
      /the figures are one of several possible results: in another order the run ends with [A-Z]+\d+/,
    );
  });

  test('a study warns once, at its first scenario', async () => {
    const study = await whatif(star({}), { machine, vary: { ranks: [4, 3, 2] }, workers: 1 });
    expect(JSON.stringify(study).match(/simultaneous messages decide/g)).toHaveLength(1);
  });

  test('random parts draw the same numbers with drawn ties', () => {
    const model = spmd({
      name: 'noisy',
      build(m) {
        m.compute({ flops: 1e9, noise: noise.exponential() });
        m.chance(0.5, () => m.compute({ flops: 1e9 }));
        m.barrier();
      },
    });
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const run = (options: object): PredictionDocument => predict(model, { machine, ranks: 4, seed, ...options });
        expect(run({ ties }).figures).toEqual(run({}).figures);
      }),
      { numRuns: effort(40) },
    );
  });

  test('a trace with a wildcard: both results, from either seed, and a rerun', () => {
    const lines = ['0 init', '1 init', '2 init', '0 recv -555 0 8', '0 compute 1e9', '0 recv -555 0 8'];
    // Rank 1 computes for 0.5 s after its send, rank 2 for 2 s.
    for (const [rank, flops] of ['5e8', '2e9'].entries())
      lines.push(`${rank + 1} send 0 0 1e7`, `${rank + 1} compute ${flops}`);
    const file = join(folder, 'any.ti');
    writeFileSync(file, [...lines, '0 finalize', '1 finalize', '2 finalize', ''].join('\n'));
    const machineFile = join(folder, 'machine.yaml');
    writeFileSync(
      machineFile,
      'nodes: 3\ncoresPerNode: 1\nspeed: 1Gf\nlink: { latency: 1ns, bandwidth: 1TB/s }\neagerBelow: 0\n',
    );
    const options = { machine: machineFile };
    const one = predict(file, options);
    expect(notesOf(one)).toHaveLength(1);
    const many = predict(file, { ...options, ties, replications: 60 });
    expect([...new Set(many.replications!.seconds.map((s) => s.toFixed(3)))].sort()).toEqual(['2.000', '3.000']);
    const again = rerunOf(many, 'result.json');
    expect(differences(many, predict(again.input, again.options))).toEqual([]);
    expect(() => predict(file, { ...options, seed: '2' })).toThrow(/APP004.*seed does not apply to a trace/);
    expect(() => predict(file, { ...options, replications: 3 })).toThrow(/APP004/);
    expect(() => predict(file, { ...options, ties: 'alphabet' as never })).toThrow(/ties: expected fixed or random/);
  });
});

describe('drawn ties of nets', () => {
  /** A token takes one of several ways back at the same instant. */
  const choice = (names: readonly string[]): Net => {
    const n = new NetBuilder('choice');
    const p = n.place('p', {}, { initial: 1 });
    for (const name of names)
      n.transition(name, (t) => {
        t.take(p);
        t.delay(1);
        t.put(p, {});
      });
    return n.build();
  };

  test('every way of a free choice is taken equally often, whatever the names are', () => {
    const name = fc.stringMatching(/^[a-z]{1,6}$/);
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 4 }), (names) => {
        const { replications } = predict(choice(names), { ties, maxSteps: 800, replications: 10 });
        const expected = 400 / names.length;
        for (const { mean, halfWidth, min, max } of replications!.firings!) {
          expect(Math.abs(mean - expected)).toBeLessThan(6 * Math.sqrt(expected / 10));
          expect(halfWidth).toBeGreaterThan(0);
          expect(min).toBeLessThan(max);
        }
      }),
      { numRuns: effort(50) },
    );
  });

  test('declared weights and priorities stay', () => {
    const n = new NetBuilder('declared');
    const p = n.place('p', {}, { initial: 1 });
    for (const [name, priority, weight] of [
      ['low', 0, 9],
      ['often', 1, 3],
      ['seldom', 1, undefined],
    ] as const)
      n.transition(name, (t) => {
        t.take(p);
        t.priority(priority);
        if (weight !== undefined) t.weight(weight);
        t.delay(1);
        t.put(p, {});
      });
    const net = n.build();
    expect(predict(net, { ties, maxSteps: 2000 }).firings).toEqual(predict(net, { maxSteps: 2000 }).firings);
    expect(predict(net, { ties, maxSteps: 2000 }).firings['low']).toBe(0);
  });
});

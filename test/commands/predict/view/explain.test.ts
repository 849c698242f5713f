import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PredictionDocument, ResourceFigures } from '../../../../src/commands/predict/prediction.ts';
import { explain } from '../../../../src/commands/predict/view/explain.ts';
import { lossesOf } from '../../../../src/commands/predict/view/losses.ts';
import { cycleOf } from '../../../../src/commands/predict/view/wait-cycle.ts';
import { effort } from '../../../effort.ts';
import { deadlocked, documentOf, imbalanced, link, plainNet, saturated, serial } from '../../../report/documents.ts';

describe('losses', () => {
  it('add up to the time not spent computing', () => {
    for (const document of [imbalanced, saturated, serial]) {
      const { shares, imbalance, transfer, order } = lossesOf(document)!;
      expect(imbalance + transfer + order + shares.active).toBeCloseTo(1, 12);
    }
  });

  it('are exact on a toy: 2 ranks, 3 s and 1 s of work in 4 s, 1 s of transfer each', () => {
    const losses = lossesOf(
      documentOf(4, [
        [3, 1, 0, 0],
        [1, 1, 2, 0],
      ]),
    )!;
    expect(losses).toMatchObject({ imbalance: 0.25, transfer: 0.25, order: 0, heaviest: [0] });
    expect(losses.shares).toEqual({
      computing: 0.5,
      memory: 0,
      active: 0.5,
      communicating: 0.25,
      waiting: 0.25,
      blocked: 0.5,
      idle: 0,
    });
  });

  it('are unknown if no time passes or nothing runs', () => {
    expect(lossesOf(documentOf(0, [[0, 0, 0, 0]]))).toBeUndefined();
    expect(lossesOf(plainNet)).toBeUndefined();
  });
});

describe('limit', () => {
  /** Rank 1 ends last and has waited for rank 0 for a third of the run. Order costs 1/3, of which waiting is 1/6. */
  const uneven = documentOf(3, [
    [1, 0, 0, 2],
    [2, 0, 1, 0],
  ]);

  it('does not call all of a loss waiting if part of it is idle time', () => {
    const { why, limit } = explain(uneven)!;
    expect(why).toContain('waiting 17 %, idle 33 %');
    expect(limit).toMatch(/^Idle ranks \(sleeping or finished\), 33 % of the ranks' time/);
    const unknown = { ...uneven, ranks: uneven.ranks.map((r) => ({ ...r, communicating: null, waiting: null })) };
    expect(explain(unknown)!.limit).toMatch(/^Communicating, waiting or idle, 33 % of the ranks' time, in addition/);
  });

  it('never gives states a larger share than the ranks spend in them', () => {
    const words = {
      communicating: /^Message transfer|^Communicating/,
      waiting: /^Waiting|, waiting|or waiting/,
      idle: /idle/i,
    };
    const rank = fc.array(fc.nat({ max: 20 }), { minLength: 4, maxLength: 4 }).filter((r) => r.some((x) => x > 0));
    fc.assert(
      fc.property(fc.array(rank, { minLength: 1, maxLength: 6 }), fc.boolean(), (ranks, isKnown) => {
        const parts = ranks.map((r) => r.map((x) => x / r.reduce((a, b) => a + b, 0)));
        const known = documentOf(1, parts as never);
        const document = isKnown
          ? known
          : { ...known, ranks: known.ranks.map((r) => ({ ...r, communicating: null, waiting: null })) };
        const [, states, share] = /^(.*?), ([\d.]+) % of the ranks' time/.exec(explain(document)!.limit!) ?? [];
        if (states === undefined || /^(?:Load|Ranks that)/.test(states)) return;
        const mean = (k: number): number => parts.reduce((sum, p) => sum + p[k]!, 0) / parts.length;
        const named = Object.values(words).map((word, k) => (word.test(states) ? mean(k + 1) : 0));
        // Shares are rounded to a per cent, and a state is named alone if it is 99 % of the loss.
        expect(Number(share) / 100).toBeLessThanOrEqual(1.01 * named.reduce((a, b) => a + b, 0) + 0.01);
      }),
      { numRuns: effort(2000) },
    );
  });
});

describe('memory', () => {
  const part = (document: PredictionDocument, share: number): PredictionDocument => ({
    ...document,
    ranks: document.ranks.map((r) => ({ ...r, computing: r.computing * (1 - share), memory: r.computing * share })),
  });
  const memory = (utilisation: number): ResourceFigures => ({ ...link('n0.memory', utilisation), kind: 'memory' });
  const busy = documentOf(1, [
    [0.9, 0, 0.1, 0],
    [0.9, 0, 0.1, 0],
  ]);

  it('counts like computing: losses and balance are unchanged', () => {
    const { shares, ...all } = lossesOf(imbalanced)!;
    const { shares: halved, ...same } = lossesOf(part(imbalanced, 0.5))!;
    expect(same).toEqual(all);
    expect(halved.memory).toBeCloseTo(shares.computing / 2, 12);
    expect(halved.active).toBeCloseTo(shares.computing, 12);
    expect(halved.blocked).toBeCloseTo(shares.blocked, 12);
  });

  it('has its share in the reasons, and ranks that do both "work"', () => {
    const { why, limit } = explain(part(imbalanced, 0.5))!;
    expect(why).toContain("The ranks' time: computing 28 %, memory 28 %, communicating 8.7 %");
    expect(why).toContain('Rank 3 works 60 % longer than the mean while the others wait.');
    expect(limit).toMatch(/^Load imbalance, 34 % of the ranks' time: rank 3 works 7\.340 ms/);
  });

  it('is the limit if it takes the larger share', () => {
    expect(explain({ ...part(busy, 2 / 3), resources: [memory(0.7)] })!.limit).toBe(
      "Memory takes 60 % of the ranks' time (computing: another 30 %), balance 100 %. The busiest memory, n0.memory, has a utilisation of 70 %.",
    );
    expect(explain({ ...part(busy, 1 / 3), resources: [] })!.limit).toMatch(
      /^Computing takes 60 % of the ranks' time \(memory: another 30 %\)/,
    );
  });

  it('is always named if it is saturated', () => {
    expect(explain({ ...part(busy, 1 / 3), resources: [memory(0.95)] })!.limit).toContain(
      'The memory n0.memory has a utilisation of 95 %.',
    );
  });
});

describe('explanation', () => {
  it('names the rank that computes longest, and the imbalance as the limit', () => {
    const { why, limit } = explain(imbalanced)!;
    expect(why).toContain('Rank 3 computes 60 % longer than the mean while the others wait.');
    expect(limit).toMatch(/^Load imbalance, 34 % of the ranks' time: rank 3 computes 7\.340 ms, the mean is 4\.588 ms/);
  });

  it('names a saturated link', () => {
    expect(explain(saturated)!.limit).toBe(
      "Message transfer, 67 % of the ranks' time. The link n0_UP has a utilisation of 97 %.",
    );
  });

  it('gives the utilisation of the busiest link, and no advice without a second run', () => {
    expect(explain({ ...saturated, resources: [link('n0_UP', 0.1)] })!.limit).toContain(
      'The busiest link, n0_UP, has a utilisation of 10 %.',
    );
    expect(explain(saturated)!.limit).not.toMatch(/would|should|faster/i);
  });

  it('names the resource that gains most when doubled, and the next one', () => {
    const run = (kind: 'computing' | 'latency', name: string, gain: number) => ({ kind, name, gain });
    const best = run('latency', 'machine.link.latency', 0.003);
    const tried = [best, run('computing', 'machine.speed', 0.001)];
    const { limit } = explain({ ...imbalanced, limit: { ...best, tried } })!;
    expect(limit).toMatch(
      /^Latency: links of half the latency would gain 3\.000 ms \(.*\)\. Next: cores of twice the speed, 1\.000 ms/,
    );
    const none = explain({ ...imbalanced, limit: { ...run('latency', 'x', 0), kind: 'dependencies', tried } })!;
    expect(none.limit).toMatch(
      /^Dependencies: no resource gains 1 % when doubled \(link\.latency, speed\)\. Load imbalance,/,
    );
    const unknown = explain({ ...imbalanced, limit: { kind: 'unknown', because: 'too large' } })!;
    expect(unknown.limit).toMatch(/^Not determined: too large\. Load imbalance,/);
  });

  it('does not name a fatpipe as a bottleneck', () => {
    expect(explain({ ...saturated, resources: [{ ...link('fat', 7), fatpipe: true }] })!.limit).not.toContain('fat');
  });

  it('distinguishes waiting for each other from imbalance', () => {
    const { why, limit } = explain(serial)!;
    expect(why).toContain('Only one rank computes during 100 % of the run.');
    expect(limit).toMatch(/^Waiting for partners, 73 % of the ranks' time, although the balance of computing is 100 %/);
  });

  it('names computing as the limit', () => {
    expect(explain(documentOf(1, [[1, 0, 0, 0]]))!.limit).toMatch(/^Computing takes 100 %/);
  });

  it('attributes a shared busy core to a lack of cores, not to imbalance', () => {
    const core = { name: 'n0', kind: 'host' as const, utilisation: 1 };
    const resources: ResourceFigures[] = [
      { ...core, amount: { value: 10e9, unit: 'flop' }, capacity: { value: 1e9, unit: 'flop/s' } },
    ];
    const shared = documentOf(10, [
      [4, 0, 0, 6],
      [7, 0, 0, 3],
      [9, 0, 0, 1],
      [10, 0, 0, 0],
    ]);
    expect(explain({ ...shared, resources })!.limit).toMatch(/^All hosts together have a utilisation of 100 %\./);
  });

  it('does not mention computing if nothing is computed', () => {
    const asleep = explain(
      documentOf(5, [
        [0, 0, 0.1, 4.9],
        [0, 0, 0, 5],
        [0, 0, 0, 5],
        [0, 0, 0, 5],
      ]),
    )!;
    expect(asleep.why).not.toContain('during');
    expect(asleep.limit).toBe("Idle ranks (sleeping or finished), 100 % of the ranks' time.");
  });

  it('cuts long names', () => {
    const { limit } = explain({ ...saturated, resources: [link('n'.repeat(3000), 0.95)] })!;
    expect(limit.length).toBeLessThan(200);
  });

  it('does not claim that finished ranks wait', () => {
    const document = documentOf(10, [
      [10, 0, 0, 0],
      [5, 0, 0, 5],
      [5, 0, 0, 5],
    ]);
    expect(explain(document)!.why).toContain('Rank 0 computes 50 % longer than the mean.');
  });
});

describe('cycle of waiting ranks', () => {
  const wait = (rank: number, waitsFor: number[] | null) => ({ ...deadlocked.deadlock[0]!, rank, waitsFor });

  it('is found, the smallest rank first', () => {
    expect(cycleOf(deadlocked.deadlock)).toEqual([0, 1]);
    expect(cycleOf([wait(4, [2]), wait(2, [3]), wait(3, [4]), wait(0, [4])])).toEqual([2, 3, 4]);
    expect(cycleOf([wait(7, [7])])).toEqual([7]);
  });

  it('does not exist if a rank waits for a finished rank or for any rank', () => {
    expect(cycleOf([wait(0, [1]), wait(1, [9])])).toBeUndefined();
    expect(cycleOf([wait(0, [1]), wait(1, null)])).toBeUndefined();
  });

  it('of 100,000 ranks is found without recursion', () => {
    const ring = Array.from({ length: 100_000 }, (_, r) => wait(r, [(r + 1) % 100_000]));
    expect(cycleOf(ring)).toHaveLength(100_000);
  });
});

import { describe, expect, it } from 'vitest';
import { cycleOf } from '../../src/report/cycle.ts';
import { explain } from '../../src/report/explain.ts';
import { lossesOf } from '../../src/report/losses.ts';
import type { PredictionDocument, ResourceFigures } from '../../src/report/prediction.ts';
import { deadlocked, documentOf, imbalanced, link, plainNet, saturated, serial } from './documents.ts';

describe('losses', () => {
  it('add up to what is not computing', () => {
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

  it('are unknown where no time passes or nothing runs', () => {
    expect(lossesOf(documentOf(0, [[0, 0, 0, 0]]))).toBeUndefined();
    expect(lossesOf(plainNet)).toBeUndefined();
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

  it('counts as much as computing: losses and balance stay', () => {
    const { shares, ...all } = lossesOf(imbalanced)!;
    const { shares: halved, ...same } = lossesOf(part(imbalanced, 0.5))!;
    expect(same).toEqual(all);
    expect(halved.memory).toBeCloseTo(shares.computing / 2, 12);
    expect(halved.active).toBeCloseTo(shares.computing, 12);
    expect(halved.blocked).toBeCloseTo(shares.blocked, 12);
  });

  it('has its share in the reasons, and ranks work that do both', () => {
    const { why, limit } = explain(part(imbalanced, 0.5))!;
    expect(why).toContain("Of the ranks' time computing takes 28 %, memory 28 %, communicating 8.7 %");
    expect(why).toContain('Rank 3 works 60 % longer than the mean while the others wait.');
    expect(limit).toMatch(/^Load imbalance, 34 % of the ranks' time: rank 3 works 7\.340 ms/);
  });

  it('is the limit where it takes the larger part', () => {
    expect(explain({ ...part(busy, 2 / 3), resources: [memory(0.7)] })!.limit).toBe(
      "Memory: 60 % of the ranks' time, beside computing with 30 %, balanced to 100 %. The busiest memory, n0.memory, is used to 70 %. More memory bandwidth would shorten it; a faster network hardly.",
    );
    expect(explain({ ...part(busy, 1 / 3), resources: [] })!.limit).toMatch(
      /^Computing: 60 % of the ranks' time, beside memory with 30 %/,
    );
  });

  it('that is full is named in any case', () => {
    expect(explain({ ...part(busy, 1 / 3), resources: [memory(0.95)] })!.limit).toContain(
      'The memory n0.memory is used to 95 %.',
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
      "Message transfer, 67 % of the ranks' time. The link n0_UP is used to 97 %.",
    );
  });

  it('points to latency where no link is much used', () => {
    expect(explain({ ...saturated, resources: [link('n0_UP', 0.1)] })!.limit).toContain(
      'The busiest link, n0_UP, is used to 10 %, which points to latency or bursts rather than to bandwidth.',
    );
  });

  it('takes no fatpipe for a bottleneck', () => {
    expect(explain({ ...saturated, resources: [link('fat', 7)] })!.limit).not.toContain('fat');
  });

  it('tells waiting for each other from imbalance', () => {
    const { why, limit } = explain(serial)!;
    expect(why).toContain('During 100 % of the run no more than one rank computes on average.');
    expect(limit).toMatch(
      /^Waiting for partners, 73 % of the ranks' time, although the computing is balanced to 100 %/,
    );
  });

  it('says that computing is the limit', () => {
    expect(explain(documentOf(1, [[1, 0, 0, 0]]))!.limit).toMatch(/^Computing: 100 %/);
  });

  it('takes ranks that share a busy core for a lack of cores, not for an imbalance', () => {
    const core = { name: 'n0', kind: 'host' as const, utilisation: 1 };
    const resources = [{ ...core, amount: { value: 10e9, unit: 'flop' }, capacity: { value: 1e9, unit: 'flop/s' } }];
    const shared = documentOf(10, [
      [4, 0, 0, 6],
      [7, 0, 0, 3],
      [9, 0, 0, 1],
      [10, 0, 0, 0],
    ]);
    expect(explain({ ...shared, resources })!.limit).toMatch(/^Computing: all hosts together are used to 100 %\./);
  });

  it('says nothing of computing where nothing is computed', () => {
    const asleep = explain(
      documentOf(5, [
        [0, 0, 0.1, 4.9],
        [0, 0, 0, 5],
        [0, 0, 0, 5],
        [0, 0, 0, 5],
      ]),
    )!;
    expect(asleep.why).not.toContain('During');
    expect(asleep.limit).toBe("Idle ranks (asleep, or at their end), 100 % of the ranks' time.");
  });

  it('cuts names that would drown the sentence', () => {
    const { limit } = explain({ ...saturated, resources: [link('n'.repeat(3000), 0.95)] })!;
    expect(limit.length).toBeLessThan(200);
  });

  it('does not claim that others wait where they have ended', () => {
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

  it('is none where a rank waits for one that has ended, or for any', () => {
    expect(cycleOf([wait(0, [1]), wait(1, [9])])).toBeUndefined();
    expect(cycleOf([wait(0, [1]), wait(1, null)])).toBeUndefined();
  });

  it('of 100,000 ranks is found without recursion', () => {
    const ring = Array.from({ length: 100_000 }, (_, r) => wait(r, [(r + 1) % 100_000]));
    expect(cycleOf(ring)).toHaveLength(100_000);
  });
});

import { describe, expect, test } from 'vitest';
import { parseTi } from '../../oracle/parse.ts';
import { expandPrograms } from '../../oracle/program.ts';
import { type Replayed, replay } from '../../oracle/replay.ts';
import { type Reference, references, subject, traceText } from './reference.ts';

function run(reference: Reference): Replayed {
  const { ranks, protocol } = reference;
  const programs = expandPrograms(parseTi(traceText(reference), ranks));
  return replay(programs, { latency: 20e-6, bandwidth: 1.25e9, speed: 1e9, protocol });
}

describe('collectives without contention end when SimGrid 3.32 says', () => {
  const checked = references.filter((r) => r.platform === 'flat-nocontention' && r.rankEnd !== undefined);

  test.each([...new Set(checked.map(subject))])('%s ends when SimGrid 3.32 says', (name) => {
    const wrong = checked
      .filter((reference) => subject(reference) === name)
      .map((reference) => ({ ...reference, found: run(reference).rankEnd }))
      .filter(({ rankEnd, found }) => rankEnd!.some((end, rank) => Math.abs(found[rank]! - end) > 1e-6 * end));
    expect(wrong).toEqual([]);
  });

  test('1,122 references are compared', () => {
    expect(checked.length).toBe(1122);
  });
});

test('where SimGrid aborts (pairwise alltoall, ranks not a power of two), every rank receives P-1 messages in order', () => {
  const aborted = references.filter((r) => r.aborts);
  expect(aborted.map(({ ranks, trace }) => `${ranks}: ${trace[0]}`)).toEqual([
    '3: * alltoall 524288 524288 6 6',
    '5: * alltoall 524288 524288 6 6',
  ]);
  for (const reference of aborted) {
    expect(run(reference).time).toBeCloseTo((reference.ranks - 1) * (20e-6 + (524288 + 16) / 1.25e9), 9);
  }
});

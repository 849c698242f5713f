import { describe, expect, test } from 'vitest';
import { TransferParts, transferStarts } from '../../src/models/transfer-parts.ts';

/** Two pairs of ranks; from 100 bytes on the wire, of which 16 are the envelope, the latency is three times as long. */
const parts = (ranks: number): TransferParts =>
  new TransferParts(ranks, {
    latency: Float64Array.of(1, 5),
    envelope: 16,
    latencyFactor: { from: Float64Array.of(0, 100), values: Float64Array.of(1, 3) },
  });

describe('the latency part of blocked time', () => {
  test.each([
    [83, 1],
    [84, 3],
  ])('a message of %i bytes has the latency of its size on the wire', (bytes, seconds) => {
    const found = parts(2);
    found.begins(2, 0, bytes, 0, 1);
    for (const rank of [0, 1]) found.blocked(rank, 2, 10);
    expect([...found.latency]).toEqual([seconds, seconds]);
  });

  test('is what remains of the latency when a rank is blocked, at most up to the end of the block', () => {
    const found = parts(4);
    for (const [sender, receiver] of [
      [0, 1],
      [2, 3],
    ] as const)
      found.begins(2, 1, 0, sender, receiver);
    // The latency ends at 7 s.
    found.blocked(0, 4, 10);
    found.blocked(1, 4, 5);
    found.blocked(2, 7, 10);
    found.blocked(3, 0, 10);
    expect([...found.latency]).toEqual([3, 1, 0, 5]);
  });

  test('of overlapping transfers is that of the latest', () => {
    const found = parts(3);
    found.begins(0, 1, 0, 0, 2);
    found.begins(1, 0, 0, 1, 2);
    found.blocked(2, 0, 10);
    expect(found.latency[2]).toBe(1);
  });
});

test.each([10, 2 ** 26])('the start of the last transfer of each of %i keys is kept, 0 without one', (keys) => {
  const starts = transferStarts(keys);
  starts.set(keys - 1, 3);
  starts.set(keys - 1, 4);
  expect([starts.get(keys - 1), starts.get(0)]).toEqual([4, 0]);
});

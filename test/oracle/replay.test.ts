import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseTi } from './parse.ts';
import { expandPrograms } from './program.ts';
import { type Machine, replay, type Step } from './replay.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { FORETOKEN_REFERENCES: references = '../shared' } = process.env;
const traces = resolve(root, references, 'traces/ti');

interface Expected {
  readonly trace: string;
  readonly platform: string;
  readonly model: string;
  readonly ranks: number;
  readonly expectedTime: number;
  readonly rankEnd: readonly number[];
}

const protocols: Record<string, Machine['protocol']> = {
  plain: 'plain',
  plainEager: 'eager',
  plainRendezvous: 'rendezvous',
};

const flat = (protocol: Machine['protocol']): Machine => ({ latency: 20e-6, bandwidth: 1.25e9, speed: 1e9, protocol });

describe('the oracle on toys', () => {
  const hop = (bytes: number): number => 20e-6 + (bytes + 16) / 1.25e9;
  const send = (bytes: number): Step => ({ op: 'send', peer: 1, tag: 0, bytes });
  const recv: Step = { op: 'recv', peer: null, tag: null, bytes: 1e9 };
  const late: Step = { op: 'compute', flops: 1e6 };

  test('plain: a small message leaves its sender at once and travels when the receive is posted', () => {
    const { rankEnd } = replay([[send(1000)], [late, recv]], flat('plain'));
    expect(rankEnd[0]).toBe(0);
    expect(rankEnd[1]).toBeCloseTo(1e-3 + hop(1000), 12);
  });

  test('plain: from 65536 bytes on the sender waits for the end of the transfer', () => {
    const { rankEnd } = replay([[send(65536)], [late, recv]], flat('plain'));
    expect(rankEnd[0]).toBeCloseTo(1e-3 + hop(65536), 12);
    expect(rankEnd[1]).toBe(rankEnd[0]);
  });

  test('eager: a small message is there before its receive', () => {
    expect(replay([[send(1000)], [late, recv]], flat('eager')).rankEnd).toEqual([0, 1e-3]);
  });

  test('rendezvous: every sender waits', () => {
    const { rankEnd } = replay([[send(0)], [late, recv]], flat('rendezvous'));
    expect(rankEnd[0]).toBeCloseTo(1e-3 + hop(0), 12);
  });

  test('a test completes an arrived message; the wait after it does nothing', () => {
    const receiver: Step[] = [
      { op: 'irecv', peer: 0, tag: 0, bytes: 8, request: 'r' },
      { op: 'test', request: 'r' },
      late,
      { op: 'test', request: 'r' },
      { op: 'wait', request: 'r' },
    ];
    expect(replay([[send(8)], receiver], flat('plain')).rankEnd).toEqual([0, 1e-3]);
  });

  test('a receive without a send is a deadlock', () => {
    expect(() => replay([[recv], []], flat('plain'))).toThrow('deadlock: rank 0 in step 0');
  });
});

describe.skipIf(!existsSync(resolve(traces, 'expected.json')))('the oracle against SimGrid 3.32', () => {
  const all: Expected[] = existsSync(resolve(traces, 'expected.json'))
    ? JSON.parse(readFileSync(resolve(traces, 'expected.json'), 'utf8'))
    : [];
  const entries = all.filter((e) => e.platform.endsWith('flat-nocontention.xml') && e.model in protocols);

  test.each(entries)('the replay of $trace under $model agrees', ({ trace, model, ranks, expectedTime, rankEnd }) => {
    const programs = expandPrograms(parseTi(readFileSync(resolve(traces, trace), 'utf8'), ranks));
    const result = replay(programs, flat(protocols[model]!));
    expect(relativeError(result.time, expectedTime)).toBeLessThan(1e-6);
    expect(Math.max(...rankEnd.map((end, rank) => relativeError(result.rankEnd[rank]!, end)))).toBeLessThan(1e-6);
  });
});

function relativeError(value: number, expected: number): number {
  return value === expected ? 0 : Math.abs(value - expected) / Math.abs(expected);
}

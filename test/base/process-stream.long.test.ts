import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProcessStream } from '../../src/base/random/process-stream.ts';
import { Streams } from '../../src/base/random/streams.ts';

const of = (seed = 's', replication = 0, owner = 't'): ProcessStream =>
  new Streams(seed, replication).ofProcesses('delay', owner);

const draw = (stream: ProcessStream, process: number, n = 1): number[] => {
  stream.begin(process);
  return Array.from({ length: n }, () => stream.draw());
};

// Changing these numbers changes every published result and requires a new major version.
test('the first numbers of some processes, times 2⁵³', () => {
  const stream = new Streams('foretoken').ofProcesses('delay', 'compute');
  const scaled = (process: number): number[] => draw(stream, process, 3).map((x) => x * 2 ** 53);
  expect([scaled(0), scaled(0), scaled(1), scaled(-1), scaled(2 ** 40)]).toMatchInlineSnapshot(`
    [
      [
        8494741043293010,
        2739190969040917,
        3803113336411578,
      ],
      [
        1521769445830475,
        2270198850329149,
        6206913895131447,
      ],
      [
        2815975843160808,
        6374736061525020,
        2946013429185514,
      ],
      [
        5467640397897568,
        4939561698017578,
        3167138195638535,
      ],
      [
        2768823405447833,
        4069665342038796,
        5204067870061780,
      ],
    ]
  `);
});

/** Bound in standard deviations; a correct generator exceeds it in fewer than one of a million cases. */
const SURE = 5;

/** Sequences of n numbers in which one or two parts of key or counter are incremented. */
const sequences: Record<string, (n: number) => number[]> = {
  'occurrences of one process': (n) => {
    const s = of();
    return Array.from({ length: n }, () => draw(s, 7)[0]!);
  },
  'first numbers of processes': (n) => {
    const s = of();
    return Array.from({ length: n }, (_, p) => draw(s, p)[0]!);
  },
  'processes below zero': (n) => {
    const s = of();
    return Array.from({ length: n }, (_, p) => draw(s, -1 - p)[0]!);
  },
  'processes far apart': (n) => {
    const s = of();
    return Array.from({ length: n }, (_, p) => draw(s, p * 2 ** 32)[0]!);
  },
  'numbers of one draw': (n) => draw(of(), 7, n),
  'second numbers of processes in turn': (n) => {
    const s = of();
    return Array.from({ length: n }, (_, k) => draw(s, k % 64, 2)[1]!);
  },
  replications: (n) => Array.from({ length: n }, (_, r) => draw(of('s', r), 0)[0]!),
  owners: (n) => Array.from({ length: n }, (_, k) => draw(of('s', 0, `t${k}`), 0)[0]!),
};

for (const [name, sequence] of Object.entries(sequences)) {
  const n = name === 'replications' || name === 'owners' ? 20_000 : 100_000;

  test(`${name}: mean, variance, uniformity, independence of neighbours`, () => {
    const x = sequence(n);
    expect(x.every((v) => v >= 0 && v < 1 && Number.isInteger(v * 2 ** 53))).toBe(true);
    const mean = x.reduce((a, b) => a + b, 0) / n;
    expect(Math.abs(mean - 0.5) * Math.sqrt(12 * n)).toBeLessThan(SURE);
    // For a uniform u, (u − ½)² has mean 1/12 and variance 1/180.
    const variance = x.reduce((a, b) => a + (b - 0.5) ** 2, 0) / n;
    expect(Math.abs(variance - 1 / 12) * Math.sqrt(180 * n)).toBeLessThan(SURE);
    for (const lag of [1, 2, 3, 16, 64]) {
      let product = 0;
      for (let k = lag; k < n; k++) product += (x[k]! - 0.5) * (x[k - lag]! - 0.5);
      expect([lag, Math.abs(product * 12) / Math.sqrt(n - lag) < SURE]).toEqual([lag, true]);
    }
    // Pairs of neighbours in 16 × 16 cells, by their leading and by their trailing bits.
    for (const part of [(v: number) => Math.floor(v * 16), (v: number) => (v * 2 ** 53) % 16]) {
      const cells = new Float64Array(256);
      for (let k = 0; k + 1 < n; k += 2) cells[part(x[k]!) * 16 + part(x[k + 1]!)]!++;
      const each = Math.floor(n / 2) / 256;
      const chi = cells.reduce((sum, c) => sum + (c - each) ** 2 / each, 0);
      // Wilson & Hilferty (1931): the cube root of chi-square over its degrees of freedom is nearly normal.
      const z = (Math.cbrt(chi / 255) - (1 - 2 / (9 * 255))) / Math.sqrt(2 / (9 * 255));
      expect(Math.abs(z)).toBeLessThan(SURE);
    }
  });
}

test('draws of one process are not correlated with those of another', () => {
  const n = 20_000;
  const s = of();
  const drawn = Array.from({ length: 12 }, (_, p) => Array.from({ length: n }, () => draw(s, p)[0]!));
  for (const [i, a] of drawn.entries())
    for (const b of drawn.slice(i + 1)) {
      const covariance = a.reduce((sum, x, k) => sum + (x - 0.5) * (b[k]! - 0.5), 0) / n;
      expect(Math.abs(covariance) * 12 * Math.sqrt(n)).toBeLessThan(SURE);
    }
});

const calls = fc.array(fc.record({ process: fc.integer({ min: -2, max: 3 }), numbers: fc.nat({ max: 5 }) }));

test('the k-th draw of a process does not depend on the other draws or on the numbers they consumed', () => {
  fc.assert(
    fc.property(calls, (all) => {
      const stream = of();
      const counts = new Map<number, number>();
      for (const { process, numbers } of all) {
        const k = counts.get(process) ?? 0;
        counts.set(process, k + 1);
        const alone = of();
        for (let n = 0; n < k; n++) alone.begin(process);
        expect(draw(stream, process, numbers)).toEqual(draw(alone, process, numbers));
      }
    }),
  );
});

test('every seed, replication, purpose, owner, process and occurrence has different numbers', () => {
  const first = (seed: string, replication: number, purpose: 'delay' | 'service', owner: string, process: number) => {
    const s = new Streams(seed, replication).ofProcesses(purpose, owner);
    return [draw(s, process, 2), draw(s, process, 2)].map(String);
  };
  const all = [
    first('s', 0, 'delay', 't', 0),
    first('r', 0, 'delay', 't', 0),
    first('s', 1, 'delay', 't', 0),
    first('s', 0, 'service', 't', 0),
    first('s', 0, 'delay', 'u', 0),
    ...[1, -1, 2 ** 32, 2 ** 52, -(2 ** 32)].map((process) => first('s', 0, 'delay', 't', process)),
  ].flat();
  expect(new Set(all).size).toBe(all.length);
});

test('occurrences beyond 2³² have separate numbers', () => {
  const streams = new Streams('s');
  const at = (count: number): number[] => {
    const ofProcesses = [{ purpose: 'delay' as const, owner: 't', occurrences: [[0, count]] as const }];
    streams.restore({ seed: 's', replication: 0, streams: [], ofProcesses });
    return draw(streams.ofProcesses('delay', 't'), 0, 4);
  };
  const starts = [1, 2 ** 32, 2 ** 32 + 1, 2 ** 33 + 1, 2 ** 42 + 1].map(at);
  expect(new Set(starts.flat()).size).toBe(20);
});

test('a state saved as JSON resumes exactly, also for existing streams', () => {
  fc.assert(
    fc.property(calls, calls, (before, after) => {
      const streams = new Streams('s', 3);
      const stream = streams.ofProcesses('delay', 't');
      for (const { process, numbers } of before) draw(stream, process, numbers);
      const saved = JSON.parse(JSON.stringify(streams.state()));
      const other = new Streams('other', 7);
      const handedOut = other.ofProcesses('delay', 't');
      draw(handedOut, 0, 3);
      other.restore(saved);
      expect(other.ofProcesses('delay', 't')).toBe(handedOut);
      const drawn = (from: ProcessStream) => after.map(({ process, numbers }) => draw(from, process, numbers));
      expect(drawn(handedOut)).toEqual(drawn(stream));
      expect(other.state()).toEqual(streams.state());
    }),
  );
});

test('impossible states are rejected', () => {
  for (const bad of [
    [0.5, 1],
    [0, 0],
    [0, -1],
    [0, 1.5],
    [2 ** 60, 1],
    [null, 1],
  ]) {
    const ofProcesses = [{ purpose: 'delay' as const, owner: 't', occurrences: [bad as [number, number]] }];
    expect(() => new Streams('s').restore({ seed: 's', replication: 0, streams: [], ofProcesses })).toThrow('RUN010');
  }
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Purpose, type Stream, Streams } from '../../src/base/random/streams.ts';

const take = (stream: Stream, n: number): number[] => Array.from({ length: n }, () => stream.next());

const purpose = fc.constantFrom<Purpose>('delay', 'service', 'choice');
const key = fc.tuple(fc.string({ unit: 'binary' }), fc.nat(), purpose, fc.string({ unit: 'binary' }));

const first = (of: readonly [string, number, Purpose, string], n = 4): number[] =>
  take(new Streams(of[0], of[1]).stream(of[2], of[3]), n);

// Changing these numbers changes every published result and requires a new major version.
test('the first numbers of some streams, times 2⁵³', () => {
  const scaled = (of: readonly [string, number, Purpose, string]): number[] => first(of, 3).map((x) => x * 2 ** 53);
  expect(scaled(['foretoken', 0, 'delay', 'compute'])).toMatchInlineSnapshot(`
    [
      8465154023297378,
      6384518747447058,
      8724176443251995,
    ]
  `);
  expect(scaled(['foretoken', 1, 'delay', 'compute'])).toMatchInlineSnapshot(`
    [
      5743916311450087,
      3077714869383428,
      8738004813364468,
    ]
  `);
  expect(scaled(['foretoken', 0, 'service', 'compute'])).toMatchInlineSnapshot(`
    [
      7856629105381062,
      8091480195830001,
      4679593789274772,
    ]
  `);
  expect(scaled(['foretoken', 0, 'choice', ''])).toMatchInlineSnapshot(`
    [
      5057469142877670,
      301664848924272,
      3354153988773437,
    ]
  `);
  expect(scaled(['', 0, 'delay', 'ünï → "x"'])).toMatchInlineSnapshot(`
    [
      4292027456104775,
      4052852566679576,
      4272507491521056,
    ]
  `);
});

test('numbers are multiples of 2⁻⁵³ in [0, 1), and use the last bit', () => {
  let odd = 0;
  for (const x of take(new Streams('range').stream('delay', 't'), 10_000)) {
    expect(x >= 0 && x < 1 && Number.isInteger(x * 2 ** 53)).toBe(true);
    if ((x * 2 ** 53) % 2 === 1) odd++;
  }
  // Five standard deviations of 10,000 fair bits.
  expect(Math.abs(odd - 5000)).toBeLessThan(250);
});

test('equal keys give equal numbers, different keys different ones', () => {
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(first(a)).toEqual(first(a));
      if (JSON.stringify(a) !== JSON.stringify(b)) expect(first(a)).not.toEqual(first(b));
    }),
  );
});

test('keys that are equal only when joined are different', () => {
  const alike: [string, number, Purpose, string][] = [
    ['a', 1, 'delay', 'b'],
    ['a1', 0, 'delay', 'b'],
    ['a', 11, 'delay', 'b'],
    ['a1', 1, 'delay', 'b'],
    ['a,1', 1, 'delay', 'b'],
    ['a"', 1, 'delay', 'b'],
    ['a\\"', 1, 'delay', 'b'],
    ['a', 1, 'delay', ' b'],
    ['a', 1, 'delay', 'delay b'],
    ['a', 1, 'service', 'b'],
    ['a","1', 1, 'delay', 'b'],
    ['a', 1, 'delay', '"b'],
    ['a', 1, 'delay', '\ud800'],
    ['a', 1, 'delay', '\ud801'],
    ['a', 1, 'delay', '\\ud800'],
  ];
  expect(new Set(alike.map((k) => String(first(k)))).size).toBe(alike.length);
});

test('draws of one stream do not affect another', () => {
  const streams = new Streams('s');
  const before = streams.stream('delay', 'a').next();
  take(streams.stream('delay', 'b'), 100);
  expect(streams.stream('delay', 'a')).toBe(streams.stream('delay', 'a'));
  expect([before, ...take(streams.stream('delay', 'a'), 3)]).toEqual(first(['s', 0, 'delay', 'a']));
});

test('streams of similar names are not correlated', () => {
  const n = 20_000;
  const names = Array.from({ length: 12 }, (_, k) => `t${k}`);
  const drawn = names.map((name) => take(new Streams('s').stream('delay', name), n));
  for (const [i, a] of drawn.entries()) {
    for (const b of drawn.slice(i + 1)) {
      const covariance = a.reduce((sum, x, k) => sum + (x - 0.5) * (b[k]! - 0.5), 0) / n;
      // The variance of a product of two uniform deviations is 1 / 144.
      expect(Math.abs(covariance) * 12 * Math.sqrt(n)).toBeLessThan(5);
    }
  }
});

test('the first numbers of many streams are uniform', () => {
  const counts = new Array<number>(16).fill(0);
  const n = 16_000;
  const streams = new Streams('s');
  for (let k = 0; k < n; k++) counts[Math.floor(streams.stream('delay', `t${k}`).next() * 16)]!++;
  const chi = counts.reduce((sum, c) => sum + (c - n / 16) ** 2 / (n / 16), 0);
  // The 0.9999 quantile of chi-square with 15 degrees of freedom.
  expect(chi).toBeLessThan(44.26);
});

test('a state saved as JSON resumes exactly, also for existing streams', () => {
  const steps = fc.array(fc.tuple(purpose, fc.constantFrom('a', 'b', 'a b')), { maxLength: 30 });
  fc.assert(
    fc.property(fc.string(), fc.nat(), steps, steps, (seed, replication, before, after) => {
      const streams = new Streams(seed, replication);
      for (const [p, owner] of before) streams.stream(p, owner).next();
      const saved = JSON.stringify(streams.state());
      const draw = (from: Streams): number[] => after.map(([p, owner]) => from.stream(p, owner).next());
      const expected = draw(streams);

      const other = new Streams('other', 7);
      const handedOut = other.stream('delay', 'a');
      handedOut.next();
      other.restore(JSON.parse(saved));
      expect(other.stream('delay', 'a')).toBe(handedOut);
      expect(draw(other)).toEqual(expected);
      streams.restore(JSON.parse(saved));
      expect(draw(streams)).toEqual(expected);
    }),
  );
});

test('impossible states are rejected', () => {
  const good = new Streams('s').stream('delay', 'a').state();
  for (const bad of [{ s0: 1 }, { s1: -0.5 }, { s2: Number.NaN }, { s0: 2 ** -40 }, { c: 0.5 }, { c: 2 ** 31 }]) {
    const streams = [{ purpose: 'delay' as const, owner: 'a', state: { ...good, ...bad } }];
    expect(() => new Streams('s').restore({ seed: 's', replication: 0, streams, ofProcesses: [] })).toThrow('RUN010');
  }
});

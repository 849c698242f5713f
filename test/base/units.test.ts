import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Dimension,
  quantity,
  quantityPattern,
  type Rate,
  type Size,
  type Speed,
  type Time,
} from '../../src/base/units.ts';
import { effort } from '../effort.ts';

const DIMENSIONS: readonly Dimension[] = ['time', 'size', 'rate', 'speed'];
const PREFIXES: readonly [string, number][] = ['', 'k', 'M', 'G', 'T', 'P'].map((p, k) => [p, 1000 ** k]);
const BINARY: readonly [string, number][] = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi'].map((p, k) => [p, 1024 ** (k + 1)]);

describe('quantities in SI', () => {
  it.each<[Dimension, string | number, number]>([
    ['time', '1.5us', 1.5e-6],
    ['time', '3 us', 3e-6],
    ['time', '12ns', 1.2e-8],
    ['time', '2min', 120],
    ['time', '1h', 3600],
    ['time', '1e3ms', 1],
    ['time', 0.25, 0.25],
    ['time', 0, 0],
    ['time', -0, 0],
    ['size', '4KiB', 4096],
    ['size', '64kB', 64000],
    ['size', '8b', 1],
    ['size', '1Mib', 131072],
    ['size', '.5MB', 500000],
    ['rate', '12GB/s', 1.2e10],
    ['rate', '100Gb/s', 1.25e10],
    ['rate', '1GiB/s', 2 ** 30],
    ['speed', '2.4Gf', 2.4e9],
    ['speed', '2.4Gflop/s', 2.4e9],
    ['speed', '1f', 1],
  ])('the %s %s is read in SI units', (dimension, text, value) => expect(quantity(dimension, text)).toBe(value));

  it.each<[Dimension, unknown, RegExp]>([
    ['rate', '12GB', /^UNIT002 "12GB": "GB" is a unit of a data size; expected a data rate such as "12.5GB\/s"/],
    ['size', '12GB/s', /^UNIT002 .*a unit of a data rate/],
    ['time', '2Gf', /^UNIT002 .*a unit of a computing speed/],
    ['rate', '12gb/s', /^UNIT002 .*unknown unit "gb\/s"\. Did you mean "GB\/s" or "Gb\/s"\?/],
    ['rate', '1.25GBps', /Did you mean "GB\/s" or "Gb\/s"\?/],
    ['time', '3µs', /Did you mean "us"\?/],
    ['time', '3m', /^UNIT002 .*unknown unit "m"/],
    ['time', '15', /^UNIT001 "15": missing unit; expected a time such as "1.5us", or a number in seconds/],
    ['time', 'fast', /^UNIT001 "fast" is not a quantity/],
    ['time', '', /^UNIT001/],
    ['time', '0x10s', /^UNIT002/],
    ['time', 'Infinitys', /^UNIT001/],
    ['time', Number.NaN, /^UNIT001 NaN/],
    ['time', null, /^UNIT001 null/],
    ['time', [1], /^UNIT001 a list/],
    ['time', '-1s', /^UNIT003 "-1s": must not be negative/],
    ['time', '1e999s', /^UNIT003/],
    ['time', '1e-200s', /^UNIT003/],
    ['speed', 1e101, /^UNIT003/],
  ])('%s %j is refused', (dimension, value, message) => {
    const found = quantity(dimension, value);
    expect(typeof found === 'number' ? found : `${found.code} ${found.message}`).toMatch(message);
  });

  it('0 is refused where a quantity must be positive', () => {
    expect(quantity('rate', '0GB/s', 'positive')).toMatchObject({ code: 'UNIT003' });
    expect(quantity('rate', 0, 'positive')).toMatchObject({ code: 'UNIT003' });
  });
});

it('a quantity is its number times its unit, exact for powers of 1024', () => {
  const number = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
  const decimal = fc.constantFrom(...PREFIXES);
  fc.assert(
    fc.property(number, decimal, fc.constantFrom('B', 'b'), (x, [prefix, factor], stem) => {
      const one = stem === 'B' ? 1 : 1 / 8;
      expect(quantity('size', `${x}${prefix}${stem}`)).toBeCloseTo(x * factor * one, -Math.log10(x * factor) + 12);
      expect(quantity('rate', `${x}${prefix}${stem}/s`)).toBe(quantity('size', `${x}${prefix}${stem}`));
    }),
  );
  fc.assert(
    fc.property(number, fc.constantFrom(...BINARY), (x, [prefix, factor]) => {
      expect(quantity('size', `${x}${prefix}B`)).toBe(x * factor);
    }),
  );
});

it('values written in SI are read back bit by bit', () => {
  const number = fc.double({ min: 1e-50, max: 1e50, noNaN: true });
  const units = { time: 's', size: 'B', rate: 'B/s', speed: 'f' } as const;
  fc.assert(
    fc.property(number, fc.constantFrom(...DIMENSIONS), (x, dimension) => {
      expect(quantity(dimension, `${x}${units[dimension]}`)).toBe(x);
      expect(quantity(dimension, x)).toBe(x);
    }),
  );
});

it('the pattern for schemas accepts exactly the valid strings', () => {
  const text = fc.oneof(
    fc
      .tuple(
        fc.constantFrom('', '+', '-', ' '),
        fc.constantFrom('1', '1.5', '.5', '1.', '1e3', '1e', '.', '', '0x1', '1_0'),
        fc.constantFrom('', ' ', '  '),
        fc.constantFrom('s', 'us', 'min', 'B', 'Kib', 'GB/s', 'Gf', 'flop/s', 'kf', 'f/s', 'x'),
      )
      .map((parts) => parts.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(text, fc.constantFrom(...DIMENSIONS), (text, dimension) => {
      const found = quantity(dimension, text);
      const taken = typeof found === 'number' || (found.code === 'UNIT003' && !text.startsWith('-'));
      expect(new RegExp(quantityPattern(dimension)).test(text)).toBe(taken);
    }),
    { numRuns: effort(2000) },
  );
});

it('types distinguish dimensions', () => {
  const time: Time = '1.5us';
  const size: Size = '64KiB';
  const rate: Rate = '100Gb/s';
  const speed: Speed = '2.4Gf';
  // @ts-expect-error an amount where a rate is expected
  const amount: Rate = '12GB';
  // @ts-expect-error a rate where a time is expected
  const late: Time = '1GB/s';
  // @ts-expect-error no unit
  const bare: Size = '64';
  // @ts-expect-error no such unit
  const unknown: Speed = '2GHz';
  expect([time, size, rate, speed].length).toBe(4);
  for (const [dimension, wrong] of [
    ['rate', amount],
    ['time', late],
    ['size', bare],
    ['speed', unknown],
  ] as const)
    expect(quantity(dimension, wrong)).toHaveProperty('code');
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRadical } from '../../src/machine/simgrid/cluster-arguments.ts';
import { bandwidthUnits, parseQuantity, speedUnits, timeUnits } from '../../src/machine/simgrid/platform-draft.ts';

describe('units', () => {
  it.each([
    ['1.25GBps', 1.25e9],
    ['100Mbps', 12.5e6],
    ['1KiBps', 1024],
    ['1Mibps', 131072],
    ['1EiBps', 2 ** 60],
    ['252.75kBps', 252750],
    ['8bps', 1],
    ['12', 12],
    ['1e3Bps', 1000],
    ['.5Bps', 0.5],
  ])('bandwidth %s', (text, value) => expect(parseQuantity(text, bandwidthUnits)).toBeCloseTo(value, 6));

  it.each([
    ['59.904us', 59.904e-6],
    ['1ms', 1e-3],
    ['2ns', 2e-9],
    ['3ps', 3e-12],
    ['2m', 120],
    ['1h', 3600],
    ['1d', 86400],
    ['1w', 604800],
    ['0', 0],
  ])('time %s', (text, value) => expect(parseQuantity(text, timeUnits)).toBeCloseTo(value, 15));

  it.each([
    ['1Gf', 1e9],
    ['98.095Mf', 98.095e6],
    ['2gigaflops', 2e9],
    ['1yottaflops', 1e24],
    ['3kf', 3000],
    ['7flops', 7],
  ])('speed %s', (text, value) => expect(parseQuantity(text, speedUnits)).toBe(value));

  it.each(['', 'Gf', 'inf', 'nan', '0x10f', '1 Gf', '1gf', '1e999', '1GBps'])('%j is not a speed', (text) => {
    expect(parseQuantity(text, speedUnits)).toBeTypeOf('string');
  });

  it('any text is a finite value or rejected', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const value = parseQuantity(text, bandwidthUnits);
        expect(typeof value === 'string' || Number.isFinite(value)).toBe(true);
      }),
    );
  });
});

describe('a radical', () => {
  it('gives the numbers in the order of the text', () => {
    expect(parseRadical('0-3,7', 10)).toEqual([0, 1, 2, 3, 7]);
    expect(parseRadical('9, 2-3', 10)).toEqual([9, 2, 3]);
  });

  it('is limited before numbers are generated', () => {
    expect(parseRadical('0-4', 4)).toContain('more than 4');
    expect(parseRadical('0-2147483646', 1e6)).toContain('more than 1000000');
    expect(parseRadical('0-9999999999', 1e12)).toContain('larger than 2147483647');
  });

  it.each(['', '-', '1-', '-1', '1-2-3', 'a', '1;2'])('%j is malformed', (text) => {
    expect(parseRadical(text, 10)).toContain('expected a number or an interval');
  });
});

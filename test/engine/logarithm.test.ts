import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LOGARITHM } from '../../src/engine/emit/logarithm.ts';
import { compileKernel, Kernel } from '../../src/kernel/kernel.ts';

const { call } = new Kernel(compileKernel(`${LOGARITHM} export function f(x: num): num { return ln(x); }`));
const ln = call['f']!;

test('the logarithm of the code is that of Math.log, to the bit', () => {
  const close = fc.integer({ min: -(2 ** 22), max: 2 ** 22 }).map((k) => 1 + k * Number.EPSILON);
  const part = fc.double({ min: 2 ** -53, max: 1, noNaN: true });
  const any = fc.double({ min: 2.2250738585072014e-308, max: Number.MAX_VALUE, noNaN: true });
  const power = fc.integer({ min: -1022, max: 1023 }).map((k) => 2 ** k);
  fc.assert(
    fc.property(fc.oneof(close, part, any, power), (x) => {
      expect(ln(x)).toBe(Math.log(x) + 0);
    }),
    { numRuns: 20_000 },
  );
});

test('of every size of a drawn number', () => {
  for (let k = 0; k < 100_000; k++) {
    const x = 1 - k / 100_000;
    expect(ln(x)).toBe(Math.log(x) + 0);
  }
});

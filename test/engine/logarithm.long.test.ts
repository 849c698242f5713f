import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LOGARITHM } from '../../src/engine/emit/logarithm.ts';
import { compileKernel, Kernel } from '../../src/kernel/kernel.ts';
import { effort } from '../effort.ts';

const { call } = new Kernel(compileKernel(`${LOGARITHM} export function f(x: num): num { return ln(x); }`));
const ln = call['f']!;

test('the generated logarithm equals Math.log bit for bit', () => {
  const close = fc.integer({ min: -(2 ** 22), max: 2 ** 22 }).map((k) => 1 + k * Number.EPSILON);
  const part = fc.double({ min: 2 ** -53, max: 1, noNaN: true });
  const any = fc.double({ min: 2.2250738585072014e-308, max: Number.MAX_VALUE, noNaN: true });
  const power = fc.integer({ min: -1022, max: 1023 }).map((k) => 2 ** k);
  fc.assert(
    fc.property(fc.oneof(close, part, any, power), (x) => {
      expect(ln(x)).toBe(Math.log(x) + 0);
    }),
    { numRuns: effort(20_000) },
  );
});

test('exponential times drawn in pairs equal single draws bit for bit', () => {
  const text = `${LOGARITHM} let drawn: nums = nums(16); let both: pairs = view(drawn);
export function f() { exponentials(drawn, both, 0, 8); }`;
  const kernel = new Kernel(compileKernel(text));
  const drawn = (u: number): number => Math.floor(u * 2 ** 53) / 2 ** 53;
  const any = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }).map(drawn);
  // Near 1 − u = 2^−k the code takes a different branch.
  const near = fc
    .tuple(fc.integer({ min: 0, max: 52 }), fc.integer({ min: -(2 ** 33), max: 2 ** 33 }))
    .map(([k, by]) => drawn(Math.min(1 - 2 ** -53, Math.max(0, 1 - 2 ** -k + (by / 2 ** 53) * 2 ** -k))));
  const ends = fc.constantFrom(0, 2 ** -53, 0.5, 1 - 2 ** -53, 1 - 2 ** -52);
  const sixteen = fc.array(fc.oneof({ weight: 8, arbitrary: any }, near, ends), { minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(sixteen, (us) => {
      const numbers = kernel.array<Float64Array<ArrayBuffer>>('drawn');
      numbers.set(us);
      kernel.call['f']!();
      us.forEach((u, k) => {
        expect(Object.is(numbers[k], 0 - Math.log(1 - u)), `of ${u}: ${numbers[k]}`).toBe(true);
      });
    }),
    { numRuns: effort(20_000) },
  );
});

test('for drawn numbers of every magnitude', () => {
  for (let k = 0; k < 100_000; k++) {
    const x = 1 - k / 100_000;
    expect(ln(x)).toBe(Math.log(x) + 0);
  }
});

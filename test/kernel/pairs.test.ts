import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileKernel, Kernel } from '../../src/kernel/kernel.ts';
import { effort } from '../effort.ts';

const TEXT = (body: string): string => `
let A: nums = nums(8); let P: pairs = view(A);
export function f(n: num) { const a = P[0], b = P[1]; ${body} }`;

/** Numbers of the third pair after running `body`, which computes it from a, b and n. */
function made(body: string, a: readonly number[], b: readonly number[], n = 0): number[] {
  const kernel = new Kernel(compileKernel(TEXT(body)));
  kernel.array<Float64Array<ArrayBuffer>>('A').set([...a, ...b]);
  kernel.call['f']!(n);
  return [...kernel.array<Float64Array<ArrayBuffer>>('A').slice(4, 6)];
}

const bits = new DataView(new ArrayBuffer(8));
const bitsOf = (x: number): bigint => {
  bits.setFloat64(0, x);
  return bits.getBigUint64(0);
};
const ofBits = (x: bigint): number => {
  bits.setBigUint64(0, BigInt.asUintN(64, x));
  return bits.getFloat64(0);
};
const all = (1n << 64n) - 1n;

const infix: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '&': (a, b) => ofBits(bitsOf(a) & bitsOf(b)),
  '|': (a, b) => ofBits(bitsOf(a) | bitsOf(b)),
  '^': (a, b) => ofBits(bitsOf(a) ^ bitsOf(b)),
};
const compare: Record<string, (a: number, b: number) => boolean> = {
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};
const number = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, 1, -1, 0.5, 5e-324, Number.MAX_VALUE, Number.POSITIVE_INFINITY, Number.NaN),
);
const pair = fc.tuple(number, number);
const same = (got: readonly number[], wanted: readonly number[]): void =>
  got.forEach((x, k) => {
    expect(Object.is(x, wanted[k]), `${x} for ${wanted[k]}`).toBe(true);
  });

test('operations on a pair apply to both numbers', () => {
  fc.assert(
    fc.property(pair, pair, fc.constantFrom(...Object.keys(infix)), (a, b, op) => {
      same(made(`P[2] = a ${op} b;`, a, b), [infix[op]!(a[0], b[0]), infix[op]!(a[1], b[1])]);
    }),
    { numRuns: effort(400) },
  );
});

test('a comparison gives a mask, which selects numbers', () => {
  fc.assert(
    fc.property(pair, pair, fc.constantFrom(...Object.keys(compare)), (a, b, op) => {
      const wanted = [0, 1].map((k) => compare[op]!(a[k]!, b[k]!));
      same(
        made(`P[2] = choose(a ${op} b, a, b);`, a, b),
        wanted.map((w, k) => (w ? a[k]! : b[k]!)),
      );
      const [some] = made(`A[4] = any(a ${op} b);`, a, b);
      expect(some).toBe(wanted.some(Boolean) ? 1 : 0);
      same(
        made(`P[2] = (a ${op} b) & 1;`, a, b),
        wanted.map((w) => (w ? 1 : 0)),
      );
    }),
    { numRuns: effort(400) },
  );
});

test('shifts apply to each number separately', () => {
  fc.assert(
    fc.property(pair, fc.integer({ min: 0, max: 63 }), (a, by) => {
      const shifted = a.map((x) => ofBits((bitsOf(x) & all) >> BigInt(by)));
      same(made('P[2] = a >>> n;', a, [0, 0], by), shifted);
    }),
  );
});

test('a number, int or literal next to a pair is widened to a pair', () => {
  same(made('P[2] = n - a;', [1, 2], [0, 0], 0.5), [-0.5, -1.5]);
  same(made('const i: int = n; P[2] = a * i;', [1.5, 2], [0, 0], 3), [4.5, 6]);
  same(made('const two: pair = 2; P[2] = two / a;', [4, 8], [0, 0]), [0.5, 0.25]);
});

test('invalid pairs are rejected', () => {
  for (const [body, message] of [
    ['P[2] = a % b;', /no operator % on pairs/],
    ['A[4] = a;', /expected a number, got a pair/],
    ['P[2] += a;', /no operator \+= on pairs/],
  ] as const)
    expect(() => made(body, [1, 1], [1, 1])).toThrow(message);
  expect(() => compileKernel('let A: pairs = pairs(4); export function f() {}')).toThrow(/view of an array of nums/);
});

test('products of ints in 64 bits, and numbers of 53 bits', () => {
  const text = `
export function upper(a, b, c): int { return carry(a, b, c); }
export function lower(a, b, c): int { return carried(a, b, c); }
export function whole(a, b): num { return joined(a, b, 21); }`;
  const { call } = new Kernel(compileKernel(text));
  const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  fc.assert(
    fc.property(int, int, int, (a, b, c) => {
      const [x, y, z] = [a, b, c].map((v) => BigInt(v >>> 0)) as [bigint, bigint, bigint];
      expect(call['upper']!(a, b, c)).toBe(Number(BigInt.asIntN(32, (x * y + z) >> 32n)));
      expect(call['lower']!(a, b, c)).toBe(Number(BigInt.asIntN(32, x * y + z)));
      expect(call['whole']!(a, b >>> 11)).toBe((a >>> 0) * 2 ** 21 + (b >>> 11));
    }),
  );
});

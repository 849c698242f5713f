import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dataOfSaved, savedBytes } from '../../src/base/saved-bytes.ts';
import { effort } from '../effort.ts';
import { expectSame } from './expect-same.ts';

const typedArray = fc.oneof(
  fc.int32Array(),
  fc.float64Array(),
  fc.uint8Array(),
  // Views into larger buffers, at any alignment that the type allows.
  fc.float64Array({ minLength: 2 }).map((a) => a.subarray(1)),
  fc.uint8Array({ minLength: 3 }).map((a) => a.subarray(3)),
);
const data = fc.letrec<{ data: unknown }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(
      undefined,
      null,
      true,
      false,
      '',
      -0,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ),
    fc.double(),
    fc.string({ unit: 'binary' }),
    typedArray,
    fc.array(tie('data')),
    fc.dictionary(fc.string(), tie('data'), { noNullPrototype: true }),
    fc.array(fc.tuple(fc.oneof(fc.string(), fc.integer()), tie('data'))).map((pairs) => new Map(pairs)),
  ),
})).data;

test('data is restored exactly, to the last bit', () => {
  fc.assert(
    fc.property(data, (value) => {
      expectSame(dataOfSaved(savedBytes(value)), value);
    }),
    { numRuns: effort(1000) },
  );
});

test('also from a part of a larger buffer', () => {
  fc.assert(
    fc.property(data, fc.nat({ max: 9 }), (value, offset) => {
      const bytes = savedBytes(value);
      const larger = Buffer.alloc(offset + bytes.length + 5, 1);
      larger.set(bytes, offset);
      expectSame(dataOfSaved(larger.subarray(offset, offset + bytes.length)), value);
    }),
  );
});

test('equal data gives equal bytes', () => {
  fc.assert(
    fc.property(data, (value) => {
      const bytes = savedBytes(value);
      expectSame(savedBytes(dataOfSaved(bytes)), bytes);
    }),
  );
});

test('keys of maps remain numbers or strings', () => {
  const map = new Map<number | string, number>([
    [1, 2],
    ['1', 3],
  ]);
  expect([...(dataOfSaved(savedBytes(map)) as Map<unknown, unknown>)]).toEqual([...map]);
});

test('arrays share no memory with the bytes, nor with one another', () => {
  const bytes = savedBytes({ a: Float64Array.of(1, 2), b: Int32Array.of(3) });
  const before = Uint8Array.from(bytes);
  const { a, b } = dataOfSaved(bytes) as { a: Float64Array; b: Int32Array };
  a.fill(9);
  b.fill(9);
  expect(bytes).toEqual(before);
  expect([a.buffer.byteLength, b.buffer.byteLength]).toEqual([16, 4]);
});

test('data that is not plain is not saved', () => {
  for (const thing of [() => 1, Symbol('s'), 1n, new Date(), new Set([1]), new Float32Array(1)])
    expect(() => savedBytes({ thing })).toThrow(/cannot be saved/);
});

test('truncated bytes are reported as truncated', () => {
  const bytes = savedBytes({ a: [1, 2, 3] });
  for (const length of [25, 40, 64, 95, 96, bytes.length - 1])
    expect(() => dataOfSaved(bytes.subarray(0, length))).toThrow(/RUN010.*incomplete/);
});

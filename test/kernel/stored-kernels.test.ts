import { afterEach, beforeEach, expect, test } from 'vitest';
import { compileKernel, Kernel } from '../../src/kernel/kernel.ts';
import { encoded, storeKernels } from '../../src/kernel/stored-kernels.ts';
import { translate } from '../../src/kernel/translate.ts';

const entries = new Map<string, Uint8Array<ArrayBuffer>>();
/** Keys that were read. */
const reads: string[] = [];

beforeEach(() => {
  entries.clear();
  reads.length = 0;
  storeKernels({
    read: (key) => {
      reads.push(key);
      return entries.get(key);
    },
    write: (key, bytes) => entries.set(key, new Uint8Array(bytes)),
  });
});
afterEach(() => storeKernels(undefined));

/** A source of at least 8,000 characters. */
const source = (value: number): string =>
  `let total: num = 0; let list: ints = ints(3);\n${'// padding\n'.repeat(750)}export function f(): int { return ${value}; }`;
const resultOf = (text: string): number => new Kernel(compileKernel(text)).call['f']!();
/** Fills the cache of this thread with other kernels. */
function fillCache(): void {
  for (let k = 0; k < 8; k++) compileKernel(`export function f(): int { return ${k}; }`);
}

test('a kernel is read once its thread has forgotten it', () => {
  expect(resultOf(source(11))).toBe(11);
  expect([reads.length, entries.size]).toEqual([1, 1]);
  expect(resultOf(source(11))).toBe(11);
  expect(reads.length).toBe(1);
  fillCache();
  // The entry, not the source, decides what runs.
  entries.set(reads[0]!, encoded(translate(source(12))));
  expect(resultOf(source(11))).toBe(12);
  expect(reads.length).toBe(2);
});

test('options of the translation belong to the key', () => {
  const text = source(13);
  compileKernel(text);
  compileKernel(text, { shared: true });
  // A source of this length is always optimised.
  compileKernel(text, { fast: true });
  expect([...entries.keys()].map((key) => key.slice(0, 11))).toEqual(['false true ', 'true true l']);
  const long = `${'// padding\n'.repeat(6000)}${source(14)}`;
  compileKernel(long);
  compileKernel(long, { fast: true });
  expect([...entries.keys()].slice(2).map((key) => key.slice(0, 11))).toEqual(['false false', 'false true ']);
});

test('short sources and sources with faults are not stored', () => {
  fillCache();
  expect(reads).toEqual([]);
  expect(() => compileKernel(`${source(15)} function g() { h(); }`)).not.toThrow();
  entries.clear();
  expect(() => compileKernel(`${source(15)} export function g() { h(); }`)).toThrow('h');
  // Valid in the language, but more parameters than WebAssembly has.
  const parameters = Array.from({ length: 1001 }, (_, k) => `a${k}: int`).join(', ');
  expect(() => compileKernel(`${source(16)} export function g(${parameters}): int { return a0; }`)).toThrow(
    WebAssembly.CompileError,
  );
  expect(entries.size).toBe(0);
});

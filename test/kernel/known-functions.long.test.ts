import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compile } from '../../src/engine/compile.ts';
import { compileKernel, Kernel } from '../../src/kernel/kernel.ts';
import { parse } from '../../src/kernel/parse.ts';
import { storeKernels } from '../../src/kernel/stored-kernels.ts';
import { translate } from '../../src/kernel/translate.ts';
import { effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';

/** Sources of the kernels compiled since the last comparison. */
const sources: string[] = [];

beforeAll(() =>
  storeKernels({
    read: () => undefined,
    write: (key) => sources.push(key.replace(/^\w+ \w+ /, '')),
  }),
);
afterAll(() => storeKernels(undefined));

let spaces = 1;
/** The same source in other words: with a number of spaces that no source had before, no function is known. */
function unknown(source: string): string {
  spaces++;
  return source.replaceAll('function ', `function${' '.repeat(spaces)}`);
}

test('a source has the same translation whether its functions are known or not', () => {
  let compared = 0;
  fc.assert(
    fc.property(arbitraryNet, (net) => {
      compile(net);
      for (const source of sources.splice(0)) {
        const made = translate(source);
        const anew = translate(unknown(source));
        expect(Buffer.compare(made.bytes, anew.bytes)).toBe(0);
        expect({ ...made, bytes: undefined }).toStrictEqual({ ...anew, bytes: undefined });
        compared++;
      }
    }),
    { numRuns: effort(30) },
  );
  expect(compared).toBeGreaterThan(10);
});

test('nearly all functions of a net are known when it is translated again', () => {
  const [net] = fc.sample(arbitraryNet, 1);
  compile(net!);
  const [source] = sources.splice(0);
  const before = new Set(parse(source!).functions);
  const { functions } = parse(source!);
  expect(functions.filter((f) => before.has(f)).length).toBeGreaterThan(0.9 * functions.length);
  expect(parse(unknown(source!)).functions.filter((f) => before.has(f))).toEqual([]);
});

const half = `export function half(): num {
  return (x + x) / 4 + y * 2;
}
`;
const resultOf = (globals: string): number => new Kernel(compileKernel(`${globals}\n${half}`)).call['half']!();

test('a known function has the types of the source that it is in', () => {
  expect(resultOf('let x: int = 3; const y = 1;')).toBe(3.5);
  expect(resultOf('let x: num = 0.5; const y = 0.25;')).toBe(0.75);
  expect(resultOf('let x: int = 1; let y: num = 0.125;')).toBe(0.75);
  expect(parse(half).functions).toHaveLength(1);
});

test('the marks, the calls and the growing arrays of a known function count each time', () => {
  const text = (marks: string): string =>
    `let a: ints = ints(1);
${marks}function grow() {
  a = grown(a, 8);
  other();
}
function other() {
  return;
}
`;
  for (const _ of [0, 1]) {
    const plain = parse(text(''));
    expect([...plain.grown]).toEqual(['a']);
    expect(plain.calls.get('other')).toBe(1);
    expect(plain.functions[0]).toMatchObject({ exported: false, cold: false });
    const cold = parse(text('cold '));
    expect([...cold.grown]).toEqual(['a']);
    expect(cold.calls.get('other') ?? 0).toBe(0);
    expect(cold.functions[0]).toMatchObject({ exported: false, cold: true });
    expect(parse(text('export ')).functions[0]).toMatchObject({ exported: true, cold: false });
  }
});

test('a function that ends elsewhere than emitted functions do is not mixed up with another', () => {
  const odd = 'export function f(): int { return 1; } export function g(): int { return 2; }\n';
  const nested = 'export function h(): int {\n{\nreturn 5;\n}\n}\nexport function i(): int {\nreturn 6;\n}\n';
  for (const _ of [0, 1]) {
    expect(parse(odd + nested).functions.map((f) => f.name)).toEqual(['f', 'g', 'h', 'i']);
    const { call } = new Kernel(compileKernel(odd + nested));
    expect([call['f']!(), call['g']!(), call['h']!(), call['i']!()]).toEqual([1, 2, 5, 6]);
  }
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileKernel, Kernel } from '../../src/kernel/kernel.ts';
import { atFullEffort, effort } from '../effort.ts';

/*
 * The compiler keeps addresses of arrays in locals as long as nothing moves the arrays. These tests grow arrays in random
 * control flow by every means: in called, inlined and cold functions, and in callbacks of the host. The same source, without
 * its types, is run as JavaScript for comparison.
 */
const NAMES = ['A', 'B', 'C'];
const LENGTH = 4;

const element = fc.tuple(fc.constantFrom(...NAMES), fc.nat(LENGTH - 1)).map(([a, k]) => `${a}[${k}]`);
/** Statements that may move an array. */
const growth = fc.tuple(
  fc.constantFrom('grow', 'seldomGrow', 'hostGrow', 'growDeep', 'mayGrow'),
  fc.constantFrom(...NAMES),
);
const value = fc.oneof(
  element,
  fc.integer({ min: -9, max: 9 }).map((v) => `(${v})`),
  fc.tuple(element, element).map(([a, b]) => `(${a} > ${b} ? ${a} - 1 : ${b} + 2)`),
  fc.tuple(element, element).map(([a, b]) => `(${a} > 0 && ${b} < 5 || ${b} === 7)`),
  fc.tuple(fc.constantFrom(...NAMES), element).map(([n, x]) => `grown${n}(${x})`),
);
const { statement } = fc.letrec<{ statement: string; block: string }>((tie) => ({
  block: fc.array(tie('statement'), { minLength: 1, maxLength: 4 }).map((s) => `{ ${s.join('\n')} }`),
  statement: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'moving' },
    fc
      .tuple(element, fc.constantFrom('=', '+=', '-='), value)
      .map(([e, op, v]) => `{ const v = +${v}; ${e} ${op} v; }`),
    growth.map(([how, n]) => `${how}${n}();`),
    fc.constantFrom(...NAMES).map((n) => `if (${n}.length < 200) ${n} = grown(${n}, ${n}.length + 3);`),
    fc
      .tuple(value, tie('block'), fc.option(tie('block')))
      .map(([v, a, b]) => `if (${v} > 1) ${a}${b === null ? '' : ` else ${b}`}`),
    fc.tuple(fc.nat(3), tie('block'), fc.constantFrom('', 'break', 'continue'), value).map(([n, b, exit, v]) => {
      const leave = exit === '' ? '' : `if (${v} > 2) ${exit};`;
      return `for (let k = 0; k <= ${n}; k++) { A[1] += 1; if (A[1] > 400) return; ${leave} ${b} }`;
    }),
    fc
      .tuple(element, tie('block'), tie('block'))
      .map(
        ([e, a, b]) =>
          `{ const v: int = Math.max(-999, Math.min(999, ${e})); switch (v & 3) { case 0: ${a} break; case 1: ${b} default: ${a} } }`,
      ),
    fc
      .tuple(tie('block'), value)
      .map(
        ([b, v]) =>
          `{ let left = 3; do { left--; A[1] += 1; if (A[1] > 400) return; ${b} } while (left > 0 && ${v} > 0); }`,
      ),
    fc.tuple(value).map(([v]) => `if (${v} > 6) return;`),
  ),
}));

/** Functions that grow the named array. */
const functions = (n: string): string => `
export function more${n}() { if (${n}.length < 3000) ${n} = grown(${n}, ${n}.length * 2 + 1); }
function grow${n}() { more${n}(); }
cold function seldomGrow${n}() { more${n}(); }
declare function hostGrow${n}();
function growDeep${n}() { if (${n}[0] > 3) { grow${n}(); return; } ${n}[2] += 1; seldomGrow${n}(); }
function mayGrow${n}() { if (${n}[1] < 2) return; hostGrow${n}(); }
function grown${n}(x: num): num { if (x > 2) { grow${n}(); return ${n}[3]; } return ${n}[1] + x; }`;

const untyped = (text: string): string =>
  text
    .replace(/declare function [^\n]*\n/g, '')
    .replace(/: (?:int|nums|num)\b/g, '')
    .replace(/\b(?:cold|export) function/g, 'function');

test('arrays move while their addresses are held', () => {
  let moved = 0;
  fc.assert(
    fc.property(fc.array(statement, { minLength: 3, maxLength: 12 }), fc.nat(9), (statements, first) => {
      const text = `${NAMES.map((n) => `let ${n}: nums = nums(${LENGTH});`).join('\n')}
${NAMES.map(functions).join('\n')}
function part() { ${statements.slice(0, 3).join('\n')} }
export function f(x: num) { A[0] = x; ${statements.join('\n')} part(); C[3] += 1; }`;
      const kernel: Kernel = new Kernel(
        compileKernel(text),
        Object.fromEntries(NAMES.map((n) => [`hostGrow${n}`, () => kernel.call[`more${n}`]!()])),
      );
      const plain = new Function(
        'grown',
        `${NAMES.map((n) => `let ${n} = new Float64Array(${LENGTH});`).join('\n')}
${NAMES.map((n) => `function hostGrow${n}() { more${n}(); }`).join('\n')}
${untyped(text.slice(text.indexOf('export')))}
return { f, arrays: () => [${NAMES.join(', ')}] };`,
      )((array: Float64Array, length: number) => {
        const more = new Float64Array(length);
        more.set(array);
        return more;
      }) as { f(x: number): void; arrays(): Float64Array[] };
      for (const x of [first, 1, 5]) {
        kernel.call['f']!(x);
        plain.f(x);
        const arrays = plain.arrays();
        NAMES.forEach((n, k) => {
          expect([...kernel.array<Float64Array<ArrayBuffer>>(n)]).toEqual([...arrays[k]!]);
        });
        if (arrays.some((a) => a.length > LENGTH)) moved++;
      }
    }),
    { numRuns: effort(400), seed: 3 },
  );
  expect(moved).toBeGreaterThan(atFullEffort(600));
});

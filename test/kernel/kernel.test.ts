import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileKernel, Kernel } from '../../src/kernel/kernel.ts';
import { translate } from '../../src/kernel/translate.ts';
import { atFullEffort, effort } from '../effort.ts';

const start = (text: string, functions: Record<string, (...args: number[]) => number> = {}): Kernel =>
  new Kernel(compileKernel(text), functions);

const run = (body: string, ...args: number[]): number =>
  start(`export function f(${args.map((_, k) => `a${k}: num`).join(', ')}): num { ${body} }`).call['f']!(...args);

describe('expressions', () => {
  /** Source and value of an expression over ints i, j and nums x, y. */
  interface Sample {
    readonly text: string;
    readonly int: boolean;
    readonly value: number;
  }
  const VALUES = { i: 7, j: -3, x: 2.5, y: -0.75 };
  const leaf = fc.oneof(
    fc.constantFrom('i', 'j').map((n): Sample => ({ text: n, int: true, value: VALUES[n as 'i'] })),
    fc.constantFrom('x', 'y').map((n): Sample => ({ text: n, int: false, value: VALUES[n as 'x'] })),
    fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map((v): Sample => ({ text: `(${v})`, int: true, value: v })),
    fc
      .double({ noNaN: true, min: -1e9, max: 1e9 })
      .filter((v) => !Number.isInteger(v))
      .map((v): Sample => ({ text: `(${v})`, int: false, value: v })),
  );
  const toInt = (v: number): number => Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.trunc(v))) + 0;
  const asInt = (s: Sample): number => (s.int ? s.value : Number.isNaN(s.value) ? 0 : toInt(s.value));
  const both = (a: Sample, b: Sample): boolean => a.int && b.int;
  const arithmetic: Record<string, (a: number, b: number) => number> = {
    '+': (a, b) => a + b,
    '-': (a, b) => a - b,
    '*': (a, b) => a * b,
  };
  const bits: Record<string, (a: number, b: number) => number> = {
    '&': (a, b) => a & b,
    '|': (a, b) => a | b,
    '^': (a, b) => a ^ b,
    '<<': (a, b) => a << b,
    '>>': (a, b) => a >> b,
  };
  const comparisons: Record<string, (a: number, b: number) => boolean> = {
    '===': (a, b) => a === b,
    '!==': (a, b) => a !== b,
    '<': (a, b) => a < b,
    '<=': (a, b) => a <= b,
    '>': (a, b) => a > b,
    '>=': (a, b) => a >= b,
  };
  const { tree } = fc.letrec<{ tree: Sample }>((tie) => {
    const two = fc.tuple(tie('tree'), tie('tree'));
    return {
      tree: fc.oneof(
        { maxDepth: 6, depthIdentifier: 'kernel' },
        leaf,
        fc.tuple(fc.constantFrom(...Object.keys(arithmetic)), two).map(([op, [a, b]]): Sample => {
          const int = both(a, b);
          const value = op === '*' && int ? Math.imul(a.value, b.value) : arithmetic[op]!(a.value, b.value);
          return { text: `(${a.text} ${op} ${b.text})`, int, value: int ? value | 0 : value };
        }),
        fc.tuple(fc.constantFrom(...Object.keys(bits)), two).map(
          ([op, [a, b]]): Sample => ({
            text: `(${a.text} ${op} ${b.text})`,
            int: true,
            value: bits[op]!(asInt(a), asInt(b)),
          }),
        ),
        fc.tuple(fc.constantFrom(...Object.keys(comparisons)), two).map(
          ([op, [a, b]]): Sample => ({
            text: `(${a.text} ${op} ${b.text})`,
            int: true,
            value: Number(comparisons[op]!(a.value, b.value)),
          }),
        ),
        two.map(([a, b]): Sample => ({ text: `(${a.text} / ${b.text})`, int: false, value: a.value / b.value })),
        fc.tuple(tie('tree'), tie('tree'), tie('tree')).map(([c, a, b]): Sample => {
          const truth = c.value !== 0;
          return { text: `(${c.text} ? ${a.text} : ${b.text})`, int: both(a, b), value: truth ? a.value : b.value };
        }),
        two.map(
          ([a, b]): Sample => ({
            text: `(${a.text} && ${b.text} ? 1 : 0)`,
            int: true,
            value: a.value !== 0 && b.value !== 0 ? 1 : 0,
          }),
        ),
        two.map(
          ([a, b]): Sample => ({
            text: `Math.max(${a.text}, ${b.text})`,
            int: both(a, b),
            value: Math.max(a.value, b.value),
          }),
        ),
        tie('tree').map((a): Sample => ({ text: `Math.floor(${a.text})`, int: a.int, value: Math.floor(a.value) })),
        tie('tree').map((a): Sample => ({ text: `(+${a.text} | 0)`, int: true, value: asInt(a) })),
        tie('tree').map((a): Sample => ({ text: `(!${a.text})`, int: true, value: a.value === 0 ? 1 : 0 })),
        tie('tree').map(
          (a): Sample => ({ text: `Number.isInteger(${a.text})`, int: true, value: Number(Number.isInteger(a.value)) }),
        ),
      ),
    };
  });

  test('have the values of JavaScript, except that ints stay ints', () => {
    fc.assert(
      fc.property(tree, (s) => {
        const kernel = start(`export function f(i: int, j: int, x: num, y: num): num { return ${s.text}; }`);
        const got = kernel.call['f']!(VALUES.i, VALUES.j, VALUES.x, VALUES.y);
        expect(Object.is(got, s.value) || got === s.value).toBe(true);
      }),
      { numRuns: effort(2000) },
    );
  });

  test('a quotient of ints whose fraction is dropped is an int', () => {
    const divide = start('export function f(a: int, b: int): int { return a / b | 0; }').call['f']!;
    for (const [a, b] of [
      [7, 2],
      [-7, 2],
      [7, -2],
      [0, 5],
      [2 ** 31 - 1, 3],
    ] as const)
      expect(divide(a, b)).toBe(Math.trunc(a / b) + 0);
  });

  test('the lowest bit that is set has a number', () => {
    const lowest = start('export function f(a: int): int { return lowestBit(a); }').call['f']!;
    for (let k = 0; k < 32; k++) for (const above of [0, 1, 5]) expect(lowest((1 << k) | (above << k))).toBe(k);
    expect(lowest(0)).toBe(32);
  });

  test('remainders of doubles equal those of the host', () => {
    expect(run('return a0 % a1;', 7.5, -2)).toBe(1.5);
    expect(run('return a0 % a1;', -7.5, 2)).toBe(-1.5);
  });
});

describe('statements', () => {
  test('loops, jumps and switches', () => {
    const kernel = start(`
export function sum(n: int): num { let s: num = 0; for (let i = 0; i < n; i++) { if (i % 3 === 0) continue; if (i > 90) break; s += i / 2; } return s; }
export function gcd(a: int, b: int): int { let x = a, y = b; while (y !== 0) { const r = x % y; x = y; y = r; } return x; }
export function digits(n: int): int { let k = 0, rest = n; do { rest = rest / 10 | 0; k++; } while (rest > 0); return k; }
export function choose(x: int): int { let r = 0; switch (x) { case 1: case 2: r = 10; break; case 3: r = 1; case 4: r += 5; break; default: r = 99; } return r; }
export function far(x: num): int { switch (x) { case 0.5: return 1; case 1000000: return 2; case -7: return 3; } return 0; }`);
    let sum = 0;
    for (let i = 0; i <= 90; i++) if (i % 3 !== 0) sum += i / 2;
    expect(kernel.call['sum']!(1000)).toBe(sum);
    expect(kernel.call['gcd']!(84, 36)).toBe(12);
    expect([0, 9, 10, 12345].map((n) => kernel.call['digits']!(n))).toEqual([1, 1, 2, 5]);
    expect([0, 1, 2, 3, 4, 5].map((x) => kernel.call['choose']!(x))).toEqual([99, 10, 10, 6, 5, 99]);
    expect([0.5, 1e6, -7, 3].map((x) => kernel.call['far']!(x))).toEqual([1, 2, 3, 0]);
  });

  test('steps and assignments have values', () => {
    expect(run('let k = 5; const a = k++; const b = ++k; k *= 2; return a * 100 + b * 10 + k;')).toBe(584);
    expect(run('let x: num = 0, k = 0; x = k = 3; return x + k;')).toBe(6);
  });

  test('an inlined function sees only its own names', () => {
    const kernel = start(`
let k: int = 40;
function add(n: int): int { if (n < 0) return k; let sum = k; for (let i = 0; i < n; i++) { if (i === 2) break; sum += i; } return sum; }
function twice(n: int): int { return add(n) + add(-1); }
function outer(n: int): int { const k = 1000; let i = 7; i += twice(n); return i + k; }
export function f(n: int): int { return outer(n); }
function fib(n: int): int { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function around(n: int): int { return fib(n); }
export function g(n: int): int { return around(n); }`);
    expect(kernel.call['f']!(5)).toBe(1007 + 41 + 40);
    expect(kernel.call['g']!(15)).toBe(610);
  });
});

describe('arrays', () => {
  test('grow, are filled, copied, viewed as another type', () => {
    const kernel = start(`
let A: ints = ints(4, -1); let D: nums = nums(3, 2.5); let I: ints = view(D); let B: bytes = bytes(5, 7);
function second(Q: ints, k: int): int { return Q[k + 1]; }
export function f(): num {
  A = grown(A, 10); A.fill(9, 4, 6); A[0] = 3; A[6] += 5; A[7]++;
  copy(A, 1, 0, 3); B[2] = 300; I[0] = 0; I[1] = 1074266112;
  const Q = A;
  return second(A, 0) * 1e6 + second(Q, 4) * 1000 + A[6] * 100 + A[7] * 10 + B[2] + D[0] + A.length;
}`);
    expect(kernel.call['f']!()).toBe(3e6 + 9000 + 500 + 10 + (300 & 255) + 3 + 10);
    expect([...kernel.array('A')]).toEqual([3, 3, -1, -1, 9, 9, 5, 1, 0, 0]);
    expect([...kernel.array<Uint8Array<ArrayBuffer>>('B')]).toEqual([7, 7, 44, 7, 7]);
  });

  test('are filled between any two elements, as typed arrays are', () => {
    const filled = { ints: Int32Array, nums: Float64Array, bytes: Uint8Array } as const;
    const bound = fc.integer({ min: 0, max: 9 });
    const element = fc.constantFrom('ints', 'nums', 'bytes');
    fc.assert(
      fc.property(element, fc.constantFrom(0, -1, 1, 7, 255, 256, -256), bound, bound, (type, value, from, to) => {
        const written = [`${value}`, 'V', 'v'];
        for (const text of written) {
          const kernel = start(`
const V = ${value};
let A: ${type} = ${type}(9, 5);
export function fill(v: int, from: int, to: int) { A.fill(${text}, from, to); }`);
          kernel.call['fill']!(value, from, to);
          const expected = new filled[type](9).fill(5).fill(value, Math.min(from, to), to);
          expect([...kernel.array('A')]).toEqual([...expected]);
        }
      }),
      { numRuns: effort(300) },
    );
  });

  test('keep their contents when any array grows', () => {
    const names = ['A', 'B', 'C'];
    const text = names
      .map((n) => `let ${n}: nums = nums(3); export function grow${n}(n: int) { ${n} = grown(${n}, n); }`)
      .join('\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 3000 }))), (steps) => {
        const kernel = start(text);
        const model = new Map(names.map((n) => [n, [0, 0, 0]]));
        let stamp = 1;
        for (const [name, more] of steps) {
          const array = model.get(name)!;
          array.push(...new Array<number>(more).fill(0));
          kernel.call[`grow${name}`]!(array.length);
          const memory = kernel.array<Float64Array<ArrayBuffer>>(name);
          const at = (stamp * 7919) % array.length;
          memory[at] = stamp;
          array[at] = stamp++;
          for (const [n, values] of model) expect([...kernel.array(n)]).toEqual(values);
        }
        const other = start(text);
        other.restore(structuredClone(kernel.state()));
        for (const [n, values] of model) expect([...other.array(n)]).toEqual(values);
      }),
      { numRuns: effort(100) },
    );
  });

  test('nogrow arrays do not move, and allow reads slightly below their start', () => {
    const kernel = start(`
let A: ints = ints(5, 3); let B: nums = nums(1); let C: bytes = bytes(7, 9); let I: ints = view(C);
export function at(k: int): int { return A[k]; }
export function grow(n: int) { B = grown(B, n); B.fill(-1, 0, n); }
export function put(k: int, v: int): int { A[k] = v; A[0] += v; return C[6] + I[0] + A.length; }`);
    const { at, grow, put } = kernel.call as Record<string, (...args: number[]) => number>;
    expect(put!(4, 8)).toBe(9 + 0x09090909 + 5);
    for (const n of [10, 1000, 100_000, 1_000_000]) grow!(n);
    expect([...kernel.array('A')]).toEqual([11, 3, 3, 3, 8]);
    expect([...kernel.array<Uint8Array<ArrayBuffer>>('C')]).toEqual([9, 9, 9, 9, 9, 9, 9]);
    expect(kernel.array<Float64Array<ArrayBuffer>>('B').every((v) => v === -1)).toBe(true);
    expect(at!(4)).toBe(8);
    for (let k = -200; k < 0; k++) expect(() => at!(k)).not.toThrow();
  });

  test('given arrays are copied, globals saved and restored', () => {
    const compiled = compileKernel(`
declare const T: nums; declare function twice(x: num): num;
let sum: num = 0.5; let count: int = 0; let seen: ints = ints(2);
export function f(k: int) { sum += twice(T[k]); seen[count] = k; count++; }`);
    const table = Float64Array.of(1, 2, 3);
    const one = new Kernel(compiled, { twice: (x: number) => 2 * x }, { T: table });
    table[1] = 100;
    one.call['f']!(1);
    const saved = one.state();
    one.call['f']!(2);
    expect([one.get('sum'), one.get('count'), ...one.array('seen')]).toEqual([10.5, 2, 1, 2]);
    const other = new Kernel(compiled, { twice: (x: number) => 3 * x }, { T: table });
    other.restore(saved);
    other.call['f']!(2);
    expect([other.get('sum'), other.get('count'), ...other.array('seen')]).toEqual([13.5, 2, 1, 2]);
  });
});

describe('tests of several parts', () => {
  const leaf = fc.constantFrom('x > 0', 'i', '!y', 'seen(1)', 'seen(0)', 'seen(x)', 'j === 3', 'y');
  const { test: anyTest } = fc.letrec<{ test: string }>((tie) => ({
    test: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'tests' },
      leaf,
      fc.tuple(fc.constantFrom('&&', '||'), tie('test'), tie('test')).map(([op, a, b]) => `(${a} ${op} ${b})`),
      tie('test').map((a) => `!(${a})`),
    ),
  }));
  const bodyOf = (t: string): string => `
    if (${t}) trail = trail * 3 + 1;
    if (${t}) trail = trail * 3 + 1; else trail = trail * 3 + 2;
    if (${t}) { if (j > 2) return trail; } else if (${t}) trail += 5; else trail += 7;
    for (let k = 0; k < 3 && (${t}); k++) trail += 11;
    let n = 0;
    while (n < 2 || (n < 4 && (${t}))) { n++; if (!(${t}) && n === 3) continue; trail += 13; }
    do { n++; trail += 17; } while (n < 7 && (${t}));
    return trail;`;

  test('short-circuit as in JavaScript', () => {
    const bits = fc.integer({ min: 0, max: 1 });
    fc.assert(
      fc.property(anyTest, bits, fc.integer({ min: 0, max: 3 }), bits, bits, (t, i, j, x, y) => {
        const plain = new Function(
          'i',
          'j',
          'x',
          'y',
          `let trail = 0, looks = 0; const seen = (v) => {
             looks++; if (v > 0 || looks > 90) return 1; if (looks % 3 === 1 && v < 1) return v; return looks > 40; };
           const f = () => { ${bodyOf(t)} }; return [f(), looks];`,
        );
        const text = `let trail: num = 0; let looks: int = 0;
          function seen(v: num): int {
            looks++; if (v > 0 || looks > 90) return 1; if (looks % 3 === 1 && v < 1) return v | 0; return looks > 40; }
          export function f(i: int, j: int, x: num, y: num): num { return go(i, j, x, y); }
          function go(i: int, j: int, x: num, y: num): num { ${bodyOf(t)} }`;
        const kernel = start(text);
        expect([kernel.call['f']!(i, j, x, y), kernel.get('looks')]).toEqual(plain(i, j, x, y));
      }),
    );
  });
});

test('inlined calls of functions give the same results', () => {
  // About 200 tokens, called twice, and from a function that is itself inlined.
  const text = `
let sums: nums = nums(4);
function mixed(x: num, k: int): num {
  ${Array.from({ length: 7 }, (_, i) => `if (k === ${i}) { sums[${i % 4}] += x * ${i + 1}; return sums[${i % 4}] - k; }`).join('\n  ')}
  return x;
}
function twice(x: num): num { return mixed(x, 3) + mixed(-x, 7); }
export function f(x: num, k: int): num { return inner(x, k); }
function inner(x: num, k: int): num { return mixed(x, k) + twice(x + 1); }`;
  const [soon, fast] = [false, true].map((how) => {
    const { bytes, ...shape } = translate(text, { fast: how });
    return { size: bytes.length, kernel: new Kernel({ text, shape, module: new WebAssembly.Module(bytes) }) };
  }) as [{ size: number; kernel: Kernel }, { size: number; kernel: Kernel }];
  expect(fast.size).toBeGreaterThan(atFullEffort(1.5 * soon.size));
  for (let k = -1; k < 13; k++) {
    expect(fast.kernel.call['f']!(k / 7, k)).toBe(soon.kernel.call['f']!(k / 7, k));
    expect([...fast.kernel.array('sums')]).toEqual([...soon.kernel.array('sums')]);
  }
});

test('small memory of a long-running kernel does not move', () => {
  const text = 'let a: nums = nums(2); export function more(n: int) { a = grown(a, n); a[n - 1] = n; }';
  const moves = (lasting: boolean): boolean => {
    const kernel = new Kernel(compileKernel(text, { fast: lasting }));
    const { buffer } = kernel.memory.memory;
    kernel.call['more']!(2 ** 20);
    expect(kernel.array('a').at(-1)).toBe(2 ** 20);
    return kernel.memory.memory.buffer !== buffer;
  };
  expect([moves(false), moves(true)]).toEqual([true, false]);
});

describe('unsupported syntax is rejected', () => {
  test.each([
    ['let x = 1;\nfunction f( { }', 'expected a name'],
    ['export function f(): int { return y; }', 'unknown name y'],
    ['export function f(): int { return g(1); }', 'unknown function g'],
    [
      'function g(a: int): int { return a; } export function f(): int { return g(); }',
      'g: expected 1 arguments, got 0',
    ],
    ['export function f() { const A = 1; A = 2; }', 'A cannot be assigned'],
    ['export function f() { break; }', 'break outside a loop'],
    ['function f() { } function f() { }', 'duplicate function f'],
    ['let a = 0; let a: num = 0;', 'duplicate variable a'],
    ['let a: ints = ints(4); let a: nums = nums(4);', 'duplicate variable a'],
    ['let a: int = 1 + 1;', 'global a: expected a literal'],
    ['export function f(): int { return "text"; }', 'unexpected'],
  ])('unsupported syntax is refused: %s', (text, message) => {
    expect(() => compileKernel(text)).toThrow(message);
  });
});

test('no code follows a call of a noreturn function; other branches continue', () => {
  const kernel = start(
    `declare nogrow function fail(a: int): int;
let some: ints = ints(4); let made: int = 0;
noreturn function bad(a) { fail(a); }
function checked(a): int { if (a < 0) bad(a); made++; return a * 2; }
function found(a): int { for (let k = 0; k < 4; k++) if (some[k] === a) return k; bad(a); }
cold function grow() { some = grown(some, 8); }
export function double(a): int { return checked(a) + checked(a + 1); }
export function find(a): int { some[2] = 5; if (a === 9) grow(); if (a > 9) { bad(a); some[0] = 1; } return found(a) + some[2]; }`,
    {
      fail: (a) => {
        throw new RangeError(`bad ${a}`);
      },
    },
  );
  expect(kernel.call['double']!(3)).toBe(14);
  expect(() => kernel.call['double']!(-1)).toThrow('bad -1');
  expect(kernel.get('made')).toBe(2);
  expect(kernel.call['find']!(5)).toBe(7);
  expect(() => kernel.call['find']!(7)).toThrow('bad 7');
  expect(() => kernel.call['find']!(12)).toThrow('bad 12');
  expect(() => kernel.call['find']!(9)).toThrow('bad 9');
  expect(kernel.call['find']!(0)).toBe(5);
});

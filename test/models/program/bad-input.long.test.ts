// biome-ignore-all lint/suspicious/noExplicitAny: untyped callers may do this
import { relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codesOf } from '../../../scripts/errors.ts';
import { InputError, type Problem } from '../../../src/base/problem.ts';
import { map } from '../../../src/commands/mapping/map.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import {
  ANY,
  cluster,
  compose,
  counter,
  grid2d,
  grid3d,
  type Label,
  mpmd,
  noise,
  oneOf,
  phase,
  range,
  receives,
  sends,
  spmd,
} from '../../../src/models.ts';
import { machine, simulateModel, type TestBuilder } from './run.ts';

/** The thrown problem; fails unless it is an InputError. */
function problemOf(run: () => unknown): Problem {
  try {
    run();
  } catch (e) {
    expect(e).toBeInstanceOf(InputError);
    return (e as InputError).problems[0]!;
  }
  throw new Error('nothing was thrown');
}

/** This file; used to find the line of a source text. */
const here = new URL(import.meta.url).pathname;
const relativeHere = relative(process.cwd(), here);

// Type errors are also rejected at run time, because tsx removes types. See types.test.ts for the compiler's part.
const any = (m: TestBuilder) => m as any;
const build =
  (of: (m: any) => unknown, ranks = 2) =>
  () =>
    simulateModel(ranks, (m) => of(any(m)) as undefined);

const other = spmd({ name: 'other', build: () => {} });

/** A module with the label `x`, and a composition of such modules on a rank each. */
const labelled = (name: string, label: Label) => spmd({ name, interface: { x: label }, build: () => {} });
const composed = (labels: readonly Label[], synchronise: readonly (string | readonly string[])[]) => (): unknown =>
  compose(
    labels.map((label, k) => ({ model: labelled(`m${k}`, label), ranks: 1 })),
    { synchronise: synchronise as never },
  );

/** Mistakes with their codes and required message texts. */
const CASES: readonly (readonly [code: string, says: RegExp, run: () => unknown])[] = [
  [
    'MODEL036',
    /send: "x" is not a label of .*Declare it: interface: \{ x: sends\(\) \}/,
    build((m) => m.send({ label: 'x', bytes: 1 })),
  ],
  [
    'MODEL037',
    /expected a sender and a receiver: m0\.x, sends\(\); m1\.x, sends\(\)/,
    composed([sends(), sends()], ['x']),
  ],
  [
    'MODEL038',
    /nobody meets label m0\.x, sends\(\)\. It fits \["m0\.x", "m1\.x"\]/,
    composed([sends(), receives()], []),
  ],
  ['MODEL039', /no module has a label "y"\. Known: x/, composed([sends(), receives()], ['y'])],
  [
    'MODEL040',
    /label "m0\.x" is met twice.*Connect all its ends in one list/,
    composed([phase(), phase()], ['x', ['m0.x', 'm1.x']]),
  ],
  [
    'MODEL041',
    /label "x" is sends\(\) in "a" and phase\(\) in "b"/,
    () => compose([{ as: 'one', choose: [labelled('a', sends()), labelled('b', phase())] }]),
  ],
  [
    'MODEL042',
    /flops: expected a whole number, got 1\.5/,
    () => map(spmd({ name: 'x', build: (m) => m.compute({ flops: 1.5 }) }) as never, { machine, ranks: 1 }),
  ],
  ['MODEL001', /has no build/, () => spmd({ name: 'x' } as never)],
  ['MODEL001', /params: expected an object, got null/, () => spmd({ name: 'x', params: null, build() {} } as never)],
  ['MODEL001', /vars: expected an object, got 5/, () => spmd({ name: 'x', vars: 5, build() {} } as never)],
  [
    'MODEL001',
    /verifyWith: expected an object, got null/,
    () => spmd({ name: 'x', verifyWith: null, build() {} } as never),
  ],
  ['MODEL001', /expected parts, a non-empty list of/, () => mpmd({ name: 'x', parts: [null] } as never)],
  ['MODEL001', /no option "parms"\. Did you mean "params"/, () => spmd({ name: 'x', parms: {}, build() {} } as never)],
  [
    'MODEL001',
    /"rank" is not a valid name of a variable/,
    () => spmd({ name: 'x', vars: { rank: counter() }, build() {} }),
  ],
  [
    'MODEL001',
    /verifyWith: "turn" is not a parameter\. Did you mean "turns"/,
    () => spmd({ name: 'x', params: { turns: 1 }, verifyWith: { turn: 1 } as never, build() {} }),
  ],
  [
    'MODEL001',
    /duplicate part "other"/,
    () =>
      mpmd({
        name: 'x',
        parts: [
          { model: other, ranks: 1 },
          { model: other, ranks: 1 },
        ],
      }),
  ],
  ['MODEL002', /lower one first/, () => range(3, 1)],
  ['MODEL002', /different names/, () => oneOf('a', 'a' as never)],
  ['MODEL003', /> 0, got -1/, () => noise.lognormal(-1)],
  ['MODEL003', /at most 0\.2/, () => noise.normal(0.5)],
  ['MODEL003', /noise: expected .* got 0\.1/, build((m) => m.compute({ seconds: 1, noise: 0.1 }))],
  ['MODEL003', /noise: expected .* got an object/, build((m) => m.sleep(1, { noise: noise.exponential() }))],
  ['MODEL003', /noise: expected .* got an object/, build((m) => m.sleep(1, { kind: 'lognormal', cv: -1 }))],
  ['MODEL004', /ranks: expected an integer from 1 to \d+, got 0/, () => predict(other, { machine, ranks: 0 })],
  [
    'MODEL004',
    /"pair" does not run on 3 ranks: its parts need 2/,
    () => predict(mpmd({ name: 'pair', parts: [{ model: other, ranks: 2 }] }), { machine, ranks: 3 }),
  ],
  [
    'MODEL005',
    /no parameter "m"\. Did you mean "n"|no parameter "m"/,
    () => spmd({ name: 'x', params: { n: 1 }, build() {} }).with({ m: 1 } as never),
  ],
  [
    'MODEL005',
    /"n" of model "x": expected a number, got "2"/,
    () => spmd({ name: 'x', params: { n: 1 }, build() {} }).with({ n: '2' } as never),
  ],
  ['MODEL001', /parameter "n": expected .* got NaN/, () => spmd({ name: 'x', params: { n: Number.NaN }, build() {} })],
  [
    'MODEL001',
    /verifyWith: ranks: expected an integer >= 1, got 2\.5/,
    () => spmd({ name: 'x', verifyWith: { ranks: 2.5 }, build() {} }),
  ],
  [
    'MODEL001',
    /verifyWith: "n": expected a number, got "3"/,
    () => spmd({ name: 'x', params: { n: 1 }, verifyWith: { n: '3' as never }, build() {} }),
  ],
  ['MODEL005', /has no parameter "m"/, () => spmd({ name: 'x', build: (m) => (m as any).p.m }).record(1)],
  ['MODEL006', /the product 6, such as 3 × 2, got 4 × 2/, () => grid2d(6, { sizes: [4, 2] })],
  ['MODEL006', /expected 2 integers .* got 1\.5 × 4/, () => grid2d(6, { sizes: [1.5, 4] })],
  ['MODEL006', /got -3 × -2/, () => grid2d(6, { sizes: [-3, -2] })],
  ['MODEL006', /got NaN × 2/, () => grid2d(6, { sizes: [Number.NaN, 2] })],
  ['MODEL006', /expected 3 integers .* got 2 × 3/, () => grid3d(6, { sizes: [2, 3] })],
  ['MODEL006', /sizes of a grid: .* got 6/, () => grid2d(6, { sizes: 6 as never })],
  ['MODEL006', /ranks of a grid: expected an integer >= 1, got 2\.5/, () => grid3d(2.5)],
  ['MODEL012', /periodic of a grid: expected true or false, got 1/, () => grid2d(6, { periodic: 1 as never })],
  ['MODEL018', /grid2d has no option "size"\. Did you mean "sizes"/, () => grid2d(6, { size: [2, 3] } as never)],
  [
    'MODEL020',
    /throws rank of a grid: expected an integer, got nothing/,
    build((m) => {
      const { east } = grid2d(m.size) as any;
      m.send({ to: () => east(), bytes: 8 });
    }),
  ],
  [
    'MODEL020',
    /throws coordinates of a grid: expected integers, got \(NaN, 0\)/,
    build((m) => {
      const g = grid2d(m.size);
      m.send({ to: () => g.at(Number.NaN, 0), bytes: 8 });
    }),
  ],
  [
    'MODEL020',
    /throws rank and steps of a grid: expected integers, got \(0, 0\.5, 0, 0\)/,
    build((m) => {
      const g = grid3d(m.size);
      m.send({ to: () => g.neighbour(0, 0.5, 0, 0), bytes: 8 });
    }),
  ],
  [
    'MODEL010',
    /adds a collective to the model/,
    build((m) =>
      m.when(
        () => {
          m.barrier();
          return true;
        },
        () => {},
      ),
    ),
  ],
  ['MODEL011', /returns a promise/, () => simulateModel(2, (async (m: TestBuilder) => m.barrier()) as never)],
  ['MODEL011', /block of the model returns a promise/, build((m) => m.loop(2, async () => {}))],
  [
    'MODEL012',
    /expected a function of the state.*got false/,
    build((m) => m.when(((s: number) => s) === (0 as never), () => {})),
  ],
  ['MODEL012', /expected a block/, build((m) => m.loop(3))],
  [
    'MODEL012',
    /mode "ready!" of a send\. Did you mean "ready"/,
    build((m) => m.send({ to: 0, bytes: 1, mode: 'ready!' })),
  ],
  ['MODEL013', /built once for all ranks/, build((m) => (m.rank === 0 ? m.barrier() : undefined))],
  ['MODEL014', /bytes is missing/, build((m) => m.send({ to: 0 }))],
  ['MODEL014', /requires from, which is missing/, build((m) => m.recv({}))],
  ['MODEL014', /flops or seconds, got both/, build((m) => m.compute({ flops: 1, seconds: 1 }))],
  ['MODEL014', /seconds, got none/, build((m) => m.compute({}))],
  ['MODEL015', /returned by isend or irecv, got 3/, build((m) => m.wait(3))],
  ['MODEL015', /sendInit or recvInit/, build((m) => m.start(m.isend({ to: 0, bytes: 1 })))],
  ['MODEL016', /"j" is not a variable of test\./, build((m) => m.loop('j', 3, () => {}))],
  [
    'MODEL016',
    /"whom" is not a variable of test\. Did you mean "who"/,
    build((m) => m.recv({ from: ANY, into: { source: 'whom' } })),
  ],
  ['MODEL017', /communicator of this model/, build((m) => m.barrier({ comm: {} }))],
  ['MODEL018', /send has no option "byte"\. Did you mean "bytes"/, build((m) => m.send({ to: 0, byte: 1 }))],
  [
    'MODEL019',
    /Use m\.loop/,
    build((m) => {
      for (let i = 0; i < 20_000; i++) m.barrier();
    }),
  ],
  ['MODEL020', /bytes of a send: expected an integer >= 0, got -1/, build((m) => m.send({ to: 0, bytes: -1 }))],
  [
    'MODEL020',
    /flops of a compute: expected a finite number .* got NaN/,
    build((m) => m.compute({ flops: Number.NaN })),
  ],
  ['MODEL020', /expected an integer >= 0 \(use Math\.round .* got 0\.5/, build((m) => m.loop('i', 0.5, () => {}))],
  [
    'MODEL020',
    /to of a send: expected a rank from 0 to 1 \(or null for none\), got 2, at rank 1/,
    build((m) => m.send({ to: (s: any) => s.rank + 1, bytes: 8 })),
  ],
  [
    'MODEL020',
    /call of a bcast: bytes: .* got -8/,
    build((m) => m.loop('i', 3, () => m.bcast({ bytes: (s: any) => (s.i === 2 ? -8 : 8) }))),
  ],
  [
    'MODEL020',
    /k of a let: expected an integer from 0 to 20, got 21, at rank 0, .*k = 20/,
    build((m) =>
      m.while(
        () => true,
        () => m.let('k', (s: any) => s.k + 1),
      ),
    ),
  ],
  ['MODEL020', /probability of a chance: expected .* got 2/, build((m) => m.chance(2, () => {}))],
  ['MODEL020', /throws .*undefined/, build((m) => m.compute({ flops: (s: any) => [{ x: 1 }][s.rank - 9]!.x }))],
  ['MODEL020', /30 iterations, but "k" counts to 20/, build((m) => m.loop('k', 30, () => {}))],
  [
    'MODEL021',
    /not posted, or already waited for/,
    build((m) => {
      const r = m.irecv({ from: 0 });
      m.wait(r);
      m.wait(r);
    }),
  ],
  [
    'MODEL021',
    /posted on some of the paths/,
    build((m) => {
      let r: unknown;
      m.when(
        (s: any) => s.rank === 0,
        () => {
          r = m.irecv({ from: 1 });
        },
      );
      m.wait(r);
    }),
  ],
  [
    'MODEL022',
    /in the previous iteration/,
    build((m) =>
      m.loop(3, () => {
        m.irecv({ from: 0 });
      }),
    ),
  ],
  ['MODEL023', /nothing waits for this request/, build((m) => m.irecv({ from: 0 }))],
  [
    'MODEL024',
    /has no bound/,
    build((m) => {
      m.let('i', (s: any) => s.i + 1);
      m.send({ to: 0, bytes: 1, carry: { i: (s: any) => s.i } });
    }),
  ],
  [
    'MODEL027',
    /root of a bcast is 0 on rank 0 and 1 on rank 1/,
    build((m) => m.bcast({ bytes: 8, root: (s: any) => s.rank })),
  ],
  [
    'MODEL029',
    /build throws ReferenceError: gird2d is not defined/,
    build(() => (globalThis as any).eval('gird2d(4)')),
  ],
  [
    'MODEL029',
    /m\.ssend is not a function\. Did you mean m\.send with mode: 'synchronous'\?/,
    build((m) => (m as any).ssend({ to: 0, bytes: 1 })),
  ],
  ['MODEL029', /m\.Irsend is not a function\. .*m\.isend with mode: 'ready'/, build((m) => (m as any).Irsend({}))],
  ['MODEL029', /m\.barier is not a function\. Did you mean "barrier"\?/, build((m) => (m as any).barier())],
  ['MODEL029', /other\.ssend is not a function$/, build(() => ({ other: {} as any }).other.ssend())],
  [
    'MODEL005',
    /model "both" has no parameter "items"\. Did you mean "prod\.items" or "cons\.items"\? Known: prod\.items, prod\.n, cons\.items\./,
    () => {
      const part = (name: string, params: Record<string, number>) => ({
        model: spmd({ name, params, build: (m) => m.sleep(1) }),
        ranks: 1,
      });
      mpmd({ name: 'both', parts: [part('prod', { items: 1, n: 2 }), part('cons', { items: 1 })] }).with({
        items: 3,
      } as any);
    },
  ],
  [
    'MODEL005',
    /model "x" has no parameter "trns"\. Did you mean "turns"/,
    () =>
      predict(spmd({ name: 'x', params: { turns: 1 }, build: (m) => m.loop((m.p as any).trns, () => {}) }), {
        machine,
        ranks: 1,
      }),
  ],
  [
    'NET056',
    /no parameter "trns"\. Did you mean "turns"/,
    () =>
      predict(spmd({ name: 'x', params: { turns: 1 }, build: (m) => m.compute({ flops: (s) => (s.p as any).trns }) }), {
        machine,
        ranks: 1,
      }),
  ],
  ['MODEL028', /unknown part "tset"\. Did you mean "test"/, build((m) => m.part('tset'))],
  ['MODEL026', /no message of the model carries "k"/, build((m) => m.recv({ from: 0, into: { carry: ['k'] } }))],
  [
    'NET052',
    /first .* then/,
    build((m) => {
      let t = 0;
      m.send({ to: 0, bytes: 1, tag: () => t++ });
    }),
  ],
  ['NET051', /Math\.random/, build((m) => m.compute({ flops: () => Math.random() }))],
  [
    'MODEL033',
    /rank 1 calls allreduce with 1 B, but rank 0 with 0 B/,
    build((m) => m.allreduce({ bytes: (s: any) => s.rank })),
  ],
  [
    'NET050',
    /reads "rnak", which is not among its inputs\. Did you mean "rank"/,
    build((m) => m.send({ to: (s: any) => s.rnak, bytes: 1 })),
  ],
];

test.each(CASES)('%s is reported with the text %s', (code, says, run) => {
  const problem = problemOf(run);
  expect(problem.code).toBe(code);
  expect(problem.message).toMatch(says);
});

test('every code of models has a case', () => {
  const elsewhere = ['MODEL025', 'MODEL030', 'MODEL031', 'MODEL032', 'MODEL034', 'MODEL035', 'MODEL043', 'MODEL060'];
  const missing = codesOf('model')
    .map((c) => c.code)
    .filter((c) => !CASES.some(([code]) => code === c) && !elsewhere.includes(c));
  expect(missing).toEqual([]);
});

test.each<[string, () => unknown]>([
  ['MODEL002', () => range(3, 1)],
  ['MODEL002', () => counter(0.5)],
  ['MODEL002', () => oneOf('a', 'a' as never)],
  ['MODEL003', () => noise.lognormal(Number.NaN)],
  ['MODEL003', () => noise.normal(0.5)],
  ['MODEL003', () => noise.uniform(2)],
  ['MODEL005', () => spmd({ name: 'x', build: (m) => (m as any).p.m }).record(1)],
  ['MODEL006', () => grid2d(6, { sizes: [4, 2] })],
  ['MODEL006', () => grid3d(0)],
])('%s names a line of the model: %s', (code, run) => {
  const problem = problemOf(run);
  expect([problem.code, problem.place?.file]).toEqual([code, here]);
  expect(problem.place?.line).toBeGreaterThan(100);
});

test('a problem names the line of the model', () => {
  const problem = problemOf(build((m) => m.send({ to: 7, bytes: 1 })));
  expect(problem.place?.file).toBe(here);
  expect(problem.place?.line).toBeGreaterThan(100);
});

test.each([
  [
    'a counter without a bound',
    counter(),
    'to of a send in wild has no table, and 5000 ranks have too many pairs: the bound of "k" is not known; give the counter a bound, as in counter(63)',
  ],
  [
    'more values than a table has',
    range(0, 2 ** 20),
    'to of a send in wild has no table, and 5000 ranks have too many pairs: the variables that it reads have more than 1048576 values together, the largest table of a peer; use fewer ranks, or variables with fewer values',
  ],
])('too many ranks for all pairs, if a peer depends on %s', (_, k, message) => {
  const model = spmd({
    name: 'wild',
    vars: { k },
    build(m) {
      m.let('k', (s) => s.k + 1);
      m.send({ to: (s) => s.k % s.size, bytes: 1 });
      m.recv({ from: ANY });
    },
  });
  const many = cluster({
    nodes: 5000,
    coresPerNode: 1,
    speed: 1e9,
    link: { latency: 0, bandwidth: 1e9 },
    eagerBelow: 1e6,
  });
  const problem = problemOf(() => predict(model, { machine: many, ranks: 5000 }));
  expect([problem.code, problem.message]).toEqual(['MODEL025', message]);
  expect(problem.place?.file).toBe(here);
  expect(predict(model, { machine: many, ranks: 3 }).deadlock.length).toBe(2);
});

test('a tag that depends on a counter without a bound', () => {
  const run = () =>
    simulateModel(2, (m) => {
      m.let('i', (s) => s.i + 5_000_017);
      m.send({ to: (s) => 1 - s.rank, bytes: 1, tag: (s) => s.i });
    });
  expect(problemOf(run)).toMatchObject({
    code: 'MODEL020',
    message: expect.stringMatching(/tag of a send: 5000017 was unknown/),
  });
});

test('bytes on a machine without memory are a warning', () => {
  const [warning] = simulateModel(1, (m) => m.compute({ bytes: 1e9 })).warnings;
  expect(warning).toMatchObject({ code: 'MODEL030' });
  expect(warning!.place!.file).toBe(here);
  expect(warning!.message).toMatch(/does not describe the memory: the bytes of computations take no time$/);
});

test('bytes on a machine of which some nodes have no memory are a warning that names them', () => {
  const common = {
    coresPerNode: 2,
    speed: '1Gf',
    link: { latency: '1us', bandwidth: '1GB/s' },
    eagerBelow: 0,
  } as const;
  const machine = cluster({
    ...common,
    groups: [
      { name: 'fast', nodes: 1 },
      { name: 'slow', nodes: 1, memory: '2GB/s' },
    ],
  });
  const model = spmd({ name: 'm', build: (m) => m.compute({ bytes: 1e9 }) });
  const { warnings, figures } = predict(model, { machine, ranks: 4 });
  expect(warnings.map(({ message }) => message).join()).toMatch(
    /does not describe the memory of the nodes like "fast0": .* take no time on any node/,
  );
  expect(figures.runTime.value).toBe(0);
  // On nodes that have it, it counts.
  expect(
    predict(model, { machine: cluster({ ...common, nodes: 2, memory: '2GB/s' }), ranks: 4 }).figures.runTime.value,
  ).toBe(1);
});

describe('programs that wait forever', () => {
  test('a receive without a send, with its line and its peer', () => {
    const run = simulateModel(2, (m) =>
      m.when(
        (s) => s.rank === 1,
        () => m.recv({ from: 0 }),
      ),
    );
    expect(run.deadlock).toMatchObject([{ rank: 1, operation: 'recv', file: relativeHere, waitsFor: [0] }]);
    expect(run.ranks[0]!.endTime).toBe(0);
    expect(run.ranks[1]!.endTime).toBe(null);
  });

  test('a large send without a receive', () => {
    const run = simulateModel(2, (m) =>
      m.when(
        (s) => s.rank === 1,
        () => m.send({ to: 0, bytes: 1e6 }),
      ),
    );
    expect(run.deadlock).toMatchObject([{ rank: 1, operation: 'send', waitsFor: [0] }]);
  });

  test('a small send without a receive leaves a message', () => {
    const run = simulateModel(2, (m) =>
      m.when(
        (s) => s.rank === 1,
        () => m.send({ to: 0, bytes: 1 }),
      ),
    );
    expect(run.deadlock).toEqual([]);
    expect(run.warnings).toMatchObject([{ code: 'MODEL031' }]);
  });

  test('different collectives are reported with both lines', () => {
    const run = simulateModel(2, (m) =>
      m.when(
        (s) => s.rank === 0,
        () => m.reduce({ bytes: 1e6, root: 1 }),
        () => m.barrier(),
      ),
    );
    expect(run.deadlock.map((d) => d.operation)).toEqual(['reduce', 'barrier']);
    expect(run.deadlock[0]!.line).toBe(run.deadlock[1]!.line - 1);
  });

  test('head-to-head sends', () => {
    const run = simulateModel(2, (m) => {
      m.send({ to: (s) => 1 - s.rank, bytes: 1e6 });
      m.recv({ from: (s) => 1 - s.rank });
    });
    expect(run.deadlock.map((d) => d.waitsFor)).toEqual([[1], [0]]);
  });
});

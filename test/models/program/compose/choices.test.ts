import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InputError } from '../../../../src/base/problem.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { whatif } from '../../../../src/commands/whatif/whatif.ts';
import { NetBuilder } from '../../../../src/index.ts';
import { choicesIn } from '../../../../src/models/parameters.ts';
import { cluster, compose, sequence, spmd, threads } from '../../../../src/models.ts';

import { effort } from '../../../effort.ts';

const machine = cluster({
  nodes: 1,
  coresPerNode: 4,
  speed: '1Gf',
  link: { latency: '10us', bandwidth: '1GB/s' },
  eagerBelow: 4096,
});

function told(run: () => unknown): string[] {
  try {
    run();
  } catch (e) {
    return (e as InputError).problems.map(({ code, message }) => `${code}: ${message}`);
  }
  return [];
}

const program = (name: string, seconds: number) => spmd({ name, build: (m) => m.compute({ seconds }) });
const strand = (name: string, seconds: number) => threads({ name, build: (t) => t.compute({ seconds }) });
function station(name: string, seconds: number) {
  const n = new NetBuilder(name);
  const start = n.place('start', {}, { initial: 1 });
  n.transition('work', (t) => {
    t.take(start);
    t.delay(seconds);
  });
  return n.build();
}

const together = (modules: readonly never[]) => compose(modules as never[]) as object;

/** A module of random depth; leaves are choices among models `m0`, `m1`, …. */
type Tree = { readonly models: number } | { readonly inside: readonly Tree[]; readonly follow: boolean };
const tree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.record({ models: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ inside: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }), follow: fc.boolean() }),
  ),
})).tree;

/** The names among which each parameter chooses, written down from the tree. */
function expected(of: Tree, path: string): [string, string[]][] {
  if ('models' in of) return of.models === 1 ? [] : [[path, Array.from({ length: of.models }, (_, k) => `m${k}`)]];
  return of.inside.flatMap((one, k) => expected(one, `${path}.p${k}`));
}

test('parameters take exactly the names of their models, at any depth, of compositions and sequences', () => {
  const kinds = [
    (of: Tree): object => {
      const make = (one: Tree, name: string): never =>
        ('models' in one
          ? { as: name, choose: Array.from({ length: one.models }, (_, k) => strand(`m${k}`, k)) }
          : {
              as: name,
              model: (one.follow ? sequence : together)(one.inside.map((x, k) => make(x, `p${k}`))),
            }) as never;
      return compose([make(of, 'top')]) as object;
    },
    (of: Tree): object => {
      // Programs follow each other: compositions of a sequence would have ranks of their own.
      const make = (one: Tree, name: string): never =>
        ('models' in one
          ? { as: name, choose: Array.from({ length: one.models }, (_, k) => program(`m${k}`, k)) }
          : { as: name, model: sequence(one.inside.map((x, k) => make(x, `p${k}`))) }) as never;
      return compose([make(of, 'top')]) as object;
    },
  ];
  fc.assert(
    fc.property(tree, fc.constantFrom(...kinds), (of, kind) => {
      const model = kind(of) as ReturnType<typeof program>;
      const found = Object.keys(model.params).flatMap((param) => {
        const names = choicesIn(model, param);
        return names === undefined ? [] : [[param, names]];
      });
      expect(found).toEqual(expected(of, 'top'));
      for (const [param, names] of expected(of, 'top')) {
        for (const name of names)
          expect(model.with({ [param]: name } as never).params).toMatchObject({ [param]: name });
        for (const wrong of ['m', 'm01', 5])
          expect(told(() => model.with({ [param]: wrong } as never))[0]).toMatch(
            `MODEL005: module "${param}": expected one of ${names.map((one) => `"${one}"`).join(', ')}, got`,
          );
      }
    }),
    { numRuns: effort(2000) },
  );
});

describe('a study refuses names that a module cannot be before anything runs, with the axis and the nearest name', () => {
  let built = 0;
  const counting = spmd({
    name: 'fast',
    build(m) {
      built++;
      m.compute({ seconds: 1 });
    },
  });
  const models = {
    programs: compose([{ as: 'end', choose: [counting, program('slow', 2)], ranks: 1 }, program('other', 1)]),
    nested: compose([
      { model: compose([{ as: 'end', choose: [counting, program('slow', 2)], ranks: 1 }]), as: 'in' },
      program('other', 1),
    ]),
    threads: compose([{ as: 'end', choose: [strand('fast', 1), strand('slow', 2)] }, strand('other', 1)]),
    nets: compose([{ as: 'end', choose: [station('fast', 1), station('slow', 2)] }, station('other', 1)]),
  };
  test.each([
    ['programs', 'end', { machine }],
    ['nested', 'in.end', { machine, ranks: 2 }],
    ['threads', 'end', { machine, workers: 2 }],
    ['nets', 'end', {}],
  ] as const)('of %s', async (kind, module, options) => {
    const study = (names: (string | number)[]) =>
      whatif(models[kind] as never, { ...options, vary: { [`model.${module}`]: names } } as never);
    const before = built;
    const error = (await study(['slow', 'fist', 'fast', 7]).catch((e: unknown) => e)) as InputError;
    expect(error.message.split('\n')).toEqual([
      `WHAT009 axis model.${module}: module "${module}": expected one of "fast", "slow", got "fist". Did you mean "fast"? Known: fast, slow.`,
      `WHAT009 axis model.${module}: module "${module}": expected one of "fast", "slow", got 7. Known: fast, slow.`,
    ]);
    expect(built).toBe(before);
  });
});

test('a sequence runs on the ranks that its modules allow with their own parameters', () => {
  const grid = spmd({
    name: 'grid',
    params: { px: 2, py: 2 },
    ranks: (n, p) => n === p.px * p.py,
    build: (m) => m.compute({ seconds: 1 }),
  });
  const size = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(size, size, (px, py) => {
      const model = sequence([program('init', 1), grid]).with({ 'grid.px': px, 'grid.py': py });
      for (let ranks = 1; ranks <= 16; ranks++) expect(model.allows(ranks)).toBe(ranks === px * py);
    }),
    { numRuns: effort(200) },
  );
});

test('a module of a sequence is one of several models', () => {
  const model = sequence([program('init', 1), { as: 'solve', choose: [program('fast', 2), program('slow', 4)] }]);
  const timeOf = (one: typeof model) => predict(one, { machine, ranks: 1 }).figures.runTime!.value;
  expect([timeOf(model), timeOf(model.with({ solve: 'slow' }))]).toEqual([3, 5]);
});

describe('what a composition or a sequence cannot have is reported', () => {
  const a = program('a', 1);
  const any = (x: unknown): never => x as never;
  const verified = (verifyWith: unknown) => () => compose([a], any({ verifyWith }));
  const one = 'expected modules without, as all modules run on one machine. Give it to `predict`';
  test.each<[() => unknown, string | RegExp]>([
    [
      () => sequence([any({ model: a, nmae: 'b' })]),
      'MODEL001: module "a" has no option "nmae". Known: model, choose, as.',
    ],
    [
      () => sequence([any({ model: a, ranks: 2 })]),
      'MODEL001: module "a" is in a sequence: it has no ranks, expected { model, as }',
    ],
    [
      () => sequence([any({ model: a, machine })]),
      /^MODEL001: module "a" has its own machine, by the option "machine"/,
    ],
    [() => sequence([{ model: a, as: 'b.c' }]), /^MODEL001: name of a module: expected a name without dots, got "b.c"/],
    [() => sequence([a], any(null)), 'MODEL001: sequence: expected options, got null'],
    [() => sequence([a], any({ name: 5 })), 'MODEL001: name: expected a non-empty string, got 5'],
    [() => sequence([any(station('s', 1))]), /^MODEL001: sequence: expected programs or thread models, got nets/],
    [() => sequence([{ as: 'x', choose: [a, a] }]), 'MODEL041: module "x": two models are called "a"'],
    [
      () => compose([any(machine)]),
      `MODEL001: module "cluster" is a machine: ${one} or \`map\`, and place modules on its hosts by a hostfile`,
    ],
    [() => compose([any({ model: machine, as: 'm' })]), /^MODEL001: module "m" is a machine/],
    [() => compose([any(strand('t', 1)), any(machine)]), `MODEL001: module "cluster" is a machine: ${one}`],
    [() => compose([any(strand('t', 1)), any(a)]), /expected modules of one kind. `m.threads\(\{ workers \}/],
    [() => compose([any({ as: 'x', choose: [] })]), 'MODEL001: choose: expected a list of models, got an empty list'],
    [() => compose([a], any({ expose: null })), /^MODEL001: expose: expected new names .* got null$/],
    [() => compose([a], any({ expose: ['a.x'] })), /^MODEL001: expose: expected new names .* got a list$/],
    [
      () => compose([a], any({ synchronise: ['x'] })),
      'MODEL039: synchronise: no module has a label "x". No module has an interface.',
    ],
    [verified({ rank: 2 }), 'MODEL001: verifyWith: "rank" is not a parameter. Did you mean "ranks"? Known: ranks.'],
    [verified({ ranks: 'two' }), 'MODEL001: verifyWith: ranks: expected an integer >= 1, got "two"'],
    [verified([]), 'MODEL001: verifyWith: expected an object, got a list'],
    [
      () => compose([any(strand('t', 1))], any({ verifyWith: { wrkers: 2 } })),
      'MODEL001: verifyWith: "wrkers" is not a parameter. Did you mean "workers"? Known: workers.',
    ],
    [
      () => {
        const first = spmd({ name: 'b', params: { 'c.d': 1 }, build: (m) => m.compute({ seconds: 1 }) });
        const second = spmd({ name: 'b.c', params: { d: 5 }, build: (m) => m.compute({ seconds: m.p.d }) });
        return compose([{ as: 'f', choose: [any(first), any(second)], ranks: 1 }]);
      },
      'MODEL041: module "f": two of its models have the parameter "f.b.c.d": expected names of models without dots',
    ],
  ])('case %#', (run, message) => {
    const [first] = told(run);
    if (typeof message === 'string') expect(first).toBe(message);
    else expect(first).toMatch(message);
  });
});

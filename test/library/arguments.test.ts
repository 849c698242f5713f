import { describe, expect, it } from 'vitest';
import * as library from '../../src/index.ts';
import * as models from '../../src/models.ts';

/** Values of the wrong kind for every parameter of every function. */
const wrong: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  number: 5,
  NaN: Number.NaN,
  'empty string': '',
  string: 'x',
  object: {},
  list: [],
  function: () => 0,
  boolean: true,
  symbol: Symbol('s'),
  'other object': { nodes: 4 },
  map: new Map(),
  bigint: 10n,
};

/** They take problems, which the library makes. */
const OF_PROBLEMS: readonly string[] = ['InputError', 'formatProblem'];

const exported: readonly (readonly [string, unknown])[] = [...Object.entries(library), ...Object.entries(models)];
const functions = exported.filter(
  (one): one is readonly [string, (...args: unknown[]) => unknown] =>
    typeof one[1] === 'function' && !OF_PROBLEMS.includes(one[0]),
);

describe.each(functions)('wrong arguments of %s', (name, call) => {
  it.each(Object.entries(wrong))('with arguments %s ends in a result or a coded error', async (_, value) => {
    const isClass = /^[A-Z]/.test(name);
    try {
      if (isClass) new (call as unknown as new (...args: unknown[]) => unknown)(value, value);
      else await call(value, value, value);
    } catch (error) {
      expect(error).toBeInstanceOf(library.InputError);
    }
  });
});

it('a plain object with options of a machine names cluster', () => {
  const model = models.spmd({ name: 'm', build: (m) => m.compute({ flops: 1 }) });
  expect(() => library.predict(model, { machine: { nodes: 4 } as never })).toThrow(
    /APP061 machine: .*cluster\({ … }\)/,
  );
});

it('the path of a module names the remedy', () => {
  expect(() => library.predict('model.ts')).toThrow(/APP061 .*"model.ts" is a module.*import it/);
});

it('a machine that cluster did not make is checked', () => {
  const machine = library.cluster({
    nodes: 2,
    coresPerNode: 1,
    eagerBelow: '64KiB',
    speed: '1Gf',
    link: { latency: '1us', bandwidth: '1GB/s' },
  });
  const model = models.spmd({ name: 'm', build: (m) => m.compute({ flops: 1 }) });
  const broken = { ...machine, nodes: [{ ...machine.nodes[0]!, speed: -1 }] };
  expect(() => library.predict(model, { machine: broken })).toThrow(/UNIT|MACH/);
  expect(library.predict(model, { machine: { ...machine } }).ranks).toHaveLength(2);
});

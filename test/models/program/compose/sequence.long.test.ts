import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InputError } from '../../../../src/base/problem.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { verifyProgram } from '../../../../src/commands/verify/program/verify-program.ts';
import {
  cluster,
  compose,
  counter,
  oneOf,
  type ProgramModel,
  range,
  receives,
  sends,
  sequence,
  spmd,
} from '../../../../src/models.ts';
import { effort } from '../../../effort.ts';

const machine = cluster({
  nodes: 4,
  coresPerNode: 1,
  speed: '1Gf',
  link: { latency: '10us', bandwidth: '1GB/s' },
  eagerBelow: 4096,
});
type AnyModel = ProgramModel<never, never, never>;
const timeOf = (model: unknown, ranks: number): number =>
  predict(model as AnyModel, { machine, ranks }).figures.runTime!.value;

/** A module that turns a ring `turns` times, by non-blocking messages; its variable has the name of those of the others. */
const ring = (name: string, turns: number, bytes: number, flops: number) =>
  spmd({
    name,
    params: { turns, bytes, flops },
    vars: { k: counter(), mode: oneOf('even', 'odd') },
    build(m) {
      m.loop(
        'k',
        (s) => s.p.turns,
        () => {
          m.let('mode', (s) => (s.k % 2 === 0 ? 'even' : 'odd'));
          const r = m.irecv({ from: (s) => (s.rank + s.size - 1) % s.size, tag: (s) => s.k });
          const q = m.isend({ to: (s) => (s.rank + 1) % s.size, tag: (s) => s.k, bytes: (s) => s.p.bytes * (1 + s.k) });
          m.compute({ flops: (s) => s.p.flops * (s.mode === 'even' ? 1 : 2) * (1 + s.rank) });
          m.waitAll([r, q]);
        },
      );
      m.allreduce({ bytes: 8 });
    },
  });

test('a sequence takes as long as the modules written one after the other', () => {
  const turn = fc.record({
    turns: fc.integer({ min: 0, max: 3 }),
    bytes: fc.nat(10_000),
    flops: fc.double({ min: 1, max: 1e6, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(turn, { minLength: 2, maxLength: 3 }), fc.integer({ min: 1, max: 4 }), (turns, ranks) => {
      const parts = turns.map(({ turns: n, bytes, flops }, k) => ring(`r${k}`, n, bytes, flops));
      const whole = spmd({
        name: 'whole',
        vars: { k: counter(), mode: oneOf('even', 'odd') },
        build(m) {
          for (const { turns: n, bytes, flops } of turns) {
            m.loop('k', n, () => {
              const r = m.irecv({ from: (s) => (s.rank + s.size - 1) % s.size, tag: (s) => s.k });
              const q = m.isend({ to: (s) => (s.rank + 1) % s.size, tag: (s) => s.k, bytes: (s) => bytes * (1 + s.k) });
              m.compute({ flops: (s) => flops * (s.k % 2 === 0 ? 1 : 2) * (1 + s.rank) });
              m.waitAll([r, q]);
            });
            m.allreduce({ bytes: 8 });
          }
        },
      });
      expect(timeOf(sequence(parts), ranks)).toBeCloseTo(timeOf(whole, ranks), 12);
      const left = sequence([sequence(parts.slice(0, 1), { name: 'left' }), ...parts.slice(1)]);
      expect(timeOf(left, ranks)).toBe(timeOf(sequence(parts), ranks));
    }),
    { numRuns: effort(20) },
  );
});

test('modules of a sequence have their own parameters, variables and intervals', () => {
  const model = sequence([ring('first', 1, 8, 1e6), { model: ring('second', 2, 8, 1e6), as: 'last' }]);
  expect(model.params).toEqual({
    'first.turns': 1,
    'first.bytes': 8,
    'first.flops': 1e6,
    'last.turns': 2,
    'last.bytes': 8,
    'last.flops': 1e6,
  });
  const [program] = model.record(2);
  expect(Object.keys(program!.variables)).toEqual(['k', 'mode', 'last_k']);
  const { intervals } = predict(model, { machine, ranks: 2 });
  expect(intervals!.map(({ name }) => name)).toEqual(['first', 'last']);
  expect(timeOf(model.with({ 'last.turns': 0 }), 2)).toBeLessThan(timeOf(model, 2));
});

test('messages of a sequence carry variables to other modules, which start with their first values again', () => {
  const v = range(1, 3);
  const send = (value: number) =>
    spmd({
      name: `send${value}`,
      vars: { v },
      interface: { out: sends('v') },
      build(m) {
        m.compute({ seconds: (s) => s.v });
        m.let('v', value);
        m.send({ label: 'out', bytes: 8, carry: { v: (s) => s.v } });
      },
    });
  const wait = spmd({
    name: 'wait',
    vars: { v },
    interface: { out: receives('v') },
    build(m) {
      for (let k = 0; k < 2; k++) {
        m.recv({ label: 'out', into: { carry: ['v'] } });
        m.compute({ seconds: (s) => 10 * s.v });
      }
    },
  });
  const app = compose(
    [
      { model: sequence([send(2), send(3)], { name: 'sender' }), ranks: 1 },
      { model: wait, ranks: 1 },
    ],
    { synchronise: ['out'] },
  );
  const { ranks } = predict(app, { machine });
  expect(ranks.map(({ computing }) => computing)).toEqual([2, 50]);
  const verdicts = verifyProgram(app, { ranks: 2 }).instances.flatMap((one) => one.properties.map((p) => p.verdict));
  expect(new Set(verdicts)).toEqual(new Set([true]));
});

test.each([
  [
    'a composition',
    () =>
      sequence([
        compose([
          { model: ring('a', 1, 1, 1), ranks: 1 },
          { model: ring('b', 1, 1, 1), ranks: 1 },
        ]),
      ]).record(2),
    'has parts on separate ranks',
  ],
  [
    'one name twice',
    () => sequence([ring('a', 1, 1, 1), ring('a', 1, 1, 1)]),
    'two modules are called "a": give one another name, { model, as: "a2" }',
  ],
  ['a value', () => sequence([3 as never]), 'a module of a sequence: expected a model'],
])('refuses %s', (_, run, message) => {
  try {
    run();
    expect.unreachable();
  } catch (e) {
    expect((e as InputError).problems[0]!.message).toContain(message);
  }
});

import { expect, test } from 'vitest';
import { ANY, cluster, counter, flag, oneOf, range, rankVar, spmd } from '../../../src/models.ts';
import { simulateModel } from './run.ts';

/*
 * Code that must not compile: each line is rejected by the types (the type check fails otherwise). It is also rejected at run
 * time, because models may be run without type checks.
 */
const vars = { it: counter(), c: range(0, 3), who: rankVar(), order: oneOf('work', 'stop'), odd: flag() };
const refused = (build: Parameters<typeof spmd<{ n: number }, typeof vars>>[0]['build']): void => {
  expect(() => spmd({ name: 'bad', params: { n: 1 }, vars, build }).record(2)).toThrow(
    /MODEL\d+|NET\d+|is not a function/,
  );
};

test('what must not compile', () => {
  // @ts-expect-error the rank is unknown at build time
  refused((m) => (m.rank === 0 ? m.barrier() : undefined));
  // @ts-expect-error undeclared loop counter
  refused((m) => m.loop('j', 3, () => {}));
  // @ts-expect-error a loop counter must be numeric
  refused((m) => m.loop('order', 3, () => {}));
  // @ts-expect-error receive into an undeclared variable
  refused((m) => m.recv({ from: ANY, into: { source: 'whom' } }));
  // @ts-expect-error unknown option
  refused((m) => m.send({ to: 0, byte: 1 }));
  // @ts-expect-error bytes are missing
  refused((m) => m.send({ to: 0 }));
  // @ts-expect-error a comparison evaluated at build time
  refused((m) => m.when(m.size === 2, () => {}));
  // @ts-expect-error requests are what isend and irecv return
  refused((m) => m.waitAll([1]));
  // @ts-expect-error the status is available only after the wait
  refused((m) => m.wait(m.irecv({ from: 0, into: { source: 'who' } })));
  // @ts-expect-error unknown statement
  refused((m) => m.sned({ to: 0, bytes: 1 }));
});

test('errors found when the net is built', () => {
  const at = (build: Parameters<typeof spmd<{ n: number }, typeof vars>>[0]['build']) => (): unknown =>
    simulateModel(2, build as never);
  // @ts-expect-error undeclared variable
  expect(at((m) => m.send({ to: (s) => s.rnak, bytes: 1 }))).toThrow(/NET050/);
  // @ts-expect-error not a value of the enumeration
  expect(at((m) => m.let('order', 'wrok'))).toThrow(/MODEL020/);
  const truth = at((m) =>
    m.when(
      // @ts-expect-error expected a boolean
      (s) => s.rank,
      () => {},
    ),
  );
  expect(truth).toThrow(/MODEL020/);
  // @ts-expect-error expected a number
  expect(at((m) => m.compute({ flops: 'many' }))).toThrow(/MODEL020/);
  // @ts-expect-error parameters are read-only
  expect(at((m) => m.compute({ flops: (s) => (s.p.n = 3) }))).toThrow(/MODEL020|NET05/);
});

test('machines and parameters', () => {
  const model = spmd({ name: 'm', params: { n: 1 }, build: () => {} });
  // @ts-expect-error a parameter that the model does not have
  expect(() => model.with({ m: 1 })).toThrow(/MODEL005/);
  const link = { latency: '1us', bandwidth: '1GB/s' } as const;
  // @ts-expect-error bytes where a rate is expected
  expect(() => cluster({ nodes: 1, coresPerNode: 1, speed: 1e9, memory: '12GB', link, eagerBelow: 0 })).toThrow(/UNIT/);
});

import { expect, test } from 'vitest';
import { compose, phase, resource, spmd, type ThreadModel, threads } from '../../../../src/models.ts';

/*
 * Code that must not compile: each marked line is rejected by the types (the type check fails otherwise), and at run time,
 * because models may be run without type checks.
 */
const make = (name: string) => spmd({ name, interface: { step: phase(), gpu: resource(1) }, build: () => {} });
const [a, b] = [make('a'), make('b')];
const worker = (name: string) => threads({ name, interface: { lock: 'mutex' }, build: (t) => void t.mutex('lock') });

const refused = (run: () => unknown): void => expect(run).toThrow(/MODEL039/);

test('labels that a composition of programs does not have', () => {
  const modules = [
    { model: a, ranks: 1 },
    { model: b, ranks: 1 },
  ] as const;
  expect(compose(modules, { synchronise: ['step', ['a.gpu', 'b.gpu']] }).name).toBe('a+b');
  // @ts-expect-error no module has this label
  refused(() => compose(modules, { synchronise: ['stpe', 'gpu'] }));
  // @ts-expect-error no module has this label
  refused(() => compose(modules, { synchronise: ['step', ['a.gpu', 'b.cpu']] }));
  // @ts-expect-error no module has this label
  refused(() => compose(modules, { synchronise: ['step'], expose: { x: 'a.gpo', y: 'b.gpu' } }));
});

test('labels that a composition of thread models does not have', () => {
  const modules = [
    { model: worker('w'), as: 'one' },
    { model: worker('w'), as: 'two' },
  ] as const;
  expect(compose(modules, { synchronise: [['one.lock', 'two.lock']] }).name).toBe('one+two');
  // @ts-expect-error no module has this label
  refused(() => compose(modules, { synchronise: ['lck'] }));
  // @ts-expect-error no module has this name
  refused(() => compose(modules, { synchronise: [['one.lock', 'three.lock']] }));
});

test('labels of models whose types do not tell them', () => {
  const any: readonly ThreadModel[] = [worker('one'), worker('two')] as never;
  const labels: string[] = ['lock'];
  expect(compose(any, { synchronise: labels }).name).toBe('one+two');
});

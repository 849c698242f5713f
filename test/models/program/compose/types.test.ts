import { describe, expect, test } from 'vitest';
import {
  compose,
  counter,
  flag,
  oneOf,
  type ProgramModel,
  phase,
  range,
  receives,
  resource,
  sends,
  spmd,
  type ThreadModel,
  threads,
} from '../../../../src/models.ts';

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

describe('labels that do not fit', () => {
  const [kind, other] = [oneOf('frame', 'end'), oneOf('frame', 'last')];
  const source = spmd({ name: 'source', vars: { kind }, interface: { out: sends('kind') }, build: () => {} });
  const sink = spmd({
    name: 'sink',
    vars: { kind },
    interface: { in: receives('kind'), step: phase() },
    build: () => {},
  });
  const strange = spmd({
    name: 'strange',
    vars: { kind: other },
    interface: { in: receives('kind') },
    build: () => {},
  });
  const deaf = spmd({ name: 'deaf', interface: { in: receives() }, build: () => {} });
  const misfit = (run: () => unknown): void => expect(run).toThrow(/MODEL037/);

  test('messages of the same colours, of a module with or without a name, or of a choice', () => {
    const joined = [
      compose([source, { model: sink, ranks: 1 }], {
        synchronise: [['source.out', 'sink.in']],
        expose: { s: 'sink.step' },
      }),
      compose(
        [
          { model: source, as: 'a' },
          { model: sink, as: 'b', ranks: 1 },
        ],
        {
          synchronise: [['b.in', 'a.out']],
          expose: { s: 'b.step' },
        },
      ),
      compose([source, { choose: [sink, sink.with({})].slice(0, 1), as: 'b', ranks: 1 }], {
        synchronise: [['source.out', 'b.in']],
        expose: { s: 'b.step' },
      }),
    ];
    expect(joined.map((model) => Object.keys(model.interface))).toEqual([['s'], ['s'], ['s']]);
  });

  test('other values of a carried variable', () => {
    const modules = [source, { model: strange, ranks: 1 }] as const;
    // @ts-expect-error "end" is not "last"
    misfit(() => compose(modules, { synchronise: [['source.out', 'strange.in']] }));
  });

  test('another number of carried variables', () => {
    const modules = [source, { model: deaf, as: 'b', ranks: 1 }] as const;
    // @ts-expect-error the receiver expects no value
    misfit(() => compose(modules, { synchronise: [['source.out', 'b.in']] }));
  });

  test('a number and a boolean', () => {
    const a = spmd({ name: 'a', vars: { x: range(0, 1) }, interface: { out: sends('x') }, build: () => {} });
    const b = spmd({ name: 'b', vars: { x: flag() }, interface: { in: receives('x') }, build: () => {} });
    // @ts-expect-error a number is not a boolean
    misfit(() => compose([a, { model: b, ranks: 1 }], { synchronise: [['a.out', 'b.in']] }));
  });

  test('two senders, and labels of different kinds', () => {
    const modules = [source, { model: source, as: 'b', ranks: 1 }, { model: sink, as: 'c', ranks: 1 }] as const;
    // @ts-expect-error both send
    misfit(() => compose(modules, { synchronise: [['source.out', 'b.out'], 'in'] }));
    // @ts-expect-error a message and a phase
    misfit(() => compose(modules, { synchronise: [['source.out', 'c.step'], 'in'] }));
  });

  test('the third end of a resource', () => {
    const modules = [a, { model: b, as: 'two', ranks: 1 }, { model: b, as: 'three', ranks: 1 }] as const;
    expect(compose(modules, { synchronise: ['step', ['a.gpu', 'two.gpu', 'three.gpu']] }).name).toBe('a+two+three');
    // @ts-expect-error a resource and a phase
    misfit(() => compose(modules, { synchronise: ['gpu', ['a.step', 'two.step', 'three.gpu']] }));
  });

  test('kinds of shared objects', () => {
    const gate = threads({ name: 'gate', interface: { lock: 'semaphore' }, build: (t) => void t.semaphore('lock', 1) });
    const modules = [
      { model: worker('w'), as: 'w' },
      { model: gate, as: 'g' },
    ] as const;
    // @ts-expect-error a mutex and a semaphore
    misfit(() => compose(modules, { synchronise: [['w.lock', 'g.lock']] }));
  });

  test('are found by values where types do not tell them', () => {
    const modules = [source, { model: strange as ProgramModel, ranks: 1 }] as const;
    misfit(() => compose(modules, { synchronise: [['source.out', 'strange.in']] }));
    const counted = (max: number, name: string, label: 'out' | 'in') =>
      spmd({
        name,
        vars: { x: counter(max) },
        interface: label === 'out' ? { out: sends('x') } : { in: receives('x') },
        build: () => {},
      });
    const two = [counted(3, 'a', 'out'), { model: counted(4, 'b', 'in'), ranks: 1 }] as const;
    misfit(() => compose(two, { synchronise: [['a.out', 'b.in']] }));
  });
});

test('labels of models whose types do not tell them', () => {
  const any: readonly ThreadModel[] = [worker('one'), worker('two')] as never;
  const labels: string[] = ['lock'];
  expect(compose(any, { synchronise: labels }).name).toBe('one+two');
});

import { describe, expect, test } from 'vitest';
import { InputError } from '../../../../src/base/problem.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { verifyThreads } from '../../../../src/commands/verify/threads/verify-threads.ts';
import { compose, type ObjectKind, sequence, type ThreadModel, threads } from '../../../../src/models.ts';

const INTERFACE = { free: 'semaphore', full: 'semaphore', lock: 'mutex' } as const;

const producer = threads({
  name: 'producer',
  params: { items: 3, slots: 2 },
  interface: INTERFACE,
  verifyWith: { workers: 1, items: 2 },
  build(t) {
    const [free, full, lock] = [t.semaphore('free', t.p.slots), t.semaphore('full', 0), t.mutex('lock')];
    const log = t.mutex('log');
    t.loop('i', t.p.items, () => {
      t.acquire(free);
      t.critical(lock, () => t.compute({ seconds: 1 }));
      t.release(full);
      t.critical(log, () => t.compute({ seconds: 0.25 }));
    });
  },
});

const consumer = threads({
  name: 'consumer',
  params: { items: 3, slots: 2, seconds: 2 },
  interface: INTERFACE,
  build(t) {
    const [free, full, lock] = [t.semaphore('free', t.p.slots), t.semaphore('full', 0), t.mutex('lock')];
    const log = t.mutex('log');
    t.loop('i', t.p.items, () => {
      t.acquire(full);
      t.critical(lock, () => t.compute({ seconds: 0.5 }));
      t.critical(log, () => t.compute({ seconds: (s) => s.p.seconds + s.thread }));
      t.release(free);
    });
  },
});

const ALL = ['free', 'full', 'lock'] as const;
const both = compose([producer, consumer], { synchronise: ALL });

/** A module with objects of its interface, each of which it makes and does not use. */
const module = (name: string, labels: Readonly<Record<string, ObjectKind>>, permits = 1): ThreadModel =>
  threads({
    name,
    interface: labels,
    build(t) {
      for (const [label, kind] of Object.entries(labels))
        if (kind === 'semaphore') t.semaphore(label, permits);
        else if (kind === 'barrier') t.barriers(label, permits);
        else if (kind === 'mutex') t.mutex(label, permits);
        else t.event(label);
    },
  }) as unknown as ThreadModel;

function told(run: () => unknown): string[] {
  try {
    run();
  } catch (e) {
    if (e instanceof InputError) return e.problems.map((p) => `${p.code}: ${p.message}`);
    throw e;
  }
  throw new Error('nothing was thrown');
}

describe('a composition of thread models', () => {
  test('shares connected objects and scopes the others, as do parameters', () => {
    const { objects, names } = both.program(2);
    expect(objects.map((o) => [o.kind, o.name])).toEqual([
      ['semaphore', 'producer.free'],
      ['semaphore', 'producer.full'],
      ['mutex', 'producer.lock'],
      ['mutex', 'producer.log'],
      ['mutex', 'consumer.log'],
    ]);
    expect(names).toEqual(['main', 'producer', 'consumer']);
    expect(both.params).toEqual({
      'producer.items': 3,
      'producer.slots': 2,
      'consumer.items': 3,
      'consumer.slots': 2,
      'consumer.seconds': 2,
    });
    expect(both.verifyWith).toEqual({ workers: 2, 'producer.items': 2 });
  });

  test('runs modules side by side: the run time follows from the slower one', () => {
    // Items are ready at 1, 2.25 and more; each takes 2.5 s of the consumer, after the first second.
    const { figures } = predict(both, { workers: 2, scheduler: 'os' });
    expect(figures.runTime!.value).toBeGreaterThan(1 + 3 * 2.5);
    expect(figures.runTime!.value).toBeLessThan(1 + 3 * 2.5 + 1);
  });

  test('names the modules in the witness of a deadlock', () => {
    const [one] = verifyThreads(both, { set: { 'consumer.items': 3 } }).instances;
    const [violation] = one!.violations;
    const text = JSON.stringify(violation);
    expect(text).toContain('"strand":"task producer","operation":"acquire producer.free"');
    expect(text).toContain('"strand":"task consumer","operation":"lock consumer.log"');
  });

  test('offers objects to an outer composition', () => {
    const inner = compose([producer], {
      name: 'inner',
      expose: { space: 'producer.free', full: 'producer.full', lock: 'producer.lock' },
    });
    expect(inner.interface).toEqual({ space: 'semaphore', full: 'semaphore', lock: 'mutex' });
    const outer = compose([consumer, inner], { synchronise: [['consumer.free', 'inner.space'], 'full', 'lock'] });
    expect(outer.program(2).objects.map((o) => o.name)).toEqual([
      'consumer.free',
      'consumer.full',
      'consumer.lock',
      'consumer.log',
      'inner.producer.log',
    ]);
    expect(Object.keys(outer.params)).toContain('inner.producer.items');
  });

  test('runs loops of teams in modules with the workers of the model', () => {
    const team = threads({
      name: 'team',
      build: (t) => t.parallelFor({ n: 4, schedule: 'static', body: (b) => b.compute({ seconds: 1 }) }),
    });
    const { figures } = predict(compose([team, { model: team, as: 'other' }]), { workers: 4, scheduler: 'stealing' });
    expect(figures.runTime!.value).toBeCloseTo(2, 2);
  });

  test('takes one of several models by a parameter', () => {
    const slow = (name: string, seconds: number): ThreadModel<{ seconds: number }> =>
      threads({ name, params: { seconds }, build: (t) => t.compute({ seconds: (s) => s.p.seconds }) }) as never;
    const chosen = compose([{ as: 'filter', choose: [slow('blur', 1), slow('sharpen', 3)] }]);
    expect(chosen.params).toEqual({ filter: 'blur', 'filter.blur.seconds': 1, 'filter.sharpen.seconds': 3 });
    const time = (model: ThreadModel): number => predict(model).figures.runTime!.value!;
    expect(time(chosen)).toBeCloseTo(1, 2);
    expect(time(chosen.with({ filter: 'sharpen' }))).toBeCloseTo(3, 2);
    expect(told(() => chosen.with({ filter: 'sharp' }))).toEqual([
      'MODEL005: module "filter": expected one of "blur", "sharpen", got "sharp". Known: blur, sharpen.',
    ]);
  });
});

test('a sequence runs one module after the other, with the objects of one name', () => {
  const after = sequence([producer, consumer]);
  expect(after.program(2).objects.map((o) => o.name)).toEqual([
    'producer.free',
    'producer.full',
    'producer.lock',
    'producer.log',
    'consumer.log',
  ]);
  // Two slots: the third item of the producer waits for the consumer, which has not begun.
  expect(predict(after, { workers: 2 }).deadlock).toBeDefined();
  const two = after.with({ 'producer.items': 2, 'consumer.items': 2 });
  expect(predict(two, { workers: 2 }).figures.runTime!.value).toBeCloseTo(2 * 1.25 + 2 * 2.5, 2);
});

describe('what does not fit is reported with the modules', () => {
  const a = module('a', { x: 'semaphore' });
  const b = module('b', { x: 'semaphore' });

  test.each<[string, () => unknown, string[]]>([
    [
      'another kind',
      () => compose([a, module('b', { x: 'mutex' })], { synchronise: ['x'] }),
      ['MODEL037: "x": objects of different kinds: a.x, semaphore; b.x, mutex'],
    ],
    [
      'nobody meets',
      () => compose([a, module('b', { y: 'semaphore' }), module('c', { y: 'mutex' })]),
      [
        'MODEL038: nobody meets label a.x, semaphore. It fits ["a.x", "b.y"]. Connect it in synchronise, or offer it in expose',
        'MODEL038: nobody meets label b.y, semaphore. It fits ["b.y", "a.x"]. Connect it in synchronise, or offer it in expose',
        'MODEL038: nobody meets label c.y, mutex. No other module has a label that fits. Connect it in synchronise, or offer it in expose',
      ],
    ],
    [
      'only one module',
      () => compose([a, module('b', {})], { synchronise: ['x'] }),
      ['MODEL037: "x": expected two modules or more with this label, got one: a.x, semaphore'],
    ],
    [
      'an unknown label',
      () => compose([a, b], { synchronise: [['a.x', 'b.xx']], expose: { x: 'b.x' } }),
      ['MODEL039: no module has the label "b.xx". Did you mean "b.x"? Known: a.x, b.x.'],
    ],
    [
      'met twice',
      () => compose([a, b], { synchronise: ['x'], expose: { y: 'a.x', z: 'b.x' } }),
      [
        'MODEL040: label "b.x" is met twice: in "x" and in expose: { z }. Offer it once: modules of an outer composition join all its ends',
      ],
    ],
    [
      'two objects of one module',
      () => compose([module('a', { x: 'mutex', y: 'mutex' })], { synchronise: [['a.x', 'a.y']] }),
      ['MODEL037: ["a.x", "a.y"]: expected labels of different modules: a.x, mutex; a.y, mutex'],
    ],
    [
      'other permits',
      () => compose([a, module('b', { x: 'semaphore' }, 3)], { synchronise: ['x'] }).program(2),
      [
        'MODEL037: b.x is one semaphore (permits: 3), and a.x is one semaphore (permits: 1): modules that share objects must agree',
      ],
    ],
    [
      'another number of objects',
      () => compose([module('a', { x: 'mutex' }), module('b', { x: 'mutex' }, 3)], { synchronise: ['x'] }).program(2),
      [
        'MODEL037: b.x is 3 of kind mutex (barging), and a.x is one mutex (barging): modules that share objects must agree',
      ],
    ],
    [
      'equal names',
      () => compose([a, a], { synchronise: ['x'] }),
      ['MODEL001: two modules are called "a": give one another name, { model, as: "a2" }'],
    ],
    [
      'ranks',
      () => compose([{ model: a, ranks: 2 }] as never),
      ['MODEL001: module "a" is a thread model: it has no ranks, expected { model, as }'],
    ],
    [
      'a machine of one module, and of the composition',
      () => compose([{ model: a, machine: 'm.yaml' }] as never),
      [
        'MODEL001: module "a" has its own machine, by the option "machine": expected modules without, as all modules run on one machine. Give it to `predict`',
      ],
    ],
    [
      'a machine of the composition',
      () => compose([a, b], { synchronise: ['x'], machine: 'm.yaml' } as never),
      ['MODEL001: compose has no option "machine": expected modules only. Give the machine to `predict`'],
    ],
    [
      'workers of a module',
      () => compose([{ model: a, workers: 2 }] as never),
      ['MODEL001: module "a" has no option "workers". Known: model, choose, as.'],
    ],
    [
      'places',
      () => compose([a, b], { synchronise: ['x'], share: [['a.x', 'b.x']] } as never),
      ['MODEL001: compose has no option "share". Known: name, synchronise, expose, verifyWith.'],
    ],
    [
      'a choice of other objects',
      () => compose([{ as: 'one', choose: [a, module('b', { x: 'mutex' })] }], { expose: { x: 'one.x' } }),
      ['MODEL041: module "one": label "x" is semaphore in "a" and mutex in "b"'],
    ],
    [
      'kinds in a sequence',
      () => sequence([a, module('b', { x: 'mutex' })]),
      ['MODEL037: label "x" is a mutex in module "b" and a semaphore in module "a"'],
    ],
    [
      'an unknown kind',
      () => module('a', { x: 'semaphor' as never }),
      [
        'THR001: interface: "x": expected a kind of objects, got "semaphor". Did you mean "semaphore"? Known: mutex, rwlock, semaphore, event, autoEvent, condition, barrier, atomic, counter.',
      ],
    ],
    [
      'an object that build does not make',
      () => threads({ name: 'a', interface: { free: 'mutex' }, build: (t) => t.mutex('fre') && undefined }).program(1),
      ['THR003: interface: build makes no mutex "free". Did you mean "fre"? Known: fre.'],
    ],
    [
      'an object of another kind than the interface',
      () => threads({ name: 'a', interface: { free: 'mutex' }, build: (t) => void t.event('free') }).program(1),
      ['THR003: "free" is a mutex in the interface: expected the same, got the kind event'],
    ],
  ])('case %#: %s', (_, run, expected) => {
    expect(told(run)).toEqual(expected);
  });
});

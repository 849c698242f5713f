import { describe, expect, test } from 'vitest';
import { InputError, type Problem } from '../../../../src/base/problem.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import {
  cluster,
  compose,
  counter,
  flag,
  mpmd,
  oneOf,
  phase,
  range,
  receives,
  resource,
  sends,
  spmd,
  threads,
} from '../../../../src/models.ts';

const kind = oneOf('frame', 'end');
const source = spmd({
  name: 'source',
  vars: { kind },
  interface: { frames: sends('kind') },
  build: (m) => m.send({ label: 'frames', bytes: 8, carry: { kind: 'frame' } }),
});
const sink = spmd({
  name: 'sink',
  vars: { kind },
  interface: { frames: receives('kind') },
  build: (m) => m.recv({ label: 'frames', into: { carry: ['kind'] } }),
});
const machine = cluster({
  nodes: 4,
  coresPerNode: 1,
  speed: '1Gf',
  link: { latency: '1us', bandwidth: '1GB/s' },
  eagerBelow: 4096,
});
const both = [
  { model: source, ranks: 1 },
  { model: sink, ranks: 1 },
];

/** Computes, meets the others, and computes for 2 s on a shared unit. */
const worker = (name: string, before: number) =>
  spmd({
    name,
    interface: { start: phase(), gpu: resource(1) },
    build(m) {
      m.compute({ seconds: before });
      m.meet('start');
      m.hold('gpu', () => m.compute({ seconds: 2 }));
    },
  });

function timeOf(model: Parameters<typeof predict>[0], options: { ranks: number; seed?: string }): number {
  const { figures } = predict(model as typeof source, { machine, ...options });
  return figures.runTime!.value;
}

function problemsOf(run: () => unknown): readonly Problem[] {
  try {
    run();
  } catch (e) {
    if (e instanceof InputError) return e.problems;
    throw e;
  }
  throw new Error('nothing was thrown');
}
const told = (run: () => unknown): string[] => problemsOf(run).map((p) => `${p.code}: ${p.message}`);

describe('what does not fit is told with the names of the modules and the nearest alternative', () => {
  const plain = spmd({ name: 'plain', interface: { frames: receives() }, build: () => {} });
  const other = spmd({
    name: 'other',
    vars: { kind: oneOf('frame', 'stop') },
    interface: { frames: receives('kind') },
    build: () => {},
  });
  const step = (name: string) => spmd({ name, interface: { step: phase() }, build: (m) => m.meet('step') });
  const device = (name: string, units: number) =>
    spmd({ name, interface: { gpu: resource(units) }, build: (m) => m.hold('gpu', () => m.compute({ seconds: 1 })) });
  const one = (model: ReturnType<typeof step> | typeof plain | typeof other) => ({ model, ranks: 1 });

  test.each([
    [
      'an interface that nobody meets',
      () => compose(both),
      [
        'MODEL038: nobody meets label source.frames, sends(kind: one of "frame", "end"). It fits ["source.frames", "sink.frames"]. Connect it in synchronise, or offer it in expose',
        'MODEL038: nobody meets label sink.frames, receives(kind: one of "frame", "end"). It fits ["sink.frames", "source.frames"]. Connect it in synchronise, or offer it in expose',
      ],
    ],
    [
      'carried values that only one has',
      () => compose([both[0]!, one(plain)], { synchronise: ['frames'] }),
      [
        'MODEL037: "frames": the carried values differ: source.frames, sends(kind: one of "frame", "end"); plain.frames, receives()',
      ],
    ],
    [
      'other colours',
      () => compose([both[0]!, one(other)], { synchronise: ['frames'] }),
      [
        'MODEL037: "frames": the carried values differ: source.frames, sends(kind: one of "frame", "end"); other.frames, receives(kind: one of "frame", "stop")',
      ],
    ],
    [
      'two senders',
      () => compose([both[0]!, { model: source, ranks: 1, as: 'source2' }], { synchronise: ['frames'] }),
      [
        'MODEL037: "frames": expected a sender and a receiver: source.frames, sends(kind: one of "frame", "end"); source2.frames, sends(kind: one of "frame", "end")',
      ],
    ],
    [
      'a phase that meets a resource',
      // @ts-expect-error labels of different kinds
      () => compose([one(step('a')), { model: device('b', 1), ranks: 1 }], { synchronise: [['a.step', 'b.gpu']] }),
      ['MODEL037: ["a.step", "b.gpu"]: labels of different kinds: a.step, phase(); b.gpu, resource(1)'],
    ],
    [
      'other numbers of units',
      () =>
        compose(
          [
            { model: device('a', 1), ranks: 1 },
            { model: device('b', 2), ranks: 1 },
          ],
          { synchronise: ['gpu'] },
        ),
      ['MODEL037: "gpu": different numbers of units: a.gpu, resource(1); b.gpu, resource(2)'],
    ],
    [
      'a phase of one module',
      () => compose([one(step('a'))], { synchronise: ['step'] }),
      ['MODEL037: "step": expected two modules or more with this label, got one: a.step, phase()'],
    ],
    [
      'a label that is met twice',
      () => compose(both, { synchronise: ['frames', ['source.frames', 'sink.frames']] }),
      [
        'MODEL040: label "source.frames" is met twice: in "frames" and in ["source.frames", "sink.frames"]. Leave one of them out, or give module "source" another label',
        'MODEL040: label "sink.frames" is met twice: in "frames" and in ["source.frames", "sink.frames"]. Leave one of them out, or give module "sink" another label',
      ],
    ],
    [
      'a message that is connected and offered',
      () => compose(both, { synchronise: ['frames'], expose: { more: 'sink.frames' } }),
      [
        'MODEL040: label "sink.frames" is met twice: in "frames" and in expose: { more }. Leave one of them out, or give module "sink" another label',
      ],
    ],
    [
      'unknown labels',
      () => compose(both, { synchronise: ['frames', 'frmes', ['source.frames', 'sink.frame']] as never }).name,
      [
        'MODEL039: synchronise: no module has a label "frmes". Did you mean "frames"? Known: frames.',
        'MODEL039: no module has the label "sink.frame". Did you mean "sink.frames"? Known: source.frames, sink.frames.',
        'MODEL040: label "source.frames" is met twice: in "frames" and in ["source.frames", "sink.frame"]. Leave one of them out, or give module "source" another label',
      ],
    ],
    [
      'two modules of one name',
      () => compose([both[0]!, both[0]!], { synchronise: [] }),
      ['MODEL001: two modules are called "source": give one another name, { model, as: "source2" }'],
    ],
    [
      'modules without a number of ranks',
      () => compose([source, sink], { synchronise: ['frames'] }),
      [
        'MODEL001: modules "source" and "sink" have no number of ranks: expected ranks for all but one, as in { model, ranks: 1 }',
      ],
    ],
    [
      'a choice of models with other labels',
      () => compose([both[0]!, { as: 'end', choose: [sink, plain], ranks: 1 }], { synchronise: ['frames'] }),
      [
        'MODEL041: module "end": label "frames" is receives(kind: one of "frame", "end") in "sink" and receives() in "plain"',
      ],
    ],
    [
      'an option that does not exist',
      () => compose(both, { synchronize: [] } as never),
      [
        'MODEL001: compose has no option "synchronize". Did you mean "synchronise"? Known: name, synchronise, expose, ranks, verifyWith.',
      ],
    ],
    [
      'no module at all',
      () => compose([]),
      ['MODEL001: compose: expected at least one module, got an empty list, as in compose([a, b])'],
    ],
    [
      'a label that is met by itself',
      () => compose(both, { synchronise: [['source.frames', 'source.frames']] }),
      [
        'MODEL040: ["source.frames", "source.frames"]: label "source.frames" is listed twice in this connection: expected labels of different modules',
        'MODEL038: nobody meets label sink.frames, receives(kind: one of "frame", "end"). It fits ["sink.frames", "source.frames"]. Connect it in synchronise, or offer it in expose',
      ],
    ],
    [
      'a label whose only partner is taken',
      () =>
        compose([...both, { model: sink, ranks: 1, as: 'more' }], { synchronise: [['source.frames', 'sink.frames']] }),
      [
        'MODEL038: nobody meets label more.frames, receives(kind: one of "frame", "end"). It fits source.frames, which is met already, in ["source.frames", "sink.frames"]. Connect it in synchronise, or offer it in expose',
      ],
    ],
    [
      'a sender and two receivers, of which one has other values',
      () => compose([...both, one(other)], { synchronise: ['frames'] }),
      [
        'MODEL037: "frames": expected one sender and one receiver, got 3 labels: source.frames, sends(kind: one of "frame", "end"); sink.frames, receives(kind: one of "frame", "end"); other.frames, receives(kind: one of "frame", "stop"). These fit: ["sink.frames", "source.frames"]',
      ],
    ],
    [
      'a module with its own machine',
      () => compose([{ ...both[0]!, machine: 'm.yaml' } as never, both[1]!], { synchronise: ['frames'] }),
      [
        'MODEL001: module "source" has its own machine, by the option "machine": expected modules without, as all modules run on one machine. Give it to `predict` or `map`, and place modules on its hosts by a hostfile',
      ],
    ],
    [
      'a machine of the composition',
      () => compose(both, { synchronise: ['frames'], machine: 'm.yaml' } as never),
      ['MODEL001: compose has no option "machine": expected modules only. Give the machine to `predict` or `map`'],
    ],
    [
      'a choice of models of two kinds',
      () => compose([{ as: 'end', choose: [sink, threads({ name: 'team', build: () => {} })] } as never]),
      [
        'MODEL001: "sink" of module "end" is a program, and "team" of module "end" is a thread model: expected modules of one kind. `m.threads({ workers }, (t) => …)` in a program runs threads in its ranks',
      ],
    ],
    [
      'a value that is not a model',
      () => compose([{ model: {} as never, ranks: 1 }]),
      ['MODEL001: a module: expected a model of spmd, mpmd or compose, got an object'],
    ],
  ])('refuses %s', (_, run, expected) => {
    expect(told(run)).toEqual(expected);
  });

  test.each([
    [
      'a label of another module',
      "{ label: 'frmes' }",
      (m: never) => (m as { send(o: object): void }).send({ label: 'frmes', bytes: 1 }),
      /send: "frmes" is not a label of x, expected one of kind sends\. Did you mean "frames"\?/,
    ],
    [
      'a receive on a label of sends',
      '',
      (m: never) => (m as { recv(o: object): void }).recv({ label: 'frames' }),
      /recv: "frames" is a label of kind sends, expected one of kind receives/,
    ],
    [
      'carried values that are missing',
      '',
      (m: never) => (m as { send(o: object): void }).send({ label: 'frames', bytes: 1 }),
      /carries kind, but "kind" is missing/,
    ],
    [
      'other carried values',
      '',
      (m: never) => (m as { send(o: object): void }).send({ label: 'frames', bytes: 1, carry: { kind: 'end', k: 1 } }),
      /carries kind, but "k" is given/,
    ],
    [
      'a label and a communicator',
      '',
      (m: never) =>
        (m as { send(o: object): void; world: unknown }).send({
          label: 'frames',
          bytes: 1,
          carry: { kind: 'end' },
          comm: (m as { world: unknown }).world,
        }),
      /comm is given, too/,
    ],
  ])('refuses in build %s', (_, __, build, expected) => {
    const model = spmd({
      name: 'x',
      vars: { kind, k: counter(3) },
      interface: { frames: sends('kind') },
      build: build as never,
    });
    expect(told(() => model.record(1)).join()).toMatch(expected);
  });

  test('a send without `to` to a module of several ranks', () => {
    const app = compose(
      [
        { model: source, ranks: 2 },
        { model: sink, ranks: 3 },
      ],
      { synchronise: ['frames'] },
    );
    expect(told(() => app.record(5)).join()).toContain(
      'send of label "frames": to is missing in "source.frames": expected a rank of the 3 ranks of its partner, "sink.frames". It may be left out if the partner has one rank, or as many as this module (2)',
    );
  });
});

describe('the parts of a composition', () => {
  const app = compose(
    [
      { model: source, ranks: 2 },
      { model: sink, ranks: 2 },
    ],
    { synchronise: ['frames'] },
  );

  test('a sender without `to` has the receiver of its own number', () => {
    const { deadlock, ranks } = predict(app, { machine });
    expect(deadlock).toEqual([]);
    expect(ranks).toHaveLength(4);
  });

  test('an open label has a partner that is always ready, with every carried value', () => {
    const chooses = spmd({
      name: 'chooses',
      vars: { a: range(0, 2), b: flag(), from: range(0, 0) },
      interface: { entry: receives('a', 'b') },
      build(m) {
        m.recv({ label: 'entry', into: { carry: ['a', 'b'], source: 'from' } });
        m.compute({ seconds: (s) => 1 + s.a + (s.b ? 10 : 0) });
      },
    });
    const times = new Set(Array.from({ length: 30 }, (_, seed) => timeOf(chooses, { ranks: 1, seed: `${seed}` })));
    expect([...times].sort((x, y) => x - y)).toEqual([1, 2, 3, 11, 12, 13]);
  });

  test('modules wait for each other at a phase, and for a unit of a resource', () => {
    const pair = compose(
      [
        { model: worker('a', 1), ranks: 1 },
        { model: worker('b', 3), ranks: 1 },
      ],
      {
        synchronise: ['start', 'gpu'],
      },
    );
    const { figures, ranks } = predict(pair, { machine });
    expect(figures.runTime!.value).toBeCloseTo(7, 4);
    expect(ranks.map((r) => r.computing)).toEqual([3, 5]);
    expect(ranks[0]!.waiting! + ranks[1]!.waiting!).toBeCloseTo(4, 4);
  });

  test('modules of an outer composition join a phase and a resource of those inside', () => {
    const labels = ['start', 'gpu'] as const;
    const inner = compose(
      [
        { model: worker('a', 1), ranks: 1 },
        { model: worker('b', 3), ranks: 1 },
      ],
      { name: 'inner', synchronise: labels, expose: { start: 'a.start', gpu: 'b.gpu' } },
    );
    // Offered and not met, they join those inside.
    expect(timeOf(inner, { ranks: 2 })).toBeCloseTo(7, 4);
    const outer = compose([inner, { model: worker('c', 10), ranks: 1 }], { synchronise: labels });
    expect(timeOf(outer, { ranks: 3 })).toBeCloseTo(16, 4);
  });

  test('a deadlock names the module and who holds the resource', () => {
    const greedy = (name: string, first: 'x' | 'y', second: 'x' | 'y') =>
      spmd({
        name,
        interface: { x: resource(1), y: resource(1) },
        build: (m) =>
          m.hold(first, () => {
            m.compute({ seconds: 1 });
            m.hold(second, () => m.compute({ seconds: 1 }));
          }),
      });
    const pair = compose(
      [
        { model: greedy('a', 'x', 'y'), ranks: 1 },
        { model: greedy('b', 'y', 'x'), ranks: 1 },
      ],
      {
        synchronise: ['x', 'y'],
      },
    );
    expect(timeOf(greedy('a', 'x', 'y'), { ranks: 1 })).toBe(2);
    const { deadlock } = predict(pair, { machine });
    expect(deadlock.map(({ rank, operation, waitsFor }) => [rank, operation, waitsFor])).toEqual([
      [0, 'a.acquire', [1]],
      [1, 'b.acquire', [0]],
    ]);
  });

  test('coupled models can be parts of coupled models', () => {
    const ping = spmd({ name: 'ping', build: (m) => m.send({ to: m.part('pong').first, bytes: 8, comm: m.everyone }) });
    const pong = spmd({ name: 'pong', build: (m) => m.recv({ from: m.part('ping').first, comm: m.everyone }) });
    const inner = mpmd({
      name: 'inner',
      parts: [
        { model: ping, ranks: 1 },
        { model: pong, ranks: 1 },
      ],
    });
    const outer = mpmd({
      name: 'outer',
      parts: [
        { model: spmd({ name: 'first', build: (m) => m.barrier() }), ranks: 2 },
        { model: inner, ranks: 2 },
      ],
    });
    const { deadlock } = predict(outer, { machine });
    expect(deadlock).toEqual([]);
    expect(outer.record(4).map(({ name, first }) => [name, first])).toEqual([
      ['first', 0],
      ['inner.ping', 2],
      ['inner.pong', 3],
    ]);
  });

  test('the parameter of a choice takes the names of its models', () => {
    const chosen = compose([{ as: 'end', choose: [sink, { ...sink, name: 'sink2' } as never], ranks: 1 }, both[0]!], {
      synchronise: ['frames'],
    });
    expect(chosen.params).toEqual({ end: 'sink' });
    expect(told(() => chosen.with({ end: 'snik' }))).toEqual([
      'MODEL005: module "end": expected one of "sink", "sink2", got "snik". Did you mean "sink"? Known: sink, sink2.',
    ]);
    expect(chosen.with({ end: 'sink2' }).params).toEqual({ end: 'sink2' });
  });
});

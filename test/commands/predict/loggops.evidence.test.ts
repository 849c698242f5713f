import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { convertFile } from '../../../src/commands/convert/convert.ts';
import type { PredictOptions } from '../../../src/commands/predict/options.ts';
import { predict, predictFile } from '../../../src/commands/predict/predict.ts';
import { differences, rerunOf } from '../../../src/commands/predict/predict-rerun.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { ANY, counter, range, rankVar, spmd } from '../../../src/models.ts';
import type { LogGops } from '../../../src/trace/goal/schedule.ts';
import { effort } from '../../effort.ts';
import { type Call, parameters, programs, traceText } from './loggops-programs.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-loggops-'));
afterAll(() => rmSync(dir, { recursive: true }));

// biome-ignore lint/suspicious/noExplicitAny: builders of models with different variables
type Any = any;

const file = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const NODES = 'nodes: 8\ncoresPerNode: 1\nspeed: 1Gf\n';
const machineText = ({ L, o, g, G, O, S }: LogGops): string =>
  `${NODES}network: { kind: loggops, L: ${L}ns, o: ${o}ns, g: ${g}ns, G: ${G}ns, O: ${O}ns, S: ${S}B }\n`;
const linked = file('linked.yaml', `${NODES}link: { latency: 1us, bandwidth: 1GB/s }\neagerBelow: 64KiB\n`);
const own: LogGops = { L: 2500, o: 1500, g: 1000, G: 6, O: 1, S: 65_535 };
const machine = file('loggops.yaml', machineText(own));
const optionOf = (values: LogGops): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
const endsOf = ({ ranks, deadlock }: PredictionDocument): (number | null)[] => {
  expect(deadlock).toEqual([]);
  return ranks.map(({ endTime }) => (endTime === null ? null : Math.round(endTime * 1e9)));
};

/** The same programs as a model: each rank takes its own branch, with requests of its own. */
function modelOf(all: readonly (readonly Call[])[]) {
  return spmd({
    name: 'random',
    ranks: (n) => n === all.length,
    build(m) {
      for (const [rank, own] of all.entries())
        m.when(
          (s) => s.rank === rank,
          () => {
            const open = new Map<number, ReturnType<typeof m.isend>>();
            for (const call of own)
              switch (call.op) {
                case 'compute':
                  m.compute({ flops: call.ns });
                  break;
                case 'send':
                  m.send({ to: call.peer, tag: call.tag, bytes: call.size });
                  break;
                case 'isend':
                  open.set(call.index, m.isend({ to: call.peer, tag: call.tag, bytes: call.size }));
                  break;
                case 'recv':
                  m.recv({ from: call.peer, tag: call.tag });
                  break;
                case 'irecv':
                  open.set(call.index, m.irecv({ from: call.peer, tag: call.tag }));
                  break;
                case 'wait':
                  m.wait(open.get(call.index)!);
                  break;
                case 'bcast':
                  m.bcast({ bytes: call.size, root: call.root });
                  break;
                case 'allreduce':
                  m.allreduce({ bytes: call.size, flops: call.flops });
                  break;
              }
          },
        );
    },
  });
}

describe('LogGOPS', () => {
  test('gives ranks one end, by the option and by the machine, for a trace, its schedule and a model', async () => {
    await fc.assert(
      fc.asyncProperty(programs, parameters, async (all, values) => {
        const collectives = 'simgrid';
        const trace = file('app.ti', traceText(all));
        const goal = join(dir, 'app.goal');
        await convertFile(trace, goal, { machine: linked, collectives });
        const of = file('own.yaml', machineText(values));
        const model = modelOf(all);
        const loggops = optionOf(values);
        const expected = endsOf(predict(goal, { loggops }));
        const paths: [string, () => PredictionDocument][] = [
          ['schedule, machine', () => predict(goal, { machine: of })],
          ['trace, option', () => predict(trace, { machine: linked, loggops, collectives })],
          ['trace, machine', () => predict(trace, { machine: of, collectives })],
          ['model, option', () => predict(model, { machine: linked, loggops, collectives })],
          ['model, machine', () => predict(model, { machine: of, collectives })],
        ];
        for (const [name, run] of paths) expect(endsOf(run()), name).toEqual(expected);
        await convertFile(trace, goal, { machine: of, collectives });
        expect(endsOf(predict(goal)), 'comment of the schedule').toEqual(expected);
      }),
      { numRuns: effort(300) },
    );
  });

  const pingPong = spmd({
    name: 'ping-pong',
    ranks: (n) => n === 2,
    params: { bytes: 500 },
    vars: { i: counter() },
    build(m) {
      m.loop('i', 3, () =>
        m.when(
          (s) => s.rank === 0,
          () => {
            m.send({ to: 1, bytes: m.p.bytes });
            m.recv({ from: 1 });
          },
          () => {
            m.recv({ from: 0 });
            m.send({ to: 0, bytes: m.p.bytes });
          },
        ),
      );
    },
  });

  test('n rounds of a ping-pong of a model take 2 n (2 o + L + (s − 1) G), by its parameters', () => {
    for (const bytes of [1, 500]) {
      const { figures, options } = predict(pingPong.with({ bytes }), { machine });
      expect(Math.round(figures.runTime.value * 1e9)).toBe(6 * (2 * own.o + own.L + (bytes - 1) * own.G));
      expect(options).toMatchObject({ networkModel: 'loggops', loggops: optionOf(own), 'model.bytes': bytes });
    }
  });

  test('messages within the groups of a split, and a scattered vector, cross between their ranks only', () => {
    const model = spmd({
      name: 'groups',
      ranks: (n) => n === 4,
      build(m) {
        const half = m.split({ color: (s) => s.rank % 2 });
        m.bcast({ bytes: 1, comm: half });
        m.sendrecv({
          to: (s) => 1 - Math.floor(s.rank / 2),
          from: (s) => 1 - Math.floor(s.rank / 2),
          bytes: 1,
          comm: half,
        });
      },
    });
    // Roots 0 and 1 send to 2 and 3: 2 o + L. Both then send; a receiver takes o for a message after its own send.
    const found = endsOf(predict(model, { machine, collectives: 'bcast=binomial' }));
    expect(found[0]).toBe(found[1]);
    expect(found[2]).toBe(found[3]);
    const alone = spmd({
      name: 'pair',
      ranks: (n) => n === 2,
      build(m) {
        m.bcast({ bytes: 1 });
        m.sendrecv({ to: (s) => 1 - s.rank, from: (s) => 1 - s.rank, bytes: 1 });
      },
    });
    expect([found[0], found[2]]).toEqual(endsOf(predict(alone, { machine, collectives: 'bcast=binomial' })));
  });

  test('a non-blocking collective costs no time behind a computation that is longer', () => {
    const posted = (compute: number) =>
      spmd({
        name: 'overlap',
        ranks: (n) => n === 2,
        build(m) {
          const r = m.ibcast({ bytes: 1 });
          m.compute({ flops: compute });
          m.wait(r);
        },
      });
    const end = (compute: number): number => Math.max(...endsOf(predict(posted(compute), { machine })).map(Number));
    expect(end(0)).toBe(2 * own.o + own.L);
    // The root computes after its overhead; the other takes the message when its computation ends.
    expect(end(1e6)).toBe(1e6 + own.o);
  });

  test('notes name the parts of the machine that do not count, once', () => {
    const noted = (options: PredictOptions): string[] =>
      (predict(pingPong, options).notes ?? []).filter(({ code }) => code === 'GOAL009').map(({ message }) => message);
    expect(noted({ machine })).toEqual([]);
    expect(noted({ machine: linked, loggops: 'L=1' })).toEqual([
      'under LogGOPS these parts of the machine do not count: link, network crossbar, eagerBelow',
    ]);
    const more = cluster({
      nodes: 2,
      coresPerNode: 1,
      speed: '1Gf',
      memory: '1GB/s',
      intraNode: { latency: 0, bandwidth: '1GB/s' },
      detachedBelow: 10,
      gap: '1us',
      overhead: { send: '1us', receive: 0 },
      noise: 'exponential',
      network: { kind: 'loggops', L: 0, o: 0, g: 0, G: 0 },
    });
    expect(noted({ machine: more })).toEqual([
      'under LogGOPS these parts of the machine do not count: intraNode, detachedBelow, overhead, gap, noise, memory',
    ]);
  });

  test('whatif varies a parameter by its name and as one of the machine, of traces, schedules and models', async () => {
    const trace = file(
      'pair.ti',
      traceText([
        [{ op: 'send', peer: 1, tag: 0, size: 500, index: 0 }],
        [{ op: 'recv', peer: 0, tag: 0, size: 500, index: 0 }],
      ]),
    );
    const goal = join(dir, 'pair.goal');
    await convertFile(trace, goal, { machine });
    const times = async (input: never, vary: object, options: object = {}): Promise<number[]> => {
      const { scenarios } = await whatif(input, { machine, workers: 1, vary, ...options } as never);
      return scenarios.map(({ figures, problems }) => {
        expect(problems ?? []).toEqual([]);
        return Math.round(figures!['runTime']!.value * 1e9);
      });
    };
    const expected = [0, 800, 7500].map((L) => 2 * own.o + L + 499 * own.G);
    for (const input of [trace, goal])
      expect(await times(input as never, { 'loggops.L': [0, 800, 'x3'] })).toEqual(expected);
    expect(await times(trace as never, { 'machine.network.L': [0, '800ns', 'x3'] })).toEqual(expected);
    const rounds = expected.map((time) => 6 * time);
    expect(await times(pingPong as never, { 'loggops.L': [0, 800, 'x3'] })).toEqual(rounds);
    expect(await times(pingPong as never, { 'machine.network.L': [0, '800ns', 'x3'] })).toEqual(rounds);
    expect(await times(pingPong as never, { 'model.bytes': [1], 'loggops.L': [0] })).toEqual([6 * 2 * own.o]);
    const given = 6 * (2 * own.o + own.L + 499 * own.G);
    const ideal = { ideals: ['network'] };
    expect(await times(pingPong as never, {}, ideal)).toEqual([given, 0]);
    expect(await times(pingPong as never, {}, { ...ideal, loggops: 'L=0' })).toEqual([given - 6 * own.L, 0]);
  });

  test.each([
    [
      { vary: { 'loggops.L': [1], 'machine.network.L': [1] } },
      /WHAT005 axis loggops\.L: axis machine\.network\.L sets the same parameter/,
    ],
    [
      { vary: { 'machine.network.L': [1] }, loggops: 'L=3' },
      /WHAT005 axis machine\.network\.L: option loggops fixes it to 3/,
    ],
    [
      { vary: { 'machine.network.latency': [1] } },
      /MACH030 axis machine\.network\.latency: the machine has no parameter "network\.latency": its network is a loggops/,
    ],
  ])('a study of %j is refused', async (options, message) => {
    await expect(whatif(pingPong, { machine, workers: 1, ...options } as never)).rejects.toThrow(message);
  });

  test('an ideal balance is refused, in its scenario', async () => {
    const { scenarios } = await whatif(pingPong, { machine, workers: 1, ideals: ['balance'] });
    expect(scenarios.map(({ problems }) => problems?.map(({ code }) => code))).toEqual([undefined, ['WHAT012']]);
  });

  test('rerun repeats results of traces and models with a loggops machine', async () => {
    const trace = file(
      'again.ti',
      traceText([[{ op: 'bcast', size: 9, root: 0 }], [{ op: 'bcast', size: 9, root: 0 }]]),
    );
    const module = file(
      'model.ts',
      `import { spmd } from ${JSON.stringify(join(import.meta.dirname, '../../../src/models.ts'))};
export default spmd({ name: 'ring', ranks: (n) => n === 4, build(m) {
  m.sendrecv({ to: (s) => (s.rank + 1) % s.size, from: (s) => (s.rank + 3) % s.size, bytes: 64 });
} });
`,
    );
    for (const [input, options] of [
      [trace, { machine }],
      [trace, { machine, loggops: 'o=3' }],
      [module, { machine }],
      [module, { loggops: 'o=3' }],
    ] as const) {
      const document = await predictFile(input, options);
      const again = rerunOf(document, 'result.json');
      expect(differences(document, await predictFile(again.input, again.options))).toEqual([]);
    }
  });

  test('a rank computes, spends the overhead of its messages, and waits: an event list of two ranks', () => {
    // Rank 1 computes for 9 µs while the message of rank 0 comes at o + L = 4 µs; it takes it then.
    const model = spmd({
      name: 'states',
      ranks: (n) => n === 2,
      build(m) {
        m.when(
          (s) => s.rank === 0,
          () => {
            m.send({ to: 1, bytes: 101 });
            m.recv({ from: 1 });
          },
          () => {
            m.compute({ flops: 9000 });
            m.recv({ from: 0 });
            m.send({ to: 0, bytes: 1 });
          },
        );
      },
    });
    const { ranks } = predict(model, { machine });
    const { L, o, G, O } = own;
    const [sent, taken] = [o + 100 * O, o + 100 * G];
    const end = 9000 + taken + 2 * o + L;
    const expected = [
      { endTime: end, computing: 0, communicating: sent + o, waiting: end - sent - o, idle: 0 },
      { endTime: 9000 + taken + o, computing: 9000, communicating: taken + o, waiting: 0, idle: o + L },
    ];
    for (const [rank, figures] of expected.entries())
      for (const [name, ns] of Object.entries(figures))
        expect(ranks[rank]![name as 'idle'] * 1e9, `${name} of rank ${rank}`).toBeCloseTo(ns, 6);
  });

  const refused = (build: (m: never) => void, vars = {}) =>
    spmd({ name: 'refused', ranks: (n) => n === 2, vars, build: build as never });
  test.each<[string, Parameters<typeof refused>, RegExp]>([
    [
      'a wait for any request',
      [(m: Any) => m.waitAny([m.irecv({ from: null })])],
      /GOAL008 a schedule has no calls such as waitAny, which depend on times/,
    ],
    ['a random choice', [(m: Any) => m.chance(0.5, () => m.sleep(1))], /GOAL008 a schedule has no random choices/],
    [
      'noise',
      [(m: Any) => m.compute({ flops: 1, noise: { kind: 'exponential' } })],
      /GOAL008 a schedule has no random times/,
    ],
    [
      'a receive of any tag',
      [(m: Any) => m.recv({ from: 0, tag: ANY })],
      /GOAL008 a schedule has no receives of any tag/,
    ],
    ['one-sided communication', [(m: Any) => m.fence()], /GOAL008 a schedule has no one-sided communication/],
    [
      'a branch on the source of a message',
      [
        (m: Any) => {
          m.when(
            (s: Any) => s.rank === 1,
            () => m.send({ to: 0, bytes: 1 }),
            () => m.recv({ from: ANY, into: { source: 'who' } }),
          );
          m.when(
            (s: Any) => s.rank === 0,
            () => m.send({ to: (s: Any) => s.who, bytes: 1 }),
            () => m.recv({ from: 0 }),
          );
        },
        { who: rankVar() },
      ],
      /GOAL008 a schedule has no values of received messages, which variable "who" has/,
    ],
    [
      'a peer that does not exist',
      [(m: Any) => m.send({ to: (s: Any) => s.rank + 7, bytes: 1 })],
      /MODEL020 to of a send: expected a rank from 0 to 1 \(or null for none\), got 7 \(rank 0\)/,
    ],
    [
      'a loop that never ends',
      [
        (m: Any) =>
          m.while(
            (s: Any) => s.k < 9,
            () => m.let('k', () => 0),
          ),
        { k: range(0, 9) },
      ],
      /GOAL005 more than 4194304 executed statements: does the loop end\?/,
    ],
  ])('refuses %s of a model, at its line', (_, model, message) => {
    expect(() => predict(refused(...model), { machine })).toThrow(message);
    expect(() => predict(refused(...model), { machine })).toThrow(/loggops\.evidence\.test\.ts:\d+/);
  });

  test('a stored source that nothing reads is no reason to refuse', () => {
    const model = spmd({
      name: 'any',
      ranks: (n) => n === 2,
      vars: { who: rankVar() },
      build(m) {
        m.when(
          (s) => s.rank === 1,
          () => m.send({ to: 0, bytes: 1 }),
          () => m.recv({ from: ANY, into: { source: 'who' } }),
        );
      },
    });
    expect(endsOf(predict(model, { machine }))).toEqual([2 * own.o + own.L, own.o]);
  });

  test('ranks of a model that wait forever are at their statements', () => {
    const model = spmd({ name: 'stuck', ranks: (n) => n === 2, build: (m) => m.recv({ from: (s) => 1 - s.rank }) });
    const { deadlock } = predict(model, { machine });
    expect(deadlock.map(({ rank, operation, waitsFor }) => [rank, operation, waitsFor])).toEqual([
      [0, 'recv from rank 1', [1]],
      [1, 'recv from rank 0', [0]],
    ]);
    expect(deadlock[0]!.file).toMatch(/loggops\.evidence\.test\.ts$/);
    expect(deadlock[0]!.line).toBeGreaterThan(0);
  });

  test.each([
    [
      'a trace of another model',
      (trace: string) => predict(trace, { machine, networkModel: 'simgrid-plain' }),
      /GOAL006 option networkModel \(--network-model\) does not go with loggops/,
    ],
    [
      'a schedule on a machine with links',
      (_: string, goal: string) => predict(goal, { machine: linked }),
      /GOAL006 machine: a schedule takes the parameters of a machine with network: \{ kind: loggops, … \}, got a crossbar/,
    ],
    [
      'a net on a machine',
      () => predict(file('n.json', '{}'), { machine }),
      /APP004 option machine does not apply to a net: it belongs to traces, models, thread models and schedules \(\.goal\)/,
    ],
  ])('%s is refused', async (_, run, message) => {
    const trace = file('one.ti', traceText([[{ op: 'compute', ns: 5 }]]));
    const goal = join(dir, 'one.goal');
    await convertFile(trace, goal, { machine });
    expect(readFileSync(goal, 'utf8')).toMatch(/^\/\/ LogGOPS L=2500 o=1500 g=1000 G=6 O=1 S=65535\nnum_ranks 1\n/);
    expect(() => run(trace, goal)).toThrow(message);
  });
});

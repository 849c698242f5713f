import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { readTarget } from '../../src/commands/inputs/target.ts';
import { map } from '../../src/commands/mapping/map.ts';
import { predict } from '../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../src/commands/predict/prediction.ts';
import { verifyProgram } from '../../src/commands/verify/program/verify-program.ts';
import { whatif } from '../../src/commands/whatif/whatif.ts';
import { type ClusterOptions, cluster } from '../../src/machine/cluster.ts';
import { machineObstacle } from '../../src/machine/lumped-network.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { machinePlatform } from '../../src/machine/topology/machine-platform.ts';
import { exampleNetwork, TOPOLOGY_NAMES } from '../../src/machine/topology/topologies.ts';
import { spmd } from '../../src/models.ts';
import { effort } from '../effort.ts';

/** Links that serve messages first come, first served: closed forms, a plain reference, and equality with max-min without conflicts. */

const folder = mkdtempSync(join(tmpdir(), 'foretoken-link-queues-'));
afterAll(() => rmSync(folder, { recursive: true }));

const machine = (more: object = {}): Machine =>
  cluster({
    nodes: 4,
    coresPerNode: 1,
    speed: '1Gf',
    link: { latency: '10us', bandwidth: '1GB/s' },
    eagerBelow: 0,
    sharing: 'fcfs',
    ...more,
  } as ClusterOptions);

interface Message {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  /** Seconds after the sender's message before. */
  readonly after: number;
}

let files = 0;

/** Every rank receives all its messages from the beginning on and sends its own in turn; all end when these have arrived. */
function traceOf(ranks: number, messages: readonly Message[]): string {
  const lines: string[] = [];
  const all = (text: (rank: number) => string) => {
    for (let r = 0; r < ranks; r++) lines.push(`${r} ${text(r)}`);
  };
  all(() => 'init');
  messages.forEach(({ from, to, bytes }, tag) => void lines.push(`${to} irecv ${from} ${tag} ${bytes}`));
  messages.forEach(({ from, to, bytes, after }, tag) => {
    if (after > 0) lines.push(`${from} sleep ${after}`);
    lines.push(`${from} isend ${to} ${tag} ${bytes}`);
  });
  all((r) => `waitall ${messages.filter(({ from, to }) => from === r || to === r).length}`);
  all(() => 'finalize');
  const file = join(folder, `${files++}.ti`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const endsOf = ({ ranks }: PredictionDocument) => ranks.map(({ endTime }) => endTime!);
const run = (messages: readonly Message[], on = machine()): number[] =>
  endsOf(
    predict(
      traceOf(
        on.nodes.reduce((n, { count }) => n + count, 0),
        messages,
      ),
      { machine: on },
    ),
  );

/** When each message has arrived: links as queues with a single server, in the order in which heads of messages come. */
function arrivals(messages: readonly Message[], on: Machine): number[] {
  const platform = machinePlatform(on);
  const free = new Map<number, number>();
  const ends: number[] = [];
  const clock = new Map<number, number>();
  const heads = messages.map(({ from, to, after }, k) => {
    const time = (clock.get(from) ?? 0) + after;
    clock.set(from, time);
    const { links } = platform.route(from, to);
    return { k, links, hop: 0, time: time + platform.links[links[0]!]!.latency };
  });
  while (heads.length > 0) {
    const first = heads.reduce((a, b) => (b.time < a.time ? b : a));
    const { k, links, hop } = first;
    const seconds = messages[k]!.bytes / Math.min(...links.map((l) => platform.links[l]!.bandwidth));
    const link = links[hop]!;
    const enters = platform.links[link]!.fatpipe ? first.time : Math.max(first.time, free.get(link) ?? 0);
    free.set(link, enters + seconds);
    if (hop + 1 === links.length) {
      ends[k] = enters + seconds;
      heads.splice(heads.indexOf(first), 1);
    } else {
      first.hop++;
      first.time = enters + platform.links[links[hop + 1]!]!.latency;
    }
  }
  return ends;
}

/** Ends of ranks: of the last message that a rank sends or receives, and its sleeps. */
function expected(messages: readonly Message[], on: Machine, ranks: number): number[] {
  const at = arrivals(messages, on);
  return Array.from({ length: ranks }, (_, r) =>
    Math.max(
      messages.reduce((sum, { from, after }) => sum + (from === r ? after : 0), 0),
      ...at.filter((_end, k) => messages[k]!.from === r || messages[k]!.to === r),
    ),
  );
}

function near(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  wanted.forEach((value, k) => void expect(Math.abs(found[k]! - value)).toBeLessThanOrEqual(1e-11 * value));
}

const MB = 1e6;
const send = (from: number, to: number, bytes = MB, after = 0): Message => ({ from, to, bytes, after });

describe('closed forms', () => {
  test('k messages through one cable arrive at k · bytes / bandwidth + latency, in the order of sending', () =>
    // Ranks 1 to 3 receive one each: ends of their receivers are 1, 2 and 3 ms, each with 20 µs of latency.
    near(run([send(0, 1), send(0, 2), send(0, 3)]), [3.02e-3, 1.02e-3, 2.02e-3, 3.02e-3]));

  test('a fan-in is served in the order of arrival, whatever the number of the rank', () =>
    near(run([send(1, 0), send(2, 0, MB, 100e-6), send(3, 0, MB, 50e-6)]), [3.02e-3, 1.02e-3, 3.02e-3, 2.02e-3]));

  test('a message that waits for the last link has left the first one', () =>
    // 1 → 0 waits for 3 → 0 until 1.02 ms; 1 → 2 follows on the cable of node 1 after 1 ms, and is not kept back.
    near(run([send(3, 0), send(1, 0, MB, 100e-6), send(1, 2)]), [2.02e-3, 2.12e-3, 2.12e-3, 1.02e-3]));

  test('all links of a route move bytes at the rate of the narrowest', () => {
    const on = machine({ network: { kind: 'backbone', latency: '5us', bandwidth: '100MB/s' } });
    near(run([send(0, 1), send(2, 3)], on), [10.025e-3, 10.025e-3, 20.025e-3, 20.025e-3]);
  });

  test('messages of one node have their transport for themselves', () => {
    const on = machine({ nodes: 1, coresPerNode: 4, intraNode: { latency: '1us', bandwidth: '2GB/s' } });
    const found = predict(traceOf(4, [send(0, 1), send(0, 2), send(3, 2)]), { machine: on });
    near(endsOf(found), [501e-6, 501e-6, 501e-6, 501e-6]);
  });

  test('a ring without conflicts and a small load are those of max-min', () => {
    const ring = [0, 1, 2, 3].map((r) => send(r, (r + 1) % 4));
    near(run(ring), run(ring, machine({ sharing: 'max-min' })));
    near(run(ring), [1.02e-3, 1.02e-3, 1.02e-3, 1.02e-3]);
  });
});

/** Sizes and times that are no round numbers, so that no two heads reach a link at one instant. */
const arbitraryCase = fc.record({
  topology: fc.constantFrom(...TOPOLOGY_NAMES),
  nodes: fc.integer({ min: 2, max: 9 }),
  latency: fc.constantFrom(1e-6, 2e-5),
  messages: fc.array(
    fc.record({
      a: fc.nat({ max: 99 }),
      b: fc.nat({ max: 99 }),
      size: fc.nat({ max: 1e6 }),
      after: fc.nat({ max: 1e5 }),
    }),
    { minLength: 1, maxLength: 24 },
  ),
});

function made({ topology, nodes, latency, messages }: typeof arbitraryCase extends fc.Arbitrary<infer T> ? T : never) {
  const link = { latency, bandwidth: 1e9 };
  const names = Array.from({ length: nodes }, (_, k) => `node${k}`);
  const network = exampleNetwork(topology, nodes, link, names);
  const on = network === undefined ? machine({ nodes, link }) : machine({ nodes, link, network });
  const list = messages.map(({ a, b, size, after }, k): Message => {
    const from = a % nodes;
    return {
      from,
      to: (from + 1 + (b % (nodes - 1))) % nodes,
      bytes: size * 37 + 13 * k + 1,
      after: (after * 1009 + 17 * k + 3) * 1e-11,
    };
  });
  return { on, list, nodes };
}

test('random messages on all topologies arrive as in a plain reference', () => {
  fc.assert(
    fc.property(arbitraryCase, (given) => {
      const { on, list, nodes } = made(given);
      near(run(list, on), expected(list, on, nodes));
    }),
    { numRuns: effort(1000) },
  );
});

test('messages one after the other take the times of max-min', () => {
  fc.assert(
    fc.property(arbitraryCase, (given) => {
      const { on, list, nodes } = made(given);
      const lines = list.flatMap(({ from, to, bytes }, tag) => [
        `${from} send ${to} ${tag} ${bytes}`,
        `${to} recv ${from} ${tag} ${bytes}`,
        ...Array.from({ length: nodes }, (_, r) => `${r} barrier`),
      ]);
      const file = join(folder, `${files++}.ti`);
      const all = (word: string) => Array.from({ length: nodes }, (_, r) => `${r} ${word}`);
      writeFileSync(file, `${[...all('init'), ...lines, ...all('finalize')].join('\n')}\n`);
      const [queues, fair] = ['fcfs', 'foretoken'].map((networkModel) =>
        endsOf(predict(file, { machine: on, networkModel })),
      );
      near(queues!, fair!);
    }),
    { numRuns: effort(300) },
  );
});

test('the network model fcfs is the key sharing, foretoken shares, and whatif ranks both', async () => {
  const messages = [send(0, 1), send(0, 2)];
  const file = traceOf(4, messages);
  const [queues, fair] = [machine(), machine({ sharing: 'max-min' })];
  const end = (on: Machine, networkModel?: string) => {
    const found = predict(file, { machine: on, ...(networkModel === undefined ? {} : { networkModel }) });
    return [found.options['networkModel'], found.ranks[1]!.endTime];
  };
  expect([end(queues), end(fair, 'fcfs'), end(queues, 'foretoken'), end(fair)]).toEqual([
    ['fcfs', expect.closeTo(1.02e-3, 12)],
    ['fcfs', expect.closeTo(1.02e-3, 12)],
    ['foretoken', expect.closeTo(2.02e-3, 12)],
    ['foretoken', expect.closeTo(2.02e-3, 12)],
  ]);
  const study = await whatif(file, { machine: fair, vary: { 'network-model': ['foretoken', 'fcfs'] } });
  expect(study.scenarios.map(({ figures }) => figures?.['runTime']?.value)).toEqual([
    expect.closeTo(2.02e-3, 12),
    expect.closeTo(2.02e-3, 12),
  ]);
});

test('sharing as an axis of numbers names the axis that compares both', () =>
  expect(
    whatif(traceOf(4, [send(0, 1)]), { machine: machine(), vary: { 'machine.sharing': ['fcfs'] } }),
  ).rejects.toThrow(
    'MACH030 axis machine.sharing: "sharing" is no number: vary the network model, "network-model=foretoken,fcfs"',
  ));

test('wrong combinations are refused with their reason', () => {
  const file = traceOf(4, [send(0, 1)]);
  const refused = (on: Machine, networkModel?: string) => () =>
    predict(file, { machine: on, ...(networkModel === undefined ? {} : { networkModel }) });
  expect(refused(machine(), 'simgrid-plain')).toThrow(
    'MACH044 sharing: network model simgrid-plain shares links, but those of the machine are fcfs: expected network model foretoken or fcfs',
  );
  expect(refused(machine({ changes: [{ of: 'node0.up', fails: 1 }] }))).toThrow('MACH044 changes: link "node0.up"');
  expect(refused(machine({ sharing: 'max-min', changes: [{ of: 'node1', fails: 1 }] }), 'fcfs')).toThrow(
    'MACH044 changes: host "node1"',
  );
  expect(endsOf(refused(machine({ changes: [{ of: 'node1', speed: [{ at: 1, factor: 2 }] }] }))())[0]).toBeCloseTo(
    1.02e-3,
    12,
  );
  expect(() => machine({ sharing: 'fifo' })).toThrow('expected max-min or fcfs, got "fifo"');
  expect(() => machine({ network: { kind: 'loggops', L: 1e-6, o: 0, g: 0, G: 0 } })).toThrow(
    'MACH011 cluster.sharing: a loggops network has no links',
  );
});

test('links carry the bytes of every hop, and each is idle in the end', () => {
  const found = predict(traceOf(4, [send(1, 0), send(2, 0)]), { machine: machine() });
  const links = found.resources.flatMap(({ kind, name, amount }) => (kind === 'link' ? [[name, amount.value]] : []));
  expect(Object.fromEntries(links)).toEqual({ 'node0.down': 2e6, 'node1.up': 1e6, 'node2.up': 1e6 });
  expect(found.deadlock).toEqual([]);
});

/** Every rank sends to the next two, so that all cables have conflicts. */
const shift = spmd({
  name: 'shift',
  build: (m) => {
    const sent = [1, 2].map((tag) => m.isend({ to: (s) => (s.rank + tag) % s.size, bytes: 1e6, tag }));
    const got = [1, 2].map((tag) => m.irecv({ from: (s) => (s.rank + s.size - tag) % s.size, tag }));
    m.waitAll([...sent, ...got]);
  },
});

test('models: the same times with the machine as a module, with a gap; verified; not lumped', () => {
  const end = predict(shift, { machine: machine(), ranks: 4 }).figures.runTime.value;
  expect(end).toBeCloseTo(2.02e-3, 12);
  expect(simulate(map(shift, { machine: machine(), ranks: 4 }).net).time).toBeCloseTo(end, 12);
  expect(predict(shift, { machine: machine({ gap: '5us' }), ranks: 4 }).figures.runTime.value).toBeCloseTo(2.02e-3, 12);
  expect(verifyProgram(shift, { machine: machine(), ranks: 3 }).complete).toBe(true);
  expect(machineObstacle(readTarget({ machine: machine() }), Int32Array.of(0, 1), false)).toBe(
    'messages wait for links in the order of arrival',
  );
});

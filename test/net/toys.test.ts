import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/base/problem.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { exponential } from '../../src/net/builder/distributions.ts';
import { fcfs } from '../../src/net/builder/stations.ts';
import { netFromJson, netToJson } from '../../src/net/json/json.ts';
import type { Net } from '../../src/net/net.ts';
import { add, lt, sub } from '../../src/net/terms.ts';
import { runCompiled } from '../engine/agree.ts';
import { RunError } from '../reference/evaluate.ts';
import { type Run, referenceRun } from '../reference/token-game.ts';

type Simulate = (net: Net, options?: { maxSteps?: number; maxInstantSteps?: number }) => Run;

const engines: [string, Simulate][] = [
  ['the reference token game', referenceRun],
  ['the compiled engine', runCompiled],
  ['the compiled engine, of the net read back from JSON', (net, o) => runCompiled(netFromJson(netToJson(net)), o)],
];

/** M/M/1: jobs arrive at rate 0.5, one server with rate 1. */
function singleServer(): Net {
  const n = new NetBuilder('M/M/1');
  const queue = n.place('queue', {}, { service: fcfs({ time: exponential(1) }) });
  n.transition('arrive', (t) => {
    t.race({ delay: exponential(0.5) });
    t.put(queue, {});
  });
  n.transition('leave', (t) => t.take(queue));
  return n.build();
}

/** A walker on a torus of 3 × 4 cells moves east or north; the cost of a cell is a function of its position. */
function walker(): Net {
  const n = new NetBuilder('walker');
  const Column = n.range('Column', 0, 2);
  const Row = n.range('Row', 0, 3);
  const Cell = n.record('Cell', { x: Column, y: Row });
  const Way = n.enumeration('Way', 'east', 'north');
  const at = n.place('at', { cell: Cell, way: Way }, { initial: [{ cell: { x: 0, y: 1 }, way: 'north' }] });
  n.transition('east', (t) => {
    const { cell } = t.take(at, { way: 'east' });
    t.delay(t.fn(cell, (c) => 1 + c.x * c.y));
    t.put(at, { cell: { ...cell, x: t.fn(cell, (c) => (c.x + 1) % 3) }, way: 'north' });
  });
  n.transition('north', (t) => {
    const { cell } = t.take(at, { way: 'north' });
    t.put(at, { cell: { x: cell.x, y: t.fn(cell, (c) => (c.y + 1) % 4) }, way: 'east' });
  });
  return n.build();
}

/** Two workers that need the same lock for 2 s each, in the order of their names. */
function lock(): Net {
  const n = new NetBuilder('lock');
  const Worker = n.range('Worker', 0, 1);
  const free = n.place('free', {}, { kind: 'resource', initial: [{}] });
  const waiting = n.place('waiting', { w: Worker }, { initial: [{ w: 1 }, { w: 0 }] });
  const done = n.place('done', { w: Worker });
  n.transition('hold', (t) => {
    const { w } = t.take(waiting);
    t.take(free);
    t.delay(2);
    t.put(free, {});
    t.put(done, { w });
  });
  return n.build();
}

/** Producing takes 1 s, consuming 3 s; the buffer has two slots. */
function boundedBuffer(items: number): Net {
  const n = new NetBuilder('bounded buffer');
  const Item = n.range('Item', 0, items);
  const next = n.place('next', { k: Item }, { initial: [{ k: 0 }] });
  const empty = n.place('empty', {}, { kind: 'resource', initial: [{}, {}] });
  const full = n.place('full', { k: Item }, { order: 'fifo' });
  const idle = n.place('idle', {}, { initial: [{}] });
  const eaten = n.place('eaten', { k: Item }, { order: 'fifo' });
  n.transition('produce', (t) => {
    const { k } = t.take(next);
    t.take(empty);
    t.guard(lt(k, items));
    t.delay(1);
    t.put(full, { k });
    t.put(next, { k: add(k, 1) });
  });
  n.transition('consume', (t) => {
    t.take(idle);
    const { k } = t.take(full);
    t.put(empty, {});
    t.put(eaten, { k });
    t.delay(3);
    t.put(idle, {});
  });
  return n.build();
}

/**
 * Three simultaneous messages over two links of 10 and 4 units per second: a (20 units) crosses the first, b (30) the
 * second, c (10) both. Max-min: the second link is the bottleneck; b and c get 2 each, a the remaining 8 of the first.
 *
 * - 2.5 s: a is finished (20 / 8).
 * - 5 s: c is finished (10 / 2). b has 30 − 10 = 20 left and the whole second link.
 * - 10 s: b is finished (20 / 4).
 */
function twoLinks(): Net {
  const n = new NetBuilder('two links');
  const Message = n.enumeration('Message', 'a', 'b', 'c');
  const route = n.intTable('route', Int32Array.of(0, 1, 2));
  const size = n.realTable('size', Float64Array.of(20, 30, 10));
  const routes = n.routesTable(
    'routes',
    Int32Array.of(0, 1, 2, 4),
    Int32Array.of(0, 1, 0, 1),
    Float64Array.of(1, 1, 1, 1),
  );
  const Index = n.range('Index', 0, 2);
  const links = n.place(
    'links',
    { m: Message, k: Index },
    {
      service: ({ k }) => ({
        links: [
          { name: 'wide', capacity: 10, fatpipe: false },
          { name: 'narrow', capacity: 4, fatpipe: false },
        ],
        amount: size.at(k),
        weight: 1,
        bound: Number.POSITIVE_INFINITY,
        routes,
        route: route.at(k),
      }),
      initial: [0, 1, 2].map((k) => ({ m: k, k })),
    },
  );
  const arrived = n.place('arrived', { m: Message });
  n.transition('arrive', (t) => {
    const { m } = t.take(links);
    t.put(arrived, { m });
  });
  return n.build();
}

/** Every second a producer sends 6 units over a link of 3 units per second; a consumer takes the messages on arrival. */
function producerConsumer(): Net {
  const n = new NetBuilder('producer, consumer');
  const Count = n.range('Count', 0, 3);
  const ready = n.place('ready', { k: Count }, { initial: [{ k: 3 }] });
  const routes = n.routesTable('routes', Int32Array.of(0, 2), Int32Array.of(0, 1), Float64Array.of(1, 0.5));
  const link = n.place(
    'link',
    { k: Count },
    {
      kind: 'message',
      service: () => ({
        links: [
          { name: 'there', capacity: 3, fatpipe: false },
          { name: 'back', capacity: 3, fatpipe: false },
        ],
        amount: 6,
        weight: 1,
        bound: 2,
        routes,
        route: 0,
      }),
    },
  );
  const used = n.place('used', { k: Count });
  n.transition('produce', (t) => {
    const { k } = t.take(ready);
    t.guard(lt(0, k));
    t.delay(1);
    t.put(link, { k });
    t.put(ready, { k: sub(k, 1) });
  });
  n.transition('consume', (t) => {
    const { k } = t.take(link);
    t.put(used, { k });
  });
  return n.build();
}

describe('nets of the builder', () => {
  const num = (value: number) => ({ op: 'const', value });
  const v = (name: string) => ({ op: 'var', name });

  test('a station', () => {
    expect(singleServer()).toEqual({
      name: 'M/M/1',
      colours: [],
      tables: [],
      places: [
        {
          name: 'queue',
          fields: [],
          order: 'bag',
          key: [],
          service: { kind: 'fcfs', servers: 1, time: { dist: 'exponential', rate: num(1) } },
          initial: [],
        },
      ],
      transitions: [
        {
          name: 'arrive',
          inputs: [],
          outputs: [{ place: 'queue', values: {}, count: num(1) }],
          delay: { dist: 'exponential', rate: num(0.5) },
          timing: 'race',
        },
        { name: 'leave', inputs: [{ kind: 'take', place: 'queue', pattern: {}, count: 1 }], outputs: [] },
      ],
    });
  });

  test('records, and functions of them', () => {
    const way = (value: number) => ({ op: 'const', value, colour: 'Way' });
    expect(walker()).toEqual({
      name: 'walker',
      colours: [
        { kind: 'range', name: 'Column', low: 0, high: 2 },
        { kind: 'range', name: 'Row', low: 0, high: 3 },
        {
          kind: 'record',
          name: 'Cell',
          fields: [
            { name: 'x', colour: 'Column' },
            { name: 'y', colour: 'Row' },
          ],
        },
        { kind: 'enum', name: 'Way', values: ['east', 'north'] },
      ],
      tables: [
        {
          kind: 'int',
          name: 'east.fn1',
          values: Int32Array.of(1, 1, 1, 1, 1, 2, 3, 4, 1, 3, 5, 7),
          low: 1,
          high: 7,
        },
        { kind: 'int', name: 'east.fn2', values: Int32Array.of(1, 2, 0), low: 0, high: 2 },
        { kind: 'int', name: 'north.fn1', values: Int32Array.of(1, 2, 3, 0), low: 0, high: 3 },
      ],
      places: [
        {
          name: 'at',
          fields: [
            { name: 'cell', colour: 'Cell' },
            { name: 'way', colour: 'Way' },
          ],
          order: 'bag',
          key: [],
          initial: [{ values: [0, 1, 1], count: 1 }],
        },
      ],
      transitions: [
        {
          name: 'east',
          inputs: [
            {
              kind: 'take',
              place: 'at',
              pattern: { way: way(0), 'cell.x': v('cell.x'), 'cell.y': v('cell.y') },
              count: 1,
            },
          ],
          outputs: [
            {
              place: 'at',
              values: {
                'cell.x': { op: 'at', table: 'east.fn2', index: v('cell.x') },
                'cell.y': v('cell.y'),
                way: way(1),
              },
              count: num(1),
            },
          ],
          delay: {
            op: 'at',
            table: 'east.fn1',
            index: { op: 'add', a: { op: 'mul', a: v('cell.x'), b: num(4) }, b: v('cell.y') },
          },
        },
        {
          name: 'north',
          inputs: [
            {
              kind: 'take',
              place: 'at',
              pattern: { way: way(1), 'cell.x': v('cell.x'), 'cell.y': v('cell.y') },
              count: 1,
            },
          ],
          outputs: [
            {
              place: 'at',
              values: {
                'cell.x': v('cell.x'),
                'cell.y': { op: 'at', table: 'north.fn1', index: v('cell.y') },
                way: way(0),
              },
              count: num(1),
            },
          ],
        },
      ],
    });
  });
});

describe.each(engines)('toys run by %s', (_, run) => {
  test('a lock is held by one at a time', () => {
    const r = run(lock());
    expect(r.time).toBe(4);
    expect(r.firings).toEqual({ hold: 2 });
    expect(r.marking['done']).toEqual([[0], [1]]);
    expect(r.arrivals['done']).toEqual([2, 4]);
  });

  test('a bounded buffer blocks the producer', () => {
    const r = run(boundedBuffer(4));
    // Produced at 1 and 2 s; the next slots become free at 4 and 7 s, when the consumer finishes.
    expect(r.trace.filter((e) => e.transition === 'produce' && e.what === 'end').map((e) => e.time)).toEqual([
      1, 2, 5, 8,
    ]);
    expect(r.arrivals['eaten']).toEqual([4, 7, 10, 13]);
    expect(r.marking['eaten']).toEqual([[0], [1], [2], [3]]);
    expect(r.marking['empty']).toHaveLength(2);
    expect(r.time).toBe(13);
  });

  test('two links are shared max-min', () => {
    const r = run(twoLinks());
    expect(r.marking['arrived']).toEqual([[0], [2], [1]]);
    [2.5, 5, 10].forEach((time, k) => {
      expect(r.arrivals['arrived']![k]).toBeCloseTo(time, 12);
    });
  });

  test('a bound keeps the producer and the consumer in step', () => {
    const r = run(producerConsumer());
    // A single message has its bound of 2 as rate; two get 1.5 each, three 1 each:
    // 1–2 s: the first transfers 2 of 6. 2–3 s: two at 1.5 each; 2.5 and 4.5 are left. From 3 s on three at 1 each: the first
    // finishes at 5.5 s; the second has 2 left and the third 3.5. At 1.5 each the second finishes at 5.5 + 4/3 s; the third
    // has 1.5 left, and at rate 2 finishes 0.75 s later.
    expect(r.marking['used']).toEqual([[3], [2], [1]]);
    [5.5, 5.5 + 4 / 3, 5.5 + 4 / 3 + 0.75].forEach((time, k) => {
      expect(r.arrivals['used']![k]).toBeCloseTo(time, 12);
    });
  });

  const failure = (net: Net): string => {
    try {
      run(net, { maxInstantSteps: 1000, maxSteps: 100_000 });
    } catch (e) {
      if (e instanceof InputError || e instanceof RunError) return e.message;
      throw e;
    }
    return 'nothing';
  };

  test('RUN001 an endless cycle without delay', () => {
    const message = failure(endless());
    expect(message).toMatch(/^RUN001 /);
    if (run === referenceRun) return;
    expect(message).toBe('RUN001 more than 1000 steps at time 3 s: endless cycle without delay through back, forth');
  });

  test('RUN001 many firings at one instant are not called a cycle', () => {
    // Tokens double every second: 1024 firings begin at 10 s.
    const growing = new NetBuilder('growing');
    const a = growing.place('a', {}, { initial: [{}] });
    growing.transition('split', (t) => {
      t.take(a);
      t.put(a, {}, 2);
      t.delay(1);
    });
    // A cycle of two places, of which one holds its tokens for a while.
    const served = new NetBuilder('served');
    const [left, right] = [
      served.place('left', {}, { initial: 2000 }),
      served.place('right', {}, { service: fcfs({ time: 1 }) }),
    ];
    served.transition('there', (t) => {
      t.take(left);
      t.put(right, {});
    });
    served.transition('back', (t) => {
      t.take(right);
      t.put(left, {});
    });
    const messages = [growing, served].map((net) => failure(net.build()));
    for (const message of messages) expect(message).toMatch(/^RUN001 /);
    if (run === referenceRun) return;
    expect(messages[0]).toBe(
      'RUN001 more than 1000 steps at time 10 s: as many firings of split fall on it, but no cycle without delay was seen; raise maxInstantSteps to allow more',
    );
    expect(messages[1]).toContain('raise maxInstantSteps');
  });

  test('RUN002 a value outside its colour set', () => {
    const message = failure(wrong((t, { p, x }) => t.put(p, { x: add(x, 5) })));
    expect(message).toMatch(/^RUN002 /);
    if (run !== referenceRun)
      expect(message).toBe('RUN002 transition t: field "x" of place "p" would be 5, outside Small (0 … 4)');
  });

  test('RUN003 an index outside its table', () => {
    const message = failure(wrong((t, { x, table }) => t.delay(table.at(add(x, 3)))));
    expect(message).toMatch(/^RUN003 /);
    if (run !== referenceRun) expect(message).toBe('RUN003 table table: index 3 is outside 0 … 2');
  });

  test('RUN004 a negative delay', () => {
    const message = failure(wrong((t, { x }) => t.delay(sub(x, 0.5))));
    expect(message).toMatch(/^RUN004 /);
    if (run !== referenceRun)
      expect(message).toBe('RUN004 transition t: a delay of -0.5 s: expected a number >= 0 with a finite end time');
  });

  test('RUN005 a negative count', () => {
    const message = failure(wrong((t, { p, x }) => t.put(p, { x }, sub(x, 1))));
    expect(message).toMatch(/^RUN005 /);
  });
});

/** Two transitions that pass a token back and forth from 3 s on, and an unrelated third one. */
function endless(): Net {
  const n = new NetBuilder('endless');
  const [start, here, there, other] = ['start', 'here', 'there', 'other'].map((name) =>
    n.place(name, {}, name === 'start' || name === 'other' ? { initial: [{}] } : {}),
  ) as [ReturnType<typeof n.place>, ReturnType<typeof n.place>, ReturnType<typeof n.place>, ReturnType<typeof n.place>];
  const move = (name: string, from: typeof start, to: typeof start, delay?: number): void =>
    n.transition(name, (t) => {
      t.take(from);
      if (delay !== undefined) t.delay(delay);
      t.put(to, {});
    });
  move('begin', start, here, 3);
  move('forth', here, there);
  move('back', there, here);
  move('elsewhere', other, other, 1);
  return n.build();
}

/** A net with one transition that fails when it fires. */
function wrong(
  spoil: (
    t: Parameters<Parameters<NetBuilder['transition']>[1]>[0],
    parts: {
      p: ReturnType<typeof smallPlace>['p'];
      x: ReturnType<typeof add>;
      table: ReturnType<NetBuilder['intTable']>;
    },
  ) => void,
): Net {
  const { n, p, table } = smallPlace();
  n.transition('t', (t) => {
    const { x } = t.take(p);
    spoil(t, { p, x, table });
  });
  return n.build();
}

function smallPlace() {
  const n = new NetBuilder('wrong');
  const Small = n.range('Small', 0, 4);
  const table = n.intTable('table', Int32Array.of(1, 2, 3));
  const p = n.place('p', { x: Small }, { initial: [{ x: 0 }] });
  return { n, p, table };
}

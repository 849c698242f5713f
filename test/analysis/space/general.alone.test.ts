import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exploration as begin, explore as run } from '../../../src/analysis/space/explore.ts';
import type { Exploration, ExploreOptions, StateSpace } from '../../../src/analysis/space/state-space.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';
import { readPnml } from '../../../src/net/pnml/pnml-read.ts';
import { add } from '../../../src/net/terms.ts';
import { philosophers } from '../../net/contest-nets.ts';
import { problemsOf } from '../../net/problems.ts';
import { inhibit, netOf, num, put, reset, take, x } from '../../reference/nets.ts';
import { contestFile, contestNets, skipped } from '../../references.ts';
import { markings } from './texts.ts';

const exploration = (net: Net, options: ExploreOptions = {}): Exploration =>
  begin(net, { ...options, engine: 'general' });
const explore = (net: Net, options: ExploreOptions = {}): StateSpace => run(net, { ...options, engine: 'general' });

/** A token that counts up indefinitely. */
function counters(count: number): Net {
  const n = new NetBuilder('counters');
  const p = n.place(
    'p',
    { id: n.range('Id', 0, count), k: n.integer('Int') },
    {
      initial: Array.from({ length: count }, (_, id) => ({ id, k: 0 })),
    },
  );
  n.transition('up', (t) => {
    const { id, k } = t.take(p);
    t.put(p, { id, k: add(k, 1) });
  });
  return n.build();
}

const contest = contestNets().filter((n) => n.edges <= 60_000);

describe.skipIf(contest.length === 0)(
  `figures of the Model Checking Contest${contest.length === 0 ? ` (${skipped})` : ''}`,
  () => {
    test.each(contest)(
      'the space of $file has the figures of the contest',
      ({ file, states, edges, maxTokensPerMarking, maxTokensInPlace, deadlock }) => {
        const { net } = readPnml(readFileSync(contestFile(file)), file);
        for (const order of ['breadth', 'depth'] as const) {
          const space = explore(net, { order });
          expect([space.states, space.edges, space.expanded, space.complete]).toEqual([states, edges, states, true]);
          expect([space.maxTokensPerMarking, space.maxTokensInPlace]).toEqual([maxTokensPerMarking, maxTokensInPlace]);
          expect(space.outDegree(0, states).includes(0)).toBe(deadlock);
        }
      },
    );
  },
);

describe('a space truncated by a limit can be queried', () => {
  const looked = (space: StateSpace): void => {
    expect(space.complete).toBe(false);
    expect(space.expanded).toBeLessThan(space.states);
    expect(new Set(markings(space)).size).toBe(space.states);
    const targets = Array.from({ length: space.states }, (_, s) => space.firings(s).map((f) => f.target));
    const inside = targets.flat().filter((t) => t >= 0);
    expect(inside.length).toBeLessThan(targets.flat().length);
    const graph = space.graph()!;
    expect(Array.from({ length: graph.edges }, (_, e) => graph.target(e))).toEqual(inside);
    expect(space.levels.every((first, k) => k === 0 || first > space.levels[k - 1]!)).toBe(true);
  };

  test.each(['breadth', 'depth'] as const)('state limit, %s first', (order) => {
    const space = explore(counters(3), { order, maxStates: 500 });
    expect([space.states, space.truncation]).toEqual([500, 'states']);
    looked(space);
  });

  test('a state limit equal to the number of states truncates nothing', () => {
    const space = explore(philosophers(5), { maxStates: 243 });
    expect([space.complete, space.truncation]).toEqual([true, undefined]);
    expect(explore(philosophers(5), { maxStates: 242 }).truncation).toBe('states');
  });

  test('time limit', () => {
    const space = explore(counters(5), { seconds: 0.3 });
    expect([space.complete, space.truncation]).toEqual([false, 'time']);
    expect(space.seconds).toBeGreaterThan(0.3);
  });

  test('memory limit', () => {
    const memory = process.memoryUsage.rss() + 20e6;
    const space = explore(counters(60), { memory, seconds: 60 });
    expect([space.complete, space.truncation]).toEqual([false, 'memory']);
    expect(process.memoryUsage.rss()).toBeLessThan(1.1 * memory);
  });

  test('cancellation', () => {
    let told = 0;
    const space = explore(counters(3), {
      cancelled: () => told >= 3,
      progress: (s) => {
        told++;
        // Queries do not change the results.
        s.firings(s.states - 1);
        s.graph();
      },
    });
    expect([space.complete, space.truncation, told >= 3]).toEqual([false, 'interrupted', true]);
    const other = explore(counters(3), { maxStates: space.states });
    expect(markings(other, 500)).toEqual(markings(space, 500));
  });

  test('end of a slice', () => {
    const running = exploration(philosophers(5));
    expect(running.advance(100)).toBe(true);
    expect(running.space.expanded).toBe(100);
    expect(running.advance(1000)).toBe(false);
    expect(running.space.complete).toBe(true);
    expect(running.advance(1)).toBe(false);
  });

  test('graph larger than its memory limit', () => {
    const space = explore(philosophers(5));
    expect(space.graph(8 * 244 + 4 * 944)).toBeUndefined();
    expect(space.graph(8 * 244 + 4 * 945)!.edges).toBe(945);
  });
});

describe('failures name transition, binding and code; states found are kept (E8)', () => {
  const k = { k: x('k') };
  const fields = [{ name: 'k', colour: 'Int' }];
  const table = [{ kind: 'int', name: 'f', values: Int32Array.of(1, 2), low: 1, high: 2 }] as const;
  const at = { op: 'at', table: 'f', index: x('k') } as const;
  const holds = { op: 'gt', a: at, b: num(0) } as const;
  const up = { op: 'add', a: x('k'), b: num(1) } as const;
  const counting = (t: object, colours: Parameters<typeof netOf>[0]['colours'] = []): Net =>
    netOf({
      colours,
      tables: table,
      places: {
        p: { fields: colours.length === 0 ? fields : [{ name: 'k', colour: 'Three' }], tokens: [[0]] },
        q: { capacity: 99 },
      },
      transitions: { t: { inputs: [take('p', k)], outputs: [put('p', { k: up })], ...t } },
    });
  const three = [{ kind: 'range', name: 'Three', low: 0, high: 2 }] as const;

  test.each<[string, Net, string]>([
    ['guard', counting({ guard: holds }), 'RUN003 transition t: with k = 2: index 2 is outside table f (0 … 1)'],
    [
      'output',
      counting({}, three),
      'RUN002 transition t: with k = 2: field "k" of place "p" would be 3, outside Three (0 … 2)',
    ],
    [
      'output at the end of a firing',
      counting({ delay: num(1) }, three),
      'RUN002 transition t: with k = 2: field "k" of place "p" would be 3, outside Three (0 … 2)',
    ],
    [
      'count needed by a capacity',
      counting({ outputs: [put('p', { k: up }), put('q', {}, { op: 'sub', a: num(2), b: x('k') })] }),
      'RUN005 transition t: with k = 3: count of the arc to q: expected an integer from 0 to 1000000, got -1',
    ],
  ])('a failing %s is reported, and the states found are kept', (_, net, message) => {
    const running = exploration(net);
    expect(problemsOf(() => running.advance(100))).toEqual([message]);
    expect(problemsOf(() => running.advance(100))).toEqual([message]);
    expect(running.space.expanded).toBeGreaterThan(0);
    expect(running.space.complete).toBe(false);
    expect(markings(running.space)[0]).toBe('p: (0)×1');
  });

  test('a candidate of lower priority is tested but does not fire', () => {
    const net = (low: object): Net =>
      netOf({
        tables: table,
        places: { p: { fields, tokens: [[5]] }, q: { tokens: 1 } },
        transitions: {
          high: { inputs: [take('q')], outputs: [put('q')], priority: 1 },
          low: { inputs: [take('p', k)], outputs: [], ...low },
        },
      });
    expect(problemsOf(() => explore(net({ guard: holds })))).toEqual([
      'RUN003 transition low: with k = 5: index 5 is outside table f (0 … 1)',
    ]);
    expect(explore(net({ outputs: [put('p', { k: at })] })).states).toBe(1);
  });

  test('a token whose priority is NaN', () => {
    const net = netOf({
      places: {
        a: { tokens: 1 },
        p: { fields, order: 'priority', priority: { op: 'div', a: x('k'), b: x('k') } },
      },
      transitions: { t: { inputs: [take('a')], outputs: [put('p', { k: num(0) })] } },
    });
    const running = exploration(net);
    expect(problemsOf(() => running.advance(9))).toEqual([
      'RUN014 place p: priority of a token: expected a number, got NaN',
    ]);
  });

  test('more tokens than the supported maximum', () => {
    const net = netOf({
      places: { p: { tokens: 2 ** 31 - 2 }, q: {} },
      transitions: { t: { inputs: [take('p')], outputs: [put('p', {}, 2)] } },
    });
    expect(problemsOf(() => explore(net))).toEqual([expect.stringMatching(/^RUN013 place p: .*2147483647/)]);
  });
});

describe('exact spaces', () => {
  test('a race waits for starts, but not for races of higher priority (E4, E5)', () => {
    const race = { delay: num(1), timing: 'race' } as const;
    const net = netOf({
      places: { a: { tokens: 1 }, b: { tokens: 1 }, c: { tokens: 1 }, d: { tokens: 1 } },
      transitions: {
        high: { inputs: [take('a')], outputs: [], ...race, priority: 9 },
        race: { inputs: [take('b')], outputs: [], ...race },
        first: { inputs: [take('c')], outputs: [], priority: 1 },
        later: { inputs: [take('d')], outputs: [], delay: num(1) },
      },
    });
    const space = explore(net);
    const names = (state: number): string[] =>
      space.firings(state).map((f) => `${f.kind} ${net.transitions[f.node]!.name}`);
    expect([names(0), names(1)]).toEqual([['fire first'], ['start later']]);
    expect(names(2)).toEqual(['fire high', 'fire race', 'end later']);
    expect(space.states).toBe(10);
  });

  test('one server completes only the head of its queue, two complete any token; a completed token becomes the youngest (E6)', () => {
    const queue = (servers: number): Net =>
      netOf({
        places: {
          s: {
            fields: [{ name: 'k', colour: 'Int' }],
            order: 'fifo',
            tokens: [[2], [0], [1]],
            service: { kind: 'fcfs', servers, time: num(1) },
          },
          out: {},
        },
        transitions: { t: { inputs: [take('s', { k: x('k') })], outputs: [put('out')], delay: num(1) } },
      });
    const one = explore(queue(1));
    expect(one.firings(0).map((f) => f.binding)).toEqual([{ k: 0 }]);
    expect(markings(one)[1]).toBe('s: (0)×1 served (1)×1 served (2)×1');
    const two = explore(queue(2));
    expect(two.firings(0).map((f) => f.binding['k'])).toEqual([0, 1, 2]);
    expect(two.states).toBeGreaterThan(one.states);
  });

  test('timed firings by binding, reserved capacity, resets and inhibitors (E1, E3, E7)', () => {
    const net = netOf({
      places: {
        p: { fields: [{ name: 'k', colour: 'Int' }], tokens: [[1], [1], [2]] },
        q: { capacity: 2 },
      },
      transitions: {
        t: { inputs: [take('p')], outputs: [put('q')], delay: num(1) },
        r: { inputs: [take('q'), inhibit('p'), reset('q')], outputs: [] },
      },
    });
    const space = explore(net);
    const all = markings(space);
    // Two of three tokens fit, stored or reserved.
    expect(all.filter((m) => m.includes('t{p.k=1}×2'))).toEqual(['p: (2)×1; t{p.k=1}×2']);
    expect(all.some((m) => m.includes('t{p.k=1}×1; t{p.k=2}×1'))).toBe(true);
    expect(space.maxTokensPerMarking).toBe(3);
    // p is never empty, because the third token waits for capacity; so r never fires.
    expect(space.firings(space.states - 1)).toEqual([]);
  });
});

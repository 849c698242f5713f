import { describe, expect, test } from 'vitest';
import { steady } from '../../../src/commands/steady/steady.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { cox, erlang, exponential, hyperExponential, uniform } from '../../../src/net/builder/distributions.ts';
import { fcfs } from '../../../src/net/builder/stations.ts';
import type { Distribution } from '../../../src/net/distribution.ts';
import type { Net } from '../../../src/net/net.ts';
import type { NumberTerm } from '../../../src/net/term.ts';
import { add } from '../../../src/net/terms.ts';
import { queue, stochasticNet } from './stochastic-nets.ts';

/** The problems of a net, as `code part: message`. */
function refusal(net: Net): string[] {
  try {
    steady(net, { method: 'ctmc' });
    return [];
  } catch (e) {
    const { problems } = e as { problems: readonly { code: string; message: string; place?: { part?: string } }[] };
    return problems.map(({ code, message, place }) => `${code} ${place?.part}: ${message}`);
  }
}

describe('delays', () => {
  test('all that are not exponential are named at once', () => {
    const n = new NetBuilder('delays');
    const p = n.place('p', {}, { initial: 1 });
    const q = n.place('q', {}, { service: fcfs({ time: 2 }) });
    n.transition('fixed', (t) => {
      t.take(p);
      t.delay(2);
      t.put(q, {});
    });
    n.transition('even', (t) => {
      t.take(q);
      t.race({ delay: uniform(1, 2) });
      t.put(p, {});
    });
    const delays =
      'the solver takes exponential, Erlang, hyper-exponential and Coxian delays only. Give it one of these, approximate a deterministic one with foretoken steady --erlang';
    const services =
      'the solver takes exponential service times only. Give it one, or write the service as a transition';
    const end = 'or estimate the figures by simulation: foretoken steady --method simulate';
    expect(refusal(n.build())).toEqual([
      `CTMC001 transition fixed: has a deterministic delay: ${delays}, ${end}`,
      `CTMC001 transition even: has a delay with the distribution "uniform": ${delays}, ${end}`,
      `CTMC001 place q: has a deterministic delay: ${services}, ${end}`,
    ]);
  });

  test('phases of services, and of several clocks that stop and resume', () => {
    const n = new NetBuilder('phases');
    const p = n.place('p', {}, { initial: 2, service: fcfs({ time: erlang(2, 1) }) });
    n.transition('t', (t) => {
      t.take(p);
      t.put(p, {});
      t.race({ delay: erlang(2, 1), memory: 'age' });
    });
    expect(refusal(n.build()).map((text) => text.split('.')[0])).toEqual([
      'CTMC001 place p: has a delay with the distribution "erlang": the solver takes exponential service times only',
      'CTMC001 transition t: has age memory, a delay with phases, and several servers: the order in which its clocks resume is not solved for',
    ]);
  });

  test('a clock with phases in a marking without time that does not say whether it is enabled', () => {
    const n = new NetBuilder('room');
    const a = n.place('a', {}, { initial: 1 });
    const b = n.place('b', {}, { capacity: 2 });
    const c = n.place('c', {}, { initial: 1 });
    n.transition('fill', (t) => {
      t.take(c);
      t.put(b, {});
      t.delay(exponential(1));
    });
    n.transition('also', (t) => {
      t.take(a);
      t.put(b, {});
      t.race({ delay: erlang(2, 1) });
    });
    n.transition('back', (t) => {
      t.take(b);
      t.put(c, {});
      t.race({ delay: erlang(2, 1) });
    });
    expect(refusal(n.build()).map((text) => text.split('.')[0])).toEqual([
      'CTMC001 transition also: has a delay with phases, and its clock may be lost in a marking that takes no time, which depends on room in place b that firings in progress reserve: this is not solved for',
    ]);
  });

  test('parameters of phases that a binding puts out of range', () => {
    const refused = (delay: (k: NumberTerm) => Distribution): string => {
      const n = new NetBuilder('range');
      const K = n.range('K', 0, 3);
      const p = n.place('p', { k: K }, { initial: [{ k: 0 }] });
      n.transition('t', (t) => {
        const { k } = t.take(p);
        t.put(p, { k });
        t.race({ delay: delay(k) });
      });
      return refusal(n.build())[0]!.split(':', 3).slice(0, 2).join(':');
    };
    expect([
      refused((k) => erlang(k, 1)),
      refused((k) => erlang(2, k)),
      refused((k) => cox([{ rate: 1, onward: add(k, 2) }, { rate: 1 }])),
      refused((k) => cox([{ rate: k }])),
      refused((k) => hyperExponential([{ rate: 1, probability: k }])),
    ]).toEqual([
      'CTMC003 transition t: the shape of its Erlang delay is 0',
      'CTMC003 transition t: the rate of its exponential delay is 0',
      'CTMC003 transition t: a probability of its delay is 2',
      'CTMC003 transition t: the rate of its exponential delay is 0',
      'CTMC003 transition t: the probabilities of its delay are 0',
    ]);
  });

  test('a rate that a binding makes 0', () => {
    const n = new NetBuilder('rates');
    const K = n.range('K', 0, 3);
    const p = n.place('p', { k: K }, { initial: [{ k: 0 }] });
    n.transition('t', (t) => {
      const { k } = t.take(p);
      t.put(p, { k });
      t.race({ delay: exponential(k) });
    });
    expect(refusal(n.build())).toEqual([
      'CTMC003 transition t: the rate of its exponential delay is 0: expected a number from 1e-100 to 1e+100 per second. Remove what never happens, and make what takes no time immediate',
    ]);
  });
});

describe('orders that ages decide', () => {
  const taken = (b: object): Net =>
    stochasticNet(
      'conflict',
      { idle: 1, ready: 0, left: 0, right: 0 },
      {
        go: { take: 'idle', put: 'ready', race: 1 },
        a: { take: 'ready', put: 'left' },
        b: { take: 'ready', put: 'right', ...b },
        backLeft: { take: 'left', put: 'idle', race: 1 },
        backRight: { take: 'right', put: 'idle', race: 2 },
      },
    );

  test('a conflict of immediate transitions names both', () => {
    expect(refusal(taken({}))).toEqual([
      'CTMC002 transition a: transitions "a" and "b" are enabled at once without a weight: the ages of their tokens decide which is first, which is not part of a state. Give one of them a weight, or give them different priorities, or estimate the figures by simulation: foretoken steady --method simulate',
    ]);
  });

  test('orders with the same end in different shares', () => {
    // `b` before `a` leaves the draw of `c` and `d`; `a` first adds one of `b` and `c`, so that `c` has 3/4.
    const net = stochasticNet(
      'shares',
      { p: 1, q: 1, x: 0, y: 0, u: 0, v: 0 },
      {
        a: { take: 'p', put: 'x' },
        b: { take: 'q', put: 'y' },
        c: { take: 'x', put: 'u', weight: 1 },
        d: { take: 'x y', put: 'v', weight: 1 },
        backC: { take: 'u y', put: 'p q', race: 1 },
        backD: { take: 'v', put: 'p q', race: 1 },
      },
    );
    expect(refusal(net)[0]).toMatch(/^CTMC002 transition a: transitions "a" and "b" are enabled at once/);
  });

  test('orders with the same end after different firings', () => {
    const either = stochasticNet(
      'either',
      { p: 1, q: 0 },
      { a: { take: 'p', put: 'q' }, b: { take: 'p', put: 'q' }, back: { take: 'q', put: 'p', race: 1 } },
    );
    expect(refusal(either)[0]).toMatch(/^CTMC002 transition a: transitions "a" and "b" are enabled at once/);
    // `a` removes the token of `c`, if `c` has not taken it before.
    const n = new NetBuilder('more');
    const [p, q, s] = [n.place('p', {}, { initial: 1 }), n.place('q', {}), n.place('s', {}, { initial: 1 })];
    n.transition('a', (t) => {
      t.take(p);
      t.reset(s);
      t.put(q, {});
    });
    n.transition('c', (t) => {
      t.take(s);
    });
    n.transition('back', (t) => {
      t.take(q);
      t.put(p, {});
      t.put(s, {});
      t.race({ delay: exponential(1) });
    });
    expect(refusal(n.build())[0]).toMatch(/^CTMC002 transition a: transitions "a" and "c" are enabled at once/);
  });

  test('a weight or a priority resolves it', () => {
    const left = (net: Net): number => steady(net).transitions.find((t) => t.name === 'backLeft')!.throughput;
    const right = (net: Net): number => steady(net).transitions.find((t) => t.name === 'backRight')!.throughput;
    // A missing weight counts as 1.
    const drawn = taken({ weight: 3 });
    expect(right(drawn) / left(drawn)).toBeCloseTo(3, 12);
    expect(left(taken({ priority: 1 }))).toBe(0);
  });

  test('an order that does not matter is accepted', () => {
    const net = stochasticNet(
      'independent',
      { a0: 2, a1: 0, b0: 1, b1: 0 },
      {
        a: { take: 'a0', put: 'a1', holding: 1 },
        b: { take: 'b0', put: 'b1', holding: 2 },
        backA: { take: 'a1', put: 'a0' },
        backB: { take: 'b1', put: 'b0' },
      },
    );
    const found = steady(net);
    expect(found.transitions.map((t) => t.throughput)).toEqual([2, 2, 2, 2]);
  });

  test('a single server that is enabled for several colours', () => {
    const n = new NetBuilder('single');
    const K = n.range('K', 0, 1);
    const p = n.place('p', { k: K }, { initial: [{ k: 0 }, { k: 1 }] });
    const q = n.place('q', { k: K });
    n.transition('t', (t) => {
      const { k } = t.take(p);
      t.put(q, { k });
      t.race({ delay: exponential(1), servers: 'single' });
    });
    n.transition('back', (t) => {
      const { k } = t.take(q);
      t.put(p, { k });
      t.race({ delay: exponential(1) });
    });
    expect(refusal(n.build())[0]).toMatch(
      /^CTMC002 transition t: is a race with a single server and is enabled for several/,
    );
  });
});

test('an unbounded net has no finite chain', () => {
  const net = stochasticNet(
    'source',
    { clock: 1, queue: 0 },
    {
      arrive: { take: 'clock', put: 'clock queue', race: 1 },
      serve: { take: 'queue', put: '', race: 2, single: true },
    },
  );
  expect(refusal(net)).toEqual([
    'CTMC004 undefined: the chain has infinitely many states: place queue is unbounded, so the net has infinitely many markings: arrive can be repeated forever, and adds 1 token each time. Use foretoken verify with "bounds", "bounded(k)" or a reachability property, or give the place a capacity. Or cut it with proved intervals, foretoken steady --capacity N, or estimate the figures: foretoken steady --method simulate',
  ]);
});

test('immediate firings without end name their transitions', () => {
  const net = stochasticNet(
    'endless',
    { a: 1, b: 0, c: 0 },
    { start: { take: 'a', put: 'b', race: 1 }, there: { take: 'b', put: 'c' }, back: { take: 'c', put: 'b' } },
  );
  expect(refusal(net)).toEqual([
    'CTMC005 transition there: immediate firings never end, so that no time passes: "there", "back". Give one of them an exponential delay',
  ]);
});

test('a limit of states leaves no figures', () => {
  const found = steady(queue(1, 2, 1000), { method: 'ctmc', maxStates: 10 });
  expect(found).toMatchObject({ complete: false, truncation: 'states', places: [], transitions: [], components: [] });
});

test('a request to end that comes after the last figure leaves the result complete', () => {
  let polls = 0;
  const cancelledAt = (number: number): object => {
    polls = 0;
    return { cancelled: () => ++polls === number };
  };
  steady(queue(1, 2, 3), cancelledAt(0));
  const all = polls;
  const found = steady(queue(1, 2, 3), cancelledAt(all));
  expect({ ...found, polls }).toMatchObject({ complete: true, polls: all });
  expect(found.truncation).toBeUndefined();
});

test('an interval that stays wide is shown as it is, and the result is incomplete', () => {
  // Two halves of 600 states each that exchange tokens once in 10⁹ s: iteration makes no progress.
  const net = stochasticNet(
    'halves',
    { free: 1199, waiting: 0, left: 1, right: 0 },
    {
      arrive: { take: 'free left', put: 'waiting left', race: 1, single: true },
      serve: { take: 'waiting left', put: 'free left', race: 1, single: true },
      swap: { take: 'left', put: 'right', race: 1e-9 },
      back: { take: 'right', put: 'left', race: 3e-9 },
      // Its figures, the last ones, are exactly 0.
      never: { take: 'left right', put: 'left right', race: 1 },
    },
  );
  const found = steady(net);
  expect(found).toMatchObject({ complete: false, solver: 'iteration' });
  const place = found.places.find((p) => p.name === 'left')!;
  expect(place.lower).toBeLessThanOrEqual(0.75);
  expect(place.upper).toBeGreaterThanOrEqual(0.75);
});

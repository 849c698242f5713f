import { describe, expect, test } from 'vitest';
import { cycleTime } from '../../../src/analysis/bounds/cycle-time.ts';
import type { InputError } from '../../../src/base/problem.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { uniform } from '../../../src/net/builder/distributions.ts';
import { fcfs, processorSharing } from '../../../src/net/builder/stations.ts';
import type { Net } from '../../../src/net/net.ts';

/** A ring of `size` stages with some tokens in the first place; colours have rings of their own. */
function ring(delays: readonly number[], tokens: number, colours = 1): Net {
  const n = new NetBuilder('ring');
  const K = n.range('K', 0, colours - 1);
  const initial = Array.from({ length: tokens * colours }, (_, i) => ({ k: i % colours }));
  const places = delays.map((_, i) => n.place(`p${i}`, { k: K }, i === 0 ? { initial } : {}));
  delays.forEach((delay, i) => {
    n.transition(`t${i}`, (t) => {
      const { k } = t.take(places[i]!);
      t.put(places[(i + 1) % delays.length]!, { k });
      t.delay(delay);
    });
  });
  return n.build();
}

const messages = (net: Net): string[] => {
  try {
    cycleTime(net);
    return [];
  } catch (e) {
    return (e as InputError).problems.map((p) => `${p.code} ${p.place?.part}: ${p.message}`);
  }
};

describe('cycle times by hand', () => {
  test('a ring needs the sum of its delays for each of its tokens, as a fraction', () => {
    // 0.1 + 0.2 is 3/10, not its double.
    const { cycleTime: time, transitions, components } = cycleTime(ring([0.1, 0.2], 2));
    expect(time).toEqual({ value: 0.15, exact: '3/20' });
    expect(transitions[0]).toEqual({ name: 't0', throughput: 20 / 3, exact: '20/3' });
    expect(components).toMatchObject([{ limitedBy: 'cycle', firings: [1, 1] }]);
    const steps = components[0]!.criticalCycle!.map((s) => `${s.transition} ${s.place} ${s.seconds} ${s.tokens}`);
    expect(steps.sort()).toEqual(['t0[k=0] p1[0] 0.1 0', 't1[k=0] p0[0] 0.2 2']);
  });

  test('colours are rings of their own, and their firings add up', () => {
    const { transitions, components } = cycleTime(ring([1, 2], 1, 3));
    expect(transitions.map((t) => t.exact)).toEqual(['1', '1']);
    expect(components).toHaveLength(3);
  });

  test('the slowest of several cycles decides, whatever the scale of delays', () => {
    for (const scale of [1e-9, 1, 1e12]) {
      const n = new NetBuilder('two cycles');
      const [a, b, c] = [n.place('a', {}, { initial: 3 }), n.place('b', {}), n.place('c', {}, { initial: 1 })];
      n.transition('t', (t) => {
        t.take(a);
        t.take(c);
        t.put(b, {});
        t.delay(3 * scale);
      });
      n.transition('u', (t) => {
        t.take(b);
        t.put(a, {});
        t.put(c, {});
        t.delay(4 * scale);
      });
      expect(cycleTime(n.build()).cycleTime!.value).toBe(7 * scale);
    }
  });

  test('servers of a place limit it', () => {
    const n = new NetBuilder('station');
    const a = n.place('a', {}, { initial: 5, service: () => fcfs({ servers: 2, time: 3 }) });
    n.transition('t', (t) => {
      t.take(a);
      t.put(a, {});
      t.delay(1);
    });
    const { transitions, components } = cycleTime(n.build());
    expect(transitions[0]!.exact).toBe('2/3');
    expect(components[0]!.criticalCycle).toEqual([
      { transition: 'service of a', place: 'servers of a', seconds: 3, tokens: 2 },
    ]);
  });

  test('a cycle without tokens is a deadlock, and stops what it feeds; a place without producer starves', () => {
    const n = new NetBuilder('stops');
    const [a, b, c, d] = [n.place('a', {}), n.place('b', {}), n.place('c', {}), n.place('d', {}, { initial: 1 })];
    n.transition('t', (t) => {
      t.take(a);
      t.put(b, {});
      t.delay(1);
    });
    n.transition('u', (t) => {
      t.take(b);
      t.put(a, {});
      t.put(c, {});
      t.delay(1);
    });
    n.transition('v', (t) => {
      t.take(c);
      t.delay(1);
    });
    n.transition('w', (t) => {
      t.take(d);
      t.delay(1);
    });
    // The unfolding leaves out t, u, v, which can never fire.
    const { transitions, components, cycleTime: time } = cycleTime(n.build());
    expect(time).toBeUndefined();
    expect(transitions.map((t) => t.throughput)).toEqual([0, 0, 0, 0]);
    expect(components).toEqual([{ transitions: ['w'], firings: [1], limitedBy: 'starved', place: 'd' }]);
  });
});

describe('refusals', () => {
  test('every violated condition is named', () => {
    const n = new NetBuilder('decisions');
    const a = n.place('a', {}, { initial: 1 });
    const b = n.place('b', {}, { service: () => processorSharing({ servers: 1, time: 1 }) });
    const c = n.place('c', {}, { capacity: 4 });
    n.transition('t', (t) => {
      t.take(a);
      t.put(b, {});
      t.delay(uniform(1, 2));
    });
    n.transition('u', (t) => {
      t.take(a);
      t.put(b, {});
      t.inhibit(c);
      t.delay(1);
    });
    n.transition('v', (t) => {
      t.take(b);
      t.put(a, {});
      t.put(c, {});
      t.race({ delay: 1 });
    });
    n.transition('w', (t) => {
      t.take(c);
      t.reset(b);
      t.read(a);
      t.delay(1);
    });
    expect(messages(n.build())).toEqual([
      'BND002 place a: is a decision: it has several transitions that take from it, "t", "u"',
      'BND002 place a: is read by "w", whose firings depend on the times at which it is marked',
      'BND002 place b: has several transitions that put into it, "t", "u": their order depends on the times',
      'BND002 place b: has the service "ps", which interrupts or shares',
      'BND002 place c: has a capacity, and the clocks of race "v" run also where it has less room than firings (S9a): give the race a single server, or a delay without a race',
      'BND002 transition t: has the distribution "uniform": its delay must be constant',
      'BND002 transition u: has an inhibitor arc',
      'BND002 transition w: has a reset arc',
    ]);
  });

  test('weights that grow, endless instants, no delays', () => {
    const weights = new NetBuilder('weights');
    const a = weights.place('a', {}, { initial: 1 });
    weights.transition('t', (t) => {
      t.take(a);
      t.put(a, {}, 2);
      t.delay(1);
    });
    expect(messages(weights.build())).toEqual([
      'BND002 place a: gives 2 and takes 1 at a time: no numbers of firings reproduce the tokens of the cycles through it, which then grow or run out',
    ]);
    expect(messages(ring([0, 0], 1))).toEqual([
      'BND004 transition t0[k=0]: fires without end at one instant: no cycle through it takes time. Give one of its transitions a delay',
    ]);
    const source: Net = {
      ...ring([1], 1),
      untimed: true,
      transitions: [{ name: 't', inputs: [], outputs: [], delay: { op: 'const', value: 1 }, timing: 'race' }],
    };
    expect(messages(source)).toEqual([
      'BND001 net ring: the net has no delays: give its transitions delays to ask for its speed',
    ]);
  });

  test('an iteration of too many firings', () => {
    const n = new NetBuilder('long');
    const [a, b] = [n.place('a', {}, { initial: 1_000_000 }), n.place('b', {})];
    n.transition('t', (t) => {
      t.take(a, {}, 1_000_000);
      t.put(b, {}, 1_000_000);
      t.delay(1);
    });
    n.transition('u', (t) => {
      t.take(b);
      t.put(a, {});
      t.delay(1);
    });
    expect(messages(n.build())).toEqual(['BND003 transition t: an iteration has 1000001 firings, more than 200000']);
  });
});

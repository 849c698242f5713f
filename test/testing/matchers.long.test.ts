import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import '../../src/vitest.ts';
import { InputError } from '../../src/base/problem.ts';
import { spmd } from '../../src/models.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { exponential } from '../../src/net/builder/distributions.ts';
import type { Net } from '../../src/net/net.ts';

/** A bounded buffer: producing fills a slot, consuming frees it. */
function buffer(slots: number, fault = false): Net {
  const n = new NetBuilder('buffer');
  const free = n.place('free', {}, { initial: slots });
  const full = n.place('full', {});
  n.transition('produce', (t) => {
    t.take(free);
    t.put(full, {});
    if (fault) t.put(full, {});
  });
  n.transition('consume', (t) => {
    t.take(full);
    t.put(free, {});
  });
  return n.build();
}

/** Two processes that take two locks in opposite order and may deadlock. */
function locks(): Net {
  const n = new NetBuilder('locks');
  const [a, b] = ['a', 'b'].map((name) => n.place(name, {}, { kind: 'resource', initial: 1 })) as [never, never];
  const done = n.place('done', {});
  for (const [k, first, second] of [
    [1, a, b],
    [2, b, a],
  ] as const) {
    const begin = n.place(`begin${k}`, {}, { initial: 1 });
    const holds = n.place(`holds${k}`, {});
    n.transition(`first${k}`, (t) => {
      t.take(begin);
      t.take(first);
      t.put(holds, {});
    });
    n.transition(`second${k}`, (t) => {
      t.take(holds);
      t.take(second);
      t.put(first, {});
      t.put(second, {});
      t.put(done, {});
    });
  }
  return n.build();
}

/** One firing with the given delay. */
function work(delay: number | ReturnType<typeof exponential>): Net {
  const n = new NetBuilder('work');
  const begin = n.place('begin', {}, { initial: 1 });
  const done = n.place('done', {});
  n.transition('work', (t) => {
    t.take(begin);
    t.delay(delay);
    t.put(done, {});
  });
  return n.build();
}

/** An unbounded source of tokens. */
function source(): Net {
  const n = new NetBuilder('source');
  const p = n.place('p', {}, { initial: 1 });
  const q = n.place('q', {});
  n.transition('make', (t) => {
    t.take(p);
    t.put(p, {});
    t.put(q, {});
  });
  return n.build();
}

/**
 * Tokens accumulate until the last transition is enabled after 1000 steps, which structural analysis cannot show. With an
 * inhibitor, backward search cannot decide it either.
 */
function late(inhibited = false): Net {
  const n = new NetBuilder('source');
  const p = n.place('p', {}, { initial: 1 });
  const q = n.place('q', {});
  n.transition('make', (t) => {
    t.take(p);
    t.put(p, {});
    t.put(q, {});
  });
  n.transition('stop', (t) => {
    t.take(p);
    t.take(q, {}, 1000);
    if (inhibited) t.inhibit(q, {}, 2000);
  });
  return n.build();
}

const cli = (...args: string[]) => spawnSync(process.execPath, ['dist/cli/main.js', ...args], { encoding: 'utf8' });

const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (e) {
    return (e as Error).message.replaceAll(/\S*foretoken-failures-\w+\/([\w-]+)-[0-9a-f]{8}\.json/g, '$1.json');
  }
  throw new Error('it passed');
};

test('a property that holds passes, its negation fails', () => {
  expect(buffer(1)).toBeSafe();
  expect(buffer(3)).toBeBounded(3);
  expect(buffer(3)).toBeDeadlockFree();
  expect(buffer(3)).toBeLive();
  expect(buffer(3)).toConserve({ free: 1, full: 1 });
  expect(buffer(3)).toReach('tokens(full) = 3');
  expect(buffer(3)).toNeverReach('tokens(full) > 3');
  expect(buffer(3)).toSatisfy('reversible');
  expect(work(2)).toFinishWithin(2);
  expect(work(2)).toBeSound({ final: { done: 1 } });
  expect(() => expect(buffer(1)).not.toBeSafe()).toThrow('expected net "buffer" not to be safe');
  expect(() => expect(buffer(3)).not.toBeBounded(3)).toThrow('not to be 3-bounded');
  expect(() => expect(buffer(3)).not.toBeDeadlockFree()).toThrow('not to be free of deadlocks');
  expect(() => expect(buffer(3)).not.toBeLive()).toThrow('not to be live');
  expect(() => expect(buffer(3)).not.toConserve({ free: 1, full: 1 })).toThrow('y · C = 0');
  expect(() => expect(buffer(3)).not.toReach('tokens(full) = 3')).toThrow('not to reach tokens(full) = 3');
  expect(() => expect(buffer(3)).not.toNeverReach('tokens(full) > 3')).toThrow('not never to reach');
  expect(() => expect(buffer(3)).not.toSatisfy('reversible')).toThrow('not to satisfy reversible');
  expect(() => expect(work(2)).not.toFinishWithin(2)).toThrow('it ends at 2 s');
  expect(() => expect(work(2)).not.toBeSound({ final: { done: 1 } })).toThrow('no tokens remain');
});

test('toSatisfy still accepts functions, as in vitest', () => {
  expect(7).toSatisfy((n) => n > 5);
  expect(7).not.toSatisfy((n) => n > 8, 'not large');
  expect({ n: 7 }).toEqual({ n: expect.toSatisfy((n) => n > 5) });
  expect(() => expect(7).toSatisfy((n) => n > 8, 'not large')).toThrow('not large');
  expect(() => expect(7).toSatisfy((n) => n > 8)).toThrow('expected 7 to satisfy the given function');
});

test('a violated property fails, its negation passes', () => {
  expect(buffer(2)).not.toBeSafe();
  expect(buffer(3)).not.toBeBounded(2);
  expect(locks()).not.toBeDeadlockFree();
  expect(locks()).not.toBeLive();
  expect(buffer(3, true)).not.toConserve({ free: 1, full: 1 });
  expect(buffer(3)).not.toReach('tokens(full) = 4');
  expect(buffer(3)).not.toNeverReach('tokens(full) = 3');
  expect(locks()).not.toSatisfy('reversible');
  expect(work(2)).not.toFinishWithin(1.9);
  expect(locks()).not.toBeSound({ final: { done: 2 } });
  expect(locks()).not.toBeSound({ final: 'tokens(done) = 2' });
});

test('a failure shows a shortest sequence and the command that reproduces it', () => {
  expect(messageOf(() => expect(locks()).toBeDeadlockFree({ final: 'tokens(done) = 2' }))).toMatchInlineSnapshot(`
    "expected net "locks" to be free of deadlocks
    deadlock-free is false, decided by exploring 9 markings
    after 2 steps (a shortest sequence): no further step is possible
      1. first1: a −1, begin1 −1, holds1 +1
      2. first2: b −1, begin2 −1, holds2 +1
    reproduce with: foretoken verify locks.json --property deadlock-free --final 'tokens(done) = 2' --max-states 262144"
  `);
  expect(messageOf(() => expect(buffer(2, true)).toConserve({ free: 2, full: 2 }))).toMatchInlineSnapshot(`
    "expected net "buffer" to conserve 2·free + 2·full
    after 1 step (a shortest sequence): 2·free + 2·full is initially 4, then 6
      1. produce: free −1, full +2
    reproduce with: foretoken verify buffer.json --property 'invariant(2*tokens(free, full) = 4)' --max-states 262144"
  `);
  expect(messageOf(() => expect(locks()).toBeSound({ final: { done: 2 } }))).toMatchInlineSnapshot(`
    "expected net "locks" to be sound
    a run stops before the final marking:
    AG !deadlock is false, decided by exploring 9 markings
    after 2 steps (a shortest sequence): no further step is possible
      1. first1: a −1, begin1 −1, holds1 +1
      2. first2: b −1, begin2 −1, holds2 +1
    reproduce with: foretoken verify locks.json --property 'AG !deadlock' --final 'tokens(done) = 2 & tokens(a) = 1 & tokens(b) = 1 & tokens(begin1) = 0 & tokens(holds1) = 0 & tokens(begin2) = 0 & tokens(holds2) = 0' --max-states 262144"
  `);
  expect(messageOf(() => expect(work(2)).toFinishWithin(1))).toMatchInlineSnapshot(`
    "expected net "work" to finish within 1 s
    exact, by one run (nothing is random): it ends at 2 s
    reproduce with: foretoken predict work.json --seed 1 --until 1"
  `);
});

test('a failure names the property and its violated part', () => {
  const found = (run: () => unknown): string[] => messageOf(run).split('\n').slice(1, 3);
  expect(found(() => expect(buffer(2)).toBeSafe())).toEqual([
    'safe is false, decided by exploring 1 marking',
    'violated: tokens(free) = 2',
  ]);
  expect(found(() => expect(buffer(3)).toBeBounded(2))).toEqual([
    'bounded(2) is false, decided by exploring 1 marking',
    'violated: tokens(free) = 3',
  ]);
  expect(found(() => expect(locks()).toBeLive())).toEqual([
    'live is false, decided by exploring 9 markings',
    'violated: AG EF enabled(first1)',
  ]);
});

describe('undecided properties and their negations fail', () => {
  const unknown: readonly [string, (e: ReturnType<typeof expect<Net>>) => void][] = [
    ['toBeDeadlockFree', (e) => e.toBeDeadlockFree({ maxStates: 50 })],
    ['toBeLive', (e) => e.toBeLive({ maxStates: 50 })],
    ['toReach', (e) => e.toReach('tokens(q) = 1000', { maxStates: 50 })],
    ['toNeverReach', (e) => e.toNeverReach('tokens(q) = 1000', { maxStates: 50 })],
    ['toSatisfy', (e) => e.toSatisfy('AG EF (tokens(q) = 0)', { maxStates: 50 })],
    ['toBeSound', (e) => e.toBeSound({ final: { p: 1, q: 1000 }, maxStates: 50 })],
  ];
  test.each(unknown)('%s fails if its property is undecided, and so does its negation', (name, matcher) => {
    const net = (): Net => late(name === 'toBeBounded');
    expect(() => matcher(expect(net()))).toThrow(
      /^UNKNOWN: expected net "source"[\s\S]*after 50 markings \(maxStates 50\)/,
    );
    expect(() => matcher(expect(net()).not as never)).toThrow(
      /^UNKNOWN: expected net "source"[\s\S]*after 50 markings \(maxStates 50\)/,
    );
  });

  test('an unbounded place is decided for any bound', () => {
    for (const bound of [10, 1000, 1e6]) expect(late()).not.toBeBounded(bound, { maxStates: 50 });
    expect(messageOf(() => expect(late()).toBeBounded(100, { maxStates: 50 }))).toMatch(
      /bounded\(100\) is false, decided by the coverability graph: found by \d+ demands/,
    );
  });

  test('toConserve', () => {
    // The reset can never fire, which only the reachable markings show.
    const n = new NetBuilder('reset');
    const p = n.place('p', {}, { initial: 1 });
    const q = n.place('q', {});
    const never = n.place('never', {});
    n.transition('make', (t) => {
      t.take(p);
      t.put(p, {});
      t.put(q, {});
    });
    n.transition('drop', (t) => {
      t.take(never);
      t.reset(p);
    });
    const net = n.build();
    expect(() => expect(net).toConserve({ p: 1 }, { maxStates: 50 })).toThrow(/^UNKNOWN/);
    expect(() => expect(net).not.toConserve({ p: 1 }, { maxStates: 50 })).toThrow(/^UNKNOWN/);
  });

  test('toFinishWithin', () => {
    const n = new NetBuilder('ticks');
    const p = n.place('p', {}, { initial: 1 });
    n.transition('tick', (t) => {
      t.take(p);
      t.delay(1e-9);
      t.put(p, {});
    });
    const net = n.build();
    expect(() => expect(net).toFinishWithin(1, { maxSteps: 100 })).toThrow(/^UNKNOWN.*\n.*100 steps/);
    expect(() => expect(net).not.toFinishWithin(1, { maxSteps: 100 })).toThrow(/^UNKNOWN/);
  });
});

test('a sum changed only by firings in progress is conserved', () => {
  expect(work(2)).toConserve({ begin: 1, done: 1 });
  expect(work(exponential(1))).not.toConserve({ begin: 1, done: 2 });
});

test('an unbounded net has invariants, too', () => {
  expect(source()).toConserve({ p: 3 });
  expect(source()).not.toConserve({ q: 1 });
});

test('structural proofs and backward search need no limit', () => {
  expect(source()).toBeDeadlockFree({ maxStates: 50 });
  expect(source()).toBeLive({ maxStates: 50 });
  expect(late()).not.toBeBounded(1000, { maxStates: 50 });
  expect(() => expect(source()).not.toBeLive({ maxStates: 50 })).toThrow('not to be live');
  expect(() => expect(source()).not.toBeDeadlockFree({ maxStates: 50 })).toThrow(
    'deadlock-free is true, proved by siphons and traps: each place of a marked trap of 1 place enables a transition alone',
  );
});

test('random times: a quantile at a confidence, or undecided', () => {
  // The 0.95 quantile of an exponential time with mean 1 is ln 20 = 2.996.
  expect(work(exponential(1))).toFinishWithin(5);
  expect(work(exponential(1))).not.toFinishWithin(1.5);
  expect(() => expect(work(exponential(1))).toFinishWithin(3)).toThrow(/^UNKNOWN[\s\S]*use more replications/);
  expect(() => expect(work(exponential(1))).not.toFinishWithin(3)).toThrow(/^UNKNOWN/);
  expect(() => expect(work(exponential(1))).toFinishWithin(5, { replications: 58 })).toThrow(
    'TEST006 toFinishWithin: 58 replications cannot bound the 0.95 quantile at confidence 0.95: expected at least 59',
  );
  expect(work(exponential(1))).toFinishWithin(9, { replications: 59 });
});

test('a run that stops early has not finished', () => {
  const net = work(1);
  expect(net).not.toFinishWithin(5, { final: { done: 2 } });
  expect(() => expect(net).toFinishWithin(5, { final: { done: 2 } })).toThrow(
    'it stops at 1 s, before its final marking: remaining tokens: done 1',
  );
});

test('the command reported for a run that stops early reproduces it: it exits with 1', () => {
  const hang = spmd({
    name: 'hang',
    verifyWith: { ranks: 2 },
    build(m) {
      m.recv({ from: (s) => 1 - s.rank });
      m.send({ to: (s) => 1 - s.rank, bytes: 8 });
    },
  });
  const both = work(exponential(1));
  for (const [run, final] of [
    [() => expect(hang).toFinishWithin(1), 'tokens(ended) = 2'],
    [() => expect(both).toFinishWithin(50, { final: { done: 2 } }), 'tokens(done) = 2'],
  ] as const) {
    let message = '';
    try {
      run();
    } catch (e) {
      message = (e as Error).message;
    }
    expect(message).toContain('before its final marking');
    const again =
      /^reproduce with: foretoken verify (\S+) --property deadlock-free --final '(.*)' --max-states 262144$/m;
    const [, file, formula] = again.exec(message) ?? [];
    expect(formula).toContain(final);
    const verified = cli('verify', file!, '--property', 'deadlock-free', '--final', formula!);
    expect(verified.stdout).toContain('Violated: deadlock-free');
    expect(verified.status).toBe(1);
    const told = /^a run, which reports the remaining tokens: foretoken predict (\S+) --seed 1 --until \d+$/m.exec(
      message,
    );
    expect(cli('predict', told![1]!).stdout).toContain('No further step is possible; tokens left');
  }
});

test('the verdict of the delays applies to one order only', () => {
  // In the sequence found, the slow worker ends before the fast one, which the delays do not permit.
  const n = new NetBuilder('workers');
  for (const [name, delay] of [
    ['slow', 3],
    ['fast', 2],
  ] as const) {
    const begin = n.place(`${name} begins`, {}, { initial: 1 });
    const done = n.place(`${name} done`, {});
    n.transition(name, (t) => {
      t.take(begin);
      t.delay(delay);
      t.put(done, {});
    });
  }
  const net = n.build();
  let message = '';
  try {
    expect(net).toNeverReach('tokens("slow done") = 1');
  } catch (e) {
    message = (e as Error).message;
  }
  expect(message).toMatch(
    /the delays rule out this order: before step \d time would pass.*; another order may still be possible/,
  );
  const { stdout } = cli('verify', /foretoken verify (\S+)/.exec(message)![1]!, '-p', 'EF(tokens("slow done") = 1)');
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /The delays rule out this order: before step \d time would pass [^.]*\. Another order may still be possible\./,
  );
  // Another order is possible: at 3 s both have ended, the slow one last.
  expect(net).toFinishWithin(3, { final: { 'slow done': 1, 'fast done': 1 } });
});

describe('models of programs', () => {
  const exchange = (bytes: number) =>
    spmd({
      name: 'exchange',
      params: { turns: 1 as number },
      verifyWith: { ranks: 2, turns: 2 },
      build: (m) => {
        m.loop(m.p.turns, () => {
          m.send({ to: (s) => (s.rank + 1) % s.size, bytes });
          m.recv({ from: (s) => (s.rank + s.size - 1) % s.size });
        });
      },
    });

  test('eager sends continue, others wait for their receivers', () => {
    expect(exchange(8)).toBeDeadlockFree();
    expect(exchange(8)).toBeSound();
    expect(exchange(8)).toBeSound({ ranks: 3, set: { turns: 1 } });
    expect(exchange(8)).toFinishWithin(1);
    expect(exchange(1e6)).not.toBeDeadlockFree();
    expect(exchange(1e6)).not.toBeSound();
    expect(exchange(1e6)).not.toFinishWithin(1000);
  });

  test('the verdict gives its ranks and parameters', () => {
    expect(() => expect(exchange(8)).not.toBeDeadlockFree()).toThrow(
      'expected model "exchange" on 2 ranks, turns 2 not',
    );
  });

  test('a message without a receive remains', () => {
    const model = spmd({
      name: 'lost',
      build: (m) =>
        m.when(
          (s) => s.rank === 0,
          () => m.send({ to: 1, bytes: 8 }),
        ),
    });
    expect(model).toBeDeadlockFree({ ranks: 2 });
    expect(() => expect(model).toBeSound({ ranks: 2 })).toThrow('tokens remain in addition to the final marking');
  });
});

describe('an argument that is not a net is rejected', () => {
  const builder = new NetBuilder('n');
  const net = buffer(1);
  const wrong: readonly [unknown, string][] = [
    [undefined, 'TEST001 argument of toBeSafe: expected a net or a model of a program, got nothing'],
    [5, 'TEST001 argument of toBeSafe: expected a net or a model of a program, got 5'],
    ['net.pnml', 'got the string "net.pnml" (netFromJson and readPnml read nets)'],
    [builder, 'got a builder: call build() first'],
    [Promise.resolve(net), 'got a promise: await it first'],
    [{ net }, 'got an object with the member "net"'],
    [{ places: [], transitions: [] }, 'got an object without name, colours, tables'],
    [{ ...net, places: 5 }, 'NET'],
    [
      {
        ...net,
        transitions: [{ ...net.transitions[0]!, inputs: [{ ...net.transitions[0]!.inputs[0]!, place: 'fre' }] }],
      },
      'fre',
    ],
  ];
  test.each(wrong)('%o is refused as a net', (value, message) => {
    for (const run of [() => expect(value).toBeSafe(), () => expect(value).not.toBeSafe()]) {
      expect(run).toThrow(InputError);
      expect(run).toThrow(message);
    }
  });

  test.each<[string, () => unknown]>([
    [
      'TEST002 toBeSafe: has no option "maxState". Did you mean "maxStates"?',
      () => expect(net).toBeSafe({ maxState: 5 } as never),
    ],
    ['TEST002 toBeSafe: options: expected an object, got 5', () => expect(net).toBeSafe(5 as never)],
    ['TEST002 toBeBounded: expected an integer >= 0 as the bound, got 1.5', () => expect(net).toBeBounded(1.5)],
    ['TEST002 toFinishWithin: seconds: expected a finite number >= 0, got -1', () => expect(net).toFinishWithin(-1)],
    [
      'TEST002 toFinishWithin: quantile: expected a number between 0 and 1, got 2',
      () => expect(net).toFinishWithin(1, { quantile: 2 }),
    ],
    [
      'TEST002 toFinishWithin: replications: expected an integer from 1 to 1000000, got 0',
      () => expect(net).toFinishWithin(1, { replications: 0 }),
    ],
    [
      'TEST002 toFinishWithin: has no option "maxStates"',
      () => expect(net).toFinishWithin(1, { maxStates: 1 } as never),
    ],
    ['TEST003 "upper-bound(tokens(full))" is a number, 1', () => expect(net).toSatisfy('upper-bound(full)')],
    ['TEST003 toReach: "deadlock-free" is not a formula', () => expect(net).toReach('deadlock-free')],
    ['TEST003 toReach: expected a formula', () => expect(net).toReach(5 as never)],
    [
      'TEST003 final: expected a final marking of a run by numbers of tokens',
      () => expect(net).toFinishWithin(1, { final: 'initial' }),
    ],
    ['TEST004 toBeSound: a net does not define its final marking', () => expect(net).toBeSound()],
    ['TEST005 toConserve: the net has no place "ful". Did you mean "full"?', () => expect(net).toConserve({ ful: 1 })],
    ['TEST005 toConserve: "full": expected an integer, got 0.5', () => expect(net).toConserve({ full: 0.5 })],
    ['TEST005 toConserve: every weight is 0', () => expect(net).toConserve({ full: 0 })],
    ['TEST005 toConserve: expected { place: number, … }', () => expect(net).toConserve({})],
    [
      'TEST005 final: tokens of "full": expected an integer >= 0, got -1',
      () => expect(net).toBeSound({ final: { full: -1 } }),
    ],
    ['PROP002', () => expect(net).toReach('tokens(ful) = 1')],
    ['PROP031', () => expect(net).toBeSafe({ maxStates: 0 })],
  ])('an argument of a matcher is refused: %s', (message, run) => {
    expect(run).toThrow(InputError);
    expect(run).toThrow(message);
  });
});

import { describe, expect, test } from 'vitest';
import { components } from '../../../src/analysis/petri/components.ts';
import { Budget } from '../../../src/analysis/space/budget.ts';
import { minMemory } from '../../../src/analysis/space/check-limits.ts';
import { explore as exploreSpace } from '../../../src/analysis/space/explore.ts';
import { InputError } from '../../../src/base/problem.ts';
import { explore } from '../../../src/commands/explore/explore.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { verifyProgram } from '../../../src/commands/verify/program/verify-program.ts';
import { spmd } from '../../../src/models.ts';
import { philosophers } from '../../net/contest-nets.ts';

const net = philosophers(8);
/** Options of a command whose time is over before its exploration begins. */
const late = (seconds: number): { seconds: number; begun: number } => ({
  seconds,
  begun: performance.now() - 1000 * seconds,
});

describe('a budget', () => {
  test('counts seconds from the start of the command and reserves time for the answer', () => {
    const budget = Budget.of({ seconds: 100, begun: performance.now() - 50_000 });
    expect(budget.secondsLeft).toBeGreaterThan(40);
    expect(budget.secondsLeft).toBeLessThan(50);
    expect([budget.late, budget.stop()]).toEqual([undefined, false]);
    expect(budget.before(0.5).secondsLeft).toBeLessThan(25);
    expect(Budget.of(late(1)).late).toBe('time');
    expect(Budget.of(late(1)).before(0.5).exceeded).toBe('time');
    expect(Budget.of({ cancelled: () => true }).exceeded).toBe('interrupted');
  });

  test('counts the memory of the whole process', () => {
    const rss = process.memoryUsage.rss();
    expect(Budget.of({ memory: rss / 2 }).exceeded).toBe('memory');
    expect(Budget.of({ memory: rss / 2 }).bytesLeft).toBe(0);
    expect(Budget.of({ memory: 4 * rss }).exceeded).toBeUndefined();
    expect(Budget.of({ memory: 4 * rss }).bytesLeft).toBeGreaterThan(rss);
  });
});

describe('a time limit', () => {
  test('includes everything after the exploration, and the document says so', () => {
    const document = explore(net, late(5));
    expect(document).toMatchObject({ complete: false, truncation: 'time' });
    expect(document.because.quasiLive).toBe('the time limit was reached');
    expect(document.figures.sccs.value).toBeNull();
  });

  test('keeps the states of a complete exploration and omits later results', () => {
    let asked = 0;
    // The time limit is reached when all states are found.
    const space = exploreSpace(net);
    const options = { seconds: 1000, begun: performance.now() };
    const document = explore(net, options, (given, own) => {
      expect(given).toBe(net);
      expect(own.budget!.secondsLeft).toBeLessThan(800);
      return { space, advance: () => asked++ < 0 };
    });
    expect(document).toMatchObject({ complete: true, figures: { states: { value: space.states } } });
  });

  test.each(['none', 'auto', 'all'] as const)('holds for verification with reduction %s', (reduce) => {
    const asked =
      reduce === 'all' ? ['deadlock-free', 'safe'] : ['deadlock-free', 'live', 'bounds', 'AF(tokens(Eat) > 0)'];
    const { properties, complete } = verify(net, asked, { ...late(5), reduce });
    expect(complete).toBe(false);
    for (const p of properties.filter((one) => one.verdict === null)) expect(p.reason).toMatch(/time limit/);
    expect(properties.some((p) => p.verdict === null)).toBe(true);
  });
});

test('graphs and components stop on request', () => {
  const space = exploreSpace(philosophers(10));
  expect(space.graph(Number.POSITIVE_INFINITY, () => true)).toBeUndefined();
  const graph = space.graph()!;
  expect(components(graph, () => true)).toBeUndefined();
  expect(components(graph, () => false)!.count).toBe(components(graph).count);
  const general = exploreSpace(philosophers(5), { engine: 'general' });
  expect(general.graph(Number.POSITIVE_INFINITY, () => true)).toBeUndefined();
});

test('maxima are the same for repeated queries', () => {
  const asked = exploreSpace(net, { progress: (space) => void space.maxTokensInPlace });
  const once = exploreSpace(net);
  expect([asked.maxTokensInPlace, asked.maxTokensPerMarking]).toEqual([
    once.maxTokensInPlace,
    once.maxTokensPerMarking,
  ]);
});

describe('a memory limit', () => {
  const message = (run: () => unknown): string => {
    try {
      run();
      return 'no problem';
    } catch (e) {
      if (!(e instanceof InputError)) throw e;
      return e.message;
    }
  };

  test('below the needs of the process is rejected, with the minimum', () => {
    const expected = /expected at least (\d+)MiB.* 1000000 bytes/;
    expect(message(() => explore(net, { memory: 1e6 }))).toMatch(/EXPL005 memory/);
    expect(message(() => verify(net, ['safe'], { memory: 1e6 }))).toMatch(/PROP031 verify: memory/);
    for (const run of [() => explore(net, { memory: 1e6 }), () => verify(net, ['safe'], { memory: 1e6 })]) {
      const least = Number(expected.exec(message(run))![1]) * 2 ** 20;
      expect(least).toBeGreaterThan(process.memoryUsage.rss() - 2 ** 24);
    }
  });

  test('of the stated minimum is accepted', () => {
    expect(explore(philosophers(3), { memory: minMemory() }).figures.states.value).toBeGreaterThan(0);
  });
});

describe('the time limit of a program verification', () => {
  const loop = (choice: boolean) =>
    spmd({
      name: 'loop',
      build(m) {
        m.loop(1e8, () => m.compute({ flops: 1 }));
        if (choice) m.chance(0.5, () => m.compute({ flops: 1 }));
      },
    });

  test.each([false, true])('cuts the run of a program (with choices: %s)', (choice) => {
    const begun = performance.now();
    const document = verifyProgram(loop(choice), { ranks: 4, sends: 'eager', seconds: 0.5, maxStates: 1e9 });
    expect(performance.now() - begun).toBeLessThan(5_000);
    const [instance] = document.instances;
    expect(document.complete).toBe(false);
    expect(instance!.properties[0]).toEqual({
      id: 'deadlock-free',
      verdict: null,
      reason: 'the time limit was reached',
    });
  });

  test('counts from the start of the command', () => {
    const document = verifyProgram(loop(false), { ranks: 2, sends: 'eager', ...late(100) });
    expect(document.instances[0]).toMatchObject({
      sound: null,
      properties: [{ reason: 'the time limit was reached' }, {}, {}],
    });
    expect(document.instances[0]!.steps).toBe(0);
    const explored = verifyProgram(loop(true), { ranks: 2, buffer: 3, ...late(100) });
    expect(explored.instances.map((i) => i.properties.map((p) => [p.id, p.verdict]))).toEqual(
      [1, 2].map(() => ['deadlock-free', 'ends', 'received', 'supplied', 'buffer'].map((id) => [id, null])),
    );
  });
});

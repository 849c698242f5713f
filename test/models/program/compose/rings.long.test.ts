import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../../src/commands/diagnose/diagnose.ts';
import { map } from '../../../../src/commands/mapping/map.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { steady } from '../../../../src/commands/steady/steady.ts';
import { verify } from '../../../../src/commands/verify/net/verify.ts';
import { verifyProgram } from '../../../../src/commands/verify/program/verify-program.ts';
import { verifyThreads } from '../../../../src/commands/verify/threads/verify-threads.ts';
import { summaryOf } from '../../../../src/commands/view/summary/summary.ts';
import type { ThreadBuilder } from '../../../../src/models/threads/program/builder-types.ts';
import { cluster, compose, phase, receives, sends, spmd, threads } from '../../../../src/models.ts';
import { NetBuilder } from '../../../../src/net/builder/builder.ts';

type Builder = ThreadBuilder<Record<never, never>, never>;

/** Names of the modules of a ring, and the labels that each shares with the next. */
const ringOf = (size: number) => {
  const names = Array.from({ length: size }, (_, k) => `s${k}`);
  return { names, synchronise: names.map((name, k) => [`${name}.right`, `s${(k + 1) % size}.left`]) };
};

/** Each module receives from the one before it, then sends to the next: none begins. */
function programRing(size: number) {
  const { names, synchronise } = ringOf(size);
  const station = (name: string) =>
    spmd({
      name,
      interface: { left: receives(), right: sends() },
      build(m) {
        m.recv({ label: 'left' });
        m.send({ label: 'right', bytes: 8 });
      },
    });
  return compose(
    names.map((name) => ({ model: station(name), ranks: 1 })),
    { name: 'ring', synchronise: synchronise as never },
  );
}

function threadRing(size: number) {
  const { names, synchronise } = ringOf(size);
  const station = (name: string) =>
    threads({
      name,
      interface: { left: 'semaphore', right: 'semaphore' },
      build(t) {
        const [left, right] = [t.semaphore('left', 0), t.semaphore('right', 0)];
        t.acquire(left);
        t.release(right);
      },
    });
  return compose(
    names.map((name) => station(name)),
    { name: 'ring', synchronise: synchronise as never },
  );
}

function netRing(size: number) {
  const { names, synchronise } = ringOf(size);
  const station = (name: string) => {
    const n = new NetBuilder(name);
    const [idle, busy] = [n.place('idle', {}, { initial: 1 }), n.place('busy')];
    n.transition('take', (t) => {
      t.take(idle);
      t.put(busy, {});
      t.label('left');
    });
    n.transition('give', (t) => {
      t.take(busy);
      t.put(idle, {});
      t.label('right');
    });
    return n.build();
  };
  return compose(
    names.map((name) => station(name)),
    { name: 'ring', synchronise },
  );
}

const machineOf = (nodes: number) =>
  cluster({ nodes, coresPerNode: 1, speed: 1e9, link: { latency: 1e-6, bandwidth: 1e9 }, eagerBelow: 65_536 });

/** The first screen of `view`, as JSON. */
const summary = (document: unknown): string => {
  const { warned, statements } = summaryOf([document as never], []);
  return JSON.stringify([warned(), statements()]);
};

// A module alone never deadlocks here: its neighbours are always ready. The ring deadlocks before its first step.
describe.each([3, 200])('a ring of %i modules that deadlocks at once', (size) => {
  const names = Array.from({ length: size }, (_, k) => `s${k}`);

  test('programs: every blocked rank is named with its module', async () => {
    const ring = programRing(size);
    const predicted = predict(ring, { machine: machineOf(size) });
    expect(predicted.deadlock.map((d) => d.operation)).toEqual(names.map((name) => `${name}.recv`));
    expect(summary(predicted)).toContain(`Deadlock: ${size} ranks wait forever`);
    expect(summary(predicted)).toContain('s1.recv');
    if (size > 3) return;
    const verified = JSON.stringify(verifyProgram(ring));
    for (const name of names) expect(verified).toContain(`${name}.recv`);
    expect(JSON.stringify((await steady(ring, { machine: machineOf(size) })).warnings)).toContain('1 of 1 run');
    expect(predict(map(ring, { machine: machineOf(size) }).net).marking).toBeDefined();
    expect(() => diagnose(ring as never)).toThrow('DIAG004');
  });

  test('threads: every blocked task is named with its module and its object', () => {
    const ring = threadRing(size);
    const predicted = predict(ring, { workers: size });
    // A shared object has the name that its first module gives it: s0.right is the left of s1.
    const operations = names.map((_, k) => (k === 0 ? 's0.left' : `s${k - 1}.right`));
    expect(predicted.deadlock.map((d) => `${d.strand}: ${d.operation}`)).toEqual(
      names.map((name, k) => `task ${name}: acquire ${operations[k]}`),
    );
    expect(summary(predicted)).toContain(`Deadlock: ${size} strands wait forever`);
    const verified = verifyThreads(ring, { workers: 3 });
    expect(verified.instances.map((i) => i.properties.find((p) => p.id === 'deadlock-free')?.verdict)).toEqual([
      false,
      false,
      false,
    ]);
    // One order stands for all: of a semaphore that one strand acquires, it gets the same units in each.
    expect(verified.instances[0]!.states).toBeLessThan(5 * size);
    for (const name of names) expect(JSON.stringify(verified)).toContain(`task ${name}`);
    if (size > 3) return;
    expect(JSON.stringify(diagnose(ring, { workers: 3 }))).toContain('acquire s1.right');
  });

  test('nets: the tokens that wait are named with their modules', async () => {
    const ring = netRing(size);
    const predicted = predict(ring);
    expect(predicted.marking).toEqual(Object.fromEntries(names.map((name) => [`${name}.idle`, 1])));
    const tokens = 's0.idle 1, s1.idle 1';
    expect(summary(predicted)).toContain(`No further step is possible; tokens left: ${tokens}`);
    const [answer] = verify(ring, [{ kind: 'deadlock-free' }] as never).properties;
    expect([answer!.verdict, answer!.witness!.steps]).toEqual([false, []]);
    expect(answer!.witness!.shows).toMatch(
      size > 3
        ? /^no further step is possible; tokens: (s\d+\.idle 1, ){11}s\d+\.idle 1, and 188 more$/
        : /^no further step is possible; tokens: s0\.idle 1, s1\.idle 1, s2\.idle 1$/,
    );
    if (size === 3) expect((await steady(ring)).places.map((p) => p.mean)).toEqual([1, 0, 1, 0, 1, 0]);
  });
});

describe('thread modules that share a mutex', () => {
  const sharing = (size: number, build: (t: Builder, lock: ReturnType<Builder['mutex']>, k: number) => void) =>
    compose(
      ringOf(size).names.map((name, k) =>
        threads({
          name,
          interface: { lock: 'mutex' },
          build: (t) => build(t, t.mutex('lock'), k),
        }),
      ),
      { name: 'sharing', synchronise: ['lock'] },
    );
  const verdict = (given: ReturnType<typeof sharing>) => {
    const [{ states, properties }] = verifyThreads(given, { scheduler: 'os' }).instances as never as [
      { states: number; properties: { verdict: boolean | null }[] },
    ];
    return [states < 2000, properties.every((p) => p.verdict)];
  };

  test('200 of them whose sections end in any order are verified in one order', () => {
    // Each has a mutex of its own, which it locks inside.
    const nested = sharing(200, (t, lock) => {
      const own = t.mutex('own');
      t.critical(lock, () => t.critical(own, () => t.compute({ seconds: 1 })));
    });
    expect(verdict(nested)).toEqual([true, true]);
    const equal = sharing(200, (t, lock) => t.critical(lock, () => t.compute({ seconds: 1 })));
    expect(verdict(equal)).toEqual([true, true]);
  });

  test('a section that waits for ever is a deadlock', () => {
    const stuck = sharing(4, (t, lock, k) => {
      const open = t.semaphore('open', k === 0 ? 0 : 1);
      t.critical(lock, () => t.acquire(open));
    });
    const [{ violations }] = verifyThreads(stuck, { scheduler: 'os' }).instances as never as [
      { violations: { kind: string }[] },
    ];
    expect(violations.map((v) => v.kind)).toEqual(['deadlock', 'lost-wake-up']);
  });
});

test('a module needs a rank, also as the rest', () => {
  const module = (name: string) => spmd({ name, interface: { meet: phase() }, build: (m) => m.meet('meet') });
  const of = (ranks: number | 'rest') =>
    compose(
      [
        { model: module('a'), ranks: 2 },
        { model: module('b'), ranks },
      ],
      { name: 'both', synchronise: ['meet'] },
    );
  for (const ranks of [0, -1, 1.5, Number.NaN])
    expect(() => of(ranks)).toThrow(`MODEL001 ranks of module "b": expected an integer >= 1 or 'rest', got ${ranks}`);
  expect(() => predict(of('rest'), { machine: machineOf(4), ranks: 2 })).toThrow(
    'MODEL004 model "both" does not run on 2 ranks: its parts need at least 3; the nearest allowed is 3',
  );
});

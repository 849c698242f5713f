import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../../src/base/problem.ts';
import type {
  ProgramInstance,
  ProgramVerificationDocument,
} from '../../../../src/commands/verify/program/program-verification.ts';
import { renderProgramVerification } from '../../../../src/commands/verify/program/program-verify-view.ts';
import { verifyProgram } from '../../../../src/commands/verify/program/verify-program.ts';
import { ANY, counter, flag, mpmd, rankVar, spmd } from '../../../../src/models.ts';

const verdicts = (i: ProgramInstance): Record<string, boolean | null> =>
  Object.fromEntries(i.properties.map((p) => [p.id, p.verdict]));
const of = (d: ProgramVerificationDocument, sends: string): ProgramInstance[] =>
  d.instances.filter((i) => i.sends === sends);
const page = (d: ProgramVerificationDocument): string =>
  renderProgramVerification(d, { width: 100, colour: false, unicode: true }).replaceAll(/[\d.]+ m?s$/gm, 'TIME');

const exchange = spmd({
  name: 'exchange',
  build(m) {
    m.send({ to: (s) => (s.rank + 1) % s.size, bytes: 8 });
    m.recv({ from: (s) => (s.rank + s.size - 1) % s.size });
  },
});

/** All ranks send to rank 0, which receives from any source. */
const gather = spmd({
  name: 'gather',
  build(m) {
    m.when(
      (s) => s.rank === 0,
      () => m.loop(m.size - 1, () => m.recv({ from: ANY })),
      () => m.send({ to: 0, bytes: (s) => 8 * s.rank }),
    );
    m.barrier();
  },
});

/** Receives from any source first, then from the first worker by name. */
const greedy = spmd({
  name: 'greedy',
  build(m) {
    m.when(
      (s) => s.rank === 0,
      () => {
        m.recv({ from: ANY });
        m.recv({ from: 1 });
      },
      () =>
        m.when(
          (s) => s.rank <= 2,
          () => m.send({ to: 0, bytes: 8 }),
        ),
    );
  },
});

it('ranks that run forever are found if the end is unreachable', () => {
  const polling = spmd({
    name: 'polling',
    vars: { done: flag() },
    build(m) {
      const request = m.irecv({ from: (s) => 1 - s.rank });
      m.when(
        (s) => s.rank === 0,
        () => {
          m.while(
            (s) => !s.done,
            () => m.test(request, { done: 'done' }),
          );
          m.send({ to: 1, bytes: 8 });
        },
        () => {
          m.wait(request);
          m.send({ to: 0, bytes: 8 });
        },
      );
    },
  });
  const document = verifyProgram(polling, { ranks: 2 });
  for (const one of document.instances) {
    expect(verdicts(one)).toMatchObject({ 'deadlock-free': true, ends: false });
    expect(one.sound).toBe(false);
    expect(one.endless!.blocked.map((b) => [b.rank, b.operation])).toEqual([
      [0, 'test'],
      [1, 'wait'],
    ]);
  }
  expect(page(document)).toContain('Violated for 2 ranks, eager and rendezvous sends: the end becomes unreachable');
});

it('explores which messages are matched, not the order of ranks or message sizes', () => {
  const { instances } = verifyProgram(gather, { ranks: 8 });
  expect(instances.map((i) => i.sound)).toEqual([true, true]);
  // A few states for each of the 2^7 sets of received messages.
  for (const { states } of instances) expect(states! / 2 ** 7).toBeLessThan(50);
});

describe('models', () => {
  it('an exchange in a ring has a deadlock cycle only if sends wait, at the smallest number of ranks', () => {
    const document = verifyProgram(exchange);
    expect(of(document, 'eager').map((i) => i.ranks)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(of(document, 'eager').every((i) => i.sound)).toBe(true);
    const [stuck, more] = of(document, 'rendezvous');
    expect(more).toBeUndefined();
    expect(stuck!.ranks).toBe(2);
    expect(stuck!.deadlock!.cycle).toEqual([0, 1]);
    expect(page(document)).toMatch(
      /^Violated for 2 ranks, rendezvous sends: deadlock\nHolds for 2-8 ranks, eager sends:/,
    );
  });

  it('a receive from any source can take the message needed by a later receive', () => {
    const [two, three] = of(verifyProgram(greedy, { sends: 'eager' }), 'eager');
    expect(verdicts(two!)).toEqual({ 'deadlock-free': false });
    expect(three).toBeUndefined();
    const found = verifyProgram(greedy, { sends: 'eager', ranks: 3 }).instances[0]!;
    expect(found.method).toBe('state space');
    expect(found.races).toHaveLength(1);
    expect(found.deadlock!.choices).toEqual([
      expect.stringMatching(
        /^rank 0: receive at models\.long\.test\.ts:\d+ or models\.long\.test\.ts:\d+ takes the message of rank 1, sent at/,
      ),
    ]);
    expect(found.deadlock!.blocked.map(({ rank, waitsFor }) => [rank, waitsFor])).toEqual([[0, [1]]]);
  });

  it('tests, waitAny and choices are explored', () => {
    const polls = spmd({
      name: 'polls',
      vars: { done: flag(), from: rankVar() },
      build(m) {
        m.when(
          (s) => s.rank === 0,
          () => {
            const a = m.irecv({ from: 1 });
            m.while(
              (s) => !s.done,
              () => m.test(a, { done: 'done' } as never),
            );
          },
          () =>
            m.when(
              (s) => s.rank === 1,
              () => m.send({ to: 0, bytes: 8 }),
            ),
        );
      },
    });
    for (const one of verifyProgram(polls, { ranks: 2 }).instances) {
      expect(one.method).toBe('state space');
      expect(verdicts(one)).toEqual({ 'deadlock-free': true, ends: true, received: true, supplied: true });
      expect(one.sound).toBe(true);
    }
  });

  it('counts the unmatched operations of loops', () => {
    const leaks = spmd({
      name: 'leaks',
      vars: { k: counter() },
      build(m) {
        m.when(
          (s) => s.rank === 0,
          () => m.loop('k', 5, () => void m.send({ to: 1, bytes: 8, tag: 3 })),
          () =>
            m.when(
              (s) => s.rank === 1,
              () => m.loop('k', 2, () => void m.recv({ from: 0, tag: 3 })),
            ),
        );
      },
    });
    const [found] = verifyProgram(leaks, { sends: 'eager', ranks: 2 }).instances;
    expect(found!.unmatched.map(({ at, ...rest }) => rest)).toEqual([
      { kind: 'send', rank: 0, peer: 1, tag: 3, count: 3 },
    ]);
    expect(verdicts(found!)).toEqual({ 'deadlock-free': true, received: false, supplied: true });
  });

  it('a program that never ends is unknown at the limit', () => {
    const endless = spmd({
      name: 'endless',
      build: (m) =>
        m.while(
          () => true,
          () => m.compute({ flops: 1 }),
        ),
    });
    const document = verifyProgram(endless, { maxSteps: 10_000 });
    expect(document.complete).toBe(false);
    expect(page(document)).toMatch(/^Unknown for 2 ranks, eager and rendezvous sends: the limit of 10000 steps/);
  });

  it('rejected numbers of ranks are reported; if all are rejected, that is the error', () => {
    const even = spmd({
      name: 'even',
      build(m) {
        if (m.size % 2 === 1) throw new Error('an odd number');
        m.barrier();
      },
    });
    const document = verifyProgram(even, { sends: 'eager' });
    expect(document.instances.map((i) => i.ranks)).toEqual([2, 4, 6, 8]);
    expect(document.refused.map((r) => r.ranks)).toEqual([3, 5, 7]);
    expect(page(document)).toContain('Not verified');
    expect(() => verifyProgram(even, { ranks: 3 })).toThrow(InputError);
  });

  it('the settings of verifyWith are verified, with other parameters if set', () => {
    const sized = spmd({
      name: 'sized',
      params: { turns: 1000 },
      verifyWith: { ranks: 3, turns: 2 },
      vars: { k: counter() },
      build: (m) => m.loop('k', m.p.turns, () => m.barrier()),
    });
    expect(verifyProgram(sized).instances.map((i) => [i.ranks, i.parameters])).toEqual([
      [3, { turns: 2 }],
      [3, { turns: 2 }],
    ]);
    expect(verifyProgram(sized, { set: { turns: 4 }, ranks: 5 }).instances[0]).toMatchObject({
      ranks: 5,
      parameters: { turns: 4 },
    });
  });

  it('an invalid argument is reported as an error', () => {
    const wrong = spmd({ name: 'wrong', build: (m) => m.send({ to: (s) => s.rank + 1, bytes: 8 }) });
    expect(() => verifyProgram(wrong, { ranks: 2 })).toThrow(/MODEL0/);
  });
});

/** Whether an example is a model of message passing. */
const isMessagePassing = (name: string): boolean => {
  const file = `examples/${name}/model.ts`;
  return existsSync(file) && !/\bthreads\(\{/.test(readFileSync(file, 'utf8'));
};

describe('examples', () => {
  const RANKS: Readonly<Record<string, number>> = { coupled: 5, 'ping-pong': 2, pipeline: 3 };
  const names = readdirSync('examples', { withFileTypes: true })
    .map((d) => d.name)
    .filter((name) => name !== 'master-worker' && isMessagePassing(name));

  it.each(names)('%s ends under both protocols', { timeout: 60_000 }, async (name) => {
    const { default: model } = await import(`../../../../examples/${name}/model.ts`);
    const document = verifyProgram(model, { ranks: RANKS[name] ?? 4 });
    expect(document.instances.length).toBeGreaterThan(1);
    for (const one of document.instances)
      expect([one.ranks, one.method, verdicts(one)]).toEqual([
        one.ranks,
        'one run',
        { 'deadlock-free': true, received: true, supplied: true },
      ]);
  });
});

it('names waiting and unmatched operations in the same way', () => {
  const sender = spmd({
    name: 'sender',
    build: (m) => {
      m.send({ to: 1, bytes: 8, comm: m.everyone });
      m.when(
        (s) => s.rank > 7,
        () => m.sleep(1),
      );
    },
  });
  const idle = spmd({ name: 'idle', build: (m) => m.sleep(1) });
  const model = mpmd({
    name: 'both',
    parts: [
      { model: sender, ranks: 1 },
      { model: idle, ranks: 1 },
    ],
  });
  const d = verifyProgram(model);
  const [eager, rendezvous] = d.instances;
  expect(eager!.unmatched[0]!.at.map((c) => c.operation)).toEqual(['sender.send']);
  expect(eager!.incidence!.findings[0]!.at.map((c) => c.operation)).toEqual(['sender.send']);
  expect(rendezvous!.deadlock!.blocked.map((b) => b.operation)).toEqual(['sender.send']);
  expect(eager!.neverDone.map((c) => c.operation)).toEqual(['sender.sleep']);
  expect(page(d)).toContain('sender.send');
});

it('singular and plural of waiting messages', () => {
  const { buffer } = verifyProgram(exchange, { ranks: 2, buffer: 5 }).instances[0]!;
  expect(buffer?.most).toBe(1);
  const text = page(verifyProgram(exchange, { ranks: 2, buffer: 5 }));
  expect(text).toContain('At most 1 message waits for a receive');
});

it('a rank that waits for itself is reported, alone or among others', () => {
  const self = spmd({
    name: 'self',
    build(m) {
      const own = m.irecv({ from: (s) => s.rank });
      m.waitAll([own, m.irecv({ from: (s) => (s.rank + 1) % s.size })]);
    },
  });
  const any = spmd({
    name: 'any',
    build(m) {
      m.waitAny([m.irecv({ from: (s) => s.rank }), m.irecv({ from: (s) => (s.rank + 1) % s.size })]);
    },
  });
  expect(page(verifyProgram(any, { ranks: 2 }))).toMatch(/waits for ranks (0 \(itself\), 1|1, 0 \(itself\))$/m);
  const alone = verifyProgram(self, { ranks: 1 });
  expect(page(alone)).toContain('waits for itself');
  expect(page(alone)).not.toContain('rank itself');
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeNet } from '../../../../src/analysis/safe/safe-net.ts';
import { simulate } from '../../../../src/analysis/simulate.ts';
import { explore } from '../../../../src/analysis/space/explore.ts';
import { InputError } from '../../../../src/base/problem.ts';
import { spaceInput } from '../../../../src/commands/explore/explore-input.ts';
import { givenInput } from '../../../../src/commands/inputs/input.ts';
import { verifyProgram } from '../../../../src/commands/verify/program/verify-program.ts';
import { cluster, compose, oneOf, type ProgramModel, receives, resource, sends, spmd } from '../../../../src/models.ts';
import type { Net } from '../../../../src/net/net.ts';
import { effort } from '../../../effort.ts';
import { composed, specs } from './random-modules.ts';

// biome-ignore lint/suspicious/noExplicitAny: models of other types are not assignable to each other
type AnyModel = ProgramModel<any, any, any>;

/** Freedom from deadlock by protocol of sends: true, false, or null if unknown. */
function verdicts(model: AnyModel, ranks: number): Record<string, boolean | null> {
  const { instances } = verifyProgram(model, { ranks, maxStates: 5_000 });
  return Object.fromEntries(
    instances.map(({ sends, properties }) => [sends, properties.find(({ id }) => id === 'deadlock-free')!.verdict]),
  );
}

/** A message between two ranks of one module or of two, each given as `module · 2 + rank`, at a place in their order of work. */
interface Message {
  readonly from: number;
  readonly to: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

const messages: fc.Arbitrary<readonly Message[]> = fc.array(
  fc.record({ from: fc.nat(3), to: fc.nat(3), sentAt: fc.nat(5), receivedAt: fc.nat(5) }),
  { minLength: 1, maxLength: 4 },
);

/** Messages with each outcome. */
const OUTCOMES: Readonly<Record<'partStuck' | 'onlyWholeStuck' | 'free', readonly Message[]>> = {
  // The two ranks of module 0 first receive from each other.
  partStuck: [
    { from: 0, to: 1, sentAt: 1, receivedAt: 0 },
    { from: 1, to: 0, sentAt: 1, receivedAt: 0 },
    { from: 0, to: 2, sentAt: 2, receivedAt: 0 },
  ],
  // The first ranks of both modules first receive from each other.
  onlyWholeStuck: [
    { from: 0, to: 2, sentAt: 1, receivedAt: 0 },
    { from: 2, to: 0, sentAt: 1, receivedAt: 0 },
  ],
  free: [{ from: 0, to: 2, sentAt: 0, receivedAt: 0 }],
};

/** Module 0 or 1 of two ranks. Each message to or from the other module has a label. */
function partOf(all: readonly Message[], module: number): AnyModel {
  const inside = (rank: number): boolean => rank >> 1 === module;
  const labels = all.flatMap(({ from, to }, n) =>
    inside(from) === inside(to) ? [] : [[`x${n}`, inside(from) ? sends() : receives()] as const],
  );
  return spmd({
    name: `m${module}`,
    interface: Object.fromEntries(labels),
    build(m) {
      for (const rank of [0, 1]) {
        const own = 2 * module + rank;
        const work = all.flatMap(({ from, to, sentAt, receivedAt }, n) => {
          const inner = inside(from) && inside(to);
          const send = (): void =>
            inner
              ? m.send({ to: to & 1, bytes: 8, tag: n })
              : m.send({ label: `x${n}`, to: to & 1, bytes: 8 } as never);
          const receive = (): void =>
            inner ? m.recv({ from: from & 1, tag: n }) : m.recv({ label: `x${n}` } as never);
          return [
            ...(from === own ? [{ at: sentAt, run: send }] : []),
            ...(to === own ? [{ at: receivedAt, run: receive }] : []),
          ];
        });
        m.when(
          (s) => s.rank === rank,
          () => {
            for (const { run } of work.sort((x, y) => x.at - y.at)) run();
          },
        );
      }
    },
  });
}

describe('freedom from deadlock of the parts and of the whole', () => {
  test('a whole of modules that do not branch on received values is free only if each part is', {
    timeout: 600_000,
  }, () => {
    const seen = { partStuck: 0, onlyWholeStuck: 0, free: 0 };
    fc.assert(
      fc.property(messages, (all) => {
        const models = [partOf(all, 0), partOf(all, 1)];
        const labels = Object.keys(models[0]!.interface);
        const whole = compose(
          models.map((model) => ({ model, ranks: 2 })),
          { synchronise: labels.map((label) => [`m0.${label}`, `m1.${label}`]) },
        );
        const parts = models.map((model) => verdicts(model, 2));
        for (const [sends, verdict] of Object.entries(verdicts(whole, 4))) {
          const stuck = parts.some((part) => part[sends] === false);
          if (stuck) expect(verdict).toBe(false);
          if (stuck) seen.partStuck++;
          else if (verdict === false) seen.onlyWholeStuck++;
          else if (verdict === true) seen.free++;
        }
      }),
      // Few random cases may miss an outcome: one of each is always among them.
      { numRuns: effort(40), examples: [[OUTCOMES.partStuck], [OUTCOMES.onlyWholeStuck], [OUTCOMES.free]] },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });

  test('parts that are free make a whole that is not: each first receives from the other', () => {
    const waits = (name: string): AnyModel =>
      spmd({
        name,
        interface: { in: receives(), out: sends() },
        build(m) {
          m.recv({ label: 'in' });
          m.send({ label: 'out', bytes: 8 });
        },
      });
    const [a, b] = [waits('a'), waits('b')];
    const whole = compose(
      [
        { model: a, ranks: 1 },
        { model: b, ranks: 1 },
      ],
      {
        synchronise: [
          ['a.out', 'b.in'],
          ['b.out', 'a.in'],
        ],
      },
    );
    expect(verdicts(a, 1)).toEqual({ eager: true, rendezvous: true });
    expect(verdicts(b, 1)).toEqual({ eager: true, rendezvous: true });
    expect(verdicts(whole, 2)).toEqual({ eager: false, rendezvous: false });
  });

  test('a part that is not free makes a whole that is: it gets stuck on a value that its partner never sends', () => {
    const word = oneOf('go', 'stop');
    const picky = spmd({
      name: 'picky',
      vars: { word },
      interface: { in: receives('word') },
      build(m) {
        m.recv({ label: 'in', into: { carry: ['word'] } });
        m.when(
          (s) => s.word === 'stop',
          () => m.recv({ from: (s) => s.rank }),
        );
      },
    });
    const polite = spmd({
      name: 'polite',
      vars: { word },
      interface: { out: sends('word') },
      build: (m) => m.send({ label: 'out', bytes: 8, carry: { word: 'go' } }),
    });
    const whole = compose(
      [
        { model: polite, ranks: 1 },
        { model: picky, ranks: 1 },
      ],
      { synchronise: [['polite.out', 'picky.in']] },
    );
    expect(verdicts(picky as AnyModel, 1)).toEqual({ eager: false, rendezvous: false });
    expect(verdicts(whole, 2)).toEqual({ eager: true, rendezvous: true });
  });
});

describe('the safe net of a composition', () => {
  const machine = cluster({
    nodes: 16,
    coresPerNode: 1,
    speed: '1Gf',
    link: { latency: '10us', bandwidth: '1.25GB/s' },
    eagerBelow: 4096,
  });
  const netOf = (model: AnyModel, ranks: number): Net =>
    spaceInput(givenInput('explore', model as never), { machine, ranks }).net;
  const expectSameTime = (safe: Net, net: Net): void => {
    const given = simulate(net).time;
    expect(Math.abs(simulate(safe).time - given)).toBeLessThanOrEqual(1e-12 * given);
  };

  test('is the net itself with its times, or is refused because of the network', { timeout: 600_000 }, () => {
    let kept = 0;
    fc.assert(
      fc.property(specs({ mayDeadlock: false, steps: 3 }), (spec) => {
        const ranks = spec.sizes.reduce((a, b) => a + b, 0);
        const net = netOf(composed(spec, [...spec.sizes.keys()]), ranks);
        try {
          const safe = safeNet(net, { maxMarkings: 5_000 });
          expect(safe.unchanged).toBe(true);
          expectSameTime(safe.net, net);
          kept++;
        } catch (e) {
          if (!(e instanceof InputError)) throw e;
          expect(e.problems.map(({ code }) => code)).toEqual(['SAFE004']);
        }
      }),
      { numRuns: effort(20) },
    );
    expect(kept).toBeGreaterThan(10);
  });

  test('encodes a resource of several units, and keeps the delays', { timeout: 600_000 }, () => {
    const flops = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(fc.tuple(flops, flops), fc.constant(2), ([a, b], units) => {
        const holder = (name: string, work: readonly number[]): AnyModel =>
          spmd({
            name,
            interface: { unit: resource(units) },
            build(m) {
              m.hold('unit', () => m.compute({ flops: (s) => work[0]! + s.rank }));
              m.compute({ flops: 1e6 });
              m.hold('unit', () => m.compute({ flops: work[1]! }));
            },
          });
        const model = compose(
          [
            { model: holder('a', a), ranks: 2 },
            { model: holder('b', b), ranks: 1 },
          ],
          { synchronise: ['unit'] },
        );
        const net = netOf(model, 3);
        const safe = safeNet(net);
        expect(safe.unchanged).toBe(false);
        expectSameTime(safe.net, net);
        // The first markings only: firings in progress have places, so that there are many.
        expect(explore(safe.net, { maxStates: 2_000 }).maxTokensInPlace).toBe(1);
      }),
      { numRuns: effort(20) },
    );
  });
});

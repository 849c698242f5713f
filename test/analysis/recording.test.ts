import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoggedEvent } from '../../src/analysis/event-log.ts';
import { prepare, simulate } from '../../src/analysis/simulate.ts';
import { InputError } from '../../src/base/problem.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import type { Net } from '../../src/net/net.ts';
import { add } from '../../src/net/terms.ts';
import { atFullEffort, effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';
import { RunError } from '../reference/evaluate.ts';
import { referenceRun as playReference } from '../reference/token-game.ts';
import { expectSame } from './expect-same.ts';
import { orCodes } from './watch-all.ts';

const RUNS = effort(100);

/** Times must be bitwise equal, or within 10⁻¹² if rates are shared (S14). */
function expectEvents(net: Net, got: readonly LoggedEvent[], expected: readonly LoggedEvent[]): void {
  const shares = net.places.some((p) => p.service?.kind === 'max-min' || p.service?.kind === 'ps');
  const close = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-12 * Math.max(a, b);
  const times = shares && got.every((e, k) => close(e.time, expected[k]?.time ?? Number.NaN)) ? got : expected;
  expectSame(
    got,
    expected.map((e, k) => ({ ...e, time: times[k]!.time })),
  );
}

test('a full recording equals the reference trace, for runs limited by steps or by time', () => {
  let events = 0;
  fc.assert(
    fc.property(arbitraryNet, fc.nat({ max: 9 }), fc.option(fc.nat({ max: 20 })), (net, n, until) => {
      const limits = { maxSteps: 50, maxInstantSteps: 40, seed: String(n) };
      const options = until === null ? limits : { ...limits, until: until / 4 };
      const expected = orCode(() => playReference(net, options));
      const got = orCodes(() => simulate(net, { ...options, record: 'all' }));
      if (typeof got === 'string' || typeof expected === 'string') {
        expect(got).toBe(expected);
        return;
      }
      expectEvents(net, got.events, expected.trace);
      expect([got.steps, got.firings]).toEqual([expected.steps, expected.firings]);
      events += got.events.length;
    }),
    { numRuns: RUNS },
  );
  expect(events).toBeGreaterThan(atFullEffort(RUNS * 10));
});

test('selected transitions are recorded as in a full recording', () => {
  fc.assert(
    fc.property(arbitraryNet, fc.nat(), (net, bits) => {
      const chosen = net.transitions.filter((_, k) => (bits >> k) % 2 === 1).map((t) => t.name);
      const limits = { maxSteps: 50, maxInstantSteps: 40 };
      const all = orCodes(() => prepare(net, { record: 'all' })(limits));
      const some = orCodes(() => prepare(net, { record: [...chosen, ...chosen] })(limits));
      if (typeof all === 'string' || typeof some === 'string') {
        expect(some).toBe(all);
        return;
      }
      expectSame(
        some.events,
        all.events.filter((e) => chosen.includes(e.transition)),
      );
    }),
    { numRuns: Math.ceil(RUNS / 2) },
  );
});

const counter = (): Net => {
  const n = new NetBuilder('counter');
  const I = n.integer('I');
  const p = n.place('p', { z: I, a: I }, { initial: [{ z: 1, a: 2 }] });
  n.transition('both', (t) => {
    const { z, a } = t.take(p);
    t.delay(1);
    t.put(p, { z: add(z, 1), a });
  });
  return n.build();
};

test('nothing is recorded by default', () => {
  expect(simulate(counter(), { maxSteps: 9 }).events).toEqual([]);
  expect(simulate(counter(), { maxSteps: 9, record: [] }).events).toEqual([]);
});

test('variables are in the order of their names', () => {
  const { events } = simulate(counter(), { maxSteps: 3, record: ['both'] });
  expect(JSON.stringify(events)).toBe(
    JSON.stringify([
      { time: 0, what: 'start', transition: 'both', binding: { a: 2, z: 1 } },
      { time: 1, what: 'end', transition: 'both', binding: { a: 2, z: 1 } },
      { time: 1, what: 'start', transition: 'both', binding: { a: 2, z: 2 } },
    ]),
  );
});

test('unknown transitions cannot be recorded', () => {
  expect(() => simulate(counter(), { record: ['boht'] })).toThrow(
    /SIM001 record: unknown transition "boht"\. Did you mean "both"\?/,
  );
});

function orCode<R>(make: () => R): R | string {
  try {
    return make();
  } catch (e) {
    if (e instanceof RunError) return e.code;
    if (e instanceof InputError) return e.problems[0]!.code;
    throw e;
  }
}

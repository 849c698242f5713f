import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ServiceLink } from '../../src/net/net.ts';
import { effort } from '../effort.ts';
import { maxMinRates } from '../reference/max-min.ts';
import { MaxMinAlone } from './max-min-alone.ts';

interface Arrival {
  readonly time: number;
  readonly amount: number;
  readonly weight: number;
  readonly bound: number;
  /** Links crossed, each with a coefficient. */
  readonly crosses: readonly { readonly link: number; readonly coefficient: number }[];
}

const number = fc.constantFrom(0.5, 1, 1.5, 2, 3, 4, 7, 10);
const link: fc.Arbitrary<ServiceLink> = fc
  .record({
    capacity: fc.constantFrom(0.5, 1, 2, 2.5, 5, 20, 1e6),
    kind: fc.nat({ max: 5 }),
    factors: fc.array(fc.constantFrom(1, 1, 0.9, 0.75, 0.5), { minLength: 1, maxLength: 4 }),
  })
  .map(({ capacity, kind, factors }) => {
    const name = 'link';
    if (kind > 0) return { name, capacity, fatpipe: kind >= 4, ...(kind === 5 ? { level: true } : {}) };
    // Cores, each slower the more of them are busy.
    const byTokens = factors.map(
      (_, k) => capacity * (k + 1) * factors.slice(0, k + 1).reduce<number>((a, b) => a * b, 1),
    );
    return { name, capacity: Math.max(...byTokens), fatpipe: false, byTokens };
  });

const scenario: fc.Arbitrary<{ links: ServiceLink[]; arrivals: Arrival[] }> = fc
  .array(link, { minLength: 1, maxLength: 6 })
  .chain((links) =>
    fc.record({
      links: fc.constant(links),
      arrivals: fc.array(
        fc.record({
          time: fc.integer({ min: 0, max: 12 }).map((t) => t / 2),
          amount: fc.constantFrom(0, 0.5, 1, 2, 3, 8),
          weight: number,
          bound: fc.oneof(number, fc.constant(Number.POSITIVE_INFINITY)),
          crosses: fc
            .uniqueArray(fc.nat({ max: links.length - 1 }), { maxLength: 4 })
            .chain((ls) => fc.tuple(...ls.map((l) => number.map((coefficient) => ({ link: l, coefficient }))))),
        }),
        { minLength: 1, maxLength: 14 },
      ),
    }),
  );

/** Service times of the tokens by the implementation. */
function served(links: readonly ServiceLink[], arrivals: readonly Arrival[]): number[] {
  const sorted = arrivals.map((a, k) => ({ a, k })).sort((x, y) => x.a.time - y.a.time || x.k - y.k);
  const route = arrivals.flatMap((a) => a.crosses);
  const starts: number[] = [];
  arrivals.reduce((at, a, k) => {
    starts[k] = at;
    return at + a.crosses.length;
  }, 0);
  const service = new MaxMinAlone(links, {
    link: Int32Array.from(route, (c) => c.link),
    coefficient: Float64Array.from(route, (c) => c.coefficient),
  });
  let now = 0;
  let order = 0;
  const ends: number[] = [];
  let next = 0;
  for (;;) {
    service.settle();
    const arrival = sorted[next]?.a.time ?? Number.POSITIVE_INFINITY;
    if (service.next === Number.POSITIVE_INFINITY && arrival === Number.POSITIVE_INFINITY) {
      service.assertServed();
      return ends;
    }
    if (service.next <= arrival) {
      now = Math.max(now, service.next);
      service.goOn(now);
      ends[service.serve().token] = now;
      continue;
    }
    now = arrival;
    service.goOn(now);
    const { a, k } = sorted[next++]!;
    service.enter(k, order++, a.amount, a.weight, a.bound, starts[k]!, starts[k]! + a.crosses.length);
  }
}

/** Reference: all rates are recomputed whenever a token arrives or leaves. */
function servedPlainly(links: readonly ServiceLink[], arrivals: readonly Arrival[]): number[] {
  const sorted = arrivals.map((a, k) => ({ a, k })).sort((x, y) => x.a.time - y.a.time || x.k - y.k);
  const present: { k: number; left: number; a: Arrival }[] = [];
  const ends: number[] = [];
  let now = 0;
  let next = 0;
  for (;;) {
    const rates = maxMinRates(
      present.map(({ a }) => ({ weight: a.weight, bound: a.bound, crosses: a.crosses })),
      links,
    );
    const first = Math.min(Number.POSITIVE_INFINITY, ...present.map((p, i) => now + p.left / rates[i]!));
    const arrival = sorted[next]?.a.time ?? Number.POSITIVE_INFINITY;
    if (first === Number.POSITIVE_INFINITY && arrival === Number.POSITIVE_INFINITY) return ends;
    const time = Math.min(first, arrival);
    // Ends within 1e-12 of a time count as that time (S12).
    present.forEach((p, i) => {
      const done = now + p.left / rates[i]! <= time * (1 + 1e-12);
      p.left = done ? 0 : p.left - rates[i]! * (time - now);
    });
    now = time;
    for (let i = present.length - 1; i >= 0; i--)
      if (present[i]!.left === 0) {
        ends[present[i]!.k] = now;
        present.splice(i, 1);
      }
    while (sorted[next] !== undefined && sorted[next]!.a.time <= now) {
      const { a, k } = sorted[next++]!;
      const alone = Math.min(a.bound, ...a.crosses.map((c) => links[c.link]!.capacity / c.coefficient));
      if (a.amount === 0 || alone === Number.POSITIVE_INFINITY) ends[k] = now;
      else present.push({ k, left: a.amount, a });
    }
  }
}

const RUNS = effort(3000);

test('completion times equal those of rates computed from scratch', { timeout: 60_000 + RUNS * 20 }, () => {
  let tokens = 0;
  fc.assert(
    fc.property(scenario, ({ links, arrivals }) => {
      tokens += arrivals.length;
      const got = served(links, arrivals);
      const expected = servedPlainly(links, arrivals);
      expect(got.length).toBe(arrivals.length);
      got.forEach((t, k) => {
        expect([k, Math.abs(t - expected[k]!) <= 1e-9 * Math.max(1, t), t, expected[k]]).toEqual([
          k,
          true,
          t,
          expected[k],
        ]);
      });
    }),
    { numRuns: RUNS },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log({ services: RUNS, tokens });
});

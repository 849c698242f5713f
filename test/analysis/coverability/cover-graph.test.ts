import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { explore } from '../../../src/analysis/space/explore.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';

/** A random net of three places and up to four transitions, with arcs of weight 0 to 2 in both directions. */
const weights = fc.array(fc.constantFrom(0, 0, 1, 1, 2), { minLength: 6, maxLength: 6 });
const net: fc.Arbitrary<Net> = fc
  .tuple(fc.array(weights, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }))
  .map(([transitions, initial]) => ({
    name: 'random',
    colours: [],
    tables: [],
    places: initial.map((count, p) => ({
      name: `p${p}`,
      fields: [],
      order: 'bag',
      key: [],
      initial: count === 0 ? [] : [{ values: [], count }],
    })),
    transitions: transitions.map((w, t) => ({
      name: `t${t}`,
      inputs: [0, 1, 2].flatMap((p) =>
        // A transition without input would make deadlocks impossible.
        w[p]! > 0 || (p === 0 && w.slice(0, 3).every((n) => n === 0))
          ? [{ kind: 'take' as const, place: `p${p}`, pattern: {}, count: Math.max(1, w[p]!) }]
          : [],
      ),
      outputs: [0, 1, 2].flatMap((p) =>
        w[p + 3]! > 0 ? [{ place: `p${p}`, values: {}, count: { op: 'const' as const, value: w[p + 3]! } }] : [],
      ),
    })),
  }));

test('what holds in an unbounded net is not contradicted by any of its first markings', { timeout: 300_000 }, () => {
  const seen = { unbounded: 0, proved: 0, free: 0 };
  fc.assert(
    fc.property(net, (net) => {
      const space = explore(net, { maxStates: 2000 });
      if (space.complete) return;
      seen.unbounded++;
      const asked = [
        'deadlock-free',
        'AG tokens(p0) = 1',
        'AG (tokens(p1) <= 2 | tokens(p2) >= 1)',
        'AG tokens(p2) != 1',
      ];
      const { properties } = verify(net, asked, { maxStates: 300 });
      const markings = Array.from({ length: space.states }, (_, s) => {
        const counts = [0, 0, 0];
        for (const { place, tokens } of space.marking(s).places)
          counts[place] = tokens.reduce((n, t) => n + t.count, 0);
        return { counts, dead: s < space.states / 4 && space.firings(s).length === 0 };
      });
      const holds = [
        markings.every(({ dead }) => !dead),
        markings.every(({ counts: [a] }) => a === 1),
        markings.every(({ counts: [, b, c] }) => b! <= 2 || c! >= 1),
        markings.every(({ counts: [, , c] }) => c !== 1),
      ];
      properties.forEach(({ verdict }, k) => {
        if (verdict === true) {
          seen.proved++;
          if (k === 0) seen.free++;
          expect([net, asked[k], holds[k]]).toEqual([net, asked[k], true]);
        }
      });
    }),
    { numRuns: effort(190) },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(seen);
  expect(Math.min(seen.unbounded, seen.free)).toBeGreaterThan(0);
});

/** `a` alone enables `t` in every marking, and `b` grows; `u` needs tokens of `b`. */
function growing(needs: 'a' | 'b'): Net {
  const place = (name: string, count: number): Net['places'][number] => ({
    name,
    fields: [],
    order: 'bag',
    key: [],
    initial: count === 0 ? [] : [{ values: [], count }],
  });
  const take = (place: string, count = 1) => ({ kind: 'take' as const, place, pattern: {}, count });
  const put = (place: string, value = 1) => ({ place, values: {}, count: { op: 'const' as const, value } });
  return {
    name: 'growing',
    colours: [],
    tables: [],
    places: [place('a', 2), place('b', 0), place('c', 0)],
    transitions: [
      // Weights above 1 leave no proof by siphons and traps.
      { name: 't', inputs: [take('a', 2)], outputs: [put('a', 2), put('b')] },
      { name: 'u', inputs: [take('b', 2)], outputs: [put('c')] },
      ...(needs === 'b' ? [{ name: 'stop', inputs: [take('a', 2)], outputs: [put('c')] }] : []),
    ],
  };
}

test('deadlock freedom of an unbounded net, and a deadlock of one', () => {
  const { properties } = verify(growing('a'), ['deadlock-free']);
  expect(properties[0]).toMatchObject({ verdict: true });
  expect(JSON.stringify(properties[0])).toContain('coverability graph of 3 nodes');
  expect(verify(growing('b'), ['deadlock-free']).properties[0]).toMatchObject({ verdict: false });
});

test('the reason of an open question does not depend on the limit', () => {
  // Whether b is ever 7 while c is 3 depends on the numbers of tokens in unbounded places.
  const asked = ['AG (tokens(b) != 7 | tokens(c) != 100000)'];
  const reasons = [{ maxStates: 10 }, { maxStates: 1000 }, { maxStates: 20_000 }].map(
    (limits) => verify(growing('a'), asked, limits).properties[0]!.reason,
  );
  const because = 'place b is unbounded, so no exploration ends: t can be repeated forever, and adds 1 token each time';
  expect(new Set(reasons)).toEqual(new Set([because]));
});

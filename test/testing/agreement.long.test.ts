import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryNet } from '../../src/fast-check.ts';
import type { Net } from '../../src/net/net.ts';
import type { MatcherResult } from '../../src/testing/answer.ts';
import * as matchers from '../../src/testing/net-matchers.ts';
import { atFullEffort, effort } from '../effort.ts';
import { exploreReference } from '../reference/explorer.ts';

/**
 * Compares matchers with the reference explorer, a direct implementation of docs/semantics.md, with markings as strings and
 * verdicts by definition.
 */
const nets = arbitraryNet({
  places: 4,
  transitions: 4,
  tokens: 2,
  with: ['colours', 'reads', 'inhibitors', 'resets', 'capacities', 'priorities', 'queues'],
});

/** Token count of each place in a marking such as `p0: (0)×2 (1)×1; p1: ()×3`. */
function counts(marking: string): Record<string, number> {
  const places = marking.split('; ').filter((p) => p !== '');
  return Object.fromEntries(
    places.map((p) => {
      const [name, tokens] = p.split(': ');
      return [name, [...tokens!.matchAll(/×(\d+)/g)].reduce((sum, m) => sum + Number(m[1]), 0)];
    }),
  );
}

test('verdicts are those of the reference', () => {
  const seen = { safe: 0, dead: 0, conserved: 0, not: 0 };
  fc.assert(
    fc.property(nets, fc.array(fc.integer({ min: -2, max: 3 }), { minLength: 4, maxLength: 4 }), (net, numbers) => {
      const reference = exploreReference(net, 400);
      fc.pre(reference.complete && reference.failures.size === 0);
      const passes = (matcher: (this: object, net: Net, ...rest: never[]) => MatcherResult, ...rest: unknown[]) =>
        [false, true].map((isNot) => matcher.call({ isNot }, net, ...(rest as never[])).pass);
      const both = (value: boolean): boolean[] => [value, value];
      const safe = reference.maxTokensInPlace <= 1;
      expect(passes(matchers.toBeSafe)).toEqual(both(safe));
      expect(passes(matchers.toBeBounded, 2)).toEqual(both(reference.maxTokensInPlace <= 2));
      const dead = [...reference.steps.values()].some((steps) => steps.length === 0);
      expect(passes(matchers.toBeDeadlockFree)).toEqual(both(!dead));
      const weights = Object.fromEntries(net.places.map((p, k) => [p.name, numbers[k]!]));
      if (Object.values(weights).every((w) => w === 0)) return;
      const sums = new Set(
        reference.levels.flat().map((m) => {
          const held = counts(m);
          return net.places.reduce((sum, p) => sum + (held[p.name] ?? 0) * weights[p.name]!, 0);
        }),
      );
      expect(passes(matchers.toConserve, weights)).toEqual(both(sums.size === 1));
      const [place] = net.places;
      const reached = reference.levels.flat().some((m) => (counts(m)[place!.name] ?? 0) >= 3);
      expect(passes(matchers.toReach, `tokens(${place!.name}) >= 3`)).toEqual(both(reached));
      expect(passes(matchers.toNeverReach, `tokens(${place!.name}) >= 3`)).toEqual(both(!reached));
      if (safe) seen.safe++;
      if (dead) seen.dead++;
      seen[sums.size === 1 ? 'conserved' : 'not']++;
    }),
    { numRuns: effort(60) },
  );
  for (const n of Object.values(seen)) expect(n).toBeGreaterThan(atFullEffort(3));
});

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { exploredSpace } from '../../../src/commands/exact/explored-space.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import type { Net } from '../../../src/net/net.ts';
import { add, lt } from '../../../src/net/terms.ts';
import { effort } from '../../effort.ts';

/** A counter without a range, which grows to a limit, or without end. */
function counter(limit = Number.POSITIVE_INFINITY, tokens = 1): Net {
  const n = new NetBuilder('counter');
  const Int = n.integer('Int');
  const p = n.place('p', { x: Int }, { initial: Array.from({ length: tokens }, () => ({ x: 0 })) });
  n.transition('up', (t) => {
    const { x } = t.take(p);
    t.put(p, { x: add(x, 1) });
    if (limit < Number.POSITIVE_INFINITY) t.guard(lt(x, limit));
    t.race({ delay: exponential(1), servers: 'single' });
  });
  return n.build();
}

it('verify ends at 100 MB of states of a net whose integers may grow without end, and says why', () => {
  const found = verify(counter(), ['deadlock-free', 'bounds']);
  expect(found.complete).toBe(false);
  expect(found.space.bytes).toBeGreaterThan(0.9e8);
  expect(found.space.bytes).toBeLessThan(3e8);
  for (const { reason } of found.properties) expect(reason).toMatch(/unbounded integers.*100 MB of states/);
});

it('steady simulates such a net, and says why', () => {
  const found = steady(counter(), {});
  expect(found).toMatchObject({ method: 'simulate', complete: true });
  expect(found.reason).toContain('may have infinitely many states');
});

it('limits of the user replace this limit', () => {
  const found = verify(counter(), ['deadlock-free'], { maxStates: 20_000 });
  expect(found.space).toMatchObject({ truncation: 'states' });
});

it('finite spaces of integers without a range are complete, whatever their size below the limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3 }), (limit, tokens) => {
      const found = exploredSpace(counter(limit, tokens), {}, () => false, false);
      // Multisets of `tokens` numbers from 0 to the limit.
      const n = limit + tokens;
      const states = tokens === 1 ? n : tokens === 2 ? (n * (n - 1)) / 2 : (n * (n - 1) * (n - 2)) / 6;
      expect('space' in found && [found.space.complete, found.space.states]).toEqual([true, states]);
    }),
    { numRuns: effort(30) },
  );
});

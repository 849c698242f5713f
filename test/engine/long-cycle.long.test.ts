import { describe, expect, test } from 'vitest';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import type { Net } from '../../src/net/net.ts';
import { runCompiled } from './agree.ts';

/** One token on `length` places that transitions without delay join in a row, or in a ring. */
function joined(length: number, isRing: boolean): Net {
  const n = new NetBuilder('joined');
  const places = Array.from({ length }, (_, k) => n.place(`p${k}`, {}, k === 0 ? { initial: 1 } : {}));
  for (const [k, from] of places.entries())
    if (isRing || k < length - 1)
      n.transition(`t${k}`, (t) => {
        t.take(from);
        t.put(places[(k + 1) % length]!, {});
      });
  return n.build();
}

describe('steps without delay', () => {
  test.each([
    [2, /^RUN001 more than 500 steps at time 0 s: endless cycle without delay through t0, t1$/],
    [1100, /endless cycle without delay through t0, t1, t10, .*, and 1088 more$/],
  ])('of an endless cycle of %i transitions are found', (length, message) => {
    expect(() => runCompiled(joined(length, true), { maxInstantSteps: 500 })).toThrow(message);
  });

  test('of a row of 600 transitions are no cycle', () => {
    const row = joined(600, false);
    expect(() => runCompiled(row, { maxInstantSteps: 500 })).toThrow(
      /no cycle without delay was seen; raise maxInstantSteps/,
    );
    expect(runCompiled(row, { maxInstantSteps: 599 }).marking['p599']).toEqual([[]]);
  });
});

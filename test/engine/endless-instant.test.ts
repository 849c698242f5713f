import { describe, expect, test } from 'vitest';
import { cycleWithoutDelay } from '../../src/engine/endless-instant.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { exponential, lognormal, triangular, uniform } from '../../src/net/builder/distributions.ts';
import type { Distribution } from '../../src/net/distribution.ts';
import type { Delay } from '../../src/net/net.ts';
import { add, type NumberTerm } from '../../src/net/terms.ts';
import { ENTRIES, weighted } from '../net/distribution-cases.ts';

/** The names of a cycle of one transition with this delay; `x` is a variable that may be 0. */
function cycle(delay: (x: NumberTerm) => Distribution | NumberTerm, now: number): readonly string[] {
  const n = new NetBuilder('spinning');
  const p = n.place('p', { x: n.range('Small', 0, 9) }, { initial: [{ x: 1 }] });
  n.transition('spin', (t) => {
    const { x } = t.take(p);
    t.delay(delay(x) as Delay);
    t.put(p, { x });
  });
  const net = n.build();
  return cycleWithoutDelay(net, net.transitions, now).map(({ name }) => name);
}

describe('a cycle without delay', () => {
  test.each(ENTRIES)('is not one of %s', (_, d) => {
    for (const now of [0, 1e-3]) expect(cycle(() => d, now)).toEqual([]);
  });

  test('has draws that are 0, or are lost to rounding', () => {
    expect(cycle(() => uniform(0, 0), 0)).toEqual(['spin']);
    expect(cycle(() => weighted([0, 1], [3, 1]), 0)).toEqual(['spin']);
    expect(cycle(() => exponential(1), 1e17)).toEqual(['spin']);
    expect(cycle(() => uniform(1, 2), 1e17)).toEqual(['spin']);
    expect(cycle(() => uniform(1, 2), 1e3)).toEqual([]);
  });

  test('has values that may be 0 by a binding', () => {
    expect(cycle((x) => x, 3)).toEqual(['spin']);
    expect(cycle((x) => uniform(0, x), 3)).toEqual(['spin']);
    expect(cycle((x) => triangular(0, x, x), 3)).toEqual(['spin']);
    expect(cycle((x) => uniform(1, add(x, 1)), 3)).toEqual([]);
    expect(cycle((x) => exponential(x), 3)).toEqual([]);
    expect(cycle((x) => lognormal(x, 1), 3)).toEqual([]);
  });
});

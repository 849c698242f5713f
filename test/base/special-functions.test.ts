import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { incompleteGamma, logGamma, normalDensity, normalTail } from '../../src/base/random/special-functions.ts';

// Expected values: mpmath 1.3 with 40 digits.

test.each([
  [5e-324, 744.4400719213812],
  [0.001, 6.907178885383853],
  [0.5, 0.5723649429247001],
  [1.0001, -5.771334222047127e-5],
  [1.5, -0.12078223763524522],
  [2.5, 0.2846828704729192],
  [9.999, 12.799575780077413],
  [50, 144.5657439463449],
  [1e10, 220258509288.81058],
  [1e300, 6.897755278982137e302],
])('ln Γ(%d)', (x, expected) => {
  expect(Math.abs(logGamma(x) - expected)).toBeLessThan(1e-14 * Math.max(1, Math.abs(expected)));
});

test.each([
  [1e-3, 1e-6, 0.9868481336940766, 0.013151866305923335],
  [0.01, 0.8, 0.996867490558677, 0.0031325094413230193],
  [0.5, 30, 0.9999999999999906, 9.485737571073848e-15],
  [1, 0.3, 0.2591817793182821, 0.7408182206817179],
  [2.5, 2.5, 0.5841198130044921, 0.41588018699550794],
  [9.99, 25, 0.9997807791134469, 0.00021922088655307334],
  [10, 3, 0.0011024881301154798, 0.9988975118698845],
  [17, 17.5, 0.5795960963350059, 0.42040390366499414],
  [100, 70, 0.00043037259497989087, 0.9995696274050201],
  [1000, 1100, 0.99894067674607, 0.0010593232539299773],
  [1e5, 1e5, 0.5004205221103651, 0.4995794778896348],
  [999999, 998000, 0.02275006887865975, 0.9772499311213403],
  [1e6, 1e6, 0.5001329807608725, 0.4998670192391274],
  [1e6, 1.003e6, 0.9986382593537824, 0.0013617406462175915],
  [1e9, 1e9 - 5e4, 0.05692134171916056, 0.9430786582808395],
])('P and Q(%d, %d)', (a, x, lower, upper) => {
  const found = incompleteGamma(a, x);
  expect(Math.abs(found.lower - lower)).toBeLessThan(1e-13);
  expect(Math.abs(found.upper - upper)).toBeLessThan(1e-13);
  // Relative error of the smaller value; for small shapes Q is computed as a difference.
  const relative = lower < upper ? found.lower / lower : found.upper / upper;
  expect(Math.abs(relative - 1)).toBeLessThan(1e-11);
});

test.each([
  [-3, 0.9986501019683699],
  [-0.1, 0.539827837277029],
  [0, 0.5],
  [0.5, 0.3085375387259869],
  [2, 0.02275013194817921],
  [8, 6.220960574271784e-16],
  [20, 2.7536241186062337e-89],
  [37, 5.725571222524577e-300],
])('the normal tail at %d', (z, expected) => {
  expect(Math.abs(normalTail(z) / expected - 1)).toBeLessThan(1e-13);
});

test('ends of the ranges', () => {
  expect(incompleteGamma(2, 0)).toEqual({ lower: 0, upper: 1 });
  for (const a of [0.5, 20, 1e6, 1e300]) {
    expect(incompleteGamma(a, Number.POSITIVE_INFINITY)).toEqual({ lower: 1, upper: 0 });
    expect(incompleteGamma(a, 1e308)).toEqual({ lower: 1, upper: 0 });
  }
  expect(incompleteGamma(1e300, 1).lower).toBe(0);
  expect(incompleteGamma(5e-324, 1).lower).toBe(1);
  expect([normalTail(Number.POSITIVE_INFINITY), normalTail(Number.NEGATIVE_INFINITY)]).toEqual([0, 1]);
  expect(logGamma(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
});

test('P(a, x) = P(a + 1, x) + xᵃ e⁻ˣ / Γ(a + 1), P + Q = 1', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 200, noNaN: true }),
      fc.double({ min: 0.01, max: 4, noNaN: true }),
      (a, r) => {
        const x = a * r;
        const { lower, upper } = incompleteGamma(a, x);
        const term = Math.exp(a * Math.log(x) - x - logGamma(a + 1));
        expect(Math.abs(lower - incompleteGamma(a + 1, x).lower - term)).toBeLessThan(1e-12);
        expect(Math.abs(lower + upper - 1)).toBeLessThan(1e-15);
      },
    ),
  );
});

test('the expansion for large shapes continues the series', () => {
  const below = 1e6 * (1 - 2 ** -40);
  for (const z of [-6, -2, -0.5, 0, 0.5, 2, 6]) {
    const x = 1e6 + z * 1000;
    // P falls by less than the density times the change of shape, 4·10⁻⁴ · 10⁻⁶.
    const fall = incompleteGamma(below, x).lower - incompleteGamma(1e6, x).lower;
    expect(Math.abs(fall - normalDensity(z) * 1e-3 * (1e6 - below))).toBeLessThan(1e-12);
  }
});

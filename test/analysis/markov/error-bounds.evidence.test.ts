import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphOf, type MarkovChain, markovChain } from '../../../src/analysis/markov/chain.ts';
import { eliminated, ROUNDING } from '../../../src/analysis/markov/elimination.ts';
import { passages } from '../../../src/analysis/markov/passage.ts';
import { rateAt } from '../../../src/analysis/markov/rows.ts';
import { components } from '../../../src/analysis/petri/components.ts';
import { explore } from '../../../src/analysis/space/explore.ts';
import { effort } from '../../effort.ts';
import { exactly, type Fraction, minus, offBy, over, plus, solution, times, ZERO } from './fractions.ts';
import { stochasticNet } from './stochastic-nets.ts';

/*
 * Computed values against exact rationals. A bound that is dropped is below the largest error, and so is a hundredth of a bound:
 * in each test some error is more than a hundredth of its bound.
 */
class Errors {
  #sharpest = 0;

  add(computed: number, exact: Fraction, bound: number): void {
    const off = offBy(computed, exact);
    expect(off).toBeLessThanOrEqual(bound);
    this.#sharpest = Math.max(this.#sharpest, off / bound);
  }

  end(): void {
    expect(this.#sharpest).toBeGreaterThan(0.01);
  }
}

const weight = fc.oneof(
  fc.double({ min: 0.01, max: 100, noNaN: true }),
  fc.integer({ min: -8, max: 8 }).chain((k) => fc.double({ min: 1, max: 9, noNaN: true }).map((x) => x * 10 ** k)),
);
/** Weights of a class of transient states: between them, to two states outside, and of a gain. */
const classes = fc.integer({ min: 1, max: 4 }).chain((n) =>
  fc.record({
    inner: fc.array(fc.array(weight, { minLength: n, maxLength: n }), { minLength: n, maxLength: n }),
    outer: fc.array(fc.tuple(weight, weight), { minLength: n, maxLength: n }),
    gain: fc.array(weight, { minLength: n, maxLength: n }),
  }),
);
type Weighted = { readonly inner: number[][]; readonly outer: [number, number][]; readonly gain: number[] };

const sum = (all: readonly Fraction[]): Fraction => all.reduce(plus, ZERO);

/** For each state of the class: the exact solution x of total(i) x(i) = given(i) + Σ inner(i, j) x(j). */
function exact({ inner, outer }: Weighted, given: readonly Fraction[]): Fraction[] {
  const rows = inner.map((row, i) => {
    const others = row.map((w, j) => (i === j ? ZERO : exactly(w)));
    const total = sum([...others, ...outer[i]!.map(exactly)]);
    return others.map((w, j) => (i === j ? total : minus(ZERO, w)));
  });
  return solution(rows, [...given]);
}

const outside = (all: Weighted, k: 0 | 1): Fraction[] => all.outer.map((pair) => exactly(pair[k]));

/** Eliminates the class with weights that are changed by `changed`. */
function eliminate({ inner, outer, gain }: Weighted, error: number, changed: (w: number, up: boolean) => number) {
  const rows = inner.map((row, i) => ({
    inner: new Map(row.flatMap((w, j) => (i === j ? [] : [[j, changed(w, j > i)] as const]))),
    outer: new Map(outer[i]!.map((w, k) => [k, changed(w, k === 0)] as const)),
    firings: new Map([[0, changed(gain[i]!, true)]]),
  }));
  return eliminated(rows, error)!;
}

test.each([
  ['exact weights', 0],
  ['weights with an error', 2 ** -20],
])('elimination: errors of states with %s are within their bound', (_, given) => {
  const errors = new Errors();
  fc.assert(
    fc.property(classes, (all) => {
      const changed = (w: number, up: boolean): number => (given === 0 ? w : w * (up ? 1 + given : 1 - given));
      // The logarithm of 1 − given, and the rounding of the product.
      const results = eliminate(all, given === 0 ? 0 : -Math.log1p(-given) + 2 * ROUNDING, changed);
      const firings = exact(all, all.gain.map(exactly));
      for (const k of [0, 1] as const) {
        const to = exact(all, outside(all, k));
        results.forEach((one, i) => {
          errors.add(one.to.get(k)!, to[i]!, one.error);
          errors.add(one.firings.get(0)!, firings[i]!, one.error);
        });
      }
    }),
    { numRuns: effort(1000) },
  );
  errors.end();
});

/** A chain of two classes, one after the other: states of the first lead to the second, those of the second to two ends. */
function chainOf(first: Weighted, second: Weighted): MarkovChain {
  const [m, n] = [first.inner.length, second.inner.length];
  const rows = [
    ...first.inner.map((row, i) => [
      ...row.flatMap((w, j) => (i === j ? [] : [[j, w] as const])),
      ...first.outer[i]!.slice(0, n).map((w, k) => [m + k, w] as const),
    ]),
    ...second.inner.map((row, i) => [
      ...row.flatMap((w, j) => (i === j ? [] : [[m + j, w] as const])),
      ...second.outer[i]!.map((w, k) => [m + n + k, w] as const),
    ]),
    [],
    [],
  ];
  return {
    states: m + n + 2,
    start: Uint32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]),
    target: Int32Array.from(rows.flat(), ([to]) => to),
    rates: { code: undefined, value: Float64Array.from(rows.flat(), ([, rate]) => rate) },
    initial: { to: new Map([[0, 1]]), firings: new Map(), error: 0 },
    error: 0,
  } as unknown as MarkovChain;
}

test('passages through two classes: errors of probabilities and times are within their bound', () => {
  const errors = new Errors();
  const two = classes.filter(({ inner }) => inner.length >= 2);
  fc.assert(
    fc.property(two, two, (first, second) => {
      const chain = chainOf(first, second);
      const parts = components(graphOf(chain));
      const [m, n] = [first.inner.length, second.inner.length];
      const later = (values: readonly Fraction[]): Fraction[] =>
        first.outer.map((pair) => sum(pair.map((w, k) => times(exactly(w), values[k]!))));
      const found = passages(chain, parts, () => false)!.from(chain.initial)!;
      for (const k of [0, 1] as const) {
        const [probability] = exact(first, later(exact(second, outside(second, k))));
        errors.add(found.to.get(parts.of[m + n + k]!)!, probability!, found.error);
      }
      const one = Float64Array.from({ length: chain.states }, (_, s) => (s < m + n ? 1 : 0));
      const timed = passages(chain, parts, () => false, one)!.from(chain.initial)!;
      const ones = (count: number): Fraction[] => Array.from({ length: count }, () => exactly(1));
      const after = later(exact(second, ones(n)));
      const [time] = exact(
        first,
        ones(m).map((x, i) => plus(x, after[i]!)),
      );
      errors.add(timed.gain, time!, timed.error);
    }),
    { numRuns: effort(500) },
  );
  errors.end();
});

test('the chain of a net: errors of rates through immediate choices are within their bound', () => {
  const errors = new Errors();
  fc.assert(
    fc.property(
      weight,
      weight,
      fc.array(weight, { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 1, max: 3 }),
      (a, b, weights, tokens) => {
        const choices = Object.fromEntries(
          weights.map((weight, k) => [`w${k}`, { take: 'chosen', put: `q${k % 2}`, weight }]),
        );
        const net = stochasticNet(
          'choices',
          { idle: tokens, chosen: 0, q0: 0, q1: 0 },
          {
            go: { take: 'idle', put: 'chosen', race: a },
            ...choices,
            back0: { take: 'q0', put: 'idle', race: b },
            back1: { take: 'q1', put: 'idle', race: b },
          },
        );
        const chain = markovChain(explore(net))!;
        const total = sum(weights.map(exactly));
        const share = (k: number): Fraction => over(sum(weights.filter((_, j) => j % 2 === k).map(exactly)), total);
        // From the initial marking, a token goes to q0 or q1; the states are told apart by their tokens.
        const q0 = chain.tokens(2);
        const rates = [...chain.target.subarray(chain.start[0], chain.start[1])];
        expect(rates).toHaveLength(2);
        rates.forEach((to, e) => {
          const exactRate = times(times(exactly(a), exactly(tokens)), share(q0[to] === 1 ? 0 : 1));
          errors.add(rateAt(chain.rates, chain.start[0]! + e), exactRate, chain.error);
        });
      },
    ),
    { numRuns: effort(200) },
  );
  errors.end();
});

test('the chain of a net: the bound holds the errors of a long sequence of immediate choices', () => {
  const steps = 80;
  let largest = 0;
  const pair = fc.tuple(fc.integer({ min: 200, max: 999 }), fc.integer({ min: 1, max: 3 }));
  fc.assert(
    fc.property(fc.array(pair, { minLength: steps, maxLength: steps }), (pairs) => {
      const places = Object.fromEntries(pairs.map((_, k) => [`v${k}`, 0]));
      const choices = pairs.flatMap(([on, off], k) => [
        [`on${k}`, { take: `v${k}`, put: k === steps - 1 ? 'end' : `v${k + 1}`, weight: on }] as const,
        [`off${k}`, { take: `v${k}`, put: 'idle', weight: off }] as const,
      ]);
      const timed = { go: { take: 'idle', put: 'v0', race: 1 }, back: { take: 'end', put: 'idle', race: 1 } };
      const net = stochasticNet(
        'sequence',
        { idle: 1, end: 0, ...places },
        { ...timed, ...Object.fromEntries(choices) },
      );
      const chain = markovChain(explore(net))!;
      const reached = pairs.reduce((p, [on, off]) => times(p, over(exactly(on), exactly(on + off))), exactly(1));
      const off = offBy(rateAt(chain.rates, chain.start[0]!), reached);
      expect(off).toBeLessThanOrEqual(chain.error);
      largest = Math.max(largest, off);
    }),
    { numRuns: effort(20) },
  );
  // More than the roundings of the chain itself, so that the errors of its vanishing markings count.
  expect(largest).toBeGreaterThan(7 * ROUNDING);
});

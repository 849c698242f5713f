import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linearProgramText } from '../../../src/analysis/structure/linear-program.ts';
import { petriOf } from '../../../src/analysis/structure/plain-petri.ts';
import { integerProportions } from '../../../src/analysis/structure/rational.ts';
import {
  boundedPlaces,
  boundOfSum,
  checkedBound,
  checkedRefutation,
  refutation,
} from '../../../src/analysis/structure/state-equation.ts';
import { structureOf, withSolver } from '../../../src/analysis/structure/structure.ts';
import { linearSolver } from '../../../src/commands/structure/structure.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';
import { philosophers } from '../../net/contest-nets.ts';
import { plainNets } from './random-plain-net.ts';

const solver = (await linearSolver())!;

/** Exchanges two tokens of `a` for three of `b`; initially 10 tokens in `a`. */
function exchange(): Net {
  const n = new NetBuilder('exchange');
  const a = n.place('a', {}, { initial: 10 });
  const b = n.place('b', {});
  n.transition('there', (t) => {
    t.take(a, {}, 2);
    t.put(b, {}, 3);
  });
  n.transition('back', (t) => {
    t.take(b, {}, 3);
    t.put(a, {}, 2);
  });
  return n.build();
}

describe('the state equation', () => {
  const petri = petriOf(exchange());

  test('bounds sums, by integer weights', () => {
    expect(boundOfSum(petri, new Map([[1, 1]]), solver)).toEqual({
      bound: 15,
      scale: 2,
      weights: new Map([
        [0, 3],
        [1, 2],
      ]),
    });
    expect(
      boundOfSum(
        petri,
        new Map([
          [0, 1],
          [1, 1],
        ]),
        solver,
      )?.bound,
    ).toBe(15);
    // b − a is maximal when all tokens are exchanged, a − b initially.
    expect(
      boundOfSum(
        petri,
        new Map([
          [0, -1],
          [1, 1],
        ]),
        solver,
      )?.bound,
    ).toBe(15);
    expect(
      boundOfSum(
        petri,
        new Map([
          [0, 1],
          [1, -1],
        ]),
        solver,
      )?.bound,
    ).toBe(10);
  });

  test('refutes demands that cannot be met together', () => {
    const demands = [
      { weights: new Map([[0, 1]]), least: 5 },
      { weights: new Map([[1, 1]]), least: 8 },
    ];
    // 3·5 + 2·8 = 31 > 30
    const found = refutation(petri, demands, solver)!;
    expect(found.demanded / found.tokens).toBeCloseTo(31 / 30, 12);
    expect(refutation(petri, [demands[0]!, { weights: new Map([[1, 1]]), least: 7 }], solver)).toBeUndefined();
  });

  test('of philosophers: neighbours never eat together, and at most half of them do', () => {
    const table = petriOf(philosophers(6));
    const eat = table.places.flatMap(({ node }, p) => (table.net.places[node]!.name === 'Eat' ? [p] : []));
    expect(boundOfSum(table, new Map(eat.map((p) => [p, 1])), solver)?.bound).toBe(3);
    expect(boundOfSum(table, new Map(eat.slice(0, 2).map((p) => [p, 1])), solver)?.bound).toBe(1);
  });

  test('of a growing net bounds nothing', () => {
    const n = new NetBuilder('source');
    const p = n.place('p', {}, { initial: 1 });
    n.transition('t', (t) => {
      t.take(p);
      t.put(p, {}, 2);
    });
    expect(boundOfSum(petriOf(n.build()), new Map([[0, 1]]), solver)).toBeUndefined();
  });
});

describe('certificates are checked', () => {
  const petri = petriOf(exchange());

  test('weights that grow, or lie below the sum, prove nothing', () => {
    expect(checkedBound(petri, new Map([[1, 1]]), [3n, 2n], 2n)?.bound).toBe(15);
    expect(checkedBound(petri, new Map([[1, 1]]), [1n, 1n], 1n)).toBeUndefined();
    expect(checkedBound(petri, new Map([[1, 1]]), [3n, 2n], 3n)).toBeUndefined();
    expect(checkedBound(petri, new Map([[1, 1]]), [3n, 2n], 0n)).toBeUndefined();
    expect(checkedBound(petri, new Map([[1, 1]]), [-3n, -2n], 1n)).toBeUndefined();
  });

  test('multipliers below 0, or a sum that is not above, refute nothing', () => {
    const demands = [{ weights: new Map([[1, 1]]), least: 16 }];
    expect(checkedRefutation(petri, demands, [3n, 2n], [2n])).toMatchObject({ tokens: 30, demanded: 32 });
    expect(checkedRefutation(petri, demands, [3n, 2n], [-2n])).toBeUndefined();
    expect(checkedRefutation(petri, demands, [3n, 2n], [3n])).toBeUndefined();
    expect(checkedRefutation(petri, [{ ...demands[0]!, least: 15 }], [3n, 2n], [2n])).toBeUndefined();
  });

  test('wrong answers of a solver are rejected', () => {
    const lies = [
      Float64Array.of(0, 1),
      Float64Array.of(1, 1e-9),
      Float64Array.of(Number.NaN, 1),
      Float64Array.of(0, 0),
    ];
    for (const lie of lies) expect(boundOfSum(petri, new Map([[1, 1]]), () => lie)).toBeUndefined();
    expect(
      refutation(petri, [{ weights: new Map([[1, 1]]), least: 15 }], () => Float64Array.of(1.5, 1, 1)),
    ).toBeUndefined();
  });

  test('a reset place has no negative weight', () => {
    const n = new NetBuilder('reset');
    const a = n.place('a', {}, { initial: 1 });
    const b = n.place('b', {}, { initial: 1 });
    n.transition('t', (t) => {
      t.reset(a);
      t.take(b);
      t.put(b, {});
    });
    // No arc increases a − b; the reset increases b − a.
    const reset = petriOf(n.build());
    expect(
      checkedBound(
        reset,
        new Map([
          [0, -1],
          [1, 1],
        ]),
        [-1n, 1n],
        1n,
      ),
    ).toBeUndefined();
    expect(
      boundOfSum(
        reset,
        new Map([
          [0, -1],
          [1, 1],
        ]),
        solver,
      )?.bound,
    ).toBe(1);
  });
});

describe('one program for all places', () => {
  test('tells which places programs of their own bound, with weights of all these', () => {
    const counts = { bounded: 0, unbounded: 0 };
    fc.assert(
      fc.property(plainNets({ all: false }), (net) => {
        const petri = petriOf(net);
        const found = boundedPlaces(petri, solver)!;
        petri.places.forEach((_, p) => {
          const isBounded = boundOfSum(petri, new Map([[p, 1]]), solver) !== undefined;
          expect([p, found.hasWeights(p)]).toEqual([p, isBounded]);
          if (isBounded) counts.bounded++;
          else counts.unbounded++;
        });
        const bounded = petri.places.flatMap((_, p) => (found.hasWeights(p) ? [p] : []));
        expect([...found.weights!.keys()]).toEqual(expect.arrayContaining(bounded));
        for (const { change } of petri.transitions)
          expect(change.reduce((sum, [p, n]) => sum + n * (found.weights!.get(p) ?? 0), 0)).toBeLessThanOrEqual(0);
      }),
      { numRuns: effort(100) },
    );
    expect(Math.min(counts.bounded, counts.unbounded)).toBeGreaterThan(0);
  });

  test('the bounds of a producer that nothing stops, beside eight buffers of one token', () => {
    const n = new NetBuilder('producer');
    const made = n.place('made', {});
    const maker = n.place('maker', {}, { initial: 1 });
    n.transition('make', (t) => {
      t.take(maker);
      t.put(maker, {});
      t.put(made, {});
    });
    for (let k = 0; k < 8; k++) {
      const [free, full] = [n.place(`free${k}`, {}, { initial: 1 }), n.place(`full${k}`, {})];
      n.transition(`store${k}`, (t) => {
        t.take(made);
        t.take(free);
        t.put(full, {});
      });
      n.transition(`send${k}`, (t) => {
        t.take(full);
        t.put(free, {});
      });
    }
    const found = withSolver(structureOf(n.build(), { effort: 0 }), solver);
    expect(found.proofs.map((proof) => proof?.bound)).toEqual([undefined, ...new Array(17).fill(1)]);
    expect(found.verdicts.bounded.value).toBeUndefined();
    expect(found.verdicts.structurallyBounded.because).toBe('no such weights were found for 1 of 18 places');
  });
});

describe('integer proportions', () => {
  test('of fractions are recovered', () => {
    const fraction = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 30 }));
    fc.assert(
      fc.property(
        fc.array(fraction, { minLength: 1, maxLength: 6 }),
        fc.double({ min: -1e-10, max: 1e-10, noNaN: true }),
        (all, noise) => {
          const whole = integerProportions(Float64Array.from([...all.map(([n, d]) => n / d + noise), 1]))!;
          const one = Number(whole.at(-1));
          expect(whole.slice(0, -1).map((w) => Number(w) / one)).toEqual(all.map(([n, d]) => n / d || 0));
        },
      ),
    );
  });

  test('of other numbers are not found', () => {
    expect(integerProportions(Float64Array.of(1, Math.PI))).toBeUndefined();
    expect(integerProportions(Float64Array.of(Number.POSITIVE_INFINITY))).toBeUndefined();
    expect(integerProportions(Float64Array.of(0, 0))).toEqual([0n, 0n]);
  });
});

test('a linear program as text', () => {
  const program = {
    costs: new Map([[0, 1]]),
    variables: 2,
    free: (v: number) => v === 1,
    rows: [
      {
        coefficients: new Map([
          [0, -2],
          [1, 1],
        ]),
        most: -3,
      },
    ],
  };
  expect(linearProgramText(program)).toBe(
    'Minimize\n obj: + 1 x0\nSubject To\n c0: - 2 x0 + 1 x1 <= -3\nBounds\n x1 free\nEnd\n',
  );
  expect([...solver(program)!][0]).toBe(0);
});

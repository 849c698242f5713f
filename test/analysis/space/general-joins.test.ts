import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exploration, explore } from '../../../src/analysis/space/explore.ts';
import { InputError } from '../../../src/base/problem.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Expression } from '../../../src/net/expression.ts';
import type { InputArc, Net, Place, Transition } from '../../../src/net/net.ts';
import { add, eq, mod } from '../../../src/net/terms.ts';
import { validate } from '../../../src/net/validation/validate.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { exploreReference } from '../../reference/explorer.ts';
import { markings, steps } from './texts.ts';

const RUNS = effort(100);

const num = (value: number): Expression => ({ op: 'const', value });
const v = (name: string): Expression => ({ op: 'var', name });
const plus = (a: Expression, b: Expression): Expression => ({ op: 'add', a, b });

/** Places with many tokens, and transitions with various joins between arcs. */
const crowdedNet: fc.Arbitrary<Net> = fc
  .noBias(fc.array(fc.nat({ max: 9999 }), { minLength: 150, maxLength: 250 }))
  .map((tape) => {
    let at = 0;
    const next = (n: number): number => (tape[at++] ?? 0) % n;
    const pick = <T>(...of: readonly T[]): T => of[next(of.length)]!;
    const places = Array.from({ length: 2 + next(2) }, (_, k): Place => {
      const fields = Array.from({ length: 1 + next(2) }, (_, f) => ({ name: `f${f}`, colour: 'Ten' }));
      const order = pick('bag', 'bag', 'fifo', 'priority');
      const initial = Array.from({ length: 6 + next(14) }, () => ({ values: fields.map(() => next(10)), count: 1 }));
      return {
        name: `p${k}`,
        fields,
        order,
        key: order === 'bag' ? [] : ['f0'],
        ...(order === 'priority' ? { priority: v(fields.at(-1)!.name) } : {}),
        initial,
      };
    });
    const transitions = Array.from({ length: 1 + next(2) }, (_, k): Transition => {
      const bound: string[] = [];
      const inputs = Array.from({ length: 2 + next(2) }, (_, turn): InputArc => {
        const place = pick(...places);
        const pattern: Record<string, Expression> = {};
        const mine: string[] = [];
        for (const f of place.fields) {
          const choice = next(8);
          if (choice < 3 && bound.length > 0) pattern[f.name] = v(pick(...bound));
          else if (choice === 3 && bound.length > 0) pattern[f.name] = plus(v(pick(...bound)), num(1));
          else if (choice === 4) pattern[f.name] = num(next(10));
          else if (choice > 4) {
            mine.push(`x${bound.length + mine.length}`);
            pattern[f.name] = v(mine.at(-1)!);
          }
        }
        bound.push(...mine);
        return {
          kind: turn === 0 ? 'take' : pick('take', 'read'),
          place: place.name,
          pattern,
          count: pick(1, 1, 1, 2),
        };
      });
      const free = next(3) === 0 ? [{ name: 'y', colour: 'Ten' }] : [];
      const variable = (): Expression => (bound.length === 0 ? num(next(10)) : v(pick(...bound)));
      const side = (): Expression =>
        pick<() => Expression>(
          variable,
          () => plus(variable(), num(next(3))),
          () => ({ op: 'at', table: 'seven', index: variable() }),
          () => plus(variable(), variable()),
        )();
      const equation = (): Expression => ({ op: pick('eq', 'eq', 'le'), a: side(), b: side() });
      const parts = Array.from({ length: next(3) }, equation);
      if (free.length > 0) parts.push({ op: 'eq', a: v('y'), b: side() });
      const guard = parts.reduce<Expression | undefined>(
        (all, e) => (all === undefined ? e : { op: 'and', a: all, b: e }),
        undefined,
      );
      return { name: `t${k}`, inputs, outputs: [], free, ...(guard === undefined ? {} : { guard }) };
    });
    return {
      name: 'crowded',
      colours: [{ kind: 'range', name: 'Ten', low: 0, high: 9 }],
      tables: [{ kind: 'int', name: 'seven', values: Int32Array.of(3, 1, 4, 1, 5, 9, 2, 6, 5), low: 0, high: 9 }],
      places,
      transitions,
    };
  });

test('index look-ups in crowded places find the same bindings as brute force (E2, S6, S7)', {
  timeout: 600_000,
}, () => {
  const seen = { steps: 0, failures: 0 };
  fc.assert(
    fc.property(crowdedNet, (net) => {
      expect(validate(net)).toEqual([]);
      const expected = exploreReference(net, Number.POSITIVE_INFINITY, 1);
      const running = exploration(net, { engine: 'general' });
      try {
        running.advance(1);
      } catch (e) {
        if (!(e instanceof InputError)) throw e;
        expect([...expected.failures]).toContain(e.problems[0]!.code);
        seen.failures++;
        return;
      }
      expect(expected.failures.size).toBe(0);
      const { space } = running;
      expect(steps(space, 1, markings(space))).toEqual(expected.steps);
      seen.steps += space.edges;
    }),
    { numRuns: RUNS },
  );
  expect(seen.steps).toBeGreaterThan(atFullEffort(5 * RUNS));
  expect(seen.failures).toBeGreaterThan(atFullEffort(RUNS / 20));
});

/** Five tokens pass through three places of 1,000 tokens each; one combination in 10⁹ matches. */
test('combinations of colours are not enumerated: 5 · 10⁹ of tokens, and 3,125 markings', { timeout: 60_000 }, () => {
  const many = 1000;
  const n = new NetBuilder('ring');
  const K = n.range('K', 0, many - 1);
  const all = Array.from({ length: many }, (_, k) => ({ k, l: (7 * k) % many }));
  const [a, b, c] = ['a', 'b', 'c'].map((name) => n.place(name, { k: K, l: K }, { initial: all }));
  const at = n.place(
    'at',
    { k: K, steps: n.range('Steps', 0, 4) },
    { initial: [0, 1, 2, 3, 4].map((k) => ({ k: 200 * k, steps: 0 })) },
  );
  n.transition('step', (t) => {
    const { k, steps } = t.take(at);
    const { l } = t.read(a!, { k });
    const { k: m } = t.read(b!, { l });
    const { k: o } = t.read(c!, { l: mod(add(m, 1), many) });
    t.guard(eq(mod(add(o, l), 2), mod(add(o, l), 2)));
    t.put(at, { k: o, steps: add(steps, 1) });
    t.guard(eq(steps, mod(steps, 4)));
  });
  const space = explore(n.build(), { engine: 'general', seconds: 30 });
  // Each of the five tokens moves independently through five positions.
  expect([space.complete, space.states, space.levels.length]).toEqual([true, 5 ** 5, 21]);
});

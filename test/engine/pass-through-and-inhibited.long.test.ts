import * as fc from 'fast-check';
import { test } from 'vitest';
import type { Expression } from '../../src/net/expression.ts';
import type { Net, Transition } from '../../src/net/net.ts';
import { effort } from '../effort.ts';
import { INT, inhibit, netOf, num, put, read, take, x } from '../reference/nets.ts';
import { compare } from './agree.ts';

const RUNS = effort(75);
const PLACES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

const place = fc.record({
  /** No field, a narrow one, or a wide one. */
  field: fc.constantFrom('none', 'none', 'Few', INT),
  tokens: fc.constantFrom(0, 1, 1, 2),
  capacity: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, 3),
});
const chosen = fc.nat(PLACES.length - 1);
const transition = fc.record({
  /** A second input place; without it, tokens of the transition's own place are pass-through. */
  also: fc.constantFrom(-1, -1, 0, 1, 2),
  other: fc.record({ kind: fc.constantFrom('none', 'none', 'none', 'inhibit', 'inhibit', 'read'), place: fc.nat(2) }),
  /** Each output: place, value, and unconditional or conditional. */
  puts: fc.array(fc.tuple(chosen, fc.nat(1), fc.boolean()), { maxLength: 3 }),
  delay: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, 1),
  priority: fc.constantFrom(0, 0, 0, 0, 0, 0, 1),
});

/**
 * Small nets with many pass-through tokens, inhibitors and capacities. Pass-through tokens must not affect other entries of
 * the agenda. General random nets rarely combine these features.
 */
function netFrom(places: readonly PlaceParts[], transitions: readonly TransitionParts[]): Net {
  const fieldOf = (p: number): string => places[p]!.field;
  return netOf({
    colours: [{ kind: 'range', name: 'Few', low: 0, high: 1 }],
    places: Object.fromEntries(
      places.map(({ field, tokens, capacity }, p) => [
        PLACES[p]!,
        {
          ...(field === 'none' ? { tokens } : { fields: [{ name: 'k', colour: field }] }),
          ...(field === 'none' ? {} : { tokens: Array.from({ length: tokens }, (_, k) => [k]) }),
          ...(capacity === undefined ? {} : { capacity }),
        },
      ]),
    ),
    transitions: Object.fromEntries(
      transitions.map(({ also, other, puts, delay, priority }, t): [string, Partial<Omit<Transition, 'name'>>] => {
        const takes = also < 0 || also === t ? [t] : [t, also];
        const pattern = (p: number, name: string): Record<string, Expression> =>
          fieldOf(p) === 'none' ? {} : { k: x(name) };
        const bound = takes.findIndex((p) => fieldOf(p) === 'Few');
        const value = (k: number): Expression => (bound < 0 ? num(k) : x(`k${bound}`));
        const inputs = takes.map((p, i) => take(PLACES[p]!, pattern(p, `k${i}`)));
        if (other.kind === 'inhibit') inputs.push(inhibit(PLACES[other.place]!));
        if (other.kind === 'read') inputs.push(read(PLACES[other.place]!));
        const outputs = puts.map(([p, k, always]) => ({
          ...put(PLACES[p]!, fieldOf(p) === 'none' ? {} : { k: value(k) }),
          ...(always || bound < 0 ? {} : { count: { op: 'eq' as const, a: x(`k${bound}`), b: num(k) } }),
        }));
        return [`t${t}`, { inputs, outputs, priority, ...(delay === undefined ? {} : { delay: num(delay) }) }];
      }),
    ),
  });
}

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;
type PlaceParts = Of<typeof place>;
type TransitionParts = Of<typeof transition>;

test('inhibitors and capacities of places next to pass-through tokens', { timeout: 600_000 + RUNS * 200 }, () => {
  fc.assert(
    fc.property(
      fc.array(place, { minLength: PLACES.length, maxLength: PLACES.length }),
      fc.array(transition, { minLength: PLACES.length, maxLength: PLACES.length }),
      (places, transitions) => {
        compare(netFrom(places, transitions), { maxSteps: 60 });
      },
    ),
    { numRuns: RUNS },
  );
});

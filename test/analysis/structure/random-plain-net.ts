import * as fc from 'fast-check';
import type { Net } from '../../../src/net/net.ts';

/** An arc: place and weight. */
interface Draft {
  readonly places: number;
  readonly initial: readonly number[];
  readonly transitions: readonly {
    readonly takes: readonly (readonly [number, number])[];
    readonly reads: readonly (readonly [number, number])[];
    readonly puts: readonly (readonly [number, number])[];
    readonly inhibits: readonly (readonly [number, number])[];
    readonly resets: readonly number[];
    readonly priority: number;
  }[];
}

interface Kinds {
  /** Read, inhibitor and reset arcs, priorities. */
  readonly all: boolean;
}

/** Small place/transition nets. Many are bounded, because transitions often conserve tokens. */
export function plainNets({ all }: Kinds): fc.Arbitrary<Net> {
  return fc
    .integer({ min: 1, max: 7 })
    .chain((places) => {
      const place = fc.nat({ max: places - 1 });
      const arcs = fc.uniqueArray(fc.tuple(place, fc.constantFrom(1, 1, 1, 1, 2)), {
        selector: ([p]) => p,
        minLength: 0,
        maxLength: 3,
      });
      const few = <T>(arbitrary: fc.Arbitrary<T[]>): fc.Arbitrary<T[]> =>
        all ? fc.oneof({ weight: 4, arbitrary: fc.constant<T[]>([]) }, arbitrary) : fc.constant<T[]>([]);
      return fc.record({
        places: fc.constant(places),
        initial: fc.array(fc.constantFrom(0, 0, 1, 1, 2), { minLength: places, maxLength: places }),
        transitions: fc.array(
          fc.record({
            takes: arcs,
            puts: arcs,
            reads: few(arcs),
            inhibits: few(arcs),
            resets: few(fc.uniqueArray(place, { maxLength: 2 })),
            priority: all ? fc.constantFrom(0, 0, 0, 1) : fc.constant(0),
          }),
          { minLength: 1, maxLength: 6 },
        ),
      });
    })
    .map(netOf);
}

function netOf({ places, initial, transitions }: Draft): Net {
  const name = (p: number): string => `p${p}`;
  return {
    name: 'random',
    colours: [],
    tables: [],
    places: Array.from({ length: places }, (_, p) => ({
      name: name(p),
      fields: [],
      order: 'bag' as const,
      key: [],
      initial: initial[p]! > 0 ? [{ values: [], count: initial[p]! }] : [],
    })),
    transitions: transitions.map((t, k) => ({
      name: `t${k}`,
      inputs: [
        ...t.takes.map(([p, count]) => ({ kind: 'take' as const, place: name(p), pattern: {}, count })),
        ...t.reads.map(([p, count]) => ({ kind: 'read' as const, place: name(p), pattern: {}, count })),
        ...t.inhibits.map(([p, count]) => ({ kind: 'inhibit' as const, place: name(p), pattern: {}, count })),
        ...t.resets.map((p) => ({ kind: 'reset' as const, place: name(p), pattern: {}, count: 1 })),
      ],
      outputs: t.puts.map(([p, count]) => ({
        place: name(p),
        values: {},
        count: { op: 'const' as const, value: count },
      })),
      priority: t.priority,
    })),
  };
}

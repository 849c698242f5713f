import * as fc from 'fast-check';
import type { InputArc, Net, OutputArc, Place, Service, Transition } from '../../../src/net/net.ts';

/** A random net without decisions. */
export interface Draft {
  /** Firings of each transition in one iteration. */
  readonly transitions: readonly {
    readonly repetitions: number;
    readonly timing: 'immediate' | 'holding' | 'race' | 'single' | 'double';
    readonly delay: number;
  }[];
  readonly places: readonly {
    readonly from: number;
    readonly to: number;
    readonly tokens: number;
    readonly room: number | undefined;
    readonly service: { readonly kind: 'is' | 'fcfs'; readonly servers: number; readonly time: number } | undefined;
  }[];
}

/** Weighted marked graphs with constant delays; many have several components, and some deadlocks or sources. */
export const drafts = (weights: boolean): fc.Arbitrary<Draft> =>
  fc.integer({ min: 1, max: 5 }).chain((size) => {
    const node = fc.nat({ max: size - 1 });
    const transition = fc.record({
      repetitions: weights ? fc.constantFrom(1, 1, 2, 3) : fc.constant(1),
      timing: fc.constantFrom('immediate', 'holding', 'holding', 'race', 'single', 'double'),
      delay: fc.integer({ min: 1, max: 6 }),
    } as const);
    const service = fc.record({
      kind: fc.constantFrom('is', 'fcfs'),
      servers: fc.integer({ min: 1, max: 2 }),
      time: fc.integer({ min: 0, max: 4 }),
    } as const);
    const place = fc.record({
      from: node,
      to: node,
      tokens: fc.constantFrom(0, 0, 1, 1, 2, 3),
      room: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 4 }),
      service: fc.option(service, { nil: undefined, freq: 4 }),
    });
    return fc.record({
      transitions: fc.array(transition, { minLength: size, maxLength: size }),
      places: fc.array(place, { minLength: size, maxLength: size + 4 }),
    });
  });

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

function stationOf({ kind, servers, time }: NonNullable<Draft['places'][number]['service']>): Service {
  const own = { time: { op: 'const', value: time } } as const;
  return kind === 'is' ? { kind, ...own } : { kind, servers, ...own };
}

/** The net of a draft. A transition without input is a source, which must be a race. */
export function netOf({ transitions, places }: Draft): Net {
  const weight = (from: number, to: number): readonly [number, number] => {
    const [a, b] = [transitions[from]!.repetitions, transitions[to]!.repetitions];
    return [b / gcd(a, b), a / gcd(a, b)];
  };
  return {
    name: 'random',
    colours: [],
    tables: [],
    places: places.map(({ from, to, tokens, room, service }, p): Place => {
      const [gives, takes] = weight(from, to);
      const least = Math.max(tokens, gives + takes - 1);
      return {
        name: `p${p}`,
        fields: [],
        order: 'bag',
        key: [],
        initial: tokens === 0 ? [] : [{ values: [], count: tokens }],
        ...(room === undefined ? {} : { capacity: least + room }),
        ...(service === undefined ? {} : { service: stationOf(service) }),
      };
    }),
    transitions: transitions.map(({ timing, delay }, t): Transition => {
      const inputs = places.flatMap(({ from, to }, p): InputArc[] =>
        to === t ? [{ kind: 'take', place: `p${p}`, pattern: {}, count: weight(from, to)[1] }] : [],
      );
      const outputs = places.flatMap(({ from, to }, p): OutputArc[] =>
        from === t ? [{ place: `p${p}`, values: {}, count: { op: 'const', value: weight(from, to)[0] } }] : [],
      );
      const kind = inputs.length === 0 ? 'race' : timing;
      return {
        name: `t${t}`,
        inputs,
        outputs,
        ...(kind === 'immediate' ? {} : { delay: { op: 'const', value: delay } }),
        ...(kind === 'immediate' || kind === 'holding' ? {} : { timing: 'race' }),
        ...(kind === 'single' ? { servers: 'single' } : kind === 'double' ? { servers: 2 } : {}),
      };
    }),
  };
}

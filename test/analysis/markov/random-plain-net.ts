import * as fc from 'fast-check';
import type { PlainNet } from './exact-chain.ts';
import type { Arcs } from './stochastic-nets.ts';

/** Small nets whose number of tokens never changes: races with one or many clocks, holding and immediate transitions. */
export const plainNet: fc.Arbitrary<PlainNet> = plainNets(true);
/** The same without speeds and memories. */
export const plainNetOfConstantSpeed: fc.Arbitrary<PlainNet> = plainNets(false);

function plainNets(isCounting: boolean): fc.Arbitrary<PlainNet> {
  return fc.integer({ min: 2, max: 4 }).chain((size) => netOfSize(size, isCounting));
}

function netOfSize(size: number, isCounting: boolean): fc.Arbitrary<PlainNet> {
  const names = Array.from({ length: size }, (_, k) => `p${k}`);
  const place = fc.constantFrom(...names);
  const rate = fc.constantFrom(1, 2, 3, 7, 100);
  const timing: fc.Arbitrary<Partial<Arcs>> = fc.oneof(
    { weight: 2, arbitrary: fc.record({ race: rate, single: fc.boolean() }) },
    { weight: isCounting ? 0 : 1, arbitrary: fc.record({ race: rate, servers: fc.integer({ min: 2, max: 3 }) }) },
    {
      weight: isCounting ? 2 : 0,
      arbitrary: fc.record(
        {
          race: rate,
          servers: fc.integer({ min: 1, max: 3 }),
          memory: fc.constantFrom('enabling', 'age', 'resampling'),
          speed: fc.array(place, { minLength: 1, maxLength: 3 }).map((list) => list.join(' ')),
        },
        { requiredKeys: ['race'] },
      ),
    },
    { weight: 2, arbitrary: fc.record({ holding: rate }) },
    { weight: 1, arbitrary: fc.record({ holding: rate, weight: fc.integer({ min: 1, max: 5 }) }) },
    { weight: 2, arbitrary: fc.record({ weight: fc.integer({ min: 1, max: 5 }) }) },
    { weight: 1, arbitrary: fc.record({ priority: fc.integer({ min: 0, max: 2 }) }) },
    { weight: 1, arbitrary: fc.constant({}) },
  );
  const transition = fc
    .record({
      pairs: fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 2 }),
      timing,
      inhibit: fc.option(place, { nil: undefined, freq: 5 }),
    })
    .map(
      ({ pairs, timing: own, inhibit }): Arcs => ({
        take: pairs.map(([from]) => from).join(' '),
        put: pairs.map(([, to]) => to).join(' '),
        ...(inhibit === undefined ? {} : { inhibit: `${inhibit} ${inhibit}` }),
        ...own,
      }),
    );
  return fc.record({
    initial: fc
      .array(fc.integer({ min: 0, max: 2 }), { minLength: size, maxLength: size })
      .map((tokens) => Object.fromEntries(names.map((name, k) => [name, tokens[k]!]))),
    transitions: fc
      .array(transition, { minLength: 2, maxLength: 6 })
      .map((list) => Object.fromEntries(list.map((t, k) => [`t${k}`, t]))),
  });
}

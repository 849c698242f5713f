import * as fc from 'fast-check';
import type { PlainNet } from './exact-chain.ts';
import type { Arcs } from './stochastic-nets.ts';

/** Clocks of races: with two or three servers, or also with speeds and memories. */
type Clocks = 'one or many' | 'servers' | 'all';

/** Small nets whose number of tokens never changes: races with one or many clocks, holding and immediate transitions. */
export const plainNet: fc.Arbitrary<PlainNet> = plainNets('all');
/** The same without speeds and memories. */
export const plainNetOfConstantSpeed: fc.Arbitrary<PlainNet> = plainNets('servers');
/** The same without several servers, too. */
export const plainNetOfOneOrManyClocks: fc.Arbitrary<PlainNet> = plainNets('one or many');

function plainNets(clocks: Clocks): fc.Arbitrary<PlainNet> {
  return fc.integer({ min: 2, max: 4 }).chain((size) => netOfSize(size, clocks));
}

function netOfSize(size: number, clocks: Clocks): fc.Arbitrary<PlainNet> {
  const names = Array.from({ length: size }, (_, k) => `p${k}`);
  const place = fc.constantFrom(...names);
  const rate = fc.constantFrom(1, 2, 3, 7, 100);
  const timing: fc.Arbitrary<Partial<Arcs>> = fc.oneof(
    { weight: 2, arbitrary: fc.record({ race: rate, single: fc.boolean() }) },
    {
      weight: clocks === 'servers' ? 1 : 0,
      arbitrary: fc.record({ race: rate, servers: fc.integer({ min: 2, max: 3 }) }),
    },
    {
      weight: clocks === 'all' ? 2 : 0,
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

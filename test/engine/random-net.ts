import * as fc from 'fast-check';
import type { Net } from '../../src/net/net.ts';
import { COMPOSITES, FUNCTIONS, SCALARS, TABLES } from './random/data.ts';
import { Draft, SHAPES } from './random/shapes.ts';
import { Tape } from './random/tape.ts';
import { drawTraits } from './random/traits.ts';

export { featuresOf } from './random/features.ts';

/** A net decoded from a tape of numbers, so that shortening or lowering the tape shrinks the net. */
export const arbitraryNet: fc.Arbitrary<Net> = fc
  .noBias(fc.array(fc.nat({ max: 9999 }), { minLength: 100, maxLength: 300 }))
  .map((tape) => decode(tape));

/** Decodes a tape: traits of the net, one or two shapes, and transitions across them. */
export function decode(numbers: readonly number[]): Net {
  const tape = new Tape(numbers);
  const traits = drawTraits(tape);
  const draft = new Draft(tape, traits);
  for (let n = tape.pick([1, 1, 2]); n > 0; n--) tape.pick(SHAPES)(draft);
  for (let n = tape.pick([0, 1, 1, 2]); n > 0; n--) draft.any();
  return {
    name: 'random',
    colours: traits.composite ? [...SCALARS, ...COMPOSITES] : SCALARS,
    tables: TABLES,
    places: draft.places,
    transitions: draft.transitions,
    ...(traits.calls ? { functions: FUNCTIONS } : {}),
  };
}

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Expression } from '../../src/net/expression.ts';
import type { InputArc, Net, Place } from '../../src/net/net.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { atFullEffort, effort } from '../effort.ts';
import { compare } from './agree.ts';
import { FUNCTIONS, SCALARS, TABLES } from './random/data.ts';
import { columns } from './random/places.ts';
import { Draft } from './random/shapes.ts';
import { Tally } from './random/tally.ts';
import { Tape } from './random/tape.ts';
import { num, Terms, type Variable, variable } from './random/terms.ts';
import { drawTraits } from './random/traits.ts';

const RUNS = effort(40);

/**
 * Queues that fill in a random order and are reset in the middle; transitions take or read several adjacent equal tokens.
 * A reset can join two rows of equal tokens without an arrival. Weights and free variables reveal duplicate candidates.
 */
function decodeRows(numbers: readonly number[]): Net {
  const tape = new Tape(numbers);
  const d = new Draft(tape, {
    ...drawTraits(tape),
    failure: undefined,
    composite: false,
    priorityQueues: true,
    sharing: false,
    reset: true,
    counts: true,
    free: tape.chance(60),
    weight: tape.chance(70),
  });
  const clock = d.place({ fields: [], order: 'bag', initial: [{ values: [], count: 1 + tape.next(3) }] });
  const queues = Array.from({ length: 1 + tape.next(2) }, () => queue(d));
  for (let n = 1 + tape.next(2); n > 0; n--) feed(d, clock, tape.pick(queues));
  for (let n = 1 + tape.next(2); n > 0; n--) empty(d, tape.pick([clock, ...queues]), tape.pick(queues));
  for (let n = 1 + tape.next(3); n > 0; n--) useRow(d, tape.pick(queues));
  for (let n = tape.pick([0, 0, 1]); n > 0; n--) d.any();
  const { places, transitions } = d;
  return { name: 'rows', colours: SCALARS, tables: TABLES, places, transitions, functions: FUNCTIONS };
}

function queue(d: Draft): Place {
  const fields = [
    { name: 'f0', colour: d.tape.pick(['Two', 'Three']) },
    { name: 'f1', colour: 'Two' },
  ].slice(0, d.tape.pick([1, 2, 2]));
  return d.place({ fields, tokens: 6, ...(d.tape.chance(55) ? { order: 'fifo' as const } : {}) });
}

/** Periodic arrival of tokens with random colours. */
function feed(d: Draft, clock: Place, queue: Place): void {
  const inputs: InputArc[] = [{ kind: 'take', place: clock.name, pattern: {}, count: 1 }];
  const free = queue.fields.map((f, k) => ({ name: `y${k}`, colour: f.colour }));
  const values = Object.fromEntries(queue.fields.map((f, k) => [f.name, variable(`y${k}`)]));
  const { name, capacity } = queue;
  d.transitions.push({
    name: `feed${d.transitions.length}`,
    inputs,
    outputs: [
      { place: clock.name, values: {}, count: num(1) },
      { place: name, values, count: num(capacity === undefined ? d.tape.pick([1, 1, 2]) : 1) },
    ],
    free,
    weight: num(d.tape.pick([1, 0.25, 3])),
    delay: num(d.tape.pick([1, 0.5, 0])),
  });
}

/** Takes a token and resets some colours of a queue. */
function empty(d: Draft, from: Place, queue: Place): void {
  const variables: Variable[] = from.fields.map((f, k) => ({ name: `x${k}`, colour: f.colour }));
  const pattern = Object.fromEntries(from.fields.map((f, k) => [f.name, variable(`x${k}`)]));
  const inputs: InputArc[] = [{ kind: 'take', place: from.name, pattern, count: 1 }];
  for (let n = d.tape.pick([1, 1, 2]); n > 0; n--) {
    const terms = new Terms(d.tape, d.traits, variables);
    const removed: Record<string, Expression> = {};
    for (const c of columns(queue.fields)) if (d.tape.chance(65)) removed[c.name] = terms.constant(c.colour);
    inputs.push({ kind: 'reset', place: queue.name, pattern: removed, count: 1 });
  }
  const outputs = [{ place: from.name, values: pattern, count: num(1) }];
  d.transition(inputs, outputs, variables, d.tape.pick([num(1), num(0.5), num(0), undefined]));
}

/** Takes or reads several equal tokens, by one or two arcs. */
function useRow(d: Draft, queue: Place): void {
  const variables: Variable[] = [];
  const arc = (kind: 'take' | 'read', count: number): InputArc => {
    const pattern: Record<string, Expression> = {};
    for (const c of columns(queue.fields)) {
      if (d.tape.chance(25)) continue;
      const known = variables.find((v) => v.colour === c.colour);
      const name = known !== undefined && d.tape.chance(60) ? known.name : `x${variables.length}`;
      if (name !== known?.name) variables.push({ name, colour: c.colour });
      pattern[c.name] = variable(name);
    }
    return { kind, place: queue.name, pattern, count };
  };
  const inputs = [arc('take', d.tape.pick([2, 2, 3, 1]))];
  if (d.tape.chance(40)) inputs.push(arc(d.tape.pick(['take', 'read']), d.tape.pick([1, 2, 3])));
  const other = d.tape.pick(d.places);
  const terms = new Terms(d.tape, d.traits, variables);
  const values = Object.fromEntries(columns(other.fields).map((c) => [c.name, terms.into(c.colour)]));
  d.transition(inputs, [{ place: other.name, values, count: num(d.tape.pick([1, 0, 2])) }], variables, 'drawn');
}

const arbitraryRows: fc.Arbitrary<Net> = fc
  .noBias(fc.array(fc.nat({ max: 9999 }), { minLength: 100, maxLength: 250 }))
  .map(decodeRows);

test('resets that remove tokens from the middle of queues: the engine equals the reference', {
  timeout: 600_000 + RUNS * 200,
}, () => {
  const tally = new Tally();
  fc.assert(
    fc.property(arbitraryRows, fc.nat({ max: 9 }), (net: Net, seed) => {
      expect(validate(net)).toEqual([]);
      tally.add('run', compare(net, { maxSteps: 80, seed: String(seed) }));
    }),
    { numRuns: RUNS },
  );
  for (const what of ['reset: token removed', 'choice: by weight', 'queue: overtaken'])
    expect([what, tally.cases('run', what) > atFullEffort(RUNS / 20)]).toEqual([what, true]);
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(tally.text());
});

import * as fc from 'fast-check';
import { test } from 'vitest';
import type { Net, OutputArc, Transition } from '../../src/net/net.ts';
import { effort } from '../effort.ts';
import { INT, netOf, num, put, read, reset, take, x } from '../reference/nets.ts';
import { compare } from './agree.ts';

type Parts = Partial<Omit<Transition, 'name'>>;

const minus1 = { op: 'sub', a: x('n'), b: num(1) } as const;
const positive: Parts['guard'] = { op: 'gt', a: x('n'), b: num(0) };
const key = { g: x('g') };
const token = { g: x('g'), n: x('n') };
const lower = put('a', { g: x('g'), n: minus1 });

/** Transitions that take from `a` only, with another place, or with a shared token; and resets of part of `a`. */
const arbitraryTransition = fc.oneof(
  fc.record({ free: fc.boolean(), back: fc.boolean() }).map(({ free, back }): Parts => {
    const outputs: OutputArc[] = back ? [lower] : [put('b', { g: free ? x('v') : x('g') })];
    return {
      inputs: [take('a', token)],
      outputs,
      guard: positive,
      ...(free ? { free: [{ name: 'v', colour: 'Way' }] } : {}),
    };
  }),
  fc.constant<Parts>({ inputs: [take('a', token), take('b', key)], outputs: [put('c', key)] }),
  fc.constant<Parts>({ inputs: [take('a', token), take('r', key)], outputs: [put('r', key), lower], guard: positive }),
  fc.constant<Parts>({ inputs: [take('a', token), read('r', key)], outputs: [put('c', key)] }),
  fc.constant<Parts>({ inputs: [take('b', key)], outputs: [put('r', key)] }),
  fc.constant<Parts>({ inputs: [take('c', key), reset('b', key)], outputs: [], priority: 1 }),
);

const arbitraryNet: fc.Arbitrary<Net> = fc
  .record({
    groups: fc.integer({ min: 1, max: 60 }),
    a: fc.integer({ min: 30, max: 150 }),
    b: fc.integer({ min: 0, max: 60 }),
    r: fc.integer({ min: 0, max: 60 }),
    order: fc.constantFrom('bag', 'fifo', 'priority'),
    keyed: fc.boolean(),
    turns: fc.integer({ min: 1, max: 3 }),
    transitions: fc.array(
      fc.record({
        parts: arbitraryTransition,
        weight: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 1 }),
        // Several tokens of one process: it chooses again.
        owned: fc.boolean(),
        delay: fc.constantFrom<Parts['delay']>(undefined, undefined, num(1), { dist: 'exponential', rate: num(1) }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ groups, a, b, r, order, keyed, turns, transitions }) =>
    netOf({
      colours: [{ kind: 'range', name: 'Way', low: 0, high: 2 }],
      places: {
        a: {
          fields: ['g', 'n'].map((name) => ({ name, colour: INT })),
          order: order as 'bag',
          key: order !== 'bag' && keyed ? ['g'] : [],
          ...(order === 'priority' ? { priority: x('n') } : {}),
          tokens: Array.from({ length: a }, (_, k) => [(k * 7) % groups, (k % turns) + 1]),
        },
        ...Object.fromEntries(
          (
            [
              ['b', b],
              ['c', 0],
              ['r', r],
            ] as const
          ).map(([name, count]) => [
            name,
            {
              fields: [{ name: 'g', colour: INT }],
              tokens: Array.from({ length: count }, (_, k) => [(k * 11) % groups]),
            },
          ]),
        ),
      },
      transitions: Object.fromEntries(
        transitions.map(({ parts, weight, owned, delay }, k) => [
          `t${k}`,
          {
            ...parts,
            ...(k > 0 && weight === undefined ? {} : { weight: num(weight ?? 2) }),
            ...(delay === undefined ? {} : { delay }),
            ...(owned ? { process: x('g') } : {}),
          },
        ]),
      ),
    }),
  );

test('engine and reference choose the same of many simultaneous candidates (S10)', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(arbitraryNet, fc.nat({ max: 9 }), (net, seed) => {
      compare(net, { maxSteps: 250, seed: String(seed) });
    }),
    { numRuns: effort(37), endOnFailure: true },
  );
});

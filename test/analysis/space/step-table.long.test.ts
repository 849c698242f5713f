import { expect, test } from 'vitest';
import { flatten } from '../../../src/analysis/petri/flatten.ts';
import { exploration } from '../../../src/analysis/space/explore.ts';
import { PackedExploration } from '../../../src/analysis/space/packed/packed-exploration.ts';
import type { StateSpace } from '../../../src/analysis/space/state-space.ts';
import type { Net } from '../../../src/net/net.ts';
import { inhibit, netOf, put, reset, take } from '../../reference/nets.ts';
import { spaceFigures, spaceText } from './same-space.ts';

/** The space of a net whose steps are read from a table, which must be that of compiled steps. */
function spaceByTable(net: Net, maxStates = 1e5): StateSpace {
  const table = new PackedExploration(flatten(net), { maxStates }, undefined, 1);
  while (table.advance(64));
  const compiled = exploration(net, { engine: 'packed', maxStates });
  while (compiled.advance(64));
  expect(spaceFigures(table.space)).toEqual(spaceFigures(compiled.space));
  expect(spaceText(table.space)).toEqual(spaceText(compiled.space));
  return table.space;
}

test('many transitions that need several tokens of the place of their group', () => {
  // So many that those which need `pool` are tested only while it is marked.
  const users = Array.from({ length: 14 }, (_, k) => `u${k}`);
  const net = netOf({
    places: { pool: { tokens: 3 }, ...Object.fromEntries(users.map((u) => [u, {}])) },
    transitions: Object.fromEntries(
      users.flatMap((u) => [
        [`begin ${u}`, { inputs: [take('pool', {}, 2)], outputs: [put(u)] }],
        [`end ${u}`, { inputs: [take(u)], outputs: [put('pool', {}, 2)] }],
      ]),
    ),
  });
  // Nobody has two tokens, or one of the users; the third token is never enough.
  const { states, edges } = spaceByTable(net);
  expect([states, edges]).toEqual([15, 28]);
});

test('counts of several places that outgrow their first bits, in turn and at once', () => {
  const net = netOf({
    places: { a: {}, b: {}, c: {}, source: { tokens: 1 } },
    transitions: {
      one: { inputs: [take('source')], outputs: [put('a'), put('b', {}, 2), put('source')] },
      other: { inputs: [take('a')], outputs: [put('c', {}, 5)] },
    },
  });
  const space = spaceByTable(net, 500);
  expect([space.states, space.truncation]).toEqual([500, 'states']);
});

test('a count of 2³¹ − 1 fits, more do not, and the first such place is named', () => {
  // No invariant bounds `a` and `b`: `more` could fill them, but `x` and `y` are never marked together.
  const adding = (tokens: number): Net =>
    netOf({
      places: { a: { tokens: 2 ** 31 - 2 }, b: { tokens: 2 ** 31 - 2 }, left: { tokens }, x: { tokens: 1 }, y: {} },
      transitions: {
        one: { inputs: [take('left')], outputs: [put('a'), put('b')] },
        more: { inputs: [take('x'), take('y')], outputs: [put('a'), put('b'), put('x'), put('y')] },
        there: { inputs: [take('x')], outputs: [put('y')] },
        back: { inputs: [take('y')], outputs: [put('x')] },
      },
    });
  expect(spaceByTable(adding(1)).maxTokensInPlace).toBe(2 ** 31 - 1);
  expect(() => spaceByTable(adding(2))).toThrow('RUN013 place a: more than 2147483647 tokens');
});

test('steps with resets and inhibitors next to steps from the table', () => {
  const net = netOf({
    places: { p: { tokens: 3 }, q: {}, go: { tokens: 1 }, end: {} },
    transitions: {
      move: { inputs: [take('p')], outputs: [put('q')] },
      clear: { inputs: [take('go'), reset('p')] },
      stop: { inputs: [take('go'), inhibit('p')], outputs: [put('end')] },
    },
  });
  // With `go` one state for each number in `p`; after `clear` none is left there; `stop` waits for the last.
  const { states, edges } = spaceByTable(net);
  expect([states, edges]).toEqual([4 + 4 + 1, 3 + 4 + 1]);
});

test('markings of many words: each is stored once', () => {
  // Independent tokens: every order of moves leads to the same markings.
  const rows = Array.from({ length: 10 }, (_, k) => k);
  const net = netOf({
    places: Object.fromEntries(
      rows.flatMap((k) => [
        [`from${k}`, { tokens: 100 + (k < 8 ? 1 : 0) }],
        [`to${k}`, {}],
      ]),
    ),
    transitions: Object.fromEntries(
      rows.map((k) => [`move${k}`, { inputs: [take(`from${k}`, {}, 100)], outputs: [put(`to${k}`)] }]),
    ),
  });
  const { states, edges } = spaceByTable(net);
  expect([states, edges]).toEqual([2 ** 10, 10 * 2 ** 9]);
});

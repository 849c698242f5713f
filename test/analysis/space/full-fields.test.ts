import { describe, expect, test } from 'vitest';
import { flatten } from '../../../src/analysis/petri/flatten.ts';
import { CompactExploration } from '../../../src/analysis/space/compact/compact-exploration.ts';
import { PackedExploration } from '../../../src/analysis/space/packed/packed-exploration.ts';
import type { Exploration, ExploreOptions } from '../../../src/analysis/space/state-space.ts';
import { explore } from '../../../src/commands/explore/explore.ts';
import type { Net } from '../../../src/net/net.ts';
import { netOf, put, take } from '../../reference/nets.ts';

/*
 * Fields of places without a proved bound have 4 bits at first. A step that needs a fifth is possible, although the successor cannot be
 * stored before the field is widened.
 */

/** After `jump` place b holds 15 tokens, and `more` alone is possible. */
const jumping = netOf({
  places: { s: { tokens: 1 }, x: {}, y: {}, z: {}, b: {} },
  transitions: {
    jump: { inputs: [take('s')], outputs: [put('x'), put('b', {}, 15)] },
    other: { inputs: [take('s')], outputs: [put('y')] },
    more: { inputs: [take('x')], outputs: [put('x'), put('b')] },
    again: { inputs: [take('y')], outputs: [put('y'), put('z')] },
  },
});

/** `more` precedes `less`, so that place w is never marked. */
const ranked = netOf({
  places: { x: { tokens: 1 }, y: {}, w: {}, b: { tokens: 15 }, c: { tokens: 1 }, d: {} },
  transitions: {
    more: { inputs: [take('x')], outputs: [put('y'), put('b')], priority: 1 },
    less: { inputs: [take('x')], outputs: [put('w')] },
    endless: { inputs: [take('c')], outputs: [put('c'), put('d'), put('b')] },
  },
});

describe.each<[string, (net: Net, options: ExploreOptions) => Exploration]>([
  ['compiled steps', (net, options) => new PackedExploration(flatten(net), options)],
  ['steps from a table', (net, options) => new PackedExploration(flatten(net), options, undefined, 1)],
  ['hashes', (net, options) => new CompactExploration(flatten(net), options)],
  ['hashes, steps from a table', (net, options) => new CompactExploration(flatten(net), options, { manySteps: 1 })],
])('with %s', (_, explorer) => {
  test('a state whose only step needs a wider field is not dead', () => {
    const running = explorer(jumping, { maxStates: 2 });
    while (running.advance(1));
    expect([...running.space.outDegree(0, 2)]).toEqual([2, 1]);
  });

  test('a step that needs a wider field keeps steps of lower priority from happening', () => {
    const running = explorer(ranked, { maxStates: 12 });
    let marked = 0;
    for (let more = true, seen = 0; more; seen = running.space.states) {
      more = running.advance(1);
      marked += running.space.tokens([2], seen, running.space.states).reduce((a, b) => a + b, 0);
    }
    expect([running.space.states, marked]).toEqual([12, 0]);
  });
});

test('explore reports no deadlock there', () => {
  const { verdicts, dead } = explore(jumping, { maxStates: 2 });
  expect([verdicts.deadlock, dead]).toEqual([null, []]);
});

import { expect, test } from 'vitest';
import { indexFor, layoutOf } from '../../src/engine/emit/layout.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';

/** The layout of a place with fields pair and tag. */
function layout(pairs: number, tags: number): ReturnType<typeof layoutOf> {
  const n = new NetBuilder('index');
  const pair = n.range('Pair', 0, pairs - 1);
  const tag = n.range('Tag', 0, tags - 1);
  n.place('messages', { p: pair, t: tag });
  const net = n.build();
  return layoutOf(net, net.places[0]!, 0, false, false);
}

test('an index has a bucket for each combination of the known fields, as long as these are few', () => {
  const l = layout(1000, 5);
  expect(l.indexes[indexFor(l, [0, 1])]).toEqual({ kind: 'dense', fields: [0, 1], buckets: 5000 });
});

test('an index hashes all known fields where these have too many combinations', () => {
  // A dense index of the tags alone would have only five chains, for any number of tokens.
  const l = layout(2 ** 21, 5);
  expect(l.indexes[indexFor(l, [0, 1])]).toMatchObject({ kind: 'hash', fields: [0, 1] });
});

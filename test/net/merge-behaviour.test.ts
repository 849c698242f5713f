import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { merge } from '../../src/net/merge/merge.ts';
import { atFullEffort, effort } from '../effort.ts';
import { initialMarking, type Marking, markingText, stepsOf } from './merge-explorer.ts';
import { event, type Move, productMoves } from './merge-product.ts';
import { arbitraryNets } from './merge-random.ts';

/** Search depth from the initial marking. */
const DEPTH = 4;
const MAX_MARKINGS = 150;

/** All moves from the markings within the search depth, as strings. */
function moves(initial: Marking, next: (m: Marking) => readonly Move[]): { all: string[]; events: string[] } {
  const seen = new Map([[markingText(initial), initial]]);
  const all = new Set<string>();
  const events = new Set<string>();
  let front = [initial];
  for (let depth = 0; depth < DEPTH; depth++) {
    const reached: Marking[] = [];
    // Sorted, so that the limit drops the same markings for both nets.
    for (const from of front.sort((a, b) => (markingText(a) < markingText(b) ? -1 : 1)).slice(0, MAX_MARKINGS))
      for (const { event, marking } of next(from)) {
        const text = markingText(marking);
        all.add(`${markingText(from)} —${event}→ ${text}`);
        events.add(event);
        if (seen.has(text)) continue;
        seen.set(text, marking);
        reached.push(marking);
      }
    front = reached;
  }
  return { all: [...all].sort(), events: [...events] };
}

test('a merged net behaves as the synchronised product of its parts', () => {
  let together = 0;
  fc.assert(
    fc.property(arbitraryNets({ fuse: false, spoil: 0 }), (nets) => {
      const merged = merge(nets);
      const got = moves(initialMarking(merged), (m) =>
        stepsOf(merged, m).map((s) => ({ event: event([s]), marking: s.marking })),
      );
      const initial = new Map(nets.flatMap((n) => [...initialMarking(n)]));
      const wanted = moves(initial, (m) => productMoves(nets, m));
      expect(got.all).toEqual(wanted.all);
      together += got.events.filter((e) => e.includes('+')).length;
    }),
    { numRuns: effort(300) },
  );
  // Partners must fire together in some nets, or the test would be vacuous.
  expect(together).toBeGreaterThan(atFullEffort(100));
});

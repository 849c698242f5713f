import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exploration } from '../../../src/analysis/space/explore.ts';
import type { MarkingView } from '../../../src/analysis/space/state-space.ts';
import { merge } from '../../../src/net/merge/merge.ts';
import type { Net, Transition } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { initialMarking, type Marking, markingText } from '../../net/merge-explorer.ts';
import { productMoves } from '../../net/merge-product.ts';
import { arbitraryNets } from '../../net/merge-random.ts';

const RUNS = effort(150);
const MAX_STATES = 150;

/** The transition without delay and priority, which the product does not model. */
function untimed({ delay: _d, timing: _t, servers: _s, priority: _p, ...rest }: Transition): Transition {
  return rest;
}

/** The same marking in the form of the product. */
function markingOf(net: Net, view: MarkingView): Marking {
  const tokens = new Map(view.places.map((p) => [p.place, p.tokens]));
  return new Map(
    net.places.map((p, k) => [
      p.name,
      (tokens.get(k) ?? []).flatMap((t) => Array<string>(t.count).fill(JSON.stringify(t.values))).sort(),
    ]),
  );
}

/** Steps of the synchronised product by source marking, level by level until there are too many. */
function productSpace(nets: readonly Net[]): Map<string, string[]> {
  const initial: Marking = new Map(nets.flatMap((n) => [...initialMarking(n)]));
  const seen = new Set([markingText(initial)]);
  const moves = new Map<string, string[]>();
  for (let level = [initial]; level.length > 0 && seen.size <= MAX_STATES; ) {
    const next: Marking[] = [];
    for (const from of level) {
      const found = productMoves(nets, from).map(({ event, marking }) => {
        const text = markingText(marking);
        if (!seen.has(text)) next.push(marking);
        seen.add(text);
        return `${event} → ${text}`;
      });
      moves.set(markingText(from), [...new Set(found)].sort());
    }
    level = next;
  }
  return moves;
}

test('the space of a merged net is the synchronised product of its parts (S16)', { timeout: 600_000 }, () => {
  let together = 0;
  fc.assert(
    fc.property(arbitraryNets({ fuse: false, spoil: 0 }), (nets) => {
      const parts = nets.map((n): Net => ({ ...n, transitions: n.transitions.map(untimed) }));
      const merged = merge(parts);
      const wanted = productSpace(parts);
      const running = exploration(merged, { engine: 'general' });
      running.advance(wanted.size);
      const { space } = running;
      const texts = Array.from({ length: space.states }, (_, s) => markingText(markingOf(merged, space.marking(s))));
      const got = new Map(
        texts.slice(0, space.expanded).map((text, state) => {
          const moves = space.firings(state).map((f) => {
            const { name, label } = merged.transitions[f.node]!;
            const shown = Object.entries(label?.exports ?? {}).map(([as, x]) => `${as}=${f.binding[x]}`);
            if (name.includes('+')) together++;
            return `${name}(${shown.sort().join(', ')}) → ${texts[f.target]}`;
          });
          return [text, [...new Set(moves)].sort()];
        }),
      );
      expect(got).toEqual(wanted);
    }),
    { numRuns: RUNS },
  );
  // Makes sure that partners do fire together, so that the comparison is not vacuous.
  expect(together).toBeGreaterThan(atFullEffort(RUNS));
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { replay } from '../../../src/analysis/properties/replay.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';

/**
 * A binary tree of places with a token at the root. A transition moves a token to both children (`and`), or to one of them
 * (`or`). Leaves of `loops` have a transition that returns their token.
 */
function tree(kind: 'and' | 'or', places: number, loops: (leaf: number) => boolean): Net {
  const n = new NetBuilder('tree');
  const all = Array.from({ length: places }, (_, k) => n.place(`p${k}`, {}, { initial: k === 0 ? 1 : 0 }));
  for (let k = 0; k < places; k++) {
    const children = [2 * k + 1, 2 * k + 2].filter((child) => child < places);
    const ways = kind === 'and' ? [children] : children.map((child) => [child]);
    for (const [w, to] of ways.entries())
      if (to.length > 0)
        n.transition(`t${k}.${w}`, (t) => {
          t.take(all[k]!);
          for (const child of to) t.put(all[child]!, {});
        });
    if (children.length === 0 && loops(k))
      n.transition(`loop${k}`, (t) => {
        t.take(all[k]!);
        t.put(all[k]!, {});
      });
  }
  return n.build();
}

/** Places and transitions of a net for which verification tries runs before it explores. */
const LARGE = 4000;

test('trees: a dead marking is found if and only if there is one', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('and' as const, 'or' as const),
      fc.integer({ min: LARGE, max: LARGE + 200 }),
      fc.constantFrom('none', 'all', 'one', 'all but one'),
      fc.nat(),
      (kind, places, which, number) => {
        const leaves = Math.ceil(places / 2);
        const special = places - 1 - (number % leaves);
        const loops = (leaf: number): boolean => {
          if (which === 'none' || which === 'all') return which === 'all';
          return (leaf === special) === (which === 'one');
        };
        const net = tree(kind, places, loops);
        const [result] = verify(net, ['deadlock-free']).properties;
        const isFree = which === 'all' || (kind === 'and' && which !== 'none');
        expect(result!.verdict, which).toBe(isFree);
        if (isFree) return;
        const { steps } = result!.witness!;
        expect(replay(net, steps).marking).toHaveLength(kind === 'and' ? leaves : 1);
        if (kind === 'and') expect(steps).toHaveLength(places - leaves);
      },
    ),
    { numRuns: effort(6) },
  );
});

test('a marking in which a run may end is not a deadlock', () => {
  const net = tree('or', LARGE, () => false);
  const final = Array.from({ length: LARGE }, (_, k) => `tokens(p${k})`).slice(LARGE / 2 - 1);
  const [result] = verify(net, ['deadlock-free'], { final: `${final.join(' + ')} = 1` }).properties;
  expect(result!.verdict).toBe(true);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PagedColumn } from '../../src/base/columns.ts';
import { compile } from '../../src/engine/compile.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { add, floor } from '../../src/net/terms.ts';

/** A column whose pages are valid only until the next load. */
function lent<A extends Int32Array | Float64Array>(values: A, shift: number): PagedColumn<A> & { loads: number } {
  const size = 1 << shift;
  const pages = new Array<A | undefined>(values.length / size).fill(undefined);
  return {
    length: values.length,
    shift,
    pages,
    loads: 0,
    load(page) {
      this.loads++;
      return values.slice(page * size, (page + 1) * size) as A;
    },
  };
}

/** Tokens that walk over two paged tables: from each position to `next`, summing `worth`. */
function walk(
  next: PagedColumn<Int32Array> | Int32Array,
  worth: PagedColumn<Float64Array> | Float64Array,
  at: number[],
) {
  const n = new NetBuilder('walkers');
  const Walker = n.range('Walker', 0, at.length - 1);
  const Position = n.range('Position', 0, next.length - 1);
  const Sum = n.integer('Sum');
  const place = n.place('at', { w: Walker, i: Position, sum: Sum }, { initial: at.map((i, w) => ({ w, i, sum: 0 })) });
  const nexts = n.intTable('next', next, { low: 0, high: next.length - 1 });
  const worths = n.realTable('worth', worth);
  n.transition('step', (t) => {
    const { w, i, sum } = t.take(place);
    t.delay(1);
    t.put(place, { w, i: nexts.at(i), sum: add(sum, floor(worths.at(i))) });
  });
  const game = compile(n.build()).start();
  for (let left = at.length * 2 * 600; left > 0; left -= 1000) game.run(Math.min(left, 1000));
  return game.tokens('at').map(({ values }) => values);
}

test.each(['forward, one after the other', 'anywhere'])('walkers over pages that are loaded and dropped, %s', (way) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 5, max: 9 }),
      fc.integer(),
      (walkers, own, shift, seed) => {
        const size = 1 << shift;
        const length = walkers * own * size;
        let state = seed;
        const random = (): number => {
          state = (Math.imul(state, 1664525) + 1013904223) | 0;
          return (state >>> 8) / 2 ** 24;
        };
        const values = Int32Array.from({ length }, (_, k) =>
          way === 'anywhere' ? Math.floor(random() * length) : (k + 1) % length,
        );
        const worth = Float64Array.from({ length }, () => Math.floor(random() * 1e6));
        const at = Array.from({ length: walkers }, (_, w) => w * own * size);
        const [next, worths] = [lent(values, shift), lent(worth, shift)];
        expect(walk(next, worths, at)).toEqual(walk(values, worth, at));
        // Pages read by a single walker are loaded about once, because used pages are evicted first.
        if (way !== 'anywhere' && own * size > 600)
          expect(worths.loads).toBeLessThanOrEqual(walkers * (Math.ceil(600 / size) + 1));
      },
    ),
    { numRuns: 6 },
  );
});

import { expect, test } from 'vitest';
import { placeBounds } from '../../../src/analysis/coverability/place-bounds.ts';
import { structure } from '../../../src/commands/structure/structure.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';

/** A cycle of two places, and two places without arcs, one of them unmarked. */
function withIsolated(): NetBuilder {
  const n = new NetBuilder('isolated');
  const a = n.place('a', {}, { initial: 1 });
  const b = n.place('b', {});
  n.place('lonely', {});
  n.place('marked', {}, { initial: 2 });
  for (const [name, from, to] of [
    ['t', a, b],
    ['u', b, a],
  ] as const)
    n.transition(name, (t) => {
      t.take(from);
      t.put(to, {});
    });
  return n;
}

test('a place without arcs is both a siphon and a trap', async () => {
  const { siphons, traps, figures, verdicts } = await structure(withIsolated().build());
  const all = [['lonely'], ['marked'], ['a', 'b']];
  expect(siphons.map((s) => s.places)).toEqual(all);
  expect(traps.map((s) => s.places)).toEqual(all);
  expect([figures.siphons.value, figures.traps.value]).toEqual([3, 3]);
  expect(siphons.map((s) => s.trap)).toEqual([null, ['marked'], ['a', 'b']]);
  // No transition needs the empty place.
  expect([verdicts.deadlockFree.value, verdicts.live.value]).toEqual([true, true]);
});

test('places without arcs leave the search for siphons complete where the list is not', async () => {
  const n = withIsolated();
  for (let k = 0; k < 5; k++) n.place(`more${k}`, {});
  const { siphons, complete, verdicts } = await structure(n.build(), { sets: 3 });
  expect([siphons.length, complete.siphons, complete.traps]).toEqual([3, false, false]);
  expect(verdicts.deadlockFree.value).toBe(true);
});

test('bounds list the places that are never marked', async () => {
  const n = new NetBuilder('never');
  const colour = n.range('Colour', 1, 3);
  const plain = n.place('plain', {}, { initial: 1 });
  const coloured = n.place('coloured', { c: colour });
  const never = n.place('never', { c: colour });
  n.transition('t', (t) => {
    t.take(plain);
    t.put(coloured, { c: 2 });
  });
  n.transition('u', (t) => {
    const { c } = t.take(never);
    t.put(coloured, { c });
  });
  const net = n.build();
  expect(placeBounds(net).bounds).toEqual({ plain: 1, 'coloured[2]': 1, never: 0 });
  const { proved, figures } = await structure(net);
  expect(proved.map((p) => [p.place, p.bound])).toEqual([
    ['plain', 1],
    ['coloured[2]', 1],
    ['never', 0],
  ]);
  expect([figures.places.value, figures.boundedPlaces.value]).toEqual([3, 3]);
  expect(placeBounds(withIsolated().build()).bounds).toEqual({ a: 1, b: 1, lonely: 0, marked: 2 });
});

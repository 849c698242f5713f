import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { infiniteServer } from '../../src/net/builder/stations.ts';
import type { Net } from '../../src/net/net.ts';
import { add, lt, mul } from '../../src/net/terms.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { effort } from '../effort.ts';
import { referenceRun } from '../reference/token-game.ts';

/**
 * Items that pass through stages with individual delays, by holding or race timing or an infinite server; candidates are
 * never in conflict.
 */
function stages(delays: readonly (readonly number[])[], how: readonly number[]): Net {
  const n = new NetBuilder('stages');
  const items = delays[0]!.length;
  const Item = n.range('Item', 0, items - 1);
  const seconds = n.realTable('seconds', Float64Array.from(delays.flat()));
  const initial = Array.from({ length: items }, (_, k) => [{ k }, 1 + (k % 2)] as const);
  const done = n.place('done', {});
  let from = n.place('at 0', { k: Item }, { initial });
  delays.forEach((_, stage) => {
    const kind = how[stage]! % 3;
    const time = infiniteServer({ time: stage / 8 });
    const to = n.place(`at ${stage + 1}`, { k: Item }, kind === 2 ? { service: time } : { capacity: 3 * items });
    n.transition(`go ${stage}`, (t) => {
      const { k } = t.take(from);
      const delay = seconds.at(add(mul(stage, items), k));
      if (kind === 1) t.race({ delay });
      else t.delay(delay);
      t.put(to, { k });
      t.put(done, {}, lt(k, 2));
    });
    from = to;
  });
  return n.build();
}

test('a net without conflicts has the same timed run: times, firings and tokens', () => {
  const quarters = fc.array(fc.nat({ max: 12 }), { minLength: 16, maxLength: 16 });
  const size = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(
      quarters,
      size,
      size,
      fc.array(fc.nat({ max: 2 }), { minLength: 4, maxLength: 4 }),
      (delays, length, items, how) => {
        const times = Array.from({ length }, (_, s) => delays.slice(4 * s, 4 * s + items).map((d) => d / 4));
        const net = stages(times, how);
        const flat = unfold(net);
        const events = (run: ReturnType<typeof referenceRun>): string[] =>
          run.trace.map((e) => `${e.time} ${e.what} ${e.transition.replace(/\[.*/, '')}`).sort();
        const [one, other] = [referenceRun(net), referenceRun(flat)];
        expect(events(other)).toEqual(events(one));
        expect(one.trace.length).toBeGreaterThan(0);
        expect(other.time).toBe(one.time);
        const end = net.places.at(-1)!.name;
        const tokens = flat.places.flatMap((p) =>
          p.name.startsWith(`${end}[`) && !p.name.endsWith('[*]') ? other.marking[p.name]! : [],
        );
        expect(tokens.length).toBe(one.marking[end]!.length);
      },
    ),
    { numRuns: effort(60) },
  );
});

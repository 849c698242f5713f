import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SparseVector } from '../../../src/analysis/flows/elimination.ts';
import { structureOf } from '../../../src/analysis/structure/structure.ts';
import { structure } from '../../../src/commands/structure/structure.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';

/** Transitions by the places they take from and put to. */
type Arcs = readonly (readonly [readonly number[], readonly number[]])[];

const PLACES = 7;

function netOf(arcs: Arcs): Net {
  const n = new NetBuilder('stopped');
  const places = Array.from({ length: PLACES }, (_, p) => n.place(`p${p}`, {}, { initial: p % 3 }));
  arcs.forEach(([from, to], k) => {
    n.transition(`t${k}`, (t) => {
      for (const p of from) t.take(places[p]!);
      for (const p of to) t.put(places[p]!, {});
    });
  });
  return n.build();
}

const side = fc.uniqueArray(fc.nat(PLACES - 1), { minLength: 1, maxLength: 2 });
const nets = fc.array(fc.tuple(side, side), { minLength: 1, maxLength: 9 }).map(netOf);

/** A stop that turns true at the given call, and the number of calls. */
function stopAt(call: number): { readonly stop: () => boolean; readonly calls: () => number } {
  let calls = 0;
  return { stop: () => ++calls > call, calls: () => calls };
}

const texts = (flows: readonly SparseVector[]): string[] =>
  flows.map((flow) => [...flow].sort(([a], [b]) => a - b).join(' '));

test('what a stopped analysis reports, the whole analysis confirms', () => {
  fc.assert(
    fc.property(nets, fc.nat(60), (net, call) => {
      const whole = structureOf(net);
      const part = structureOf(net, { stop: stopAt(call).stop });
      for (const key of ['placeSemiflows', 'transitionSemiflows'] as const) {
        // The sums that remain invariant need not be minimal.
        for (const flow of part[key].flows) expect(isNull(part.petri, key, flow)).toBe(true);
        if (part[key].complete) expect(texts(part[key].flows).sort()).toEqual(texts(whole[key].flows).sort());
      }
      for (const key of ['siphons', 'traps'] as const) {
        const known = whole.siphons[key].sets.map(String);
        for (const set of part.siphons[key].sets) expect(known).toContain(String(set));
        if (part.siphons[key].complete) expect(part.siphons[key].sets.map(String)).toEqual(known);
      }
      for (const [p, proof] of part.proofs.entries())
        if (proof !== undefined && whole.proofs[p] !== undefined)
          expect(proof.bound).toBeGreaterThanOrEqual(whole.proofs[p].bound);
      for (const [name, { value }] of Object.entries(part.verdicts))
        if (value !== undefined) expect(value).toBe(whole.verdicts[name as keyof typeof whole.verdicts].value);
    }),
    { numRuns: effort(200) },
  );
});

/** True if a vector of places or transitions has no effect. */
function isNull(
  { transitions, places }: ReturnType<typeof structureOf>['petri'],
  key: 'placeSemiflows' | 'transitionSemiflows',
  flow: SparseVector,
): boolean {
  if (key === 'placeSemiflows')
    return transitions.every((t) => t.change.reduce((sum, [p, n]) => sum + n * (flow.get(p) ?? 0), 0) === 0);
  const effect = places.map(() => 0);
  for (const [t, times] of flow) for (const [p, n] of transitions[t]!.change) effect[p]! += n * times;
  return effect.every((n) => n === 0);
}

/** A ring of places with one token. */
function ring(places: number): Net {
  const n = new NetBuilder('ring');
  const all = Array.from({ length: places }, (_, p) => n.place(`p${p}`, {}, { initial: p === 0 ? 1 : 0 }));
  all.forEach((place, p) => {
    n.transition(`t${p}`, (t) => {
      t.take(place);
      t.put(all[(p + 1) % places]!, {});
    });
  });
  return n.build();
}

test('each phase asks in proportion to its work, and few times after a stop', () => {
  const whole = stopAt(Number.POSITIVE_INFINITY);
  structureOf(ring(1000), { stop: whole.stop });
  expect(whole.calls()).toBeGreaterThan(3000);
  const stopped = stopAt(100);
  const found = structureOf(ring(1000), { stop: stopped.stop });
  expect(stopped.calls()).toBeLessThan(150);
  // Connected places that keep their tokens need no search.
  expect(found.verdicts.safe.value).toBe(true);
  expect(found.transitionSemiflows.complete).toBe(false);
  expect(found.siphons.siphons.complete).toBe(false);
});

test('an interrupted analysis is a result that names its end', async () => {
  const document = await structure(ring(20), { cancelled: () => true, unreachable: ['p1 >= 2'] });
  expect(document.truncation).toBe('interrupted');
  expect(document.complete.transitionSemiflows).toBe(false);
  expect(document.unreachable?.[0]?.unreachable).toBe(true);
});

test('limits are checked', async () => {
  await expect(structure(ring(3), { seconds: -1 })).rejects.toThrow('EXPL005');
});

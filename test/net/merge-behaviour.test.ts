import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { merge } from '../../src/net/merge/merge.ts';
import type { Net } from '../../src/net/net.ts';
import { initialMarking, type Marking, markingText, type Step, stepsOf } from './merge-explorer.ts';
import { arbitraryNets } from './merge-random.ts';

/** Steps from the initial marking that are followed. */
const DEPTH = 4;
const MOST_MARKINGS = 150;

interface Move {
  readonly event: string;
  readonly marking: Marking;
}

/** Every move from every marking that is reached within the depth, as text. */
function moves(initial: Marking, next: (m: Marking) => readonly Move[]): { all: string[]; events: string[] } {
  const seen = new Map([[markingText(initial), initial]]);
  const all = new Set<string>();
  const events = new Set<string>();
  let front = [initial];
  for (let depth = 0; depth < DEPTH; depth++) {
    const reached: Marking[] = [];
    // In the order of the texts, so that a bound on their number leaves out the same ones.
    for (const from of front.sort((a, b) => (markingText(a) < markingText(b) ? -1 : 1)).slice(0, MOST_MARKINGS))
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

function event(steps: readonly Step[]): string {
  const shown = new Map(steps.flatMap((s) => [...s.shown]));
  const values = [...shown].map(([name, value]) => `${name}=${value}`).sort();
  return `${steps
    .map((s) => s.transition.name)
    .sort()
    .join('+')}(${values.join(', ')})`;
}

/**
 * The synchronised product of the nets' behaviours, from its definition: a step without a label is one net's own; a step
 * with one is taken by all nets that bear the label, together, if they show the same values under the same names.
 */
function productMoves(nets: readonly Net[], marking: Marking): Move[] {
  const parts = nets.map((n) => new Map(n.places.map((p) => [p.name, marking.get(p.name)!])));
  const steps = nets.map((n, k) => stepsOf(n, parts[k]!));
  const joint = (chosen: ReadonlyMap<number, Step>): Move => ({
    event: event([...chosen.values()]),
    marking: new Map(parts.flatMap((part, k) => [...(chosen.get(k)?.marking ?? part)])),
  });
  const own = steps.flatMap((list, k) =>
    list.filter((s) => s.transition.label === undefined).map((s) => joint(new Map([[k, s]]))),
  );
  const labels = new Set(nets.flatMap((n) => n.transitions.flatMap((t) => t.label?.name ?? [])));
  const common = [...labels].flatMap((label) => {
    let chosen: Map<number, Step>[] = [new Map()];
    nets.forEach((n, k) => {
      if (!n.transitions.some((t) => t.label?.name === label)) return;
      const mine = steps[k]!.filter((s) => s.transition.label?.name === label);
      chosen = chosen.flatMap((c) => mine.filter((s) => agree(s, [...c.values()])).map((s) => new Map(c).set(k, s)));
    });
    return chosen.map(joint);
  });
  return [...own, ...common];
}

function agree(step: Step, others: readonly Step[]): boolean {
  return others.every((o) => [...step.shown].every(([name, value]) => (o.shown.get(name) ?? value) === value));
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
    { numRuns: 300 },
  );
  // Otherwise the law would say nothing: partners do fire together.
  expect(together).toBeGreaterThan(100);
});

import * as fc from 'fast-check';
import type { Petri, Weighted } from '../../../src/analysis/petri/petri.ts';
import { type PetriShape, petriOf, randomPetri } from './random-petri.ts';

type Arcs = Parameters<typeof petriOf>[1][number];
interface Net {
  readonly initial: number[];
  readonly transitions: Arcs[];
}

/** Random nets with planted redundancy: split transitions and duplicated places, which reductions should remove. */
export function plantedPetri(shape: PetriShape = {}): fc.Arbitrary<Petri> {
  const edit = fc.tuple(fc.constantFrom(after, before, before, double), fc.nat({ max: 999 }), fc.nat({ max: 999 }));
  return fc.tuple(randomPetri(shape), fc.array(edit, { maxLength: 4 })).map(([petri, edits]) => {
    const net: Net = { initial: petri.places.map((p) => p.initial), transitions: [...petri.transitions] };
    for (const [apply, a, b] of edits) apply(net, a, b);
    return petriOf(net.initial, net.transitions);
  });
}

const sorted = (list: readonly Weighted[]): Weighted[] => [...list].sort(([a], [b]) => a - b);

/** Splits a transition: consume first, produce later, with a new place between. */
function after({ initial, transitions }: Net, a: number, b: number): void {
  const k = a % transitions.length;
  const { needs = [], change = [], limits = [], resets = [] } = transitions[k]!;
  if (resets.length > 0) return;
  const q = initial.length;
  const n = 1 + (b % 2);
  initial.push(0);
  transitions[k] = {
    needs,
    change: [...change.filter(([, d]) => d < 0), [q, n * (1 + (b % 3 === 0 ? 1 : 0))]],
    limits,
  };
  transitions.push({ needs: [[q, n]], change: [...change.filter(([, d]) => d > 0), [q, -n]] });
}

/** Moves one input of a transition to a preceding transition, with a new place between. */
function before({ initial, transitions }: Net, a: number, b: number): void {
  const k = a % transitions.length;
  const t = transitions[k]!;
  const { needs = [], change = [] } = t;
  const taken = needs.filter(([p, n]) => change.some(([q, d]) => q === p && d === -n));
  if (taken.length === 0) return;
  const [p, n] = taken[b % taken.length]!;
  const q = initial.length;
  initial.push(0);
  const others = (list: readonly Weighted[]): Weighted[] => list.filter(([r]) => r !== p);
  transitions[k] = { ...t, needs: sorted([...others(needs), [q, 1]]), change: sorted([...others(change), [q, -1]]) };
  transitions.push({
    needs: [[p, n]],
    change: sorted([
      [p, -n],
      [q, 1],
    ]),
  });
}

/** Duplicates a place, with the same tokens, a multiple, or more. */
function double({ initial, transitions }: Net, a: number, b: number): void {
  const p = a % initial.length;
  const q = initial.length;
  const factor = 1 + (b % 2);
  const more = (list: readonly Weighted[] = []): Weighted[] =>
    list.flatMap(([r, n]): Weighted[] =>
      r === p
        ? [
            [r, n],
            [q, n * factor],
          ]
        : [[r, n]],
    );
  if (transitions.some((t) => t.resets?.includes(p))) return;
  for (const [k, t] of transitions.entries()) {
    transitions[k] = { ...t, needs: sorted(more(t.needs)), change: sorted(more(t.change)) };
  }
  initial.push(initial[p]! * factor + (b % 5 === 0 ? 1 : 0));
}

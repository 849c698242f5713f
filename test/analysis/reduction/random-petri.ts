import * as fc from 'fast-check';
import type { AtMost, Petri, PetriTransition, Weighted } from '../../../src/analysis/petri/petri.ts';
import type { Net } from '../../../src/net/net.ts';

export interface PetriShape {
  /** Inhibitors (with capacities), and resets. Default: neither. */
  readonly inhibitors?: boolean;
  readonly resets?: boolean;
  /** Tenths of transitions that conserve the number of tokens. Default 7: most nets are bounded. */
  readonly conserving?: number;
}

/** A net with the given number of places and one named transition per table entry. */
export function named(places: number, transitions: readonly Omit<PetriTransition, 'kind' | 'node' | 'binding'>[]): Net {
  return {
    name: 'random',
    colours: [],
    tables: [],
    places: Array.from({ length: places }, (_, p) => ({
      name: `p${p}`,
      fields: [],
      order: 'bag' as const,
      key: [],
      initial: [],
    })),
    transitions: transitions.map((_, t) => ({ name: `t${t}`, inputs: [], outputs: [] })),
  };
}

/** The given places and transitions, with a net that supplies their names. */
export function petriOf(
  initial: readonly number[],
  transitions: readonly Partial<Pick<PetriTransition, 'needs' | 'change' | 'limits' | 'resets'>>[],
): Petri {
  const all = transitions.map((t) => ({ needs: [], change: [], limits: [], resets: [], level: 0, ...t }));
  const net = named(initial.length, all);
  return {
    net: { ...net, places: net.places.map((p, k) => ({ ...p, initial: [{ values: [], count: initial[k]! }] })) },
    columns: initial.map(() => []),
    places: initial.map((count, node) => ({ kind: 'place', node, values: [], initial: count })),
    transitions: all.map((t, node) => ({ ...t, kind: 'fire', node, binding: {} })),
  };
}

/** Small nets of one to three loosely coupled parts, decoded from a tape of numbers. */
export function randomPetri(shape: PetriShape = {}): fc.Arbitrary<Petri> {
  return fc
    .noBias(fc.array(fc.nat({ max: 9999 }), { minLength: 80, maxLength: 160 }))
    .map((tape) => decode(tape, shape));
}

function decode(tape: readonly number[], { inhibitors = false, resets = false, conserving = 7 }: PetriShape): Petri {
  let at = 0;
  const next = (n: number): number => (tape[at++] ?? 0) % n;
  const parts = 1 + next(3);
  const size = 2 + next(2);
  const places = parts * size;
  const initial = Array.from({ length: places }, () => [0, 1, 1, 2][next(4)]!);
  const transitions = Array.from({ length: parts * (2 + next(3)) }, (_, k) => {
    const part = k % parts;
    const place = (): number => (next(6) === 0 ? next(places) : part * size + next(size));
    const takes = new Map<number, number>();
    const puts = new Map<number, number>();
    for (let n = 1 + next(2); n > 0; n--) takes.set(place(), 1 + (next(5) === 0 ? 1 : 0));
    const taken = [...takes.values()].reduce((a, b) => a + b, 0);
    if (next(10) < conserving)
      for (let n = next(6) === 0 ? taken - 1 : taken; n > 0; n--) {
        const p = place();
        puts.set(p, (puts.get(p) ?? 0) + 1);
      }
    else for (let n = next(3); n > 0; n--) puts.set(place(), 1 + next(2));
    const read = next(5) === 0 ? [place()] : [];
    const reset = resets && next(4) === 0 ? [place()] : [];
    const limits: AtMost[] = inhibitors && next(3) === 0 ? [limit(place, next)] : [];
    return arcs(takes, puts, read, reset, limits);
  });
  return petriOf(initial, transitions);
}

function limit(place: () => number, next: (n: number) => number): AtMost {
  const sum = [...new Set([place(), place()])].sort((a, b) => a - b).map((p): Weighted => [p, 1]);
  return { sum, most: next(3) };
}

/** Converts inputs, outputs and read arcs to the needs and changes of a transition. */
function arcs(
  takes: ReadonlyMap<number, number>,
  puts: ReadonlyMap<number, number>,
  reads: readonly number[],
  resets: readonly number[],
  limits: readonly AtMost[],
): Partial<PetriTransition> {
  const needs = new Map(takes);
  for (const p of reads) needs.set(p, Math.max(needs.get(p) ?? 0, 1));
  const change = new Map<number, number>();
  for (const [p, n] of takes) if (!resets.includes(p)) change.set(p, -n);
  for (const [p, n] of puts) change.set(p, (change.get(p) ?? 0) + n);
  const sorted = (m: ReadonlyMap<number, number>): Weighted[] =>
    [...m].filter(([, n]) => n !== 0).sort(([a], [b]) => a - b);
  return { needs: sorted(needs), change: sorted(change), limits, resets };
}

import type { Petri, PetriTransition } from '../../../src/analysis/petri/petri.ts';

/** Reference implementation: all markings of a net, and by marking its firings (transition, target). */
export interface PlainSpace {
  readonly markings: readonly (readonly number[])[];
  readonly firings: readonly (readonly (readonly [transition: number, target: number])[])[];
}

export function isEnabled(t: PetriTransition, marking: readonly number[]): boolean {
  return (
    t.needs.every(([p, n]) => marking[p]! >= n) &&
    t.limits.every(({ sum, most }) => sum.reduce((s, [p, n]) => s + n * marking[p]!, 0) <= most)
  );
}

export function after(t: PetriTransition, marking: readonly number[]): number[] {
  const next = marking.map((n, p) => (t.resets.includes(p) ? 0 : n));
  for (const [p, n] of t.change) next[p]! += n;
  return next;
}

/** All reachable markings; undefined if there are more than `most`. */
export function plainSpace({ places, transitions }: Petri, most: number): PlainSpace | undefined {
  const markings: (readonly number[])[] = [places.map((p) => p.initial)];
  const number = new Map([[markings[0]!.join(), 0]]);
  const firings: (readonly [number, number])[][] = [];
  for (let at = 0; at < markings.length; at++) {
    const row: (readonly [number, number])[] = [];
    for (const [k, t] of transitions.entries()) {
      if (!isEnabled(t, markings[at]!)) continue;
      const next = after(t, markings[at]!);
      let target = number.get(next.join());
      if (target === undefined) {
        target = markings.length;
        if (target >= most) return undefined;
        number.set(next.join(), target);
        markings.push(next);
      }
      row.push([k, target]);
    }
    firings.push(row);
  }
  return { markings, firings };
}

/** The marking after a firing sequence; throws if a transition is not enabled. */
export function markingAfter({ places, transitions }: Petri, path: readonly number[]): number[] {
  let marking = places.map((p) => p.initial);
  for (const k of path) {
    if (!isEnabled(transitions[k]!, marking)) throw new Error(`transition ${k} is not enabled in ${marking}`);
    marking = after(transitions[k]!, marking);
  }
  return marking;
}

import type { Petri } from '../petri/petri.ts';
import { type Arcs, largestClosed, listed, trapsOf } from './siphons.ts';

type Nodes = Pick<Petri, 'places' | 'transitions'>;

/**
 * A marked trap in which every place enables some transition alone; undefined if no such trap is found. A marked trap stays marked,
 * so some transition is always enabled, whatever the priorities. Covers state machines of any size. O(arcs).
 *
 * @returns the places of the trap
 */
export function enablingTrap({ places, transitions }: Nodes, arcs: Arcs): readonly number[] | undefined {
  const enables = new Uint8Array(places.length);
  for (const { needs, limits } of transitions)
    if (needs.length === 1 && limits.length === 0 && needs[0]![1] === 1) enables[needs[0]![0]] = 1;
  const trap = listed(largestClosed(trapsOf(arcs), enables));
  return trap.some((p) => places[p]!.initial > 0) ? trap : undefined;
}

/**
 * True for a marked graph with weights 1 of which every directed cycle has a token: such a graph is live (Commoner, Holt, Even &
 * Pnueli, _Marked directed graphs_, 1971). False means not proved. O(arcs).
 */
export function isLiveMarkedGraph({ places, transitions }: Nodes, arcs: Arcs): boolean {
  const { inputs, outputs, resets, producers, consumers } = arcs;
  const isMarkedGraph =
    transitions.length > 0 &&
    producers.every((list, p) => list.length === 1 && consumers[p]!.length === 1) &&
    [...inputs, ...outputs].every((list) => list.every(([, n]) => n === 1)) &&
    resets.every((list) => list.length === 0) &&
    transitions.every((t) => t.limits.length === 0 && t.level === transitions[0]!.level);
  if (!isMarkedGraph) return false;
  // Removes transitions without an empty input place; what remains lies on, or behind, a cycle without tokens.
  const empty = inputs.map((list) => list.filter(([p]) => places[p]!.initial === 0).length);
  const left = empty.flatMap((count, t) => (count === 0 ? [t] : []));
  let removed = 0;
  for (let t = left.pop(); t !== undefined; t = left.pop()) {
    removed++;
    for (const [p] of outputs[t]!) {
      const [next] = consumers[p]!;
      if (places[p]!.initial === 0 && --empty[next!]! === 0) left.push(next!);
    }
  }
  return removed === transitions.length;
}

import { columnsOf } from '../../net/colour.ts';
import type { Net, Transition } from '../../net/net.ts';
import { flatten } from '../space/flatten.ts';
import type { Petri, PetriTransition, Weighted } from '../space/petri.ts';

/**
 * The unfolded net used by structural analysis. A place/transition net is kept as it is, including nodes that can never be
 * marked or fire. Any other net is unfolded as for exploration ({@link flatten}), which keeps only nodes that seem possible.
 *
 * @throws InputError if the net cannot be unfolded or the result is too large (UNF001–UNF004, UNF009)
 */
export function petriOf(net: Net): Petri {
  const colours = new Map(net.colours.map((c) => [c.name, c]));
  const columns = net.places.map((p) => columnsOf(p.fields, colours));
  const number = new Map(net.places.map((p, k) => [p.name, k]));
  const plain =
    columns.every((c) => c.length === 0) &&
    net.places.every((p) => p.service === undefined && p.capacity === undefined) &&
    net.transitions.every(isPlain);
  if (!plain) return flatten(net);
  return {
    net,
    columns,
    places: net.places.map(({ initial }, node) => ({
      kind: 'place',
      node,
      values: [],
      initial: initial.reduce((sum, tokens) => sum + tokens.count, 0),
    })),
    transitions: net.transitions.map((t, node) => transitionOf(t, node, number)),
  };
}

function isPlain(t: Transition): boolean {
  return (
    t.guard === undefined &&
    t.delay === undefined &&
    (t.free ?? []).length === 0 &&
    t.inputs.every((a) => a.kind === 'take' || a.kind === 'read') &&
    t.outputs.every((a) => a.count.op === 'const')
  );
}

/** Counts of several take arcs to one place add up; those of read arcs do not. */
function transitionOf(t: Transition, node: number, number: ReadonlyMap<string, number>): PetriTransition {
  const takes = new Map<number, number>();
  const reads = new Map<number, number>();
  const change = new Map<number, number>();
  const add = (to: Map<number, number>, place: string, n: number): void => {
    const p = number.get(place)!;
    to.set(p, (to.get(p) ?? 0) + n);
  };
  for (const { kind, place, count } of t.inputs) {
    if (kind === 'take') {
      add(takes, place, count);
      add(change, place, -count);
    } else reads.set(number.get(place)!, Math.max(count, reads.get(number.get(place)!) ?? 0));
  }
  for (const { place, count } of t.outputs) if (count.op === 'const') add(change, place, count.value);
  const needs = new Map(takes);
  for (const [p, n] of reads) needs.set(p, Math.max(n, needs.get(p) ?? 0));
  return {
    kind: 'fire',
    node,
    binding: {},
    level: t.priority ?? 0,
    needs: listed(needs),
    limits: [],
    change: listed(change),
    resets: [],
  };
}

function listed(counts: ReadonlyMap<number, number>): Weighted[] {
  return [...counts].filter(([, n]) => n !== 0).sort(([a], [b]) => a - b);
}

import { columnsOf } from '../../net/colour.ts';
import type { Net } from '../../net/net.ts';
import { flatten } from '../petri/flatten.ts';
import { isPlain, plainArcs } from '../petri/flatten-plain.ts';
import type { Petri } from '../petri/petri.ts';

/**
 * The unfolded net used by structural analysis. A place/transition net is kept as it is, including nodes that can never be
 * marked or fire. Any other net is unfolded as for exploration ({@link flatten}), which keeps only nodes that seem possible.
 *
 * @param relaxed leaves out bindings with an expression without value, and orders of places (`Relaxation`)
 * @throws InputError if the net cannot be unfolded or the result is too large (UNF001–UNF004, UNF009)
 */
export function petriOf(net: Net, relaxed = false): Petri {
  const colours = new Map(net.colours.map((c) => [c.name, c]));
  const columns = net.places.map((p) => columnsOf(p.fields, colours));
  const number = new Map(net.places.map((p, k) => [p.name, k]));
  if (!isPlain(net) || net.transitions.some((t) => t.timing === 'race')) return flatten(net, undefined, relaxed);
  return {
    net,
    columns,
    places: net.places.map(({ initial }, node) => ({
      kind: 'place',
      node,
      values: [],
      initial: initial.reduce((sum, tokens) => sum + tokens.count, 0),
    })),
    transitions: net.transitions.map((t, node) => {
      const { needs, change } = plainArcs(t, number);
      return { kind: 'fire', node, binding: {}, level: t.priority ?? 0, needs, limits: [], change, resets: [] };
    }),
  };
}

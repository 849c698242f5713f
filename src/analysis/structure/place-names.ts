import { valueText } from '../properties/colours.ts';
import { name } from '../properties/property-text.ts';
import type { Petri } from '../space/petri.ts';

/** Names of the places of an unfolded net: `Fork[3]` as in properties, `queue[0] in service`, `busy send[x 1]`. O(places). */
export function placeNames({ net, columns, places }: Petri): string[] {
  return places.map(({ kind, node, values }) => {
    if (kind === 'busy') {
      const { name: transition } = net.transitions[node]!;
      return `busy ${transition}${values.length === 0 ? '' : `[${values.join(', ')}]`}`;
    }
    const words = values.map((v, k) => name(valueText(columns[node]![k], v)).replace(/^"(-?\d+)"$/, '$1'));
    const token = words.length === 0 ? '' : `[${words.join(', ')}]`;
    return `${net.places[node]!.name}${token}${kind === 'service' ? ' in service' : ''}`;
  });
}

/** Places of the net that can never hold a token of any colour: they have no place in the unfolded net. O(places). */
export function neverMarked({ net, places }: Petri): string[] {
  const possible = new Set(places.flatMap(({ kind, node }) => (kind === 'busy' ? [] : [node])));
  return net.places.flatMap(({ name }, node) => (possible.has(node) ? [] : [name]));
}

/** Names of the transitions of an unfolded net: `send[x 1]`, `end of send[x 1]`. O(transitions). */
export function transitionNames({ net, transitions }: Petri): string[] {
  return transitions.map(({ kind, node, binding }) => {
    const values = Object.entries(binding).map(([variable, value]) => `${variable} ${value}`);
    const words = values.length === 0 ? '' : `[${values.join(', ')}]`;
    if (kind === 'serve') return `${net.places[node]!.name} serves${words}`;
    return `${kind === 'end' ? 'end of ' : ''}${net.transitions[node]!.name}${words}`;
  });
}

import { type ColourSet, columnsOf } from './colour.ts';
import type { Net } from './net.ts';

/**
 * The same net with every field of composite colour replaced by its columns, which is how engines and analyses see it:
 * arcs and expressions name columns already. Returns the net itself where there is nothing to replace. O(places).
 */
export function scalarNet(net: Net): Net {
  if (!net.colours.some((c) => c.kind === 'unit' || c.kind === 'product' || c.kind === 'record')) return net;
  const colours = new Map<string, ColourSet>(net.colours.map((c) => [c.name, c]));
  return {
    ...net,
    places: net.places.map((p) => ({
      ...p,
      fields: columnsOf(p.fields, colours).map((c) => ({ name: c.name, colour: c.colour.name })),
    })),
  };
}

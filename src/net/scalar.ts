import { type ColourSet, columnsOf } from './colour.ts';
import type { Net } from './net.ts';

/**
 * Flattens fields of composite colour to columns, the form engines and analyses use; arcs and expressions already name
 * columns. Returns the same net if nothing changes. O(places).
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

import type { Emission } from './emission.ts';
import type { Scope } from './expression.ts';
import type { PlaceLayout } from './layout.ts';

/** The scope of an expression over the columns of a token with values `f0`, `f1`, …. */
export function tokenScope(e: Emission, layout: PlaceLayout): Scope {
  return {
    ...e.context,
    names: new Map(layout.place.fields.map((f, k) => [f.name, `f${k}`])),
    ranges: new Map(layout.place.fields.map((f, k) => [f.name, layout.ranges[k]!])),
  };
}

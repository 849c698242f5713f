import type { Place } from '../net.ts';
import type { PossibleColours } from './unfold-colours.ts';

/** True if all possible colours of a place differ in its key. Then no token hides one of another colour. */
export function aloneInGroups(place: Place, colours: PossibleColours): boolean {
  const key = place.key.map((name) => colours.columns.findIndex((c) => c.name === name));
  const groups = new Set(Array.from({ length: colours.count }, (_, n) => key.map((c) => colours.value(n, c)).join()));
  return groups.size === colours.count;
}

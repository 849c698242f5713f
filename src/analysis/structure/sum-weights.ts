import { coloursOf } from '../properties/colours.ts';
import type { Sum } from '../properties/property.ts';
import type { Petri } from '../space/petri.ts';

/** The factors of a sum by place of the unfolded net; places of tokens in service are included. O(terms × places). */
export function weightsOf(petri: Petri, { terms }: Sum): Map<number, number> {
  const colours = coloursOf(petri.net);
  const weights = new Map<number, number>();
  for (const { factor, place, colour } of terms) {
    const node = colours.places.get(place)!;
    const values = colour === undefined ? undefined : colours.values(place, colour);
    petri.places.forEach((p, k) => {
      if (p.kind !== 'busy' && p.node === node && (values === undefined || p.values.every((v, i) => v === values[i])))
        weights.set(k, (weights.get(k) ?? 0) + factor);
    });
  }
  return weights;
}

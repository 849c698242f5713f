import { name } from '../../analysis/properties/property-text.ts';
import type { FinalMarking, FinalMarkings } from '../../analysis/space/degrees.ts';
import type { Net } from '../../net/net.ts';

/**
 * The final markings that a net lists: the tokens of each listed place, with all other places empty. Undefined if the net
 * lists none. O(final markings × places).
 */
export function finalMarkingsOf({ finalMarkings, places }: Net): FinalMarkings | undefined {
  if (finalMarkings === undefined || finalMarkings.length === 0) return undefined;
  return finalMarkings.map((marking): FinalMarking[] => {
    const counts = new Map(marking.map(({ place, count }) => [place, count]));
    const marked = places.flatMap(({ name }, k) => {
      const tokens = counts.get(name) ?? 0;
      return tokens > 0 ? [{ places: [k], tokens }] : [];
    });
    const empty = places.flatMap(({ name }, k) => ((counts.get(name) ?? 0) > 0 ? [] : [k]));
    return empty.length === 0 ? marked : [...marked, { places: empty, tokens: 0 }];
  });
}

/** The condition of a final marking in the property language. */
export function finalText({ places }: Net, final: FinalMarkings): string {
  const one = ({ places: some, tokens }: FinalMarking): string =>
    `tokens(${some.map((p) => name(places[p]!.name)).join(', ')}) = ${tokens}`;
  if ('places' in final) return one(final);
  const markings = final.map((all) => (all.length === 0 ? 'true' : all.map(one).join(' & ')));
  return markings.length === 1 ? markings[0]! : markings.map((text) => `(${text})`).join(' | ');
}

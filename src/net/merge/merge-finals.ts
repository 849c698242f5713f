import type { MarkedPlace, Net } from '../net.ts';

/** Maximum number of final markings of a merged net; beyond it the net has none. */
const MAX_FINALS = 1 << 12;

/** Tokens by place; other places of the net are empty. */
type Final = ReadonlyMap<string, number>;

/**
 * The final markings of merged nets: one of each net, in all combinations that agree on fused places, so that each net ends
 * in one of its own. Undefined if a net with places lists none, or if no combination agrees.
 *
 * @complexity O(places × combinations)
 */
export function mergeFinals(nets: readonly Net[]): Net['finalMarkings'] {
  let finals: readonly Final[] = [new Map()];
  const known = new Set<string>();
  const own = nets.filter((net) => net.places.length > 0);
  for (const net of own) {
    const ends = (net.finalMarkings ?? []).map(tokensByPlace);
    if (finals.length * ends.length > MAX_FINALS) return undefined;
    const fused = net.places.filter(({ name }) => known.has(name)).map(({ name }) => name);
    finals = finals.flatMap((final) =>
      ends.filter((end) => agree(final, end, fused)).map((end) => new Map([...final, ...end])),
    );
    for (const { name } of net.places) known.add(name);
  }
  if (own.length === 0 || finals.length === 0) return undefined;
  return finals.map((final) => [...final].map(([place, count]) => ({ place, count })));
}

function tokensByPlace(marking: readonly MarkedPlace[]): Final {
  const tokens = new Map<string, number>();
  for (const { place, count } of marking) tokens.set(place, (tokens.get(place) ?? 0) + count);
  return tokens;
}

const agree = (a: Final, b: Final, places: readonly string[]): boolean =>
  places.every((name) => (a.get(name) ?? 0) === (b.get(name) ?? 0));

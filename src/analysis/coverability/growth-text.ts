import { listing } from '../../base/listing.ts';
import type { Petri } from '../petri/petri.ts';
import { transitionNames } from '../structure/prove-property.ts';
import type { Pump } from './pump.ts';

/** Maximum number of steps of a sequence, and of steps before it, that are named. */
const MAX_NAMED = 6;

/** How an unbounded place grows, by the names of transitions: `make can be repeated forever, and adds 1 token each time`. O(path). */
export function growthText(petri: Petri, place: number, { path, loop }: Pump): string {
  const all = transitionNames(petri);
  const gainOf = (t: number): number =>
    petri.transitions[t]!.change.reduce((sum, [p, n]) => sum + (p === place ? n : 0), 0);
  if (loop === undefined) {
    const sources = new Set(path.filter((t) => gainOf(t) > 0).map((t) => all[t]!));
    return `tokens come from ${listed([...sources])}, in several sequences that can be repeated forever`;
  }
  const repeated = path.slice(loop);
  const before = path.slice(0, loop);
  const gain = repeated.reduce((sum, t) => sum + gainOf(t), 0);
  const names = repeated.map((t) => all[t]!);
  const adds = `${gain} token${gain === 1 ? '' : 's'} each time`;
  const after = before.length === 0 ? '' : `after ${listed(before.map((t) => all[t]!))}, `;
  return names.length === 1
    ? `${after}${names[0]} can be repeated forever, and adds ${adds}`
    : `${after}the sequence ${listed(names)} can be repeated forever, and adds ${adds}`;
}

/** A sequence of steps or places: its first names. */
const listed = (names: readonly string[]): string => listing(names, { max: MAX_NAMED });

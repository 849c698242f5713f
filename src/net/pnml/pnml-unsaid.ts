import type { Net, Place, Transition } from '../net.ts';

const OF_PLACES: readonly (readonly [string, (p: Place) => boolean])[] = [
  ['queue orders', (p) => p.order !== 'bag'],
  ['services', (p) => p.service !== undefined],
  ['capacities', (p) => p.capacity !== undefined],
  ['kinds, owners and modules', (p) => p.kind !== undefined || p.owner !== undefined || p.modules !== undefined],
];

const OF_TRANSITIONS: readonly (readonly [string, (t: Transition) => boolean])[] = [
  ['delays', (t) => t.delay !== undefined],
  ['priorities', (t) => t.priority !== undefined && t.priority !== 0],
  ['weights', (t) => t.weight !== undefined],
  ['labels', (t) => t.label !== undefined],
  ['kinds, owners and modules', (t) => t.kind !== undefined || t.process !== undefined || t.modules !== undefined],
];

/** Properties of the net that PNML cannot represent. O(nodes). */
export function unsaidBy(net: Net): string[] {
  const found = [
    ...OF_PLACES.flatMap(([what, has]) => (net.places.some(has) ? [what] : [])),
    ...OF_TRANSITIONS.flatMap(([what, has]) => (net.transitions.some(has) ? [what] : [])),
    ...(net.processes === undefined ? [] : ['processes']),
  ];
  return [...new Set(found)];
}

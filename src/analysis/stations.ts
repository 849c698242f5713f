import type { Net, Place, Transition } from '../net/net.ts';

/** Number of servers of a station; undefined for other places, and for a station with a server for each token. */
export function serversOf({ service }: Place): number | undefined {
  return service === undefined || service.kind === 'max-min' || service.kind === 'is' ? undefined : service.servers;
}

/** True if a served token leaves the place at once, so that all tokens of the place are waiting or in service. */
export function leavesAtOnce({ places, transitions }: Net, { name }: Place): boolean {
  const capacities = new Set(places.filter((p) => p.capacity !== undefined).map((p) => p.name));
  const takes = (t: Transition): boolean => {
    const [only] = t.inputs;
    return (
      t.inputs.length === 1 &&
      only!.kind === 'take' &&
      only!.place === name &&
      only!.count === 1 &&
      Object.values(only!.pattern).every(({ op }) => op === 'var') &&
      new Set(Object.values(only!.pattern).map((term) => JSON.stringify(term))).size ===
        Object.keys(only!.pattern).length &&
      t.guard === undefined &&
      t.timing !== 'race' &&
      !t.outputs.some((arc) => capacities.has(arc.place))
    );
  };
  return transitions.some(takes);
}

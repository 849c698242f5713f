import type { Transition } from '../../net/net.ts';
import type { StateSpace } from './state-space.ts';

/** A place with a constant number of tokens, if there is one; `decided` is false if the search was inconclusive. */
export interface StablePlace {
  readonly place: number | undefined;
  readonly decided: boolean;
}

const FEW = 64;
const MANY = 1 << 16;

/**
 * Finds a place with the same number of tokens in every reachable marking: from arc weights if possible, otherwise place by
 * place over the states. O(states × places), far less if places change early.
 */
export function stablePlace(space: StateSpace, stop: () => boolean): StablePlace {
  const { net, states, complete } = space;
  const byArcs = net.places.findIndex((p) => net.transitions.every((t) => keeps(t, p.name)));
  if (byArcs >= 0) return { place: byArcs, decided: true };
  for (let p = 0; p < net.places.length; p++) {
    const initial = space.tokens([p], 0, 1)[0]!;
    let changes = false;
    for (let at = 0, size = FEW; at < states && !changes; size = Math.min(MANY, 2 * size)) {
      if (stop()) return { place: undefined, decided: false };
      const end = Math.min(states, at + size);
      changes = space.tokens([p], at, end).some((count) => count !== initial);
      at = end;
    }
    if (!changes) return complete ? { place: p, decided: true } : { place: undefined, decided: false };
  }
  return { place: undefined, decided: true };
}

/** True if a transition consumes and produces the same number of tokens of a place in one step. */
function keeps(t: Transition, place: string): boolean {
  const [takes, puts] = [t.inputs.filter((a) => a.place === place), t.outputs.filter((a) => a.place === place)];
  if (takes.some((a) => a.kind === 'reset')) return false;
  const taken = takes.reduce((sum, a) => sum + (a.kind === 'take' ? a.count : 0), 0);
  let put = 0;
  for (const { count } of puts) {
    if (count.op !== 'const') return false;
    put += count.value;
  }
  const inOneStep = t.delay === undefined || t.timing === 'race';
  return inOneStep ? taken === put : taken === 0 && put === 0;
}

import { exploration } from '../../analysis/space/explore.ts';
import { given } from '../../base/given.ts';
import { markingOf, type SpaceLimits } from './outcomes.ts';
import type { Playable } from './subject.ts';
import { untimedNet } from './untimed-net.ts';

/** States per slice of the exploration. */
const SLICE = 1 << 12;

/** Maximum number of messages that wait for a receive of one rank; a lower bound unless `exact` (all orders explored). */
export interface Buffered {
  readonly most: number;
  readonly rank: number;
  readonly exact: boolean;
}

/**
 * Computes the maximum number of messages that wait for receives of one rank. It depends on the order of steps even if the
 * outcome does not, so all orders are explored. Only a match of a message with a posted receive is taken to be immediate.
 *
 * @complexity proportional to the reachable markings of the program's net
 */
export function buffered(play: Playable, limits: SpaceLimits): Buffered {
  const net = untimedNet(play.net, (t) => play.matches.includes(t.name), play.sized);
  const running = exploration(net, given(limits, ['maxStates', 'memory', 'seconds', 'workers', 'cancelled']));
  const { space } = running;
  while (running.advance(SLICE)) limits.progress?.(space);
  const indices = (names: readonly string[], of: readonly { readonly name: string }[]): number[] =>
    names.map((name) => of.findIndex((x) => x.name === name)).filter((k) => k >= 0);
  const places = indices(['sends', 'wildSends', 'wildcardSends'], net.places);
  const matching = space.enabled(indices(play.matches, net.transitions), 0, space.states);
  const tokens = space.tokens(places, 0, space.states);
  let [most, rank] = [0, 0];
  for (let state = 0; state < space.states; state++) {
    if (matching[state] === 1 || tokens[state]! <= most) continue;
    for (const [r, n] of play.waiting(markingOf(space, state))) if (n > most) [most, rank] = [n, r];
  }
  return { most, rank, exact: space.complete };
}

import { exploration } from '../../analysis/space/explore.ts';
import { given } from '../../base/given.ts';
import { markingOf, type SpaceLimits } from './outcomes.ts';
import type { Playable } from './subject.ts';
import { untimedNet } from './untimed-net.ts';

const SLICE = 1 << 12;

/** The most messages that can wait for a receive of one rank. `exact`: all orders were seen. */
export interface Buffered {
  readonly most: number;
  readonly rank: number;
  readonly exact: boolean;
}

/**
 * How many messages can wait for one rank to receive them. That hangs on the order of steps even where the outcome does
 * not, so that all orders are explored; only that a message meets a receive which is there is taken to come at once.
 *
 * @complexity the reachable markings of the program's net
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

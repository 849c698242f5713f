import { exploration } from '../../analysis/space/explore.ts';
import { given } from '../../base/given.ts';
import { markingOf, type SpaceLimits } from './outcomes.ts';
import type { ProgramInstanceNet } from './subject.ts';
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
export function buffered(program: ProgramInstanceNet, limits: SpaceLimits): Buffered {
  const net = untimedNet(program.net, (t) => program.matches.includes(t.name), program.sized);
  const running = exploration(net, given(limits, ['maxStates', 'memory', 'seconds', 'workers', 'cancelled']));
  const { space } = running;
  while (running.advance(SLICE)) limits.progress?.(space);
  const indices = (names: readonly string[], of: readonly { readonly name: string }[]): number[] =>
    names.map((name) => of.findIndex((x) => x.name === name)).filter((k) => k >= 0);
  const places = indices(['sends', 'wildSends', 'wildcardSends'], net.places);
  const matching = space.enabled(indices(program.matches, net.transitions), 0, space.states);
  const tokens = space.tokens(places, 0, space.states);
  let [max, rank] = [0, 0];
  for (let state = 0; state < space.states; state++) {
    if (matching[state] === 1 || tokens[state]! <= max) continue;
    for (const [r, n] of program.waiting(markingOf(space, state))) if (n > max) [max, rank] = [n, r];
  }
  return { most: max, rank, exact: space.complete };
}

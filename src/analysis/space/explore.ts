import { InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { assertValid } from '../../net/validation/validate.ts';
import { flatten } from './flatten.ts';
import { GeneralExploration } from './general/general-exploration.ts';
import { PackedExploration } from './packed/packed-exploration.ts';
import { NotPackable } from './packed/step-code.ts';
import type { Exploration, ExploreOptions, StateSpace } from './state-space.ts';

/** States between two looks at whether all is done. */
const SLICE = 1 << 16;

/**
 * Begins to explore the state space of a net (docs/semantics.md, E1 to E9); nothing is explored before `advance`.
 *
 * @throws InputError for an invalid net (NET…), an initial marking that is none (RUN…); where `engine` is `packed`, for a net
 *   that cannot be (UNF…)
 */
export function exploration(net: Net, options: ExploreOptions = {}): Exploration {
  assertValid(net);
  if (options.engine !== 'general')
    try {
      return new PackedExploration(flatten(net), options);
    } catch (e) {
      if (options.engine === 'packed' || !(e instanceof InputError || e instanceof NotPackable)) throw e;
    }
  return new GeneralExploration(net, options);
}

/**
 * Explores the state space of a net until all is seen or a limit is reached.
 *
 * @throws InputError for an invalid net (NET…), and where an expression has no value in a marking that is reached (RUN…)
 */
export function explore(net: Net, options: ExploreOptions = {}): StateSpace {
  const running = exploration(net, options);
  while (running.advance(SLICE));
  return running.space;
}

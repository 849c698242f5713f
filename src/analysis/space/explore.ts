import { fail, InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { assertValid } from '../../net/validation/validate.ts';
import { flatten } from '../petri/flatten.ts';
import { CompactExploration } from './compact/compact-exploration.ts';
import { GeneralExploration } from './general/general-exploration.ts';
import { PackedExploration } from './packed/packed-exploration.ts';
import { NotPackable } from './packed/step-code.ts';
import type { Exploration, ExploreOptions, StateSpace } from './state-space.ts';

/** States expanded per call of `advance`. */
const SLICE = 1 << 16;

/**
 * Prepares the exploration of a net's state space (docs/semantics.md, E1 to E9); call `advance` to explore.
 *
 * @throws InputError for an invalid net (NET…) or initial marking (RUN…); with engine `packed`, for a net that cannot be
 *   unfolded (UNF…); with `hashCompact`, EXPL007 for such a net
 */
export function exploration(net: Net, options: ExploreOptions = {}): Exploration {
  assertValid(net);
  if (options.hashCompact === true) return compacted(net, options);
  if (options.engine !== 'general')
    try {
      return new PackedExploration(flatten(net), options);
    } catch (e) {
      if (options.engine === 'packed' || !(e instanceof InputError || e instanceof NotPackable)) throw e;
    }
  return new GeneralExploration(net, options);
}

/** @throws InputError EXPL007 if the net cannot be explored so */
function compacted(net: Net, options: ExploreOptions): Exploration {
  const refuse = (why: string): never =>
    fail(
      'EXPL007',
      `hash compaction needs a net that can be unfolded and packed: ${why.replace(/\.$/, '')}. Explore it without --hash-compact.`,
      { part: net.name },
    );
  try {
    return new CompactExploration(flatten(net), options);
  } catch (e) {
    if (e instanceof NotPackable) return refuse(e.message);
    if (e instanceof InputError && e.problems[0]!.code.startsWith('UNF')) {
      const { place, message } = e.problems[0]!;
      return refuse(`${place?.part ?? 'it'} ${message}`);
    }
    throw e;
  }
}

/**
 * Explores the state space of a net completely or up to a limit.
 *
 * @throws InputError for an invalid net (NET…), or if an expression has no value in a reached marking (RUN…)
 */
export function explore(net: Net, options: ExploreOptions = {}): StateSpace {
  const running = exploration(net, options);
  while (running.advance(SLICE));
  return running.space;
}

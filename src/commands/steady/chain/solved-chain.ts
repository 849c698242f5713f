import { graphOf, type MarkovChain, type NetChain } from '../../../analysis/markov/chain.ts';
import { type LumpedChain, lumpedChain } from '../../../analysis/markov/lumped/lumped-chain.ts';
import { type RestartedChain, restartedChain } from '../../../analysis/markov/restarted-chain.ts';
import { rewardsOf } from '../../../analysis/markov/rewards.ts';
import { components } from '../../../analysis/petri/components.ts';
import type { StateSpace } from '../../../analysis/space/state-space.ts';
import { fail } from '../../../base/problem.ts';
import type { Question } from '../steady-options.ts';

/** The chain that is solved instead of that of the net, and has the same figures. */
export interface SolvedChain {
  readonly chain: MarkovChain;
  /** The same chain, if it starts again at each end of the net. */
  readonly restarted?: RestartedChain;
  /** The same chain, if its states are sets of states that differ in symmetric colours. */
  readonly lumped?: LumpedChain;
  /** Warnings for the result. */
  readonly remarks: readonly string[];
}

/**
 * The chain that is solved for the figures: that of the net, restarted or lumped.
 *
 * @param isCut true for a chain that is cut at a capacity, whose proof needs all its states
 * @throws InputError CTMC006 if a net that is restarted ends at once
 */
export function solvedChain(
  question: Question,
  chain: NetChain,
  space: StateSpace,
  isCut: boolean,
  stop: () => boolean,
): SolvedChain {
  const restarted = restartedOf(question, chain, space);
  if (restarted !== undefined) return restarted;
  const lumped = isCut ? undefined : lumpedOf(question, chain, space, stop);
  return lumped === undefined ? { chain, remarks: [] } : { chain: lumped, lumped, remarks: [] };
}

/**
 * The chain that starts again at each end, if the net is restarted and has an end. If some runs never end, this chain is in one of them in
 * the long run.
 *
 * @throws InputError CTMC006
 */
function restartedOf(
  { options, isRestarted, ended: end }: Question,
  chain: MarkovChain,
  space: StateSpace,
): SolvedChain | undefined {
  if (!isRestarted || options.at !== undefined) return undefined;
  const ended = chain.ended();
  if (!ended.includes(1)) return undefined;
  const restarted = restartedChain(chain, ended);
  if (restarted === undefined) fail('CTMC006', 'the net ends at once, in no time: there is no long run');
  const tokens = end && space.tokens([end.place], 0, space.states);
  const deadlocks = ended.reduce(
    (sum, isEnd, s) => sum + (isEnd === 1 && tokens !== undefined && tokens[chain.markings[s]!]! < end!.tokens ? 1 : 0),
    0,
  );
  const remarks = deadlocks === 0 ? [] : [`${ALSO_RESTARTED}: ${deadlocks} of its markings`];
  return { chain: restarted, restarted, remarks };
}

/** Remark on a program whose figures include runs into a deadlock. */
export const ALSO_RESTARTED = 'the program is also restarted where it ends in a deadlock';

/** The quotient by symmetric colours, if no figure depends on their values. Undefined if no states are equivalent. */
function lumpedOf(
  { options, activity, rewards }: Question,
  chain: NetChain,
  space: StateSpace,
  stop: () => boolean,
): LumpedChain | undefined {
  if (options.at !== undefined || options.absorption === true || activity !== undefined) return undefined;
  // Equivalent ends would become one.
  if (components(graphOf(chain)).bottom.reduce((sum, is) => sum + is, 0) !== 1) return undefined;
  const lumped = lumpedChain(chain, space, stop);
  const isRespected = rewards.every(
    ([, expression]) => expression.kind === 'firings' || lumped?.respects(rewardsOf(expression, chain, space).reward),
  );
  return isRespected ? lumped : undefined;
}

import type { StateSpace } from '../../space/state-space.ts';
import type { MarkovChain, NetChain } from '../chain.ts';
import { ROUNDING } from '../elimination.ts';
import { RowList, rateAt } from '../rows.ts';
import { MAX_ELIMINATED } from '../stationary.ts';
import { orbits } from './orbits.ts';

/** A chain whose states are sets of equivalent states of another one. */
export interface LumpedChain extends MarkovChain {
  /** By state of the given chain: its state here. */
  readonly stateOf: Int32Array;
  /** True if a reward of the states of the given chain is the same in equivalent ones. */
  respects(reward: Float64Array): boolean;
}

/**
 * The exact quotient of a chain by symmetric colours (README.md). Undefined if no states are equivalent.
 *
 * @param above chains of at most this number of states are not lumped
 */
export function lumpedChain(
  chain: NetChain,
  space: StateSpace,
  stop: () => boolean,
  above: number = MAX_ELIMINATED,
): LumpedChain | undefined {
  if (chain.states <= above || chain.clocks !== undefined) return undefined;
  const first = orbits(space, chain.markings, stop);
  if (first === undefined) return undefined;
  const kept = Int32Array.from(first.keys()).filter((s) => first[s] === s);
  if (kept.length === chain.states) return undefined;
  const numberOf = new Int32Array(chain.states);
  kept.forEach((s, k) => {
    numberOf[s] = k;
  });
  const stateOf = first.map((s) => numberOf[s]!);
  const { start, target, rates } = chain;
  const entries = kept.reduce((sum, s) => sum + start[s + 1]! - start[s]!, 0);
  const longest = kept.reduce((most, s) => Math.max(most, start[s + 1]! - start[s]!), 0);
  const rows = new RowList(kept.length, new Int32Array(entries));
  for (const s of kept) {
    for (let e = start[s]!; e < start[s + 1]!; e++) rows.add(stateOf[target[e]!]!, rateAt(rates, e));
    rows.end();
  }
  const initial = new Map<number, number>();
  for (const [s, p] of chain.initial.to) initial.set(stateOf[s]!, (initial.get(stateOf[s]!) ?? 0) + p);
  const own = (values: Float64Array): Float64Array => Float64Array.from(kept, (s) => values[s]!);
  return {
    states: kept.length,
    vanishing: chain.vanishing,
    markings: Int32Array.from(kept, (s) => chain.markings[s]!),
    ...rows.done(),
    initial: {
      ...chain.initial,
      to: initial,
      error: chain.initial.error + chain.initial.to.size * ROUNDING,
    },
    error: chain.error + longest * ROUNDING,
    throughput: (transition) => own(chain.throughput(transition)),
    enabled: (transition) => own(chain.enabled(transition)),
    ended: () => {
      const ended = chain.ended();
      return Uint8Array.from(kept, (s) => ended[s]!);
    },
    tokens: (place) => own(chain.tokens(place)),
    stateOf,
    respects: (reward) => reward.every((r, s) => r === reward[first[s]!]),
  };
}
